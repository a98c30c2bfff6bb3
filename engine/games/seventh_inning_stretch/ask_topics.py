"""Decisions that a manager can have answered automatically all game or season."""

from __future__ import annotations

from engine.game import AskTopic
from engine.games.seventh_inning_stretch.innings.outcomes import OUTCOMES_BEST_FIRST

ASK_TOPICS = (
    AskTopic("batters", "Pinch hitters", "bat in order", {"batter": "bats"}),
    AskTopic("pitchers", "Pitching changes", "keep the pitcher", {"relief": "stays"}),
    AskTopic("abilities", "Pitcher's ability", "don't use it", {"before": "enough", "ability": "enough"}),
    AskTopic("tokens", "Rerolls and nudges", "keep the dice", {"tokens": "keep"}),
    AskTopic(
        "outcome",
        "Several outcomes",
        "take the best",
        {"outcome": OUTCOMES_BEST_FIRST},
        house={"conditionChoice": ("player",)},
    ),
    AskTopic("lineup", "Batting order", "same as before", {"line-up-again": "same"}),
    AskTopic("running", "Extra bases", "hold", {"extra-base": "hold"}),
)
"""Topics, most frequent asks first."""
