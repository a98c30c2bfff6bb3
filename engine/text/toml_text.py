"""TOML from outside, parsed in bounded time."""

from __future__ import annotations

import tomllib
from typing import Any

MAX_LINE_LENGTH = 4096
"""Characters in a line."""

MAX_LINE_DOTS = 200
"""Dots in a line. The cost of a dotted key grows with the square of its parts."""


class TomlTooComplex(ValueError):
    """A text that would take too long to parse. The reason follows the name of the file and has no period."""


def parse_toml(source: str) -> dict[str, Any]:
    """Parse a TOML text. The caller limits its length. Raises TomlTooComplex, or ValueError for what is not TOML."""
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
