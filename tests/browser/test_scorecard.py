"""The scorecard on a small phone and on paper, and names in the line score and box score."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from tests.browser.appearance import misfits
from tests.browser.conftest import Rooms
from tests.browser.room import box, played

PAGE = re.compile(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]")

BROKEN = """() => [...document.querySelectorAll(".linescore tbody th, .batting tbody th")].filter((cell) => {
  const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let text; (text = walk.nextNode());)
    for (const word of text.data.matchAll(/[^\\s-]+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getClientRects().length > 1) return true;
    }
}).map((cell) => cell.textContent)"""
"""Return the names of which a word is on two lines."""


def sizes(pdf: bytes) -> Iterator[bool]:
    """Yield for each page of a PDF whether it is in landscape."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    texts = [pdf]
    for one in streams:
        try:
            texts.append(zlib.decompress(one))
        except zlib.error:
            continue
    for text in texts:
        yield from (float(width) > float(height) for width, height in PAGE.findall(text))


def test_a_past_game_and_its_scorecard(rooms: Rooms) -> None:
    """Only the sheets scroll on a small phone; printed, each sheet fills a page in portrait, the grids turned. In the
    line score and the box score names break between words only, at all widths."""
    room = rooms(tables=[played("clutch")])
    page = room.phone("/games/1/scorecard", size=(320, 640))
    assert misfits(page, 320, 390, 1280) == []
    sheet = page.locator(".sheetbox").first
    assert sheet.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert 320 == page.evaluate("document.documentElement.scrollWidth")
    for size in ("A4", "Letter"):
        assert [False] * page.locator(".sheetbox").count() == list(
            sizes(page.pdf(format=size, prefer_css_page_size=True))
        )
    page.emulate_media(media="print")
    for wide, high in ((718, 1047), (741, 979)):  # A4 and Letter within their margins
        page.set_viewport_size({"width": wide, "height": high})
        for grid in page.locator(".wide svg").all():
            turned = box(grid)
            assert 0.85 * high < turned["height"] < high
            assert 0.85 * wide < turned["width"] < wide
    page.emulate_media(media="screen")
    assert page.locator("#print").is_visible()
    page.goto("/games/1")
    for width in (280, 320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.locator(".linescore tbody th").count() == 2
        assert page.locator(".batting tbody th").count() > 18
        assert [] == page.evaluate(BROKEN), width
    assert misfits(page, 280, 320, 390) == []
