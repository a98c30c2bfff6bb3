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

from engine.cards import quoted
from engine.games.clutch.cards.action_phrases import ACTIONS, EFFECTS, TRIALS
from engine.games.clutch.cards.condition_phrases import CONDITIONS, condition
from engine.games.clutch.cards.effects import Cost, Effect, Lasts, Trial
from engine.games.clutch.cards.grammar import CODE, neat, plain, split
from engine.games.clutch.cards.player_phrases import WHO, who
from engine.games.clutch.cards.trigger_phrases import TRIGGERS, trigger
from engine.phrases import PhraseError, Row, Vocabulary, meaning, number

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

COSTS = Vocabulary(
    "cost",
    Cost,
    {"hand": number(1, 7), "deck": number(1, 9), "random": meaning({"at random": "random"})},
    Row(
        "discard {count:hand}(?: {side:offense|defense|neutral})?(?: cards?)?(?: {how:random})?",
        "cards of your hand, of your choice; also defense and neutral cards",
        "discard 1, discard 2, discard 1 offense card",
        verb="discard",
    ),
    Row("", "of your hand, drawn by chance", "discard 1 at random"),
    Row(
        "discard {count:deck}(?: cards?)? from (?:my )?deck",
        "the top cards of your deck",
        "discard 2 from the deck",
        verb="mill",
    ),
    Row("skip the next draw", "no card after this half-inning", verb="skip"),
    plain=plain,
)
"""Every cost."""

LASTS = Vocabulary(
    "length of time",
    Lasts,
    {"halves": number(1, 9)},
    Row("this roll", "one roll of a die", unit="roll"),
    Row("this throw", "one throw or check", unit="throw"),
    Row("this at-bat", "until it is over, which is the default", unit="at-bat"),
    Row("the next at-bat", "the one after this", unit="next-at-bat"),
    Row("this half-inning", "until its end", unit="half"),
    Row("{count:halves} half-innings?", "this one is the first", "2 half-innings", unit="half"),
    Row("this inning", "until both sides have batted", unit="inning"),
    Row("while the player is in the game", "the player whom the card is left on", unit="player"),
    Row("while it stays in play", "a Momentum card, or one that is left on a player", unit="play"),
    Row("this game", "until it is over", unit="game"),
    plain=plain,
)
"""How long an effect can last."""


def cost(value: Any) -> Cost:
    """Read a cost, as "discard 1". Raises PhraseError."""
    return COSTS.read(neat(value))


def lasts(value: Any) -> Lasts:
    """Read how long an effect lasts, as "this half-inning". Raises PhraseError."""
    return LASTS.read(neat(value))


def effect(value: Any) -> tuple[Effect, ...]:
    """Read the effects of a phrase in order, as "swing +2 and draw 1". Raises PhraseError."""
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
        raise PhraseError(f"{quoted(text)} can have one if and one else.")
    if decides := TRIALS.find(wish):
        yield _tried(text, decides[0], decides[1], then, otherwise)
    else:
        yield Effect(text, "if", when=condition(wish), then=then, otherwise=otherwise)


def _several(text: str) -> tuple[Effect, ...]:
    return tuple(map(ACTIONS.read, split(text, " and ")))


def _whole(text: str, then: tuple[Effect, ...]) -> str:
    """Return the whole phrase after else, which may be only an amount: "swing +2 if runners on else +1"."""
    if re.fullmatch(r"[+-].+", text) and [one.verb for one in then] == ["mod"]:
        return re.sub(r"[+-].+$", text, then[0].text)
    return text


def _tried(text: str, trial: Trial, of: str, then: tuple[Effect, ...], otherwise: tuple[Effect, ...]) -> Effect:
    """Return the effect that depends on a trial: one change of a result, or anything else."""
    if any(one.verb == "change" for one in (*then, *otherwise)):
        if len(then) > 1 or otherwise:
            raise PhraseError(
                f"{quoted(text)} changes a result by a trial and does more; that belongs in success, failure."
            )
        return replace(then[0], text=text, verb="try", of=of, trial=trial)
    made, failed = (then, otherwise) if of == "made" else (otherwise, then)
    return Effect(text, "call", trial=trial, then=made, otherwise=failed)
