"""Computer managers of Small Ball. One plays optimally with the cards on the table; two know less."""

from __future__ import annotations

from managers.games.small_ball.advice import build_game_manager
from managers.games.small_ball.evaluation import build_game_evaluator

__all__ = ["build_game_evaluator", "build_game_manager"]
