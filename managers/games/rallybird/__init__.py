"""The manager of RallyBird: it mixes cards and layouts as the game's theory says, or as people do who are learning.

`outcomes` says what cards do, `fielding` what Gloves are; `half_inning` and `innings` give every point of the game its
chance to win. For one at-bat `matchup` sets each card against each layout, and `mixing` solves that game.
"""

from __future__ import annotations

from managers.games.rallybird.decisions import RallybirdManager
from managers.games.rallybird.values import model_for_setup
from managers.manager import GameSetup, Manager, Strength


def build_game_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Return the manager of these decks and house rules. The first of a setup takes a few seconds."""
    return RallybirdManager(model_for_setup(setup), strength)
