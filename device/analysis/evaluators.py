"""Evaluators that have studied the cards, for the games that the table and its readers need now."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from statistics import median

from device.shapes import AbortCheck
from engine.table import Table
from engine.views import TableView
from managers.evaluation import Evaluator, build_evaluator
from managers.manager import GameSetup

MAX_EVALUATORS = 2
"""Evaluators in memory: one for the game on the table, and one for a stored game with other cards."""


MAX_TIMES = 50
"""Evaluations whose time is remembered."""


class TimedEvaluator:
    """An evaluator that adds the seconds of each evaluation to `times_s`."""

    def __init__(self, evaluator: Evaluator, times_s: deque[float]) -> None:
        self._evaluator, self._times_s = evaluator, times_s
        self.study_cards = evaluator.study_cards

    @property
    def margin(self) -> float:
        return self._evaluator.margin

    def home_win_probability(self, view: TableView) -> float | None:
        began = time.perf_counter()
        found = self._evaluator.home_win_probability(view)
        self._times_s.append(time.perf_counter() - began)
        return found


class StudiedEvaluators:
    """Builds evaluators with `build` and keeps the last ones used. Games with the same setup share one."""

    def __init__(self, build: Callable[[GameSetup], Evaluator] = build_evaluator) -> None:
        self._build = build
        self._found: list[tuple[GameSetup, TimedEvaluator]] = []
        self._times_s = deque[float](maxlen=MAX_TIMES)

    @property
    def median_time_s(self) -> float | None:
        """Median time of the last evaluations, in seconds. None before the first. Any thread may read it."""
        times = tuple(self._times_s)
        return median(times) if times else None

    def evaluator_for(self, setup: GameSetup, wanted: AbortCheck) -> Evaluator:
        """Return an evaluator that has studied the cards. `wanted` is called several times a second.

        Raises LookupError if the game has none.
        """
        found = next((one for one in self._found if one[0] == setup), None) or (
            setup,
            TimedEvaluator(self._build(setup), self._times_s),
        )
        self._found = [*(one for one in self._found if one[0] != setup), found][-MAX_EVALUATORS:]
        while found[1].study_cards():
            wanted()
        return found[1]


def public_setup(table: Table) -> GameSetup:
    return GameSetup(table.game.key, table.decks, table.house)
