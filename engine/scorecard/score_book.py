"""The score book of one game, filled in from its events and the bases after each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.box_score import TURN_STATISTICS as STATISTICS
from engine.box_score import BattingTotals
from engine.events import GAME_END_CODES, Event
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

RUNNER_NAMES = ("batter", "first", "second", "third")
"""The fact `retired` in games whose players have no names, by base."""

UNNAMED_ROW_COUNT = 9
"""Rows of a scorecard without names, as many as a batting order has."""


@dataclass(slots=True)
class OpenBox:
    """A box that may still change, and the pitcher to whom its run is charged.

    earned: False if its run would not be earned.
    error: True while its runner is on base by an error.
    """

    box: ScorecardBox
    row: int
    charged: str
    earned: bool = True
    error: bool = False

    def change_box(self, **changes: Any) -> None:
        self.box = replace(self.box, **changes)


@dataclass(frozen=True, slots=True)
class _ScoredRunner:
    """A runner who came home, with his box and name, and box and name of the batter who drove him in."""

    box: OpenBox
    name: str
    batter: OpenBox | None
    by: str


@dataclass(slots=True)
class SideRecord:
    """The boxes of one side, its batting order so far, and its pitchers."""

    boxes: list[OpenBox] = field(default_factory=list)
    names: list[list[str]] = field(default_factory=list)
    row: dict[str, int] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    line: dict[int, int] = field(default_factory=dict)
    """Runs by inning."""
    batters: dict[str, Counter[str]] = field(default_factory=dict)
    running: dict[str, Counter[str]] = field(default_factory=dict)
    """Stolen bases ("steals") and "caught_stealing" by the name of the runner."""
    pitchers: dict[str, Counter[str]] = field(default_factory=dict)
    loose: int = 0

    def count_statistics(self, name: str, *what: str) -> None:
        if name:
            self.batters.setdefault(name, Counter()).update(what)

    def count_running(self, name: str, what: str) -> None:
        self.running.setdefault(name, Counter())[what] += 1

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


class ScoreBook:
    """Builds the scorecards of one game. Within a half-inning it tracks runners by name, or by base if they have none.

    opening: the first scoreboard with a side at bat, None before.
    opening_runs: runs that each side had scored by then.
    winner: None for a tie and before the end.
    """

    def __init__(self) -> None:
        self.opening: Scoreboard | None = None
        self.opening_runs: dict[Seat, int] = dict.fromkeys(SEATS, 0)
        self.is_over = False
        self.winner: Seat | None = None
        self.sides: dict[Seat, SideRecord] = {seat: SideRecord() for seat in SEATS}
        self.seat: Seat | None = None
        self.mounds: dict[Seat, str] = {}
        """The last known pitcher of each side."""
        self._begin_half(0)

    def _begin_half(self, inning: int) -> None:
        self.inning, self.outs, self.turns = inning, 0, 0
        self.on: dict[str, OpenBox] = {}
        self.stand: dict[int, OpenBox] = {}
        self.up: OpenBox | None = None
        self.half: list[OpenBox] = []
        self.home: list[_ScoredRunner] = []
        self.owed = Counter[str]()
        self.runs = 0
        self.stealing = False
        self.misplay = False
        self.errors = 0
        self.errors_before: dict[str, int] = {}

    # Events ------------------------------------------------------------------------------------------------------

    def enter_event(self, event: Event) -> None:
        facts = event.facts
        if event.code == "half-inning":
            self.close_half()
            self.seat = facts["seat"]
            self._begin_half(facts["inning"])
            self.batting_side.line[self.inning] = 0
            return
        if event.code in GAME_END_CODES:
            self._end_game(facts.get("seat"))
        if "out" in facts and "batter" in facts and isinstance(facts["out"], str):
            self._substitute_player(self.sides[facts["seat"]], facts["out"], facts["batter"])
        if {"pitcher", "seat"} <= facts.keys() and (self.seat is None or isinstance(facts.get("out"), str)):
            self.mounds[facts["seat"]] = facts["pitcher"]
        if self.seat is None:
            return
        steal = event.code == "stolen" or event.code.startswith(("steal-", "double-steal"))
        self.stealing |= steal or facts.get("way") == "steal"
        self.misplay = "error" in (event.code, facts.get("way"))
        if self.misplay and (runner := self.on.get(facts.get("runner", ""))):
            runner.earned = False
        pitcher = facts.get("pitcher", "") or self.mound
        found = self._open_plate_appearance(event, pitcher) if facts.get("hit") or "turn" in facts else None
        for name in facts.get("retired", ()):
            self._retire_runner(name, found, pitcher, event.code.startswith("caught"))
        for name in facts.get("runners", ()):
            self._bring_home(name, facts.get("by", ""))
        if scored := facts.get("scored"):
            self._count_runs(scored)

    def _end_game(self, winner: Seat | None) -> None:
        self.close_half()
        self.is_over, runs = True, {seat: self.side_runs(seat) for seat in SEATS}
        if winner is None and runs["away"] != runs["home"]:
            winner = "home" if runs["home"] > runs["away"] else "away"
        self.winner = winner

    def side_runs(self, seat: Seat) -> int:
        """Return the runs on the board, with those that a game may give a side before the first pitch."""
        given = self.opening.sides[seat].runs - self.opening_runs[seat] if self.opening else 0
        return given + sum(self.sides[seat].line.values())

    @property
    def mound(self) -> str:
        """The pitcher against the side at bat, "" if pitchers have no names."""
        return self.mounds.get(opposite_seat(self.seat), "") if self.seat else ""

    @property
    def batting_side(self) -> SideRecord:
        assert self.seat is not None
        return self.sides[self.seat]

    def _substitute_player(self, side: SideRecord, out: str, name: str) -> None:
        """Replace a player in the batting order, and as a runner if he is on base."""
        side.instead[name] = out
        if out in side.row:
            side.row_index(name)
        if self.seat is not None and side is self.batting_side and out in self.on:
            self.on[name] = self.on.pop(out)

    def _open_plate_appearance(self, event: Event, pitcher: str) -> OpenBox:
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
        self.errors_before.setdefault(pitcher, self.errors)
        if opened.box.result == RESULT_SHORTHAND["error"]:
            opened.earned, opened.error = False, True
            self.errors += 1
        self.batting_side.count_statistics(name, *opened.box.statistics)
        if name and opened.box.base:
            self.on[name] = opened
        if not name:
            self.up = opened
        self._count_pitching(pitcher, batters=1, **_pitching_statistics(opened.box.statistics))
        return opened

    def _open_box(self, box: ScorecardBox) -> OpenBox:
        row = self.batting_side.row_index(box.batter) if box.batter else self.turns % UNNAMED_ROW_COUNT
        opened = OpenBox(box, row, box.pitcher)
        self.batting_side.boxes.append(opened)
        self.half.append(opened)
        return opened

    def _retire_runner(self, name: str, turn: OpenBox | None, pitcher: str, caught: bool) -> None:
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
            self.errors -= runner.error
            if turn and turn.box.base == 1 and turn.box.result == RESULT_SHORTHAND["fielders-choice"]:
                turn.charged, turn.earned = runner.charged, runner.earned
        if caught:
            self.batting_side.count_running(name, "caught_stealing")

    def _bring_home(self, name: str, by: str) -> None:
        """Bring a runner home. His run may count later."""
        runner = self.on.pop(name, None)
        if runner is None:
            able = (one for one in reversed(self.half) if one.box.batter == name and one.box.base < 4)
            runner = next((one for one in able if not one.box.out), None) or self._open_box(
                ScorecardBox(0, self.inning, name, "")
            )
        runner.change_box(base=4)
        if self.stealing and not (by or self.misplay):
            runner.change_box(steals=(*runner.box.steals, 4))
            self.batting_side.count_running(name, "steals")
        batter = next((one for one in reversed(self.half) if one.box.batter == by and one.box.number), None)
        self.home.append(_ScoredRunner(runner, name, batter, by))

    def _count_runs(self, scored: int) -> None:
        self.batting_side.line[self.inning] += scored
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

    def _score_run(self, runner: OpenBox | None) -> None:
        if runner is None:
            self.batting_side.loose += 1
            self._count_pitching(self.mound, runs=1)
        else:
            runner.change_box(scored=True, base=4)
            self._count_pitching(runner.charged, runs=1, earned_runs=self._is_earned(runner))

    def _is_earned(self, runner: OpenBox) -> bool:
        """Return True if a run that scores now is earned (rule 9.16), as far as events tell.

        It is not if its runner reached on an error, took the place of one who did, moved by an error, or was placed on
        base by rule; if it scores on the error that puts a batter on base; or if the half-inning would be over had each
        such error been an out. A relief pitcher has no benefit of errors before he came in.

        Not known: other errors, such as one that prolongs an at-bat, passed balls and interference, and the order of a
        run and an out of the same event: the out counts first.
        """
        errors = max(0, self.errors - self.errors_before.get(runner.charged, 0))
        return runner.earned and not self.misplay and not (errors and self.outs + errors >= 3)

    def _count_pitching(self, name: str, **did: int) -> None:
        if name and self.seat:
            self.sides[opposite_seat(self.seat)].pitchers.setdefault(name, Counter()).update(did)

    # Boards ------------------------------------------------------------------------------------------------------

    def enter_runners(self, board: Scoreboard) -> None:
        if self.seat is not None and self.opening is None:
            self.opening = board
            self.opening_runs = {seat: sum(side.line.values()) for seat, side in self.sides.items()}
        if self.seat is None or not (board.batting == self.seat and board.inning == self.inning):
            self._advance_unnamed_runners(())
            return
        taken = {base: name for base, name in enumerate(board.bases, 1) if name}
        if self.stand or self.up or self.runs:
            self._advance_unnamed_runners(sorted(taken, reverse=True))
        else:
            for base, name in taken.items():
                self._place_runner(name, base, board.pitcher or "")
        self.stealing = False
        if board.pitcher:
            self.mounds[opposite_seat(self.seat)] = board.pitcher

    def _place_runner(self, name: str, base: int, pitcher: str) -> None:
        runner = self.on.get(name)
        if runner is None:
            runner = self.on[name] = self._open_box(ScorecardBox(0, self.inning, name, "", start=base, base=base))
            runner.charged, runner.earned = pitcher, False
        if self.stealing and base > runner.box.base:
            runner.change_box(steals=(*runner.box.steals, base))
            self.batting_side.count_running(name, "steals")
        runner.change_box(base=base)

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
        passes: dict[int, int] = dict.fromkeys(side.line, 1)
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
