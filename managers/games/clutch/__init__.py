"""Computer manager and evaluator of Clutch.

`manager` sends each ask to its module. `judge` computes win probabilities from `expectancy` (half-innings and the rest
of the game), `plays` (baserunning) and `odds` (dice of one at-bat). `position` rebuilds the state from a view.
`evaluation` judges what spectators see.
"""

from __future__ import annotations

from engine.cards import cards_in_decks
from engine.games.clutch.cards.card_set import build_box
from managers.games.clutch.evaluation import ClutchEvaluator
from managers.games.clutch.expectancy import WinExpectancyModel
from managers.games.clutch.manager import ClutchManager
from managers.manager import GameSetup, Strength

_MODEL_CACHE: dict[tuple[object, ...], WinExpectancyModel] = {}
"""Solved models by decks and house rules, oldest first."""
_MAX_CACHED_MODELS = 4  # Each model takes seconds to solve.


def build_game_manager(setup: GameSetup, strength: Strength) -> ClutchManager:
    """Build a manager of this strength. Raises DeckError if the decks cannot play a game."""
    key = (tuple(deck.digest for deck in setup.decks), tuple(sorted(setup.house.items())))
    if key not in _MODEL_CACHE:
        if len(_MODEL_CACHE) >= _MAX_CACHED_MODELS:
            _MODEL_CACHE.pop(next(iter(_MODEL_CACHE)))
        _MODEL_CACHE[key] = WinExpectancyModel(build_box(cards_in_decks(setup.decks), setup.house), setup.house)
    return ClutchManager(_MODEL_CACHE[key], strength)


def build_game_evaluator(setup: GameSetup) -> ClutchEvaluator:
    """Build an evaluator with a model of its own, because it works in another thread than the managers."""
    return ClutchEvaluator(WinExpectancyModel(build_box(cards_in_decks(setup.decks), setup.house), setup.house))
