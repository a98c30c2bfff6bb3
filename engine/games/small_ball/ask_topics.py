"""What a manager may have answered for them throughout a game. Whether to bank is the game, and always asked."""

from __future__ import annotations

from engine.game import AskTopic

ASK_TOPICS = (AskTopic("pinch", "Pinch hitters", "none", {"pinch-after": "no", "reactivate": "none"}),)
"""The topics."""
