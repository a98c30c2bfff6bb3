"""The ring round what has the focus."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Rooms
from tests.browser.room import Room, played, until


def ring(page: Page, selector: str = ":focus") -> str:
    """The line round an element, in a browser that takes it for chosen by a key if it has the focus.

    Safari gives a tapped button no focus, and therefore takes whatever a script focuses next for chosen by a key.
    """
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    if page.locator(selector).evaluate("(one) => one === document.activeElement"):
        session.send("CSS.forcePseudoState", {"nodeId": node, "forcedPseudoClasses": ["focus", "focus-visible"]})
    style: str = page.locator(selector).evaluate("(one) => getComputedStyle(one).outlineStyle")
    session.detach()
    return style


def test_no_ring_after_a_tap(begun: Room) -> None:
    """The heading of the next question has the focus after an answer, and a ring only if a key gave it."""
    page = begun.phone("/table", "operator")
    answer = page.locator("#asks").locator(".choice, .key").first
    version = begun.program.view()["table"]["version"]
    answer.tap()
    begun.until(lambda view: view["table"]["version"] > version)
    expect(page.locator("#asks h2:focus")).to_be_visible()
    assert "none" == ring(page)
    answer.focus()
    page.keyboard.press("Enter")
    begun.until(lambda view: view["table"]["version"] > version + 1)
    expect(page.locator("#asks h2:focus")).to_be_visible()
    assert "solid" == ring(page)


def test_no_ring_round_a_button_that_a_script_focuses(rooms: Rooms) -> None:
    """Nor round what opens below a tapped button, or round the speed of a replay; keys see both."""
    page = rooms(tables=[played("small-ball")]).phone("/table", "operator")
    page.locator("#back summary").tap()
    page.locator("#answers .roll").last.tap()
    until(page, lambda: page.locator("#answers button:focus").count())
    assert "none" == ring(page)
    page.goto("/games/1")
    page.locator(".speeds label").nth(2).tap()
    assert "none" == ring(page, ".speeds input:checked + span")
    page.keyboard.press("ArrowLeft")
    assert "solid" == ring(page, ".speeds input:checked + span")


def test_a_field_shows_where_letters_go(begun: Room) -> None:
    """A tapped field has its ring."""
    page = begun.phone("/table")
    page.get_by_label("Code").tap()
    expect(page.get_by_label("Code")).to_be_focused()
    assert "solid" == ring(page)
