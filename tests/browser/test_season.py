"""A season on one phone: its first steps by taps, a line-up in the order it is tapped, and what is unfolded."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from engine.table import Table
from tests.browser.appearance import breaches, misfits
from tests.browser.conftest import Rooms
from tests.browser.evenings.looks import LARGE, letters
from tests.browser.room import Room, Who, played

KEY = "seventh-inning-stretch"
SMALL = (360, 740)


def why(table: Table) -> str:
    return table.open_asks()[0][1].why if table.open_asks() else ""


def asking(moment: str) -> Callable[[Table], bool]:
    """True where this is asked."""
    return lambda table: why(table) == moment


def asked(room: Room, *whys: str) -> None:
    """Wait until one of these is asked."""
    room.until(lambda view: view["table"]["asks"] and view["table"]["asks"][0]["why"] in whys)


def tap(page: Page, room: Room) -> None:
    """Tap the first choice, and wait until the table has it."""
    before = room.program.view()["version"]
    page.locator("#asks .choice:not(.resting *)").first.tap()
    room.until(lambda view: view["version"] > before)


def order(page: Page) -> list[str]:
    """The numbers of the batters as listed."""
    return page.locator("#asks .spot").all_inner_texts()


def test_the_first_steps_of_a_season(rooms: Rooms) -> None:
    """Draft, opponent, line-up, line-up die and pitcher by phone, until the first one bats."""
    room = rooms(game=KEY)
    asked(room, "draft")
    page = room.phone("/seat", "home", SMALL)
    expect(page.locator("#score")).to_contain_text("Spring training")
    expect(page.locator("#diamond svg")).to_have_count(0)
    for step in ("draft", "draft", "draft", "opponent"):
        asked(room, step)
        expect(page.locator("#asks .choice small").first).to_be_visible()
        tap(page, room)
    asked(room, "line-up")
    batters = page.locator("#asks .pickable")
    go = page.locator("#asks .acts .button").last
    for place in range(9):
        expect(go).to_be_disabled()
        batters.nth(place + 1).tap()
    batters.nth(3).tap()
    assert ["", "1", "2", "", "3", "4", "5", "6", "7", "8"] == order(page)[:10]
    page.get_by_role("button", name="Undo").tap()
    for place in (0, 3):
        batters.nth(place).tap()
    assert ["8", "1", "2", "9", "3", "4", "5", "6", "7", ""] == order(page)[:10]
    if batters.count() > 10:
        expect(batters.last).to_be_disabled()
    names = [one["value"] for one in room.asks()[0]["pieces"]]
    go.tap()
    asked(room, "line-up-die")
    page.locator("#asks .key").first.tap()
    asked(room, "pitcher", "batter", "at-bat")
    while room.asks()[0]["why"] in ("pitcher", "batter"):
        tap(page, room)
    expect(page.locator("#asks .ask")).to_contain_text("How many dice do you use up?")
    lineup = [one["name"] for one in room.program.view()["table"]["scoreboard"]["panel"]["squads"]["home"]["lineup"]]
    assert [names[place] for place in (1, 2, 4, 5, 6, 7, 8, 0, 3)] == lineup
    expect(page.locator("#diamond svg")).to_have_count(1)


def test_what_is_unfolded_stays_so(rooms: Rooms) -> None:
    """A spectator reads the roster while the game goes on."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "at-bat")])
    page = room.phone(size=SMALL)
    leaf = page.locator("[data-leaf=roster-home]")
    leaf.locator("summary").tap()
    room.answer("1")
    expect(page.locator("#now")).to_contain_text("Roll 1 die")
    expect(leaf).to_have_attribute("open", "")
    expect(page.locator("[data-leaf=season]")).not_to_have_attribute("open", "")


def test_a_season_is_for_everyone(rooms: Rooms) -> None:
    """No breach, and everything fits, from a small phone to a television, also with letters twice as large."""
    moments = ("opponent", "team", "line-up", "tokens")
    room = rooms(tables=[played(KEY, asking(moment)) for moment in moments])
    found: list[str] = []
    looks: list[tuple[str, Who]] = [("/", "spectator"), ("/seat", "home")]
    for path, who in looks:
        page = room.phone(path, who)
        for number, moment in enumerate(moments, 1):
            room.program.post(f"games/{number}/take").raise_for_status()
            page.goto(path)
            page.evaluate("for (const leaf of document.querySelectorAll('details')) leaf.open = true")
            found += [f"{moment}: {one}" for one in misfits(page, 320, 390, 1920)]
            if path == "/seat" or moment == moments[0]:
                found += [f"{moment}: {one}" for one in breaches(page, within="#main" if path == "/" else "#asks")]
        page.set_viewport_size({"width": 320, "height": 640})
        expect(page.locator(".goals .hope").first).to_be_visible()
        letters(page, LARGE)
        assert page.evaluate(ENDS) <= 320, path
    assert found == []


ENDS = "Math.max(...[...document.querySelectorAll('.goals *')].map((one) => one.getBoundingClientRect().right))"
"""How far the chances reach: they have their own lines where there is no room beside each other."""


def test_players_to_choose_from_have_portraits(rooms: Rooms) -> None:
    """In the draft and in the batting order; the colors are the team's."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "line-up")])
    page = room.phone("/seat", "home", SMALL)
    rows = page.locator("#asks .pickable")
    expect(rows.locator("img.mug")).to_have_count(rows.count())
    assert all("colour=blue" in (one.get_attribute("src") or "") for one in rows.locator("img.mug").all())
    assert [] == misfits(page, 320, 360)
