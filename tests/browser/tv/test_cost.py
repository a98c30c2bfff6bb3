"""What the television's page costs: bytes to load, and work while nothing happens."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.web.pages import visit
from benchmarks.web.television import MOMENTS, RUN
from engine.events import GREATEST
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, TV, Room, Who, played

MOST = 400_000
"""Most bytes that `/tv` may load, unpacked, with the stream's first frame and without sounds."""

CHEAP = {"transform", "opacity", "offset", "computedOffset", "easing", "composite"}
"""What an animation may name: the browser moves and fades a finished picture, and draws nothing again."""

RUNNING = """() => document.getAnimations().map((one) => {
    const { effect } = one, names = new Set(effect.getKeyframes().flatMap(Object.keys));
    return [one.animationName ?? "script", effect.getTiming().iterations === Infinity, [...names]];
})"""


def watched(room: Room, path: str = "/tv", who: Who = "spectator") -> Page:
    """Return a page once it is live."""
    page = room.phone(path, who, size=TV if path == "/tv" else PHONE, reduced_motion="no-preference")
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    return page


def on_base(table: Any) -> bool:
    """Return True somewhere in a game with a runner on base."""
    return len(table.journal) > 43 and any(table.scoreboard().bases)


@pytest.mark.parametrize("game", ["small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch", "clutch"])
def test_the_stage_is_light(rooms: Rooms, game: str) -> None:
    """Everything that `/tv` loads in mid-game, unpacked; the sounds come only when somebody turns them on."""
    first = visit(rooms(tables=[played(game, on_base)]).context(size=TV), "/tv")
    assert first.live is not None
    assert 20_000 < sum(unpacked for _, unpacked in first.parts.values()) < MOST, first.parts
    assert [] == [name for name in first.parts if "sound" in name or "announcer" in name]


@pytest.mark.parametrize(
    ("path", "who"), [("/", "spectator"), ("/tv", "spectator"), ("/seat", "home"), ("/table", "operator")]
)
def test_nothing_moves_while_nothing_happens(rooms: Rooms, path: str, who: Who) -> None:
    """No animation without an end, which would draw sixty pictures a second all evening."""
    page = watched(rooms(tables=[played("small-ball", on_base)]), path, who)
    assert [] == [name for name, endless, _ in page.evaluate(RUNNING) if endless]


def test_moments_and_runners_draw_nothing_again(rooms: Rooms) -> None:
    """Each kind of moment, and runners: only moved and faded, and over in the end."""
    page = watched(rooms(tables=[played("small-ball", on_base)]))
    seen = set[str]()
    for kind in GREATEST:
        page.evaluate(MOMENTS, kind)
        for name, endless, names in page.evaluate(RUNNING):
            seen.add(name)
            assert not endless, (kind, name)
            assert set(names) <= CHEAP, (kind, name)
        page.keyboard.press("Space")
    page.evaluate(RUN)
    for name, endless, names in page.evaluate(RUNNING):
        seen.add(name)
        assert not endless, name
        assert set(names) <= CHEAP, name
    assert {"slam", "burst", "script"} <= seen
