"""How a game was won, on its page: fetched when the table has worked it out."""

from __future__ import annotations

from tests.browser.appearance import misfits
from tests.browser.conftest import Rooms
from tests.browser.room import played


def test_it_appears_when_it_is_ready(rooms: Rooms) -> None:
    """And on a page of its own, which refreshes itself until then."""
    room = rooms(tables=[played("small-ball"), played("clutch")])
    page = room.phone("/games/1", size=(320, 640))
    page.locator("#analysis svg").first.wait_for(timeout=60_000)
    assert 0 == page.locator("#analysis").get_by_role("link", name="How it was won").count()
    assert misfits(page, 320, 390, 1280) == []
    page = room.phone("/games/2/analysis", size=(320, 640))
    page.locator("main svg").first.wait_for(timeout=60_000)
    assert misfits(page, 320, 390, 1280) == []
