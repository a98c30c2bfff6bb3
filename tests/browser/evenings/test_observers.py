"""The observers of an evening see what they should."""

from __future__ import annotations

from tests.browser.conftest import Rooms
from tests.browser.evenings.evening import Evening
from tests.browser.evenings.hands import Typist
from tests.browser.evenings.shifts import PAGES, Shifts


def test_a_shift_is_seen(rooms: Rooms) -> None:
    """A region that grows moves what is below it, and is named."""
    room = rooms()
    shifts = Shifts(room, moments=2)
    evening = Evening(room, shifts)
    evening.play([], lambda moment: shifts.seen)
    assert [] == evening.complaints()
    shifts.pages["/"].evaluate("document.getElementById('score').style.paddingBottom = '200px'")
    evening.play([Typist(room)], lambda moment: shifts.finished)
    (found,) = evening.complaints()
    assert found.startswith("/: 0."), found
    assert "rows" in found
    assert len(shifts.pages) == len(PAGES)
