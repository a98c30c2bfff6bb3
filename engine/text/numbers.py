"""Integers in text that comes from outside."""

from __future__ import annotations


def parse_whole_number(text: str, most: int) -> int | None:
    """Return the integer from 0 to `most` in a text of ASCII digits, None for any other text.

    `int` would accept digits of other scripts, signs, spaces and underscores, and raises for thousands of digits.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None
