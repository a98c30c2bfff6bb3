"""Calibration of a dice camera from pictures of the empty tray and of one die."""

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
    from vision.cameras.frames import Frame, FrameSource, Image, LockedSettings
    from vision.reading import DieReading, Reading
    from vision.tray.outline import Tray

FRAMES_PER_PICTURE = 8  # frames averaged into one picture to reduce noise, and compared to detect motion
WARM_UP_S = 2.5  # seconds a camera gets to find exposure and white balance
LOCK_TIMEOUT_S = 18.0  # seconds it gets at most, if the lamp flickers or the focus is hard to find
MIN_MEAN_GRAY = 30.0
"""Darkest mean gray of the tray in usable light, 0 to 255."""

MAX_MEAN_GRAY = 215.0
"""Brightest mean gray of the tray in usable light, 0 to 255."""

MAX_OVEREXPOSED_SHARE = 0.03
"""Largest overexposed share of the tray's pixels."""

# Remedy for each doubt about a die that no camera reads in this light.
ILLEGIBLE_DIE_ADVICE = {
    "unclear": "is hard to read in this light: move the lamp, show another face, or enter its rolls.",
    "glare": "is washed out by the light: turn the lamp away, or use a softer one.",
    "symbol": "has no readable face: show another face, or teach it to the camera.",
}
MIN_TRAY_SHARE = 0.05  # smallest share of the picture that a tray fills
MAX_RATED_PROBABILITY = 0.999  # probability of a reading that no light improves
MIN_DIE_EDGE_PX = 20.0  # smallest edge of a die that is read well, in pixels of a picture 640 pixels wide


PicturePoint = tuple[float, float]  # a point in a picture, as shares of its width and height


class Calibrator:
    """Calibrates cameras from pictures. A fault that a person can fix is a failed check, not an exception.

    trays: folder of the stored calibrations.
    reader: a `vision.reader.Reader` or a stand-in.
    """

    def __init__(self, trays: Path, reader: Any) -> None:
        self._trays, self._reader = trays, reader

    def store_empty_tray(
        self, camera: str, pictures: Sequence[Image], locks: LockedSettings | None = None
    ) -> tuple[Tray | None, list[CalibrationCheck]]:
        """Store these pictures (at least one) as the reference image of the empty tray, and return it with the checks.

        If the tray is not empty or something moves, the tray is None and nothing is stored. Raises OSError.
        """
        from vision.reading import DOUBT_ADVICE
        from vision.tray import outline as trays
        from vision.tray import saved_trays
        from vision.tray.tray_reader import TrayDiceReader

        picture = mean_picture(pictures)
        size = picture.shape[1], picture.shape[0]
        found = trays.find_tray(picture)
        small = _shrink_picture(picture, trays.MAX_REFERENCE_WIDTH_PX)
        tray = trays.Tray(camera, size, found.outline, small, 0.0, doubt=found.doubt, locks=locks)
        light, burnt = trays.measure_brightness(picture, tray.tray_mask)
        tray = replace(tray, light=round(light, 1), focus=trays.measure_sharpness(picture))
        share = (tray.tray_mask > 0).mean()
        reading = TrayDiceReader(self._reader, tray).read_dice(picture)
        # Something beyond the picture's edge is not a die, unless one is read.
        quiet, bare = is_still(pictures), not reading.dice and reading.doubt in ("none", "edge")
        checks = [
            _build_check(
                "still", quiet, "Nothing is moving.", "Something is moving: keep your hands away and try again."
            ),
            _build_check("empty", bare, "No dice in sight.", f"The tray is not empty: {_contents_text(reading)}"),
            _build_check(
                "outline", not tray.is_full_frame, f"It fills {share:.0%} of the picture.", DOUBT_ADVICE["no-tray"]
            ),
            _light_check(light, burnt),
            _focus_check(tray.focus),
            *_lock_checks(locks or {}),
        ]
        if not (quiet and bare):
            return None, checks
        saved_trays.save_tray(self._trays, tray)
        return tray, checks

    def store_corners(self, tray: Tray, corners: Sequence[PicturePoint]) -> tuple[Tray, list[CalibrationCheck]]:
        """Store the corners of the felt that a person tapped on the picture, in any order. Raises OSError."""
        import cv2
        import numpy as np

        from vision.tray import outline as trays
        from vision.tray import saved_trays

        size = np.array(tray.size) - 1
        spots = np.round(np.array(corners, float).reshape(-1, 2) * size).astype(np.int32)
        around = cv2.convexHull(spots)[:, 0] if len(spots) > 2 else spots
        share = cv2.contourArea(around) / float(size.prod()) if len(around) > 2 else 0.0
        if share < MIN_TRAY_SHARE:
            return tray, [CalibrationCheck("outline", False, "Tap all corners of the felt, at least three, around it.")]
        tray = replace(tray, outline=np.asarray(around, np.int32), doubt=None, tapped=True)
        mask = cv2.resize(tray.tray_mask, tray.empty.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        tray = replace(tray, light=round(trays.measure_brightness(tray.empty, np.asarray(mask, np.uint8))[0], 1))
        saved_trays.save_tray(self._trays, tray)
        return tray, [CalibrationCheck("outline", True, f"It fills {share:.0%} of the picture.")]

    def measure_scale(self, tray: Tray, pictures: Sequence[Image]) -> tuple[Tray, list[CalibrationCheck]]:
        """Measure and store the scale, by a 16 mm die or the printed sheet, and check that die. Raises OSError."""
        from vision.tray import outline as trays
        from vision.tray import saved_trays
        from vision.tray.calibration_sheet import camera_pose_from_sheet, scale_from_sheet
        from vision.tray.tray_reader import TrayDiceReader

        picture, legible = mean_picture(pictures), list[CalibrationCheck]()
        try:
            scale, sharp, place = (
                scale_from_sheet(picture),
                trays.measure_sharpness(picture),
                camera_pose_from_sheet(picture),
            )
        except trays.TrayError as no_sheet:
            reading = TrayDiceReader(self._reader, tray).read_dice(picture)
            if not reading.dice:
                return tray, [CalibrationCheck("scale", False, f"No die in sight. {no_sheet}")]
            place = self._reader.camera_pose_from_die(picture, tray.is_box_inside)
            try:
                scale = trays.scale_from_die(picture, reading) if place is None else tray.size[0] / place.across
            except trays.TrayError as error:
                return tray, [CalibrationCheck("scale", False, str(error))]
            sharp = trays.measure_sharpness(picture, reading.dice[0].box)
            read = reading.doubt not in ILLEGIBLE_DIE_ADVICE
            legible = [
                _build_check("die", read, f"The die is read: it shows {reading.dice[0].value}.", reading.advice or "")
            ]
        tray = replace(tray, scale=round(scale, 3), focus=sharp, place=place, sizes={})
        width = 16 * scale
        large = width * 640 / tray.size[0] >= MIN_DIE_EDGE_PX
        words = f"A 16 mm die is {width:.0f} pixels wide{'.' if large else ': move the camera closer.'}"
        saved_trays.save_tray(self._trays, tray)
        return tray, [CalibrationCheck("scale", large, words), *legible, _focus_check(sharp)]

    def check_dice(self, tray: Tray, pictures: Sequence[Image]) -> list[CalibrationCheck]:
        from vision.tray.tray_reader import TrayDiceReader

        reading = TrayDiceReader(self._reader, tray).read_dice(mean_picture(pictures))
        if not reading.dice:
            words = "No dice found: put the dice you play with in the tray."
            return [CalibrationCheck("dice", False, words)]
        checks = [_legibility_check(die) for die in reading.dice]
        if reading.doubt is not None and all(one.ok for one in checks):
            checks.append(CalibrationCheck("tray", False, reading.advice or ""))
        return checks

    def delete_calibration(self, camera: str) -> list[CalibrationCheck]:
        """Delete this camera's calibration, and everything learned from it or taught to it. Raises OSError."""
        from vision.tray import saved_trays

        before = StoredCalibrations.from_folder(self._trays)
        saved_trays.delete_trays(self._trays, camera)
        deleted = before - StoredCalibrations.from_folder(self._trays)
        return [
            CalibrationCheck(
                "forgotten", True, "The calibration is deleted." if deleted.trays else "There was no calibration."
            ),
            CalibrationCheck("unlearned", True, deleted.deletion_text or "There was nothing to forget."),
        ]


@dataclass(frozen=True, slots=True)
class StoredCalibrations:
    """Count of the stored trays, corrections and taught dice of all cameras."""

    trays: int
    corrections: int
    dice: int

    @classmethod
    def from_folder(cls, trays: Path) -> StoredCalibrations:
        dice = len(list(trays.glob("*/dice/*.die")))
        return cls(len(list(trays.glob("*/tray.json"))), corrections.correction_count(trays), dice)

    def __sub__(self, later: StoredCalibrations) -> StoredCalibrations:
        return StoredCalibrations(
            self.trays - later.trays, self.corrections - later.corrections, self.dice - later.dice
        )

    @property
    def deletion_text(self) -> str:
        """Sentences about the deleted corrections and dice, "" if there were none."""
        words = [f"{self.corrections} correction{' is' if self.corrections == 1 else 's are'} deleted."] * bool(
            self.corrections
        )
        words += [f"{self.dice} taught {'die is' if self.dice == 1 else 'dice are'} deleted."] * bool(self.dice)
        return " ".join(words)


def mean_picture(pictures: Sequence[Image]) -> Image:
    import numpy as np

    if len(pictures) == 1:
        return pictures[0]
    total = np.zeros(pictures[0].shape, np.float32)
    for one in pictures:
        total += one
    return np.round(total / len(pictures)).astype(np.uint8)


def is_still(pictures: Sequence[Image]) -> bool:
    from vision.tray.motion import motion_px, small_gray_image

    first, last = small_gray_image(pictures[0]), small_gray_image(pictures[-1])
    return bool(motion_px(first, last) < 0.005 * first.shape[1])


def capture_pictures(
    source: FrameSource, warm: float = 0.3, clock: Callable[[], float] = time.monotonic, *, locked: bool = False
) -> tuple[str, list[Image]]:
    """Capture up to `FRAMES_PER_PICTURE` frames in full size, after skipping frames for `warm` seconds.

    locked: also skip frames while a camera still adjusts its settings, for at most `LOCK_TIMEOUT_S`.

    Returns the source's name and the frames. A picture or folder may end earlier, with at least one frame. Raises
    OSError if there is no frame.
    """
    from vision.cameras.frames import LockableSource

    begin = clock()
    frames: list[Image] = []
    last: Frame | None = None
    while len(frames) < FRAMES_PER_PICTURE and (frame := source.read_frame()) is not None:
        last = frame
        adjusting = locked and isinstance(source, LockableSource) and source.locks is None
        if clock() - begin >= (LOCK_TIMEOUT_S if adjusting else warm):
            frames.append(frame.full_picture().copy())
        elif not frames:
            spare = frame.full_picture
    if last is None:
        raise OSError("No picture from the camera.")
    return last.name, frames or [spare().copy()]


def build_report(step: str, checks: Sequence[CalibrationCheck]) -> CalibrationReport:
    return CalibrationReport(step, all(check.ok for check in checks), tuple(checks))


def failure_report(step: str, check: str, why: str) -> CalibrationReport:
    return build_report(step, [CalibrationCheck(check, False, why)])


def _legibility_check(die: DieReading) -> CalibrationCheck:
    from vision.matching import WantedDie
    from vision.reading import DOUBT_ADVICE

    name = WantedDie(die.kind, die.colour).die_name
    clear = min(1.0, math.log(max(1 - die.confidence, 1e-9)) / math.log(1 - MAX_RATED_PROBABILITY))
    words = f"{name} is read: it shows {die.value}."
    if die.doubt is not None:
        words = (
            f"{name} {ILLEGIBLE_DIE_ADVICE[die.doubt]}"
            if die.doubt in ILLEGIBLE_DIE_ADVICE
            else DOUBT_ADVICE[die.doubt]
        )
    return CalibrationCheck("die", die.doubt is None, words[0].upper() + words[1:], round(clear, 2))


def _build_check(name: str, ok: bool, good: str, bad: str) -> CalibrationCheck:
    return CalibrationCheck(name, ok, good if ok else bad)


def _shrink_picture(picture: Image, width: int) -> Image:
    """Copy a picture, shrunk to at most `width` pixels wide."""
    import cv2
    import numpy as np

    if picture.shape[1] <= width:
        return picture.copy()
    size = width, round(width * picture.shape[0] / picture.shape[1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _contents_text(reading: Reading) -> str:
    if not reading.dice:
        return "something in it looks like a die; remove everything."
    count = len(reading.dice)
    return "there is a die in it; remove it." if count == 1 else f"there are {count} dice in it; remove them."


def _light_check(light: float, burnt: float) -> CalibrationCheck:
    if burnt > MAX_OVEREXPOSED_SHARE:
        return CalibrationCheck("light", False, "The tray reflects a lamp: move the lamp or use a softer one.")
    if light < MIN_MEAN_GRAY:
        return CalibrationCheck("light", False, "It is too dark: turn on a lamp.")
    if light > MAX_MEAN_GRAY:
        return CalibrationCheck("light", False, "It is too bright: dim the lamp, or use a darker tray.")
    return CalibrationCheck("light", True, "The light is good.")


def _focus_check(score: float | None) -> CalibrationCheck:
    from vision.tray.outline import MIN_CAMERA_SHARPNESS

    if score is None:
        return CalibrationCheck("focus", True, "There is nothing to focus on yet; the die will show it.")
    if score < MIN_CAMERA_SHARPNESS:
        return CalibrationCheck(
            "focus", False, f"The picture isn't sharp ({score:.3f}): wipe the lens or set its focus."
        )
    return CalibrationCheck("focus", True, f"The picture is sharp ({score:.2f}).")


def _lock_checks(locks: LockedSettings) -> list[CalibrationCheck]:
    keep = "keep the lighting the same, and your hands away from dice at rest."
    return [
        _build_check(
            name, values is not None, f"The camera locks its {name}.", f"The camera can't lock its {name}: {keep}"
        )
        for name, values in locks.items()
    ]
