"""The chance to win arrives some moments after a play: it moves nothing, overlaps nothing, and can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine.story_views import WinSwing
from engine.views import WinProbabilityView
from tests.browser.appearance import breaches, flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.program_here import ProgramHere
from tests.browser.room import PHONE, TV, Room, played
from tests.browser.tv.test_stage import CUT, SMALL, UNANALYZED, after, at_rest, in_the_middle, standing, watched

BIGGEST = WinSwing(9, 3, "bottom", "home", "Featherstonehaugh homers to deep left: three runs score.", 0.41, 0.63)
CHANCES = WinProbabilityView(0.995, 0.0, [0.5 + 0.3 * (n % 7 - 3) / 3 for n in range(90)], [*range(0, 90, 6)], BIGGEST)

REGIONS = """names => names.map((name) => {
    const { x, y } = document.getElementById(name).getBoundingClientRect();
    return [name, x, y];
})"""


def show_chances(room: Room) -> None:
    assert isinstance(room.program, ProgramHere)
    room.program.app.session.win.show(room.program.app.session.game.number, CHANCES, None)


def places(page: Page, *names: str) -> object:
    return page.evaluate(REGIONS, list(names))


@pytest.mark.parametrize("key", ["small-ball", "bottom-of-the-9th", "clutch"])
def test_chances_move_and_overlap_nothing(rooms: Rooms, key: str) -> None:
    """On a phone, a wide screen, the television and the overlay; without a color for either side alone."""
    room = rooms(game=key, more=UNANALYZED, tables=[played(key, in_the_middle)])
    assert isinstance(room.program, ProgramHere)
    room.program.app.session.win.expect()
    phone, desk, television = room.phone(size=PHONE), room.phone(size=(1280, 900)), room.phone("/tv", size=TV)
    overlay = room.phone("/overlay?win=true", size=(730, 320), live=False)
    above = ("score", "lamps", "diamond", "dice", "now", "line")
    before = places(phone, *above), places(desk, *above, "plays"), places(television, "bug", "field", "duel", "ask")
    show_chances(room)
    for page in (phone, desk, television, overlay):
        expect(page.locator("#win b").first).to_have_text(">99%")
    expect(phone.locator("#win .biggest")).to_contain_text("41% → 63%")
    at_rest(television)
    after = places(phone, *above), places(desk, *above, "plays"), places(television, "bug", "field", "duel", "ask")
    assert before == after
    assert [] == television.evaluate(CUT) + television.evaluate(SMALL)
    assert [] == flaws(phone) + misfits(phone, 320, 390) + breaches(desk) + breaches(television)
    names = overlay.locator("#win .winning p")
    expect(names.first).to_be_in_viewport(ratio=1)
    expect(names.last).to_be_in_viewport(ratio=1)


def test_plays_get_smaller_beside_chances(rooms: Rooms) -> None:
    """At many points of each game: the chances take room from plays that are on the television already."""
    points = [(key, answers) for key in ("small-ball", "rallybird", "clutch") for answers in (8, 19, 61)]
    room = rooms(more=UNANALYZED, tables=[standing(key, after(answers), None) for key, answers in points])
    page = watched(room, TV)
    found = list[str]()
    for number, point in enumerate(points, 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        page.reload()
        page.locator("#badge[data-state=live]").wait_for(state="attached")
        show_chances(room)
        expect(page.locator("#win b").first).to_have_text(">99%")
        at_rest(page)
        found += [f"{point}: {fault}" for fault in page.evaluate(SMALL) + page.evaluate(CUT)]
    assert [] == found
