"""What everybody sees: nothing that axe would call a breach, and nothing that does not fit."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.appearance import breaches, flaws, misfits, tall
from tests.browser.evenings.evening import Moment
from tests.browser.room import Room, Who

WIDTHS = (320, 390, 768, 1920)
"""A small phone to a television, in CSS pixels."""

USUAL, LARGE = 16, 32
"""The size of letters, in CSS pixels."""

SHOWN: list[tuple[str, Who]] = [
    ("/", "spectator"),
    ("/plays", "spectator"),
    ("/overlay?theme=light", "spectator"),
    ("/seat", "away"),
    ("/seat", "home"),
    ("/table", "operator"),
]
"""The pages that look different from game to game."""

TABS: list[tuple[str, Who]] = [(f"/table#tab={tab}", "operator") for tab in ("camera", "games", "help")]
"""The other parts of the operator's page."""


class Sights:
    """Looks at a page at each kind of moment: each question by axe once of its kind, and each once for what fits."""

    def __init__(self, *pages: Page) -> None:
        self.pages = pages
        self._found: list[str] = []
        self._seen: set[str] = set()

    def look(self, moment: Moment) -> None:
        new = {word for ask in moment.asks for word in (ask["kind"], ask["why"])} - self._seen
        self._seen |= new
        for page in self.pages if new else ():
            self._found += misfits(page, WIDTHS[0])
            if new & {ask["kind"] for ask in moment.asks}:
                self._found += breaches(page, within="#asks")

    def complaints(self) -> list[str]:
        return self._found


def unfold(page: Page) -> None:
    """Open everything that can be opened, nested parts too."""
    closed = page.locator("details:not([open]) > summary:visible")
    while closed.count():
        closed.first.click()
    for waited in page.locator("#choices:visible, #rolls:visible").all():
        expect(waited).not_to_be_empty()


def letters(page: Page, size: int) -> None:
    """Set the usual size of letters on this phone."""
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": round(size * 13 / 16)}})
    session.detach()


def looks(room: Room, shown: list[tuple[str, Who]], dark: bool = True, letter: bool = False) -> list[str]:
    """Return what is wrong with these pages, with all parts open.

    With `dark` the colors of the night too; with `letter` whether letters of twice the size fit, and a tall typeface.
    """
    found = []
    seats = room.program.view()["table"]["scoreboard"]["plays"]
    for path, who in shown:
        if path == "/seat" and who not in seats:
            continue
        # A play that arrives meanwhile must not fade in: its letters are pale until it has.
        page = room.phone(path, who, bypass_csp=letter, reduced_motion="reduce")
        unfold(page)
        found += flaws(page) if dark else breaches(page)
        found += misfits(page, *WIDTHS)
        if letter:
            letters(page, LARGE)
            assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{LARGE}px"
            found += [f"large letters: {one}" for one in misfits(page, *WIDTHS[1:])]
            letters(page, USUAL)
            tall(page)
            found += [f"tall letters: {one}" for one in misfits(page, *WIDTHS)]
        page.context.close()
    return found
