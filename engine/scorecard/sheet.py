"""The contents of a scorecard: boxes, rows, columns and pitchers of one side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.box_score import BattingTotals
from engine.seats import Seat

RESULT_SHORTHAND = {
    "single": "1B",
    "double": "2B",
    "triple": "3B",
    "home-run": "HR",
    "walk": "BB",
    "intentional-walk": "IBB",
    "hit-by-pitch": "HBP",
    "strikeout": "K",
    "strike-double-play": "K DP",
    "ground-out": "GO",
    "fly-out": "FO",
    "line-out": "LO",
    "sacrifice-fly": "SF",
    "sacrifice": "SAC",
    "fielders-choice": "FC",
    "error": "E",
    "double-play": "DP",
    "ground-double-play": "DP",
    "line-double-play": "DP",
}
"""Scorer's shorthand by the code of the event that ends a plate appearance."""

TURN_SHORTHAND = {"out": "out", "strikeout": "K", "walk": "BB", "hit-by-pitch": "HBP", "sacrifice": "SAC"}
"""Shorthand by the fact `turn`, for events with any other code."""

BASES_REACHED = {"single": 1, "double": 2, "triple": 3, "home-run": 4, "fielders-choice": 1, "error": 1}
"""The base that the batter reaches by event code. For other codes it is 1 after a walk or hit batter, else none."""


@dataclass(frozen=True, slots=True)
class ScorecardBox:
    """One plate appearance, or a runner who was placed on a base by rule.

    number: counts the plate appearances of the side from 1; 0 for a placed runner.
    result: the shorthand; "" for a placed runner.
    statistics: the fields of `BattingTotals` that the plate appearance counts for.
    pitcher: "" if pitchers have no names.
    start: the base on which a runner was placed, else 0.
    base: the last base that he reached, 4 for home.
    scored: True when his run is on the board.
    out: the number of his out in the half-inning, 0 if he was not put out.
    steals: the bases that he stole.
    caught: True if he was put out stealing.
    driven_in: runs batted in.
    ends: True for the last box of a half-inning that is over.
    """

    number: int
    inning: int
    batter: str
    result: str
    statistics: tuple[str, ...] = ()
    pitcher: str = ""
    start: int = 0
    base: int = 0
    scored: bool = False
    out: int = 0
    steals: tuple[int, ...] = ()
    caught: bool = False
    driven_in: int = 0
    ends: bool = False


@dataclass(frozen=True, slots=True)
class ScorecardRow:
    """One slot of the batting order, with its players in order and its boxes by column index.

    Without names, a row is a turn of the half-inning, so the first row has the boxes of leadoff batters.
    """

    names: tuple[str, ...]
    boxes: Mapping[int, ScorecardBox]


@dataclass(frozen=True, slots=True)
class PitchingTotals:
    """The totals of a pitcher. Runs are charged to the pitcher who let the runner on base."""

    name: str
    outs: int = 0
    batters: int = 0
    hits: int = 0
    runs: int = 0
    walks: int = 0
    strikeouts: int = 0
    earned_runs: int = 0

    @property
    def innings_pitched(self) -> str:
        """The innings pitched, with thirds after the point, such as "6.2"."""
        return f"{self.outs // 3}.{self.outs % 3}"


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The scorecard of one side, with its own pitchers.

    columns: the inning of each column. An inning in which the side bats around has several.
    loose: runs without a named runner, such as those of a team without batters.
    """

    seat: Seat
    columns: tuple[int, ...]
    rows: tuple[ScorecardRow, ...]
    total: BattingTotals
    batters: Mapping[str, BattingTotals]
    pitchers: tuple[PitchingTotals, ...] = ()
    loose: int = 0

    @property
    def all_boxes(self) -> Iterator[ScorecardBox]:
        return (box for row in self.rows for box in row.boxes.values())

    def column_totals(self, column: int) -> BattingTotals:
        return box_totals(row.boxes[column] for row in self.rows if column in row.boxes)


def box_totals(boxes: Iterator[ScorecardBox]) -> BattingTotals:
    total = Counter[str]()
    for box in boxes:
        total.update(box.statistics)
        total.update({"runs": int(box.scored), "driven_in": box.driven_in})
    return BattingTotals(**total)
