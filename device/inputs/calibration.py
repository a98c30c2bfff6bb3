"""Calibration of a dice camera: checks pictures of the empty tray and of one die, and stores what they show."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.inputs import corrections
from device.shapes import CalibrationCheck, CalibrationReport

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, Image, Locks, Source
    from vision.reading import Die, Reading
    from vision.tray.outline import Tray

FRAMES = 8  # frames averaged into one picture: averaging removes noise, and comparing them detects motion
WARM = 2.5  # seconds a camera gets to find exposure and white balance
# Limits of the light: the tray's mean gray (0 to 255) lies between the first two, and at most the third, as a share of
# its pixels, is overexposed.
DARK, BRIGHT, BURNT = 30.0, 215.0, 0.03
# Doubts of a die that no camera reads in this light, and what to do about each.
ILLEGIBLE = {
    "unclear": "is hard to read in this light: move the lamp, show another face, or enter its rolls.",
    "glare": "is washed out by the light: turn the lamp away, or use a softer one.",
    "symbol": "has no readable face: show another face, or teach it to the camera.",
}
LEAST = 0.05  # least share of the picture that a tray fills
CLEAREST = 0.999  # the probability of a reading that no light makes clearer
SMALL = 20.0  # smallest edge of a die that is read well, in pixels of a picture 640 pixels wide


Spot = tuple[float, float]  # a place in a picture, as shares of its width and height


class Calibrator:
    """Calibrates cameras from pictures; `trays` is the folder where calibrations are stored. `reader` is a
    `vision.reader.Reader` or a stand-in. What a person can fix is a failed check, never an exception."""

    def __init__(self, trays: Path, reader: Any) -> None:
        self._trays, self._reader = trays, reader

    def empty(
        self, camera: str, pictures: Sequence[Image], locks: Locks | None = None
    ) -> tuple[Tray | None, list[CalibrationCheck]]:
        """Store these pictures (at least one) as the empty tray; return it and the checks. The tray is None if it is
        not empty or something moves; then nothing is stored. Raises OSError if the disk refuses."""
        from vision.reading import DOUBTS
        from vision.tray import outline as trays
        from vision.tray import saved
        from vision.tray.inside import InsideReader

        picture = mean(pictures)
        size = picture.shape[1], picture.shape[0]
        found = trays.find_tray(picture)
        small = _scaled(picture, trays.KEPT)
        tray = trays.Tray(camera, size, found.outline, small, 0.0, doubt=found.doubt, locks=locks)
        light, burnt = trays.brightness(picture, tray.mask)
        tray = replace(tray, light=round(light, 1), focus=trays.focus(picture))
        share = (tray.mask > 0).mean()
        reading = InsideReader(self._reader, tray).read(picture)
        # What reaches beyond the picture's edge is not a die, unless one is read.
        quiet, bare = still(pictures), not reading.dice and reading.doubt in ("none", "edge")
        checks = [
            _check("still", quiet, "Nothing is moving.", "Something is moving: keep your hands away and try again."),
            _check("empty", bare, "No dice in sight.", f"The tray is not empty: {_contents(reading)}"),
            _check("outline", not tray.whole, f"It fills {share:.0%} of the picture.", DOUBTS["no-tray"]),
            _light_check(light, burnt),
            _focus_check(tray.focus),
            *_lock_checks(locks or {}),
        ]
        if not (quiet and bare):
            return None, checks
        saved.save(self._trays, tray)
        return tray, checks

    def corners(self, tray: Tray, corners: Sequence[Spot]) -> tuple[Tray, list[CalibrationCheck]]:
        """Store that the felt ends at these corners, which a person tapped on the picture: at shares of its width and
        height, from 0 to 1, in any order. Raises OSError if the disk refuses."""
        import cv2
        import numpy as np

        from vision.tray import outline as trays
        from vision.tray import saved

        size = np.array(tray.size) - 1
        spots = np.round(np.array(corners, float).reshape(-1, 2) * size).astype(np.int32)
        around = cv2.convexHull(spots)[:, 0] if len(spots) > 2 else spots
        share = cv2.contourArea(around) / float(size.prod()) if len(around) > 2 else 0.0
        if share < LEAST:
            return tray, [CalibrationCheck("outline", False, "Tap all corners of the felt, at least three, around it.")]
        tray = replace(tray, outline=np.asarray(around, np.int32), doubt=None, tapped=True)
        mask = cv2.resize(tray.mask, tray.empty.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        tray = replace(tray, light=round(trays.brightness(tray.empty, np.asarray(mask, np.uint8))[0], 1))
        saved.save(self._trays, tray)
        return tray, [CalibrationCheck("outline", True, f"It fills {share:.0%} of the picture.")]

    def die(self, tray: Tray, pictures: Sequence[Image]) -> tuple[Tray, list[CalibrationCheck]]:
        """Measure and store the scale, from one 16 mm die or the printed sheet in the tray, and check that the die can
        be read in this light. Raises OSError."""
        from vision.tray import outline as trays
        from vision.tray import saved
        from vision.tray.calibration_sheet import place_from_sheet, scale_from_sheet
        from vision.tray.inside import InsideReader

        picture, legible = mean(pictures), list[CalibrationCheck]()
        try:
            scale, sharp, place = scale_from_sheet(picture), trays.focus(picture), place_from_sheet(picture)
        except trays.TrayError as no_sheet:
            reading = InsideReader(self._reader, tray).read(picture)
            if not reading.dice:
                return tray, [CalibrationCheck("scale", False, f"No die in sight. {no_sheet}")]
            place = self._reader.place_by(picture, tray.inside)
            try:
                scale = trays.scale_from_die(picture, reading) if place is None else tray.size[0] / place.across
            except trays.TrayError as error:
                return tray, [CalibrationCheck("scale", False, str(error))]
            sharp = trays.focus(picture, reading.dice[0].box)
            read = reading.doubt not in ILLEGIBLE
            legible = [_check("die", read, f"The die is read: it shows {reading.dice[0].value}.", reading.advice or "")]
        tray = replace(tray, scale=round(scale, 3), focus=sharp, place=place, sizes={})
        width = 16 * scale
        large = width * 640 / tray.size[0] >= SMALL
        words = f"A 16 mm die is {width:.0f} pixels wide{'.' if large else ': move the camera closer.'}"
        saved.save(self._trays, tray)
        return tray, [CalibrationCheck("scale", large, words), *legible, _focus_check(sharp)]

    def dice(self, tray: Tray, pictures: Sequence[Image]) -> list[CalibrationCheck]:
        """Check that each of the dice that lie in the tray can be read in this light."""
        from vision.tray.inside import InsideReader

        reading = InsideReader(self._reader, tray).read(mean(pictures))
        if not reading.dice:
            words = "No dice found: put the dice you play with in the tray."
            return [CalibrationCheck("dice", False, words)]
        checks = [_legible(die) for die in reading.dice]
        if reading.doubt is not None and all(one.ok for one in checks):
            checks.append(CalibrationCheck("tray", False, reading.advice or ""))
        return checks

    def forget(self, camera: str) -> list[CalibrationCheck]:
        """Delete this camera's calibration, and everything learned from or taught to it. Raises OSError."""
        from vision.tray import saved

        before = StoredCalibrations.count(self._trays)
        saved.forget(self._trays, camera)
        deleted = before - StoredCalibrations.count(self._trays)
        return [
            CalibrationCheck(
                "forgotten", True, "The calibration is deleted." if deleted.trays else "There was no calibration."
            ),
            CalibrationCheck("unlearned", True, deleted.lessons or "There was nothing to forget."),
        ]


@dataclass(frozen=True, slots=True)
class StoredCalibrations:
    """How many trays, corrections and taught dice are stored, of all cameras together."""

    trays: int
    corrections: int
    dice: int

    @classmethod
    def count(cls, trays: Path) -> StoredCalibrations:
        """Count what is stored in the folder `trays`."""
        dice = len(list(trays.glob("*/dice/*.die")))
        return cls(len(list(trays.glob("*/tray.json"))), corrections.kept(trays), dice)

    def __sub__(self, later: StoredCalibrations) -> StoredCalibrations:
        return StoredCalibrations(
            self.trays - later.trays, self.corrections - later.corrections, self.dice - later.dice
        )

    @property
    def lessons(self) -> str:
        """Sentences for corrections and dice that were deleted; "" if there were none."""
        words = [f"{self.corrections} correction{' is' if self.corrections == 1 else 's are'} deleted."] * bool(
            self.corrections
        )
        words += [f"{self.dice} taught {'die is' if self.dice == 1 else 'dice are'} deleted."] * bool(self.dice)
        return " ".join(words)


def mean(pictures: Sequence[Image]) -> Image:
    """Return the mean of pictures of one size, which has less noise than each."""
    import numpy as np

    if len(pictures) == 1:
        return pictures[0]
    total = np.zeros(pictures[0].shape, np.float32)
    for one in pictures:
        total += one
    return np.round(total / len(pictures)).astype(np.uint8)


def still(pictures: Sequence[Image]) -> bool:
    """True if nothing moves between the first and the last of these pictures."""
    from vision.tray.motion import motion, small_grey

    first, last = small_grey(pictures[0]), small_grey(pictures[-1])
    return bool(motion(first, last) < 0.005 * first.shape[1])


def take(source: Source, warm: float = 0.3, clock: Callable[[], float] = time.monotonic) -> tuple[str, list[Image]]:
    """Return the source's name and its next `FRAMES` frames in full size, after skipping frames for `warm` seconds. A
    picture or folder may end earlier: then there are fewer, at least one. Raises OSError if there is no frame at
    all."""
    begin = clock()
    frames: list[Image] = []
    last: Frame | None = None
    while len(frames) < FRAMES and (frame := source.read()) is not None:
        last = frame
        if clock() - begin >= warm:
            frames.append(frame.full().copy())
        elif not frames:
            spare = frame.full
    if last is None:
        raise OSError("No picture from the camera.")
    return last.name, frames or [spare().copy()]


def report(step: str, checks: Sequence[CalibrationCheck]) -> CalibrationReport:
    """Return the outcome of one step."""
    return CalibrationReport(step, all(check.ok for check in checks), tuple(checks))


def failed(step: str, check: str, why: str) -> CalibrationReport:
    """Return the outcome of a step that failed this check."""
    return report(step, [CalibrationCheck(check, False, why)])


def _legible(die: Die) -> CalibrationCheck:
    """Check that a die can be read, and measure how clearly."""
    from vision.matching import Wanted
    from vision.reading import DOUBTS

    name = Wanted(die.kind, die.colour).name
    clear = min(1.0, math.log(max(1 - die.confidence, 1e-9)) / math.log(1 - CLEAREST))
    words = f"{name} is read: it shows {die.value}."
    if die.doubt is not None:
        words = f"{name} {ILLEGIBLE[die.doubt]}" if die.doubt in ILLEGIBLE else DOUBTS[die.doubt]
    return CalibrationCheck("die", die.doubt is None, words[0].upper() + words[1:], round(clear, 2))


def _check(name: str, ok: bool, good: str, bad: str) -> CalibrationCheck:
    return CalibrationCheck(name, ok, good if ok else bad)


def _scaled(picture: Image, width: int) -> Image:
    """Return a copy of the picture, shrunk to at most `width` pixels wide."""
    import cv2
    import numpy as np

    if picture.shape[1] <= width:
        return picture.copy()
    size = width, round(width * picture.shape[0] / picture.shape[1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _contents(reading: Reading) -> str:
    if not reading.dice:
        return "something in it looks like a die; take everything out."
    count = len(reading.dice)
    return "there is a die in it; take it out." if count == 1 else f"there are {count} dice in it; take them out."


def _light_check(light: float, burnt: float) -> CalibrationCheck:
    if burnt > BURNT:
        return CalibrationCheck("light", False, "The tray reflects a lamp: move the lamp or use a softer one.")
    if light < DARK:
        return CalibrationCheck("light", False, "It is too dark: turn on a lamp.")
    if light > BRIGHT:
        return CalibrationCheck("light", False, "It is too bright: dim the lamp, or use a darker tray.")
    return CalibrationCheck("light", True, "The light is good.")


def _focus_check(score: float | None) -> CalibrationCheck:
    from vision.tray.outline import FOCUSED

    if score is None:
        return CalibrationCheck("focus", True, "There is nothing to focus on yet; the die will show it.")
    if score < FOCUSED:
        return CalibrationCheck(
            "focus", False, f"The picture isn't sharp ({score:.3f}): wipe the lens or set its focus."
        )
    return CalibrationCheck("focus", True, f"The picture is sharp ({score:.2f}).")


def _lock_checks(locks: Locks) -> list[CalibrationCheck]:
    """Check that the camera keeps each setting it was asked to lock."""
    keep = "keep the light as it is, and your hands away from resting dice."
    return [
        _check(name, values is not None, f"The camera locks its {name}.", f"The camera can't lock its {name}: {keep}")
        for name, values in locks.items()
    ]
