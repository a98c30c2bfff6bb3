"""After the game, on every seat's page: the star, the picture to share, and the rematch that both seats tap."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine.seats import SEATS
from tests.browser.appearance import flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.room import TV, played
from tests.browser.test_first_screen import VISIBLE

SAYS = "Lanterns: ready for a rematch."


def rematch(page: Page, name: str = "Rematch") -> None:
    page.locator("#rematch").get_by_role("button", name=name).tap()


def test_both_phones_tap(rooms: Rooms) -> None:
    """One tap waits, and may be taken back. All of it is on the first screen; spectators only see who waits."""
    room = rooms(tables=[played("small-ball")])
    room.until(lambda view: view["story"])
    away, home = (room.phone("/seat", seat, VISIBLE, reduced_motion="reduce") for seat in SEATS)
    guest = room.phone(reduced_motion="reduce")
    for page in (away, home):
        expect(page.locator("#outcome .star")).to_be_in_viewport(ratio=1)
        expect(page.locator("#outcome [data-share]")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    rematch(away)
    for page in (home, guest):
        expect(page.locator("#outcome")).to_contain_text(SAYS)
    expect(away.locator("#rematch")).to_contain_text("Waiting for Owls to tap Rematch, too.")
    expect(guest.get_by_role("button", name="Rematch")).to_have_count(0)
    assert [] == [one for page in (away, home, guest) for one in flaws(page) + misfits(page, 320, 390, 1920)]
    expect(away.locator("#rematch.resting")).to_have_count(0)
    rematch(away, "Take it back")
    expect(home.locator("#outcome")).not_to_contain_text(SAYS)
    rematch(home)
    expect(away.locator("#outcome")).to_contain_text("Owls: ready for a rematch.")
    expect(away.locator("#rematch.resting")).to_have_count(0)
    rematch(away)
    view = room.until(lambda view: view["number"] == 2)
    assert ("small-ball", 0, []) == (view["game"]["key"], view["table"]["version"], view["rematch"])
    for page in (away, home):
        expect(page.locator("#rematch")).to_be_empty()
    television = room.phone("/tv", size=TV)
    expect(television.locator("#cover .series")).to_contain_text("the series 1–0.")


def test_an_undo_at_the_end_withdraws_it(rooms: Rooms) -> None:
    """By the operator, who may also start it without the other seat, from the page of a seat too."""
    room = rooms(tables=[played("small-ball")])
    away, operator = room.phone("/seat", "away"), room.phone("/table", "operator")
    rematch(away)
    expect(operator.locator("#outcome")).to_contain_text(SAYS)
    operator.locator("#undo").tap()
    room.until(lambda view: view["table"]["outcome"] is None)
    expect(away.get_by_role("button", name="Rematch")).to_have_count(0)
    while room.program.view()["table"]["outcome"] is None:
        room.answer()
    expect(away.get_by_role("button", name="Rematch")).to_be_visible()
    expect(operator.locator("#outcome")).not_to_contain_text(SAYS)
    operator.goto("/seat")
    operator.locator("[name=seat][value=home]").check()
    operator.get_by_role("button", name="Take the seat").tap()
    start = operator.get_by_role("button", name="Start the rematch now")
    expect(start).to_be_hidden()
    rematch(operator)
    start.tap()
    room.until(lambda view: view["number"] == 2)
    expect(start).to_be_hidden()
