"""What all phrases on Clutch cards share: normalizing, and slots for results, positions, units and sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from engine.cards import quoted
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_types import DH, POSITIONS
from engine.games.clutch.cards.effects import BASES, GROUPS, ROLLS, UNITS
from engine.games.clutch.cards.result_chart import RESULTS
from engine.phrases import Slot, digits, either, meaning, size, words

LONGEST = 240  # The most characters in a phrase.

_SIGNS = str.maketrans("−–—’“”", '---\'""')


def neat(value: Any) -> str:
    """Return a phrase as typed, with single spaces. Raises ValueError if it is not text, or too long."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"needs a phrase, not {quoted(value)}.")
    if len(value) > LONGEST or not value.isprintable():
        raise ValueError(f"needs a phrase of at most {LONGEST} characters on one line.")
    return " ".join(value.translate(_SIGNS).split())


@lru_cache(4096)  # More than a set of cards has; most are read several times.
def plain(text: str) -> str:
    """Return a neat phrase as most grammars read it. It has lower-case letters, digits for numbers, no articles, and "2
    or less" for "fewer than three".
    """
    phrase = re.sub(r"\b(?:an?|the) ", "", text.lower())
    phrase = re.sub(r"\bno\b", "0", digits(phrase))
    phrase = re.sub(r"\b(?:less|fewer) than ([0-9]{1,4})\b", lambda less: f"{int(less[1]) - 1} or less", phrase)
    phrase = re.sub(r"\bmore than ([0-9]{1,4})\b", lambda more: f"{int(more[1]) + 1} or more", phrase)
    phrase = re.sub(r"\bat (least|most) ([0-9]{1,4})\b", lambda at: f"{at[2]} or {_ENDS[at[1]]}", phrase)
    return re.sub(rf"([0-9]{{1,4}}) ({_COUNTED}) (or (?:more|less|fewer))\b", r"\1 \3 \2", phrase)


_ENDS = {"least": "more", "most": "less"}
_COUNTED = "outs?(?: left)?|cards?|runners?|batters?|earned runs?"


def split(text: str, between: str) -> list[str]:
    """Split a phrase at a pattern, except inside quotation marks; case does not matter."""
    return re.split(rf'{between}(?=(?:[^"]*"[^"]*")*[^"]*$)', text, flags=re.IGNORECASE)


def measure(low: int, high: int) -> Slot:
    """Return a slot for a number to compare with, odd and even too; it gives op and value of a condition."""
    plain = size(low, high)

    def read(text: str) -> tuple[str, Any]:
        return ("odd", int(text == "odd")) if text in ("odd", "even") else ("range", plain.read(text))

    return Slot(f"{plain.pattern}|odd|even", read, ())


_RESULTS: Mapping[str, str] = {code.lower(): code for code in RESULTS} | {
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

CODE = f"(?:{either(_RESULTS)})"  # A pattern for one result in a plain phrase; a group of results counts as one.


def _codes(text: str) -> tuple[str, ...]:
    return tuple(_RESULTS[one] for one in re.split(r", or |, | or ", text))


def _result(text: str) -> str:
    if (code := _RESULTS[text]) not in RESULTS:
        raise ValueError("needs one result to turn it into, as 1B.")
    return code


CODES = Slot(f"{CODE}(?:(?:,| or|, or) {CODE})*", _codes, ())  # Several results, or groups of them.

RESULT = Slot(CODE, _result, ())  # One result, which is not a group.


def spread(found: Iterable[str]) -> frozenset[str]:
    """Return the codes with every group replaced by its results."""
    return frozenset(code for one in found for code in GROUPS.get(one, {one}))


SPOT = meaning(
    {spot.lower(): spot for spot in (*POSITIONS, DH, "P")} | {POSITION_NAMES[spot]: spot for spot in POSITIONS}
)
"""A position, or the pitcher's "P"."""

_SPOTS = either(name.lower() for name in (*POSITIONS, "P"))

UNIT = Slot(
    rf"{either(UNITS)}|(?:{_SPOTS})(?:\+(?:{_SPOTS}))*", lambda text: text if text in UNITS else text.upper(), ()
)
"""A unit of the defense: one of the three, or positions."""

BASE, ROLL = words(*BASES), words(*ROLLS)
