"""Answers that the table gives by itself: moot ones, and those that a seat set for the whole game.

Pure. A moot answer is decided by the rules (`engine.asks.Choose.moot`), a standing one by what the seat set and by the
public scoreboard: neither depends on anything hidden. "Wait" reopens them until the next throw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from device.storage.standing_settings import PACES, parse
from engine.asks import Arrange, Ask, Call, Choose, Secret, Thrown
from engine.errors import IllegalAnswer
from engine.events import spoken
from engine.game import ASK_WHEN, StandingAnswer
from engine.journal import Answer, Source, Undo
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.table import Given, Table
from managers.manager import STRENGTHS, has_manager

NORMAL = next(iter(PACES))

LATE = 7
"""The inning from which on a seat with "seventh" is asked."""


class Automatic(NamedTuple):
    """An answer that the table gives by itself, and its source."""

    answer: Answer
    source: Source


@dataclass(frozen=True, slots=True)
class StandingSettings:
    """What the seats set for one game.

    `when` has for each seat, by topic, when it is asked: a key of `ASK_WHEN`; topics that are missing are
    always asked. `waits` has for each seat that said "Wait" the number of the ask from which on it is asked everything.
    `managers` has the strength of the computer that manages a seat, and `pace` how soon it answers: a key of `PACES`.
    `coached` are the seats that allow asking the coach.
    """

    when: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    waits: Mapping[Seat, int] = field(default_factory=dict)
    managers: Mapping[Seat, str] = field(default_factory=dict)
    pace: str = NORMAL
    coached: Sequence[Seat] = ()

    @classmethod
    def of(cls, text: str) -> StandingSettings:
        """Return the settings that `text` gave; "" are the usual ones. Raises as `standing_settings.parse`."""
        given = parse(text)
        return cls(**given | {"coached": tuple(given.get("coached", ()))})

    @property
    def text(self) -> str:
        """The settings as JSON, for storage."""
        return json.dumps({name: getattr(self, name) for name in self.__dataclass_fields__})

    def again(self) -> StandingSettings:
        """Return what stays for another game of the same people: who manages, and the coach."""
        return StandingSettings(managers=self.managers, pace=self.pace, coached=self.coached)

    def asked(self, seat: Seat, topic: str) -> str:
        """Return when a seat is asked about a topic."""
        return self.when.get(seat, {}).get(topic, "always")

    def less(self, table: Table, seat: Seat) -> bool:
        """True if a seat is not always asked about some topic of this game."""
        return any(self.asked(seat, one.key) != "always" for one in topics(table))

    def changed(self, table: Table, seat: Seat, topic: str, when: str) -> StandingSettings:
        """Return these settings with one changed. Raises IllegalAnswer for what this game or table does not have."""
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        if all(topic != one.key for one in topics(table)):
            raise IllegalAnswer(f"{table.game.title} has no standing answer {topic!r}.")
        if when not in ASK_WHEN:
            raise IllegalAnswer(f"A seat is asked {', '.join(ASK_WHEN)}, not {when!r}.")
        if when == self.asked(seat, topic):
            return self
        return replace(self, when={**self.when, seat: {**self.when.get(seat, {}), topic: when}})

    def waiting(self, seat: Seat, n: int) -> StandingSettings:
        """Return these settings once a seat said "Wait": from ask `n` on it is asked everything."""
        return replace(self, waits={**self.waits, seat: n})

    def managed(self, table: Table, seat: Seat, strength: str | None) -> StandingSettings:
        """Return these settings with a computer of this strength as the manager of a seat; None: a person.

        Raises IllegalAnswer for what this game or table does not have.
        """
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        if strength is not None and (strength not in STRENGTHS or not has_manager(table.game.key)):
            raise IllegalAnswer(f"There is no computer manager for this: {table.game.title}, {strength}.")
        others = {one: kept for one, kept in self.managers.items() if one != seat}
        return replace(self, managers={**others, seat: strength} if strength else others)

    def paced(self, pace: str) -> StandingSettings:
        """Return these settings with another pace. Raises IllegalAnswer for one that does not exist."""
        if pace not in PACES:
            raise IllegalAnswer(f"A manager is {spoken(list(PACES), 'or')}, not {pace!r}.")
        return replace(self, pace=pace)

    def coaching(self, seat: Seat, on: bool) -> StandingSettings:
        """Return these settings once a seat allows asking the coach, or does not any more."""
        if on == (seat in self.coached):
            return self
        others = [one for one in self.coached if one != seat]
        return replace(self, coached=(*others, seat) if on else tuple(others))


def following(table: Table, settings: StandingSettings, sources: Sequence[Source]) -> Automatic | None:
    """Return the next answer that the table gives by itself; None if persons, dice or chance must answer.

    `sources` say who gave each entry of the journal.
    """
    for n, ask in table.asks():
        inner = ask.ask if isinstance(ask, Secret) else ask
        if not isinstance(inner, Choose | Arrange):
            continue
        if waits(table, settings, ask.seat) or reopened(table, sources, n):
            continue
        if isinstance(inner, Choose) and inner.moot is not None:
            return Automatic(Answer(ask.seat, n, inner.moot), Source.MOOT)
        topic = None if ask.seat in settings.managers else topic_of(table, ask)
        if topic is not None and not wanted(settings.asked(ask.seat, topic.key), table):
            stands = topic.answer(ask)
            if stands is not None:
                return Automatic(Answer(ask.seat, n, stands), Source.STANDING)
    return None


def topics(table: Table) -> list[StandingAnswer]:
    """Return the topics that may occur in this game under its house rules."""
    return [topic for topic in table.game.standing if topic.occurs(table.house)]


def topic_of(table: Table, ask: Ask) -> StandingAnswer | None:
    """Return the topic that covers an ask, if any."""
    return next((topic for topic in table.game.standing if ask.why in topic.whys), None)


def wanted(when: str, table: Table) -> bool:
    """True if a seat that set this `when` is asked now."""
    if when in ("always", "never"):
        return when == "always"
    board: Scoreboard = table.scoreboard()
    return any(board.bases) if when == "runners" else board.inning >= LATE


def waits(table: Table, settings: StandingSettings, seat: Seat) -> bool:
    """True while a seat that said "Wait" is asked everything: until the next throw."""
    since, asks = settings.waits.get(seat), [n for n, _ in table.asks()]
    if since is None or not asks or asks[0] < since:
        return False
    for one in reversed(table.answers):
        if one.n < since:
            break
        if isinstance(one.ask, Thrown | Call):
            return False
    return True


def reopened(table: Table, sources: Sequence[Source], n: int) -> bool:
    """True if the open ask `n` was answered before and somebody took that answer back: then it is asked."""
    for entry, source in zip(reversed(table.journal), reversed(sources), strict=True):
        # A prompt has two asks at most. An answer further back means that the game came here after it.
        if isinstance(entry, Answer) and (entry.n == n or entry.n < n - 1):
            return False
        if isinstance(entry, Undo) and entry.n <= n:
            return entry.n == n and not source.is_automatic
    return False


def since_throw(table: Table, sources: Sequence[Source], seat: Seat | None = None) -> list[Given]:
    """Return what the table answered by itself after the last throw, draw, or answer of a person, oldest first.

    `sources` say who gave each entry of the journal. `seat` limits it to one seat. What was given together with a
    later answer of a person is not among it.
    """
    found = last(table, sources)
    if found and found[0].n > table.answers[0].n:
        before = table.answers[-len(found) - 1]
        found = [one for one in found if one.entry > before.entry]
    return [one for one in found if seat in (None, one.ask.seat)]


def last(table: Table, sources: Sequence[Source]) -> list[Given]:
    """Return the answers at the end that the table gave by itself, oldest first."""
    count = 0
    for one in reversed(table.answers):
        if not sources[one.entry].is_automatic:
            break
        count += 1
    return table.answers[len(table.answers) - count :]


def reaches(table: Table, sources: Sequence[Source], n: int) -> bool:
    """True if taking back answer `n` and all after it takes back only what the table answered by itself."""
    twin = table.clone()
    twin.undo(n)
    stay = {one.n for one in twin.answers}
    return all(sources[one.entry].is_automatic for one in table.answers if one.n not in stay)
