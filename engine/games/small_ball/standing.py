"""What a manager may have answered for them throughout a game. Whether to bank is the game, and always asked."""

from __future__ import annotations

from engine.game import StandingAnswer

STANDING = (StandingAnswer("pinch", "Pinch hitters", "none", {"pinch-after": "no", "reactivate": "none"}),)
"""The topics."""
