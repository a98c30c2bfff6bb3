"""A phone that slept, a network that went, a table whose plug was pulled: the page comes back by itself."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import Room, played

GONE = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION",
    "ERR_INCOMPLETE",
    "ERR_EMPTY_RESPONSE",
    "ERR_NETWORK",
    "ERR_CONTENT_LENGTH_MISMATCH",
)


@pytest.fixture
def begun(rooms: Rooms) -> Room:
    """A table some plays into the game, which can be stopped and killed."""
    return rooms(tables=[played("small-ball", lambda table: len(table.journal) > 20)], process=True)


def last(room: Room) -> str:
    return str(room.program.view()["table"]["last"])


def same(page: Page) -> None:
    """Mark the page, so that a reload would be noticed."""
    page.evaluate("document.body.dataset.same = 'yes'")


def test_a_phone_that_slept_catches_up(begun: Room) -> None:
    """Frozen, it misses some plays; awake, it shows the newest at once, without a reload."""
    page = begun.phone()
    same(page)
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    for _ in range(5):
        begun.answer()
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator("#dice .last")).to_have_text(last(begun))
    expect(page.locator("#badge")).to_have_text("Live")
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


def test_the_badge_tells_the_truth(begun: Room, faults: Faults) -> None:
    """Without a network it shows for how long; with one again it catches up."""
    faults.meant(*GONE)
    context = begun.context()
    context.clock.install()
    page = context.new_page()
    page.goto("/")
    badge = page.locator("#badge")
    context.clock.run_for(1000)
    expect(badge).to_have_text("Live")
    same(page)
    begun.kill()
    context.clock.run_for(2000)
    expect(badge).to_have_text("Reconnecting")
    context.clock.fast_forward(40_000)
    expect(badge).to_have_text(re.compile(r"^Last heard (4[2-9] s|[5-9]\d s|\d min) ago$"))
    begun.start()
    begun.answer()
    context.clock.resume()
    expect(page.locator("#dice .last")).to_have_text(last(begun))
    expect(badge).to_have_text("Live")
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


def test_a_table_that_hangs_is_not_live(begun: Room) -> None:
    """The connection is open but silent: the badge says so after two and a half heartbeats."""
    context = begun.context()
    context.clock.install()
    page = context.new_page()
    page.goto("/")
    badge = page.locator("#badge")
    context.clock.run_for(1000)
    expect(badge).to_have_text("Live")
    begun.program.process.send_signal(signal.SIGSTOP)
    context.clock.fast_forward(13_000)
    expect(badge).to_have_text(re.compile(r"^Last heard 1\d s ago$"))
    begun.program.process.send_signal(signal.SIGCONT)
    begun.answer()
    context.clock.resume()
    expect(page.locator("#dice .last")).to_have_text(last(begun))
    expect(badge).to_have_text("Live")


def test_a_tap_that_nobody_answers(rooms: Rooms) -> None:
    """The player learns that it may count all the same; the badge no longer says Live."""
    room = rooms(process=True)
    context = room.context("away")
    context.add_init_script(
        "const real = AbortSignal.timeout; AbortSignal.timeout = (ms) => real.call(AbortSignal, ms / 4)"
    )
    page = context.new_page()
    page.goto("/seat")
    expect(page.locator("#badge")).to_have_text("Live")
    bat = page.locator("#asks .choice").first
    expect(bat).to_be_enabled()
    room.program.process.send_signal(signal.SIGSTOP)
    bat.click()
    expect(page.locator(".toast")).to_have_text(re.compile("isn't responding. It may have gone through"))
    expect(page.locator("#badge")).not_to_have_text("Live")
    expect(bat).to_be_enabled()
    room.program.process.send_signal(signal.SIGCONT)
    expect(page.locator("#badge")).to_have_text("Live")


def test_offline_and_online(begun: Room, faults: Faults) -> None:
    """After a change of networks it has the newest play at once."""
    faults.meant(*GONE)
    page = begun.phone()
    same(page)
    page.context.set_offline(True)
    expect(page.locator("#badge")).to_have_text("Reconnecting")
    begun.answer()
    page.context.set_offline(False)
    expect(page.locator("#dice .last")).to_have_text(last(begun))
    expect(page.locator("#badge")).to_have_text("Live")
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


def test_a_pulled_plug(rooms: Rooms, faults: Faults) -> None:
    """Killed and restarted in mid-game: same score, the seat is still held, and its phone can answer."""
    faults.meant(*GONE)
    room = rooms(process=True)
    room.answer("red")
    player, guest = room.phone("/seat", "away"), room.phone()
    for page in (player, guest):
        same(page)
    score = guest.locator("#score").inner_text()
    room.kill()
    for page in (player, guest):
        expect(page.locator("#badge")).not_to_have_text("Live")
    room.start()
    for page in (player, guest):
        expect(page.locator("#badge")).to_have_text("Live")
    assert score == guest.locator("#score").inner_text()
    player.get_by_role("button", name="Bat", exact=True).click()
    room.until(lambda view: view["table"]["version"] == 2)
    player.locator("#asks .key").nth(1).click()
    view = room.until(lambda view: view["table"]["version"] == 3)
    expect(guest.locator("#dice .last")).to_have_text(view["table"]["last"])
    for page in (player, guest):
        expect(page.locator("body")).to_have_attribute("data-same", "yes")
