"""On a seat's phone: what it is asked, and "Wait"."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from engine.table import Table
from tests.browser.appearance import breaches
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, box, played
from tests.browser.test_seats import THUMB


def at_bat(table: Table) -> bool:
    """True at a quiet start of an at-bat in a game between managers with player cards alone."""
    return [ask.why for _, ask in table.open_asks()] == ["defence"] and len(table.answers) > 15


def test_ask_me_and_wait(rooms: Rooms) -> None:
    """One tap sets a topic, on this phone and on every other; what follows is answered, and Wait takes it back."""
    room = rooms(tables=[played("clutch", at_bat, {"level": "players"})])
    (ask,) = room.asks()
    seat = ask["seat"]
    page, other = room.phone("/seat", seat), room.phone("/", "spectator")
    page.get_by_text("Ask me", exact=True).click()
    topic = page.get_by_role("group", name="Pitching and fielding")
    for button in topic.get_by_role("button").all():
        assert min(box(button)["width"], box(button)["height"]) >= THUMB
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    topic.get_by_role("button", name="Never", exact=True).click()
    expect(page.locator("#passed")).to_have_text("Passed for you: pitch")
    expect(other.locator("#standing")).to_contain_text("Pitching and fielding: never")
    room.until(lambda view: seat in view["waits"])
    page.get_by_role("button", name="Wait").click()
    expect(page.locator("#asking")).to_contain_text("You’ll get every question until the next roll.")
    assert [ask["n"]] == [one["n"] for one in room.asks()]
    expect(page.locator("#asks")).to_contain_text("Your move")


def test_only_what_matters_and_ask_me_instead(rooms: Rooms) -> None:
    """The coach's answer is one line, and one tap asks. The question does not come back by itself before."""
    room = rooms(tables=[played("clutch", at_bat, {"level": "players"})])
    (ask,) = room.asks()
    seat = ask["seat"]
    page, other = room.phone("/seat", seat), room.phone("/", "spectator")
    page.get_by_text("Ask me", exact=True).click()
    only = page.get_by_role("button", name="Only what matters")
    assert box(only)["height"] >= THUMB
    only.click()
    expect(only).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#passed")).to_have_text(re.compile(r"^Coach: pitch.* \(\d questions?\)$"))
    expect(other.locator("#standing")).to_contain_text("Asked only what matters")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert [] == breaches(page)
    page.get_by_role("button", name="Ask me instead").click()
    expect(page.locator("#asking")).to_contain_text("You’ll get every question until the next roll.")
    assert [ask["n"]] == [one["n"] for one in room.asks()]
    expect(page.locator("#asks")).to_contain_text("Your move")
