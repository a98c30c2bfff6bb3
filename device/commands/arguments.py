"""Values of the command line: paths and whole numbers, checked before a command begins.

Each function raises ArgumentTypeError, whose text argparse prints behind the option's name.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from engine.text.numbers import parse_whole_number

MAX_SEED = 2**32 - 1
"""The largest number that makes random dice or answers repeatable."""

MAX_HOST_LENGTH = 255
"""Letters that the name or address of a machine can have (RFC 1035)."""


def path_text(text: str) -> str:
    """Return the path of a file or folder as it is, without a control character. Not checked: that it can be used."""
    if not text:
        raise ArgumentTypeError("must name a file or folder")
    if any(ord(one) < 32 or ord(one) == 127 for one in text):
        raise ArgumentTypeError(f"a path cannot contain control characters: {text!r}")
    return text


def path_argument(text: str) -> Path:
    """Return the path of a file or folder. See `path_text`."""
    return Path(path_text(text))


def host_argument(text: str) -> str:
    """Return the name or address of a machine. Not checked: that there is one."""
    if not (text.isascii() and text.isprintable()) or not 0 < len(text) <= MAX_HOST_LENGTH:
        raise ArgumentTypeError(f"must be an address such as 0.0.0.0 or 192.168.1.2, not {text!r}")
    return text


def number_between(low: int, high: int) -> Callable[[str], int]:
    """Return a function that reads a whole number from `low` to `high`, in the digits 0 to 9."""

    def parse_number(text: str) -> int:
        number = parse_whole_number(text, high)
        if number is None or number < low:
            raise ArgumentTypeError(f"must be a number from {low} to {high}, not {text!r}")
        return number

    return parse_number
