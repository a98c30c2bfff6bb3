"""Normalization of phrases on cards, and slots for results, positions, units and sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from engine.cards import quoted_value
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_types import DH, FIELD_POSITIONS
from engine.games.clutch.cards.effects import FIELDING_UNITS, RESULT_GROUPS, ROLL_KINDS, RUNNER_BASES
from engine.games.clutch.cards.result_chart import RESULT_CODES
from engine.phrases import PhraseSlot, alternatives_pattern, range_slot, text_with_digits, value_slot, word_slot

MAX_PHRASE_LENGTH = 240  # Characters.

_SIGN_TRANSLATION = str.maketrans("−–—’“”", '---\'""')


def normalized_phrase(value: Any) -> str:
    """Return a phrase as typed, with single spaces. Raise ValueError if it is not text, or too long."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"needs a phrase, not {quoted_value(value)}.")
    if len(value) > MAX_PHRASE_LENGTH or not value.isprintable():
        raise ValueError(f"needs a phrase of at most {MAX_PHRASE_LENGTH} characters on one line.")
    return " ".join(value.translate(_SIGN_TRANSLATION).split())


@lru_cache(4096)  # Exceeds the phrases of a set of cards, most of which are parsed several times.
def plain_phrase(text: str) -> str:
    """Return a phrase in lower case, with digits for numbers, no articles, and "2 or less" for "fewer than three"."""
    phrase = re.sub(r"\b(?:an?|the) ", "", text.lower())
    phrase = re.sub(r"\bno\b", "0", text_with_digits(phrase))
    phrase = re.sub(r"\b(?:less|fewer) than ([0-9]{1,4})\b", lambda less: f"{int(less[1]) - 1} or less", phrase)
    phrase = re.sub(r"\bmore than ([0-9]{1,4})\b", lambda more: f"{int(more[1]) + 1} or more", phrase)
    phrase = re.sub(
        r"\bat (least|most) ([0-9]{1,4})\b", lambda at: f"{at[2]} or {_COMPARATIVE_BY_BOUND[at[1]]}", phrase
    )
    return re.sub(rf"([0-9]{{1,4}}) ({_COUNTABLE_PATTERN}) (or (?:more|less|fewer))\b", r"\1 \3 \2", phrase)


_COMPARATIVE_BY_BOUND = {"least": "more", "most": "less"}
_COUNTABLE_PATTERN = "outs?(?: left)?|cards?|runners?|batters?|earned runs?"


def split_phrase(text: str, between: str) -> list[str]:
    """Split a phrase at a pattern, except inside quotation marks. Ignore case."""
    return re.split(rf'{between}(?=(?:[^"]*"[^"]*")*[^"]*$)', text, flags=re.IGNORECASE)


def comparison_slot(low: int, high: int) -> PhraseSlot:
    """Return a slot for a number to compare with, odd and even too. Its values are op and value of a condition."""
    plain = range_slot(low, high)

    def parse_comparison(text: str) -> tuple[str, Any]:
        return ("odd", int(text == "odd")) if text in ("odd", "even") else ("range", plain.read(text))

    return PhraseSlot(f"{plain.pattern}|odd|even", parse_comparison, ())


_RESULTS_BY_WORD: Mapping[str, str] = {code.lower(): code for code in RESULT_CODES} | {
    "strikeout": "SO",
    "ground ball": "GB",
    "fly ball": "FB",
    "line drive": "LD",
    "walk": "BB",
    "single": "1B",
    "double": "2B",
    "triple": "3B",
    "home run": "HR",
    "hit by pitch": "HBP",
    "out": "out",
    "hit": "hit",
    "extra-base hit": "extra-base",
}

# One result or group of results in a plain phrase.
CODE_PATTERN = f"(?:{alternatives_pattern(_RESULTS_BY_WORD)})"


def _parse_codes(text: str) -> tuple[str, ...]:
    return tuple(_RESULTS_BY_WORD[one] for one in re.split(r", or |, | or ", text))


def _parse_result(text: str) -> str:
    if (code := _RESULTS_BY_WORD[text]) not in RESULT_CODES:
        raise ValueError("needs one result to turn it into, as 1B.")
    return code


# Several results or groups of them.
CODES_SLOT = PhraseSlot(f"{CODE_PATTERN}(?:(?:,| or|, or) {CODE_PATTERN})*", _parse_codes, ())

RESULT_SLOT = PhraseSlot(CODE_PATTERN, _parse_result, ())  # One result, not a group.


def expand_groups(found: Iterable[str]) -> frozenset[str]:
    return frozenset(code for one in found for code in RESULT_GROUPS.get(one, {one}))


POSITION_SLOT = value_slot(
    {spot.lower(): spot for spot in (*FIELD_POSITIONS, DH, "P")}
    | {POSITION_NAMES[spot]: spot for spot in FIELD_POSITIONS}
)
"""A position, or the pitcher's "P"."""

_POSITION_PATTERN = alternatives_pattern(name.lower() for name in (*FIELD_POSITIONS, "P"))

UNIT_SLOT = PhraseSlot(
    rf"{alternatives_pattern(FIELDING_UNITS)}|(?:{_POSITION_PATTERN})(?:\+(?:{_POSITION_PATTERN}))*",
    lambda text: text if text in FIELDING_UNITS else text.upper(),
    (),
)
"""A unit of the defense, or positions."""

BASE_SLOT = word_slot(*RUNNER_BASES)
ROLL_SLOT = word_slot(*ROLL_KINDS)
