"""TOML that anybody may have written, parsed in bounded time."""

from __future__ import annotations

import tomllib
from typing import Any

WIDEST = 4096
"""Letters that a line may have."""

DOTS = 200
"""Dots that a line may have: a dotted key takes time and memory by the square of its parts."""


class TooMuch(ValueError):
    """A text that would take too long to parse; the reason goes after the name of the file, without a period."""


def load(source: str) -> dict[str, Any]:
    """Parse a TOML text. The caller bounds its length. Raises TooMuch, or ValueError for what is not TOML."""
    for number, line in enumerate(source.split("\n"), 1):
        if len(line) > WIDEST:
            raise TooMuch(f"has a line of more than {WIDEST} letters: line {number}")
        if line.count(".") > DOTS:
            raise TooMuch(f"has a line of more than {DOTS} dots: line {number}")
        if not line.isascii() and any("\ud800" <= letter <= "\udfff" for letter in line):
            raise ValueError(f"half a character (at line {number})")
    try:
        return tomllib.loads(source)
    except RecursionError:
        raise TooMuch("has too many brackets in brackets") from None
