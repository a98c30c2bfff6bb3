"""Many pages of one browser, which has six connections to the table for all of them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import TV, Room, Who, played, until
from tests.browser.tv.test_announcer import RECORDER, rolling, spoken, turned_to

HIDING = """
let away = false;
Object.defineProperty(document, "hidden", { get: () => away });
Object.defineProperty(document, "visibilityState", { get: () => away ? "hidden" : "visible" });
window.hide = (hidden) => { away = hidden; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""A headless browser has no page in the background."""


def browser_of(room: Room, who: Who = "spectator", **how: Any) -> BrowserContext:
    """Return a browser whose pages can be hidden, and record what they would speak."""
    context = room.context(who, **how)
    context.add_init_script(HIDING + RECORDER)
    return context


def opened(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    if path != "/overlay":
        page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def hide(page: Page, hidden: bool = True) -> None:
    page.evaluate("(hidden) => window.hide(hidden)", hidden)


def listening(room: Room) -> int:
    """Return how many spectators' pages have a stream."""
    return sum(room.program.client.get("/api/phones").json()["spectators"].values())


def told(room: Room) -> str:
    return str(room.program.view()["table"]["last"])


def newest_call(room: Room) -> str:
    return str(room.program.view()["calls"][-1]["text"])


def test_eight_windows_side_by_side(rooms: Rooms) -> None:
    """All load, the last one answers, and all show it: four follow, the others look every few seconds."""
    room = rooms(tables=[played("small-ball", rolling)])
    before = room.program.view()["table"]
    context = browser_of(room, before["asks"][0]["seat"])
    pages = [opened(context, "/seat") for _ in range(8)]
    pages[-1].locator("#asks .key").nth(1).click()
    room.until(lambda view: view["table"]["version"] > before["version"])
    for page in pages:
        expect(page.locator("#dice .last")).to_have_text(told(room))
    assert 4 * ["Every 5 s"] + 4 * ["Live"] == [page.locator("#badge").inner_text() for page in pages]
    pages[0].locator("main").click()
    expect(pages[0].locator("#badge")).to_have_text("Live")
    expect(pages[4].locator("#badge")).to_have_text("Every 5 s")


def test_a_hidden_page_leaves_its_connection_to_others(rooms: Rooms) -> None:
    """Back in front it shows the newest play at once, without a reload, and celebrates nothing that is over."""
    room = rooms(tables=[played("small-ball", rolling)])
    pages = [opened(browser_of(room, size=TV), path) for path in ("/tv", "/")]
    for page in pages:
        page.evaluate("document.body.dataset.same = 'yes'")
        hide(page)
    until(pages[0], lambda: listening(room) == 0)
    half = room.program.view()["table"]["scoreboard"]["half"]
    while room.program.view()["table"]["scoreboard"]["half"] == half:
        room.answer()
    for page in pages:
        hide(page, False)
        expect(page.locator("#said")).to_have_text(told(room))
        expect(page.locator("#badge")).to_have_text("Live")
        expect(page.locator("body")).to_have_attribute("data-same", "yes")
    assert pages[0].locator("#moment").is_hidden()
    assert pages[0].locator("#between").is_hidden()
    assert 2 == listening(room)


def test_of_hidden_pages_one_speaks(rooms: Rooms) -> None:
    """The one used last; once it is closed the other goes on, and repeats nothing."""
    room = rooms(tables=[played("small-ball", rolling)])
    context = browser_of(room)
    first = opened(context, "/tv")
    turned_to(first, "full", key="a")
    second = opened(context, "/")
    expect(second.locator("#announcer")).to_have_text("Announcer: full")
    for page in (first, second):
        hide(page)
    until(first, lambda: listening(room) == 1)
    room.answer([2])
    one = newest_call(room)
    until(second, lambda: one in spoken(second))
    assert [] == spoken(first)
    second.close(run_before_unload=True)
    until(first, lambda: listening(room) == 1)
    expect(first.locator("#said")).to_have_text(told(room))
    while newest_call(room) == one:
        room.answer()
    two = newest_call(room)
    until(first, lambda: spoken(first)[-1:] == [two])
    assert one not in spoken(first)


def test_a_page_with_sound_speaks_in_the_background(rooms: Rooms) -> None:
    """While its browser shows a page without sound."""
    room = rooms(tables=[played("small-ball", rolling)])
    context = browser_of(room, "operator")
    page = opened(context, "/tv")
    turned_to(page, "full", key="a")
    hide(page)
    opened(context, "/table")
    room.answer([2])
    until(page, lambda: newest_call(room) in spoken(page))


def test_the_overlay_follows_while_it_is_hidden(rooms: Rooms) -> None:
    """A broadcast's software may call it hidden, and then show it at once."""
    room = rooms(tables=[played("small-ball", rolling)])
    page = opened(browser_of(room), "/overlay")
    until(page, lambda: listening(room) == 1)
    hide(page)
    half = room.program.view()["table"]["scoreboard"]["half"]
    while room.program.view()["table"]["scoreboard"]["half"] == half:
        room.answer()
    fresh = opened(browser_of(room), "/overlay").locator("main").inner_text()
    expect(page.locator("main")).to_have_text(fresh, use_inner_text=True)


def test_a_phone_signed_out_while_it_is_hidden(rooms: Rooms, faults: Faults) -> None:
    """A seat's page and the operator's ask for the code when they are shown again."""
    faults.meant("401", "403")
    room = rooms()
    pages = [opened(browser_of(room, who), path) for who, path in (("away", "/seat"), ("operator", "/table"))]  # type: ignore[arg-type]
    for page in pages:
        hide(page)
    phones = room.program.client.get("/api/phones").json()["phones"]
    assert 2 == sum(one["unseen"] < 60 for one in phones if not one["own"]), "a hidden page has not left"
    room.program.post("sign-out").raise_for_status()
    for page in pages:
        hide(page, False)
        expect(page.get_by_label("Code")).to_be_visible()
