"""What all phrases on cards share: normalizing, and patterns for results, positions, units and sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from engine.cards import quoted
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_types import DH, POSITIONS
from engine.games.clutch.cards.effects import GROUPS, UNITS
from engine.games.clutch.cards.result_chart import RESULTS

ANY = 10**6
"""More than any number in the game: a range up to it is open."""

LONGEST = 240
"""The most characters in a phrase."""

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBERS)} | {"no": "0"}
_SIGNS = str.maketrans("−–—’“”", '---\'""')


def neat(value: Any) -> str:
    """Return a phrase as typed, with single spaces. Raises ValueError if it is not text, or too long."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"wants a phrase, not {quoted(value)}.")
    if len(value) > LONGEST or not value.isprintable():
        raise ValueError(f"wants a phrase of at most {LONGEST} characters on one line.")
    return " ".join(value.translate(_SIGNS).split())


def plain(text: str) -> str:
    """Return a neat phrase as most grammars read it.

    It has lower-case letters, digits for numbers, no articles, and "2 or less" for "fewer than three".
    """
    phrase = re.sub(r"\b(?:an?|the) ", "", text.lower())
    phrase = re.sub(r"[a-z]+", lambda word: _DIGITS.get(word[0], word[0]), phrase)
    phrase = re.sub(r"\b(?:less|fewer) than (\d{1,4})\b", lambda less: f"{int(less[1]) - 1} or less", phrase)
    phrase = re.sub(r"\bmore than (\d{1,4})\b", lambda more: f"{int(more[1]) + 1} or more", phrase)
    phrase = re.sub(r"\bat (least|most) (\d{1,4})\b", lambda at: f"{at[2]} or {_ENDS[at[1]]}", phrase)
    return re.sub(rf"(\d{{1,4}}) ({_COUNTED}) (or (?:more|less|fewer))\b", r"\1 \3 \2", phrase)


_ENDS = {"least": "more", "most": "less"}
_COUNTED = "outs?(?: left)?|cards?|runners?|batters?|earned runs?"


def split(text: str, between: str) -> list[str]:
    """Split a phrase at a pattern, except inside quotation marks; case does not matter."""
    return re.split(rf'{between}(?=(?:[^"]*"[^"]*")*[^"]*$)', text, flags=re.IGNORECASE)


def either(words: Iterable[str]) -> str:
    """Return a pattern for one of these words; of two that begin alike, it prefers the longer."""
    return "|".join(sorted(words, key=len, reverse=True))


# Sizes -----------------------------------------------------------------------------------------------------------

SIZE = (
    r"(?P<size>(?P<low>-?\d{1,4})(?P<more>\+| or (?:more|higher|later)| or (?:less|fewer|lower|earlier)"
    r"| to (?P<high>-?\d{1,4}))?|odd|even)"
)
"""A pattern for a number to compare with."""


def size(found: re.Match[str], low: int, high: int) -> tuple[str, Any]:
    """Return the comparison that `SIZE` found, as op and value of a condition. Raises ValueError beyond the bounds."""
    if found["size"] in ("odd", "even"):
        return "odd", int(found["size"] == "odd")
    number, more = int(found["low"]), found["more"] or ""
    top = int(found["high"] or number)
    if not low <= number <= top <= high:
        raise ValueError(f"{quoted(found[0])} wants a number from {low} to {high}.")
    if more == "+" or more.endswith(("more", "higher", "later")):
        return "range", (number, ANY)
    return "range", (number if not more or found["high"] else -ANY, top)


# Results ---------------------------------------------------------------------------------------------------------

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

CODE = rf"(?:{either(_RESULTS)})"
CODES = rf"{CODE}(?:(?:,| or|, or) {CODE})*"
"""Patterns for one result in a plain phrase, and for several; a group of results counts as one."""


def codes(text: str) -> tuple[str, ...]:
    """Return the results, or groups of them, that `CODES` found."""
    return tuple(_RESULTS[one] for one in re.split(r", or |, | or ", text))


def spread(found: Iterable[str]) -> frozenset[str]:
    """Return the codes with every group replaced by its results."""
    return frozenset(code for one in found for code in GROUPS.get(one, {one}))


# Places ----------------------------------------------------------------------------------------------------------

_NAMES: Mapping[str, str] = {spot.lower(): spot for spot in (*POSITIONS, DH, "P")} | {
    POSITION_NAMES[spot]: spot for spot in POSITIONS
}

SPOT = rf"(?:{either(_NAMES)})"
"""A pattern for a position, with the pitcher's "P"."""

_SPOTS = either(name.lower() for name in (*POSITIONS, "P"))

UNIT = rf"(?:{either(UNITS)}|(?:{_SPOTS})(?:\+(?:{_SPOTS}))*)"
"""A pattern for a unit of the defense: one of the three, or positions."""


def spot(text: str) -> str:
    """Return the position that `SPOT` found."""
    return _NAMES[text]


def unit(text: str) -> str:
    """Return the unit that `UNIT` found."""
    return text if text in UNITS else text.upper()
