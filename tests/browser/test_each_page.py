"""Each page in Chromium: it opens without a fault, axe finds nothing, and its main thing works."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.asks import Roll
from tests.browser.appearance import breaches
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import PHONE, TV, Room, Who, played


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One table for all of these: game 1 is over, game 2 is on the table."""
    tables = [played("small-ball"), played("small-ball", lambda table: len(table.journal) > 20)]
    room = Room(browser, Faults(), tmp_path_factory.mktemp("pages"), tables=tables, process=False)
    yield room
    room.close()


@pytest.fixture
def room(table: Room, faults: Faults) -> Iterator[Room]:
    """That table, with the complaints of this test only. Its pages are closed at the end."""
    faults.meant(r"/(camera|board)\.jpg.*404")  # it has no cameras
    table.faults = faults
    yield table
    table.leave()


def opened(room: Room, path: str, who: Who = "spectator", size: tuple[int, int] = PHONE) -> Page:
    """The page, once it is live, with nothing on it that axe would call a breach."""
    page = room.phone(path, who, size)
    assert [] == breaches(page)
    return page


def test_the_game(room: Room) -> None:
    """A play shows as it comes."""
    page = opened(room, "/")
    room.answer()
    expect(page.locator("#dice .last")).to_have_text(room.program.view()["table"]["last"])


def test_the_dice_report(room: Room) -> None:
    """It counts both games while somebody waits, and each face of each die has a row."""
    page = opened(room, "/dice")
    expect(page.get_by_role("listitem").filter(has_text="came up")).to_have_count(6, timeout=30_000)
    expect(page.get_by_text("2 games.")).to_be_visible()
    assert [] == breaches(page)


def test_a_seat(room: Room) -> None:
    """The code opens it, and a tap answers."""
    page = opened(room, "/seat")
    seat = room.asks()[0]["seat"]
    page.locator(f"[name=seat][value={seat}]").check()
    page.get_by_label("Code").fill(room.program.code)
    page.get_by_role("button", name="Take the seat").click()
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    assert [] == breaches(page)
    version = room.program.view()["table"]["version"]
    page.locator("#asks").locator(".choice, .key").first.tap()
    room.until(lambda view: view["table"]["version"] > version)


def test_an_invitation(room: Room) -> None:
    """It leaves the address bar, and one tap takes the seat."""
    page = opened(room, f"/in#{room.program.code}")
    assert page.url.endswith("/in")
    room.faults.meant("/in: 403")
    page.get_by_role("button", name="Take a seat").first.tap()
    expect(page.get_by_role("alert")).to_contain_text("Scan the one on the display now")


def test_the_operator(room: Room) -> None:
    """The code opens the page; Undo takes the last answer back."""
    page = opened(room, "/table")
    page.get_by_label("Code").fill(room.program.code)
    page.get_by_role("button").first.click()
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    assert [] == breaches(page)
    room.answer()
    undone = room.program.view()["undone"]
    page.locator("#undo").tap()
    room.until(lambda view: view["undone"] > undone)


def test_the_operators_other_tabs(room: Room) -> None:
    """Each shows its own part alone."""
    page = opened(room, "/table#tab=table", "operator")
    expect(page.locator("#open-code")).to_have_text(room.program.code)
    for tab, part in (("Camera", "#camera-words"), ("Games", "#pause"), ("Help", "#help-title")):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(part)).to_be_visible()
        expect(page.locator("#open-code")).to_be_hidden()
        assert [] == breaches(page), tab


def test_the_camera(rooms: Rooms) -> None:
    """The demo's camera is on the operator's page, and what it reads is offered."""
    table = played("rallybird", lambda table: isinstance(table.open_asks()[0][1], Roll))
    room = rooms("--seed", "3", command="demo", show=30, tables=[table])
    page = opened(room, "/table#tab=camera", "operator")
    expect(page.locator("#camera")).to_be_visible()
    expect(page.locator("#display")).to_be_visible()
    page.get_by_role("tab", name="Game", exact=True).click()
    page.locator("[data-simulate=throw]").tap()
    read = room.until(lambda view: view["proposal"])["proposal"]
    room.program.post("hold", n=read["n"]).raise_for_status()
    expect(page.locator("#asks .lies")).to_have_count(len(read["faces"]))


def test_the_television(room: Room) -> None:
    """A play shows as it comes."""
    page = opened(room, "/tv", size=TV)
    room.answer()
    told = room.program.view()["table"]["last"].partition(".")[0]
    expect(page.locator("#plays .last")).to_contain_text(told)


def test_the_overlay(room: Room) -> None:
    """It follows the score."""
    page = opened(room, "/overlay", size=(730, 270))
    outs = room.program.view()["table"]["scoreboard"]["outs"]
    expect(page.locator("#lamps .lamp.on")).to_have_count(outs)


def test_the_play_log(room: Room) -> None:
    """Every play, or only those that scored."""
    plays = room.program.client.get("/api/plays").json()
    page = opened(room, "/plays")
    lines = page.locator(".told li:visible")
    assert lines.count()
    page.get_by_label("Scoring plays only").check()
    expect(lines).to_have_count(len({play["n"] for play in plays if play["scored"]}))


def test_past_games(room: Room) -> None:
    """From the list to one game, by steps to its end, and on to its scorecard."""
    page = opened(room, "/games")
    page.locator("tbody th a[href='/games/1']").click()
    page.locator("#back").click()
    expect(page.locator("#moment")).to_contain_text(re.compile(r"^(\d+) of (\d+)"))
    page.locator("#on").click()
    expect(page.locator("#moment")).to_contain_text("Final")
    assert [] == breaches(page)
    page.goto("/games/1/scorecard")
    expect(page.locator(".sheetbox").first).to_be_visible()
    assert [] == breaches(page)


def test_decks(room: Room) -> None:
    """From the list to one deck and a card in it."""
    page = opened(room, "/decks")
    page.locator("a[href='/decks/small-ball/house']").first.click()
    expect(page.get_by_role("article").first).to_be_visible()
    assert [] == breaches(page)
    name = page.get_by_role("article").last.get_by_role("heading").inner_text()
    page.get_by_label("Find a card").fill(name.lower())
    expect(page.locator("#found")).to_have_text(re.compile(r"^[1-9]\d? of \d+ cards$"))


def test_the_deck_editor(room: Room) -> None:
    """A card is changed and saved."""
    copy = room.program.post("decks", game="small-ball", title="Page", copy="house").json()
    page = room.phone(f"/decks/{copy['game']}/{copy['name']}", "operator", live=False)
    page.get_by_role("button", name="Edit Lanterns").click()
    form = page.get_by_role("dialog")
    form.get_by_label("name").fill("Candles")
    assert [] == breaches(page)
    form.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#team-1")).to_contain_text("Candles")


def test_the_doctor(room: Room) -> None:
    """What the checks find."""
    page = opened(room, "/doctor", "operator")
    expect(page.locator(".findings")).to_contain_text("read back from the running table")


def test_a_page_that_is_not_there(room: Room) -> None:
    """It leads back to the game."""
    room.faults.meant("/nothing: 404")
    page = opened(room, "/nothing")
    page.locator("main a").first.click()
    expect(page.locator("#lamps")).to_be_visible()


def test_a_review(room: Room) -> None:
    """Each side reads how well it decided, and unfolds what cost the most."""
    page = room.phone("/games/1/analysis")
    worst = page.locator("#review details")
    worst.first.wait_for(timeout=60_000)  # computed in the background, while the page asks again
    expect(worst.locator("dl").first).to_be_hidden()
    for one in worst.all():
        one.locator("summary").tap()
    expect(worst.locator("dl").first).to_contain_text("winning chance")
    assert [] == breaches(page)
