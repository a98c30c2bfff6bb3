"""What the television's page costs: bytes to load, and work while nothing happens."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from benchmarks.web.pages import measure_visit
from benchmarks.web.television import MOMENTS_SCRIPT, RUN_SCRIPT
from engine.events import RANKED_MOMENTS
from engine.games import GAMES
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


def test_the_stage_is_light(rooms: Rooms) -> None:
    """Everything that `/tv` loads in each game, unpacked; the sounds come only when somebody turns them on."""
    room = rooms(tables=[played(game, on_base) for game in GAMES])
    for number in range(1, len(GAMES) + 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        first = measure_visit(room.context(size=TV), "/tv")
        assert first.live is not None
        assert 20_000 < sum(unpacked for _, unpacked in first.parts.values()) < MOST, first.parts
        assert [] == [name for name in first.parts if re.search("sounds|announcer|levels", name)]


def test_nothing_moves_while_nothing_happens(rooms: Rooms) -> None:
    """No animation without an end, which would draw sixty pictures a second all evening."""
    room = rooms(tables=[played("small-ball", on_base)])
    pages: list[tuple[str, Who]] = [("/", "spectator"), ("/tv", "spectator"), ("/seat", "home"), ("/table", "operator")]
    for path, who in pages:
        assert [] == [name for name, endless, _ in watched(room, path, who).evaluate(RUNNING) if endless], path


def test_moments_and_runners_draw_nothing_again(rooms: Rooms) -> None:
    """Each kind of moment, and runners: only moved and faded, and over in the end."""
    page = watched(rooms(tables=[played("small-ball", on_base)]))
    seen = set[str]()
    for kind in RANKED_MOMENTS:
        page.evaluate(MOMENTS_SCRIPT, kind)
        for name, endless, names in page.evaluate(RUNNING):
            seen.add(name)
            assert not endless, (kind, name)
            assert set(names) <= CHEAP, (kind, name)
        page.keyboard.press("Space")
    page.evaluate(RUN_SCRIPT)
    for name, endless, names in page.evaluate(RUNNING):
        seen.add(name)
        assert not endless, name
        assert set(names) <= CHEAP, name
    assert {"slam", "burst", "script"} <= seen
