"""A hand that gives legal random answers. It reads an ask as its seat is shown it, never the state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

USUAL = 0.5
"""How often the first option, a game's plain one, is taken before all are given the same chance."""


def pick(ask: Mapping[str, Any], random: Random) -> Any:
    """A legal answer, in JSON form, to one ask as `Table.show` gives it to its own seat."""
    match ask["kind"]:
        case "roll":
            return [random.choice(die["faces"]) for die in ask["dice"]]
        case "reroll":
            again = random.sample(ask["free"], random.randint(1, min(ask["most"], len(ask["free"]))))
            return [random.choice(die["faces"]) if place in again else None for place, die in enumerate(ask["dice"])]
        case "choose":
            options = ask["options"]
            return (options[0] if random.random() < USUAL else random.choice(options))["value"]
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
