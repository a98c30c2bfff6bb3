"""Frequent errands of the operator and of a seat take few taps, each counted by the page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from engine.asks import Roll, Secret
from engine.table import Table
from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, played

COUNT = """addEventListener("pointerup", (event) => { if (event.isTrusted)
  sessionStorage.setItem("taps", Number(sessionStorage.getItem("taps")) + 1) }, true)"""


def counted(room: Room, who: Who = "operator") -> Page:
    """The phone of the operator or of a seat, which counts its taps."""
    context = room.context(who)
    context.add_init_script(COUNT)
    page = context.new_page()
    page.goto("/table" if who == "operator" else "/seat")
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def taps(page: Page) -> int:
    return int(page.evaluate("sessionStorage.getItem('taps')") or 0)


def other(page: Page, place: str) -> Locator:
    """A value that the open die does not show."""
    return page.locator(f"{place} .values .key[aria-pressed=false]").first


def wrong_die(room: Room, page: Page) -> None:
    was = room.program.client.get("/api/rolls").json()[0]["value"]
    page.locator("#last .tap").first.tap()
    other(page, "#last").tap()
    room.until(lambda view: room.program.client.get("/api/rolls").json()[0]["value"] != was)


def older_roll(room: Room, page: Page) -> None:
    """With a look at what would change, before the last tap."""
    version = room.program.view()["table"]["version"]
    page.locator("#rolls .rolled").nth(3).locator(".tap").first.tap()
    other(page, "#rolls").tap()
    expect(page.locator("#rolls .preview .halves")).to_contain_text("stay as played")
    page.locator("#rolls .preview .button").first.tap()
    room.until(lambda view: view["table"]["version"] > version)


def undo(room: Room, page: Page) -> None:
    answer, undone = room.program.client.get("/api/answers?limit=1").json()[0], room.program.view()["undone"]
    expect(page.locator("#undo")).to_have_text(f"Undo: {answer['what']}")
    page.locator("#undo").tap()
    room.until(lambda view: view["undone"] == undone + 1)
    assert answer["n"] == room.program.view()["table"]["asks"][0]["n"]


def new_game(room: Room, page: Page) -> None:
    """Of another kind, while a game is in play."""
    room.answer()
    page.get_by_role("tab", name="Games").tap()
    page.get_by_role("button", name="RallyBird").tap()
    page.get_by_role("button", name="start RallyBird").tap()
    room.until(lambda view: view["game"]["key"] == "rallybird")


def put_aside(room: Room, page: Page) -> None:
    page.get_by_role("tab", name="Games").tap()
    page.get_by_role("button", name="Pause this game", exact=True).tap()
    view = room.until(lambda view: view["table"]["version"] == 0)
    assert "small-ball" == view["game"]["key"]


def rolled(table: Table) -> bool:
    """Some innings are played, and the last answer was a roll."""
    return len(table.answers) > 60 and isinstance(table.answers[-1].ask, Roll)


def choosing(table: Table) -> bool:
    """Both sides are asked in secret."""
    return [True, True] == [isinstance(ask, Secret) for _, ask in table.open_asks()]


def test_few_taps(rooms: Rooms) -> None:
    """One errand after the other."""
    room = rooms(tables=[played("small-ball", rolled)])
    page, taken = counted(room), dict[str, int]()
    for errand in (wrong_die, older_roll, undo, put_aside, new_game):
        errand(room, page)
        taken[errand.__name__] = taps(page) - sum(taken.values())
    assert {"wrong_die": 2, "older_roll": 3, "undo": 1, "new_game": 3, "put_aside": 2} == taken


def test_a_rematch_is_one_tap(rooms: Rooms) -> None:
    """After the end: the same game again, with the names of its sides."""
    room = rooms(tables=[played("small-ball")])
    page = counted(room)
    expect(page.locator("#outcome")).to_contain_text("Star of the game")
    page.get_by_role("button", name="Rematch").tap()
    view = room.until(lambda view: view["table"]["outcome"] is None)
    assert (1, "small-ball", 0) == (taps(page), view["game"]["key"], view["table"]["version"])
    expect(page.get_by_role("button", name="Rematch")).to_be_hidden()


def test_a_secret_pitch_is_one_tap(rooms: Rooms) -> None:
    """Nothing on the page shows afterwards which place it was."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    page = counted(room, "away")
    page.get_by_role("button", name="Low Away", exact=True).tap()
    expect(page.locator("#asks .given")).to_contain_text("Press and hold to see your answer")
    assert 1 == taps(page)
    assert "low" not in page.locator("#asks").inner_text().lower()
