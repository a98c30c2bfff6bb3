"""The operator puts right what went wrong."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.asks import Roll
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import played, until


def test_an_old_roll_is_put_right_after_a_look(rooms: Rooms, faults: Faults) -> None:
    faults.meant(r"/(camera|board)\.jpg.*404")
    room = rooms(tables=[played("small-ball", lambda table: len(table.journal) > 43)])
    rolls = room.program.client.get("/api/rolls").json()
    page = room.phone("/table", "operator")
    page.get_by_text("Correct an older roll").click()
    page.locator("#rolls .roll").nth(4).click()
    (old,) = rolls[4]["value"]
    new = old % 6 + 1
    page.locator("#rolls .tap").first.click()
    page.locator("#rolls .key", has_text=str(new)).click()
    yes = page.get_by_role("button", name=f"Correct it to {new}")
    expect(yes).to_be_visible()
    expect(page.locator("#rolls .preview")).to_contain_text("Now")
    expect(page.locator("#rolls .preview")).to_contain_text("Then")
    assert rolls == room.program.client.get("/api/rolls").json(), "a look changes nothing"
    yes.click()
    room.until(
        lambda view: any(
            roll["n"] == rolls[4]["n"] and roll["value"] == [new]
            for roll in room.program.client.get("/api/rolls").json()
        )
    )


def test_a_game_begins(rooms: Rooms, faults: Faults) -> None:
    """With a notice at the top. A game in play needs a second tap, which resets soon."""
    faults.meant(r"/(camera|board)\.jpg.*404")
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


def test_a_new_game_is_asked_in_plain_words(rooms: Rooms, faults: Faults) -> None:
    """The game on the table is preselected; agreements are plain questions, readings of the rulebook are folded."""
    faults.meant(r"/(camera|board)\.jpg.*404")
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


def test_undo_after_the_end(rooms: Rooms, faults: Faults) -> None:
    faults.meant(r"/(camera|board)\.jpg.*404")
    room = rooms(tables=[played("small-ball")])
    page, guest = room.phone("/table", "operator"), room.phone()
    expect(guest.locator("#lamps")).to_contain_text("Final")
    page.get_by_role("button", name="Undo the last answer").click()
    for one in (page, guest):
        expect(one.locator("#lamps")).not_to_contain_text("Final")
        expect(one.locator("#lamps")).to_contain_text("out")
    assert room.program.view()["table"]["outcome"] is None
    expect(page.locator("#asks .ask")).to_have_count(1)


def test_still_and_dark(rooms: Rooms, faults: Faults) -> None:
    """Nothing moves with reduced motion, and dark mode is dark."""
    room = rooms(tables=[played("small-ball", lambda table: len(table.journal) > 20)])
    page = room.phone(reduced_motion="reduce", color_scheme="dark")
    room.answer()
    expect(page.locator("#dice .last")).to_have_text(room.program.view()["table"]["last"])
    assert [] == page.evaluate("document.getAnimations().map((one) => one.animationName)")
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(red, green, blue) < 60
    moving = room.phone(reduced_motion="no-preference")
    assert moving.evaluate("document.getAnimations().length")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("bottom-of-the-9th", "Throw away's white die and away's white pitching die"),
        ("rallybird", "Throw 2 dice"),
        ("clutch", "Throw the d20"),
    ],
)
def test_the_demo_says_what_it_throws(rooms: Rooms, faults: Faults, key: str, words: str) -> None:
    """Each die by owner, colour and kind; identical dice by number."""
    faults.meant(r"/(camera|board)\.jpg.*404")
    table = played(key, lambda table: isinstance(table.asks()[0][1], Roll))
    page = rooms(command="demo", tables=[table]).phone("/table", "operator")
    expect(page.locator("[data-simulate=throw]")).to_have_text(words)
