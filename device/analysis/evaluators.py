"""Evaluators that have studied the cards, for the games that the table and its readers need now."""

from __future__ import annotations

from collections.abc import Callable

from device.shapes import AbortCheck
from engine.table import Table
from managers.evaluation import Evaluator, build_evaluator
from managers.manager import GameSetup

MAX_EVALUATORS = 2
"""Evaluators in memory: one for the game on the table, and one for a stored game with other cards."""


class StudiedEvaluators:
    """Builds evaluators with `build` and keeps the last ones used. Games with the same setup share one."""

    def __init__(self, build: Callable[[GameSetup], Evaluator] = build_evaluator) -> None:
        self._build = build
        self._found: list[tuple[GameSetup, Evaluator]] = []

    def evaluator_for(self, setup: GameSetup, wanted: AbortCheck) -> Evaluator:
        """Return an evaluator that has studied the cards. `wanted` is called several times a second.

        Raises LookupError if the game has none.
        """
        found = next((one for one in self._found if one[0] == setup), None) or (setup, self._build(setup))
        self._found = [*(one for one in self._found if one[0] != setup), found][-MAX_EVALUATORS:]
        while found[1].study_cards():
            wanted()
        return found[1]


def public_setup(table: Table) -> GameSetup:
    return GameSetup(table.game.key, table.decks, table.house)
