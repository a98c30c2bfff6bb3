"""What every set of screens offers, whatever the height of the display.

The driver knows only this; `device.display.startup` chooses the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PIL import Image

from engine.views import View


class Screens(Protocol):
    """The pictures of one size: the modules `screens_64` and `screens_32`."""

    @property
    def SIZE(self) -> tuple[int, int]:  # noqa: N802 - modules spell constants so
        """Return width and height in pixels."""

    def game(self, view: View) -> Image.Image:
        """Draw the game from the public view."""

    def message(self, title: str, text_: str) -> Image.Image:
        """Draw a title and a text."""

    def join(self, url: str, address: str, code: str) -> Image.Image:
        """Draw how a phone joins."""

    def menu(self, items: Sequence[str], index: int) -> Image.Image:
        """Draw a list of choices, the one at `index` dark on light."""

    def sleep(self, tick: int) -> Image.Image:
        """Draw an almost black picture, another at each `tick`."""

    def bye(self, text_: str) -> Image.Image:
        """Draw the last picture before the power is cut."""
