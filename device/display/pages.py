"""What takes turns on a small display: pages of a text too long for its room, and the last result before the question.

`Pages` is pure: the same view and times give the same picture. `PageTurner` keeps the times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from PIL import Image

from device.display.lettering import Font, wrap
from engine.views import View

T = TypeVar("T")

TURN = 2.5  # how long each page stays, in seconds
RESULT = 2.0  # how long each page of the last result stays, in seconds


@dataclass
class Pages:
    """The times that a picture depends on; afterward, how long the picture stays as it is."""

    seconds: float = 0.0
    """Seconds since the view changed."""
    told: str = ""
    """What has just happened, "" if it was shown long enough."""
    since: float = 0.0
    """Seconds since it happened."""
    warned: float = 0.0
    """Seconds since the warnings changed."""
    telling: bool = field(default=False, init=False)
    """True if this picture shows what has just happened."""
    left: float = field(default=math.inf, init=False)
    """Seconds until this picture changes by itself; infinite if it does not."""

    def of(self, items: Sequence[T]) -> T:
        """Return the one of `items` (at least one) whose turn it is; after the last comes the first."""
        if len(items) == 1:
            return items[0]
        self._until(TURN - self.seconds % TURN)
        return items[int(self.seconds // TURN) % len(items)]

    def text(self, words: str, room: int, lines: int, font: Font = "plain") -> list[str]:
        """Return the page of `words` whose turn it is: at most `lines` lines of `room` pixels."""
        return self.of(split(words, room, lines, font))

    def warning(self, sentences: Sequence[str], room: int, lines: int) -> list[str]:
        """Return the page of the warnings whose turn it is. No other change of the view begins their turns again."""
        pages = [page for one in sentences for page in split(one, room, lines)]
        if len(pages) > 1:
            self._until(TURN - self.warned % TURN)
        return pages[int(self.warned // TURN) % len(pages)]

    def result(self, room: int, lines: int) -> list[str]:
        """Return the page of what has just happened; nothing once every page was shown.

        Everything else begins its turns after the last of them.
        """
        if not self.told:
            return []
        pages = split(self.told, room, lines)
        over = self.since - RESULT * len(pages)
        if over >= 0:
            self.seconds, self.told = min(self.seconds, over), ""
            return []
        self._until(RESULT - self.since % RESULT)
        self.telling = True
        return pages[int(self.since // RESULT)]

    def _until(self, seconds: float) -> None:
        self.left = min(self.left, seconds)


def split(words: str, room: int, lines: int, font: Font = "plain") -> list[list[str]]:
    """Return `words` in as few pages as possible of at most `lines` lines of `room` pixels, about equally full.

    There is at least one page, which may be empty.
    """
    wrapped = wrap(words, room, len(words) + 1, font)
    many = -(-len(wrapped) // lines) or 1
    each = -(-len(wrapped) // many)
    return [wrapped[at : at + each] for at in range(0, len(wrapped), each)] if wrapped else [[]]


class PageTurner:
    """Knows since when the view is as it is, what has just happened, and when the picture changes by itself.

    `clock` returns seconds that never decrease. Call `picture` from one thread; `press` may come from any.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._version: int | None = None
        self._began = self._happened = self._next = 0.0
        self._last: tuple[int, int, int] | None = None
        """Game under way: the number of its entries, of what was taken back, and of the answer of its newest play."""
        self._told, self._from = "", -1
        self._warnings: tuple[str, ...] = ()
        self._warned = 0.0
        self._pressed = self._telling = False

    def press(self) -> None:
        """Note a press: the question comes at once, unless somebody chooses in secret."""
        self._pressed = True

    @property
    def left(self) -> float:
        """Seconds until the picture would be another though the view is the same, 0 if it would be now."""
        return 0.0 if self._pressed else max(0.0, self._next - self._clock())

    def picture(self, view: View, draw: Callable[[Pages], Image.Image]) -> Image.Image:
        """Return what `draw` makes of the view now. Turns begin again with each version of the view."""
        now, pressed = self._clock(), self._pressed
        self._pressed = False
        if pressed and not any(ask.secret for ask in view.table.asks):
            self._told = ""
        if view.version != self._version:
            self._version, self._began = view.version, now
            self._note(view, now)
        if tuple(view.warnings) != self._warnings:
            self._warnings, self._warned = tuple(view.warnings), now
        pages = Pages(now - self._began, self._told, now - self._happened, now - self._warned)
        image = draw(pages)
        # Turns that waited for the last result go on from where they began after it.
        self._told, self._began, self._telling = pages.told, now - pages.seconds, pages.telling
        self._next = now + pages.left
        return image

    def _note(self, view: View, now: float) -> None:
        """Find out whether something happened since the last view."""
        table, plays = view.table, view.plays
        newest, before = plays[-1].n if plays else -1, self._last
        self._last = (table.version, view.undone, newest)
        if before is None or table.version < before[0] or view.undone != before[1]:
            self._told = ""
        elif newest > before[2]:
            if not (self._told and self._telling):
                self._from, self._happened = before[2], now
            # What happened may have ended the half-inning before.
            self._told = " ".join(play.sentence for play in (*view.before, *plays) if play.n > self._from)
