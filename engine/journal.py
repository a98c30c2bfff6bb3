"""Journal entries and their JSON form. The device stores them.

A journal is append-only: undo and amend are entries too. Its JSON is that of the API: the journal stores exactly what a
program sends as an answer.
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
    """`seat` answers ask number `n`."""

    seat: Seat
    n: int
    value: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """Forget every answer from number `n` on."""

    n: int


@dataclass(frozen=True, slots=True)
class Correction:
    """Answer `n` was misread: it is `value`; keep the later answers that still fit."""

    n: int
    value: Any


JournalEntry = Answer | Undo | Correction


class Source(StrEnum):
    """Who gave an entry, as journals keep it. `Source(text)` is UNKNOWN for any other text."""

    UNKNOWN = ""
    PHONE = "phone"
    BUTTONS = "buttons"
    OPERATOR = "operator"
    CAMERA = "camera"
    BOT = "bot"
    """The table in place of a person, in games of before; it is not written any more."""
    HOUSE = "house"
    """Chance."""
    MANAGER = "manager"
    """The computer that manages a seat."""
    MOOT = "moot"
    """The table by itself: everybody would choose that."""
    STANDING = "standing"
    """The table by itself: the seat has set that."""
    AWAY = "away"
    """One person alone, who corrected a roll."""
    HOME = "home"
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
        """True for what the table answers by itself."""
        return self in (Source.MOOT, Source.STANDING)

    @property
    def is_person(self) -> bool:
        """True unless chance, a manager or the table by itself gave it."""
        return not self.is_automatic and self not in (Source.HOUSE, Source.MANAGER, Source.BOT)


class EntryJson(TypedDict, total=False):
    """An entry as JSON: {seat, n, value}, {undo} or {amend, value}."""

    seat: Seat
    n: int
    value: Any
    undo: int
    amend: int


class DeckJson(TypedDict):
    """A deck in a header: its title, and the SHA-256 of its text in hexadecimal."""

    title: str
    sha256: str


class JournalHeaderJson(TypedDict):
    """A header as JSON."""

    game: str
    version: int
    decks: list[DeckJson]
    house: dict[str, str]
    names: NotRequired[dict[Seat, str]]
    """What people call the sides; absent where both have their usual names."""


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The game, decks and house rules of a journal, and what people call the sides.

    `decks` are (title, SHA-256 in hexadecimal) in the given order; `names` has only the sides that were named.
    """

    game: str
    version: int
    decks: tuple[tuple[str, str], ...]
    house: Mapping[str, str]
    names: Mapping[Seat, str] = field(default_factory=dict)

    def as_json(self) -> JournalHeaderJson:
        """Return the header as plain data."""
        decks: list[DeckJson] = [{"title": title, "sha256": digest} for title, digest in self.decks]
        header: JournalHeaderJson = {
            "game": self.game,
            "version": self.version,
            "decks": decks,
            "house": dict(self.house),
        }
        # Left out if empty: the headers of games without names stay as they always were.
        return header | {"names": dict(self.names)} if self.names else header


def entry_json(entry: JournalEntry) -> EntryJson:
    """Return an entry as plain data, with its secrets, for storage. To show entries, use `Table.redacted_entries`."""
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
    """Parse an entry. Raises InvalidAnswer that names the field; the table checks the value."""
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
