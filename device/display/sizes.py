"""The heights that a display may have, and the screens drawn for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from PIL import Image

from device.display import screens_32, screens_64
from engine.views import View


class Screens(Protocol):
    """The pictures of one size: the modules `screens` and `strip` are such."""

    @property
    def SIZE(self) -> tuple[int, int]:  # noqa: N802 - as modules spell what never changes
        """Width and height in pixels."""

    def game(self, view: View) -> Image.Image:
        """The game as it stands, from a public view."""

    def message(self, title: str, text_: str) -> Image.Image:
        """A title and a text."""

    def join(self, url: str, address: str, code: str) -> Image.Image:
        """How a phone joins."""

    def menu(self, items: Sequence[str], index: int) -> Image.Image:
        """A list of choices, the one at `index` lit."""

    def sleep(self, tick: int) -> Image.Image:
        """Almost black, another at each `tick`."""

    def bye(self, text_: str) -> Image.Image:
        """The last picture."""


HEIGHTS: Mapping[int, Screens] = {64: screens_64, 32: screens_32}
"""The screens by the height of the display."""
