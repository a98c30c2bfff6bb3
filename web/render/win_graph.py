"""Graphs of win probability as compact SVG paths: home's 100% at the top, one column for each play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.story_views import WinSwing, WinTrace
from engine.views import WinProbabilityView

MIN_GRAPH_PLAYS = 24
"""Plays for which a graph has room at least: a game that has just begun fills only its left part."""


@dataclass(frozen=True, slots=True)
class WinGraph:
    """A graph 100 units high, y from 0 (home has won) to 100 (away has won)."""

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


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """A point of a graph, in percent of its width and height."""

    left: float
    top: int


def draw_win_graph(win: WinProbabilityView, width: int) -> WinGraph:
    """Return the graph of `win.path`, or of its current value alone if that is empty.

    width: in units, and so the most values that it shows.
    """
    path = win.path or [win.home]
    step = width / max(len(path) - 1, MIN_GRAPH_PLAYS)
    points = _thinned_points([(round(step * place), chance_height(home)) for place, home in enumerate(path)])
    x, y = points[-1]
    halves = sorted({round(step * place) for place in win.halves if 0 < place < len(path)})
    marks = "".join(f"M{half} 0v100" for half in halves)
    return WinGraph(f"M0 50V{points[0][1]}l{_relative_points(points)}V50", f"M0 50h{width}{marks}", x, y)


def graph_points(swings: Sequence[WinSwing], trace: WinTrace, path: Sequence[float], first: int) -> list[GraphPoint]:
    """Return the points after these plays on the line of a graph. `path` may have fewer values than `trace` from
    number `first` on."""
    places = {n: place for place, n in enumerate(n for n in trace if n >= first)}
    share = (len(path) - 1) / max(1, len(places) - 1)
    indexes = [round(places[swing.n] * share) for swing in swings if swing.n in places]
    last = max(len(path) - 1, MIN_GRAPH_PLAYS)
    return [GraphPoint(round(100 * index / last, 1), chance_height(path[index])) for index in indexes]


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
    steps = [(x - a, y - b) for (a, b), (x, y) in pairwise(points)] or [(0, 0)]
    return " ".join(f"{x}{'' if y < 0 else ' '}{y}" for x, y in steps)
