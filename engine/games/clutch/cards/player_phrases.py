"""Conditions of cards on players, and what puts conditions together. conditions.fits checks them.

    who = "plays for Harbor or has GG"

"and" binds closer than "or". A name with either in it stands in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.games.clutch.cards.effects import Condition
from engine.games.clutch.cards.grammar import BASE, CODE, SPOT, measure, neat, plain, split
from engine.phrases import Row, Slot, Vocabulary, either, meaning

Facts = tuple[tuple[str, str, Any], ...]  # Fact, op and value of each condition in a phrase.


def facts(_: str, fact: str, op: str = "is", value: Any = None, size: Any = None, **names: str) -> Facts:
    """Return the one condition of a phrase; `size` gives op and value, and `names` complete the fact."""
    return ((fact.format(**names), *(size or (op, value))),)


def name(text: str) -> str:
    """Return a name for comparison: without quotation marks and case."""
    return text.strip('"').casefold()


NAME = Slot(".+", name, ())  # A name, as typed.


def _all(read: Callable[[str], Any], between: str) -> Callable[[str], frozenset[Any]]:
    return lambda text: frozenset(map(read, text.split(between)))


_NUMBERED = {
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
_ROLES = {"an SP": frozenset({"SP"}), "an RP": frozenset({"RP"}), "an OP": frozenset({"OP"}), "a BP": frozenset({"BP"})}

TRAITS = Vocabulary(
    "kind of player",
    facts,
    {
        "side": meaning({"left": "L", "right": "R"}),
        "spots": Slot(f"(?:{SPOT.pattern})(?: or (?:{SPOT.pattern}))*", _all(SPOT.read, " or "), ()),
        "number": meaning(_NUMBERED),
        "any": measure(-99, 9999),
        "role": meaning(
            {**_ROLES, "a pitcher": frozenset[str]().union(*_ROLES.values()), "a batter": frozenset({""})}, plain=plain
        ),
    },
    Row("(?:bats|throws) {value:side}", "the current side", "bats left, throws right", fact="side"),
    Row("is a switch hitter", "as the card says", fact="hand", value="S"),
    Row(
        "plays {value:spots}",
        "the current position; also P and DH",
        "plays CF, plays LF or RF",
        fact="playing",
        op="in",
    ),
    Row("can play {value:spots}", "a position on the card", "can play SS", fact="positions", op="has"),
    Row(
        "has {fact:number} {size:any}",
        "a number on the card: on-base, command, br, st, clutch, defense, salary",
        "has on-base 9 or less, has br 18 or more",
    ),
    Row(
        "is {value:role}",
        "the role in this game; also OP and BP",
        "is an SP, is an RP, is a pitcher, is a batter",
        fact="role",
        op="in",
    ),
    plain=plain,
)
"""Conditions on players."""

NAMED = Vocabulary(
    "kind of player",
    facts,
    {"name": NAME, "icon": Slot(rf"(?!(?:{either(_NUMBERED)})$)\w{{1,8}}", str.casefold, ("HR",))},
    Row("has (?:the )?{value:icon}", "an icon", fact="icons", op="icon"),
    Row("plays for {value:name}", "the team", "plays for Harbor", fact="team", op="name"),
    Row("is of (?:the )?set {value:name}", "the card set", "is of set Originals", fact="set", op="name"),
    Row("is named {value:name}", "the name", "is named Bo Amber", fact="name", op="name"),
    plain=str.lower,
)
"""Conditions on players with names, which stay as typed."""

WHO: Vocabulary[Any] = Vocabulary(
    "kind of player",
    tuple,
    {},
    Row("", "all players", "anybody"),
    *TRAITS.framed("{}"),
    *NAMED.framed("{}"),
    Row("", "the opposite", "does not have HR, is not a pitcher"),
    Row("", "one of the two, or both", "plays LF or plays RF, bats left and has HR"),
)
"""Every form of a condition on players; `who` puts it together."""


def who(value: Any) -> tuple[Condition, ...]:
    """Read conditions on players, as "plays CF", see conditions.fits. Raises PhraseError."""
    text = neat(value)
    return () if plain(text) == "anybody" else combined(text, trait, WHO)


def trait(text: str) -> Facts:
    """Read one condition on a player; return () if it is unknown."""
    return TRAITS.find(text) or NAMED.find(text) or ()


Leaf = Callable[[str], Facts]  # Reads one phrase without and, or and not; returns () if it is unknown.

_ITEM = rf"(?:(?:an? )?{CODE}|{BASE.pattern}|{SPOT.pattern})(?= and | or |$)"
_AND = rf" and (?!{_ITEM})"
_OR = rf" or (?!(?:more|less|fewer|higher|lower|later|earlier)\b(?! than))(?!{_ITEM})"
"""An "and" or "or" between two phrases, not within one: "first and third", "GB or FB", "2 or more"."""

_NOT = (
    (r"^not ", ""),
    (r"^nobody has ", "somebody has "),
    (r"\bdoes not have ", "has "),
    (r"\bdoes not (play|bat|throw) ", r"\1s "),
    (r"\b(is|am|was|were|has|have|can|do|did) not ", r"\1 "),
)
"""Negations, and how a phrase reads without them."""


def combined(text: str, leaf: Leaf, phrases: Vocabulary[Any]) -> tuple[Condition, ...]:
    """Read conditions joined by and, or; `leaf` reads one of them. Raises PhraseError, as `phrases` words it."""
    parts = [split(way, _AND) for way in split(text, _OR)]
    ways = tuple(tuple(found for part in way for found in one(part, leaf, phrases)) for way in parts)
    return ways[0] if len(ways) == 1 else (Condition(text, "", "any", ways),)


def one(text: str, leaf: Leaf, phrases: Vocabulary[Any]) -> tuple[Condition, ...]:
    """Read one condition, which may be a negation. Raises PhraseError, as `phrases` words it."""
    if not text.lower().startswith("not ") and (found := leaf(text)):
        return tuple(Condition(text, *fact) for fact in found)
    for no, yes in _NOT:
        phrase = re.sub(no, yes, text, count=1, flags=re.IGNORECASE)
        if phrase != text and (found := leaf(phrase)):
            return (Condition(text, "", "not", tuple(Condition(phrase, *fact) for fact in found)),)
    raise phrases.unknown(text)
