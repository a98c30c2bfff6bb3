"""Decisions that a player can have answered automatically all game."""

from __future__ import annotations

from engine.game import AskTopic

ASK_TOPICS = (AskTopic("abilities", "Player abilities", "use them", {"ability": "use"}),)
