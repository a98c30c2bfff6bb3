"""The language of strategy cards for triggers, conditions, costs, effects and durations.

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

from engine.cards import quoted_value
from engine.games.clutch.cards.action_phrases import ACTION_PHRASES, EFFECT_PHRASES, TRIAL_PHRASES
from engine.games.clutch.cards.condition_phrases import CONDITION_PHRASES, parse_condition
from engine.games.clutch.cards.effects import CardCost, CardEffect, EffectDuration, Trial
from engine.games.clutch.cards.grammar import CODE_PATTERN, normalized_phrase, plain_phrase, split_phrase
from engine.games.clutch.cards.player_phrases import PLAYER_PHRASES, parse_player_conditions
from engine.games.clutch.cards.trigger_phrases import TRIGGER_PHRASES, parse_trigger
from engine.phrases import PhraseError, PhraseRow, Vocabulary, number_slot, value_slot

__all__ = [
    "CONDITION_PHRASES",
    "COST_PHRASES",
    "DURATION_PHRASES",
    "EFFECT_PHRASES",
    "PLAYER_PHRASES",
    "TRIGGER_PHRASES",
    "parse_condition",
    "parse_cost",
    "parse_duration",
    "parse_effects",
    "parse_player_conditions",
    "parse_trigger",
]

COST_PHRASES = Vocabulary(
    "cost",
    CardCost,
    {"hand": number_slot(1, 7), "deck": number_slot(1, 9), "random": value_slot({"at random": "random"})},
    PhraseRow(
        "discard {count:hand}(?: {side:offense|defense|neutral})?(?: cards?)?(?: {how:random})?",
        "cards of your hand, of your choice; also defense and neutral cards",
        "discard 1, discard 2, discard 1 offense card",
        verb="discard",
    ),
    PhraseRow("", "of your hand, drawn by chance", "discard 1 at random"),
    PhraseRow(
        "discard {count:deck}(?: cards?)? from (?:my )?deck",
        "the top cards of your deck",
        "discard 2 from the deck",
        verb="mill",
    ),
    PhraseRow("skip the next draw", "no card after this half-inning", verb="skip"),
    plain=plain_phrase,
)
"""Every cost."""

DURATION_PHRASES = Vocabulary(
    "length of time",
    EffectDuration,
    {"halves": number_slot(1, 9)},
    PhraseRow("this roll", "one roll of a die", unit="roll"),
    PhraseRow("this throw", "one throw or check", unit="throw"),
    PhraseRow("this at-bat", "until it is over, which is the default", unit="at-bat"),
    PhraseRow("the next at-bat", "the one after this", unit="next-at-bat"),
    PhraseRow("this half-inning", "until its end", unit="half"),
    PhraseRow("{count:halves} half-innings?", "this one is the first", "2 half-innings", unit="half"),
    PhraseRow("this inning", "until both sides have batted", unit="inning"),
    PhraseRow("while the player is in the game", "the player whom the card is left on", unit="player"),
    PhraseRow("while it stays in play", "a Momentum card, or one that is left on a player", unit="play"),
    PhraseRow("this game", "until it is over", unit="game"),
    plain=plain_phrase,
)
"""Every duration of an effect."""


def parse_cost(value: Any) -> CardCost:
    """Parse a cost, such as "discard 1". Raise PhraseError."""
    return COST_PHRASES.parse_phrase(normalized_phrase(value))


def parse_duration(value: Any) -> EffectDuration:
    """Parse the duration of an effect, such as "this half-inning". Raise PhraseError."""
    return DURATION_PHRASES.parse_phrase(normalized_phrase(value))


def parse_effects(value: Any) -> tuple[CardEffect, ...]:
    """Parse the effects of a phrase in order, such as "swing +2 and draw 1". Raise PhraseError."""
    text = normalized_phrase(value)
    if plain_phrase(text) == "nothing":
        return ()
    joined = re.sub(r", else\b", " else", text, flags=re.IGNORECASE)
    return tuple(one for part in split_phrase(joined, ", ") for one in _parse_clause(part))


_EITHER_PATTERN = rf"either (.+?) or (?!(?:more|less)\b|(?:an? )?{CODE_PATTERN} (?:or|to) )(.+)"
"""A choice between two effects. The "or" of "2 or more" and "SO or GB to FB" does not divide them."""


def _parse_clause(text: str) -> Iterator[CardEffect]:
    """Parse the part of a phrase between two commas."""
    if choice := re.fullmatch(_EITHER_PATTERN, text, re.IGNORECASE):
        yield CardEffect(text, "either", then=_parse_several(choice[1]), otherwise=_parse_several(choice[2]))
        return
    deed, *hangs = split_phrase(text, " if ")
    if not hangs:
        yield from _parse_several(deed)
        return
    then = _parse_several(deed)
    wish, *others = split_phrase(" if ".join(hangs), " else ")
    otherwise = tuple(one for other in others for one in _parse_several(_complete_phrase(other, then)))
    if len(hangs) > 1 or len(others) > 1:
        raise PhraseError(f"{quoted_value(text)} can have one if and one else.")
    if decides := TRIAL_PHRASES.find_effect(wish):
        yield _build_trial_effect(text, decides[0], decides[1], then, otherwise)
    else:
        yield CardEffect(text, "if", when=parse_condition(wish), then=then, otherwise=otherwise)


def _parse_several(text: str) -> tuple[CardEffect, ...]:
    return tuple(map(ACTION_PHRASES.parse_phrase, split_phrase(text, " and ")))


def _complete_phrase(text: str, then: tuple[CardEffect, ...]) -> str:
    """Complete the phrase after else, which may be only an amount, as in "swing +2 if runners on else +1"."""
    if re.fullmatch(r"[+-].+", text) and [one.verb for one in then] == ["mod"]:
        return re.sub(r"[+-].+$", text, then[0].text)
    return text


def _build_trial_effect(
    text: str, trial: Trial, of: str, then: tuple[CardEffect, ...], otherwise: tuple[CardEffect, ...]
) -> CardEffect:
    """Build the effect that depends on a trial, either one change of a result or any other effects."""
    if any(one.verb == "change" for one in (*then, *otherwise)):
        if len(then) > 1 or otherwise:
            raise PhraseError(
                f"{quoted_value(text)} changes a result by a trial and does more; that belongs in success, failure."
            )
        return replace(then[0], text=text, verb="try", of=of, trial=trial)
    made, failed = (then, otherwise) if of == "made" else (otherwise, then)
    return CardEffect(text, "call", trial=trial, then=made, otherwise=failed)
