"""Sensible players, one for each game. They mostly pass cards, bat in order, and seldom steal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.asks import Arrange, Ask, Choose
from engine.games.clutch.strategy_cards.windows import SWING_OPTION
from tests.engine.games.clutch import manager as clutch_manager
from tests.engine.games.seventh_inning_stretch import manager as stretch_manager
from tests.engine.tables import inside, pick

Player = Callable[[Ask], Any]  # Returns a legal answer to an ask.

StateGetter = Callable[[], Any]  # Returns the state of the game.

CARD_CHANCE = 0.1  # Chance that a playable card of Clutch is played.


def clutch_player(look: StateGetter, seed: int) -> Player:
    """Build the tests' manager with few cards, which answers passes together with the pitch or the swing."""
    manager, chance = clutch_manager.Manager(look, seed), Random(seed)

    def answer(ask: Ask) -> Any:
        asked, idle = inside(ask), chance.random() > CARD_CHANCE
        if not isinstance(asked, Choose):
            return manager(ask)
        if ask.why.startswith("cards-") and idle:
            return SWING_OPTION if SWING_OPTION in asked.options else "pass"
        value = manager(ask)
        return f"{value}-now" if idle and f"{value}-now" in asked.options else value

    return answer


def stretch_player(look: StateGetter, seed: int) -> Player:
    return stretch_manager.Manager(look, seed)


def first_option_player(look: StateGetter, seed: int) -> Player:
    """Build a player that takes the first option and banks any run.

    Cards, pitches, guesses and dice are random. Existing layouts are kept.
    """
    chance = Random(seed)

    def answer(ask: Ask) -> Any:
        asked = inside(ask)
        if isinstance(asked, Choose) and asked is ask:
            return "bank" if ask.why == "decision" and ask.facts["stake"] and "bank" in asked.options else usual(asked)
        if isinstance(asked, Arrange) and asked.unchanged_layout is not None:
            return asked.unchanged_layout
        return pick(ask, chance.randrange(1 << 30))

    def usual(ask: Choose) -> str:
        return chance.choice(ask.options) if ask.why in ("shown", "leave-out", "flip", "remove") else ask.options[0]

    return answer
