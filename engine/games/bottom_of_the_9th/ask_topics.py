"""What a player may have answered for them throughout a game."""

from __future__ import annotations

from engine.game import AskTopic

ASK_TOPICS = (AskTopic("abilities", "Player abilities", "use them", {"ability": "use"}),)
"""The topics."""
