"""The icon and the manifest that a phone takes when a page is added to its home screen."""

from __future__ import annotations

import io
from urllib.parse import urljoin

import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.room import PHONE, TV, Room


def image(page: Page, url: str) -> Image.Image:
    response = page.request.get(url)
    assert "image/png" == response.headers["content-type"]
    return Image.open(io.BytesIO(response.body()))


@pytest.mark.parametrize(("path", "size"), [("/", PHONE), ("/seat", PHONE), ("/table", PHONE), ("/tv", TV)])
def test_a_page_on_the_home_screen(room: Room, path: str, size: tuple[int, int]) -> None:
    """The browser accepts the manifest, the icon opens that very page, and each icon has the size that is named."""
    page = room.phone(path, size=size)
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest", {})
    assert [] == found["errors"]
    manifest = found["manifest"]
    assert [page.url, urljoin(page.url, "/")] == [manifest["startUrl"], manifest["scope"]]
    assert "kMinimalUi" == manifest["display"]
    for icon in manifest["icons"]:
        drawn = image(page, icon["url"])
        assert icon["sizes"] == f"{drawn.width}x{drawn.height}"
    purposes = [icon.get("purpose", "any") for icon in page.request.get(found["url"]).json()["icons"]]
    assert ["any", "any", "maskable"] == purposes
    apple = image(page, page.locator("link[rel=apple-touch-icon]").evaluate("(link) => link.href"))
    assert ((180, 180), "RGB") == (apple.size, apple.mode)  # an iPhone shows a transparent ground in black
