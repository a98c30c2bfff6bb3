"""TOML that anybody may have written, parsed in bounded time."""

from __future__ import annotations

import tomllib
from typing import Any

MAX_LINE_LENGTH = 4096
"""Letters that a line may have."""

MAX_LINE_DOTS = 200
"""Dots that a line may have: a dotted key takes time and memory by the square of its parts."""


class TomlTooComplex(ValueError):
    """A text that would take too long to parse; the reason goes after the name of the file, without a period."""


def parse_toml(source: str) -> dict[str, Any]:
    """Parse a TOML text. The caller bounds its length. Raises TooMuch, or ValueError for what is not TOML."""
    for number, line in enumerate(source.split("\n"), 1):
        if len(line) > MAX_LINE_LENGTH:
            raise TomlTooComplex(f"has a line of more than {MAX_LINE_LENGTH} letters: line {number}")
        if line.count(".") > MAX_LINE_DOTS:
            raise TomlTooComplex(f"has a line of more than {MAX_LINE_DOTS} dots: line {number}")
        if not line.isascii() and any("\ud800" <= letter <= "\udfff" for letter in line):
            raise ValueError(f"half a character (at line {number})")
    try:
        return tomllib.loads(source)
    except RecursionError:
        raise TomlTooComplex("has too many brackets in brackets") from None
