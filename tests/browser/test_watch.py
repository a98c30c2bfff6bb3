"""A guest finds the table, and watches."""

from __future__ import annotations

import io
import itertools
import re
import time

import cv2
import numpy as np
from PIL import Image, ImageOps
from PIL.Image import Resampling
from playwright.sync_api import Page, expect

from engine.table import Table
from tests.browser.chromium import PATIENCE
from tests.browser.conftest import Rooms
from tests.browser.room import TV, Room, played, until


def scanned(room: Room) -> str:
    """The address in the QR code on the display, from a sharp or soft picture: some codes are found in only one of
    them."""
    last, sights = time.monotonic() + PATIENCE / 1000, itertools.cycle((Resampling.NEAREST, Resampling.BICUBIC))
    while time.monotonic() < last:
        glass = Image.open(io.BytesIO(room.program.client.get("/display.png").content)).convert("L")
        large = ImageOps.expand(glass.resize((glass.width * 8, glass.height * 8), next(sights)), 64)
        for picture in (large, ImageOps.invert(large)):
            words, *_ = cv2.QRCodeDetector().detectAndDecode(np.asarray(picture))
            if words:
                return str(words)
    raise AssertionError("no QR code on the display")


def shows(page: Page, room: Room) -> None:
    """The page shows what the table knows: score, inning, outs, bases, ask, last play, line score."""
    table = room.program.view()["table"]
    board = table["scoreboard"]
    for seat in ("away", "home"):
        side = board["sides"][seat]
        expect(page.locator("#score .side", has_text=side["name"]).locator(".total")).to_have_text(str(side["runs"]))
        row = page.locator(".linescore tbody tr", has_text=side["name"]).locator(".sum:not(.hits)")
        expect(row).to_have_text(str(side["runs"]))
    expect(page.locator("#lamps .arrow")).to_have_class(f"arrow {board['half']}")
    expect(page.locator("#lamps .inning")).to_contain_text(re.compile(rf"\b{board['inning']}(st|nd|rd|th)"))
    expect(page.locator("#lamps .outs").last).to_contain_text(f"{board['outs']} out")
    expect(page.locator("#lamps .outs").last.locator(".lamp.on")).to_have_count(board["outs"])
    expect(page.locator("#diamond .base.on")).to_have_count(sum(map(bool, board["bases"])))
    expect(page.locator("#now .awaited").first).to_contain_text("Waiting for")
    ask = table["asks"][0]  # an at-bat has its results and odds on the batter's card
    says = f"Roll for {board['batter']}." if ask["why"] == "at-bat" else ask["sentence"]
    expect(page.locator("#now")).to_contain_text(says)
    expect(page.locator("#dice .last")).to_have_text(table["last"])
    expect(page.locator("#said")).to_have_text(table["last"])


def test_who_scans_after_ok_sits_down(rooms: Rooms) -> None:
    """The invitation leaves the address bar, and one tap takes the seat; the display has the next one."""
    room = rooms("--seed", "3", command="demo")
    for action in ("press", "release"):
        room.program.post("press", button="home-ok", action=action).raise_for_status()
    last = time.monotonic() + PATIENCE / 1000
    while "/in#" not in (address := scanned(room)):
        assert time.monotonic() < last
    phone = room.phone(address)
    assert phone.url.endswith("/in")
    expect(phone.locator("#invitation")).to_be_hidden()
    phone.get_by_role("button", name="Take a seat: Owls, home").tap()
    expect(phone.locator("body[data-seat=home]")).to_be_attached()
    while address == scanned(room):
        assert time.monotonic() < last


def test_who_scans_the_display_watches(rooms: Rooms) -> None:
    """The address in the QR code is a page that follows the game, with the dice and their picture."""
    room = rooms("--seed", "3", command="demo")
    address = scanned(room)
    phone, tv = room.phone(address), room.phone(address, size=TV)
    room.answer("red")
    room.answer("bat")
    room.until(lambda view: view["watching"]["state"] in ("empty", "settled"))
    room.program.post("simulate", what="throw").raise_for_status()
    view = room.until(lambda view: view["table"]["version"] == 3)
    (face,) = view["table"]["scoreboard"]["dice"]
    for page in (phone, tv):
        shows(page, room)
        expect(page.locator("#dice .tray .die")).to_have_attribute("aria-label", str(face))
        proof = page.locator("#dice .proof img")
        expect(proof).to_be_visible()
        until(page, lambda proof=proof: proof.evaluate("(one) => one.naturalWidth > 20"))  # type: ignore[misc]
        expect(page.locator("#badge")).to_have_text("Live")


def test_each_play_is_told_at_once(begun: Room) -> None:
    """Play after play, without a reload, on a phone and a television."""
    pages = [begun.phone(), begun.phone(size=TV)]
    for page in pages:
        page.evaluate("document.body.dataset.same = 'yes'")
    for _ in range(4):
        begun.answer()
        for page in pages:
            shows(page, begun)
    for page in pages:
        expect(page.locator("body")).to_have_attribute("data-same", "yes")


def test_the_end_is_told(rooms: Rooms) -> None:
    """A late spectator sees how it ended, and the box score."""
    over = played("small-ball")
    page = rooms(tables=[over]).phone()
    expect(page.locator("#lamps")).to_contain_text("Final")
    expect(page.locator("#now .final")).to_have_text(over.outcome.sentence)
    expect(page.locator("#box table.batting")).to_have_count(2)


def scored(table: Table) -> bool:
    """Some runs are in."""
    return len(table.journal) > 120 and sum(side.runs for side in table.scoreboard().sides.values()) > 1


def test_only_scoring_plays(rooms: Rooms) -> None:
    """Checked, only plays with runs; unchecked, all again."""
    room = rooms(tables=[played("small-ball", scored)])
    scoring = {play["n"] for play in room.program.client.get("/api/plays").json() if play["scored"]}
    assert scoring
    page = room.phone("/plays")
    lines = page.locator(".told li:visible")
    everything = lines.count()
    page.get_by_label("Scoring plays only").check()
    expect(lines).to_have_count(len(scoring))
    expect(page.locator(".told li.scoring:visible")).to_have_count(len(scoring))
    page.get_by_label("Scoring plays only").uncheck()
    expect(lines).to_have_count(everything)
    page = room.phone()
    page.get_by_label("Scoring plays only").check()
    expect(page.locator(".told li.scoring:visible")).to_have_count(len(scoring))
    expect(page.locator(".told li:visible")).to_have_count(len(scoring))


def test_a_game_is_seen_again(rooms: Rooms) -> None:
    """The list, one game, and its replay: by steps, with the slider, and at four times the speed."""
    over = played("small-ball")
    room = rooms(tables=[over])
    page = room.phone("/games")
    page.locator("tbody th a").first.click()
    moment, on, back = page.locator("#moment"), page.locator("#on"), page.locator("#back")
    back.click()
    expect(moment).to_contain_text(re.compile(r"^(\d+) of (\d+)"))
    on.click()
    expect(moment).to_contain_text("Final")
    expect(on).to_be_disabled()
    totals = [str(over.scoreboard().sides[seat].runs) for seat in ("away", "home")]
    expect(page.locator("#score .total")).to_have_text(totals)
    page.locator("#step").focus()
    page.keyboard.press("Home")
    expect(moment).to_contain_text(re.compile(r"^1 of "))
    expect(page.locator("#score .total")).to_have_text(["0", "0"])
    page.locator(".speeds label", has_text="4×").click()
    page.get_by_role("button", name="Resume the replay").click()
    expect(moment).to_contain_text(re.compile(r"^[4-9] of "))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume the replay")).to_be_visible()
