"""TOML that anybody may have written takes bounded time."""

from __future__ import annotations

import pytest

from engine.text.toml_text import MAX_LINE_DOTS, MAX_LINE_LENGTH, TomlTooComplex, parse_toml
from tests.each import each


def test_a_text_within_the_bounds_is_parsed() -> None:
    assert parse_toml('a = "' + "x" * (MAX_LINE_LENGTH - 6) + '"')["a"].startswith("x")
    assert "a" in parse_toml("a." * (MAX_LINE_DOTS - 1) + "a = 1.5")


@each(
    ("source", "reason"),
    [
        ("b = 1\n#" + "x" * MAX_LINE_LENGTH, "has a line of more than 4096 letters: line 2"),
        ("\n\n" + "a." * MAX_LINE_DOTS + "a = 1.5", "has a line of more than 200 dots: line 3"),
        ("a = " + "[\n" * 5000, "has too many brackets in brackets"),
        ('a = 1\nb = "\ud800"', r"half a character \(at line 2\)"),
        ("a\nb = 1", "line 1"),
    ],
)
def test_a_text_that_is_refused_says_where_and_why(source: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        parse_toml(source)
    assert isinstance(error.value, TomlTooComplex) == reason.startswith("has")
