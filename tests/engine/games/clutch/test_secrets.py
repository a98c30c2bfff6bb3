"""A hand of cards, and what a played card reveals about it."""

from __future__ import annotations

import json

import pytest

from engine.asks import Choose
from engine.games.clutch import GAME
from engine.seats import SEATS
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.engine.games.clutch.contract import HANDS, answer
from tests.engine.games.clutch.field import state
from tests.engine.games.clutch.fixture import HOUSE, deck
from tests.engine.tables import asked, give, inside


@pytest.mark.rule("CL-081", "CL-220")
def test_a_played_card_is_revealed() -> None:
    table = Table(GAME, [deck()], {**HOUSE, "windows": "always"})
    left = {seat: list(HANDS[seat]) for seat in SEATS}
    while "cards-before-pitch" not in asked(table):
        for n, ask in table.open_asks():
            table.answer_ask(ask.seat, n, answer(inside(ask), left))
    ((n, ask),) = table.open_asks()
    assert "PT+2" not in json.dumps(json_data(table.view_for("away"))).replace(
        json.dumps(json_data(table.view_for("away"))["scoreboard"]), ""
    )
    table.answer_ask(ask.seat, n, "PT+2")
    assert "PT+2" in table.last_play_text()
    entries = table.redacted_entries("away")
    assert "PT+2" == entries[n]["value"]
    draws = [one.entry for one in table.answers if one.ask.why == "draw" and one.ask.seat == "home"]
    assert [HIDDEN_TEXT] * len(draws) == [entries[place]["value"] for place in draws]
    while state(table).at.pitch_natural is None:
        ((n, ask),) = table.open_asks()
        asks = inside(ask)
        give(table, ask.seat, asks.options[0] if isinstance(asks, Choose) else 9)
    assert ("PT+2",) == state(table).squad("home").discard
