"""The picture of a result: shared where the browser can, else saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Rooms
from tests.browser.room import played, until

SHEET = """navigator.canShare = ({ files }) => files.every(({ type }) => type === "image/png");
navigator.share = async ({ files }) => {
  window.shared = files.map(({ name, size }) => [name, size > 1000]);
  if (window.refused) throw new DOMException("no", window.refused);
};"""
"""A browser with a sheet for sharing, which `refused` names the error of."""


@pytest.fixture(params=["/games/1", "/"])
def path(request: pytest.FixtureRequest) -> str:
    """The pages with that button."""
    return str(request.param)


def opened(rooms: Rooms, path: str, script: str = "") -> Page:
    room = rooms(tables=[played("small-ball")])
    context = room.context()
    context.add_init_script(script)
    page = context.new_page()
    page.goto(path)
    return page


def test_a_browser_that_cannot_share_saves(rooms: Rooms, path: str, tmp_path: Path) -> None:
    """As over plain http: the button says so, and a tap saves the upright picture."""
    page = opened(rooms, path, "delete Navigator.prototype.canShare; delete Navigator.prototype.share;")
    page.evaluate("import('/static/js/share.js').then(() => null)")  # until it runs, the link saves the wide picture
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture", exact=True).tap()
    assert "dugout-1-tall.png" == saved.value.suggested_filename
    saved.value.save_as(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    expect(page.get_by_role("alert").last).to_contain_text("downloads")


def test_a_browser_that_can_share(rooms: Rooms, path: str) -> None:
    """The sheet gets the picture. Closed, it says nothing; refused, the picture is saved."""
    page = opened(rooms, path, SHEET)
    button = page.get_by_role("link", name="Share the result", exact=True)
    button.tap()
    until(page, lambda: page.evaluate("window.shared"))
    assert [["dugout-1.png", True]] == page.evaluate("window.shared")
    page.evaluate("window.shared = null; window.refused = 'AbortError'")
    button.tap()
    until(page, lambda: page.evaluate("window.shared"))
    expect(page.locator(".toast")).to_have_count(0)
    page.evaluate("window.refused = 'NotAllowedError'")
    with page.expect_download():
        button.tap()
    expect(page.locator(".toast")).to_contain_text("downloads instead")
