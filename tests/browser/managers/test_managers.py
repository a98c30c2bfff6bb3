"""Seats are handed to the computer and taken back; the coach is asked."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from engine.asks import Secret
from engine.table import Table
from tests.browser.appearance import breaches
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, box, played, until
from tests.browser.test_seats import THUMB


def choosing(table: Table) -> bool:
    """Return True where both sides are asked in secret."""
    return [Secret, Secret] == [type(ask) for _, ask in table.open_asks()]


def test_a_seat_against_the_computer(rooms: Rooms) -> None:
    """It asks the coach, whose advice is of one question, hands its side to the computer, and takes it back."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    room.program.post("seat/manager", seat="home", strength="rookie").raise_for_status()
    room.until(lambda view: {"away"} == {ask["seat"] for ask in view["table"]["asks"]})
    page, other = room.phone("/seat", "away"), room.phone("/")
    expect(other.locator("#score .managed")).to_have_text("Teo, computer")
    page.get_by_role("button", name="What would you do?").tap()
    expect(page.locator("#asks .choice .coached").first).to_contain_text(re.compile(r"\d% to win"))
    expect(other.locator("#now")).to_contain_text("asked the coach")
    room.answer(seat="away")
    expect(page.locator("#asks .advice, #asks .coached")).to_have_count(0)

    page.get_by_text("Computer and coach").tap()
    page.get_by_role("group", name="Hand this seat to the computer").get_by_role("button", name="Teo Elderfield").tap()
    over = page.get_by_role("button", name="Take over")
    expect(page.locator("#asks")).to_contain_text("Teo manages this seat.")
    expect(page.locator("#asks .choice")).to_have_count(1)
    assert box(over)["height"] >= THUMB
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    over.tap()
    expect(over).to_have_count(0)
    assert "away" not in room.program.view()["managers"]


def test_the_operator_and_pages_without_scripts(rooms: Rooms) -> None:
    """The operator hands a seat over; its phone takes it back with a form alone."""
    room = rooms(game="bottom-of-the-9th")
    operator = room.phone("/table", "operator")
    operator.locator("#managers summary").tap()
    group = operator.get_by_role("group", name="Home", exact=True)
    for button in group.get_by_role("button").all():
        assert min(box(button)["width"], box(button)["height"]) >= THUMB
    group.get_by_role("button", name="Pippa Tamblyn").tap()
    expect(group.get_by_role("button", name="Pippa Tamblyn")).to_have_attribute("aria-pressed", "true")
    operator.get_by_role("group", name="Computer pace").get_by_role("button", name="Brisk").tap()
    room.until(lambda view: view["pace"] == "brisk")
    assert [] == breaches(operator)
    plain = room.context("home", java_script_enabled=False).new_page()
    plain.goto("/seat")
    plain.get_by_role("button", name="Take over").click()
    expect(plain.get_by_role("button", name="Take over")).to_have_count(0)
    assert {} == room.program.view()["managers"]
    plain.get_by_text("Computer and coach").click()
    plain.get_by_role("button", name="Ruth Santoro").click()
    room.until(lambda view: view["managers"]["home"]["strength"] == "all-star")
    plain.get_by_text("Computer and coach").click()
    plain.get_by_role("button", name="Instant").click()
    room.until(lambda view: view["pace"] == "instant")
    expect(group.get_by_role("button", name="Ruth Santoro")).to_have_attribute("aria-pressed", "true")


def test_two_people_and_the_coach(rooms: Rooms) -> None:
    """Only once both phones said that it is welcome can it be asked; what it says of a secret is veiled."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    away, home = room.phone("/seat", "away"), room.phone("/seat", "home")
    for page in (away, home):
        page.get_by_text("Computer and coach").tap()
        expect(page.get_by_role("button", name="What would you do?")).to_have_count(0)
        welcome = page.get_by_role("button", name="Allow the coach")
        welcome.tap()
        expect(welcome).to_have_attribute("aria-pressed", "true")
    room.until(lambda view: {"away", "home"} == set(view["coached"]))
    ask = away.get_by_role("button", name="What would you do?")
    ask.tap()
    expect(away.locator("#asks .choice .coached").first).to_contain_text("of the time")
    away.get_by_role("button", name="Hide", exact=True).tap()
    expect(away.locator("#asks .advice")).to_be_hidden()
    expect(away.locator("#asks .coached")).to_have_count(0)
    expect(home.locator("#asks .advice")).to_have_count(0)
    assert [] == breaches(away)
    away.get_by_role("button", name="Allow the coach").tap()
    expect(ask).to_be_hidden()


def test_one_seat_has_no_computer(rooms: Rooms) -> None:
    """Where a house rule leaves one person, the choice is not offered; another refusal is shown in words."""
    room = rooms(game="seventh-inning-stretch")
    page = room.phone("/table", "operator")
    page.get_by_role("tab", name="Games").tap()
    page.get_by_role("radio", name="As in the box").check()
    expect(page.locator("#manager-of-home")).to_be_hidden()
    page.locator("#house-mode").select_option("duel")
    page.locator("#manager-of-home").select_option("teo")
    page.route("**/api/game", lambda route: route.fulfill(status=422, json={"error": "x", "sentence": "No computer."}))
    room.faults.meant(r"/api/game.*422")
    page.get_by_role("button", name="Start 7th Inning Stretch").tap()
    expect(page.get_by_role("alert")).to_have_text("No computer.")
    until(page, lambda: page.locator("#manager-of-home").is_visible())
