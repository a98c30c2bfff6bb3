"""Automatic answers: moot ones, and those that a seat has preset for the game. Pure functions.

A moot answer follows from the rules (`engine.asks.Choose.moot_option`), a preset one from the seat's settings and the
public scoreboard. Neither depends on anything hidden. The coach's (`device.table.assistance`) follow from the seat's
view. "Wait" reopens all of them until the next throw. A manager is asked everything, unless there is only one option.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from device.storage.seat_settings import KEY_PATTERN, PACE_DELAYS_S, league_of, parse_seat_settings
from engine.asks import Arrange, Ask, Call, Choose, DiceAsk, Secret
from engine.errors import IllegalAnswer
from engine.events import spoken_list
from engine.game import ASK_PREFERENCE_LABELS, AskTopic
from engine.journal import Answer, Source, Undo
from engine.league.league import LeagueGame
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import CurrentAnswer, Table
from engine.text.agreement import name_with_verb
from managers.cast import CAST_BY_CHOICE
from managers.manager import has_manager

DEFAULT_PACE = next(iter(PACE_DELAYS_S))

FIRST_LATE_INNING = 7
"""A seat that chose "seventh" is asked from this inning."""


class AutomaticAnswer(NamedTuple):
    """An automatic answer and its source."""

    answer: Answer
    source: Source


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """Settings of the seats for one game.

    when: by seat and topic, a key of `ASK_PREFERENCE_LABELS`; missing topics are always asked.
    waits: for each seat that said "Wait", the first ask from which it is asked everything.
    managers: the computer that manages a seat, a key of `CAST_BY_CHOICE`.
    pace: how soon a computer answers, a key of `PACE_DELAYS_S`.
    coached: seats that allow asking the coach.
    table_rolls: True if the table rolls for the computers.
    rematch: for each seat that asks for a rematch, the length of the journal at that time. A longer journal voids it.
    wins: games that each side has won in the series of rematches before this one, by its name. Sides may change ends.
    assisted: people's seats for which the coach answers what hardly matters.
    people: by seat, the key of the person who plays it, if known.
    league: the league that the game is played in, None for none.
    """

    when: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    waits: Mapping[Seat, int] = field(default_factory=dict)
    managers: Mapping[Seat, str] = field(default_factory=dict)
    pace: str = DEFAULT_PACE
    coached: Sequence[Seat] = ()
    table_rolls: bool = False
    rematch: Mapping[Seat, int] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    assisted: Sequence[Seat] = ()
    people: Mapping[Seat, str] = field(default_factory=dict)
    league: LeagueGame | None = None

    @classmethod
    def from_json(cls, text: str) -> SeatSettings:
        """Parse `json_text`. "" gives the defaults. Raises as `seat_settings.parse_seat_settings`."""
        given = parse_seat_settings(text)
        lists = {name: tuple(given.get(name, ())) for name in ("coached", "assisted")}
        return cls(**given | lists | {"league": league_of(text)[0]})

    @property
    def json_text(self) -> str:
        """JSON as stored. An older Dugout does not know `people` and `league`, so a game without them omits them."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        new = {"people": self.people, "league": asdict(self.league) if self.league else None}
        return json.dumps({name: value for name, value in (values | new).items() if value or name not in new})

    def for_rematch(self, table: Table) -> SeatSettings:
        """Settings to keep for a rematch of this game: people, managers, what the coach may do, and the series.

        The league is not kept, because a rematch is not the same fixture.
        """
        return SeatSettings(
            managers=self.managers,
            pace=self.pace,
            coached=self.coached,
            assisted=self.assisted,
            table_rolls=self.table_rolls,
            wins=self.series_wins(table),
            people=self.people,
        )

    def series_wins(self, table: Table) -> dict[str, int]:
        """Games that each side has won in the series, with this one if it is over. Only two seats have a series."""
        board, outcome = table.scoreboard(), table.outcome
        won = {side.name: self.wins.get(side.name, 0) for side in board.sides.values()}
        if outcome is not None and outcome.winner is not None:
            won[board.sides[outcome.winner].name] += 1
        return won if len(board.plays) == 2 and any(won.values()) else {}

    def series_text(self, table: Table) -> str:
        """Score of the series in a sentence, once it has `wins`."""
        (name, most), (_, least) = sorted(self.series_wins(table).items(), key=lambda one: -one[1])
        leads = name_with_verb(name, "leads/lead")
        return f"The series is tied, {most}–{least}." if most == least else f"{leads} the series {most}–{least}."

    def ask_preference(self, seat: Seat, topic: str) -> str:
        return self.when.get(seat, {}).get(topic, "always")

    def has_ask_preferences(self, table: Table, seat: Seat) -> bool:
        """True if there may be questions of this game that the seat is not asked."""
        return seat in self.assisted or any(
            self.ask_preference(seat, one.key) != "always" for one in game_topics(table)
        )

    def with_ask_preference(self, table: Table, seat: Seat, topic: str, when: str) -> SeatSettings:
        """Change one preference. Raises IllegalAnswer for what this game or table does not have."""
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        if all(topic != one.key for one in game_topics(table)):
            raise IllegalAnswer(f"{table.game.title} has no topic {topic!r}.")
        if when not in ASK_PREFERENCE_LABELS:
            raise IllegalAnswer(f"`when` can be {spoken_list(list(ASK_PREFERENCE_LABELS), 'or')}, not {when!r}.")
        if when == self.ask_preference(seat, topic):
            return self
        return replace(self, when={**self.when, seat: {**self.when.get(seat, {}), topic: when}})

    def with_wait(self, seat: Seat, n: int) -> SeatSettings:
        """Set that a seat said "Wait", so that it is asked everything from ask `n`."""
        return replace(self, waits={**self.waits, seat: n})

    def with_manager(self, table: Table, seat: Seat, choice: str | None) -> SeatSettings:
        """Set a seat's manager, or None for a person. Raises IllegalAnswer as `with_ask_preference` does."""
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        if choice is not None and (choice not in CAST_BY_CHOICE or not has_manager(table.game.key)):
            raise IllegalAnswer(f"{table.game.title} has no computer manager {choice}.")
        others = {one: kept for one, kept in self.managers.items() if one != seat}
        return replace(self, managers={**others, seat: choice} if choice else others)

    def with_people(self, people: Mapping[Seat, str]) -> SeatSettings:
        """Set the people by seat, with their keys. Raises IllegalAnswer for what cannot be a key or a seat.

        Not checked: whether there is such a person, as anybody may be forgotten later.
        """
        for seat, key in people.items():
            if seat not in SEATS or not KEY_PATTERN.fullmatch(key):
                raise IllegalAnswer(f"There is no such person for the {seat} seat.")
        return replace(self, people=dict(people))

    def with_pace(self, pace: str) -> SeatSettings:
        """Set the pace. Raises IllegalAnswer for an unknown one."""
        if pace not in PACE_DELAYS_S:
            raise IllegalAnswer(f"The pace can be {spoken_list(list(PACE_DELAYS_S), 'or')}, not {pace!r}.")
        return replace(self, pace=pace)

    def with_table_rolls(self, on: bool) -> SeatSettings:
        return replace(self, table_rolls=on)

    def with_rematch(self, table: Table, seat: Seat, on: bool) -> SeatSettings:
        """Set whether a seat asks for a rematch. Raises IllegalAnswer unless the game is over and has that seat."""
        if table.outcome is None:
            raise IllegalAnswer("The game isn't over.")
        if seat not in table.scoreboard().plays:
            raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
        others = {one: n for one, n in self.rematch.items() if one != seat}
        return replace(self, rematch={**others, seat: len(table.journal)} if on else others)

    def rematch_seats(self, table: Table) -> list[Seat]:
        """Seats that ask for a rematch of this game as it ended now."""
        return [seat for seat, length in self.rematch.items() if length == len(table.journal)]

    def with_coach(self, seat: Seat, on: bool) -> SeatSettings:
        return replace(self, coached=_with_seat(self.coached, seat, on))

    def has_rival(self, table: Table, seat: Seat) -> bool:
        """True if another person plays against this seat."""
        other = opposite_seat(seat)
        return other in table.scoreboard().plays and other not in self.managers

    def with_assistance(self, seat: Seat, on: bool) -> SeatSettings:
        """Set whether the coach answers what hardly matters for a seat. A manager's seat is asked nothing anyway."""
        return replace(self, assisted=_with_seat(self.assisted, seat, on))


def _with_seat(seats: Sequence[Seat], seat: Seat, on: bool) -> tuple[Seat, ...]:
    """Add or remove a seat. The others stay in their order."""
    if on == (seat in seats):
        return tuple(seats)
    return (*seats, seat) if on else tuple(one for one in seats if one != seat)


def next_automatic_answer(table: Table, settings: SeatSettings, sources: Sequence[Source]) -> AutomaticAnswer | None:
    """The next automatic answer, None if people, dice or a draw must answer. `sources` are those of the journal."""
    for n, ask in table.open_asks():
        inner = ask.ask if isinstance(ask, Secret) else ask
        if not isinstance(inner, Choose | Arrange):
            continue
        if is_waiting(table, settings, ask.seat) or is_reopened(table, sources, n):
            continue
        managed = ask.seat in settings.managers
        if isinstance(inner, Choose) and not (managed and len(inner.options) > 1) and inner.moot_option is not None:
            return AutomaticAnswer(Answer(ask.seat, n, inner.moot_option), Source.MOOT)
        topic = None if managed else topic_for(table, ask)
        if topic is not None and not is_asked_now(settings.ask_preference(ask.seat, topic.key), table):
            stands = topic.automatic_answer(ask)
            if stands is not None:
                return AutomaticAnswer(Answer(ask.seat, n, stands), Source.STANDING)
    return None


def game_topics(table: Table) -> list[AskTopic]:
    """Topics that can occur in this game under its house rules."""
    return [topic for topic in table.game.standing if topic.can_occur(table.house)]


def topic_for(table: Table, ask: Ask) -> AskTopic | None:
    return next((topic for topic in table.game.standing if ask.why in topic.ask_codes), None)


def usual_answer(table: Table, ask: Ask) -> str | dict[str, str] | None:
    """The answer to an ask that changes nothing, or None."""
    topic = topic_for(table, ask)
    return topic.automatic_answer(ask) if topic else None


def is_asked_now(when: str, table: Table) -> bool:
    if when in ("always", "never"):
        return when == "always"
    board: Scoreboard = table.scoreboard()
    return any(board.bases) if when == "runners" else board.inning >= FIRST_LATE_INNING


def is_waiting(table: Table, settings: SeatSettings, seat: Seat) -> bool:
    """True while a seat that said "Wait" is asked everything, until the next throw."""
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
    """True if somebody undid an earlier answer to the open ask `n`, so that it must be asked."""
    for entry, source in zip(reversed(table.journal), reversed(sources), strict=True):
        # At most two asks are open together. An older answer means that the game reached this ask after it.
        if isinstance(entry, Answer) and (entry.n == n or entry.n < n - 1):
            return False
        if isinstance(entry, Undo) and entry.n <= n:
            return entry.n == n and not source.is_automatic
    return False


def automatic_since_throw(table: Table, sources: Sequence[Source], seat: Seat | None = None) -> list[CurrentAnswer]:
    """Automatic answers after the last throw, draw, or answer of a person, oldest first.

    `sources` are the sources of the journal's entries, `seat` limits the list to one seat. Answers given together with
    a later answer of a person are not included. Managers that changed nothing in between are passed over.
    """
    found = list(takewhile(partial(_changed_nothing, table, sources), reversed(table.answers)))[::-1]
    if found and found[0].n > table.answers[0].n:
        before = table.answers[-len(found) - 1]
        found = [one for one in found if one.entry > before.entry]
    return [one for one in found if seat in (None, one.ask.seat) and sources[one.entry].is_automatic]


def last_automatic_answers(table: Table, sources: Sequence[Source]) -> list[CurrentAnswer]:
    """The automatic answers at the end, oldest first."""
    count = 0
    for one in reversed(table.answers):
        if not sources[one.entry].is_automatic:
            break
        count += 1
    return table.answers[len(table.answers) - count :]


def is_automatic_from(table: Table, sources: Sequence[Source], n: int) -> bool:
    """True if undoing answer `n` and all after it undoes only automatic answers, and managers' that changed nothing."""
    twin = table.clone()
    twin.undo(n)
    stay = {one.n for one in twin.answers}
    return all(_changed_nothing(table, sources, one) for one in table.answers if one.n not in stay)


def _changed_nothing(table: Table, sources: Sequence[Source], one: CurrentAnswer) -> bool:
    """True for an automatic answer, and for a manager's usual one, after which nobody knows more than before."""
    source = sources[one.entry]
    return source.is_automatic or (source is Source.MANAGER and one.value == usual_answer(table, one.ask))
