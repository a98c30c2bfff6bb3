"""A number pressed in on two buttons that nothing shows."""

from __future__ import annotations

import pytest

from device.table.seat_entries import NumberEntry, PartsEntry, blind
from engine.asks import Arrange, Choose, Draw, Secret
from engine.views import plain

CARDS = {f"card {number}": number for number in range(1, 18)}


@pytest.mark.parametrize("number", [1, 4, 5, 6, 10, 13, 17])
def test_a_number_is_fives_and_ones(number: int) -> None:
    """In any order; after OK the entry starts over."""
    dial = NumberEntry(3, "away", CARDS)
    public = plain(dial.view())
    for _ in range(number % 5):
        dial.next()
    for _ in range(number // 5):
        dial.previous()
    assert public == plain(dial.view())
    assert (f"card {number}", None) == (dial.ok(), dial.ok())


@pytest.mark.parametrize("presses", [0, 18])
def test_a_number_that_no_card_has_is_none(presses: int) -> None:
    """Nothing pressed, or too much; and what was pressed can be forgotten."""
    dial = NumberEntry(3, "away", CARDS)
    assert not dial.back()
    for _ in range(presses):
        dial.next()
    assert dial.ok() is None
    dial.next()
    assert dial.back()
    assert dial.ok() is None


def test_which_secrets_are_entered_blind() -> None:
    """Secrets with parts or numbers in their facts; no other secret, and nothing public."""
    parts = Choose("home", "guess", ("a-b",), {"parts": (("a", "c"), ("b", "d"))})
    card = Choose("home", "card", ("x",), {"numbers": {"x": 1}})
    assert isinstance(blind(0, Secret(parts)), PartsEntry)
    assert isinstance(blind(0, Secret(card)), NumberEntry)
    for ask in (parts, card, Secret(Choose("home", "glove", ("x",))), Secret(Draw("home", "card", ("x",)))):
        assert blind(0, ask) is None
    assert blind(0, Secret(Arrange("home", "order", ("x",), ("p",)))) is None
