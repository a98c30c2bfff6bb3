"""Phrases for conditions on players, and combinations of conditions. `conditions.is_matching_player` evaluates them.

    who = "plays for Harbor or has GG"

"and" binds closer than "or". Quote a name that contains either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.games.clutch.cards.effects import Condition
from engine.games.clutch.cards.grammar import (
    BASE_SLOT,
    CODE_PATTERN,
    POSITION_SLOT,
    comparison_slot,
    normalized_phrase,
    plain_phrase,
    split_phrase,
)
from engine.phrases import PhraseRow, PhraseSlot, Vocabulary, alternatives_pattern, value_slot

ConditionFacts = tuple[tuple[str, str, Any], ...]  # (fact, op, value) of each condition.


def build_facts(_: str, fact: str, op: str = "is", value: Any = None, size: Any = None, **names: str) -> ConditionFacts:
    """Build the one condition of a phrase. `size` is a pair of op and value, and `names` complete the fact."""
    return ((fact.format(**names), *(size or (op, value))),)


def comparable_name(text: str) -> str:
    return text.strip('"').casefold()


NAME_SLOT = PhraseSlot(".+", comparable_name, ())  # A name, as typed.


def _set_reader(read: Callable[[str], Any], between: str) -> Callable[[str], frozenset[Any]]:
    return lambda text: frozenset(map(read, text.split(between)))


_NUMBER_WORDS = {
    "on-base": "on_base",
    "command": "command",
    "br": "br",
    "baserunning": "br",
    "st": "st",
    "stealing": "st",
    "clutch": "clutch",
    "defense": "defense",
    "salary": "salary",
}
_ROLE_WORDS = {
    "an SP": frozenset({"SP"}),
    "an RP": frozenset({"RP"}),
    "an OP": frozenset({"OP"}),
    "a BP": frozenset({"BP"}),
}

TRAIT_PHRASES = Vocabulary(
    "kind of player",
    build_facts,
    {
        "side": value_slot({"left": "L", "right": "R"}),
        "spots": PhraseSlot(
            f"(?:{POSITION_SLOT.pattern})(?: or (?:{POSITION_SLOT.pattern}))*",
            _set_reader(POSITION_SLOT.read, " or "),
            (),
        ),
        "number": value_slot(_NUMBER_WORDS),
        "any": comparison_slot(-99, 9999),
        "role": value_slot(
            {**_ROLE_WORDS, "a pitcher": frozenset[str]().union(*_ROLE_WORDS.values()), "a batter": frozenset({""})},
            plain=plain_phrase,
        ),
    },
    PhraseRow("(?:bats|throws) {value:side}", "the current side", "bats left, throws right", fact="side"),
    PhraseRow("is a switch hitter", "as the card says", fact="hand", value="S"),
    PhraseRow(
        "plays {value:spots}",
        "the current position; also P and DH",
        "plays CF, plays LF or RF",
        fact="playing",
        op="in",
    ),
    PhraseRow("can play {value:spots}", "a position on the card", "can play SS", fact="positions", op="has"),
    PhraseRow(
        "has {fact:number} {size:any}",
        "a number on the card: on-base, command, br, st, clutch, defense, salary",
        "has on-base 9 or less, has br 18 or more",
    ),
    PhraseRow(
        "is {value:role}",
        "the role in this game; also OP and BP",
        "is an SP, is an RP, is a pitcher, is a batter",
        fact="role",
        op="in",
    ),
    plain=plain_phrase,
)
"""Conditions on players."""

NAMED_TRAIT_PHRASES = Vocabulary(
    "kind of player",
    build_facts,
    {
        "name": NAME_SLOT,
        "icon": PhraseSlot(rf"(?!(?:{alternatives_pattern(_NUMBER_WORDS)})$)\w{{1,8}}", str.casefold, ("HR",)),
    },
    PhraseRow("has (?:the )?{value:icon}", "an icon", fact="icons", op="icon"),
    PhraseRow("plays for {value:name}", "the team", "plays for Harbor", fact="team", op="name"),
    PhraseRow("is of (?:the )?set {value:name}", "the card set", "is of set Originals", fact="set", op="name"),
    PhraseRow("is named {value:name}", "the name", "is named Bo Amber", fact="name", op="name"),
    plain=str.lower,
)
"""Conditions on players with names, which keep their spelling."""

PLAYER_PHRASES: Vocabulary[Any] = Vocabulary(
    "kind of player",
    tuple,
    {},
    PhraseRow("", "all players", "anybody"),
    *TRAIT_PHRASES.framed_rows("{}"),
    *NAMED_TRAIT_PHRASES.framed_rows("{}"),
    PhraseRow("", "the opposite", "does not have HR, is not a pitcher"),
    PhraseRow("", "one of the two, or both", "plays LF or plays RF, bats left and has HR"),
)
"""Every form of a condition on players, as `parse_player_conditions` combines it."""


def parse_player_conditions(value: Any) -> tuple[Condition, ...]:
    """Parse conditions on players, such as "plays CF". Raise PhraseError."""
    text = normalized_phrase(value)
    return () if plain_phrase(text) == "anybody" else parse_combined(text, parse_trait, PLAYER_PHRASES)


def parse_trait(text: str) -> ConditionFacts:
    """Parse one condition on a player, or return () if it is unknown."""
    return TRAIT_PHRASES.find_effect(text) or NAMED_TRAIT_PHRASES.find_effect(text) or ()


LeafReader = Callable[[str], ConditionFacts]  # Parses a phrase without and, or, not. () is unknown.

_ITEM_PATTERN = rf"(?:(?:an? )?{CODE_PATTERN}|{BASE_SLOT.pattern}|{POSITION_SLOT.pattern})(?= and | or |$)"
_AND_PATTERN = rf" and (?!{_ITEM_PATTERN})"
_OR_PATTERN = rf" or (?!(?:more|less|fewer|higher|lower|later|earlier)\b(?! than))(?!{_ITEM_PATTERN})"
"""An "and" or "or" between two phrases, not within one like "first and third", "GB or FB", "2 or more"."""

_NEGATION_REWRITES = (
    (r"^not ", ""),
    (r"^nobody has ", "somebody has "),
    (r"\bdoes not have ", "has "),
    (r"\bdoes not (play|bat|throw) ", r"\1s "),
    (r"\b(is|am|was|were|has|have|can|do|did) not ", r"\1 "),
)
"""Negations and their replacements."""


def parse_combined(text: str, leaf: LeafReader, phrases: Vocabulary[Any]) -> tuple[Condition, ...]:
    """Parse conditions joined by and, or. `leaf` parses one of them. Raise PhraseError in the words of `phrases`."""
    parts = [split_phrase(way, _AND_PATTERN) for way in split_phrase(text, _OR_PATTERN)]
    ways = tuple(tuple(found for part in way for found in parse_single(part, leaf, phrases)) for way in parts)
    return ways[0] if len(ways) == 1 else (Condition(text, "", "any", ways),)


def parse_single(text: str, leaf: LeafReader, phrases: Vocabulary[Any]) -> tuple[Condition, ...]:
    """Parse one condition, which may be a negation. Raise PhraseError in the words of `phrases`."""
    if not text.lower().startswith("not ") and (found := leaf(text)):
        return tuple(Condition(text, *fact) for fact in found)
    for no, yes in _NEGATION_REWRITES:
        phrase = re.sub(no, yes, text, count=1, flags=re.IGNORECASE)
        if phrase != text and (found := leaf(phrase)):
            return (Condition(text, "", "not", tuple(Condition(phrase, *fact) for fact in found)),)
    raise phrases.unknown_phrase_error(text)
