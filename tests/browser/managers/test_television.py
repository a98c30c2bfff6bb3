"""The television says who manages a side and why, and cuts nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Rooms
from tests.browser.room import played
from tests.browser.tv.test_stage import CUT, LENGTHEN, LONG, SIZES, in_the_middle, watched

REASON = """words => {
    for (const one of document.querySelectorAll(".reason")) one.append(words);
    document.getElementById("plays").dispatchEvent(new Event("drawn", { bubbles: true }));
}"""
WHY = " Infield in: the tying run is on third, there is one out, and a single up the middle ties it in the last inning."


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("begun", [False, True])
def test_nothing_is_cut(rooms: Rooms, size: tuple[int, int], begun: bool) -> None:
    """Before the game and in it, with one computer and with two, with long names and a long reason."""
    room = rooms(game="bottom-of-the-9th", tables=[played("bottom-of-the-9th", in_the_middle)] if begun else [])
    for seat in ("home", "away"):
        if not begun:
            managers = {"home": "all-star"} | ({"away": "all-star"} if seat == "away" else {})
            names = {"away": "Saltmarsh Herons United", "home": "Northgate Nightingales"}
            body = {"game": "bottom-of-the-9th", "managers": managers, "names": names, "pace": "normal"}
            room.program.post("game", **body).raise_for_status()
        else:
            room.program.post("seat/manager", seat=seat, strength="all-star").raise_for_status()
        page = watched(room, size)
        expect(page.locator("#bug")).to_contain_text("computer")
        if not begun:
            expect(page.locator(".before .led").first).to_contain_text("computer, all-star")
        page.wait_for_timeout(300)
        assert [] == page.evaluate(CUT)
        page.evaluate(REASON, WHY)
        assert [] == page.evaluate(CUT), "a reason"
        page.evaluate(LENGTHEN, LONG)
        assert [] == page.evaluate(CUT), "long names"
        page.close()
