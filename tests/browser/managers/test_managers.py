"""One phone plays a whole game against the computer; seats are handed over and taken back; the coach is asked."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.browser.appearance import breaches
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, box, until
from tests.browser.test_seats import THUMB

PLAY = """() => {
    const any = (all) => all[Math.floor(Math.random() * all.length)];
    const card = document.querySelector("#asks .ask:not(.given, .managed, .played)");
    if (!card) return "";
    const open = (selector) => [...card.querySelectorAll(selector)]
        .filter((one) => !one.disabled && one.checkVisibility());
    const words = card.innerText, again = open(".second .tap");
    card.classList.add("played");
    if (again.length && !again.some((one) => one.ariaPressed === "true")) any(again).click();
    const rows = open(".keys");
    for (let more = open(".counted .missing").length; more > 1; more--) any(open(".key")).click();
    for (const row of rows) any([...row.querySelectorAll(".key")]).click();
    if (rows.length) {
        const go = open(".keypad > .button")[0];
        if (go) go.click(); else if (card.querySelector(".keypad > .button")) card.classList.remove("played");
        return words;
    }
    for (const veil of open(".veil[aria-expanded=false]")) veil.click();
    const picked = open(".pickable:not([aria-pressed=true])");
    if (card.innerText.includes("First of two")) card.classList.remove("played");
    if (!picked.length) { any(open("[data-place], .choice"))?.click(); return words; }
    any(picked).click();
    const done = open(".picks > .button, .acts > .button:not(.quiet)").find((one) => one.textContent !== "Undo");
    if (done) done.click(); else card.classList.remove("played");
    return words;
}"""
"""Answer what the page asks, with whatever it offers; return what it asked, "" for nothing."""


def play(page: Page, there: str) -> list[str]:
    """Answer on this page until something with the selector `there` is on it; return what was asked."""
    heard: list[str] = []
    last = time.monotonic()
    while not page.locator(there).locator("visible=true").count():
        if words := page.evaluate(PLAY):
            heard.append(words)
            last = time.monotonic()
        page.wait_for_timeout(60)
        waited = time.monotonic() - last
        assert waited < 20, f"never came: {there}; last asked: {heard[-3:]}, shown: {page.inner_text('#asks')}"
    return heard


def test_a_game_against_the_computer(rooms: Rooms) -> None:
    """From New game to the last out, by one phone: it throws for both sides, and decides only for its own."""
    room = rooms(game="bottom-of-the-9th")
    operator = room.phone("/table", "operator")
    operator.get_by_role("tab", name="Games").tap()
    operator.locator("#manager-of-home").select_option("regular")
    operator.locator("#pace-of-managers").select_option("instant")
    operator.get_by_role("button", name="Start Bottom of the 9th").tap()
    room.until(lambda view: view["managers"].get("home", {}).get("strength") == "regular")
    page, other = room.phone("/seat", "away"), room.phone("/")
    expect(other.locator("#score .managed")).to_have_text("computer, regular")

    asked = play(page, "#asks .coach .button")
    page.get_by_role("button", name="What would you do?").tap()
    advice = page.locator("#asks .advice li")
    expect(advice.first).to_contain_text(re.compile(r"\d %"))
    expect(other.locator("#now")).to_contain_text("asked the coach")
    question = page.locator("#asks .ask h2").first.inner_text()
    asked += play(page, f"#asks:not(:has-text('{question}'))")
    expect(page.locator("#asks .advice")).to_have_count(0)

    page.get_by_text("Computer and coach").tap()
    page.get_by_role("group", name="Hand this seat to the computer").get_by_role("button", name="Regular").tap()
    over = page.get_by_role("button", name="Take over")
    expect(page.locator("#asks")).to_contain_text("The computer manages this seat.")
    expect(page.locator("#asks .choice")).to_have_count(1)
    assert box(over)["height"] >= THUMB
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    over.tap()
    expect(over).to_have_count(0)
    assert "away" not in room.program.view()["managers"]

    operator.close()
    asked += play(page, "#asks .calm > p:has-text('win')")
    expect(page.locator("#asks")).to_contain_text(room.program.view()["table"]["outcome"]["sentence"])
    firsts = {words.partition("\n")[0] for words in asked}
    assert {"Throw for Home.", "Your move"} == firsts
    answers = room.program.client.get("/api/rolls").json()
    assert {"away", "home"} == {roll["seat"] for roll in answers}


def test_the_operator_and_pages_without_scripts(rooms: Rooms) -> None:
    """The operator hands a seat over; its phone takes it back with a form alone."""
    room = rooms(game="bottom-of-the-9th")
    operator = room.phone("/table", "operator")
    operator.locator("#managers summary").tap()
    group = operator.get_by_role("group", name="Home")
    for button in group.get_by_role("button").all():
        assert min(box(button)["width"], box(button)["height"]) >= THUMB
    group.get_by_role("button", name="Rookie").tap()
    expect(group.get_by_role("button", name="Rookie")).to_have_attribute("aria-pressed", "true")
    operator.get_by_role("group", name="Pace of the computer").get_by_role("button", name="Brisk").tap()
    room.until(lambda view: view["pace"] == "brisk")
    assert [] == breaches(operator)
    plain = room.context("home", java_script_enabled=False).new_page()
    plain.goto("/seat")
    plain.get_by_role("button", name="Take over").click()
    expect(plain.get_by_role("button", name="Take over")).to_have_count(0)
    assert {} == room.program.view()["managers"]
    plain.get_by_text("Computer and coach").click()
    plain.get_by_role("button", name="All-star").click()
    room.until(lambda view: view["managers"]["home"]["strength"] == "all-star")
    plain.get_by_text("Computer and coach").click()
    plain.get_by_role("button", name="Instant").click()
    room.until(lambda view: view["pace"] == "instant")
    expect(group.get_by_role("button", name="All-star")).to_have_attribute("aria-pressed", "true")


def test_two_people_and_the_coach(rooms: Rooms) -> None:
    """Only once both phones said that it is welcome can it be asked; what it says of a secret is veiled."""
    room = rooms(game="bottom-of-the-9th")
    away, home = room.phone("/seat", "away"), room.phone("/seat", "home")
    for page in (away, home):
        page.get_by_text("Computer and coach").tap()
        expect(page.get_by_role("button", name="What would you do?")).to_have_count(0)
        welcome = page.get_by_role("button", name="Coach welcome")
        welcome.tap()
        expect(welcome).to_have_attribute("aria-pressed", "true")
    room.until(lambda view: {"away", "home"} == set(view["coached"]))
    while not any(ask["secret"] for ask in room.program.view()["table"]["asks"]):
        room.answer()
    ask = away.get_by_role("button", name="What would you do?")
    ask.tap()
    expect(away.locator("#asks .advice")).to_contain_text("of the time")
    away.get_by_role("button", name="Hide", exact=True).tap()
    expect(away.locator("#asks .advice")).to_be_hidden()
    expect(home.locator("#asks .advice")).to_have_count(0)
    assert [] == breaches(away)
    away.get_by_role("button", name="Coach welcome").tap()
    expect(ask).to_be_hidden()


def test_one_seat_has_no_computer(rooms: Rooms) -> None:
    """Where a house rule leaves one person, the choice is not offered; another refusal is shown in words."""
    room = rooms(game="bottom-of-the-9th")
    page = room.phone("/table", "operator")
    page.get_by_role("tab", name="Games").tap()
    page.locator("#manager-of-home").select_option("rookie")
    page.get_by_text("House rules", exact=True).tap()
    page.locator("#house-solo").select_option("houseBot")
    expect(page.locator("#manager-of-home")).to_be_hidden()
    page.locator("#house-solo").select_option("off")
    expect(page.locator("#manager-of-home")).to_be_visible()
    page.route("**/api/game", lambda route: route.fulfill(status=422, json={"error": "x", "sentence": "No computer."}))
    room.faults.meant(r"/api/game.*422")
    page.get_by_role("button", name="Start Bottom of the 9th").tap()
    expect(page.get_by_role("alert")).to_have_text("No computer.")
    until(page, lambda: page.locator("#manager-of-home").is_visible())
