"""What a table's display shows is drawn when it changes, and not before."""

from __future__ import annotations

import math

import pytest
from PIL import Image

from device.display import screens_64
from device.display.menu import Menu
from device.display.oled import Oled
from device.display.pages import PAGE_TIME_S
from device.display.table_display import COUNTDOWN_INTERVAL_S, TableDisplay
from device.storage.store import Store
from device.table.session import GameSession
from tests.device.display.menus import Joining, menu
from tests.device.stored_games import Clock, answer, seen, table


class Bench:
    """A display, its clock, and how often something was drawn and looked at."""

    def __init__(self, store: Store, clock: Clock, joining: Joining | None = None) -> None:
        self.clock, self.drawn, self.looks = clock, 0, 0
        self.session = GameSession(store, table, clock=clock)
        self.oled = Oled(None, clock=clock, draw=screens_64)
        joins = joining or Joining()
        self.menu: Menu = menu(self.session, joins)
        drawn = self.menu.current_picture

        def picture(screen: str = "") -> Image.Image:
            self.drawn += 1
            return drawn(screen)

        self.menu.current_picture = picture  # type: ignore[method-assign]
        self.display = TableDisplay(self.session.game, self.menu, self.oled, joins, lambda: None, clock=clock)  # type: ignore[arg-type]
        self.version = -1

    def wait(self, seconds: float) -> None:
        """Let time pass, and look when the display asks for it or something changes."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            view = self.session.game.view_for(None)
            new, self.version = view.version != self.version, view.version
            self.looks += 1
            self.clock.now = min(end, self.clock.now + max(0.001, self.display.update(view, new)))


@pytest.fixture
def bench(store: Store, clock: Clock) -> Bench:
    return Bench(store, clock)


def test_at_rest_nothing_is_drawn(bench: Bench) -> None:
    """A game that waits for its dice is drawn when a page of the question turns, and nobody looks in between."""
    answer(bench.session, "bat")
    bench.menu._show_screen("game")
    bench.wait(24 * PAGE_TIME_S - 0.1)
    assert (24, True) == (bench.drawn, bench.looks <= 25)


def test_the_join_screen_is_drawn_when_its_page_turns(bench: Bench) -> None:
    """Three turns, one of which says how to go on; no page is drawn twice."""
    bench.wait(12 * PAGE_TIME_S - 0.1)
    assert 12 == bench.drawn
    assert bench.looks <= 13


def test_another_invitation_is_drawn_when_one_ends(store: Store, clock: Clock) -> None:
    lasts = iter([30.0, 0.0, *[60.0] * 9])
    bench = Bench(store, clock, Joining(lasts=lambda: next(lasts)))
    bench.menu._show_screen("scan")
    bench.wait(50)
    assert (2, True) == (bench.drawn, bench.looks <= 3)


def test_a_roll_counts_down(bench: Bench) -> None:
    """Many pictures until it counts, and only pages that turn after that."""
    answer(bench.session, "bat")
    bench.menu._show_screen("game")
    bench.session.rolls.handle_throw(seen(4, began=bench.clock.now))
    bench.wait(1.0)
    assert bench.drawn >= 0.8 / COUNTDOWN_INTERVAL_S
    bench.wait(1.0)
    bench.session.rolls.set_camera_state("settled", "The dice are still.", bench.clock.now)
    bench.wait(1)
    bench.drawn = 0
    bench.wait(10 * PAGE_TIME_S)
    assert 9 <= bench.drawn <= 11


def test_asleep_it_waits_for_news(bench: Bench) -> None:
    """Pages that turn are drawn again once somebody has pressed."""
    bench.wait(1)
    bench.oled.sleep()
    assert math.inf == bench.display.update(bench.session.game.view_for(None), new=False)
    drawn = bench.drawn
    bench.wait(PAGE_TIME_S)
    assert drawn == bench.drawn
    bench.oled.wake_up()
    bench.wait(0.1)
    assert drawn + 1 == bench.drawn
