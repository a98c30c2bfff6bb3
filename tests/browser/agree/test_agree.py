"""One phone says what the dice really showed, and the other agrees with one tap."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.asks import Roll
from engine.table import Table
from tests.browser.appearance import flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.room import TV, Room, box, played, until
from tests.browser.test_correct import thrown
from tests.browser.test_fewest_taps import COUNT, taps

WRONG = re.compile(r"^Wrong\? Enter what the (die shows|dice show)$")
"""The button beside the last roll, of one die or of more."""


def rolled(table: Table) -> bool:
    """The last answer was a roll, and both sides have batted."""
    return len(table.answers) > 20 and isinstance(table.answers[-1].ask, Roll)


def sit(room: Room, seat: Any, **how: Any) -> Page:
    """A seat's phone, which counts its taps."""
    context = room.context(seat, **how)
    context.add_init_script(COUNT)
    page = context.new_page()
    page.goto("/seat")
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def last(room: Room) -> list[Any]:
    value: list[Any] = room.program.client.get("/api/rolls?limit=1").json()[0]["value"]
    return value


def propose(page: Page) -> None:
    """Say that the first die showed another value, the first that is offered."""
    page.get_by_role("button", name=WRONG).tap()
    keys = page.locator("#wrong .key[aria-pressed=false]")
    page.locator("#wrong h2").wait_for()
    if page.locator("#wrong .tap").count() > 1:
        page.locator("#wrong .tap").first.tap()
    keys.first.tap()


def tap(page: Page, name: str) -> None:
    """Tap a button of the proposal, once it has rested."""
    button = page.locator(".agree").get_by_role("button", name=name)
    expect(button).not_to_have_class(re.compile("resting"))
    button.tap()


@pytest.mark.parametrize(("key", "most"), [("small-ball", 2), ("rallybird", 3)])
def test_few_taps(rooms: Rooms, key: str, most: int) -> None:
    """Two for the only die, three for one of two; one to agree. The other phone sees what would change."""
    room = rooms(tables=[played(key, rolled)])
    mine, other = sit(room, "home"), sit(room, "away")
    before = last(room)
    propose(mine)
    sheet = other.locator(".agree")
    expect(sheet.get_by_role("heading")).to_contain_text(f", not {before[0]}?")
    expect(sheet.locator(".preview")).not_to_be_empty()
    expect(mine.locator("#wrong")).to_contain_text("must agree on the other phone")
    assert before == last(room)
    tap(other, "Agree")
    room.until(lambda view: view["correction"] is None)
    assert (before[1:], True) == (last(room)[1:], before[0] != last(room)[0])
    assert (most, 1) == (taps(mine), taps(other))
    for page in (mine, other):
        expect(page.locator("#asks .notice")).to_contain_text("corrected the last roll, and")
        expect(page.locator("#wrong, .agree").and_(page.locator(":visible"))).to_have_count(0)


@pytest.fixture
def room(rooms: Rooms) -> Room:
    return rooms(tables=[played("small-ball", lambda table: rolled(table) and table.open_asks()[0][1].seat == "away")])


def test_what_becomes_of_a_proposal(room: Room) -> None:
    """Everybody reads of it, and both see it again after a reload. It is changed, taken back, refused, or too late."""
    mine, other = sit(room, "home"), sit(room, "away")
    guest, tv = room.phone(), room.phone("/tv", size=TV)
    before = last(room)
    propose(mine)
    for page, place in ((guest, "#now"), (tv, "#ask")):
        expect(page.locator(place)).to_contain_text("Owls: the last roll was")
        expect(page.locator(place)).to_contain_text("Lanterns must agree.")
    expect(other.locator(".agree")).to_be_visible()
    for page in (mine, other):
        page.reload()
    expect(mine.locator("#wrong h2")).to_contain_text("You proposed")
    first = room.program.view()["correction"]["value"][0]
    third = next(face for face in range(1, 7) if face not in (before[0], first))
    mine.locator("#wrong .tap").tap()
    mine.locator("#wrong .key", has_text=str(third)).tap()
    expect(other.locator(".agree h2")).to_have_text(f"Did the die show {third}, not {before[0]}?")
    mine.get_by_role("button", name="Withdraw").tap()
    expect(guest.locator("#now")).not_to_contain_text("must agree")
    propose(mine)
    count = taps(other)
    tap(other, "Refuse")
    expect(mine.locator("#asks .notice")).to_have_text(f"Lanterns didn't agree: the roll stays {before[0]}.")
    for part in (mine.locator("#wrong"), other.locator(".agree")):
        expect(part).to_be_hidden()
    assert (before, count + 1) == (last(room), taps(other))
    propose(mine)
    expect(other.locator(".agree")).to_be_visible()
    room.answer()
    expect(other.locator(".agree")).to_be_hidden()
    expect(mine.locator("#wrong")).to_have_text(f"The game moved on. The roll stays {before[0]}.")


def test_it_moves_no_answer_and_takes_no_tap_for_one(room: Room) -> None:
    """It comes over the lower edge of the screen, and ignores a tap in its first moment; the answers can be reached."""
    mine, other = sit(room, "home"), sit(room, "away")
    first = other.locator("#asks button:visible").first
    before = box(first)
    # Its first moment lasts until what is `held` is called.
    other.evaluate(
        "() => { window.held = []; window.later = setTimeout; window.setTimeout = (act) => held.push(act); }"
    )
    propose(mine)
    yes = other.locator(".agree").get_by_role("button", name="Agree")
    yes.wait_for()
    middle = box(yes)
    other.touchscreen.tap(middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2)
    assert before == box(first)
    assert room.program.view()["correction"] is not None
    other.evaluate("() => { setTimeout = later; for (const act of held) act(); }")
    other.locator("#asks button:visible").last.scroll_into_view_if_needed()
    other.locator("footer").scroll_into_view_if_needed()
    other.locator("#asks button:visible").last.tap()
    room.until(lambda view: view["correction"] is None)


def test_the_operator_agrees_for_an_empty_seat(room: Room) -> None:
    """With one tap; the page of the proposer says so. Where a phone sits there, the operator has no such button."""
    mine, operator = sit(room, "home"), room.phone("/table", "operator")
    before = last(room)
    propose(mine)
    expect(mine.locator("#wrong")).to_contain_text("No phone holds the away seat, so the operator can agree for it.")
    tap(operator, "Agree for Lanterns")
    room.until(lambda view: view["correction"] is None)
    assert before != last(room)
    room.hand("away")
    propose(mine)
    sheet = operator.locator(".agree")
    expect(sheet).to_contain_text("Lanterns must agree on the other phone.")
    expect(sheet.get_by_role("button")).to_have_text(["Refuse"])


def test_who_plays_alone_corrects_alone(rooms: Rooms) -> None:
    """At once, or after a look at what it changes."""
    key = "seventh-inning-stretch"
    room = rooms(tables=[played(key, lambda table: rolled(table) and len(table.open_asks()) == 1)])
    page = sit(room, "home")
    before = last(room)
    propose(page)
    until(page, lambda: last(room) != before)
    expect(page.locator("#wrong")).to_be_hidden()
    expect(page.locator(".agree")).to_be_hidden()


def test_the_camera_shows_the_dice(rooms: Rooms) -> None:
    """Both sides see the picture of the roll beside what it should be, also once that is proposed."""
    tables = [played("rallybird", lambda table: isinstance(table.open_asks()[0][1], Roll))]
    room = rooms("--seed", "3", command="demo", show=0.3, tables=tables)
    version = room.program.view()["table"]["version"]
    thrown(room)
    room.until(lambda view: view["table"]["version"] > version)
    mine, other = sit(room, "home"), sit(room, "away")
    propose(mine)
    expect(mine.locator("#wrong h2")).to_contain_text("You proposed")
    for picture in (mine.locator("#wrong .proof img"), other.locator(".agree .proof img")):
        until(other, lambda picture=picture: picture.evaluate("(one) => one.naturalWidth > 20"))  # type: ignore[misc]


def test_it_looks_right(rooms: Rooms) -> None:
    """On a small phone, by day and by night: nothing that axe would call a breach, and nothing cut off."""
    room = rooms(tables=[played("clutch", rolled)])
    mine, other = (sit(room, seat, size=(320, 640)) for seat in ("home", "away"))
    operator = room.phone("/table", "operator", size=(320, 640))
    propose(mine)
    for page in (other, operator):
        expect(page.locator(".agree")).to_be_visible()
        expect(page.locator(".agree .resting")).to_have_count(0)
    sheets = {mine: "#wrong", other: ".agree", operator: ".agree"}
    assert [] == [fault for page, sheet in sheets.items() for fault in flaws(page, sheet) + misfits(page, 320)]


def test_by_keyboard(room: Room) -> None:
    """With Tab and Enter alone."""
    how: Any = {"has_touch": False, "is_mobile": False}
    mine, other = sit(room, "home", **how), sit(room, "away", **how)
    before = last(room)
    mine.get_by_role("button", name=WRONG).press("Enter")
    expect(mine.locator("#wrong .tap")).to_be_focused()
    mine.locator("#wrong .key[aria-pressed=false]").first.press("Enter")
    yes = other.locator(".agree").get_by_role("button", name="Agree")
    yes.press("Enter")
    until(other, lambda: last(room) != before)
    # The page itself may not have the focus: another one beside it may.
    until(other, lambda: other.evaluate("document.activeElement.id") == "main")
