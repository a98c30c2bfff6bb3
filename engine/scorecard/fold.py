"""Compute the scorecard of each side from the events of any game and the bases after each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.box_score import TURN_STATISTICS as STATISTICS
from engine.box_score import BattingTotals
from engine.events import Event
from engine.journal import Answer
from engine.scoreboard import Scoreboard
from engine.scorecard.sheet import (
    BASES_REACHED,
    RESULT_SHORTHAND,
    TURN_SHORTHAND,
    PitchingTotals,
    Scorecard,
    ScorecardBox,
    ScorecardRow,
    box_totals,
)
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table

RUNNER_NAMES = ("batter", "first", "second", "third")
"""The fact `retired` in games whose players have no names, by base."""

UNNAMED_ROW_COUNT = 9
"""Rows of a scorecard without names, as many as a batting order has."""


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The events of an answer, and the scoreboard after it."""

    events: Sequence[Event]
    board: Scoreboard


def never_cancel() -> None:
    """The default of `wanted`, which never cancels."""


def answer_results(table: Table, wanted: Callable[[], None] = never_cancel) -> Iterator[AnswerResult]:
    """Yield the results of each answer in the last game at a table, by replaying them on a copy. First comes the state
    before these answers. `wanted` is called before each answer and may raise an error to cancel.
    """
    log, given, twin = table.log.read_new_events(), table.answers, table.clone()
    since = log[log.games[-1]].n if log.games else -1
    later = [one.n for one in given if one.n >= since]
    if later:
        twin.undo(later[0])  # may remove earlier answers that were revealed together
    yield AnswerResult([logged.event for logged in twin.log], twin.scoreboard())
    for one in given[len(twin.answers) :]:
        wanted()
        if told := twin.apply_entry(Answer(one.ask.seat, one.n, one.value)):
            yield AnswerResult([logged.event for logged in told], twin.scoreboard())


def scorecards(table: Table, wanted: Callable[[], None] = never_cancel) -> dict[Seat, Scorecard]:
    """Return the scorecard of each side in the last game at a table. `wanted` as in `answer_results`."""
    return build_scorecards(answer_results(table, wanted), table.outcome is not None)


def build_scorecards(played: Iterable[AnswerResult], over: bool) -> dict[Seat, Scorecard]:
    """Return the scorecard of each side. `over` is True after the game, so that its last half-inning is complete."""
    book = _ScoreBook()
    for moment in played:
        for event in moment.events:
            if event.facts.get("opens"):
                book = _ScoreBook()
            book.enter_event(event)
        book.enter_runners(moment.board)
    if over:
        book.close_half()
    return {seat: book.side_scorecard(seat) for seat in SEATS}


@dataclass(slots=True)
class _OpenBox:
    """A box that may still change, and the pitcher to whom its run is charged."""

    box: ScorecardBox
    row: int
    charged: str

    def change_box(self, **changes: Any) -> None:
        self.box = replace(self.box, **changes)


@dataclass(frozen=True, slots=True)
class _ScoredRunner:
    """A runner who came home, with his box and name, and box and name of the batter who drove him in."""

    box: _OpenBox
    name: str
    batter: _OpenBox | None
    by: str


@dataclass(slots=True)
class _SideRecord:
    """The boxes of one side, its batting order so far, and its pitchers."""

    boxes: list[_OpenBox] = field(default_factory=list)
    names: list[list[str]] = field(default_factory=list)
    row: dict[str, int] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    innings: list[int] = field(default_factory=list)
    batters: dict[str, Counter[str]] = field(default_factory=dict)
    pitchers: dict[str, Counter[str]] = field(default_factory=dict)
    loose: int = 0

    def count_statistics(self, name: str, *what: str) -> None:
        if name:
            self.batters.setdefault(name, Counter()).update(what)

    def row_index(self, name: str) -> int:
        """Return the row of a player. A player who replaces nobody begins a new row."""
        if name in self.row:
            return self.row[name]
        taken = self.instead.get(name, "")
        if taken in self.row or taken in self.instead:
            row = self.row_index(taken)
            self.names[row].append(name)
        else:
            row = len(self.names)
            self.names.append([name])
        self.row[name] = row
        return row


class _ScoreBook:
    """Builds scorecards from events. Within a half-inning it tracks runners by name, or by base if they have none."""

    def __init__(self) -> None:
        self.sides: dict[Seat, _SideRecord] = {seat: _SideRecord() for seat in SEATS}
        self.seat: Seat | None = None
        self.mound = ""
        self._begin_half(0)

    def _begin_half(self, inning: int) -> None:
        self.inning, self.outs, self.turns = inning, 0, 0
        self.on: dict[str, _OpenBox] = {}
        self.stand: dict[int, _OpenBox] = {}
        self.up: _OpenBox | None = None
        self.half: list[_OpenBox] = []
        self.home: list[_ScoredRunner] = []
        self.owed = Counter[str]()
        self.runs = 0
        self.stealing = False

    # Events ------------------------------------------------------------------------------------------------------

    def enter_event(self, event: Event) -> None:
        facts = event.facts
        if event.code == "half-inning":
            self.close_half()
            self.seat = facts["seat"]
            self._begin_half(facts["inning"])
            self.batting_side.innings.append(self.inning)
            self.mound = ""
            return
        if "out" in facts and "batter" in facts and isinstance(facts["out"], str):
            self._substitute_player(self.sides[facts["seat"]], facts["out"], facts["batter"])
        if self.seat is None:
            return
        self.stealing |= event.code == "stolen" or event.code.startswith(("steal-", "double-steal"))
        pitcher = facts.get("pitcher", "") or self.mound
        found = self._open_plate_appearance(event, pitcher) if facts.get("hit") or "turn" in facts else None
        for name in facts.get("retired", ()):
            self._retire_runner(name, found, pitcher, event.code.startswith("caught"))
        for name in facts.get("runners", ()):
            self._bring_home(name, facts.get("by", ""))
        if scored := facts.get("scored"):
            self._count_runs(scored)

    @property
    def batting_side(self) -> _SideRecord:
        assert self.seat is not None
        return self.sides[self.seat]

    def _substitute_player(self, side: _SideRecord, out: str, name: str) -> None:
        """Replace a player in the batting order, and as a runner if he is on base."""
        side.instead[name] = out
        if out in side.row:
            side.row_index(name)
        if self.seat is not None and side is self.batting_side and out in self.on:
            self.on[name] = self.on.pop(out)

    def _open_plate_appearance(self, event: Event, pitcher: str) -> _OpenBox:
        facts, code = event.facts, event.code
        turn, name = facts.get("turn", ""), facts.get("batter", "")
        number = 1 + sum(1 for one in self.batting_side.boxes if one.box.number)
        reaches = 1 if turn in ("walk", "hit-by-pitch") else 0
        opened = self._open_box(
            ScorecardBox(
                number,
                self.inning,
                name,
                RESULT_SHORTHAND.get(code) or TURN_SHORTHAND.get(turn, "H"),
                ("at_bats", "hits") if facts.get("hit") else STATISTICS[turn],
                pitcher,
                base=BASES_REACHED.get(code, 1 if facts.get("hit") else reaches),
                driven_in=self.owed.pop(name, 0),
            )
        )
        if code == "fly-out" and turn == "sacrifice":
            opened.change_box(result="SF")
        self.turns += 1
        self.batting_side.count_statistics(name, *opened.box.statistics)
        if name and opened.box.base:
            self.on[name] = opened
        if not name:
            self.up = opened
        self._count_pitching(pitcher, batters=1, **_pitching_statistics(opened.box.statistics))
        return opened

    def _open_box(self, box: ScorecardBox) -> _OpenBox:
        row = self.batting_side.row_index(box.batter) if box.batter else self.turns % UNNAMED_ROW_COUNT
        opened = _OpenBox(box, row, box.pitcher)
        self.batting_side.boxes.append(opened)
        self.half.append(opened)
        return opened

    def _retire_runner(self, name: str, turn: _OpenBox | None, pitcher: str, caught: bool) -> None:
        """Enter an out, of the batter of the box `turn` or of a runner."""
        self.outs += 1
        self._count_pitching(pitcher, outs=1)
        if turn and name in (turn.box.batter, RUNNER_NAMES[0]):
            turn.change_box(out=self.outs, base=0)
            self.on.pop(name, None)
            self.up = None
            return
        at = RUNNER_NAMES.index(name) if name in RUNNER_NAMES else 0
        runner = self.stand.pop(at, None) if at and not self.on else self.on.pop(name, None)
        if runner:
            runner.change_box(out=self.outs, caught=caught)
            if turn and turn.box.base == 1 and turn.box.result == RESULT_SHORTHAND["fielders-choice"]:
                turn.charged = runner.charged

    def _bring_home(self, name: str, by: str) -> None:
        """Bring a runner home. His run may count later."""
        runner = self.on.pop(name, None)
        if runner is None:
            able = (one for one in reversed(self.half) if one.box.batter == name and one.box.base < 4)
            runner = next((one for one in able if not one.box.out), None) or self._open_box(
                ScorecardBox(0, self.inning, name, "")
            )
        runner.change_box(base=4)
        batter = next((one for one in reversed(self.half) if one.box.batter == by and one.box.number), None)
        self.home.append(_ScoredRunner(runner, name, batter, by))

    def _count_runs(self, scored: int) -> None:
        for one in self.home:
            self.batting_side.count_statistics(one.name, "runs")
            if one.by:
                self.batting_side.count_statistics(one.by, "driven_in")
            if one.batter:
                one.batter.change_box(driven_in=one.batter.box.driven_in + 1)
            elif one.by:
                self.owed[one.by] += 1
            self._score_run(one.box)
        if not self.home:
            self.runs += scored
        self.home = []

    def _score_run(self, runner: _OpenBox | None) -> None:
        if runner is None:
            self.batting_side.loose += 1
            self._count_pitching(self.mound, runs=1)
        else:
            runner.change_box(scored=True, base=4)
            self._count_pitching(runner.charged, runs=1)

    def _count_pitching(self, name: str, **did: int) -> None:
        if name and self.seat:
            self.sides[opposite_seat(self.seat)].pitchers.setdefault(name, Counter()).update(did)

    # Boards ------------------------------------------------------------------------------------------------------

    def enter_runners(self, board: Scoreboard) -> None:
        if self.seat is None or not (board.batting == self.seat and board.inning == self.inning):
            self._advance_unnamed_runners(())
            return
        taken = {base: name for base, name in enumerate(board.bases, 1) if name}
        if self.stand or self.up or self.runs:
            self._advance_unnamed_runners(sorted(taken, reverse=True))
        else:
            for base, name in taken.items():
                self._place_runner(name, base)
        self.stealing = False
        self.mound = board.pitcher or ""

    def _place_runner(self, name: str, base: int) -> None:
        runner = self.on.get(name)
        if runner is None:
            runner = self.on[name] = self._open_box(ScorecardBox(0, self.inning, name, "", start=base, base=base))
        stole = self.stealing and base > runner.box.base
        runner.change_box(base=base, steals=(*runner.box.steals, base) if stole else runner.box.steals)

    def _advance_unnamed_runners(self, taken: Sequence[int]) -> None:
        """Advance runners without names. Nobody passes the runner ahead, so the lead runners are those who came home.

        `taken` are the occupied bases, the lead runner's first; empty if they are no longer known.
        """
        line = [self.stand[base] for base in sorted(self.stand, reverse=True)]
        if self.up and self.up.box.base:
            line.append(self.up)
        for _ in range(self.runs):
            self._score_run(line.pop(0) if line else None)
        if len(line) == len(taken):
            for base, runner in zip(taken, line, strict=True):
                runner.change_box(base=base)
            self.stand = dict(zip(taken, line, strict=True))
        self.up, self.runs = None, 0

    def close_half(self) -> None:
        """Mark the last box of the half-inning, and credit runs batted in to batters without a plate appearance."""
        if self.seat is None:
            return
        self._advance_unnamed_runners(())
        for name, runs in self.owed.items():
            self._open_box(ScorecardBox(0, self.inning, name, "")).change_box(driven_in=runs)
        self.owed = Counter()
        last = next((one for one in reversed(self.half) if one.box.number), None)
        if last:
            last.change_box(ends=True)

    # The sheet ---------------------------------------------------------------------------------------------------

    def side_scorecard(self, seat: Seat) -> Scorecard:
        side = self.sides[seat]
        named = bool(side.names)
        count = len(side.names) if named else 1 + max((one.row for one in side.boxes), default=-1)
        passes: dict[int, int] = dict.fromkeys(side.innings, 1)
        placed: list[tuple[int, int, ScorecardBox]] = []
        seen = Counter[tuple[int, int]]()
        for one in side.boxes:
            again = seen[one.box.inning, one.row]
            seen[one.box.inning, one.row] += 1
            passes[one.box.inning] = max(passes[one.box.inning], again + 1)
            placed.append((one.row, again, one.box))
        columns = tuple(inning for inning, wide in passes.items() for _ in range(wide))
        rows: list[dict[int, ScorecardBox]] = [{} for _ in range(count)]
        for row, again, box in placed:
            rows[row][columns.index(box.inning) + again] = box
        total = box_totals(one.box for one in side.boxes)
        return Scorecard(
            seat,
            columns,
            tuple(ScorecardRow(tuple(side.names[at]) if named else (), boxes) for at, boxes in enumerate(rows)),
            replace(total, runs=total.runs + side.loose),
            {name: BattingTotals(**did) for name, did in side.batters.items()},
            tuple(PitchingTotals(name, **did) for name, did in side.pitchers.items()),
            side.loose,
        )


def _pitching_statistics(statistics: tuple[str, ...]) -> dict[str, int]:
    return {what: 1 for what in statistics if what in ("hits", "walks", "strikeouts")}
