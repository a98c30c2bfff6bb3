"""The television says who manages a side and why, and cuts nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Rooms
from tests.browser.room import played
from tests.browser.tv.test_stage import LENGTHEN, LONG, SIZES, cut, in_the_middle, watched

REASON = """words => {
    for (const one of document.querySelectorAll(".reason")) one.append(words);
    document.getElementById("plays").dispatchEvent(new Event("drawn", { bubbles: true }));
}"""
WHY = " Infield in: the tying run is on third, there is one out, and a single up the middle ties it in the last inning."

AWAY, HOME = "Saltmarsh Herons United", "Northgate Nightingales"


@pytest.mark.parametrize("begun", [False, True])
def test_nothing_is_cut(rooms: Rooms, begun: bool) -> None:
    """Before the game and in it, with one computer and with two, with long names and a long reason."""
    room = rooms(game="bottom-of-the-9th", tables=[played("bottom-of-the-9th", in_the_middle)] if begun else [])
    for managed in (["home"], ["home", "away"]):
        if begun:
            room.program.post("seat/manager", seat=managed[-1], strength="all-star").raise_for_status()
        else:
            managers, names = dict.fromkeys(managed, "all-star"), {"away": AWAY, "home": HOME}
            body = {"game": "bottom-of-the-9th", "managers": managers, "names": names, "pace": "normal"}
            room.program.post("game", **body).raise_for_status()
        page = watched(room, SIZES[0])
        expect(page.locator("#bug")).to_contain_text("computer")
        if not begun:
            expect(page.locator(".before .led").first).to_contain_text("Ida Okafor, computer (all-star, by the book)")
        found = [cut(page)]
        page.evaluate(REASON, WHY)
        found.append(cut(page))
        page.evaluate(LENGTHEN, LONG)
        assert [[], [], []] == [*found, cut(page)], "in turn: as it is, with a reason, with long names"
