"""Notch, rounded corners and home bar: pages fill the screen, but nothing to read or tap lies below these."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, played, until

Insets = dict[str, int]

UPRIGHT, SIDEWAYS = (390, 844), (844, 390)
INSETS: dict[tuple[int, int], Insets] = {
    UPRIGHT: {"top": 47, "right": 0, "bottom": 34, "left": 0},
    SIDEWAYS: {"top": 0, "right": 47, "bottom": 21, "left": 47},
}
"""What an iPhone with a notch keeps free, in CSS pixels, when a page is opened from the home screen."""

COVERED = """(insets) => {
  const style = (one) => getComputedStyle(one);
  const scrolls = (one) => one && (["auto", "scroll"].includes(style(one).overflowX) || scrolls(one.parentElement));
  const pinned = (one) => one && (style(one).position === "fixed" || pinned(one.parentElement));
  const isRead = (child) => child.nodeType === Node.TEXT_NODE && child.data.trim();
  const whole = document.documentElement.scrollHeight, found = [];
  for (const one of document.body.querySelectorAll("*")) {
    const seen = !one.closest(".unseen, .skip, svg *") && one.checkVisibility({ visibilityProperty: true });
    if (!seen || scrolls(one.parentElement)) continue;
    if (![...one.childNodes].some(isRead) && !one.matches("button, input, select, img, svg, a")) continue;
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect(), fixed = pinned(one);
    const free = { left, right: innerWidth - right, top: fixed ? top : top + scrollY };
    free.bottom = fixed ? innerHeight - bottom : whole - bottom - scrollY;
    if (width > 1 && height > 1 && Object.keys(insets).some((edge) => free[edge] < insets[edge]))
      found.push(`${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 20)}: ${JSON.stringify(free)}`);
  }
  return found;
}"""


def covered(page: Page, size: tuple[int, int]) -> list[str]:
    """Return what lies below an edge of the screen, with its distances from all four."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": INSETS[size]})
    found: list[str] = page.evaluate(COVERED, INSETS[size])
    return [f"{page.url} at {size}: {one}" for one in found]


PAGES: list[tuple[str, Who]] = [
    ("/", "spectator"),
    ("/seat", "away"),
    ("/table", "operator"),
    ("/table#tab=table", "operator"),
    ("/plays", "spectator"),
    ("/games", "operator"),
    ("/games/1", "spectator"),
    ("/games/1/scorecard", "spectator"),
    ("/decks/bottom-of-the-9th/house", "operator"),
    ("/doctor", "operator"),
    ("/in", "spectator"),
]


def test_each_page_keeps_clear_of_the_edges(rooms: Rooms) -> None:
    """Upright and on its side."""
    room = rooms(
        tables=[played("bottom-of-the-9th"), played("bottom-of-the-9th", lambda table: len(table.journal) > 6)]
    )
    pages: dict[Who, Page] = {}
    for path, who in PAGES:
        page = pages[who] = pages.get(who) or room.context(who).new_page()
        page.goto("about:blank")
        page.goto(path)
        if page.locator("#badge").count():
            page.locator("#badge[data-state=live]").wait_for(state="attached")
        assert [] == covered(page, UPRIGHT) + covered(page, SIDEWAYS)


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS])
def test_what_stays_at_an_edge_keeps_clear_of_it(begun: Room, size: tuple[int, int]) -> None:
    """A notice, a warning, and the bar of Read aloud."""
    page = begun.phone("/seat", "away")
    page.locator("#aloud").click()
    page.evaluate("import('/static/js/parts.js').then(({ tell }) => tell('Something went wrong.'))")
    begun.phone("/", "home")
    until(page, lambda: page.locator(".warning > *").count())
    assert [] == covered(page, size)
