"""Ask-me topics of Clutch, the decisions that a manager can have answered automatically."""

from __future__ import annotations

from engine.game import AskTopic
from engine.games.clutch.cards.effects import WINDOW_TAGS

ASK_TOPICS = (
    AskTopic(
        "cards",
        "Strategy cards",
        "no cards",
        {f"cards-{window}": "pass" for window in WINDOW_TAGS if window != "chart"},
        house={"level": ("full",)},
    ),
    AskTopic("defense", "Pitching and fielding", "pitch", {"defence": "pitch", "walk": "pitch"}),
    AskTopic("infield", "Infield in", "stay back", {"infield": "back"}, house={"level": ("players", "full")}),
    AskTopic("offense", "Steals, bunts, pinch", "swing away", {"offence": "swing", "changes": "no-change"}),
    AskTopic(
        "running",
        "Extra bases",
        "nobody runs",
        {"extra-base": "stay", "tag-up": "stay", "ground": "stay", "send-home": "stay"},
    ),
    AskTopic("returns", "Cards to take back", "leave them", {"take-back": "leave"}, house={"level": ("full",)}),
)
"""The topics, most frequently asked first."""
