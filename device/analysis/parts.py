"""The parts of an analysis that are made from a trace: graph, story and review."""

from __future__ import annotations

from collections.abc import Mapping

from device.analysis.evaluators import public_setup
from device.analysis.review import review_game
from device.analysis.win_trace import first_number, win_view
from device.shapes import AbortCheck, AnalysisLevel, GameAnalysis, SeatReview
from device.table.managed_seats import MANAGER_LOCK
from engine.seats import Seat
from engine.story.swings import biggest_swing
from engine.story.telling import tell_story
from engine.story_views import WinTrace
from engine.table import Table
from engine.views import TableView
from managers.evaluation import Evaluator
from managers.manager import STRENGTHS, Manager, build_unstudied_manager

NO_ANALYSIS = GameAnalysis(None, {}, None, None)
"""Of a game without win probabilities."""


def told_analysis(table: Table, trace: WinTrace, margin: float, level: AnalysisLevel) -> GameAnalysis:
    """Return the graph of a game and, with the level "full", its biggest play and, after its end, its story."""
    told = bool(trace) and level == "full"
    biggest = biggest_swing(table, trace) if told else None
    story = tell_story(table, trace) if told and table.outcome else None
    return GameAnalysis(win_view(trace, table, margin, biggest), trace, story, None, first_number(table))


def review_decisions(table: Table, evaluator: Evaluator, wanted: AbortCheck) -> Mapping[Seat, SeatReview]:
    """Return each seat's decisions in a game that is over, compared with those of an all-star. May take minutes."""
    with MANAGER_LOCK:
        coach = build_unstudied_manager(public_setup(table), STRENGTHS[-1])
    view = table.view_for(None)
    while _study_cards(coach, view):
        wanted()
    return review_game(table, coach, evaluator, wanted)


def _study_cards(coach: Manager, view: TableView) -> bool:
    """Let the coach prepare for a moment, but not for a draft, in which no decision is rated."""
    with MANAGER_LOCK:
        return coach.study_cards(view)
