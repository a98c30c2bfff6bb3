"""A game that no file of the display names is drawn from its first ask to its end."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from PIL import Image

from device.display import screens_32, screens_64
from device.display.games import COMMON_SCREENS, load_game_screens
from device.table.entry.seat_entries import SeatEntries
from engine.ask_views import CallView
from engine.errors import IllegalAnswer
from engine.games import GAMES
from tests.device.display.views import a_view, changed, checked
from tests.engine.sample_games.coin_game import COIN, new

DRAWS = pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
Draw = Callable[[Any], Image.Image]


def evening(draw: Draw, seed: int) -> list[str]:
    """Play the game at random and return every text on the display, with and without what the buttons point at."""
    table, entries, chance = new(), SeatEntries(), random.Random(seed)
    texts: list[str] = []
    while table.outcome is None:
        n, ask = table.open_asks()[0]
        entries.update_entries(table, keep=False)
        more: dict[str, Any] = {}
        with suppress(IllegalAnswer):  # buttons do not answer a race
            more["dial"] = entries.entry_for_seat(table, ask.seat).entry_view()
        view = a_view(table=table.view_for(None))
        if isinstance(table.ask_view(n, ask, None), CallView):
            runners = {
                one.seat: {"wins": [5, 6], "face": chance.choice([None, 4, 6]), "state": state, "words": ""}
                for (_, one), state in zip(table.open_asks(), ("ready", "rolling"), strict=True)
            }
            more = {"race": {"n": {one.seat: n for n, one in table.open_asks()}, "seats": runners, "confirm": None}}
        texts += checked(lambda: draw(view))  # noqa: B023 - at once
        texts += checked(lambda: draw(changed(view, **more)))  # noqa: B023 - at once
        table.answer_ask(ask.seat, n, table.ask_view(n, ask, ask.seat).random_answer(chance))
    return texts + checked(lambda: draw(a_view(table=table.view_for(None))))


@DRAWS
@pytest.mark.parametrize("seed", range(4))
def test_a_sixth_game_needs_no_edit(draw: Draw, seed: int) -> None:
    """Every ask, the race and the end are drawn by the common screens, and every text fits."""
    assert COIN.key not in GAMES
    assert load_game_screens(COIN.key) is COMMON_SCREENS
    words = " ".join(evening(draw, seed))
    for found in ("Heads Lay out", "Choose", "OK!", "Tails Roll 2 dice", "The coin is back in its"):
        assert found in words
    assert "glove" not in words.lower()


def test_games_are_found_by_key() -> None:
    """A game's own screens are those of the module named after its key; a strange key has none."""
    assert {"bottom-of-the-9th", "clutch", "rallybird", "seventh-inning-stretch"} == {
        key for key in GAMES if load_game_screens(key) is not COMMON_SCREENS
    }
    for key in ("", "no-such-game", "../clutch", "clutch.py"):
        assert load_game_screens(key) is COMMON_SCREENS
    assert load_game_screens("clutch").numerals
