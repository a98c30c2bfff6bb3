"""Layout shift of every page while a computer manages one side."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Rooms
from tests.browser.room import PHONE
from tests.browser.steady.shifts import Watch
from tests.browser.steady.test_steady import MOST, NARROW

REASON = """html => {
    for (const one of document.querySelectorAll(".reason")) one.innerHTML = html;
    return document.querySelectorAll(".reason").length;
}"""


@pytest.mark.parametrize("phone", [PHONE, NARROW])
def test_the_pages_keep_still_against_the_computer(rooms: Rooms, phone: tuple[int, int]) -> None:
    """While it decides by itself and people throw for it, and when its reason comes into the place kept for it."""
    room = rooms(game="bottom-of-the-9th")
    body = {"game": "bottom-of-the-9th", "managers": {"home": "regular"}, "pace": "instant"}
    room.program.post("game", **body).raise_for_status()
    watch = Watch(room, phone)
    given = 0
    while given < 24:
        asks = [ask for ask in room.asks() if ask["seat"] == "away" or ask["kind"] == "roll"]
        if asks:
            given += watch.answer(room.chance.choice(asks))
        else:
            watch.pages["/"].wait_for_timeout(50)
    assert [] == watch.moved(MOST)
    for name, page in watch.pages.items():
        page.evaluate("window.shifts.splice(0)")
        found = page.evaluate(REASON, "<b>Home, computer:</b> One run ties it, so the runner on second goes home.")
        assert found == 1 or name == "/table" or found, name
        page.wait_for_timeout(200)
        assert sum(value for value, _ in page.evaluate("window.shifts")) < MOST, name
