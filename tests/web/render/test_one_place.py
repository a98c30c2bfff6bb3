"""Each player has one place, and what a roll came to is shown with the card that it was read on."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from engine.games import GAMES
from engine.table import Table
from tests.web.phones import port
from web.render.templates import render_seat_panel, render_tv_panel

HOUSES = {"seventh-inning-stretch": {"mode": "duel", "cards": "dealt"}, "bottom-of-the-9th": {"raceMode": "alternate"}}
"""House rules with which two sides play, without a race against the clock."""

FIRST_ASKS = {
    "bottom-of-the-9th": {"guess", "pitch-call"},
    "rallybird": {"at-bat", "leave-out"},
    "seventh-inning-stretch": {"batter", "relief", "resources"},
    "clutch": {"defence", "cards-half", "cards-end"},
}
"""Decisions about the next at-bat, by game."""

AT_BAT = re.compile(
    r'<small>At bat</small>(?:<b[^>]*>)?([^<]+)<|class="man up[^"]*" data-name="([^"]+)"|<b>([^<]+)</b> <small>at bat<'
)


@pytest.mark.parametrize("key", GAMES)
def test_nobody_is_on_base_and_at_the_plate(key: str) -> None:
    """On no page, whatever is asked; and nothing of the last at-bat is lit in a question about the next."""
    chance, counted = Random(11), Counter[str]()
    table = Table(GAMES[key], [house_deck(GAMES[key])], HOUSES.get(key))
    for _ in range(150):
        if not table.open_asks():
            break
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
        if not any(table.scoreboard().bases) and counted["empty"] > 20:
            continue
        game = port(table).game
        seat, television = (
            render_seat_panel(game.view_for("home"), game.view_for(None)),
            render_tv_panel(game.view_for(None)),
        )
        shown = "".join((*seat.values(), *television.values()))
        for name in filter(None, (name for found in AT_BAT.findall(shown) for name in found)):
            assert name not in table.scoreboard().bases
            counted["at bat"] += 1
        counted["empty"] += not any(table.scoreboard().bases)
        counted["on base"] += any(table.scoreboard().bases)
        lit = 'now"' in seat["plate"] or "umpire" in seat["now"]
        lit |= "swing " in television["duel"] and not any(table.scoreboard().count or ())
        counted["lit"] += lit
        if {ask.why for _, ask in table.open_asks()} & FIRST_ASKS.get(key, set()):
            counted["next"] += 1
            assert not lit, seat["plate"]
    assert counted["on base"]
    assert counted["at bat"] or key == "rallybird"
    assert (counted["lit"] and counted["next"]) or key == "small-ball"
