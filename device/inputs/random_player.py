"""Legal random answers, chosen from an ask as its seat is shown it, never from the state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

USUAL = 0.5
"""Probability of taking the first option, the game's plain one; else every option has the same chance."""


OFTEN: Mapping[str, float] = {
    "mulligan": 0.9,
    "line-up": 1.0,
    "defence": 0.97,
    "changes": 0.97,
    "offence": 0.85,
    "infield": 0.8,
    "take-back": 0.8,
}
"""The same for asks, by their code, where another option is seldom wise."""


def pick(ask: Mapping[str, Any], random: Random) -> Any:
    """Return a legal answer, in JSON form, to an ask as `Table.show` gives it to its own seat."""
    match ask["kind"]:
        case "roll":
            return [random.choice(die["faces"]) for die in ask["dice"]]
        case "reroll":
            again = random.sample(ask["free"], random.randint(1, min(ask["most"], len(ask["free"]))))
            return [random.choice(die["faces"]) if place in again else None for place, die in enumerate(ask["dice"])]
        case "choose":
            options = ask["options"]
            usual = random.random() < OFTEN.get(ask["why"], USUAL)
            return (options[0] if usual else random.choice(options))["value"]
        case "draw":
            return random.choice(ask["options"])["value"]
        case "call":
            return random.choice(ask["wins"])
        case "arrange":
            pieces = [piece["value"] for piece in ask["pieces"]]
            places = [place["value"] for place in ask["places"]]
            count = random.randint(ask["least"], min(len(pieces), len(places)))
            return dict(zip(random.sample(places, count), random.sample(pieces, count), strict=True))
    raise ValueError(f"no such kind of ask: {ask['kind']}")
