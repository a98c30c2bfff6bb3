"""Manager of RallyBird, which mixes cards and layouts near equilibrium or, at lower strengths, like a learner.

`outcomes` evaluates cards and `fielding` evaluates Gloves. `half_inning` and `innings` compute win probabilities. For
one at-bat, `matchup` builds the payoffs of cards against layouts, and `mixing` solves that matrix game.
"""

from __future__ import annotations

from managers.games.rallybird.decisions import RallybirdManager
from managers.games.rallybird.evaluation import build_game_evaluator
from managers.games.rallybird.model import model_for_setup
from managers.manager import GameSetup, Manager, Strength

__all__ = ["build_game_evaluator", "build_game_manager"]


def build_game_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Build the manager of these decks and house rules. The first one for a setup takes a few seconds."""
    return RallybirdManager(model_for_setup(setup), strength)
