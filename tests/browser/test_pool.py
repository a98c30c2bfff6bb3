"""Many dice on a phone: twelve are entered by a tap each, and rerolled dice by tapping them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from engine.table import Table
from engine.views import CameraActivity, ProposalView
from tests.browser.appearance import flaws, misfits
from tests.browser.chromium import PATIENCE, Faults
from tests.browser.room import box
from tests.browser.served import served
from tests.engine.sample_games.pool_game import new
from tests.web.web_table import CODE, WebTable, proposal

ROLL = [1, 2, 3, 3, 5, 6]


def pool(table: Table) -> WebTable:
    """Return the table of a game of pool."""
    return WebTable(table=table, demo=False)


@contextmanager
def phone(browser: Browser, faults: Faults, url: str, who: str) -> Iterator[Page]:
    """The page of a seat or of the operator on a narrow phone."""
    context = browser.new_context(base_url=url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    context.set_default_timeout(PATIENCE)
    faults.watch(context)
    with httpx.Client(base_url=url) as client:
        client.post("/table" if who == "operator" else "/seat", data={"code": CODE, "seat": who})
        context.add_cookies([{"url": url, "name": name, "value": value} for name, value in client.cookies.items()])
    page = context.new_page()
    page.goto("/table" if who == "operator" else "/seat")
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    try:
        yield page
    finally:
        context.close()


def seen(*faces: int, again: Sequence[int] = (1,), **more: Any) -> ProposalView:
    """Return what a camera saw of a second throw."""
    return proposal(2, "away", faces or (1, 6, 3, 3, 5, 6), again=list(again), seconds=None, **more)


def test_six_dice_of_which_some_were_thrown_again(browser: Browser, faults: Faults) -> None:
    """Tap those, within the limit, and their faces; held dice cannot be tapped."""
    with served(pool(new(ROLL, "go"))) as (port, url), phone(browser, faults, url, "away") as page:
        taps, go = page.locator("#asks .second .tap"), page.locator("#asks .keypad > .button")
        expect(taps).to_have_count(6)
        expect(taps.nth(5)).to_be_disabled()
        expect(go).to_be_disabled()
        for place, face in ((1, "6"), (2, "4")):
            taps.nth(place).tap()
            page.locator("#asks .values .key", has_text=face).tap()
        expect(go).to_have_text("Send: 2 is now 6, 3 is now 4")
        taps.nth(0).tap()
        expect(go).to_be_disabled()
        taps.nth(3).tap()
        expect(page.locator(".toast")).to_contain_text("At most 3 dice can be rerolled.")
        taps.nth(0).tap()
        assert [] == misfits(page, 320, 360) + flaws(page)
        go.tap()
        page.get_by_text("Nothing to decide right now.").wait_for()
        assert (None, 6, 4, None, None, None) == port.game.table.answers[2].value


def test_a_second_throw_that_was_read_is_put_right(browser: Browser, faults: Faults) -> None:
    """A die that the camera missed is tapped and entered; one Yes sends it."""
    with served(pool(new(ROLL, "go"))) as (port, url):
        port.show(proposal=seen())
        port.game.publish_again()
        with phone(browser, faults, url, "away") as page:
            expect(page.locator("#asks h2")).to_have_text("Is this right: 2 is now 6?")
            page.locator("#asks .second .tap").nth(4).tap()
            expect(page.get_by_role("button", name="Yes")).to_have_count(0)
            page.locator("#asks .values .key", has_text="1").tap()
            page.get_by_role("button", name="Yes, 2 is now 6, 5 is now 1").tap()
            page.get_by_text("Nothing to decide right now.").wait_for()
            assert (None, 6, None, None, 1, None) == port.game.table.answers[2].value


def test_what_may_not_be_is_not_sent(browser: Browser, faults: Faults) -> None:
    """A held die was thrown: it is shown, and a tap puts it back."""
    with served(pool(new(ROLL, "go"))) as (port, url):
        port.show(proposal=seen(1, 6, 3, 3, 5, 2, again=[1, 5], sure=False, doubt="held", advice="The 6 must lie."))
        port.game.publish_again()
        with phone(browser, faults, url, "away") as page:
            expect(page.locator("#asks h2")).to_have_text("Which dice did you reroll? Tap them.")
            page.locator("#asks .second .tap").nth(5).tap()
            page.get_by_role("button", name="Yes, 2 is now 6", exact=True).tap()
            page.get_by_text("Nothing to decide right now.").wait_for()
            assert (None, 6, None, None, None, None) == port.game.table.answers[2].value


def test_advice_ends_when_the_dice_are_picked_up(browser: Browser, faults: Faults) -> None:
    """What was tapped until then stays."""
    with served(pool(new(ROLL, "go"))) as (port, url):
        port.show(proposal=seen(sure=False, doubt="cocked", advice="A die leans."))
        port.game.publish_again()
        with phone(browser, faults, url, "away") as page:
            page.locator("#asks .second .tap").nth(4).tap()
            page.locator("#asks .values .key", has_text="1").tap()
            expect(page.get_by_text("A die leans.")).to_have_count(2)  # on the card, and beside the scoreboard
            port.show(proposal=seen(sure=False, doubt="cocked"))
            port.game.publish_again()
            expect(page.get_by_text("A die leans.")).to_have_count(0)
            page.get_by_role("button", name="Yes, 2 is now 6, 5 is now 1").tap()
            page.get_by_text("Nothing to decide right now.").wait_for()
            assert (None, 6, None, None, 1, None) == port.game.table.answers[2].value


def test_twelve_dice_are_told_by_a_tap_each(browser: Browser, faults: Faults) -> None:
    """In any order, all on one narrow screen; a tap on a wrong one removes it."""
    table = new(ROLL, "go", [None, 6, None, None, None, None])
    with served(pool(table)) as (port, url), phone(browser, faults, url, "home") as page:
        page.get_by_role("button", name="Type it instead").tap()
        keys, go = page.locator("#asks .key"), page.locator("#asks .keypad > .button")
        for face in (1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6):
            keys.nth(face - 1).tap()
        expect(go).to_have_text("1 more die to enter")
        page.locator("#asks .counted .tap").nth(1).tap()
        expect(go).to_have_text("2 more dice to enter")
        keys.nth(0).tap()
        keys.nth(0).tap()
        expect(keys.nth(0)).to_be_disabled()
        assert [] == misfits(page, 320, 360) + flaws(page)
        assert box(page.locator("#asks .ask"))["height"] < 740
        go.tap()
        page.locator("#asks .calm").wait_for()
        assert (1, 3, 4, 5, 6, 6, 6, 6, 6, 6, 1, 1) == port.game.table.answers[3].value


def test_typing_is_folded_away_while_the_camera_works(browser: Browser, faults: Faults) -> None:
    """One tap opens it, and it opens by itself without a camera; the question says what the camera does."""
    table = new(ROLL, "go", [None, 6, None, None, None, None])
    with served(pool(table)) as (port, url), phone(browser, faults, url, "home") as page:
        taps, says = page.locator("#asks .keypad"), page.locator("#asks .watching")
        expect(taps).to_be_hidden()
        expect(says).to_have_text("Roll the dice. The camera reads them.")
        port.show(watching=CameraActivity("off", "No camera."))
        port.game.publish_again()
        expect(taps).to_be_visible()
        expect(says).to_have_text("No camera. Take a picture of the dice, or enter what you rolled.")
        port.show(watching=CameraActivity("moving", "The dice are moving."))
        port.game.publish_again()
        expect(taps).to_be_hidden()
        expect(says).to_have_text("The dice are moving.")
        page.get_by_role("button", name="Type it instead").tap()
        expect(taps).to_be_visible()


@pytest.mark.parametrize("count", [3, 4])
def test_rolls_of_many_dice_are_corrected(browser: Browser, faults: Faults, count: int) -> None:
    """The last roll: a reroll, or one of twelve dice."""
    answers = (ROLL, "go", [None, 6, None, None, None, None], [1, 2, 3, 4, 5, 6] * 2)[:count]
    with served(pool(new(*answers))) as (port, url), phone(browser, faults, url, "operator") as page:
        taps = page.locator("#last .tap")
        if count == 3:
            taps.nth(1).tap()
            taps.nth(4).tap()
            page.locator("#last .key", has_text="2").tap()
            page.get_by_role("button", name="Correct it").tap()
            expect(page.locator("#last")).to_contain_text("Corrected to 5 is now 2. It was 2 is now 6.")
            assert (None, None, None, None, 2, None) == port.game.table.answers[2].value
        else:
            expect(taps).to_have_count(12)
            taps.nth(11).tap()
            page.locator("#last .key", has_text="3").tap()
            expect(page.locator("#last")).to_contain_text("Corrected to 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 3")
        assert [] == misfits(page, 320, 360)
