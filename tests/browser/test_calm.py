"""Nothing moves under a thumb, what only one may see lies under a lid, and a doubt says which die."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from engine.asks import Arrange, Roll
from engine.table import Table
from tests.browser.appearance import misfits
from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, box, played, until
from tests.browser.test_correct import thrown


def asked(kind: type) -> Callable[[Table], bool]:
    """The first ask is of this kind, and public."""
    return lambda table: bool(table.open_asks()) and isinstance(table.open_asks()[0][1], kind)


def high(page: Page, name: str) -> float:
    """The height of this answer on the page."""
    return box(page.locator("#asks").get_by_role("button", name=name).first)["y"]


def test_a_picture_moves_no_answer(rooms: Rooms) -> None:
    """Its space is reserved while it loads. A tap enlarges it and says why the reader doubted; another closes it."""
    room = rooms("--seed", "3", command="demo", show=30, tables=[played("rallybird", asked(Roll))])
    page = room.phone("/seat", room.asks()[0]["seat"])
    coming = []
    page.route("**/evidence/**", lambda route: coming.append(route))
    thrown(room)
    until(page, lambda: coming)
    before = high(page, "Yes")
    for one in coming:
        one.continue_()
    small = page.locator("#asks .proof img")
    until(page, lambda: small.evaluate("(one) => one.naturalWidth > 20"))
    assert before == high(page, "Yes")
    page.unroute("**/evidence/**")
    doubted = {"advice": "A die is hard to read: turn on a light.", "why": "unclear: chance 0.78, needs 0.85"}
    page.route("**/evidence/*.json", lambda route: route.fulfill(json=doubted))
    page.get_by_role("button", name="enlarge").tap()
    large = page.get_by_role("dialog").locator("img")
    expect(large).to_be_visible()
    sizes = [one.evaluate("(one) => one.clientWidth") for one in (small, large)]
    assert sizes[1] > 2 * sizes[0]
    expect(page.get_by_role("dialog")).to_contain_text("turn on a light. (unclear: chance 0.78, needs 0.85)")
    large.tap()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_notice_moves_no_answer(room: Room) -> None:
    """It comes once, below the ask; for spectators below what the table waits for. A warning is at the top of both."""
    room.answer("red")
    page, guest = room.phone("/seat", "away"), room.phone()
    expect(page.locator("#asks .notice")).to_have_count(0)
    before = high(page, "Bat")
    room.program.client.post("/seat", data={"seat": "home", "code": room.program.code})
    expect(page.get_by_text("took a seat: Owls, home").and_(page.locator(":visible"))).to_have_count(1)
    assert before == high(page, "Bat")
    for one in (page, guest):
        expect(one.locator("#warning")).to_contain_text("took a seat: Owls, home")
        expect(one.locator("#warning")).to_be_in_viewport(ratio=1)
    room.program.client.post("/api/seat/coach", json={"seat": "home", "on": True})
    expect(page.locator("#asks > .notice:last-child")).to_have_text("Owls allow the coach.")
    assert before == high(page, "Bat")
    expect(guest.locator("#now > :last-child")).to_have_text("Owls allow the coach.")


def test_gloves_are_laid_with_large_letters(rooms: Rooms, large_browser: Browser) -> None:
    """Letters of twice the size, for the seat and the operator."""
    room = rooms(tables=[played("rallybird", asked(Arrange))])
    seat = room.asks()[0]["seat"]
    looks: list[tuple[str, Who]] = [("/seat", seat), ("/table", "operator")]
    for path, who in looks:
        page = room.phone(path, who, browser=large_browser)
        expect(page.locator(".arrange .piece").first).to_be_visible()
        assert [] == misfits(page, 390)
        page.context.close()


def test_the_page_goes_up_once_the_gloves_lie(rooms: Rooms) -> None:
    room = rooms(tables=[played("rallybird", asked(Arrange))])
    page = room.phone("/seat", room.asks()[0]["seat"])
    for _ in range(page.locator(".arrange .piece").count()):
        if page.locator(".acts .button:enabled", has_text=re.compile("^Place")).count():
            break
        page.locator(".arrange .piece").first.tap()
        empty = page.locator(".ground .place:not(.laid)")
        if empty.count():
            empty.first.tap()
    go = page.locator(".acts .button", has_text=re.compile("^Place"))
    go.scroll_into_view_if_needed()
    go.tap()
    until(page, lambda: page.evaluate("scrollY") == 0)
    expect(page.locator(".arrange")).to_have_count(0)


def test_the_own_lies_under_a_lid(rooms: Rooms) -> None:
    """A tap or a key toggles it; it closes when the phone is put down."""
    room = rooms(tables=[played("rallybird", asked(Roll))])
    page = room.phone("/seat", "home")
    lid, own = page.locator("#veil .veil"), page.locator("#own")
    expect(lid).to_have_text("Show what only you can see")
    expect(own).to_be_hidden()
    lid.tap()
    expect(own).to_be_visible()
    lid.press("Enter")
    expect(own).to_be_hidden()
    lid.tap()
    expect(own).to_be_visible()
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true });"
        " document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(own).to_be_hidden()
