"""How a beginner plays Small Ball: afraid for every run, and fond of trying things out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from managers.games.small_ball.position import Position
from managers.manager import Weighed

TRIED = {"bat": 0.8, "hit-and-run": 0.05, "sacrifice": 0.05, "steal-second": 0.1, "steal-third": 0.05}
"""How likely a beginner tries something out, before others are added; anything else has `SELDOM`."""
SELDOM = 0.03
ALWAYS = ("bat-on", "coin-flip")
"""What a beginner answers whenever it is offered."""


def shared(now: Position | None, weighed: Sequence[Weighed]) -> list[Weighed]:
    """Return the answers with a beginner's shares; `now` is None before the game."""
    likes = {one.value: wish(now, one.value) for one in weighed}
    bank = likes.pop("bank", 0.0)
    others = sum(likes.values())
    shares = {option: (1 - bank) * wish_ / others for option, wish_ in likes.items()} if others else {}
    return [replace(one, share=bank if one.value == "bank" else shares[one.value]) for one in weighed]


def wish(now: Position | None, option: str) -> float:
    """Return how much a beginner likes this: for a bank its share, for anything else a part of what is left."""
    if option in ALWAYS:
        return 100.0
    if now is None:
        return 1.0
    match option:
        case "bank":
            return fear(now)
        case "sacrifice" if now.outs == 2:
            return 0.0
        case "no":
            return 0.2
        case "none":
            return 0.0
    return TRIED.get(option, SELDOM)


def fear(now: Position) -> float:
    """Return how often a beginner banks: the more runs and outs, the sooner, but never to lose at once."""
    if not now.runs or (now.last and now.lead + now.runs < 0):
        return 0.0
    if now.last and now.lead + now.runs > 0:
        return 1.0
    return min(0.95, 0.25 * now.runs + 0.3 * now.outs)
