"""Legal random answers. They are chosen from an ask as its own seat sees it, never from the state."""

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.ask_views import AskView, ChooseView

USUAL = 0.5  # probability of taking the first option, the game's plain one; else every option has the same chance

# The same for asks, by their code, where another option is seldom wise.
OFTEN: Mapping[str, float] = {
    "mulligan": 0.9,
    "line-up": 1.0,
    "defence": 0.97,
    "changes": 0.97,
    "offence": 0.85,
    "infield": 0.8,
    "take-back": 0.8,
}


def pick(ask: AskView, random: Random) -> Any:
    """Return a legal answer, in JSON form, to an ask as its own seat sees it. Raises LookupError for a secret draw."""
    if isinstance(ask, ChooseView) and ask.kind == "choose" and random.random() < OFTEN.get(ask.why, USUAL):
        return ask.options[0].value
    return ask.random_answer(random)
