"""Decisions that a player can have answered automatically all game."""

from __future__ import annotations

from engine.game import AskTopic

ASK_TOPICS = (
    AskTopic("gloves", "Gloves", "leave them in place", stays=("gloves",)),
    AskTopic("rallybird", "RallyBird", "keep the roll", {"rallybird": "keep", "rallybird-anyway": "keep"}),
)
"""Topics, most frequent asks first."""
