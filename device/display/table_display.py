"""Picture selection of a table's display: its menu, and rotating pages for a table without buttons."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PIL.Image import Image

from device.display.menu import Menu
from device.display.oled import Oled
from device.table.publication import ViewPublisher
from engine.views import AudienceView

if TYPE_CHECKING:
    from device.service.join_screen import JoinScreen

UNATTENDED_PAGE_TIME_S = 8.0  # seconds that each safe-mode page and each invitation stays on a display without buttons
COUNTDOWN_INTERVAL_S = 0.05  # seconds between two pictures while a roll counts down


class TableDisplay:
    """Draws the pictures of `menu` on `oled` when they change, and pages that rotate with them.

    reasons: safe-mode pages. They replace the menu and rotate with the join screen, because nobody turns pages.
    guessed: not None while somebody is guessing the code. Then a display without buttons also shows an invitation.
        It does so in any case without space for a QR code.
    clock: monotonic seconds.
    """

    name = "display"

    def __init__(
        self,
        game: ViewPublisher,
        menu: Menu,
        oled: Oled,
        joining: JoinScreen,
        guessed: Callable[[], str | None],
        reasons: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._game, self._menu, self._oled, self._joining = game, menu, oled, joining
        self._guessed, self._reasons, self._clock = guessed, reasons, clock
        self._started_at = clock()
        self._page: int | str | None = None
        """Replacement of the menu's picture: index of a safe-mode page, the "scan" screen, or None."""

    @property
    def fault(self) -> str | None:
        """Sentence about why nothing can be shown. None if all is well."""
        return self._oled.missing

    def update(self, view: AudienceView, new: bool) -> float:
        """Draw a new view or the next page. Return the seconds until the next update, infinity for the next view."""
        before, self._page = self._page, self._replacement_page(view)
        counts = self._game.current_views().due is not None
        if new or counts:
            self._oled.show_picture(self._current_picture(), news=not self._reasons)
            if self._reasons and new:
                self._oled.wake_up()
        elif (self._page != before or not self._seconds_left) and (self._reasons or not self._oled.is_asleep):
            # A page in rotation neither wakes the display nor keeps it awake.
            self._oled.show_picture(self._current_picture(), news=False)
        if view.warnings and self._oled.is_asleep:
            self._oled.wake_up()
        if counts:
            return COUNTDOWN_INTERVAL_S
        if self._oled.is_asleep and not self._reasons:
            return math.inf
        turns = self._reasons or self._joining.has_no_buttons
        return min(
            self._seconds_left, UNATTENDED_PAGE_TIME_S - self._uptime_s % UNATTENDED_PAGE_TIME_S if turns else math.inf
        )

    @property
    def _uptime_s(self) -> float:
        return self._clock() - self._started_at

    @property
    def _seconds_left(self) -> float:
        """Seconds until this page changes by itself, 0 if it would now."""
        if isinstance(self._page, int):
            return math.inf
        return min(self._menu.seconds_left, self._joining.seconds_left(scan=True) if self._page == "scan" else math.inf)

    def _replacement_page(self, view: AudienceView) -> int | str | None:
        """Current value for `_page`."""
        turn = int(self._uptime_s // UNATTENDED_PAGE_TIME_S)
        if self._menu.current_screen == "bye":
            return None
        if self._joining.has_no_buttons and turn % 2 == 1 and not view.proposal and not view.race:
            code_only = self._menu.current_screen == "welcome" and self._oled.draw.SIZE_PX[1] < 64
            if code_only or self._guessed() is not None:
                return "scan"
        if not self._reasons or view.warnings:
            return None
        return turn % (len(self._reasons) + 1)

    def _current_picture(self) -> Image:
        draw, page = self._oled.draw, self._page
        if not isinstance(page, int):
            return self._menu.current_picture(page or "")
        if page < len(self._reasons):
            return draw.draw_message("Safe mode", self._reasons[page])
        return draw.draw_join_screen(*self._joining.code_info())
