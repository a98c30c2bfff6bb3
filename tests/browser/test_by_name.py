"""Phones reach the table by its name over plain http, where browsers hold back what they offer only to secure pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import chromium
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.pages import PAGES, TABS
from tests.browser.room import PHONE, TV, Room, Who, played

VOICES: list[tuple[str, Who, str]] = [
    ("/", "spectator", "sounds"),
    ("/tv", "spectator", "announcer"),
    ("/seat", "home", "aloud"),
]
"""A page, whose phone it is, and a button there that turns on something to hear."""


@pytest.fixture(scope="module")
def far(browser: Browser) -> Iterator[Browser]:
    """A Chromium that finds the table by its name."""
    with chromium.launched_beside(browser, chromium.BY_NAME) as far:
        yield far


@pytest.fixture
def room(rooms: Rooms, faults: Faults) -> Room:
    """Game 1 is over, game 2 is on the table."""
    faults.meant("Cross-Origin-Opener-Policy header has been ignored")  # it is for those who have https
    return rooms(tables=[played("small-ball"), played("small-ball", lambda table: len(table.journal) > 20)])


def opened(far: Browser, room: Room, path: str, who: Who = "spectator") -> Page:
    """A page by the table's name, which its browser does not trust."""
    url = f"http://dugout.local:{room.program.port}"
    page = room.phone(path, who, TV if path == "/tv" else PHONE, browser=far, url=url)
    assert not page.evaluate("isSecureContext || navigator.canShare || navigator.wakeLock || navigator.clipboard")
    return page


def test_each_page(far: Browser, room: Room) -> None:
    """Each shows what matters."""
    room.faults.meant("/nothing: 404")
    page = opened(far, room, "/")
    for path, seen in PAGES.items():
        page.goto(path)
        expect(page.locator(seen).first).to_be_visible()
    page = opened(far, room, "/table", "operator")
    for tab, seen in TABS.items():
        page.locator(f"#tab-{tab}").tap()
        expect(page.locator(seen)).to_be_visible()


def test_what_wants_a_secure_page(far: Browser, room: Room) -> None:
    """Sound, announcer and reading aloud turn on; the result is saved as a picture instead of shared."""
    for path, who, name in VOICES:
        button = opened(far, room, path, who).locator(f"#{name}")
        button.click()
        expect(button).not_to_contain_text("off")
    page = opened(far, room, "/games/1")
    with page.expect_download() as saved:
        page.locator("[data-share]").first.tap()
    assert saved.value.suggested_filename.startswith("dugout-1")


def test_a_seat_answers(far: Browser, room: Room) -> None:
    """A tap answers, and every other page follows."""
    seat = room.asks()[0]["seat"]
    page, screen = opened(far, room, "/seat", seat), opened(far, room, "/tv")
    version = room.program.view()["table"]["version"]
    page.locator("#asks").locator(".choice, .key").first.tap()
    view = room.until(lambda view: view["table"]["version"] > version)
    expect(screen.locator("#plays .last")).to_contain_text(view["table"]["last"].partition(".")[0])
