"""A reader limited to the tray: it ignores things outside, and dice on the edge are a doubt."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from vision.reading import DieReading, PixelBox, Reading
from vision.tray.outline import (
    DIE_SIZE_RANGE_MM,
    MIN_DICE_SHARPNESS,
    MIN_RELEVANT_SHARE,
    Image,
    Tray,
    measure_sharpness,
)


class _RegionReader(Protocol):
    def read_dice(self, frame: Image, /, inside: Callable[[PixelBox], bool]) -> Reading: ...


class TrayDiceReader:
    """A reader that looks only into the tray: things outside, or too small or too large for a die, are neither read nor
    a doubt. `reader` gets whole frames: painting over the table around the tray made real readings worse, not better.
    Set `moved` while the outline does not hold: no reading is sure then."""

    def __init__(self, reader: _RegionReader, tray: Tray) -> None:
        self._reader, self._tray = reader, tray
        self.moved = False

    def read_dice(self, frame: Image) -> Reading:
        """Read the dice in the tray. Raises TrayError for a frame of another size than the tray's."""
        self._tray.validate_size(frame)
        reading = self._reader.read_dice(frame, inside=self.may_be_die)
        doubt = self._reading_doubt(frame, reading)
        return reading if doubt == reading.doubt else replace(reading, doubt=doubt, evidence=None)

    def may_be_die(self, box: PixelBox) -> bool:
        """True if a thing with this box may be a die in the tray or across its edge."""
        scale = self._tray.scale
        sized = scale is None or DIE_SIZE_RANGE_MM[0] <= max(box[2:]) / scale <= DIE_SIZE_RANGE_MM[1]
        return sized and self._tray.share_inside(box) >= MIN_RELEVANT_SHARE

    def _reading_doubt(self, frame: Image, reading: Reading) -> str | None:
        if not reading.dice:
            return reading.doubt or "none"
        if _is_blurred(frame, reading):
            return "blur"
        if reading.doubt in (None, "unclear", "edge") and not all(map(self._is_in_tray, reading.dice)):
            return "outside"
        if reading.doubt is None and self.moved:
            return "moved-tray"
        return reading.doubt

    def _is_in_tray(self, die: DieReading) -> bool:
        """True if a die stands in the tray. Beside a deep wall its sides may be seen beyond the edge."""
        return self._tray.is_box_inside(die.foot or die.box)


def _is_blurred(frame: Image, reading: Reading) -> bool:
    """True if not even the sharpest die is sharp enough to be believed."""
    seen = [score for die in reading.dice if (score := measure_sharpness(frame, die.box)) is not None]
    return bool(seen) and max(seen) < MIN_DICE_SHARPNESS
