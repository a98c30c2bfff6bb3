"""The language of strategy cards: when a card can be played, conditions, costs, effects, and how long they last.

    when = "on a ground ball"
    if = "a runner on first and fewer than two outs"
    cost = "discard 1"
    do = "change GB to 1B if an infield check fails"
    lasts = "this at-bat"

Case, articles and extra spaces do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.cards import Phrases, quoted, unknown
from engine.games.clutch.cards.action_phrases import EFFECTS, single, trial
from engine.games.clutch.cards.condition_phrases import CONDITIONS, WHO, condition, who
from engine.games.clutch.cards.effects import Cost, Effect, Lasts, Trial
from engine.games.clutch.cards.grammar import CODE, neat, plain, split
from engine.games.clutch.cards.trigger_phrases import TRIGGERS, trigger

__all__ = [
    "CONDITIONS",
    "COSTS",
    "EFFECTS",
    "LASTS",
    "TRIGGERS",
    "WHO",
    "condition",
    "cost",
    "effect",
    "lasts",
    "trigger",
    "who",
]

COSTS: Phrases = {
    "discard 1, discard 2, discard 1 offense card": "cards of your hand, of your choice; defense and neutral cards too",
    "discard 1 at random": "of your hand, chance says which",
    "discard 2 from the deck": "the top cards of your deck",
    "skip the next draw": "no card after this half-inning",
}
"""Every cost, with its explanation, as in docs/cards.md."""

LASTS: Phrases = {
    "this roll": "one roll of a die",
    "this throw": "one throw or check",
    "this at-bat": "until it is over; so it is without any phrase",
    "the next at-bat": "the one after this",
    "this half-inning, 2 half-innings": "until its end; of two, this is the first",
    "this inning": "until both sides have batted",
    "while the player is in the game": "whom the card is left on",
    "while it stays in play": "a Momentum card, or one that is left on a player",
    "this game": "until it is over",
}
"""How long an effect can last, as in docs/cards.md."""


def cost(value: Any) -> Cost:
    """Read a cost, as "discard 1". Raises ValueError with the nearest phrase."""
    text = neat(value)
    phrase = plain(text)
    if hand := re.fullmatch(r"discard ([1-7])(?: (offense|defense|neutral))?(?: cards?)?( at random)?", phrase):
        return Cost(text, "discard", int(hand[1]), "random" if hand[3] else "choice", hand[2] or "")
    if deck := re.fullmatch(r"discard ([1-9])(?: cards?)? from (?:my )?deck", phrase):
        return Cost(text, "mill", int(deck[1]))
    if phrase == "skip next draw":
        return Cost(text, "skip")
    raise ValueError(unknown(text, "cost", COSTS))


_LASTS = {
    "this roll": "roll",
    "this throw": "throw",
    "this at-bat": "at-bat",
    "next at-bat": "next-at-bat",
    "this half-inning": "half",
    "this inning": "inning",
    "while player is in game": "player",
    "while it stays in play": "play",
    "this game": "game",
}


def lasts(value: Any) -> Lasts:
    """Read how long an effect lasts, as "this half-inning". Raises ValueError with the nearest phrase."""
    text = neat(value)
    phrase = plain(text)
    if phrase in _LASTS:
        return Lasts(text, _LASTS[phrase])
    if halves := re.fullmatch(r"([1-9]) half-innings?", phrase):
        return Lasts(text, "half", int(halves[1]))
    raise ValueError(unknown(text, "length of time", LASTS))


def effect(value: Any) -> tuple[Effect, ...]:
    """Read the effects of a phrase in order, as "swing +2 and draw 1". Raises ValueError with the nearest phrase."""
    text = neat(value)
    if plain(text) == "nothing":
        return ()
    joined = re.sub(r", else\b", " else", text, flags=re.IGNORECASE)
    return tuple(one for part in split(joined, ", ") for one in _part(part))


_EITHER = rf"either (.+?) or (?!(?:more|less)\b|(?:an? )?{CODE} (?:or|to) )(.+)"
"""A choice between two effects; the "or" of "2 or more" and "SO or GB to FB" does not divide them."""


def _part(text: str) -> Iterator[Effect]:
    """Read the part of a phrase between two commas."""
    if choice := re.fullmatch(_EITHER, text, re.IGNORECASE):
        yield Effect(text, "either", then=_several(choice[1]), otherwise=_several(choice[2]))
        return
    deed, *hangs = split(text, " if ")
    if not hangs:
        yield from _several(deed)
        return
    then = _several(deed)
    wish, *others = split(" if ".join(hangs), " else ")
    otherwise = tuple(one for other in others for one in _several(_whole(other, then)))
    if len(hangs) > 1 or len(others) > 1:
        raise ValueError(f"{quoted(text)} can have one if and one else.")
    if decides := trial(wish):
        yield _tried(text, decides[0], decides[1], then, otherwise)
    else:
        yield Effect(text, "if", when=condition(wish), then=then, otherwise=otherwise)


def _several(text: str) -> tuple[Effect, ...]:
    return tuple(_one(part) for part in split(text, " and "))


def _one(text: str) -> Effect:
    found = single(text)
    if found is None:
        raise ValueError(unknown(text, "effect", EFFECTS))
    return found


def _whole(text: str, then: tuple[Effect, ...]) -> str:
    """Return the whole phrase after else, which may be only an amount: "swing +2 if runners on else +1"."""
    if re.fullmatch(r"[+-].+", text) and [one.verb for one in then] == ["mod"]:
        return re.sub(r"[+-].+$", text, then[0].text)
    return text


def _tried(text: str, trial: Trial, of: str, then: tuple[Effect, ...], otherwise: tuple[Effect, ...]) -> Effect:
    """Return the effect that depends on a trial: one change of a result, or anything else."""
    if any(one.verb == "change" for one in (*then, *otherwise)):
        if len(then) > 1 or otherwise:
            raise ValueError(
                f"{quoted(text)} changes a result by a trial and does more; that belongs in success, failure."
            )
        return replace(then[0], text=text, verb="try", of=of, trial=trial)
    made, failed = (then, otherwise) if of == "made" else (otherwise, then)
    return Effect(text, "call", trial=trial, then=made, otherwise=failed)
