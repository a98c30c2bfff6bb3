"""A player's own phone."""

from __future__ import annotations

import json
from itertools import chain

from playwright.sync_api import Locator, Page, expect

from engine.table import Table
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import Room, box, played, until

THUMB = 44
"""CSS pixels that a finger needs each way."""


def reach(page: Page, wanted: Locator) -> None:
    """Move focus with the Tab key only."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError(f"the Tab key never came to {wanted}")


def heard(page: Page) -> list[str]:
    """Everything its stream sends to this page from now on."""
    told: list[str] = []
    session = page.context.new_cdp_session(page)
    session.on("Network.eventSourceMessageReceived", lambda event: told.append(event["data"]))
    session.send("Network.enable")
    return told


def test_a_seat_wants_the_code(room: Room, faults: Faults) -> None:
    """A wrong code opens nothing; the one on the display does, and the ask is there."""
    faults.meant("/seat: 403")
    page = room.phone("/")
    page.get_by_role("link", name="Take a seat").first.click()
    page.get_by_label("Away").check()
    wrong = str(int(room.program.code) ^ 1).zfill(len(room.program.code))
    page.get_by_label("Code").fill(wrong)
    page.get_by_role("button", name="Take the seat").click()
    expect(page.get_by_role("alert")).to_have_text("That is not the code on the display.")
    assert [] == page.context.cookies()
    page.get_by_label("Away").check()
    page.get_by_label("Code").fill(room.program.code)
    page.get_by_role("button", name="Take the seat").click()
    expect(page.locator("#asks")).to_contain_text("Your move")
    (ask,) = room.asks()
    for option in ask["options"]:
        button = box(page.locator("#asks").get_by_role("button", name=option["label"], exact=True))
        assert min(button["width"], button["height"]) >= THUMB
    page.locator("#asks").get_by_role("button", name=ask["options"][0]["label"], exact=True).click()
    room.until(lambda view: view["table"]["version"] == 1)


def test_an_at_bat_by_keyboard_alone(rooms: Rooms) -> None:
    """With Tab, Enter and Space, and a visible focus."""
    room = rooms()
    room.answer("red")
    page = room.phone("/seat", "away", has_touch=False, is_mobile=False)
    reach(page, page.get_by_role("button", name="Bat", exact=True))
    assert "none" != page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.keyboard.press("Enter")
    room.until(lambda view: view["table"]["version"] == 2)
    die = page.locator("#asks .key").nth(3)
    expect(die).to_be_visible()
    reach(page, die)
    page.keyboard.press("Space")
    view = room.until(lambda view: view["table"]["version"] == 3)
    assert [4] == view["table"]["scoreboard"]["dice"]
    expect(page.locator("#dice .last")).to_have_text(view["table"]["last"])


def choosing(table: Table) -> bool:
    """Both sides are asked in secret."""
    return [True, True] == [table.ask_view(n, ask, None).secret for n, ask in table.open_asks()]


def test_a_secret_is_nobody_elses(rooms: Rooms) -> None:
    """Pitch and guess on two phones: neither page nor stream has the other's before both are in. A finger uncovers
    one's own."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    away, home, guest = room.phone("/seat", "away"), room.phone("/seat", "home"), room.phone()
    others = {page: heard(page) for page in (home, guest)}
    away.get_by_role("button", name="Low Away", exact=True).click()
    for page, told in others.items():
        expect(page.locator("#now .hush li.ready")).to_have_count(1)
        until(page, lambda told=told: told)  # type: ignore[misc]
        assert [] == leaks(told)
        assert "away, low" not in page.content().lower()
    lid, answer = (
        away.get_by_role("button", name="Press and hold to see your answer"),
        away.get_by_text("away, low", exact=True),
    )
    assert 0 == answer.count()
    lid.hover()
    away.mouse.down()
    expect(answer).to_be_visible()
    away.mouse.up()
    expect(answer).to_be_hidden()
    home.get_by_role("button", name="Low Inside", exact=True).click()
    for page, told in others.items():
        until(page, lambda told=told: leaks(told))  # type: ignore[misc]


def leaks(told: list[str]) -> list[str]:
    """Where a stream has the pitch outside the choices of its own ask."""
    found = []
    for data in told:
        event = json.loads(data)
        news = event if isinstance(event, list) else [[["table", "asks"], event.get("table", {}).pop("asks", ())]]
        asks = [value if path[-1] == "asks" else [value] for path, value in news if path[:2] == ["table", "asks"]]
        for ask in chain.from_iterable(asks):
            ask.pop("options", None)
        words = json.dumps([event, news]).lower()
        found += [words for pitch in ("away-low", "away, low", "away low", "low and away") if pitch in words]
    return found


def test_a_seat_that_the_next_game_has_not(room: Room) -> None:
    """Its phone says so; the other seat's phone plays on."""
    away, home = room.phone("/seat", "away"), room.phone("/seat", "home")
    expect(away.locator("#asks")).to_be_visible()
    room.program.post("game", game="seventh-inning-stretch").raise_for_status()
    expect(away.locator(".refusal")).to_have_text("This game has no away seat.")
    expect(away.get_by_role("button", name="Take the seat")).to_be_visible()
    expect(home.locator("#asks")).to_contain_text("Your move")
