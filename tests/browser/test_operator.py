"""The operator's page: a new game, Undo, the phones in the room, the doctor, and switching the table off."""

from __future__ import annotations

import re
import zipfile

import httpx
from playwright.sync_api import expect

from engine.asks import Roll
from tests.browser.appearance import flaws, misfits
from tests.browser.chromium import PATIENCE, Faults
from tests.browser.conftest import Rooms
from tests.browser.room import Room, box, played, until


def test_a_game_begins(rooms: Rooms) -> None:
    """With a notice at the top. If a game is in play, the button says that it is put aside; it can be resumed."""
    room = rooms()
    page = room.phone("/table", "operator")
    tab, begin = page.get_by_role("tab", name="Games"), page.locator("#choices .start")
    before = room.program.view()["table"]
    tab.click()
    expect(begin).to_have_text("Start Small Ball")
    page.get_by_text("As in the box").click()
    begin.click()
    expect(page.locator(".toast")).to_have_text("Small Ball begins.")
    expect(page.locator("#asks")).to_be_visible()
    until(page, lambda: page.evaluate("scrollY") == 0)
    assert before == room.program.view()["table"]
    room.answer("red")
    expect(page.locator("#asks")).not_to_contain_text("bats first")
    tab.click()
    expect(begin).to_have_text("Pause this game and start Small Ball")
    begin.click()
    room.until(lambda view: view["table"]["version"] == 0)
    tab.click()
    again = page.locator("#shelved").get_by_role("button", name="Resume")
    again.click()
    again.click()
    room.until(lambda view: view["table"]["version"] == 1)
    expect(page.locator("#asks")).to_be_visible()


def test_the_sides_are_named(rooms: Rooms, faults: Faults) -> None:
    """On every page, in the play log, and in the next game of the same kind; also after a power cut."""
    room = rooms()
    page, guest = room.phone("/table", "operator"), room.phone()
    page.get_by_role("tab", name="Games").click()
    page.get_by_text("Team names", exact=True).click()
    page.locator("#name-of-away").fill("Harbor Otters")
    page.locator("#choices .start").click()
    expect(guest.locator("#score")).to_contain_text("Harbor Otters")
    room.answer("bat")
    room.kill()
    room.start()
    expect(guest.locator("#badge")).to_have_text("Live")
    expect(guest.locator("#score")).to_contain_text("Harbor Otters")
    assert "Harbor Otters" in " ".join(one["sentence"] for one in room.program.client.get("/api/plays").json())
    room.program.post("game/again").raise_for_status()
    assert "Harbor Otters" == room.program.view()["table"]["scoreboard"]["sides"]["away"]["name"]
    faults.meant("lost: GET")


def test_tabs_keep_what_was_begun(room: Room) -> None:
    """Arrow keys move between them; the address names the open one, also after a reload."""
    page = room.phone("/table", "operator")
    tabs = page.get_by_role("tablist")
    tabs.get_by_role("tab", name="Game", exact=True).focus()
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="Help")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(tabs.get_by_role("tab", name="Games")).to_be_focused()
    page.get_by_role("button", name="RallyBird").click()
    page.get_by_text("Team names", exact=True).click()
    page.locator("#name-of-home").fill("Herons")
    tabs.get_by_role("tab", name="Table").click()
    expect(page.locator("#open-code")).to_be_visible()
    expect(page.locator("#asks")).to_be_hidden()
    tabs.get_by_role("tab", name="Games").click()
    expect(page.locator("#name-of-home")).to_have_value("Herons")
    page.reload()
    expect(page.get_by_role("tab", name="Games")).to_have_attribute("aria-selected", "true")
    assert page.url.endswith("#tab=games")


def test_without_scripts_every_part_shows(room: Room) -> None:
    page = room.phone("/table", "operator", live=False, java_script_enabled=False)
    for part in ("#undo", "#shutdown", "#camera-words", "#pause", "#help-title"):
        expect(page.locator(part)).to_be_visible()
    expect(page.locator("#tabs")).to_be_hidden()


def test_a_game_is_quick_classic_or_as_in_the_box(room: Room) -> None:
    """Classic is preselected. Another pace sets its house rules, which can be changed, and which the game then has."""
    page = room.phone("/table", "operator")
    page.get_by_role("tab", name="Games").click()
    page.get_by_role("button", name="Small Ball").first.click()
    expect(page.get_by_role("radio", name="Classic Six innings")).to_be_checked()
    innings = page.locator("#house-innings")
    page.get_by_text("Where the rulebook is silent").click()
    expect(innings).to_have_value("6")
    page.get_by_label("When can you bank?").select_option("Only after an at-bat")
    page.get_by_text("As in the box").click()
    expect(innings).to_have_value("9")
    page.get_by_role("radio", name="Quick").check()
    expect(innings).to_have_value("3")
    page.locator("#choices .start").click()
    room.until(lambda view: view["table"]["scoreboard"]["regulation"] == 3)
    expect(page.locator("#line th").filter(has_text="4")).to_have_count(0)


def test_a_new_game_is_asked_in_plain_words(rooms: Rooms) -> None:
    """The game on the table is preselected; who holds the cards is asked, other rules are folded, all in words."""
    room = rooms(tables=[played("seventh-inning-stretch")])
    page = room.phone("/table", "operator")
    page.get_by_role("tab", name="Games").click()
    cards = page.get_by_role("group", name="Games").get_by_role("button")
    expect(cards.and_(page.locator("[aria-pressed=true]"))).to_contain_text("7th Inning Stretch")
    cards.filter(has_text="Clutch").click()
    expect(page.get_by_label("Who holds the strategy cards?")).to_be_visible()
    level = page.get_by_label("What do you play with?")
    expect(level).to_be_hidden()
    page.get_by_text("Where the rulebook is silent").click()
    assert ["The full game", "Player cards only", "The basic game"] == level.locator("option").all_inner_texts()
    expect(page.get_by_label("Weather", exact=True)).to_be_visible()
    expect(page.locator("#choices details h3")).to_contain_text(["Setup", "Cards"])


COUNTED = "globalThis.moved = 0; addEventListener('animationstart', () => { moved += 1; }, true)"


def test_still_and_dark(begun: Room) -> None:
    """Nothing moves with reduced motion, and dark mode is dark."""
    page, moving = (
        begun.phone(reduced_motion="reduce", color_scheme="dark"),
        begun.phone(reduced_motion="no-preference"),
    )
    for one in (page, moving):
        one.evaluate(COUNTED)
    begun.answer()
    until(moving, lambda: moving.evaluate("moved"))
    expect(page.locator("#dice .last")).to_have_text(begun.program.view()["table"]["last"])
    assert 0 == page.evaluate("moved")
    assert [] == page.evaluate("document.getAnimations().map((one) => one.animationName)")
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(red, green, blue) < 60


def test_the_demo_says_what_it_throws(rooms: Rooms) -> None:
    """Each die by owner, color and kind; identical dice by number."""
    words = {
        "bottom-of-the-9th": "Roll away's white die and away's white pitching die",
        "rallybird": "Roll 2 dice",
        "clutch": "Roll the d20",
    }
    rolls = lambda table: isinstance(table.open_asks()[0][1], Roll)  # noqa: E731
    room = rooms(command="demo", tables=[played(key, rolls) for key in words])
    page = room.phone("/table", "operator")
    for number, thrown in enumerate(words.values(), 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        expect(page.locator("[data-simulate=throw]")).to_have_text(thrown)


def test_the_demo_throws_only_what_is_asked_for(rooms: Rooms) -> None:
    """Before the choice its button does nothing, and also after a throw that led to one."""
    room = rooms("--seed", "3", command="demo", show=0.3)
    room.answer("red")
    page = room.phone("/table", "operator")
    thrown = page.locator("[data-simulate=throw]")
    expect(thrown).to_be_disabled()
    room.answer("bat")
    expect(thrown).to_be_enabled()
    thrown.tap()
    room.until(lambda view: view["table"]["asks"][0]["kind"] == "choose")
    expect(thrown).to_be_disabled()


def test_a_throw_that_brings_nothing_offers_the_keypad(rooms: Rooms) -> None:
    """Here because the camera is unplugged: the page says so, and typing takes one tap. It keeps silent about a throw
    that somebody typed meanwhile."""
    table = played("rallybird", lambda table: isinstance(table.open_asks()[0][1], Roll))
    room = rooms(command="demo", tables=[table])
    room.program.post("simulate", what="unplug").raise_for_status()
    room.until(lambda view: view["watching"]["state"] == "off")
    page = room.context("operator").new_page()
    page.clock.install()
    page.goto("/table")
    thrown = page.locator("[data-simulate=throw]")
    for typed in (True, False):
        with page.expect_response("**/api/simulate"):
            thrown.tap()
        if typed:
            ask = room.asks()[0]
            room.program.post("answer", seat=ask["seat"], n=ask["n"], value=[1, 2]).raise_for_status()
            expect(page.locator("#asks .keypad")).to_have_count(0)
        else:
            # The notice of the undo still stands when a view arrives, and says nothing about the throw.
            assert room.program.view()["notice"]
            room.phone()
            expect(page.locator("#here tr", has_text="1 spectator")).to_have_count(1)
        page.clock.run_for(9000)
        assert (0 if typed else 1) == page.locator(".toast").count()
        if typed:
            room.program.post("undo", version=room.program.view()["table"]["version"]).raise_for_status()
            expect(page.locator("#asks .keypad")).to_have_count(1)
    expect(page.locator(".toast")).to_have_text("The camera read no dice. Type the roll, or roll again.")
    expect(page.locator("#asks .keypad button").first).to_be_focused()
    expect(page.locator("#asks .keypad button").first).to_be_in_viewport()


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"


def test_a_seat_is_freed_in_two_taps(room: Room) -> None:
    """Its phone learns why and is asked for the code; with the new one it sits down again."""
    operator = room.phone("/table#tab=table", "operator")
    away = room.phone("/seat", "away", user_agent=IPHONE)
    guest = room.phone(user_agent=IPHONE)
    row = operator.locator("#here tr", has_text="Lanterns, away")
    expect(row).to_contain_text("iPhone")
    expect(operator.locator("#here tr", has_text="1 spectator")).to_contain_text("iPhone")
    old = operator.locator("#open-code").inner_text()
    free = operator.locator("[data-free=away]")
    free.tap()
    expect(free).to_contain_text("Free this seat?")
    expect(row).to_be_visible()
    free.tap()
    expect(away.locator(".refusal")).to_contain_text("The operator freed this seat.")
    expect(row).to_be_hidden()
    expect(free).to_have_text("Free this seat")
    expect(guest.locator("#badge")).to_have_text("Live")
    code = operator.locator("#open-code")
    expect(code).not_to_have_text(old)
    away.locator("[name=seat][value=away]").check()
    away.locator("#code").fill(code.inner_text())
    away.get_by_role("button", name="Take the seat").tap()
    expect(away.locator("#badge")).to_have_text("Live")
    expect(row).to_be_visible()


def test_a_phone_is_signed_out_in_two_taps(room: Room, faults: Faults) -> None:
    """Its page asks for the code and says why; then all others are, and the operator stays."""
    # A picture that the operator's page asks for while its new pass is on the way still comes with the old one.
    faults.meant(r"/(display\.png|camera\.jpg|board\.jpg).*401")
    operator = room.phone("/table#tab=table", "operator", user_agent=IPHONE)
    home, away = (room.phone("/seat", seat) for seat in ("home", "away"))
    rows = operator.locator("#here tr")
    row, own = (rows.filter(has_text=words) for words in ("Owls, home", "this one"))
    expect(row).to_contain_text("here")
    expect(own).to_contain_text("iPhone, this one")
    expect(own.get_by_role("button")).to_have_count(0)
    out = row.get_by_role("button")
    out.tap()
    expect(out).to_have_text("Sign out?")
    out.tap()
    signed_out = "This phone was signed out. To continue, enter the code on the display."
    expect(home.locator(".refusal")).to_have_text(signed_out)
    expect(row).to_have_count(0)
    everybody = operator.locator("#sign-out")
    everybody.tap()
    everybody.tap()
    expect(away.locator(".refusal")).to_contain_text("This phone was signed out.")
    expect(rows.filter(has_text="away")).to_have_count(0)
    expect(own).to_be_visible()


def test_phones_that_were_turned_away_are_listed(rooms: Rooms) -> None:
    """With time, reason and what helps; nothing shows until there is one. The doctor lists them, too."""
    room = rooms()
    page = room.phone("/table#tab=table", "operator")
    refused = page.locator("#refused")
    expect(page.locator("#here tr")).not_to_have_count(0)
    expect(refused).to_be_hidden()
    for _ in range(7):
        httpx.post(f"{room.program.url}/table", data={"code": "0"})
    httpx.get(f"{room.program.url}/stream?seat=home")
    httpx.get(f"{room.program.url}/", headers={"Host": "elsewhere.example"})
    refused.locator("summary").click()
    newest, all_ = refused.locator("ul").all()
    expect(newest.locator("li")).to_have_count(4)
    expect(newest.locator("li").first).to_have_text(
        re.compile(r"^\d\d:\d\d( [AP]M)? A phone \(this machine\) was turned away: it used a name .* \(GET /\)$")
    )
    expect(newest).to_contain_text("type the code that the display shows now. (5 times, POST /table)")
    expect(all_.locator("li").first).to_have_text("5 × it sent a wrong code")
    line = newest.locator("li").first.element_handle()
    page.wait_for_timeout(4500)
    assert line is not None
    assert line.evaluate("(one) => one.isConnected"), "what stays the same is left alone"
    assert flaws(page, "#refused") + misfits(page, 320, 390, 1920) == []
    page.goto("/doctor")
    expect(page.locator(".findings")).to_contain_text("A phone (this machine) was turned away: it sent a wrong code;")
    assert flaws(page) + misfits(page, 320, 390, 1920) == []


def test_the_table_is_switched_off_and_on(rooms: Rooms, faults: Faults) -> None:
    """Two taps; every page says so, and goes on when the table is back."""
    room = rooms(process=True)
    operator, guest = room.phone("/table#tab=table", "operator"), room.phone()
    off = operator.locator("#shutdown")
    off.tap()
    off.tap()
    expect(operator.locator("main")).to_contain_text("Safe to unplug when the display says so.")
    expect(guest.locator("#badge")).to_have_text("Turned off")
    expect(guest.locator("main .refusal")).to_contain_text("The table was turned off.")
    assert room.program.process.wait(PATIENCE / 1000) == 0
    room.kill()
    room.start()
    for page in (operator, guest):
        expect(page.locator("#badge")).to_have_text("Live")
        expect(page.locator("main .refusal")).to_be_hidden()
    expect(operator.locator("#shutdown")).to_be_visible()
    faults.meant("ERR_CONNECTION", "lost: GET")


def test_the_operator_asks_the_doctor(rooms: Rooms) -> None:
    page = rooms().phone("/table#tab=table", "operator")
    page.get_by_role("link", name="The doctor").click()
    expect(page.get_by_role("heading", name="The doctor")).to_be_visible()
    expect(page.locator(".findings")).to_contain_text("read back from the running table")
    assert flaws(page) + misfits(page, 320, 390, 1920) == []
    page.get_by_role("link", name="Check again").click()
    expect(page.locator(".findings > li").first).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download a report").click()
    with zipfile.ZipFile(taken.value.path()) as packed:
        assert "doctor.txt" in packed.namelist()
    expect(page.get_by_role("heading", name="The doctor")).to_be_visible()


def test_the_table_keeps_looking_at_the_dice(rooms: Rooms) -> None:
    """How clearly each is read is shown again, without a word where nothing else changed; another step ends it."""
    room = rooms("--seed", "3", command="demo")
    page = room.phone("/table", "operator")
    room.program.post("calibrate", step="empty").raise_for_status()
    room.program.post("simulate", what="throw").raise_for_status()
    room.until(lambda view: view["watching"]["state"] == "settled")
    page.get_by_role("tab", name="Camera").click()
    page.get_by_text("Calibrate the camera", exact=True).click()
    looks: list[str] = []
    page.on("request", lambda request: looks.append(request.post_data or "") if "calibrate" in request.url else None)
    page.get_by_role("button", name="Our dice are in").click()
    expect(page.locator("#checks meter")).to_have_js_property("max", 1)
    line = page.locator("#checks li").element_handle()
    until(page, lambda: len(looks) > 2)
    assert line.evaluate("(one) => one.isConnected")
    assert [] == flaws(page, "#calibrate") + misfits(page, 390)
    page.get_by_role("button", name="The tray is empty").click()
    expect(page.locator("#checks")).to_contain_text("remove it")
    count = len(looks)
    page.wait_for_timeout(1500)
    assert (count, True) == (len(looks), '"empty"' in looks[-1])


def test_the_corners_are_tapped_on_the_picture(rooms: Rooms) -> None:
    """By touch, or with keys alone; from then on the table's line runs there."""
    room = rooms("--seed", "3", command="demo")
    page = room.phone("/table", "operator")
    page.get_by_role("tab", name="Camera").click()
    page.get_by_text("Calibrate the camera", exact=True).click()
    page.get_by_role("button", name="The tray is empty").click()
    expect(page.locator("#checks")).to_contain_text("It fills")
    tap, pane = page.locator("#corners"), page.locator(".tapped")
    tap.click()
    expect(pane).to_be_focused()
    wide, tall = (box(page.locator("#camera"))[side] for side in ("width", "height"))
    for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.7), (0.2, 0.7)):
        pane.tap(position={"x": x * wide, "y": y * tall})
    assert [] == flaws(page, ".eyes") + misfits(page, 390)
    expect(tap).to_have_text("Done: these 4 corners")
    tap.click()
    expect(page.locator("#checks")).to_contain_text("It fills 30% of the picture.")
    expect(pane).to_be_hidden()
    tap.click()
    for key in ("ArrowUp", "ArrowRight", "ArrowDown"):
        for _ in range(8):
            page.keyboard.press(f"Shift+{key}")
        page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowLeft")
    expect(tap).to_have_text("Done: these 3 corners")
    tap.click()
    expect(page.locator("#checks")).to_contain_text("It fills 8% of the picture.")
