"""The operator's page: a new game, Undo, the phones in the room, the doctor, and switching the table off."""

from __future__ import annotations

import zipfile

import pytest
from playwright.sync_api import expect

from engine.asks import Roll
from tests.browser.appearance import flaws, misfits
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import Room, played, until


def test_a_game_begins(rooms: Rooms) -> None:
    """With a notice at the top. A game in play needs a second tap, which resets soon."""
    room = rooms()
    context = room.context("operator")
    context.clock.install()
    page = context.new_page()
    page.goto("/table")
    new, begin = page.locator("#new > summary"), page.locator("#games .form > .button")
    before = room.program.view()["table"]
    new.click()
    expect(page.get_by_label("Game", exact=True)).to_be_visible()
    expect(page.locator("#games fieldset")).to_have_count(0)
    begin.click()
    expect(page.locator(".toast")).to_have_text("Small Ball begins.")
    until(page, lambda: page.evaluate("scrollY") == 0)
    assert before == room.program.view()["table"]
    room.answer("red")
    expect(page.locator("#asks")).not_to_contain_text("bats first")
    new.click()
    begin.click()
    expect(begin).to_have_text("Really put the game on the table aside?")
    context.clock.fast_forward(6000)
    expect(begin).to_have_text("Begin Small Ball")
    begin.click()
    begin.click()
    room.until(lambda view: view["table"]["version"] == 0)


def test_a_new_game_is_asked_in_plain_words(rooms: Rooms) -> None:
    """The game on the table is preselected; agreements are plain questions, readings of the rulebook are folded."""
    room = rooms(tables=[played("seventh-inning-stretch")])
    page = room.phone("/table", "operator")
    page.locator("#new > summary").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("seventh-inning-stretch")
    page.get_by_label("Game", exact=True).select_option("clutch")
    level = page.get_by_label("What do you play with?")
    assert ["Everything", "Player cards only", "The basic game"] == level.locator("option").all_inner_texts()
    expect(page.get_by_label("Weather", exact=True)).to_be_visible()
    page.get_by_text("Where the rulebook is silent").click()
    expect(page.locator("#games details h3")).to_contain_text(["Getting ready", "Cards"])


def test_undo_after_the_end(rooms: Rooms) -> None:
    room = rooms(tables=[played("small-ball")])
    page, guest = room.phone("/table", "operator"), room.phone()
    expect(guest.locator("#lamps")).to_contain_text("Final")
    page.get_by_role("button", name="Undo the last answer").click()
    for one in (page, guest):
        expect(one.locator("#lamps")).not_to_contain_text("Final")
        expect(one.locator("#lamps")).to_contain_text("out")
    assert room.program.view()["table"]["outcome"] is None
    expect(page.locator("#asks .ask")).to_have_count(1)


def test_still_and_dark(begun: Room) -> None:
    """Nothing moves with reduced motion, and dark mode is dark."""
    page = begun.phone(reduced_motion="reduce", color_scheme="dark")
    begun.answer()
    expect(page.locator("#dice .last")).to_have_text(begun.program.view()["table"]["last"])
    assert [] == page.evaluate("document.getAnimations().map((one) => one.animationName)")
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(red, green, blue) < 60
    moving = begun.phone(reduced_motion="no-preference")
    assert moving.evaluate("document.getAnimations().length")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("bottom-of-the-9th", "Throw away's white die and away's white pitching die"),
        ("rallybird", "Throw 2 dice"),
        ("clutch", "Throw the d20"),
    ],
)
def test_the_demo_says_what_it_throws(rooms: Rooms, key: str, words: str) -> None:
    """Each die by owner, colour and kind; identical dice by number."""
    table = played(key, lambda table: isinstance(table.asks()[0][1], Roll))
    page = rooms(command="demo", tables=[table]).phone("/table", "operator")
    expect(page.locator("[data-simulate=throw]")).to_have_text(words)


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"


def test_a_seat_is_freed_in_two_taps(room: Room) -> None:
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


def test_a_phone_is_signed_out_in_two_taps(room: Room) -> None:
    """Its page asks for the code and says why; then all others are, and the operator stays."""
    operator = room.phone("/table", "operator", user_agent=IPHONE)
    home, away = (room.phone("/seat", seat) for seat in ("home", "away"))
    rows = operator.locator("#here tr")
    row, own = (rows.filter(has_text=words) for words in ("home seat", "this one"))
    expect(row).to_contain_text("here")
    expect(own).to_contain_text("iPhone, this one")
    expect(own.get_by_role("button")).to_have_count(0)
    out = row.get_by_role("button")
    out.tap()
    expect(out).to_have_text("Really?")
    out.tap()
    expect(home.locator(".refusal")).to_have_text("This phone was signed out. To go on, enter the code on the display.")
    expect(row).to_have_count(0)
    everybody = operator.locator("#sign-out")
    everybody.tap()
    everybody.tap()
    expect(away.locator(".refusal")).to_contain_text("This phone was signed out.")
    expect(rows.filter(has_text="seat")).to_have_count(0)
    expect(own).to_be_visible()


def test_only_seats_of_the_game_are_there_to_be_freed(room: Room) -> None:
    """A game for one has one."""
    operator = room.phone("/table", "operator")
    away, home = (operator.locator(f".free:has([data-free={seat}])") for seat in ("away", "home"))
    for game, there in (("seventh-inning-stretch", False), ("small-ball", True)):
        room.program.post("game", game=game).raise_for_status()
        expect(away).to_be_visible(visible=there)
        expect(home).to_be_visible()


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
    faults.meant("ERR_CONNECTION", "lost: GET")


def test_the_operator_asks_the_doctor(rooms: Rooms) -> None:
    page = rooms().phone("/table", "operator")
    page.get_by_role("link", name="The doctor").click()
    expect(page.get_by_role("heading", name="The doctor")).to_be_visible()
    expect(page.locator(".findings")).to_contain_text("read back from the running table")
    assert flaws(page) + misfits(page, 320, 390, 1920) == []
    page.get_by_role("link", name="Look again").click()
    expect(page.locator(".findings > li").first).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("link", name="A file to send").click()
    with zipfile.ZipFile(taken.value.path()) as packed:
        assert "doctor.txt" in packed.namelist()
    expect(page.get_by_role("heading", name="The doctor")).to_be_visible()
