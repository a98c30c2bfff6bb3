"""A sensible manager: he relieves tired pitchers, plays a card now and then, and runs when it may pay."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from engine.asks import Arrange, Ask, Choose, Draw, Roll
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State
from tests.engine.tables import inside

FIRST = ("roster", "line-up", "starter", "opener", "rotation", "take-back", "looked")
"""Asks for which the first answer is as good as any."""

OFTEN: Mapping[str, Mapping[str, float]] = {
    "mulligan": {"mulligan": 0.15},
    "defence": {"walk": 0.03, "replace": 0.01, "double-switch": 0.005, "positions": 0.005},
    "changes": {"pinch-hitter": 0.1, "pinch-runner": 0.05},
    "walk": {"walk": 0.1},
    "offence": {
        "steal-second": 0.12,
        "steal-third": 0.04,
        "steal-both": 0.05,
        "bunt": 0.06,
        "pinch-hitter": 0.03,
        "pinch-runner": 0.02,
    },
    "infield": {"in": 0.3},
    "bunt-again": {"pitch": 0.5},
}
"""How often each answer is chosen instead of the first one, which changes nothing."""

CARD = 0.35
"""How often a playable card is played."""

RUN = 0.35
"""How often runners try for a base."""

TRIES = ("extra-base", "tag-up", "ground", "send-home")


class Manager:
    """Answers every ask in the game of `look`; dice and draws are random, seeded by `seed`."""

    def __init__(self, look: Callable[[], State], seed: int) -> None:
        self._look, self._random = look, random.Random(seed)

    def __call__(self, ask: Ask) -> Any:
        """Return a legal answer."""
        inner = inside(ask)
        match inner:
            case Roll(dice=dice):
                return tuple(self._random.choice(die.faces) for die in dice)
            case Arrange(pieces=pieces, places=places):
                return dict(zip(places, self._random.sample(pieces, len(places)), strict=True))
            case Draw(options=options):
                return self._random.choice(options)
            case Choose():
                return self._choice(inner)
        raise AssertionError(ask)

    def _choice(self, ask: Choose) -> str:
        options, chance = ask.options, self._random.random()
        if ask.why in FIRST:
            return options[0]
        if ask.why == "defence" and "new-pitcher" in options and self._weary() and chance < 0.9:
            return "new-pitcher"
        if often := OFTEN.get(ask.why):
            for code, share in often.items():
                if code in options:
                    chance -= share
                    if chance < 0:
                        return code
            return options[0]
        if ask.why.startswith("cards-"):
            cards = [one for one in options if one not in ("pass", "not-here", "not-this-inning")]
            return self._random.choice(cards) if cards and chance < CARD else "pass"
        if ask.why in TRIES:
            return options[0] if chance > RUN else self._random.choice(options)
        return self._random.choice([one for one in options if one != "never-mind"] or options)

    def _weary(self) -> bool:
        s = self._look()
        return pitcher_record.is_tired(s.current_record, s.house)
