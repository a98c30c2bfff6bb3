"""What the display of a table shows, in turn: the picture of its menu, and where nobody has buttons, what they need."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PIL.Image import Image

from device.display.menu import Menu
from device.display.oled import Oled
from device.table.publication import Publication
from engine.views import View

if TYPE_CHECKING:
    from device.service.join_screen import JoinScreen

TURN = 8.0
"""How long each page of safe mode, and each invitation, stays on a display without buttons, in seconds."""

COUNTS = 0.05
"""Seconds between two pictures while a roll counts down."""


class TableDisplay:
    """Draws the pictures of `menu` on `oled` when they change, and what takes turns with them.

    `reasons` are the pages that say why the table is in safe mode, where nobody turns pages; they are shown in place of
    the menu, with how to join. On a display without buttons an invitation takes turns with it while `guessed` says that
    somebody is guessing the code, and beside the code where no QR code has room. `clock` counts seconds and never goes
    back.
    """

    name = "display"

    def __init__(
        self,
        game: Publication,
        menu: Menu,
        oled: Oled,
        joining: JoinScreen,
        guessed: Callable[[], str | None],
        reasons: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._game, self._menu, self._oled, self._joining = game, menu, oled, joining
        self._guessed, self._reasons, self._clock = guessed, reasons, clock
        self._born = clock()
        self._page: int | str | None = None
        """What is shown in place of the menu's picture: the page of safe mode with this number, the "scan" screen, or
        None.
        """

    @property
    def missing(self) -> str | None:
        """Why nothing can be shown, as a sentence, or None."""
        return self._oled.missing

    def look(self, view: View, new: bool) -> float:
        """Draw what is new or has its turn. Return after how many seconds to look again, infinity if not before
        something changes.
        """
        before, self._page = self._page, self._instead(view)
        counts = self._game.views().due is not None
        if new or counts:
            self._oled.show(self._picture(), news=not self._reasons)
            if self._reasons and new:
                self._oled.touch()
        elif (self._page != before or not self._left) and (self._reasons or not self._oled.asleep):
            # A page that follows neither wakes the display nor keeps it awake.
            self._oled.show(self._picture(), news=False)
        if view.warnings and self._oled.asleep:
            self._oled.touch()
        if counts:
            return COUNTS
        if self._oled.asleep and not self._reasons:
            return math.inf
        turns = self._reasons or self._joining.alone
        return min(self._left, TURN - self._age % TURN if turns else math.inf)

    @property
    def _age(self) -> float:
        return self._clock() - self._born

    @property
    def _left(self) -> float:
        """Seconds until this page changes by itself, 0 if it would be another now."""
        if isinstance(self._page, int):
            return math.inf
        return min(self._menu.left, self._joining.left(scan=True) if self._page == "scan" else math.inf)

    def _instead(self, view: View) -> int | str | None:
        """Return what has its turn, as `_page`."""
        turn = int(self._age // TURN)
        if self._menu.screen == "bye":
            return None
        if self._joining.alone and turn % 2 == 1 and not view.proposal and not view.race:
            code_only = self._menu.screen == "welcome" and self._oled.draw.SIZE[1] < 64
            if code_only or self._guessed() is not None:
                return "scan"
        if not self._reasons or view.warnings:
            return None
        return turn % (len(self._reasons) + 1)

    def _picture(self) -> Image:
        draw, page = self._oled.draw, self._page
        if not isinstance(page, int):
            return self._menu.picture(page or "")
        if page < len(self._reasons):
            return draw.message("Safe mode", self._reasons[page])
        return draw.join(*self._joining.join())
