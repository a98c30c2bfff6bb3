"""How a beginner plays Small Ball: afraid for every run, and fond of trying things out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from managers.games.small_ball.position import SmallBallPosition
from managers.manager import WeighedAnswer

OPTION_WEIGHTS = {"bat": 0.8, "hit-and-run": 0.05, "sacrifice": 0.05, "steal-second": 0.1, "steal-third": 0.05}
"""How likely a beginner tries something out, before others are added; anything else has `RARE_OPTION_WEIGHT`."""
RARE_OPTION_WEIGHT = 0.03
PREFERRED_OPTIONS = ("bat-on", "coin-flip")
"""What a beginner answers whenever it is offered."""


def rookie_policy(now: SmallBallPosition | None, weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    """Return the answers with a beginner's shares; `now` is None before the game."""
    likes = {one.value: option_weight(now, one.value) for one in weighed}
    bank = likes.pop("bank", 0.0)
    others = sum(likes.values())
    shares = {option: (1 - bank) * wish_ / others for option, wish_ in likes.items()} if others else {}
    return [replace(one, share=bank if one.value == "bank" else shares[one.value]) for one in weighed]


def option_weight(now: SmallBallPosition | None, option: str) -> float:
    """Return how much a beginner likes this: for a bank its share, for anything else a part of what is left."""
    if option in PREFERRED_OPTIONS:
        return 100.0
    if now is None:
        return 1.0
    match option:
        case "bank":
            return bank_chance(now)
        case "sacrifice" if now.outs == 2:
            return 0.0
        case "no":
            return 0.2
        case "none":
            return 0.0
    return OPTION_WEIGHTS.get(option, RARE_OPTION_WEIGHT)


def bank_chance(now: SmallBallPosition) -> float:
    """Return how often a beginner banks: the more runs and outs, the sooner, but never to lose at once."""
    if not now.runs_at_stake or (now.is_last_half and now.lead + now.runs_at_stake < 0):
        return 0.0
    if now.is_last_half and now.lead + now.runs_at_stake > 0:
        return 1.0
    return min(0.95, 0.25 * now.runs_at_stake + 0.3 * now.outs)
