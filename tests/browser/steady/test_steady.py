"""Nothing moves under a thumb, or before eyes that read: layout shift of every page, in every game."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Rooms
from tests.browser.room import played
from tests.browser.steady.shifts import GAMES, PAGES, Watch

MOST = 0.05
"""Most that a page may move in a window, by itself."""

FIRST, LAST = 26, 9
"""Answers of a game that are watched, from its start and to its end."""

NARROW = (320, 640)


@pytest.mark.parametrize("key", GAMES)
def test_the_pages_keep_still_as_a_game_begins(rooms: Rooms, key: str) -> None:
    """From before the game to its first innings, on phones, the television and the operator's page."""
    watch = Watch(rooms(game=key))
    assert watch.play(FIRST) == FIRST
    assert [] == watch.moved(MOST)


@pytest.mark.parametrize("key", GAMES)
def test_the_pages_keep_still_as_a_game_ends(rooms: Rooms, key: str) -> None:
    """To what is shown after the game, on the smallest phones."""
    answers = len(played(key).answers)
    room = rooms(game=key, tables=[played(key, lambda table: len(table.answers) >= answers - LAST)])
    watch = Watch(room, phone=NARROW)
    watch.play(100)
    assert [] == watch.moved(MOST)


def test_a_shift_is_seen(rooms: Rooms) -> None:
    """A region that grows moves what is below it, and is named."""
    watch = Watch(rooms())
    page = watch.pages["/"]
    page.evaluate("document.getElementById('score').style.paddingBottom = '200px'")
    watch.play(1)
    (found,) = watch.moved(MOST)
    assert found.startswith("/: 0."), found
    assert "rows" in found
    assert len(watch.pages) == len(PAGES)
