"""A number entered blind with two buttons."""

from __future__ import annotations

import pytest

from device.table.entry.seat_entries import NumberEntry, PartsEntry, blind
from engine.asks import Arrange, Choose, Draw, Secret
from engine.games import GAMES
from engine.views import plain

CARDS = {f"card {number}": number for number in range(1, 18)}


@pytest.mark.parametrize("number", [1, 4, 5, 6, 10, 13, 17])
def test_a_number_is_entered_in_fives_and_ones(number: int) -> None:
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
def test_a_number_without_a_card_is_refused(presses: int) -> None:
    """No presses, or too many, are refused; presses can be discarded."""
    dial = NumberEntry(3, "away", CARDS)
    assert not dial.back()
    for _ in range(presses):
        dial.next()
    assert dial.ok() is None
    dial.next()
    assert dial.back()
    assert dial.ok() is None


def test_which_secrets_are_entered_blind() -> None:
    """Secrets with parts or numbers in their facts; no other secret, and no public ask."""
    parts = Choose("home", "guess", ("a-b",), {"parts": (("a", "c"), ("b", "d"))})
    card = Choose("home", "card", ("x",), {"numbers": {"x": 1}})
    assert isinstance(blind(GAMES["small-ball"], 0, Secret(parts)), PartsEntry)
    assert isinstance(blind(GAMES["small-ball"], 0, Secret(card)), NumberEntry)
    for ask in (parts, card, Secret(Choose("home", "glove", ("x",))), Secret(Draw("home", "card", ("x",)))):
        assert blind(GAMES["small-ball"], 0, ask) is None
    assert blind(GAMES["small-ball"], 0, Secret(Arrange("home", "order", ("x",), ("p",)))) is None
