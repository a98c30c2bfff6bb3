"""A guest watches."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.look import breaches
from tests.browser.room import PHONE, TV, Room


@pytest.mark.parametrize("size", [PHONE, TV], ids=["phone", "tv"])
def test_a_guest_watches(room: Room, size: tuple[int, int]) -> None:
    """The page follows the game as it is played, without a reload."""
    guest = room.phone(size=size)
    expect(guest.locator("#asks, #now")).to_contain_text("Waiting for")
    room.answer("blue")
    expect(guest.locator("#score")).to_contain_text("Lanterns")
    assert breaches(guest) == []
