"""The scoreboard that every display draws: OLED, pages, overlay and API show the same figures."""

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
    """One team's line: runs in each inning (None: not batted yet), total runs and hits."""

    name: str
    colour: str
    line: tuple[int | None, ...] = ()
    runs: int = 0
    hits: int = 0


class GamePanel(Mapping[str, Any]):
    """The base of a game's panel: a frozen dataclass that can be read as a mapping of its fields too.

    Its fields may hold further dataclasses, which become objects in JSON. No field may be named like a method of
    Mapping ("items", "values").
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
    """The state of play in terms that all games share; `panel` holds the details of one game, ready to show.

    `marker` is the inning as the board on the table shows it. `bases` names the runners on first, second and third.
    `due_up` are the batter and those who follow him in this half-inning, at most three in all; empty in a game whose
    batters have no names. `stake` are runs scored but not yet counted. `dice` are the faces of the last roll and
    `dice_colours` their colors, None where the color does not matter; the table fills these in, not the game. `plays`
    is the side that each seat of the table plays now: a single player keeps one seat and is home or away by turns, and
    the other seat has no side.
    """

    game: str
    sides: Mapping[Seat, SideScore]
    inning: int = 1
    half: Half = "top"
    marker: str = "1"
    batting: Seat | None = None
    outs: int = 0
    bases: tuple[str | None, str | None, str | None] = (None, None, None)
    batter: str | None = None
    on_deck: str | None = None
    due_up: tuple[str, ...] = ()
    pitcher: str | None = None
    count: tuple[int, int] | None = None
    fatigue: int | None = None
    stake: int | None = None
    dice: tuple[Face, ...] = ()
    dice_colours: tuple[str | None, ...] = ()
    plays: Mapping[Seat, Seat] = field(default_factory=lambda: {seat: seat for seat in SEATS})
    panel: Mapping[str, Any] = field(default_factory=dict)


def due_up_batters(order: Sequence[str], slot: int) -> tuple[str, ...]:
    """Return the three batters from place `slot` of a batting order that begins again at its end, for `due_up`."""
    return tuple(order[(slot + place) % len(order)] for place in range(min(3, len(order))))


def seat_label(board: Scoreboard, seat: Seat) -> str:
    """Return the side that a seat plays now, for people: Owls, home.

    The name is enough if it says the side itself or if one person plays alone; a seat that plays no side is called by
    its own word.
    """
    side = board.plays.get(seat)
    if side is None:
        return f"the {seat} seat"
    name = board.sides[side].name
    return name if name.lower() == side or len(board.plays) < 2 else f"{name}, {side}"


def redacted_scoreboard(board: Scoreboard, seat: Seat | None) -> Scoreboard:
    """Return the scoreboard as `seat` may see it (None: spectators). Only a panel holds secrets."""
    return replace(board, panel=redacted_data(board.panel, seat)) if board.panel else board


@dataclass(frozen=True, slots=True)
class LineScore:
    """A fold over events: runs by inning, and hits, of each seat."""

    lines: Mapping[Seat, tuple[int | None, ...]]
    hits: Mapping[Seat, int]


class EventLog(list[LoggedEvent]):
    """A table's events, oldest first, with running totals: each event is read once, however often displays ask.

    `games` are the places of the events that opened a game, `halves` those of the half-innings, and `plays` is the
    number of answers that caused events. `read_new_events` brings them up to date.
    """

    def __init__(self, logged: Iterable[LoggedEvent] = ()) -> None:
        super().__init__(logged)
        self._clear_totals()

    def _clear_totals(self) -> None:
        self.games: list[int] = []
        self.halves: list[int] = []
        self.plays = 0
        self._moments: list[Moment | None] = []
        self._told: list[PlayLogLine] = []
        """The lines of the events so far, from the first half-inning on: later events do not change them."""
        self._read, self._last = 0, LoggedEvent(-1, Event("", {}))
        self._start_game()

    def _start_game(self) -> None:
        self._lines: dict[Seat, list[int | None]] = {seat: [] for seat in SEATS}
        self._hits: dict[Seat, int] = dict.fromkeys(SEATS, 0)
        self._fold = MomentTracker()

    def read_new_events(self) -> EventLog:
        """Read the new events, or all of them if events already read were removed. Returns itself."""
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
        """Return the line score of the last game."""
        self.read_new_events()
        return LineScore({seat: tuple(cells) for seat, cells in self._lines.items()}, dict(self._hits))

    def play_log_lines(self, words: GameWords, start: int = 0, end: int | None = None) -> tuple[PlayLogLine, ...]:
        """Return the play log from event `start` to before `end` (None: all), each line with its half-inning and its
        sentence in `words`.
        """
        self.read_new_events()
        first = self.halves[0] if self.halves else len(self)
        for place in range(first + len(self._told), len(self)):
            self._told.append(self._play_log_line(place, words))
        stop = len(self) if end is None else end
        early = [self._play_log_line(place, words) for place in range(start, min(first, stop))]
        return (*early, *self._told[max(0, start - first) : max(0, stop - first)])

    def _play_log_line(self, place: int, words: GameWords) -> PlayLogLine:
        logged, half = self[place], self._half_inning_event(place)
        event, at = logged.event, half.event.facts if half else {}
        facts, inning, of = event.facts, at.get("inning", 1), at.get("half", "top")
        sentence, scored, moment = words.event_sentence(event), facts.get("scored", 0), self._moments[place]
        return PlayLogLine(
            logged.n, event.code, self._game_number(place), inning, of, facts.get("seat"), sentence, scored, moment
        )

    def _game_number(self, place: int) -> int:
        """Return the number of the game that the event at `place` belongs to, from 1; events before the first opening
        are in game 1.
        """
        unopened = bool(self.halves and self.games and self.halves[0] < self.games[0])
        return max(1, bisect_right(self.games, place) + unopened)

    def _half_inning_event(self, place: int) -> LoggedEvent | None:
        """Return the half-inning of the event at `place`; an event before a game's first half-inning belongs to that
        one.
        """
        opened, begun = bisect_right(self.games, place), bisect_right(self.halves, place)
        if begun and (not opened or self.halves[begun - 1] >= self.games[opened - 1]):
            return self[self.halves[begun - 1]]
        return self[self.halves[begun]] if begun < len(self.halves) else None


def line_score(log: Sequence[LoggedEvent]) -> LineScore:
    """Return the line score of any game's events; if several games follow each other, that of the last."""
    return (log if isinstance(log, EventLog) else EventLog(log)).line_score()


def last_game_events(log: Sequence[LoggedEvent]) -> Sequence[LoggedEvent]:
    """Return the events of the last game: from the last event that opened a game, or all."""
    opened = (place for place in range(len(log) - 1, -1, -1) if log[place].event.facts.get("opens"))
    return log[next(opened, 0) :]


@dataclass(frozen=True, slots=True)
class PlayLogLine:
    """One line of the play log: its half-inning, its sentence, and the runs it put on the board.

    `game` numbers from 1 the games that follow each other in one journal; usually there is one.
    """

    n: int
    code: str
    game: int
    inning: int
    half: Half
    seat: Seat | None
    sentence: str
    scored: int
    moment: Moment | None
