"""The scoreboard that display, pages, overlay and API draw, and the event log that it is computed from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from engine.dice import Face
from engine.events import Event, GameWords, LoggedEvent, Moment, MomentTracker
from engine.innings import Half
from engine.seats import SEATS, Seat
from engine.secrets import redacted_data


@dataclass(frozen=True, slots=True)
class SideScore:
    """The score of one side."""

    name: str
    colour: str
    line: tuple[int | None, ...] = ()
    """Runs in each inning; null for one that the side has not batted in."""
    runs: int = 0
    hits: int = 0


class GamePanel(Mapping[str, Any]):
    """Base of a game's panel, a frozen dataclass that is also a mapping of its fields.

    Its fields may hold dataclasses, which become objects in JSON. No field may be named as a method of Mapping.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __getitem__(self, key: str) -> Any:
        if key not in self.__dataclass_fields__:
            raise KeyError(key)
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dataclass_fields__)

    def __len__(self) -> int:
        return len(self.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The state of play in terms that all games share."""

    game: str
    sides: Mapping[Seat, SideScore]
    inning: int = 1
    half: Half = "top"
    marker: str = "1"
    """The inning as the board on the table shows it."""
    regulation: int = 9
    """The last inning unless the score is tied."""
    batting: Seat | None = None
    outs: int = 0
    bases: tuple[str | None, str | None, str | None] = (None, None, None)
    """The names of the runners on first, second and third."""
    batter: str | None = None
    on_deck: str | None = None
    due_up: tuple[str, ...] = ()
    """The batter and those after him in this half-inning, at most three in all; empty if batters have no names."""
    pitcher: str | None = None
    count: tuple[int, int] | None = None
    fatigue: int | None = None
    stake: int | None = None
    """Runs scored but not yet counted."""
    dice: tuple[Face, ...] = ()
    """The faces of the last roll."""
    dice_colours: tuple[str | None, ...] = ()
    """Their colors, null where the color does not matter. The table sets these, not the game."""
    plays: Mapping[Seat, Seat] = field(default_factory=lambda: {seat: seat for seat in SEATS})
    """The side that each seat plays now. A single player is home or away in turn, and the other seat has no side."""
    panel: Mapping[str, Any] = field(default_factory=dict)
    """The details of one game, ready to show."""


def due_up_batters(order: Sequence[str], slot: int) -> tuple[str, ...]:
    """Return the three batters from place `slot` of a batting order that begins again at its end, for `due_up`."""
    return tuple(order[(slot + place) % len(order)] for place in range(min(3, len(order))))


def seat_label(board: Scoreboard, seat: Seat) -> str:
    """Return the side that a seat plays now, for people: "Owls, home".

    The name is enough if it says the side or if one person plays alone. A seat without a side is "the away seat".
    """
    side = board.plays.get(seat)
    if side is None:
        return f"the {seat} seat"
    name = board.sides[side].name
    return name if name.lower() == side or len(board.plays) < 2 else f"{name}, {side}"


def redacted_scoreboard(board: Scoreboard, seat: Seat | None) -> Scoreboard:
    """Return the scoreboard as `seat` may see it (None: spectators). Only the panel holds secrets."""
    return replace(board, panel=redacted_data(board.panel, seat)) if board.panel else board


@dataclass(frozen=True, slots=True)
class LineScore:
    """Runs by inning, and hits, of each seat."""

    lines: Mapping[Seat, tuple[int | None, ...]]
    hits: Mapping[Seat, int]


class EventLog(list[LoggedEvent]):
    """The events of a table, oldest first, with running totals. Each event is read once, however often displays ask.

    `read_new_events` updates these attributes:

        games: indexes of the events that opened a game.
        halves: indexes of the half-inning events.
        plays: how many answers caused events.
    """

    def __init__(self, logged: Iterable[LoggedEvent] = ()) -> None:
        super().__init__(logged)
        self._clear_totals()

    def _clear_totals(self) -> None:
        self.games: list[int] = []
        self.halves: list[int] = []
        self.plays = 0
        self._moments: list[Moment | None] = []
        self._play_log: list[PlayLogLine] = []
        """The lines of the events from the first half-inning on. Later events do not change them."""
        self._read, self._last = 0, LoggedEvent(-1, Event("", {}))
        self._start_game()

    def _start_game(self) -> None:
        self._lines: dict[Seat, list[int | None]] = {seat: [] for seat in SEATS}
        self._hits: dict[Seat, int] = dict.fromkeys(SEATS, 0)
        self._fold = MomentTracker()

    def read_new_events(self) -> EventLog:
        """Read the new events, or all if events already read were removed. Returns itself."""
        if self._read and (self._read > len(self) or self[self._read - 1] is not self._last):
            self._clear_totals()
        for place in range(self._read, len(self)):
            logged, facts = self[place], self[place].event.facts
            self.plays += logged.n not in (-1, self._last.n)
            if facts.get("opens"):
                self.games.append(place)
                self._start_game()
            if logged.event.code == "half-inning":
                self.halves.append(place)
                self._lines[facts["seat"]].append(0)
            if scored := facts.get("scored"):
                cells = self._lines[facts["seat"]]
                cells[-1] = (cells[-1] or 0) + scored
            if facts.get("hit"):
                self._hits[facts["seat"]] += 1
            self._moments.append(self._fold.classify_event(logged.event))
            self._read, self._last = place + 1, logged
        return self

    def line_score(self) -> LineScore:
        self.read_new_events()
        return LineScore({seat: tuple(cells) for seat, cells in self._lines.items()}, dict(self._hits))

    def play_log_lines(self, words: GameWords, start: int = 0, end: int | None = None) -> tuple[PlayLogLine, ...]:
        """Return the play log from event `start` to before `end` (None: the last), with sentences in `words`."""
        self.read_new_events()
        first = self.halves[0] if self.halves else len(self)
        for place in range(first + len(self._play_log), len(self)):
            self._play_log.append(self._play_log_line(place, words))
        stop = len(self) if end is None else end
        early = [self._play_log_line(place, words) for place in range(start, min(first, stop))]
        return (*early, *self._play_log[max(0, start - first) : max(0, stop - first)])

    def _play_log_line(self, place: int, words: GameWords) -> PlayLogLine:
        logged, half = self[place], self._half_inning_event(place)
        event, at = logged.event, half.event.facts if half else {}
        facts, inning, of = event.facts, at.get("inning", 1), at.get("half", "top")
        sentence, scored, moment = words.event_sentence(event), facts.get("scored", 0), self._moments[place]
        return PlayLogLine(
            logged.n, event.code, self._game_number(place), inning, of, facts.get("seat"), sentence, scored, moment
        )

    def _game_number(self, place: int) -> int:
        """Return the number of the game of an event, from 1. Events before the first opening are in game 1."""
        unopened = bool(self.halves and self.games and self.halves[0] < self.games[0])
        return max(1, bisect_right(self.games, place) + unopened)

    def _half_inning_event(self, place: int) -> LoggedEvent | None:
        """Return the half-inning of an event. Events before a game's first half-inning belong to that one."""
        opened, begun = bisect_right(self.games, place), bisect_right(self.halves, place)
        if begun and (not opened or self.halves[begun - 1] >= self.games[opened - 1]):
            return self[self.halves[begun - 1]]
        return self[self.halves[begun]] if begun < len(self.halves) else None


def line_score(log: Sequence[LoggedEvent]) -> LineScore:
    """Return the line score of any game's events. Of a series of games, only the last counts."""
    return (log if isinstance(log, EventLog) else EventLog(log)).line_score()


def last_game_events(log: Sequence[LoggedEvent]) -> Sequence[LoggedEvent]:
    """Return the events from the last one that opened a game, or all."""
    opened = (place for place in range(len(log) - 1, -1, -1) if log[place].event.facts.get("opens"))
    return log[next(opened, 0) :]


@dataclass(frozen=True, slots=True)
class PlayLogLine:
    """One line of the play log. `game` counts the games of one journal from 1. `scored` are runs put on the board."""

    n: int
    code: str
    game: int
    inning: int
    half: Half
    seat: Seat | None
    sentence: str
    scored: int
    moment: Moment | None
