"""Chances as text."""

from __future__ import annotations

import pytest

from engine.text.numbers import chance_text


@pytest.mark.parametrize(
    ("share", "margin", "text"),
    [
        (0.617, 0.0, "62%"),
        (0.617, 0.05, "62%"),
        (0.617, 0.051, "60%"),
        (0.01, 0.0, "1%"),
        (0.0099, 0.0, "<1%"),
        (1e-12, 0.0, "<1%"),
        (0.99, 0.0, "99%"),
        (0.9901, 0.0, ">99%"),
        (0.09, 0.1, "<10%"),
        (0.93, 0.1, ">90%"),
        (0.9, 0.1, "90%"),
        (0.0, 0.1, "0%"),
        (1.0, 0.0, "100%"),
    ],
)
def test_chance_has_only_the_digits_that_are_known(share: float, margin: float, text: str) -> None:
    """Whole percent, tens where the margin is wide, and neither 0 nor 100 for what is still open."""
    assert text == chance_text(share, margin)


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_both_sides_add_up(margin: float) -> None:
    """The chances of two sides never add up to 99 or 101, halves included."""
    for thousandth in range(100, 901):
        share = thousandth / 1000
        both = [int(chance_text(one, margin).rstrip("%")) for one in (share, 1 - share)]
        assert 100 == sum(both), share
