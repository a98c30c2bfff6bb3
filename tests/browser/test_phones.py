"""Who is in the room, on the operator's page: phones come and go, a seat is freed, the table is switched off."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.chromium import Faults
from tests.browser.room import Room

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"


def test_a_seat_is_freed_in_two_taps(room: Room, faults: Faults) -> None:
    """Its phone learns why and is asked for the code; with the new one it sits down again."""
    operator = room.phone("/table", "operator")
    away = room.phone("/seat", "away", user_agent=IPHONE)
    guest = room.phone(user_agent=IPHONE)
    row = operator.locator("#here tr", has_text="away seat")
    expect(row).to_contain_text("iPhone")
    expect(operator.locator("#here tr", has_text="1 spectator")).to_contain_text("iPhone")
    old = operator.locator("#open-code").inner_text()
    free = operator.locator("[data-free=away]")
    free.tap()
    expect(free).to_contain_text("Really?")
    expect(row).to_be_visible()
    free.tap()
    expect(away.locator(".refusal")).to_contain_text("The operator freed the away seat.")
    expect(row).to_be_hidden()
    expect(free).to_have_text("Free the away seat", timeout=3000)
    expect(guest.locator("#badge")).to_have_text("Live")
    code = operator.locator("#open-code")
    expect(code).not_to_have_text(old)
    away.locator("[name=seat][value=away]").check()
    away.locator("#code").fill(code.inner_text())
    away.get_by_role("button", name="Sit down").tap()
    expect(away.locator("#badge")).to_have_text("Live")
    expect(row).to_be_visible()
    faults.meant("(camera|board).jpg.*: 404")


def test_only_seats_of_the_game_are_there_to_be_freed(room: Room, faults: Faults) -> None:
    """A game for one has one."""
    operator = room.phone("/table", "operator")
    away, home = (operator.locator(f".free:has([data-free={seat}])") for seat in ("away", "home"))
    for game, there in (("seventh-inning-stretch", False), ("small-ball", True)):
        room.program.post("game", game=game).raise_for_status()
        expect(away).to_be_visible(visible=there)
        expect(home).to_be_visible()
    faults.meant("(camera|board).jpg.*: 404")


def test_the_table_is_switched_off_and_on(room: Room, faults: Faults) -> None:
    """Two taps; every page says so, and goes on when the table is back."""
    operator, guest = room.phone("/table", "operator"), room.phone()
    off = operator.locator("#shutdown")
    off.tap()
    off.tap()
    expect(operator.locator("main")).to_contain_text("Safe to unplug when the display says so.")
    expect(guest.locator("#badge")).to_have_text("Switched off")
    expect(guest.locator("main .refusal")).to_contain_text("The table was switched off.")
    assert room.program.process.wait(20) == 0
    room.kill()
    room.start()
    for page in (operator, guest):
        expect(page.locator("#badge")).to_have_text("Live")
        expect(page.locator("main .refusal")).to_be_hidden()
    expect(operator.locator("#undo")).to_be_visible()
    faults.meant("ERR_CONNECTION", "lost: GET", "(camera|board).jpg.*: 404")
