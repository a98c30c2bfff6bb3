"""Answers that the table gives by itself: moot ones, and those that a seat set for the whole game.

Pure. A moot answer is decided by the rules (`engine.asks.Choose.moot_option`), a standing one by what the seat set and
by the public scoreboard: neither depends on anything hidden. "Wait" reopens them until the next throw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from device.storage.seat_settings import PACE_DELAYS_S, parse_seat_settings
from engine.asks import Arrange, Ask, Call, Choose, DiceAsk, Secret
from engine.errors import IllegalAnswer
from engine.events import spoken_list
from engine.game import ASK_PREFERENCE_LABELS, AskTopic
from engine.journal import Answer, Source, Undo
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.table import CurrentAnswer, Table
from managers.manager import STRENGTHS, has_manager

DEFAULT_PACE = next(iter(PACE_DELAYS_S))

LATE_INNING = 7
"""The inning from which on a seat with "seventh" is asked."""


class AutomaticAnswer(NamedTuple):
    """An answer that the table gives by itself, and its source."""

    answer: Answer
    source: Source


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """What the seats set for one game.

    `when` has for each seat, by topic, when it is asked: a key of `ASK_WHEN`; topics that are missing are
    always asked. `is_waiting` has for each seat that said "Wait" the number of the ask from which on it is asked
    everything. `managers` has the strength of the computer that manages a seat, and `pace` how soon it answers: a key
    of `PACES`. `coached` are the seats that allow asking the coach.
    """

    when: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    waits: Mapping[Seat, int] = field(default_factory=dict)
    managers: Mapping[Seat, str] = field(default_factory=dict)
    pace: str = DEFAULT_PACE
    coached: Sequence[Seat] = ()

    @classmethod
    def from_json(cls, text: str) -> SeatSettings:
        """Return the settings that `json_text` gave; "" are the usual ones. Raises as
        `seat_settings.parse_seat_settings`."""
        given = parse_seat_settings(text)
        return cls(**given | {"coached": tuple(given.get("coached", ()))})

    @property
    def json_text(self) -> str:
        """The settings as JSON, for storage."""
        return json.dumps({name: getattr(self, name) for name in self.__dataclass_fields__})

    def for_rematch(self) -> SeatSettings:
        """Return what stays for another game of the same people: who manages, and the coach."""
        return SeatSettings(managers=self.managers, pace=self.pace, coached=self.coached)

    def ask_preference(self, seat: Seat, topic: str) -> str:
        """Return when a seat is asked about a topic."""
        return self.when.get(seat, {}).get(topic, "always")

    def has_ask_preferences(self, table: Table, seat: Seat) -> bool:
        """True if a seat is not always asked about some topic of this game."""
        return any(self.ask_preference(seat, one.key) != "always" for one in game_topics(table))

    def with_ask_preference(self, table: Table, seat: Seat, topic: str, when: str) -> SeatSettings:
        """Return these settings with one changed. Raises IllegalAnswer for what this game or table does not have."""
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        if all(topic != one.key for one in game_topics(table)):
            raise IllegalAnswer(f"{table.game.title} has no standing answer {topic!r}.")
        if when not in ASK_PREFERENCE_LABELS:
            raise IllegalAnswer(f"A seat is asked {', '.join(ASK_PREFERENCE_LABELS)}, not {when!r}.")
        if when == self.ask_preference(seat, topic):
            return self
        return replace(self, when={**self.when, seat: {**self.when.get(seat, {}), topic: when}})

    def with_wait(self, seat: Seat, n: int) -> SeatSettings:
        """Return these settings once a seat said "Wait": from ask `n` on it is asked everything."""
        return replace(self, waits={**self.waits, seat: n})

    def with_manager(self, table: Table, seat: Seat, strength: str | None) -> SeatSettings:
        """Return these settings with a computer of this strength as the manager of a seat; None: a person.

        Raises IllegalAnswer for what this game or table does not have.
        """
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        if strength is not None and (strength not in STRENGTHS or not has_manager(table.game.key)):
            raise IllegalAnswer(f"There is no computer manager for this: {table.game.title}, {strength}.")
        others = {one: kept for one, kept in self.managers.items() if one != seat}
        return replace(self, managers={**others, seat: strength} if strength else others)

    def with_pace(self, pace: str) -> SeatSettings:
        """Return these settings with another pace. Raises IllegalAnswer for one that does not exist."""
        if pace not in PACE_DELAYS_S:
            raise IllegalAnswer(f"A manager is {spoken_list(list(PACE_DELAYS_S), 'or')}, not {pace!r}.")
        return replace(self, pace=pace)

    def with_coach(self, seat: Seat, on: bool) -> SeatSettings:
        """Return these settings once a seat allows asking the coach, or does not any more."""
        if on == (seat in self.coached):
            return self
        others = [one for one in self.coached if one != seat]
        return replace(self, coached=(*others, seat) if on else tuple(others))


def next_automatic_answer(table: Table, settings: SeatSettings, sources: Sequence[Source]) -> AutomaticAnswer | None:
    """Return the next answer that the table gives by itself; None if persons, dice or chance must answer.

    `sources` say who gave each entry of the journal.
    """
    for n, ask in table.open_asks():
        inner = ask.ask if isinstance(ask, Secret) else ask
        if not isinstance(inner, Choose | Arrange):
            continue
        if is_waiting(table, settings, ask.seat) or is_reopened(table, sources, n):
            continue
        if isinstance(inner, Choose) and inner.moot_option is not None:
            return AutomaticAnswer(Answer(ask.seat, n, inner.moot_option), Source.MOOT)
        topic = None if ask.seat in settings.managers else topic_for(table, ask)
        if topic is not None and not is_asked_now(settings.ask_preference(ask.seat, topic.key), table):
            stands = topic.automatic_answer(ask)
            if stands is not None:
                return AutomaticAnswer(Answer(ask.seat, n, stands), Source.STANDING)
    return None


def game_topics(table: Table) -> list[AskTopic]:
    """Return the topics that may occur in this game under its house rules."""
    return [topic for topic in table.game.standing if topic.can_occur(table.house)]


def topic_for(table: Table, ask: Ask) -> AskTopic | None:
    """Return the topic that covers an ask, if any."""
    return next((topic for topic in table.game.standing if ask.why in topic.ask_codes), None)


def is_asked_now(when: str, table: Table) -> bool:
    """True if a seat that set this `when` is asked now."""
    if when in ("always", "never"):
        return when == "always"
    board: Scoreboard = table.scoreboard()
    return any(board.bases) if when == "runners" else board.inning >= LATE_INNING


def is_waiting(table: Table, settings: SeatSettings, seat: Seat) -> bool:
    """True while a seat that said "Wait" is asked everything: until the next throw."""
    since, asks = settings.waits.get(seat), [n for n, _ in table.open_asks()]
    if since is None or not asks or asks[0] < since:
        return False
    for one in reversed(table.answers):
        if one.n < since:
            break
        if isinstance(one.ask, DiceAsk | Call):
            return False
    return True


def is_reopened(table: Table, sources: Sequence[Source], n: int) -> bool:
    """True if the open ask `n` was answered before and somebody took that answer back: then it is asked."""
    for entry, source in zip(reversed(table.journal), reversed(sources), strict=True):
        # A prompt has two asks at most. An answer further back means that the game came here after it.
        if isinstance(entry, Answer) and (entry.n == n or entry.n < n - 1):
            return False
        if isinstance(entry, Undo) and entry.n <= n:
            return entry.n == n and not source.is_automatic
    return False


def automatic_since_throw(table: Table, sources: Sequence[Source], seat: Seat | None = None) -> list[CurrentAnswer]:
    """Return what the table answered by itself after the last throw, draw, or answer of a person, oldest first.

    `sources` say who gave each entry of the journal. `seat` limits it to one seat. What was given together with a
    later answer of a person is not among it.
    """
    found = last_automatic_answers(table, sources)
    if found and found[0].n > table.answers[0].n:
        before = table.answers[-len(found) - 1]
        found = [one for one in found if one.entry > before.entry]
    return [one for one in found if seat in (None, one.ask.seat)]


def last_automatic_answers(table: Table, sources: Sequence[Source]) -> list[CurrentAnswer]:
    """Return the answers at the end that the table gave by itself, oldest first."""
    count = 0
    for one in reversed(table.answers):
        if not sources[one.entry].is_automatic:
            break
        count += 1
    return table.answers[len(table.answers) - count :]


def is_automatic_from(table: Table, sources: Sequence[Source], n: int) -> bool:
    """True if taking back answer `n` and all after it takes back only what the table answered by itself."""
    twin = table.clone()
    twin.undo(n)
    stay = {one.n for one in twin.answers}
    return all(sources[one.entry].is_automatic for one in table.answers if one.n not in stay)
