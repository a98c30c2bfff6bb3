"""A picture of the dice, sent from a seat's and the operator's page."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from device.inputs import photographs
from device.inputs.photographs import decode_photograph
from engine.asks import Roll
from engine.table import Table
from tests.browser.appearance import flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, played
from tests.device.inputs.drawn_photographs import container, drawn_dice, file_bytes, photograph


def _asks_for_dice(table: Table) -> bool:
    return isinstance(table.open_asks()[0][1], Roll)


@pytest.fixture
def room(rooms: Rooms) -> Room:
    """A table without a camera, where away rolls a die."""
    return rooms(tables=[played("small-ball", _asks_for_dice)])


def send(page: Page, data: bytes, name: str = "dice.jpg", mime: str = "image/jpeg") -> None:
    """Choose a file on the page."""
    page.locator("#asks input[capture]").set_input_files({"name": name, "mimeType": mime, "buffer": data})


def roller(room: Room) -> Who:
    """The seat whose dice are asked for."""
    (ask,) = room.asks()
    assert ask["kind"] == "roll"
    seat: Who = ask["seat"]
    return seat


def counted(room: Room) -> list[Any]:
    """The faces of the last roll that counted."""
    rolls = room.program.client.get("/api/rolls", params={"limit": 1}).json()
    faces: list[Any] = rolls[0]["value"]
    return faces


@pytest.mark.parametrize("who", ["seat", "operator"])
def test_a_picture_becomes_a_roll(room: Room, who: str) -> None:
    """It is shown with its picture, and counts with one tap."""
    page = room.phone("/table" if who == "operator" else "/seat", "operator" if who == "operator" else roller(room))
    send(page, photograph(3))
    page.get_by_role("heading", name="Did you roll 3?").wait_for()
    expect(page.locator("#asks")).to_contain_text("read from the picture")
    seen = page.locator("#asks .proof img")
    assert seen.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 60
    assert [] == misfits(page, 320, 390) + flaws(page)
    page.get_by_role("button", name="Yes, 3").tap()
    page.get_by_role("heading", name="Did you roll 3?").wait_for(state="detached")
    assert [3] == counted(room)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("IMG_1.HEIC", container(b"heic"), "iPhone: choose Settings > Camera > Formats > Most Compatible"),
        ("IMG_2.MOV", container(b"qt  "), "This is a video."),
        ("empty.jpg", b"", "The picture is empty"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_in_words(room: Room, name: str, data: bytes, words: str) -> None:
    """They stay until another one is sent, and the roll can be typed."""
    room.faults.meant("/api/photograph.*422")
    page = room.phone("/seat", roller(room))
    send(page, data, name, "application/octet-stream")
    expect(page.locator("#asks .photo-words")).to_contain_text(words)
    assert [] == misfits(page, 320, 390) + flaws(page)
    send(page, photograph(5))
    page.get_by_role("heading", name="Did you roll 5?").wait_for()


def test_a_die_too_many_is_asked_about(room: Room) -> None:
    """The values that were seen come first; another picture replaces this one."""
    page = room.phone("/seat", roller(room))
    send(page, photograph(2, 5))
    expect(page.locator("#asks")).to_contain_text("I see 2 dice but expected 1.")
    expect(page.locator("#asks .values .key").first).to_have_text("2")
    send(page, photograph(6))
    page.get_by_role("heading", name="Did you roll 6?").wait_for()
    page.locator("#asks .tap").tap()
    page.locator("#asks .values .key", has_text="4").tap()
    page.get_by_role("heading", name="Did you roll 6?").wait_for(state="detached")
    assert [4] == counted(room)


@pytest.fixture
def arrived(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The pictures that arrived at the table, which runs in this process."""
    found = list[bytes]()

    def decode(data: bytes) -> Any:
        found.append(data)
        return decode_photograph(data)

    monkeypatch.setattr(photographs, "decode_photograph", decode)
    return found


def test_a_large_picture_is_reduced_on_the_phone(room: Room, arrived: list[bytes]) -> None:
    """It arrives upright, whatever way the phone was held."""
    page = room.phone("/seat", roller(room))
    send(page, file_bytes(drawn_dice(4).resize((4000, 3000)), orientation=6))
    page.get_by_role("heading", name="Did you roll 4?").wait_for()
    with Image.open(io.BytesIO(arrived[0])) as sent:
        assert ("JPEG", (1440, 1920)) == (sent.format, sent.size)


def test_an_older_browser_sends_the_file_as_it_is(room: Room, arrived: list[bytes]) -> None:
    context = room.context(roller(room))
    context.add_init_script("delete window.createImageBitmap")
    page = context.new_page()
    page.goto("/seat")
    send(page, photograph(1))
    page.get_by_role("heading", name="Did you roll 1?").wait_for()
    assert [photograph(1)] == arrived


def test_a_table_with_a_camera_takes_pictures_too(rooms: Rooms) -> None:
    """Its empty tray does not clear what a picture of other dice shows."""
    room = rooms("--seed", "3", command="demo", tables=[played("small-ball", _asks_for_dice)])
    page = room.phone("/seat", roller(room))
    page.get_by_role("button", name="Type it instead").tap()
    send(page, photograph(2, 5))
    expect(page.locator("#asks")).to_contain_text("I see 2 dice but expected 1.")
    room.until(lambda view: view["watching"]["state"] == "empty")
    send(page, photograph(6))
    page.get_by_role("button", name="Yes, 6").tap()
    page.get_by_role("heading", name="Did you roll 6?").wait_for(state="detached")
    assert [6] == counted(room)
