"""Journal entries and their JSON form. The device stores them.

A journal is append-only, so undo and correction are entries too. An answer is stored as a program sends it to the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NotRequired, TypedDict

from engine.errors import InvalidAnswer
from engine.seats import SEATS, Seat


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of `seat` to ask number `n`."""

    seat: Seat
    n: int
    value: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """Remove every answer from number `n` on."""

    n: int


@dataclass(frozen=True, slots=True)
class Correction:
    """Replace the value of answer `n`, which was misread, and keep the later answers that are still valid."""

    n: int
    value: Any


JournalEntry = Answer | Undo | Correction


class Source(StrEnum):
    """Who gave an entry, as stored in journals. `Source(text)` is UNKNOWN for any other text."""

    UNKNOWN = ""
    PHONE = "phone"
    BUTTONS = "buttons"
    OPERATOR = "operator"
    CAMERA = "camera"
    BOT = "bot"
    """The table in place of a person, in old journals only. It is no longer written."""
    HOUSE = "house"
    """Chance."""
    MANAGER = "manager"
    """The computer that manages a seat."""
    MOOT = "moot"
    """The table, because no other answer can be better."""
    STANDING = "standing"
    """The table, by a setting of the seat."""
    COACH = "coach"
    """The coach, where the answer hardly matters to a person's chance to win."""
    AWAY = "away"
    """A person playing alone who corrected a roll."""
    HOME = "home"
    """As AWAY."""
    AWAY_AND_HOME = "away+home"
    """One seat proposed a correction, and the other agreed."""
    HOME_AND_AWAY = "home+away"
    AWAY_AND_OPERATOR = "away+operator"
    HOME_AND_OPERATOR = "home+operator"

    @classmethod
    def _missing_(cls, value: object) -> Source:
        return cls.UNKNOWN

    @property
    def is_automatic(self) -> bool:
        return self in (Source.MOOT, Source.STANDING, Source.COACH)

    @property
    def is_person(self) -> bool:
        """True unless chance, a manager or the table gave it."""
        return not self.is_automatic and self not in (Source.HOUSE, Source.MANAGER, Source.BOT)


class EntryJson(TypedDict, total=False):
    """An entry as JSON, with the keys {seat, n, value}, {undo} or {amend, value}."""

    seat: Seat
    n: int
    value: Any
    undo: int
    amend: int


class DeckJson(TypedDict):
    """A deck in a header, with its title and the SHA-256 of its text in hexadecimal."""

    title: str
    sha256: str


class JournalHeaderJson(TypedDict):
    """A header as JSON."""

    game: str
    version: int
    decks: list[DeckJson]
    house: dict[str, str]
    names: NotRequired[dict[Seat, str]]
    """What people call the sides. Absent if both have their default names."""


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The game, decks, house rules and side names of a journal.

    decks: (title, SHA-256 in hexadecimal), in the given order.
    names: only the sides that people named.
    """

    game: str
    version: int
    decks: tuple[tuple[str, str], ...]
    house: Mapping[str, str]
    names: Mapping[Seat, str] = field(default_factory=dict)

    def as_json(self) -> JournalHeaderJson:
        decks: list[DeckJson] = [{"title": title, "sha256": digest} for title, digest in self.decks]
        header: JournalHeaderJson = {
            "game": self.game,
            "version": self.version,
            "decks": decks,
            "house": dict(self.house),
        }
        # Omitted if empty, so that headers of games without names are the same as in old versions.
        return header | {"names": dict(self.names)} if self.names else header


def entry_json(entry: JournalEntry) -> EntryJson:
    """Return an entry for storage, with its secrets. To show entries, use `Table.redacted_entries`."""
    match entry:
        case Answer(seat, n, value):
            return {"seat": seat, "n": n, "value": _json_value(value)}
        case Undo(n):
            return {"undo": n}
        case Correction(n, value):
            return {"amend": n, "value": _json_value(value)}


def _json_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def parse_entry(data: Mapping[str, object]) -> JournalEntry:
    """Parse an entry. Raises InvalidAnswer, which names the field. The table validates the value."""
    keys = set(data)
    if keys == {"undo"}:
        return Undo(_parse_number(data, "undo"))
    if keys == {"amend", "value"}:
        return Correction(_parse_number(data, "amend"), data["value"])
    if keys == {"seat", "n", "value"}:
        for seat in SEATS:
            if data["seat"] == seat:
                return Answer(seat, _parse_number(data, "n"), data["value"])
        raise InvalidAnswer(f"seat: needs away or home, not {data['seat']!r}.")
    raise InvalidAnswer('This needs {"seat", "n", "value"}, {"undo"} or {"amend", "value"}, not ' + f"{sorted(keys)}.")


def _parse_number(data: Mapping[str, object], key: str) -> int:
    number = data[key]
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise InvalidAnswer(f"{key}: needs a whole number from 0, not {number!r}.")
    return number
