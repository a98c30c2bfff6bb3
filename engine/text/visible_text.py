"""Text that people type and read, with visible names and without hidden control characters."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

MAX_COMBINING_MARKS = 3
"""Combining marks on one letter. Vietnamese and Hebrew need up to three."""

_HIDDEN_PATTERN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab and line feed, and characters that change the direction of writing."""

_UNPRINTABLE_PATTERN = re.compile(_HIDDEN_PATTERN.pattern[:-1] + "\ud800-\udfff]")
"""Hidden characters and lone surrogates."""

_JSON_ESCAPE_PATTERN = re.compile(r"\\(u00[01][0-9a-f]|.)")
"""An escape in JSON."""
_SHORT_ESCAPES = "bfr"
r"""The letters of short JSON escapes for control characters: \b, \f and \r."""

_JOINER_CHARACTERS = "\u200c\u200d"
"""Zero-width joiners. Persian, Indic scripts and emoji need them between two characters. Others are invisible."""

BLANK_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""Letters, marks and symbols of Unicode without a visible shape."""


def strip_hidden(words: str) -> str:
    """Return text without control and direction characters. Tabs and line feeds stay."""
    return _HIDDEN_PATTERN.sub("", words)


def printable_text(words: str) -> str:
    """Return text without hidden characters and with a replacement sign for each lone surrogate."""
    if words.isascii() and words.isprintable():
        return words
    return _UNPRINTABLE_PATTERN.sub(lambda one: "\N{REPLACEMENT CHARACTER}" if one[0] >= "\ud800" else "", words)


def visible_json(data: Any) -> str:
    """Return data as JSON without hidden characters in any text. Raises ValueError for NaN and infinity."""
    written = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _JSON_ESCAPE_PATTERN.sub(
        lambda one: "" if one[1] in _SHORT_ESCAPES or len(one[1]) > 1 else one[0], printable_text(written)
    )


def visible_line(words: str, longest: int) -> str:
    """Return typed text as a visible line of 1 to `longest` characters. Raises ValueError with a reason that follows
    the name of the field.
    """
    words = strip_hidden(words).strip()
    if not words:
        raise ValueError("needs a text.")
    if not "".join(one for one in words if one not in _JOINER_CHARACTERS).isprintable():
        raise ValueError("needs printable characters on one line.")
    marks = 0
    for before, letter, after in zip(" " + words, words, words[1:] + " ", strict=False):
        if letter in BLANK_CHARACTERS or (
            letter in _JOINER_CHARACTERS and not (_can_join(before) and _can_join(after))
        ):
            raise ValueError("needs characters that everybody can see: type it again by hand.")
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks > MAX_COMBINING_MARKS or (marks and before == " "):
            raise ValueError(
                f"needs a letter under each accent, and at most {MAX_COMBINING_MARKS} accents on one letter."
            )
    if len(words) > longest:
        raise ValueError(f"can have at most {longest} characters; these are {len(words)}.")
    return words


def _can_join(letter: str) -> bool:
    return not letter.isascii() and letter not in _JOINER_CHARACTERS
