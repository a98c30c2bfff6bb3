"""The screen stays on while a page speaks or is on the television; where it can't, the page says what to do."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, until
from tests.browser.test_tabs import HIDING, hide
from tests.browser.tv.test_announcer import RECORDER

LOCK = """
window.locks = 0;
const request = async () => {
    if (window.refused) throw new DOMException("low battery", "NotAllowedError");
    const lock = new EventTarget();
    window.locks += 1;
    lock.release = async () => { window.locks -= 1; lock.onrelease(); };
    document.addEventListener("visibilitychange", () => document.hidden && lock.release(), { once: true });
    return lock;
};
Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""
"""The wake lock of HTTPS, which the browser takes away from a page that is hidden."""

NO_LOCK = 'Object.defineProperty(navigator, "wakeLock", { value: undefined });'
"""Plain HTTP."""

SAFARI = 'Object.defineProperty(navigator, "vendor", { value: "Apple Computer, Inc." });'

ADVICE = re.compile("Turn off auto-lock")


def opened(room: Room, path: str, *scripts: str, who: Who = "spectator") -> Page:
    context = room.context(who)
    context.add_init_script("".join([HIDING, RECORDER, *scripts]))
    page = context.new_page()
    page.goto(path)
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def playing(page: Page) -> int:
    """Return how many videos play on this page."""
    return int(page.evaluate("[...document.querySelectorAll('video')].filter((one) => !one.paused).length"))


def locks(page: Page) -> int:
    return int(page.evaluate("window.locks"))


def test_while_the_announcer_is_on(room: Room) -> None:
    """With the wake lock: from off to low, and until it is off again; taken again when the page is shown again."""
    page = opened(room, "/", LOCK)
    button = page.locator("#announcer")
    assert 0 == locks(page)
    button.click()
    until(page, lambda: locks(page) == 1)
    hide(page)
    until(page, lambda: locks(page) == 0)
    hide(page, False)
    until(page, lambda: locks(page) == 1)
    button.click()
    expect(button).to_have_text("Announcer: full")
    assert 1 == locks(page)
    button.click()
    until(page, lambda: locks(page) == 0)
    assert 0 == page.get_by_text(ADVICE).count()


def test_over_plain_http(room: Room) -> None:
    """Chromium plays a still picture without sound, which fills the page behind everything, and only as long."""
    page = opened(room, "/", NO_LOCK)
    assert 0 == playing(page)
    page.locator("#announcer").click()
    until(page, lambda: playing(page) == 1)
    filled, muted = page.evaluate(
        "(() => { const v = document.querySelector('video'), b = v.getBoundingClientRect();"
        " return [b.width * b.height / (innerWidth * innerHeight), v.muted]; })()"
    )
    assert filled > 0.9, "Chromium asks for a fifth of the page"
    assert muted
    assert 0 == page.get_by_text(ADVICE).count()
    page.locator("#announcer").click()
    page.locator("#announcer").click()
    until(page, lambda: page.locator("video").count() == 0)


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_where_it_cannot_be_kept_on(room: Room, path: str) -> None:
    """One line beside the button says what to do, when the announcer is turned on and not after a reload."""
    page = opened(room, path, NO_LOCK, SAFARI)
    page.locator("#announcer").click()
    expect(page.get_by_text(ADVICE)).to_be_visible()
    assert 0 == page.locator("video").count()
    page.reload()
    expect(page.locator("#announcer")).to_have_text("Announcer: low")
    assert 0 == page.get_by_text(ADVICE).count()


def test_a_refused_lock_is_taken_at_the_next_touch(room: Room) -> None:
    """As on a phone with a low battery, or a browser that needs a touch first."""
    page = opened(room, "/tv", "window.refused = true;", LOCK)
    page.locator("#announcer").click()
    expect(page.get_by_text(ADVICE)).to_be_visible()
    page.evaluate("window.refused = false")
    page.locator(".stage").click()
    until(page, lambda: locks(page) == 1)


def test_the_television_needs_no_tap(room: Room) -> None:
    """Its page keeps the screen on all evening."""
    for script, held in ((LOCK, locks), (NO_LOCK, playing)):
        page = opened(room, "/tv", script)
        until(page, lambda held=held, page=page: held(page) == 1)  # type: ignore[misc]


def test_while_a_seat_is_read_aloud(rooms: Rooms) -> None:
    """Where the screen can't be kept on, the phone says it too."""
    room = rooms()
    seat = room.asks()[0]["seat"]
    page = opened(room, "/seat", LOCK, who=seat)
    page.locator("#aloud").click()
    until(page, lambda: locks(page) == 1)
    page = opened(room, "/seat", NO_LOCK, SAFARI, who=seat)
    page.locator("#aloud").click()
    until(page, lambda: any(ADVICE.match(text) for text, _ in page.evaluate("window.spoken")))
    expect(page.get_by_text(ADVICE)).to_be_visible()
