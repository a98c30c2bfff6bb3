"""Interface between evaluators and tables: the chance to win of any position, from public information only."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from engine.innings import Outcome
from engine.views import TableView
from managers.manager import GameSetup, has_manager, manager_module_name

WIN_BY_WINNER = {"home": 1.0, "away": 0.0, None: 0.5}
"""Home's win probability after the game, by winner. A tie is half a win."""


class Evaluator(Protocol):
    """Estimates win probabilities in one game. It stores only values that it can compute again."""

    @property
    def margin(self) -> float:
        """About how far its values are from the truth, as a difference of win probability; 0 if they are exact."""

    def study_cards(self) -> bool:
        """Prepare for a fraction of a second. Return True if there is more to prepare. Until then there is no value."""

    def home_win_probability(self, view: TableView) -> float | None:
        """Return home's chance to win, 0 to 1, if both sides play well from here.

        view: what spectators see of a game that is not over. `view.seat` is None.

        None if it is not known, as in a draft or between the games of a season. In a series of games, it is the
        chance to win the current one.
        """


def build_evaluator(setup: GameSetup) -> Evaluator:
    """Build an evaluator that still has to study the cards. Raises LookupError if the game has none."""
    if not has_manager(setup.game):
        raise LookupError(f"There is no evaluator for {setup.game}.")
    build: Callable[[GameSetup], Evaluator] = import_module(manager_module_name(setup.game)).build_game_evaluator
    return build(setup)


def home_win_probability(evaluator: Evaluator, view: TableView) -> float | None:
    """Return home's chance to win in a spectator's view, also of a game that is over."""
    if isinstance(view.outcome, Outcome):
        return WIN_BY_WINNER[view.outcome.winner]
    return evaluator.home_win_probability(view)
