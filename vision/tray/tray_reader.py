"""A reader limited to the tray. Objects outside are ignored, and dice on the edge raise a doubt."""

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
    """Reads only dice in the tray. Objects that are outside, or too small or large for a die, are ignored. `reader`
    gets full frames, because painting over the surroundings made real readings worse. Set `moved` while the outline is
    out of date, so that no reading is sure."""

    def __init__(self, reader: _RegionReader, tray: Tray) -> None:
        self._reader, self._tray = reader, tray
        self.moved = False

    def read_dice(self, frame: Image) -> Reading:
        """Read the dice in the tray. Raises TrayError for a frame of another size."""
        self._tray.validate_size(frame)
        reading = self._reader.read_dice(frame, inside=self.may_be_die)
        doubt = self._reading_doubt(frame, reading)
        return reading if doubt == reading.doubt else replace(reading, doubt=doubt, evidence=None)

    def may_be_die(self, box: PixelBox) -> bool:
        """True if an object with this box may be a die in the tray or across its edge."""
        scale = self._tray.scale
        sized = scale is None or DIE_SIZE_RANGE_MM[0] <= max(box[2:]) / scale <= DIE_SIZE_RANGE_MM[1]
        return sized and self._tray.share_inside(box) >= MIN_RELEVANT_SHARE

    def _reading_doubt(self, frame: Image, reading: Reading) -> str | None:
        if not reading.dice:
            return reading.doubt or "none"
        if is_blurred(frame, reading):
            return "blur"
        if reading.doubt in (None, "unclear", "edge") and not all(map(self._is_in_tray, reading.dice)):
            return "outside"
        if reading.doubt is None and self.moved:
            return "moved-tray"
        return reading.doubt

    def _is_in_tray(self, die: DieReading) -> bool:
        """True if a die's footprint is in the tray. Next to a high wall its sides may appear beyond the edge."""
        return self._tray.is_box_inside(die.foot or die.box)


def is_blurred(frame: Image, reading: Reading) -> bool:
    """True if even the sharpest die is too blurred to be sure."""
    seen = [score for die in reading.dice if (score := measure_sharpness(frame, die.box)) is not None]
    return bool(seen) and max(seen) < MIN_DICE_SHARPNESS
