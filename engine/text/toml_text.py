"""TOML from outside, parsed in bounded time, and tables written as TOML."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

MAX_LINE_LENGTH = 4096
"""Characters in a line."""

MAX_LINE_DOTS = 200
"""Dots in a line. The cost of a dotted key grows with the square of its parts."""


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


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


def table_text(header: str, fields: Mapping[str, object]) -> str:
    """Write a table under its header, such as "[deck]", with a line for each of its `fields`."""
    return "\n".join((header, *(f"{_toml_key(name)} = {toml_value(value)}" for name, value in fields.items()), ""))


def toml_value(value: object) -> str:
    """Write a JSON value as TOML on one line. null is not possible."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return f"[{', '.join(map(toml_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{_toml_key(name)} = {toml_value(one)}' for name, one in value.items())} }}"
    return str(value)


def _toml_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else toml_value(name)
