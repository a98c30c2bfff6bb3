"""Parsers of command line values, such as paths and numbers.

They raise ArgumentTypeError, whose message argparse prints after the name of the option.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from engine.text.numbers import parse_whole_number

MAX_SEED = 2**32 - 1  # maximum seed for reproducible dice or answers
MAX_HOST_LENGTH = 255  # maximum length of a host name or address in characters (RFC 1035)


def path_text(text: str) -> str:
    """Validate a path without control characters. Not checked: whether it can be used."""
    if not text:
        raise ArgumentTypeError("must name a file or folder")
    if any(ord(one) < 32 or ord(one) == 127 for one in text):
        raise ArgumentTypeError(f"a path cannot contain control characters: {text!r}")
    return text


def path_argument(text: str) -> Path:
    """Parse a path. See `path_text`."""
    return Path(path_text(text))


def host_argument(text: str) -> str:
    """Validate a host name or address. Not checked: whether it exists."""
    if not (text.isascii() and text.isprintable()) or not 0 < len(text) <= MAX_HOST_LENGTH:
        raise ArgumentTypeError(f"must be an address such as 0.0.0.0 or 192.168.1.2, not {text!r}")
    return text


def number_between(low: int, high: int) -> Callable[[str], int]:
    """Build a parser for whole numbers from `low` to `high`, in the digits 0 to 9."""

    def parse_number(text: str) -> int:
        number = parse_whole_number(text, high)
        if number is None or number < low:
            raise ArgumentTypeError(f"must be a number from {low} to {high}, not {text!r}")
        return number

    return parse_number
