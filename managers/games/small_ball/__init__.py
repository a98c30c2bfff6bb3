"""Computer managers of Small Ball: the best play, worked out for the cards on the table, and two that know less."""

from __future__ import annotations

from managers.games.small_ball.advice import build_game_manager

__all__ = ["build_game_manager"]
