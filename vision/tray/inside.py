"""A reader limited to the tray: it ignores things outside, and dice on the edge are a doubt."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from vision.reading import Box, Die, Reading
from vision.tray.outline import BLURRED, OUTSIDE, SIZES, Image, Tray, focus


class _Reads(Protocol):
    def read(self, frame: Image, /, inside: Callable[[Box], bool]) -> Reading: ...


class InsideReader:
    """A reader that looks only into the tray: things outside, or too small or too large for a die, are neither read nor
    a doubt. `reader` gets whole frames: painting over the table around the tray made real readings worse, not better.
    Set `moved` while the outline does not hold: no reading is sure then."""

    def __init__(self, reader: _Reads, tray: Tray) -> None:
        self._reader, self._tray = reader, tray
        self.moved = False

    def read(self, frame: Image) -> Reading:
        """Read the dice in the tray. Raises TrayError for a frame of another size than the tray's."""
        self._tray.fits(frame)
        reading = self._reader.read(frame, inside=self.concerns)
        doubt = self._doubt(frame, reading)
        return reading if doubt == reading.doubt else replace(reading, doubt=doubt, evidence=None)

    def concerns(self, box: Box) -> bool:
        """True if a thing with this box may be a die in the tray or across its edge."""
        scale = self._tray.scale
        sized = scale is None or SIZES[0] <= max(box[2:]) / scale <= SIZES[1]
        return sized and self._tray.share(box) >= OUTSIDE

    def _doubt(self, frame: Image, reading: Reading) -> str | None:
        if not reading.dice:
            return reading.doubt or "none"
        if _blurred(frame, reading):
            return "blur"
        if reading.doubt in (None, "unclear", "edge") and not all(map(self._stands, reading.dice)):
            return "outside"
        if reading.doubt is None and self.moved:
            return "moved-tray"
        return reading.doubt

    def _stands(self, die: Die) -> bool:
        """True if a die stands in the tray. Beside a deep wall its sides may be seen beyond the edge."""
        return self._tray.inside(die.foot or die.box)


def _blurred(frame: Image, reading: Reading) -> bool:
    """True if not even the sharpest die is sharp enough to be believed."""
    seen = [score for die in reading.dice if (score := focus(frame, die.box)) is not None]
    return bool(seen) and max(seen) < BLURRED
