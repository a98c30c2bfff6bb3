"""Whole numbers in text that comes from outside."""

from __future__ import annotations


def parse_whole_number(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that a text of the digits 0 to 9 is, None for any other text.

    `int` alone also takes the digits of other scripts, signs, spaces and underscores, and raises for thousands of
    digits.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None
