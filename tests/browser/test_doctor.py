"""The doctor's page on a phone: linked from the table, with a file to download."""

from __future__ import annotations

import zipfile

from playwright.sync_api import expect

from tests.browser.appearance import flaws, misfits
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms


def test_the_operator_asks_the_doctor(rooms: Rooms, faults: Faults) -> None:
    faults.meant(r"/(camera|board)\.jpg.*404")
    page = rooms().phone("/table", "operator")
    page.get_by_role("link", name="The doctor").click()
    expect(page.get_by_role("heading", name="The doctor")).to_be_visible()
    expect(page.locator(".findings")).to_contain_text("read back from the running table")
    assert flaws(page) + misfits(page, 320, 390, 1920) == []
    page.get_by_role("link", name="Look again").click()
    expect(page.locator(".findings > li").first).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("link", name="A file to send").click()
    with zipfile.ZipFile(taken.value.path()) as packed:
        assert "doctor.txt" in packed.namelist()
    expect(page.get_by_role("heading", name="The doctor")).to_be_visible()
