"""Browsers that lack what newer ones have: the pages add it, or say what they can't do and reload themselves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.room import Room, Who

LACKS = """
delete Element.prototype.replaceChildren;
delete Element.prototype.checkVisibility;
delete Element.prototype.getAnimations;
delete Object.fromEntries;
delete HTMLDialogElement.prototype.showModal;
delete HTMLDialogElement.prototype.close;
delete window.HTMLDialogElement;
"""
"""What Chrome 72 or Safari 14 have not yet."""

TOO_OLD = "delete Intl.RelativeTimeFormat; delete window.EventSource;"

FOLLOWING: list[tuple[str, Who]] = [
    ("/", "spectator"),
    ("/tv", "spectator"),
    ("/overlay", "spectator"),
    ("/seat", "home"),
    ("/table", "operator"),
]
"""The pages that follow the game."""


def test_the_oldest_supported_browser_answers(begun: Room) -> None:
    """A seat's tap counts, and its settings are sent with the button that was pressed."""
    seat = begun.asks()[0]["seat"]
    context = begun.context(seat)
    context.add_init_script(LACKS)
    page = context.new_page()
    page.goto("/seat")
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    version = begun.program.view()["table"]["version"]
    page.locator("#asks").locator(".choice, .key").first.tap()
    begun.until(lambda view: view["table"]["version"] > version)
    page.get_by_text("Computer and coach").tap()
    page.get_by_role("button", name="Allow the coach").tap()
    begun.until(lambda view: seat in view["coaching"])


def test_the_oldest_supported_browser_edits_a_deck(begun: Room) -> None:
    """A dialog opens without the browser's own, and Escape closes it."""
    copy = begun.program.post("decks", game="small-ball", title="Page", copy="house").json()
    context = begun.context("operator")
    context.add_init_script(LACKS)
    page = context.new_page()
    page.goto(f"/decks/{copy['game']}/{copy['name']}")
    page.get_by_role("button", name="Edit Lanterns").click()
    expect(page.locator("#editor")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#editor")).to_be_hidden()


@pytest.mark.parametrize(("path", "who"), FOLLOWING)
def test_a_browser_that_is_too_old(begun: Room, path: str, who: Who) -> None:
    """It says so, but not over a broadcast; the page reloads after 15 seconds and then shows the newer game."""
    begun.faults.meant("script: .*EventSource")
    context = begun.context(who)
    context.add_init_script(TOO_OLD)
    context.clock.install()
    page = context.new_page()
    page.goto(path)
    note = page.locator(".too-old")
    if path == "/overlay":
        page.wait_for_load_state()
        expect(note).to_have_count(0)
    else:
        expect(note).to_have_text(re.compile("too old to answer or to update live.*every 15 seconds.*Chrome 72"))
    with page.expect_navigation():
        context.clock.fast_forward(20_000)


def test_a_page_that_lost_its_script(begun: Room) -> None:
    """The network failed, not the browser: it says that, and tries again."""
    begun.faults.meant("lost: .*live.js")
    context = begun.context()
    context.clock.install()
    context.route("**/live.js", lambda route: route.abort())
    page = context.new_page()
    page.goto("/")
    context.clock.fast_forward(5_000)
    expect(page.locator(".too-old")).to_have_text(re.compile("didn’t load completely.*every 15 seconds"))
    context.unroute("**/live.js")
    with page.expect_navigation():
        context.clock.fast_forward(15_000)
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")


@pytest.mark.parametrize(("path", "who"), FOLLOWING)
def test_without_scripts(begun: Room, path: str, who: Who) -> None:
    """The page reloads itself, as it is."""
    page = begun.phone(path, who, live=False, java_script_enabled=False)
    expect(page.locator("noscript meta[http-equiv=refresh], meta[http-equiv=refresh]")).to_have_attribute(
        "content", "10"
    )
