"""The read-model every face draws from: OLED, page, overlay and protocol show these same figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.clock import Half
from engine.dice import Face
from engine.events import Told
from engine.seats import SEATS, Seat


@dataclass(frozen=True, slots=True)
class Side:
    """One team's line: runs an inning (None: not batted yet), runs and hits in all."""

    name: str
    colour: str
    line: tuple[int | None, ...] = ()
    runs: int = 0
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The state of play in the words all five games share; `panel` holds what only one game has, ready to show.

    `marker` is the inning as the board on the table shows it; `bases` names the runners on first, second and third;
    `stake` are runs scored but not yet counted; `dice` the faces of the last roll. `dice_colours` are those of these
    dice, None where the colour does not matter: no game fills them in, the table does.
    """

    game: str
    sides: Mapping[Seat, Side]
    inning: int = 1
    half: Half = "top"
    marker: str = "1"
    batting: Seat | None = None
    outs: int = 0
    bases: tuple[str | None, str | None, str | None] = (None, None, None)
    batter: str | None = None
    on_deck: str | None = None
    pitcher: str | None = None
    count: tuple[int, int] | None = None
    fatigue: int | None = None
    stake: int | None = None
    dice: tuple[Face, ...] = ()
    dice_colours: tuple[str | None, ...] = ()
    panel: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineScore:
    """A fold over events: runs by inning, and hits, of each seat."""

    lines: Mapping[Seat, tuple[int | None, ...]]
    hits: Mapping[Seat, int]


def line_score(log: Sequence[Told]) -> LineScore:
    """Fold the events of any game into its line score."""
    lines: dict[Seat, list[int | None]] = {seat: [] for seat in SEATS}
    hits: dict[Seat, int] = dict.fromkeys(SEATS, 0)
    for told in log:
        facts = told.event.facts
        if told.event.code == "half-inning":
            lines[facts["seat"]].append(0)
        if scored := facts.get("scored"):
            cells = lines[facts["seat"]]
            cells[-1] = (cells[-1] or 0) + scored
        if facts.get("hit"):
            hits[facts["seat"]] += 1
    return LineScore({seat: tuple(cells) for seat, cells in lines.items()}, hits)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the play log: the half it belongs to ("1 top"), what was said, and runs it put on the board."""

    n: int
    code: str
    inning: int
    half: Half
    seat: Seat | None
    sentence: str
    scored: int
