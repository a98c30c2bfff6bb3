"""Pages that are the same in every game: nothing that axe calls a breach, or that does not fit.

The others are looked at in the evenings of each game."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from benchmarks.web.pages import measure_visit
from tests.browser.appearance import breaches, flaws, misfits
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.evenings.looks import WIDTHS, unfold
from tests.browser.room import TV, Room, played, until

# The plain overlay has no ground of its own: what its letters stand on is the video.
DOORS = [
    "/seat",
    "/table",
    "/in",
    "/games",
    "/games?page=7",
    "/games/99",
    "/nothing",
    "/decks",
    "/people",
    "/overlay",
]
"""As a spectator sees them."""


def test_no_breach_at_any_door(rooms: Rooms, faults: Faults) -> None:
    """Pages that ask for a code, list, refuse, or do not exist; and a wrong code."""
    room = rooms(tables=[played("small-ball")])
    faults.meant("404", "/seat: 403")
    found, context = [], room.context()
    for path in DOORS:
        page = context.new_page()
        page.goto(path)
        found += flaws(page) + misfits(page, *WIDTHS)
        page.close()
    page = room.phone("/seat")
    page.get_by_label("Away").check()
    page.get_by_label("Code").fill("0")
    page.get_by_role("button", name="Take the seat").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert found + flaws(page) + misfits(page, *WIDTHS) == []


def test_no_breach_with_virtual_devices(rooms: Rooms) -> None:
    """The operator's page of a demo has cameras and buttons too."""
    room = rooms("--seed", "3", command="demo")
    page = room.phone("/table#tab=camera", "operator", size=TV)
    expect(page.locator("#camera")).to_be_visible()
    expect(page.locator("#display")).to_be_visible()
    unfold(page)
    assert flaws(page) + misfits(page, *WIDTHS) == []


PLANTED = {
    "console: planted": "console.error('planted')",
    "script: planted": "setTimeout(() => { throw new Error('planted') })",
    "console: .*inline style .*Content Security Policy": "document.body.setAttribute('style', 'color: red')",
    "console: .*inline script": "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
    "refused: GET .*/nothing: 404": "fetch('/nothing')",
    "lost: GET .*/join.svg": "fetch('/join.svg').catch(() => {})",
}


def test_a_fault_of_a_page_is_heard(room: Room, faults: Faults) -> None:
    page = room.phone()
    page.route("**/join.svg", lambda route: route.abort("connectionrefused"))
    for act in PLANTED.values():
        page.evaluate(f"() => {{ {act} }}")
    until(page, lambda: all(any(re.search(fault, heard) for heard in faults.left()) for fault in PLANTED))
    faults.meant(*PLANTED)
    assert faults.left() == []


def test_a_breach_is_found_by_axe(room: Room) -> None:
    page = room.phone("/table")
    assert breaches(page) == []
    page.evaluate("document.querySelector('label').remove()")
    assert any(" label (critical): #code: " in one for one in breaches(page)), breaches(page)


MOST, MOST_UNPACKED = 60_000, 64_000
"""Most bytes that `/` may load: on the wire with the stream's first frame, and unpacked without that frame, which
repeats the page."""


def test_the_first_view_is_light(rooms: Rooms) -> None:
    """Everything `/` loads in the middle of each game, in bytes on the wire; nothing of other pages."""
    games = ("small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch")
    room = rooms(tables=[played(game, lambda table: len(table.journal) > 43) for game in games])
    for number in range(1, len(games) + 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        first = measure_visit(room.context(), "/")
        assert first.live is not None
        unpacked = {name: size for name, (_, size) in first.parts.items() if "/stream" not in name}
        assert 10_000 < sum(size for size, _ in first.parts.values()) < MOST, first.parts
        assert 10_000 < sum(unpacked.values()) < MOST_UNPACKED, unpacked
        assert [] == [name for name in unpacked if re.search(r"hands|table|seat|deck|replay|games\.|sounds", name)]
