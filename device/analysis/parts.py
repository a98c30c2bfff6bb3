"""The parts of an analysis that are made from a trace: graph, story and review."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from device.analysis.evaluators import public_setup
from device.analysis.win_trace import win_view
from device.shapes import AbortCheck, AnalysisLevel, GameAnalysis, SeatReview
from engine.seats import Seat
from engine.story_views import WinTrace
from engine.table import Table
from managers.evaluation import Evaluator
from managers.manager import STRENGTHS, build_unstudied_manager

NO_ANALYSIS = GameAnalysis(None, {}, None, None)
"""Of a game without win probabilities."""


def told_analysis(table: Table, trace: WinTrace, margin: float, level: AnalysisLevel) -> GameAnalysis:
    """Return the graph of a game and, with the level "full", its biggest play and, after its end, its story."""
    told = bool(trace) and level == "full"
    biggest: Any = None
    story: Any = None
    with suppress(ImportError):
        biggest = import_module("engine.story.swings").biggest_swing(table, trace) if told else None
    with suppress(ImportError):
        story = import_module("engine.story.telling").tell_story(table, trace) if told and table.outcome else None
    return GameAnalysis(win_view(trace, table, margin, biggest), trace, story, None)


def review_decisions(table: Table, evaluator: Evaluator, wanted: AbortCheck) -> Mapping[Seat, SeatReview] | None:
    """Return each seat's decisions in a game that is over, compared with those of an all-star. May take minutes."""
    coach = build_unstudied_manager(public_setup(table), STRENGTHS[-1])
    while coach.study_cards():
        wanted()
    review: Mapping[Seat, SeatReview] | None = None
    with suppress(ImportError):
        review = import_module("device.analysis.review").review_game(table, coach, evaluator, wanted)
    return review
