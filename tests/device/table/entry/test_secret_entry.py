"""A number entered blind with two buttons."""

from __future__ import annotations

import pytest

from device.table.entry.seat_entries import NumberEntry, PartsEntry, build_secret_entry
from engine.asks import Arrange, Choose, Draw, Secret
from engine.games import GAMES
from engine.views import json_data

CARDS = {f"card {number}": number for number in range(1, 18)}


@pytest.mark.parametrize("number", [1, 4, 5, 6, 10, 13, 17])
def test_a_number_is_entered_in_fives_and_ones(number: int) -> None:
    """In any order; after OK the entry starts over."""
    dial = NumberEntry(3, "away", CARDS)
    public = json_data(dial.entry_view())
    for _ in range(number % 5):
        dial.press_next()
    for _ in range(number // 5):
        dial.press_previous()
    assert public == json_data(dial.entry_view())
    assert (f"card {number}", None) == (dial.press_ok(), dial.press_ok())


@pytest.mark.parametrize("presses", [0, 18])
def test_a_number_without_a_card_is_refused(presses: int) -> None:
    """No presses, or too many, are refused; presses can be discarded."""
    dial = NumberEntry(3, "away", CARDS)
    assert not dial.undo_step()
    for _ in range(presses):
        dial.press_next()
    assert dial.press_ok() is None
    dial.press_next()
    assert dial.undo_step()
    assert dial.press_ok() is None


def test_which_secrets_are_entered_blind() -> None:
    """Secrets with parts or numbers in their facts; no other secret, and no public ask."""
    parts = Choose("home", "guess", ("a-b",), {"parts": (("a", "c"), ("b", "d"))})
    card = Choose("home", "card", ("x",), {"numbers": {"x": 1}})
    assert isinstance(build_secret_entry(GAMES["small-ball"], 0, Secret(parts)), PartsEntry)
    assert isinstance(build_secret_entry(GAMES["small-ball"], 0, Secret(card)), NumberEntry)
    for ask in (parts, card, Secret(Choose("home", "glove", ("x",))), Secret(Draw("home", "card", ("x",)))):
        assert build_secret_entry(GAMES["small-ball"], 0, ask) is None
    assert build_secret_entry(GAMES["small-ball"], 0, Secret(Arrange("home", "order", ("x",), ("p",)))) is None
