"""The sleeping display shows the top of a league, dimmed and never long at one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from device.display import screens_32, screens_64
from device.display.league_rows import LeagueBooks, league_rows
from device.display.oled import DisplayCare, Oled, Screens
from engine.league.views import BookList, BookView, FixtureOffer
from tests.device.stored_games import Clock
from tests.web.leagues import BOOK, OFFER, SummerLeague

ROWS = ["3-0 Owls", "2-1 Bears", "1-2 Herons"]
SIZES = pytest.mark.parametrize("draw", [screens_64, screens_32], ids=["64", "32"])


class Over(SummerLeague):
    """A league without fixtures left."""

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        return []


class Unreadable(Over):
    """A record book on a broken disk."""

    def book_list(self) -> BookList:
        raise OSError("The record book cannot be read.")


class NoLeagues(Over):
    """Only the record book of a rulebook."""

    def book_list(self) -> BookList:
        return BookList([replace(BOOK.summary, key="small-ball", kind="rulebook")])

    def book_view(self, book: str) -> BookView | None:
        raise AssertionError


@pytest.mark.parametrize(
    ("leagues", "rows"), [(SummerLeague([OFFER]), ROWS), (Over(), ROWS), (Unreadable(), []), (NoLeagues(), [])]
)
def test_the_top_of_the_league_last_played(leagues: LeagueBooks, rows: list[str]) -> None:
    assert rows == league_rows(leagues)


@SIZES
def test_rows_wander_and_leave_most_of_the_panel_dark(draw: Screens) -> None:
    """Each pixel is lit a small part of the night; nothing is drawn on the outermost ring, however long the names."""
    rows = [*ROWS[:2], f"140-22 {'W' * 24}"]
    pictures = [draw.draw_sleep_screen(tick, rows) for tick in range(200)]
    width, height = draw.SIZE_PX
    lit = [sum(bool(one.getpixel((x, y))) for one in pictures) for x in range(width) for y in range(height)]
    assert max(lit) < 100
    for picture in pictures:
        box = picture.getbbox()
        assert box is not None
        assert box[0] >= 1
        assert box[1] >= 1
        assert box[2] <= width - 1
        assert box[3] <= height - 1


@SIZES
def test_the_display_asks_once_a_minute_and_wakes_for_a_press(draw: Screens) -> None:
    asked = []
    clock = Clock()
    oled = Oled(None, DisplayCare(sleep=900.0), clock=clock, draw=draw)

    def rows() -> list[str]:
        asked.append(clock())
        return ROWS

    oled.sleep_rows = rows
    oled.update_panel()
    assert [] == asked
    clock.now += 901
    for _ in range(5):
        oled.update_panel()
    assert 1 == len(asked)
    assert draw.draw_sleep_screen(15, ROWS).tobytes() == oled.displayed_picture.tobytes()
    clock.now += 60
    oled.update_panel()
    assert 2 == len(asked)
    assert oled.wake_up()
    oled.update_panel()
    assert oled.displayed_picture.getbbox() is None
