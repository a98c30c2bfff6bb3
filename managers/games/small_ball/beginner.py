"""Policy of a beginner in Small Ball, who banks early and likes to try plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from managers.games.small_ball.position import SmallBallPosition
from managers.manager import WeighedAnswer

OPTION_WEIGHTS = {"bat": 0.8, "hit-and-run": 0.05, "sacrifice": 0.05, "steal-second": 0.1, "steal-third": 0.05}
"""A beginner's weight of each play before normalization. Other options have `RARE_OPTION_WEIGHT`."""
RARE_OPTION_WEIGHT = 0.03  # Weight of an option that `OPTION_WEIGHTS` does not list.
PREFERRED_OPTIONS = ("bat-on", "coin-flip")  # Options that a beginner always chooses if offered.


def rookie_policy(now: SmallBallPosition | None, weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    """Set a beginner's shares. `now` is None before the game."""
    likes = {one.value: option_weight(now, one.value) for one in weighed}
    bank = likes.pop("bank", 0.0)
    others = sum(likes.values())
    shares = {option: (1 - bank) * wish_ / others for option, wish_ in likes.items()} if others else {}
    return [replace(one, share=bank if one.value == "bank" else shares[one.value]) for one in weighed]


def option_weight(now: SmallBallPosition | None, option: str) -> float:
    """Return a beginner's weight of an option: for a bank its share, for others a weight within the remaining share."""
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
    """Return a beginner's chance to bank, 0 to 1. It rises with runs and outs, and is 0 if banking loses at once."""
    if not now.runs_at_stake or (now.is_last_half and now.lead + now.runs_at_stake < 0):
        return 0.0
    if now.is_last_half and now.lead + now.runs_at_stake > 0:
        return 1.0
    return min(0.95, 0.25 * now.runs_at_stake + 0.3 * now.outs)
