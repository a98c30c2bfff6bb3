"""Decisions that a manager can have answered automatically all game. Banking is the game itself and always asked."""

from __future__ import annotations

from engine.game import AskTopic

ASK_TOPICS = (AskTopic("pinch", "Pinch hitters", "none", {"pinch-after": "no", "reactivate": "none"}),)
