"""Solo games in which the person's team is away: displays and buttons follow the side that the seat plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from device.display import screens_32, screens_64
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import GameSession
from engine.games import GAMES
from engine.scoreboard import Scoreboard
from engine.table import Table
from tests.device.display import menus
from tests.device.display.views import SEEN, a_view, checked

BOARD = {"plays": {"home": "away"}, "batting": "away"}
OVER = {"winner": "home", "reason": "regulation", "sentence": "Won."}


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
def test_the_side_that_the_seat_plays_is_named(draw: Callable[[Any], Image.Image]) -> None:
    """The seat at home is asked to roll for the Lanterns, who are away."""
    asked = checked(lambda: draw(a_view(board=BOARD | {"dice": []})))
    rolled = " ".join(checked(lambda: draw(a_view(board=BOARD, proposal=SEEN))))
    assert asked[asked.index("Your move") - 1].startswith("Lanter")
    assert ("Lanter" in rolled, "Owls" in rolled) == (True, False)


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
def test_the_winning_side_is_marked(draw: Callable[[Any], Image.Image]) -> None:
    """The home seat wins, and the picture shows a win for the away side."""
    won = a_view(board=BOARD, table={"outcome": OVER, "asks": []})
    usual = a_view(table={"outcome": OVER | {"winner": "away"}, "asks": []})
    assert draw(won).tobytes() == draw(usual).tobytes()


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
def test_the_winning_side_is_marked_after_a_change_of_sides(draw: Callable[[Any], Image.Image]) -> None:
    """Where two players have changed sides, the outcome names the side that won, not the seat."""
    board = {"plays": {"home": "away", "away": "home"}}
    won = a_view(board=board, table={"outcome": OVER, "asks": []})
    assert draw(won).tobytes() == draw(a_view(table={"outcome": OVER, "asks": []})).tobytes()


def test_in_a_solo_game_all_buttons_answer_for_the_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nobody sits at home, the home buttons answer for the single player."""
    game = GAMES["small-ball"]
    store = Store(tmp_path / "journal.db")
    real = Table.scoreboard

    def alone(table: Table) -> Scoreboard:
        board = real(table)
        object.__setattr__(board, "plays", {"away": "away"})
        return board

    monkeypatch.setattr(Table, "scoreboard", alone)
    session = GameSession(store, lambda: Table(game, [house_deck(game)], {"awayTeam": "red"}))
    menu = menus.menu(session)
    for button in ("home-ok", "home-next", "home-ok"):
        menu.handle_press(button)
    assert 1 == len(session.game.table.answers)
    assert session.game.view_for(None).notice is None
    store.close()
