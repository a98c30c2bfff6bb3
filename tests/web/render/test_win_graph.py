"""The graph of win probability and the regions that show it: home is at the top, and only the end touches an edge."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate

import pytest

from device.shapes import GameAnalysis
from engine.story_views import GameStory, WinSwing
from engine.views import AudienceView, WinProbabilityView
from tests.web.phones import small_ball, text
from web.render import printed_log
from web.render.templates import render_drawing, render_panel, render_tv_panel
from web.render.win_graph import MIN_GRAPH_PLAYS, GraphPoint, draw_win_graph, graph_points
from web.routes.games import replay_moments

SWING = WinSwing(3, 1, "top", "away", "Ada Crispin homers.", 0.4, 0.625)


def win(*path: float, margin: float = 0.0, halves: tuple[int, ...] = ()) -> WinProbabilityView:
    return WinProbabilityView(path[-1], margin, path, halves, SWING)


def drawn_points(path: WinProbabilityView, width: int) -> list[tuple[int, int]]:
    """Return the points of the graph in its own units, as a browser follows the path."""
    found = re.fullmatch(r"M0 50V(\d+)l(.*)V50", draw_win_graph(path, width).line)
    assert found is not None
    steps = [int(number) for number in re.findall(r"-?\d+", found[2])]
    xs, ys = accumulate(steps[::2], initial=0), accumulate(steps[1::2], initial=int(found[1]))
    return list(zip(xs, ys, strict=True))


def shown(given: WinProbabilityView | None) -> AudienceView:
    """Small Ball, Lanterns at Owls, with these chances."""
    return replace(small_ball().game.view_for(None), win=given)


def test_home_is_at_the_top() -> None:
    """Each value has its own place, from left to right; home's certain win lies at 0."""
    path = win(0.5, 0.6, 0.25, *[0.25] * (MIN_GRAPH_PLAYS - 3), 1.0)
    points = drawn_points(path, 240)
    assert [(0, 50), (10, 40), (20, 75), (30, 75)] == points[:4]
    assert (240, 0) == points[-1]
    drawn = draw_win_graph(path, 240)
    assert points[-1] == (drawn.x, drawn.y)


@pytest.mark.parametrize(("last", "y"), [(0.0001, 99), (0.9999, 1), (0.0, 100), (1.0, 0), (0.5, 50)])
def test_only_the_end_touches_an_edge(last: float, y: int) -> None:
    """A game that is still open lies inside, however clear it is."""
    assert y == draw_win_graph(win(0.5, last), 160).y


def test_a_game_that_has_begun_fills_the_left_part() -> None:
    """One play takes no more room than any of a short game; a single value is a point."""
    assert (10, 40) == drawn_points(win(0.5, 0.6), 240)[-1]
    assert [(0, 60), (0, 60)] == drawn_points(win(0.4), 240)


def test_a_long_game_keeps_its_turns_and_its_end() -> None:
    """There is one point for each column; the peak of a single play stays, and so does the last value."""
    path = [0.5] * 1000
    path[403], path[-1] = 0.95, 0.3
    points = drawn_points(win(*path), 160)
    assert len(points) <= 161
    assert len(points) == len({x for x, _ in points})
    assert (65, 5) in points
    assert (160, 70) == points[-1]


def test_half_innings_are_marked() -> None:
    """At the plays that begin one, but for the first."""
    marks = draw_win_graph(win(*[0.5] * 25, halves=(0, 6, 12)), 240).marks
    assert "M0 50h240M60 0v100M120 0v100" == marks


def test_turning_points_lie_on_the_line() -> None:
    """In percent, by the answer that caused the play, also of a thinned line; without one that is not in the trace."""
    trace = {n: 0.5 + n / 100 for n in range(-1, 48)}
    swings = [SWING, replace(SWING, n=99), replace(SWING, n=47)]
    full, half = list(trace.values()), list(trace.values())[::2]
    assert [GraphPoint(8.3, 47), GraphPoint(100.0, 3)] == graph_points(swings, trace, full, -1)
    assert [GraphPoint(8.3, 47), GraphPoint(100.0, 3)] == graph_points(swings, trace, half, -1)


def test_turning_points_lie_on_the_line_of_the_last_game() -> None:
    """The trace of a season has those before it, too."""
    trace = {n: 0.5 + n / 100 for n in range(-1, 48)}
    swings = [replace(SWING, n=20), replace(SWING, n=23)]
    assert [GraphPoint(0.0, 30), GraphPoint(11.1, 27)] == graph_points(swings, trace, list(trace.values())[21:], 20)


def test_each_side_has_its_own_number_on_every_page() -> None:
    """Home's is at the top, beside its end of the graph, and the bar is away's from there down."""
    view = shown(win(0.5, 0.7))
    panel, television = render_panel(view)["win"], render_tv_panel(view)
    for html in (panel, television["win"], television["between"]):
        assert 'team-red" y="70"' in html
    assert len(panel) < 1500
    assert "Chance to win 70% Owls 30% Lanterns Biggest moment so far:" in text(panel)
    assert text(panel).endswith("Top of the 1st: Ada Crispin homers. Lanterns 40% → 62%")
    assert "70% OWL 30% LAN" == text(television["win"])
    assert "70% OWL 30% LAN" in text(television["between"])


def test_a_wide_margin_hides_digits() -> None:
    """What is known to a tenth is shown in tens, in the sentence for screen readers too."""
    html = render_panel(shown(win(0.5, 0.98, margin=0.08)))["win"]
    assert ">90% Owls <10% Lanterns" in text(html)
    assert "from 50% to &gt;90%" in html
    assert "40% → 60%" in text(html)


def test_a_region_without_chances_says_so_once() -> None:
    """Its place is kept for them where they are computed; the television gives it to the plays."""
    assert "isn’t known" in render_panel(replace(shown(None), win_expected=True))["win"]
    assert "" == render_panel(shown(None))["win"].strip()
    assert "" == render_tv_panel(shown(None))["win"]


def test_a_stored_game_shows_its_turning_points() -> None:
    """By numbers on the graph, once there is a story."""
    story = GameStory("Owls win.", [], [SWING], {"away": "Owls", "home": "Bats"})
    analysis = GameAnalysis(win(0.5, 0.6, 0.625, 1.0), {-1: 0.5, 1: 0.6, 3: 0.625, 5: 1.0}, story, None)
    sides = small_ball().game.view_for(None).table.scoreboard.sides
    html = render_drawing("analysis/graph.html", analysis=analysis, sides=sides)
    assert '<circle cx="8.3%" cy="38%"' in html
    assert ">1</text>" in html
    without = render_drawing("analysis/graph.html", analysis=replace(analysis, story=None), sides=sides)
    assert "100% Owls 0% Lanterns" in text(without)
    assert "circle" not in without


def test_a_replay_shows_the_chance_after_each_answer() -> None:
    """Away's and home's, each until the next is known; null without an analysis."""
    part = small_ball().past.replay_part(1)
    assert part
    answers = [step.lines[-1].n if step.lines else None for step in part.steps]
    assert [None, 0] == answers
    analysis = GameAnalysis(win(0.5, 0.6), {-1: 0.5, 0: 0.6}, None, None)
    steps = replay_moments(part, analysis=analysis)
    assert [0.5, 0.6] == [step.win for step in steps]
    assert "Chance to win: Lanterns 40%, Owls 60%" == steps[-1].panel["chances"]
    late = replace(analysis, trace={0: 0.6})
    assert [None, 0.6] == [step.win for step in replay_moments(part, analysis=late)]
    silent = replace(part, steps=[replace(part.steps[-1], lines=[])], before=part.steps[-1].lines)
    assert [0.6] == [step.win for step in replay_moments(silent, analysis=analysis)]
    for nothing in (None, replace(analysis, win=None)):
        assert {None} == {step.win for step in replay_moments(part, analysis=nothing)}


def test_the_printed_log_has_the_graph_above_its_columns() -> None:
    """On its first sheet, in black and white; nothing lies over it, and without chances the columns begin higher."""
    found = small_ball().past.game_record(1)
    assert found
    assert found.table
    board = found.table.scoreboard
    plain, drawn = printed_log.log_sheets(found.log, board), printed_log.log_sheets(found.log, board, win(0.5, 0.7))
    assert printed_log.GRAPH_HEIGHT_MM == drawn[0].rows[0].y - plain[0].rows[0].y
    svg = printed_log.draw_sheet(found.summary, board, drawn, 1)
    top = float(re.findall(r'<svg x="48" y="(\d+)"', svg)[0])
    height = float(re.findall(r'width="148" height="(\d+)"', svg)[0])
    assert top + height < min(row.y for row in drawn[0].rows) - drawn[0].size
    assert {True} == {len(set(color[1:])) == 1 for color in re.findall(r'(?:fill|stroke)="(#\w+)"', svg)}
    assert '<path d="M0 50h640"' not in printed_log.draw_sheet(found.summary, board, plain, 1)
