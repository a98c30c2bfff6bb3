"""Graphs of win probability as compact SVG paths: home's 100% at the top, one column for each play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.views import WinProbabilityView

SMALL_GRAPH_WIDTH = 160
"""Width of a graph beside a game in units, and so the most plays that it shows."""
LARGE_GRAPH_WIDTH = 640
"""Width of the graph of a stored game, in units."""
MIN_GRAPH_PLAYS = 24
"""Plays for which a graph has room at least: a game that has just begun fills only its left part."""


@dataclass(frozen=True, slots=True)
class WinGraph:
    """A graph of `width` × 100 units, y from 0 (home has won) to 100 (away has won)."""

    width: int
    line: str
    """The path of the values, from the middle at the left and back to it at the right."""
    marks: str
    """The path of the middle, and of a mark at the beginning of each half-inning."""
    x: int
    """The place of the last value."""
    y: int


def chance_height(home: float) -> int:
    """Return the y of home's chance in a graph, in units. Only a game that is over touches top or bottom."""
    return round(100 * (1 - home)) if home in (0, 1) else min(99, max(1, round(100 * (1 - home))))


def draw_win_graph(win: WinProbabilityView, width: int = SMALL_GRAPH_WIDTH) -> WinGraph:
    """Return the graph of `win.path`, or of its current value alone if that is empty."""
    path = win.path or [win.home]
    step = width / max(len(path) - 1, MIN_GRAPH_PLAYS)
    points = _thinned_points([(round(step * place), chance_height(home)) for place, home in enumerate(path)])
    x, y = points[-1]
    halves = sorted({round(step * place) for place in win.halves if 0 < place < len(path)})
    marks = "".join(f"M{half} 0v100" for half in halves)
    return WinGraph(width, f"M0 50V{points[0][1]}l{_relative_points(points)}V50", f"M0 50h{width}{marks}", x, y)


def _thinned_points(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return at most one point for each x, that which is farthest from the one before; the last is always there."""
    found = list(points[:1])
    for x, y in points[1:]:
        if x > found[-1][0]:
            found.append((x, y))
        elif len(found) > 1 and abs(y - found[-2][1]) > abs(found[-1][1] - found[-2][1]):
            found[-1] = x, y
    if found[-1] != points[-1]:
        found[-1] = points[-1]
    return found


def _relative_points(points: Sequence[tuple[int, int]]) -> str:
    """Return the steps between points as numbers of an SVG path; a minus sign separates numbers too."""
    steps = [(x - a, y - b) for (a, b), (x, y) in zip(points, points[1:], strict=False)] or [(0, 0)]
    return " ".join(f"{x}{'' if y < 0 else ' '}{y}" for x, y in steps)
