"""Chances, rates and averages as text."""

from __future__ import annotations

import pytest

from engine.text.numbers import average_text, chance_text, rate_text


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


@pytest.mark.parametrize(
    ("rate", "text"),
    [(None, ""), (0.0, ".000"), (1 / 3, ".333"), (1 / 16, ".063"), (5 / 16, ".313"), (0.9996, "1.000"), (1, "1.000")],
)
def test_rates(rate: float | None, text: str) -> None:
    """Three decimals, halves rounded up, and a digit before the point only from 1 on."""
    assert text == rate_text(rate)


@pytest.mark.parametrize(
    ("average", "text"), [(None, ""), (0.0, "0.00"), (1.984, "1.98"), (2.125, "2.13"), (1.005, "1.01"), (27, "27.00")]
)
def test_averages(average: float | None, text: str) -> None:
    """Two decimals, halves rounded up."""
    assert text == average_text(average)
