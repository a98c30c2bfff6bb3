"""Legal random answers, chosen from an ask as its own seat sees it, never from the state."""

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.ask_views import AskView, ChooseView
from engine.games import GAMES

DEFAULT_FIRST_OPTION_CHANCE = 0.5
"""Probability of the first option, the game's basic one. Else all options are equally likely."""

# The same for each ask code that the games set.
FIRST_OPTION_CHANCES: Mapping[str, float] = {why: often for game in GAMES.values() for why, often in game.plain.items()}


def pick_answer(ask: AskView, random: Random) -> Any:
    """Pick a legal answer, as JSON, to an ask as its own seat sees it. Raises LookupError for a secret draw."""
    if (
        isinstance(ask, ChooseView)
        and ask.kind == "choose"
        and random.random() < FIRST_OPTION_CHANCES.get(ask.why, DEFAULT_FIRST_OPTION_CHANCE)
    ):
        return ask.options[0].value
    return ask.random_answer(random)
