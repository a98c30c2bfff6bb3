"""Sounds of a page, off until they are turned on."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.chromium import Faults
from tests.browser.room import Room, until

NOTES = """
window.sung = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { sung.push(this.frequency.value); return start.call(this, at); };
"""
PLAY, OUT, YOURS = [523], [294, 220], [988, 1319]


def listened(room: Room, path: str, who: str = "spectator") -> Page:
    page = room.context(who).new_page()  # type: ignore[arg-type]
    page.add_init_script(NOTES)
    page.goto(path)
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def hears(page: Page, notes: list[int]) -> None:
    """Exactly these notes since the last call."""
    until(page, lambda: len(page.evaluate("sung")) >= len(notes))
    assert notes == page.evaluate("sung.splice(0)")


def bat(room: Room, result: str) -> None:
    """An at-bat with the result that the card has for `result`."""
    room.answer("bat")
    card = room.program.view()["table"]["scoreboard"]["panel"]["card"]
    room.answer([card.index(result) + 1])


def test_sounds_are_for_who_wants_them(room: Room, faults: Faults) -> None:
    """Off until turned on; then play, out and own move differ. A reloaded page sounds from its first touch on, for new
    plays."""
    # Chromium says so of every page that would like to sound before it is touched.
    faults.meant("AudioContext was not allowed to start")
    room.answer("red")
    guest, seat = listened(room, "/"), listened(room, "/seat", "home")
    bat(room, "1B")
    until(guest, lambda: "single" in guest.locator("#said").inner_text())
    assert [] == guest.evaluate("sung")
    for page in (guest, seat):
        page.locator("#sounds").click()
        hears(page, PLAY)
    bat(room, "SO")
    hears(guest, OUT)
    hears(seat, OUT)
    guest.reload()
    guest.locator("#badge[data-state=live]").wait_for(state="attached")
    bat(room, "SO")
    hears(seat, OUT)
    until(guest, lambda: "2 outs" in guest.locator("#lamps").inner_text())
    assert [] == guest.evaluate("sung")
    guest.locator("#score").click()
    hears(guest, PLAY)
    bat(room, "SO")
    hears(guest, OUT)
    hears(seat, YOURS)
    room.program.post("undo").raise_for_status()
    room.program.post("undo").raise_for_status()
    until(guest, lambda: guest.locator("#said").inner_text() == "Taken back: Bat.")
    bat(room, "SO")
    hears(guest, OUT)
    hears(seat, YOURS)
    guest.locator("#sounds").click()
    bat(room, "1B")
    hears(seat, PLAY)
    assert [] == guest.evaluate("sung")
