"""Text on the scoreboard's green, which is a gradient: axe gives no verdict on text there."""

from __future__ import annotations

import pytest

from engine.games import GAMES
from engine.table import Table
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, TV, played

FAINT = """() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const channel = (value) => value / 255 <= .03928 ? value / 255 / 12.92 : ((value / 255 + .055) / 1.055) ** 2.4;
  const light = ([red, green, blue]) => .2126 * channel(red) + .7152 * channel(green) + .0722 * channel(blue);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const grounds = (one) => {
    if (!one) return [];
    const { backgroundColor, backgroundImage } = getComputedStyle(one), [, , , alpha = 1] = numbers(backgroundColor);
    if (backgroundImage.startsWith("linear-gradient")) return backgroundImage.match(/rgba?\\([^)]*\\)/g).map(numbers);
    return alpha > .5 ? [] : grounds(one.parentElement);
  };
  const isRead = (child) => child.nodeType === Node.TEXT_NODE && child.data.trim();
  const found = { seen: 0, faint: [] };
  for (const one of document.querySelectorAll("main *")) {
    if (one.closest("svg, .unseen, [aria-hidden=true]") || ![...one.childNodes].some(isRead)) continue;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(one), size = parseFloat(fontSize);
    const enough = size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
    for (const ground of grounds(one)) {
      found.seen += 1;
      const ratio = contrast(numbers(color), ground);
      if (ratio < enough) found.faint.push(`${one.tagName}.${one.className} ${one.textContent.trim()}: ${ratio}`);
    }
  }
  return found;
}"""
"""Return how many texts lie on a gradient, and those too faint on either end of it, as WCAG 2 measures."""


def runner_aboard(table: Table) -> bool:
    """Whether somebody is on base, with a name or an ordinal below the field."""
    return len(table.journal) > 8 and any(table.view_for(None).scoreboard.bases)


@pytest.mark.parametrize("key", GAMES)
def test_text_on_the_board(rooms: Rooms, key: str) -> None:
    """On the television, a phone and over a video, in light and dark, with a runner on base."""
    room = rooms(tables=[played(key, runner_aboard)])
    for path, size in (("/tv", TV), ("/", PHONE), ("/overlay", (730, 270)), ("/overlay?theme=light", (730, 270))):
        page = room.phone(path, size=size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(FAINT)
            assert [] == found["faint"], (path, scheme)
            assert found["seen"] > 6
        room.leave()
