"""Seats are handed to the computer and taken back; the coach is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from engine.asks import Arrange, Choose, Reroll, Secret
from engine.table import Table
from tests.browser.appearance import breaches
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, Room, box, played, until
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


ADVICE = [
    {"value": "bank", "words": "Bank", "win": 0.62, "share": 0.9, "reason": "Runs in hand count.", "chance": "62%"},
    {"value": "bat", "words": "Bat", "win": 0.41, "share": 0.1, "reason": "Never shown.", "chance": "41%"},
]


def advised(page: Page, found: Sequence[Mapping[str, Any]]) -> None:
    """Let the coach say this, and ask it."""
    told = [{"often": "10%", **one} for one in found]
    page.route("**/api/seat/advice", lambda route: route.fulfill(json=told))
    page.get_by_role("button", name="What would you do?").tap()
    expect(page.locator("#asks .advice")).to_be_visible()


def coached_seat(room: Room) -> Page:
    """The page of the asked seat against the computer, if there is another seat."""
    (ask,) = room.asks()
    for other in {*room.program.view()["table"]["scoreboard"]["plays"]} - {ask["seat"]}:
        room.program.post("seat/manager", seat=other, strength="rookie").raise_for_status()
    return room.phone("/seat", ask["seat"])


def test_chances_stand_on_the_options(rooms: Rooms) -> None:
    """The best first, with the only reason. The focus stays, and for a moment nothing can be tapped."""

    def may_bank(table: Table) -> bool:
        return any(isinstance(ask, Choose) and {"bat", "bank"} <= {*ask.options} for _, ask in table.open_asks())

    room = rooms(tables=[played("small-ball", may_bank)])
    page = coached_seat(room)
    options = page.locator("#asks .choice")
    before = options.all_inner_texts()
    bat = options.filter(has_text=re.compile("^Bat"))
    bat.focus()
    page.route("**/api/seat/advice", lambda route: route.fulfill(json=[{"often": "", **one} for one in ADVICE]))
    page.get_by_role("button", name="What would you do?").evaluate("it => it.click()")
    expect(options.first).to_have_accessible_name(re.compile(r"^Bank\D* 62% to win, best\. Runs in hand count\.$"))
    assert page.evaluate("document.querySelector('#asks .resting') !== null")
    expect(options.nth(1)).to_have_accessible_name("Bat 41% to win")
    expect(bat).to_be_focused()
    expect(page.locator("#asks .choice .coached")).to_have_count(2)
    assert len(before) == options.count()
    assert "Never shown" not in page.locator("#asks").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert [] == breaches(page)
    (managed,) = room.program.view()["managers"]
    room.program.post("seat/manager", seat=managed, strength=None).raise_for_status()
    expect(page.locator("#asks .coached")).to_have_count(0)


def test_the_best_dice_to_reroll_are_marked(rooms: Rooms) -> None:
    table = played("seventh-inning-stretch", lambda table: isinstance(table.open_asks()[0][1], Reroll))
    page = coached_seat(rooms(tables=[table]))
    best = {"value": [0], "words": "Reroll the 2", "win": 0.31, "share": 1, "reason": "It is low.", "chance": "31%"}
    advised(page, [best, {**best, "value": [], "win": 0.2, "chance": "20%"}])
    expect(page.locator("#asks .advice")).to_have_text("Best: Reroll the 2, 31% to win.It is low.")
    expect(page.locator("#asks [data-die='0'] .coached")).to_have_count(1)
    expect(page.locator("#asks .coached")).to_have_count(1)


def test_the_best_arrangement_is_laid_with_one_tap(rooms: Rooms) -> None:
    table = played("seventh-inning-stretch", lambda table: isinstance(table.open_asks()[0][1], Arrange))
    page = coached_seat(rooms(tables=[table]))
    view = page.evaluate("fetch('/api/view').then((one) => one.json())")
    (ask,) = view["table"]["asks"]
    names = [one["value"] for one in ask["pieces"]][::-1]
    order = {place["value"]: name for place, name in zip(ask["places"], names, strict=False)}
    best = {"value": order, "words": "this order", "win": 0.5, "share": 1, "reason": "", "chance": "50%"}
    advised(page, [best, {**best, "value": {}, "win": 0.4, "chance": "40%"}])
    page.get_by_role("button", name="As the coach would").tap()
    expect(page.locator("#asks .acts .button").last).to_be_enabled()
    first = page.locator(f"#asks [data-piece='{names[0]}']")
    expect(first).to_have_attribute("aria-pressed", "true")
