"""Pages that take turns on a small display: parts of a long text, and the last result before the question.

`PageRotation` is pure. The same view and times give the same picture. `PageTurner` keeps the times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from PIL import Image

from device.display.lettering import Font, wrapped_lines
from engine.views import AudienceView

T = TypeVar("T")

PAGE_TIME_S = 2.5  # seconds that each page stays
RESULT_PAGE_TIME_S = 2.0  # seconds that each page of the last result stays


@dataclass
class PageRotation:
    """Times that a picture depends on, and the odds that take a turn. Drawing computes how long it stays valid."""

    seconds: float = 0.0  # seconds since the view changed
    told: str = ""  # last result, "" if it was shown long enough
    since: float = 0.0  # seconds since the last result
    warned: float = 0.0  # seconds since the warnings changed
    odds: str = ""  # what the open roll can become, in sentences
    telling: bool = field(default=False, init=False)  # True if this picture shows the last result
    left: float = field(default=math.inf, init=False)
    """Seconds until this picture changes by itself, infinity for never."""

    def current_item(self, items: Sequence[T]) -> T:
        """Item whose turn it is, in an endless cycle. There must be at least one."""
        if len(items) == 1:
            return items[0]
        self._limit_display_time(PAGE_TIME_S - self.seconds % PAGE_TIME_S)
        return items[int(self.seconds // PAGE_TIME_S) % len(items)]

    def text_page(self, words: str, room: int, lines: int, font: Font = "plain") -> list[str]:
        """Current page of a text, at most `lines` lines of `room` pixels."""
        return self.current_item(text_pages(words, room, lines, font))

    def warning_page(self, sentences: Sequence[str], room: int, lines: int) -> list[str]:
        """Current page of the warnings. Their rotation restarts only when they change."""
        pages = [page for one in sentences for page in text_pages(one, room, lines)]
        if len(pages) > 1:
            self._limit_display_time(PAGE_TIME_S - self.warned % PAGE_TIME_S)
        return pages[int(self.warned // PAGE_TIME_S) % len(pages)]

    def result_page(self, room: int, lines: int) -> list[str]:
        """Current page of the last result, [] after every page was shown. Other turns begin after its last page."""
        if not self.told:
            return []
        pages = text_pages(self.told, room, lines)
        over = self.since - RESULT_PAGE_TIME_S * len(pages)
        if over >= 0:
            self.seconds, self.told = min(self.seconds, over), ""
            return []
        self._limit_display_time(RESULT_PAGE_TIME_S - self.since % RESULT_PAGE_TIME_S)
        self.telling = True
        return pages[int(self.since // RESULT_PAGE_TIME_S)]

    def _limit_display_time(self, seconds: float) -> None:
        self.left = min(self.left, seconds)


def text_pages(words: str, room: int, lines: int, font: Font = "plain") -> list[list[str]]:
    """Wrap a text in as few pages as possible of at most `lines` lines of `room` pixels, about equally full.

    There is at least one page, which may be empty.
    """
    wrapped = wrapped_lines(words, room, len(words) + 1, font)
    many = -(-len(wrapped) // lines) or 1
    each = -(-len(wrapped) // many)
    return [wrapped[at : at + each] for at in range(0, len(wrapped), each)] if wrapped else [[]]


class PageTurner:
    """Times of the view, its last result and the next change of the picture.

    `clock` returns monotonic seconds. Call `current_picture` from one thread. `handle_press` may come from any.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._version: int | None = None
        self._began = self._happened = self._next = 0.0
        self._last: tuple[int, int, int] | None = None
        """Current game: number of its entries, number of undone answers, entry number of its newest play."""
        self._told, self._from = "", -1
        self._warnings: tuple[str, ...] = ()
        self._warned = 0.0
        self._pressed = self._telling = False

    def handle_press(self) -> None:
        """Show the question at once, unless somebody chooses in secret."""
        self._pressed = True

    @property
    def seconds_left(self) -> float:
        """Seconds until an unchanged view gives another picture, 0 if it would now."""
        return 0.0 if self._pressed else max(0.0, self._next - self._clock())

    def current_picture(
        self, view: AudienceView, draw: Callable[[PageRotation], Image.Image], odds: str = ""
    ) -> Image.Image:
        """Draw the view, with `odds` after the question. Turns restart with each version of the view."""
        now, pressed = self._clock(), self._pressed
        self._pressed = False
        if pressed and not any(ask.secret for ask in view.table.asks):
            self._told = ""
        if view.version != self._version:
            self._version, self._began = view.version, now
            self._update_last_result(view, now)
        if tuple(view.warnings) != self._warnings:
            self._warnings, self._warned = tuple(view.warnings), now
        pages = PageRotation(now - self._began, self._told, now - self._happened, now - self._warned, odds)
        image = draw(pages)
        # Turns that waited for the last result start after it.
        self._told, self._began, self._telling = pages.told, now - pages.seconds, pages.telling
        self._next = now + pages.left
        return image

    def _update_last_result(self, view: AudienceView, now: float) -> None:
        """Collect the plays since the last view."""
        table, plays = view.table, view.plays
        newest, before = plays[-1].n if plays else -1, self._last
        self._last = (table.version, view.undone, newest)
        if before is None or table.version < before[0] or view.undone != before[1]:
            self._told = ""
        elif newest > before[2]:
            if not (self._told and self._telling):
                self._from, self._happened = before[2], now
            # The result may have ended the half-inning before.
            self._told = " ".join(play.sentence for play in (*view.before, *plays) if play.n > self._from)
