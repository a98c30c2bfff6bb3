"""What a manager may have answered for him throughout a game."""

from __future__ import annotations

from engine.game import StandingAnswer
from engine.games.clutch.cards.effects import WINDOWS

STANDING = (
    StandingAnswer(
        "cards",
        "Strategy cards",
        "no cards",
        {f"cards-{window}": "pass" for window in WINDOWS if window != "chart"},
        house={"level": ("full",)},
    ),
    StandingAnswer("defense", "Pitching and fielding", "pitch", {"defence": "pitch", "walk": "pitch"}),
    StandingAnswer("infield", "Infield in", "stay back", {"infield": "back"}, house={"level": ("players", "full")}),
    StandingAnswer("offense", "Steals, bunts, pinch", "swing away", {"offence": "swing", "changes": "no-change"}),
    StandingAnswer(
        "running",
        "Extra bases",
        "nobody runs",
        {"extra-base": "stay", "tag-up": "stay", "ground": "stay", "send-home": "stay"},
    ),
    StandingAnswer("returns", "Cards to take back", "leave them", {"take-back": "leave"}, house={"level": ("full",)}),
)
"""The topics, those that are asked about most first."""
