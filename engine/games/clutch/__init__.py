"""Clutch: a full card game of baseball, at-bat by at-bat.

`rules` picks the next play. The folders are the chapters of the rulebook, and each imports only those below it:
at_bat; running, substitutions; strategy_cards; numbers, records; pitching; cards. import-linter holds that order.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Game, Way
from engine.games.clutch import scoreboard
from engine.games.clutch.cards.card_fields import SHAPES
from engine.games.clutch.cards.card_set import warnings
from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.rules import next_play, start
from engine.games.clutch.standing import STANDING
from engine.games.clutch.words import WORDS


def ways(house: Mapping[str, str]) -> tuple[Way, ...]:
    """Return the levels, where hands of strategy cards are dealt: these are seen on phones only, real ones by all."""
    if (house["level"], house["hands"]) != ("full", "dealt"):
        return ()
    return (
        Way("Full: a phone each", {}),
        Way("Full: real cards", {"hands": "real"}),
        Way("Players: no phones", {"level": "players"}),
        Way("Basic: no phones", {"level": "basic"}),
    )


QUIET = {
    "pass": ("OK passes, or use a phone", "OK: pass"),
    "keep": ("OK keeps the hand, or use a phone", "OK: keep"),
    "seen": ("OK continues; see a phone", "OK: continue"),
}

ON_PHONES = frozenset({"to-bottom", "over-limit", "discard", "pay", "search"})

PLAIN = {
    "mulligan": 0.9, "line-up": 1.0, "defence": 0.97, "changes": 0.97, "offence": 0.85, "infield": 0.8,
    "take-back": 0.8,
}  # fmt: skip

GAME = Game(
    key="clutch",
    title="Clutch",
    version=2,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard.scoreboard,
    standing=STANDING,
    order=5,
    players="1 or 2",
    minutes=60,
    notes=warnings,
    ways=ways,
    quiet=QUIET,
    on_phones=ON_PHONES,
    plain=PLAIN,
)
