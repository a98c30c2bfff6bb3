"""What a player may have answered for them throughout a game."""

from __future__ import annotations

from engine.game import AskTopic

ASK_TOPICS = (
    AskTopic("gloves", "Gloves", "leave them in place", stays=("gloves",)),
    AskTopic("rallybird", "RallyBird", "keep the roll", {"rallybird": "keep", "rallybird-anyway": "keep"}),
)
"""The topics, those that are asked about most first."""
