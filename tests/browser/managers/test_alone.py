"""One person and one phone: a whole game on one page, from the first page to the rematch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine.asks import Call, Roll
from engine.seats import Seat, opposite_seat
from engine.table import Table
from tests.browser.appearance import flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.evenings.hands import THUMB
from tests.browser.room import Room, box, played, until
from tests.browser.test_fewest_taps import COUNT, taps
from tests.browser.test_first_screen import SEEN, VISIBLE

WIDTHS = (320, 390, 1920)


def sat_down(room: Room, *, script: str = COUNT, pace: str = "") -> Page:
    """A phone that comes to the first page, and starts a game alone as the page offers it, or at this pace."""
    context = room.context(size=VISIBLE, reduced_motion="reduce")  # for axe, nothing fades in
    context.add_init_script(script)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Play alone").tap()
    page.locator("#code").fill(room.program.code)
    page.get_by_role("button", name="Sign in as operator").tap()
    if pace:
        page.get_by_text(pace, exact=True).tap()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/seat")
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def test_three_taps_to_the_first_question(rooms: Rooms) -> None:
    """On the seat's page, where it and its first control are on the first screen. Nobody is warned of that phone."""
    room = rooms()
    page = sat_down(room)
    expect(page.locator("#asks h2").first).to_contain_text("is up")
    assert {"home": "regular"} == {seat: one["strength"] for seat, one in room.program.view()["managers"].items()}
    assert dict.fromkeys(page.evaluate(SEEN), True) == page.evaluate(SEEN)
    assert 3 == taps(page)
    expect(page.locator("#warning")).to_be_empty()
    expect(page.locator("#undo")).to_have_text("Nothing to undo")
    assert [] == flaws(page) + misfits(page, *WIDTHS)


def test_another_game_alone_has_the_computer_too(rooms: Rooms) -> None:
    """The computer is chosen for every game of somebody who came to play alone."""
    page = rooms().phone("/table#game=small-ball&home=regular", "operator")
    page.get_by_role("button", name="Bottom of the 9th").tap()
    expect(page.get_by_role("button", name="Start Bottom of the 9th")).to_be_visible()
    assert page.locator("#manager-of-home").input_value() == "viola"
    assert page.locator("#manager-of-away").input_value() == ""


@pytest.mark.parametrize("key", ["small-ball", "seventh-inning-stretch"])
def test_a_whole_game_on_one_page(rooms: Rooms, key: str) -> None:
    """Against the computer, whose dice the table rolls; or a season of one person. Then undo, and a rematch."""
    room = rooms(game=key)
    page = sat_down(room, script=THUMB, pace="As in the box")
    if key == "small-ball":
        page.get_by_text("Computer and coach").tap()
        page.get_by_role("group", name="Computer pace").get_by_role("button", name="Instant").tap()
        page.get_by_role("group", name="Who rolls for the computer?").get_by_role("button", name="The table").tap()
        room.until(lambda view: view["table_rolls"] and view["pace"] == "instant")
    to_the_end(room, page)
    page.locator("#undo").tap()
    room.until(lambda view: view["table"]["outcome"] is None)
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    to_the_end(room, page)
    number = room.program.view()["number"]
    page.get_by_role("button", name="Rematch").tap()
    view = room.until(lambda view: view["number"] == number + 1)
    assert (key == "small-ball") == view["table_rolls"]
    expect(page.locator("#asks .ask").first).to_be_visible()
    assert page.url.endswith("/seat")
    assert [] == flaws(page) + misfits(page, *WIDTHS)


def to_the_end(room: Room, page: Page) -> None:
    """Answer what the page asks until the game is over."""

    def over() -> bool:
        page.evaluate("play()")
        return bool(room.program.view()["table"]["outcome"])

    until(page, over)
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def rolling(table: Table) -> bool:
    return isinstance(table.open_asks()[0][1], Roll)


def test_the_virtual_dice_lie_in_the_question(rooms: Rooms) -> None:
    """Of a demo, for the operator's own seat: on the first screen, and gone where nothing is to be rolled."""
    room = rooms("--seed", "3", command="demo", show=3.0, tables=[played("small-ball", rolling)])
    seat = room.program.view()["table"]["asks"][0]["seat"]
    page = both(room, seat)
    throw = page.locator("#asks [data-simulate=throw]")
    expect(throw).to_have_text("Roll the die")
    expect(throw).to_be_in_viewport(ratio=1)
    assert [] == flaws(page) + misfits(page, *WIDTHS)
    throw.tap()
    expect(page.locator("#asks .proposed")).to_contain_text("read by the camera")
    expect(page.locator("[data-simulate=throw]")).to_be_hidden()
    expect(page.locator("#asks h2").first).not_to_contain_text("Recording")
    other = room.phone("/seat", seat)
    expect(other.locator("#asks .ask").first).to_be_visible()
    expect(other.locator("[data-simulate]")).to_have_count(0)


def racing(table: Table) -> bool:
    return any(isinstance(ask, Call) for _, ask in table.open_asks())


def test_the_virtual_die_of_a_race_lies_above_the_call(rooms: Rooms) -> None:
    """A seat throws its own, and not that of the other side."""
    room = rooms("--seed", "3", command="demo", tables=[played("bottom-of-the-9th", racing, seed=1)])
    page = both(room, "away")
    die, call = page.get_by_role("button", name="Roll your die"), page.locator(".call")
    expect(die).to_have_count(1)
    expect(die).to_be_in_viewport(ratio=1)
    assert box(die)["y"] + box(die)["height"] <= box(call)["y"]
    assert [] == flaws(page) + misfits(page, *WIDTHS)
    die.tap()
    room.until(lambda view: view["watching"]["state"] == "settled")


def both(room: Room, seat: Seat) -> Page:
    """The page of a seat, on the operator's phone."""
    page = room.phone("/table", "operator", VISIBLE, reduced_motion="reduce")
    page.goto("/seat")
    page.locator(f"[name=seat][value={seat}]").check()
    page.get_by_role("button", name="Take the seat").tap()
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def test_only_the_operators_phone_undoes(rooms: Rooms) -> None:
    """Another phone of the seat has no such button."""
    room = rooms(tables=[played("small-ball", rolling)])
    seat = room.program.view()["table"]["asks"][0]["seat"]
    mine, plain = both(room, seat), room.phone("/seat", seat)
    expect(plain.locator("#undo")).to_have_count(0)
    undone = room.program.view()["undone"]
    expect(mine.locator("#undo")).to_contain_text("Undo: ")
    mine.locator("#undo").tap()
    room.until(lambda view: view["undone"] == undone + 1)


def test_a_seat_that_another_phone_holds_stays_its_own(rooms: Rooms) -> None:
    """The operator starts the game for that phone, and stays on the operator's page."""
    room = rooms()
    room.phone("/seat", "away")
    page = room.phone("/table#game=small-ball&home=rookie", "operator")
    page.get_by_role("button", name="Start Small Ball").tap()
    expect(page.locator(".toast")).to_have_text("Small Ball begins.")
    assert page.url.endswith("/table")


def test_the_table_rolls_for_the_computer(rooms: Rooms) -> None:
    """One tap where the computer's dice are asked for. The page shows each roll, and offers nothing to change it."""
    room = rooms(tables=[played("small-ball", rolling)], show=3.0)
    ask = room.program.view()["table"]["asks"][0]
    room.program.post("seat/manager", seat=ask["seat"], strength="regular").raise_for_status()
    page = room.phone("/seat", opposite_seat(ask["seat"]), VISIBLE, reduced_motion="reduce")
    page.get_by_role("button", name="Let the table roll for the computer").tap()
    card = page.locator("#asks .proposed")
    expect(card).to_contain_text("rolled by the table")
    expect(card.get_by_role("button")).to_have_count(0)
    assert [] == flaws(page) + misfits(page, *WIDTHS)
    expect(page.locator("#dice")).to_contain_text("rolled by the table")
    assert "manager" == sources(room)[-1]


def sources(room: Room) -> list[str]:
    """Who gave the rolls on the table, the oldest first."""
    return ["manager" if one["by_table"] else "people" for one in room.program.view()["plays"] if one["thrown"]]
