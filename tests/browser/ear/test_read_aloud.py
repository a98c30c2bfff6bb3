"""Reading aloud on a seat's phone: on request only, secrets only for their owner, one thing at a time."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from device.inputs import random_player
from device.storage.decks import house_deck
from engine.asks import Call, Choose, Roll, Secret
from engine.games import GAMES
from engine.table import Table
from tests.browser.appearance import flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.ear.listener import RECORDER, THROW, Ear, Player
from tests.browser.evenings.evening import Evening
from tests.browser.room import Room, box, played, until

BOTTOM = GAMES["bottom-of-the-9th"]
SECRETS = re.compile(r"\b(inside|away)[, ]+(high|low)\b|\b(high|low)\s+(inside|away)\b", re.IGNORECASE)
"""The pitches of Bottom of the 9th."""


def deciding(table: Table) -> bool:
    """Return True where Small Ball asks for a decision, some way into the game."""
    asks = table.open_asks()
    return (
        len(table.journal) > 20
        and isinstance(ask := asks[0][1], Choose)
        and ask.why == "decision"
        and not ask.moot_option
    )


def rolling(table: Table) -> bool:
    """Return True where a die is thrown for a batter."""
    asks = table.open_asks()
    return len(table.journal) > 20 and isinstance(asks[0][1], Roll) and asks[0][1].why == "at-bat"


def choosing(table: Table) -> bool:
    """Return True where both sides are asked in secret."""
    return [Secret, Secret] == [type(ask) for _, ask in table.open_asks()]


def arranging(table: Table) -> bool:
    """Return True where a season's line-up is asked for."""
    asks = table.open_asks()
    return bool(asks) and asks[0][1].why == "line-up"


def whose_turn(room: Room) -> str:
    seat: str = room.program.view()["table"]["asks"][0]["seat"]
    return seat


def announced(room: Room, path: str) -> Page:
    """Return a page of spectators whose announcer says everything."""
    context = room.context()
    context.add_init_script(RECORDER)
    page = context.new_page()
    page.goto(path)
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    for level in ("low", "full"):
        page.locator("#announcer").evaluate("(one) => one.click()")
        expect(page.locator("#announcer")).to_have_text(f"Announcer: {level}")
    return page


def test_nothing_is_said_or_loaded_before_the_request(rooms: Rooms) -> None:
    """Whatever happens. Then R reads the question, its choices in order with their numbers, and the situation."""
    room = rooms(tables=[played("small-ball", deciding)])
    ear = Ear(room, whose_turn(room))  # type: ignore[arg-type]
    loaded = list[str]()
    ear.page.on("request", lambda request: loaded.append(request.url))
    ear.page.reload()
    ear.page.locator("#badge[data-state=live]").wait_for(state="attached")
    (ask,) = room.asks()
    assert [] == ear.heard
    assert [] == [url for url in loaded if "aloud" in url or "voice" in url]
    ear.press("r")
    now = room.program.view()["calls"][-1]["now"]
    until(ear.page, lambda: now in ear.heard)
    said = ear.fresh()
    assert [f"{number}: {option['label']}" for number, option in enumerate(ask["options"], 1)] == [
        line.rstrip(".") for line in said if line[0].isdigit()
    ]
    assert ask["sentence"] in said
    assert said.index(ask["sentence"]) < said.index(now)
    room.answer(ask["options"][0]["value"])
    expect(ear.page.locator("#asks")).not_to_contain_text(ask["sentence"])
    ear.silent()
    assert [] == ear.news(), "it reads on request"


def test_each_play_and_question_once_and_in_order(rooms: Rooms) -> None:
    """With the announcer on as well: a call before the question that follows, and neither again after a reload."""
    room = rooms(tables=[played("small-ball", rolling)])
    ear = Ear(room, whose_turn(room))  # type: ignore[arg-type]
    for level in ("low", "full"):
        ear.page.locator("#announcer").click()
        expect(ear.page.locator("#announcer")).to_have_text(f"Announcer: {level}")
    ear.turn_on()
    ear.fresh()
    old = [call["id"] for call in room.program.view()["calls"]]
    room.answer([2])
    call = room.until(lambda view: view["calls"][-1]["id"] not in old)["calls"][-1]["text"]
    until(ear.page, lambda: call in ear.heard[:-1])
    assert 1 == ear.heard.count(call)
    ear.page.reload()
    ear.page.locator("#badge[data-state=live]").wait_for(state="attached")
    until(ear.page, lambda: 2 == ear.heard.count("Reading aloud, each question."))
    ear.silent()
    assert 1 == ear.heard.count(call)


def test_a_touch_says_and_a_second_touch_presses(rooms: Rooms) -> None:
    """Choices and dice are said before they are given, and what was chosen after it; large buttons do the same."""
    room = rooms(tables=[played("small-ball", deciding)])
    ear = Ear(room, whose_turn(room), has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    ear.turn_on()
    ear.fresh()
    version = room.program.view()["table"]["version"]
    bat = ear.page.locator("#asks").get_by_role("button", name="Bat", exact=True)
    bat.tap()
    until(ear.page, lambda: "Tap again to press it." in ear.heard)
    assert re.match(r"Bat, 1 of \d+\.$", ear.heard[-2])
    assert version == room.program.view()["table"]["version"]
    bat.tap()
    until(ear.page, lambda: "The die: 1 to 6." in ear.heard)
    assert ear.heard.index("Bat.") < ear.heard.index("The die: 1 to 6.")
    bar = ear.page.get_by_role("region", name="Read aloud")
    for name in ("Read", "Situation", "Cards", "Quiet", "Back", "OK", "Next"):
        size = box(bar.get_by_role("button", name=name, exact=True))
        assert min(size["width"], size["height"]) >= 44
    for face in ("1.", "2.", "3.", "4."):
        bar.get_by_role("button", name="Next", exact=True).tap()
        until(ear.page, lambda face=face: face == ear.heard[-1])  # type: ignore[misc]
    bar.get_by_role("button", name="OK", exact=True).tap()
    until(ear.page, lambda: 2 == ear.heard.count("4."))
    view = room.until(lambda view: view["table"]["version"] > version + 1)
    assert [4] == view["table"]["scoreboard"]["dice"]


def test_a_secret_is_said_to_its_owner_after_the_gesture(rooms: Rooms) -> None:
    """Nobody else's page says it before it is open: not the other seat's, `/` or `/tv`."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    away, home = Ear(room, "away"), Ear(room, "home")
    guests = [announced(room, "/"), announced(room, "/tv")]
    for ear in (away, home):
        ear.turn_on()
        until(ear.page, lambda ear=ear: "1: Show it, and hear it." in ear.heard)  # type: ignore[misc]
        assert [] == [line for line in ear.heard if SECRETS.search(line)]
    away.press("1", "Enter")
    until(away.page, lambda: "4: Low Away." in away.heard)
    away.press("4", "Enter")
    until(away.page, lambda: "Chosen." in away.heard)
    until(away.page, lambda: "Ready. Waiting for the other side." in away.heard)
    silent = len(away.heard)
    lid = away.page.get_by_role("button", name="Press and hold to see your answer")
    lid.hover()
    away.page.mouse.down()
    until(away.page, lambda: "Away, low." in away.heard[silent:])
    away.page.mouse.up()
    for page in (home.page, *guests):
        assert [] == [line for line in page.evaluate("window.spoken") if SECRETS.search(line)]
    home.press("1", "Enter")
    until(home.page, lambda: "4: Low Away." in home.heard)
    home.press("1", "Enter")
    for page in (home.page, *guests):
        until(page, lambda page=page: any("away low" in line.lower() for line in page.evaluate("window.spoken")))  # type: ignore[misc]


def test_covering_a_secret_ends_its_words(rooms: Rooms) -> None:
    """What waits to be said of it is forgotten."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    ear = Ear(room, "away", slow=True)
    ear.turn_on()
    ear.press("1", "Enter")
    until(ear.page, lambda: "1: High Inside." in ear.heard)
    ear.press("Enter")
    expect(ear.page.get_by_role("button", name="Show it", exact=True)).to_be_visible()
    count = len(ear.heard)
    ear.silent()
    assert [] == [line for line in ear.heard[count:] if SECRETS.search(line)]


def test_a_hand_of_cards_is_read_when_its_owner_shows_it(rooms: Rooms) -> None:
    """The other side's phone does not know it."""
    room = rooms(game="clutch", tables=[played("clutch", lambda table: table.scoreboard().inning > 2)])
    ear, other = Ear(room, "away"), Ear(room, "home")
    hands = room.hand("away").get("/api/view", params={"seat": "away"}).json()["table"]["scoreboard"]["panel"]["hands"]
    held = [card["name"] for hand in hands.values() if isinstance(hand["cards"], list) for card in hand["cards"]]
    assert held
    for phone in (ear, other):
        phone.turn_on()
        phone.fresh()
    assert [] == [line for line in ear.heard if any(line.startswith(f"{name}, ") for name in held)]
    lid = ear.page.locator("#veil .veil")
    lid.focus()
    ear.press("Enter")
    until(ear.page, lambda: all(any(name in line for line in ear.heard) for name in held))
    assert [] == [line for line in other.heard if any(line.startswith(f"{name}, ") for name in held)]


def before_a_race() -> tuple[Table, Any]:
    """Return a game of Bottom of the 9th where the next answer begins a race, and that answer."""
    for seed in range(20):
        table, chance = Table(BOTTOM, [house_deck(BOTTOM)]), Random(seed)
        while table.open_asks():
            n, ask = table.open_asks()[0]
            before, value = (
                table.clone(),
                random_player.pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance),
            )
            table.answer_ask(ask.seat, n, value)
            if any(isinstance(ask, Call) for _, ask in table.open_asks()):
                return before, value
    raise AssertionError("no game has a race")


def test_one_player_alone(rooms: Rooms) -> None:
    """Decides only from what it hears: the line-up of a season."""
    table = played("seventh-inning-stretch", arranging)
    room = rooms(game="seventh-inning-stretch", tables=[table])
    ear = Ear(room, "home")
    ear.turn_on()
    end = len(table.answers) + 12
    Evening(room).play([Player(ear, Random(3))], lambda moment: moment.version >= end or moment.over)


def test_a_race_says_go(rooms: Rooms) -> None:
    """Before anything else, with the faces that win; the seat that calls then hears what to say."""
    table, answer = before_a_race()
    room = rooms(tables=[table])
    ear = Ear(room, "home")
    ear.turn_on()
    ear.fresh()
    count = len(ear.heard)
    room.answer(answer)
    until(ear.page, lambda: len(ear.heard) > count)
    go = r"Race to first\. Go! Roll the red die: .* wins\. To call, tap the lower half"
    assert re.match(go, ear.heard[count])
    ear.page.wait_for_timeout(THROW)
    ear.press("Space")
    until(ear.page, lambda: any(line.startswith("1: It shows ") for line in ear.heard))
    assert "Confirm the call." in ear.heard


def test_a_phone_without_a_voice_says_so(rooms: Rooms) -> None:
    """And its controls take one touch as before."""
    room = rooms(tables=[played("small-ball", deciding)])
    context = room.context(whose_turn(room))  # type: ignore[arg-type]
    context.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined })")
    page = context.new_page()
    page.goto("/seat")
    page.locator("#aloud").click()
    expect(page.locator("#aloud")).to_have_text("Read aloud: on request, but this phone has no voice")
    expect(page.get_by_role("region", name="Read aloud")).to_have_count(0)
    version = room.program.view()["table"]["version"]
    page.locator("#asks").get_by_role("button", name="Bat", exact=True).tap()
    room.until(lambda view: view["table"]["version"] > version)


def test_a_lost_table_is_said(rooms: Rooms) -> None:
    """And that it is there again."""
    room = rooms(process=True)
    ear = Ear(room, "away")
    ear.turn_on()
    room.faults.meant("lost: ", "ERR_CONNECTION_REFUSED", "console: ")
    room.kill()
    until(ear.page, lambda: "Connection to the table lost." in ear.heard)
    room.start()
    until(ear.page, lambda: "The table is back." in ear.heard)


def test_nothing_that_axe_would_call_a_breach(rooms: Rooms) -> None:
    """With the bar, on phones and large screens, in light and dark."""
    room = rooms(game="clutch", tables=[played("clutch", lambda table: table.scoreboard().inning > 2)])
    ear = Ear(room, "away")
    ear.turn_on()
    assert [] == flaws(ear.page) + misfits(ear.page, 320, 390, 768, 1920)
