"""Buttons, folds and letters on small phones."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import Rooms
from tests.browser.room import Who, played, until

BROKEN = """() => [...document.querySelectorAll("button, .button, summary")].filter((one) => {
  const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let text; (text = walk.nextNode());) {
    if (text.parentElement.offsetWidth < 2) continue;  // for screen readers only
    for (const word of text.data.matchAll(/[^\\s-]+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if ([...range.getClientRects()].filter(({ width }) => width).length > 1) return true;
    }
  }
}).map((one) => one.textContent.trim())"""
"""Return the buttons with a word on two lines."""

FOLDS = """() => [...document.querySelectorAll("summary")].map((one) => {
  const { display, listStyleType } = getComputedStyle(one);
  return [getComputedStyle(one, "::before").content, display, listStyleType].join(" ");
})"""

PAGES: list[tuple[str, Who]] = [
    ("/seat", "away"),
    *[(f"/table#tab={tab}", "operator") for tab in ("game", "table", "camera", "games")],
    ("/games", "operator"),
    ("/games/1", "operator"),
    ("/decks", "operator"),
    ("/decks/clutch/house", "operator"),
    ("/doctor", "operator"),
]


def test_buttons_folds_and_letters(rooms: Rooms) -> None:
    """A button breaks between words, a fold has one triangle, and a phone on its side keeps the size of letters."""
    room = rooms(command="demo", tables=[played("clutch"), played("clutch", lambda table: len(table.journal) > 20)])
    pages: dict[Who, Page] = {}
    folds = 0
    for path, who in PAGES:
        page = pages[who] = pages.get(who) or room.context(who).new_page()
        page.goto("about:blank")
        page.goto(path)
        if page.locator("#badge").count():
            page.locator("#badge[data-state=live]").wait_for(state="attached")
        if path.endswith("tab=table"):
            until(page, page.locator("[data-phone] button").count)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert [] == page.evaluate(BROKEN), (path, width)
        found = page.evaluate(FOLDS)
        assert {'"▸" flex none', '"▾" flex none'} >= set(found), path
        folds += len(found)
        assert "100%" == page.evaluate("getComputedStyle(document.documentElement).webkitTextSizeAdjust")
    assert folds > 8


def test_safari_draws_no_triangle_of_its_own(rooms: Rooms) -> None:
    """Only WebKit knows this part of a fold, so it has a rule of its own: others would drop a list with it."""
    page = rooms().phone("/", live=False)
    sheet = page.request.get("/static/css/dugout.css").text()
    assert "\nsummary::-webkit-details-marker { display: none; }\n" in sheet
