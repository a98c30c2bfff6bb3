"""Calls and hidden picks: when they are revealed, and what happens when they are taken back."""

from __future__ import annotations

import json

import pytest

from device.storage.decks import house_deck
from engine.asks import Choose, Secret
from engine.games.bottom_of_the_9th import GAME
from engine.seats import SEATS
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.contract import start
from tests.engine.tables import give


def test_everybody_sees_calls_after_the_reveal() -> None:
    table = start(GAME, {})
    length = len(table.log)
    give(table, "away", "away-low")
    assert length == len(table.log)
    give(table, "home", "inside-high")
    for seat in (*SEATS, None):
        assert ["away", "low"] == json_data(table.view_for(seat))["scoreboard"]["panel"]["pitch"]["thrown"]
        assert HIDDEN_TEXT not in json.dumps(table.redacted_entries(seat))


def test_a_call_taken_back_before_the_reveal_stays_hidden() -> None:
    table = start(GAME, {})
    give(table, "away", "away-low")
    place = len(table.journal) - 1
    table.undo(table.answers[-1].n)
    give(table, "away", "away-high")
    give(table, "home", "inside-low")
    assert HIDDEN_TEXT == table.redacted_entries(None)[place]["value"] == table.redacted_entries("home")[place]["value"]
    assert "away-low" not in json.dumps(table.redacted_entries(None)[place:])


@pytest.mark.rule("BN-038")
@each("tokens", ["secret", "open"])
def test_revealed_calls_are_taken_back_together(tokens: str) -> None:
    """After the reveal, guess and pitch are both asked for again, whichever was entered last."""
    for seats in (SEATS, SEATS[::-1]):
        table = start(GAME, {"tokens": tokens})
        for seat in seats:
            give(table, seat, "away-low")
        table.undo(table.answers[-1].n)
        assert (["guess", "pitch-call"], {}) == (
            [ask.why for _, ask in table.open_asks()],
            json_data(table.view_for(seats[0]))["given"],
        )


def test_hidden_picks_are_taken_back_together() -> None:
    """After a simultaneous draft, all picks are asked for again; before it ends, only the one taken back."""
    table = Table(GAME, [house_deck(GAME)], {"draft": "simultaneous"})
    for _ in range(7):
        ((n, ask),) = table.open_asks()
        assert isinstance(ask, Secret)
        assert isinstance(ask.ask, Choose)
        table.answer_ask(ask.seat, n, ask.ask.options[0])
    table.undo(6)
    assert ["starter"] == [ask.why for _, ask in table.open_asks()]
    give(table, "away", "Oskar Kovalenko")
    give(table, "away", "Zeb Holloway")
    table.undo(7)
    assert ["bat-1"] == [ask.why for _, ask in table.open_asks()]
