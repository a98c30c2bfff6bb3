"""The first at-bats of Clutch on two phones: menus, dice of twenty faces, and a hand that only its owner sees."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine.table import Table
from tests.browser.conftest import Rooms
from tests.browser.look import breaches, misfits
from tests.browser.room import Room, Who, played

KEY = "clutch"
SMALL = (360, 740)


def why(table: Table) -> str:
    """What is asked first."""
    return table.asks()[0][1].why if table.asks() else ""


def phones(room: Room) -> dict[str, Page]:
    """A phone in each seat."""
    seats: tuple[Who, Who] = ("away", "home")
    return {seat: room.phone("/seat", seat, SMALL) for seat in seats}


def tapped(room: Room, page: Page, what: str) -> None:
    """Tap, and wait until the table has it."""
    before = room.program.view()["version"]
    page.locator(f"#asks {what}:not(.resting *)").first.tap()
    room.until(lambda view: view["version"] > before)


def test_an_at_bat_by_taps(rooms: Rooms) -> None:
    """No card, pitch, swing: each is one tap, and each of the twenty faces is large enough for a thumb."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "cards-before-pitch")])
    seats = phones(room)
    for _ in range(12):
        ask = room.program.view()["table"]["asks"][0]
        if ask["why"] == "swing":
            break
        page = seats[ask["seat"]]
        if ask["kind"] == "roll":
            keys = page.locator("#asks .key")
            expect(keys).to_have_count(20)
            for box in (keys.nth(i).bounding_box() for i in range(20)):
                assert box is not None
                assert min(box["width"], box["height"]) >= 44
            tapped(room, page, ".key")
        else:
            tapped(room, page, ".choice")
    ask = room.program.view()["table"]["asks"][0]
    assert "swing" == ask["why"]
    page = seats[ask["seat"]]
    expect(page.locator(".duel-card.ahead")).to_have_count(1)
    expect(page.locator(".facts")).to_contain_text("advantage")
    for one in seats.values():
        assert misfits(one, 320, 360) == []
        assert breaches(one) == []


def test_a_hand_stays_covered(rooms: Rooms) -> None:
    """Who is asked hears how it stands and can pass; his cards come only when he wants them, and to him alone."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "cards-before-pitch")])
    seat = room.program.view()["table"]["asks"][0]["seat"]
    cards = [one["label"] for one in room.asks()[0]["options"] if one.get("note")]
    assert cards
    seats = phones(room)
    mine, theirs = seats[seat], seats["home" if seat == "away" else "away"]
    expect(mine.locator("#asks h2").first).to_contain_text("is about to pitch")
    expect(mine.get_by_role("button", name="No card", exact=True)).to_be_visible()
    expect(mine.get_by_text(cards[0], exact=True).locator("visible=true")).to_have_count(0)
    mine.get_by_role("button", name="Show my cards").tap()
    expect(mine.locator("#asks .choice").filter(has_text=cards[0])).to_be_visible()
    assert cards[0] not in theirs.content()
    expect(theirs.locator("#asks")).not_to_contain_text(cards[0])
