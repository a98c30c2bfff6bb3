"""What a manager may have answered for them throughout a game or season."""

from __future__ import annotations

from engine.game import StandingAnswer
from engine.games.seventh_inning_stretch.innings.outcomes import BEST

STANDING = (
    StandingAnswer("batters", "Pinch hitters", "bat in order", {"batter": "bats"}),
    StandingAnswer("pitchers", "Pitching changes", "keep the pitcher", {"relief": "stays"}),
    StandingAnswer("abilities", "Pitcher's ability", "don't use it", {"before": "enough", "ability": "enough"}),
    StandingAnswer("tokens", "Rerolls and nudges", "keep the dice", {"tokens": "keep"}),
    StandingAnswer(
        "outcome", "Several outcomes", "take the best", {"outcome": BEST}, house={"conditionChoice": ("player",)}
    ),
    StandingAnswer("lineup", "Batting order", "same as before", {"line-up-again": "same"}),
    StandingAnswer("running", "Extra bases", "hold", {"extra-base": "hold"}),
)
"""The topics, those that are asked about most first."""
