"""TOML that anybody may have written takes bounded time."""

from __future__ import annotations

import pytest

from engine.text.toml_text import DOTS, WIDEST, TooMuch, load
from tests.each import each


def test_a_text_within_the_bounds_is_parsed() -> None:
    assert load('a = "' + "x" * (WIDEST - 6) + '"')["a"].startswith("x")
    assert "a" in load("a." * (DOTS - 1) + "a = 1.5")


@each(
    ("source", "reason"),
    [
        ("b = 1\n#" + "x" * WIDEST, "has a line of more than 4096 letters: line 2"),
        ("\n\n" + "a." * DOTS + "a = 1.5", "has a line of more than 200 dots: line 3"),
        ("a = " + "[\n" * 5000, "has too many brackets in brackets"),
        ('a = 1\nb = "\ud800"', r"half a character \(at line 2\)"),
        ("a\nb = 1", "line 1"),
    ],
)
def test_a_text_that_is_refused_says_where_and_why(source: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        load(source)
    assert isinstance(error.value, TooMuch) == reason.startswith("has")
