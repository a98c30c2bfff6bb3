"""Every page for everyone: nothing that axe would call a breach, nothing that does not fit, by day and by night."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.table import Table
from tests.browser.appearance import breaches, flaws, misfits, tall
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import TV, Room, Who, played

MOMENTS: dict[str, Callable[[Table], object]] = {
    "going on": lambda table: len(table.journal) > 43,
    "over": lambda table: False,
}
GAMES = ("small-ball", "bottom-of-the-9th", "rallybird", "clutch")
WIDTHS = (320, 390, 768, 1920)

SHOWN: list[tuple[str, Who]] = [("/", "spectator"), ("/plays", "spectator"), ("/games/1", "spectator")]
SHOWN += [("/overlay?theme=light", "spectator"), ("/seat", "away"), ("/seat", "home"), ("/table", "operator")]
"""The pages that look different from game to game."""

# The plain overlay has no ground of its own: what its letters stand on is the video.
DOORS = [
    "/seat",
    "/table",
    "/games",
    "/games?page=7",
    "/games/99",
    "/nothing",
    "/decks",
    "/overlay",
]
"""Those that do not, as a spectator sees them."""


def unfold(page: Page) -> None:
    """Open everything that can be opened, nested parts too."""
    closed = page.locator("details:not([open]) > summary:visible")
    while closed.count():
        closed.first.click()
    for waited in page.locator("#games:visible, #rolls:visible").all():
        expect(waited).not_to_be_empty()


def left(rooms: Rooms, game: str, moment: str) -> Room:
    return rooms(tables=[played(game, MOMENTS[moment])])


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("game", GAMES)
def test_no_breach_in_any_game(rooms: Rooms, faults: Faults, game: str, moment: str) -> None:
    """Each page of each game, in play and over, with all parts open, from a small phone to a television."""
    room = left(rooms, game, moment)
    faults.meant(r"/(camera|board)\.jpg.*404")
    found = []
    for path, who in SHOWN:
        page = room.phone(path, who)
        unfold(page)
        found += flaws(page) if moment == "going on" else breaches(page)
        found += misfits(page, *WIDTHS)
        page.context.close()
    assert found == []


def test_no_breach_at_any_door(rooms: Rooms, faults: Faults) -> None:
    """Pages that ask for a code, list, refuse, or do not exist; and a wrong code."""
    room = left(rooms, "small-ball", "over")
    faults.meant("404", "/seat: 403")
    found = []
    for path in DOORS:
        page = room.phone(path)
        found += flaws(page) + misfits(page, *WIDTHS)
        page.context.close()
    page = room.phone("/seat")
    page.get_by_label("Away").check()
    page.get_by_label("Code").fill("0")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert found + flaws(page) + misfits(page, *WIDTHS) == []


def test_no_breach_with_virtual_devices(rooms: Rooms, faults: Faults) -> None:
    """The operator's page of a demo has cameras and buttons too."""
    room = rooms("--seed", "3", command="demo")
    faults.meant(r"/board\.jpg.*404")
    page = room.phone("/table", "operator", size=TV)
    expect(page.locator("#camera")).to_be_visible()
    expect(page.locator("#glass")).to_be_visible()
    unfold(page)
    assert flaws(page) + misfits(page, *WIDTHS) == []


@pytest.mark.parametrize("game", GAMES)
def test_large_letters_fit(rooms: Rooms, faults: Faults, large_browser: Browser, game: str) -> None:
    """Letters of twice the size."""
    room = left(rooms, game, "going on")
    faults.meant(r"/(camera|board)\.jpg.*404")
    found = []
    for path, who in SHOWN:
        page = room.phone(path, who, browser=large_browser)
        unfold(page)
        found += misfits(page, *WIDTHS[1:])
        page.context.close()
    page = room.phone(browser=large_browser)
    assert "32px" == page.evaluate("getComputedStyle(document.documentElement).fontSize")
    assert found == []


def test_any_typeface_fits(rooms: Rooms, faults: Faults) -> None:
    """Letters far taller than their line."""
    room = left(rooms, "small-ball", "going on")
    faults.meant(r"/(camera|board)\.jpg.*404")
    found = []
    for path, who in SHOWN:
        page = room.phone(path, who, bypass_csp=True)
        unfold(page)
        tall(page)
        found += misfits(page, *WIDTHS)
        page.context.close()
    assert found == []
