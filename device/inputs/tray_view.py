"""One camera's reader of the tray, with its calibration and checks of whether that is still valid."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.inputs import corrections
from device.inputs.calibration import Calibrator, PicturePoint, build_report, failure_report
from device.inputs.corrections import LearnedCorrections
from device.shapes import CalibrationCheck, CalibrationReport
from vision.reading import READABLE_KINDS

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, Image, LockedSettings
    from vision.dice.sizes import KnownSizes
    from vision.dice.taught_dice import Glimpse
    from vision.reading import PixelBox, Reading
    from vision.tray.drift import DriftWatcher
    from vision.tray.motion import GrayImage, TrayState
    from vision.tray.outline import Tray
    from vision.tray.tray_reader import TrayDiceReader

log = logging.getLogger("dugout.camera")

CHECK_INTERVAL_S = 1.0  # seconds between two checks of whether the tray moved or the light changed
LEARN_INTERVAL_S = 0.25  # seconds between two steps of learning, each of which takes up to as long on a small Pi
CALIBRATION_STEPS = ("empty", "corners", "die", "dice", "forget")  # the steps of `TrayReader.run_calibration_step`


class TrayReader:
    """Reads one camera's frames through its calibrated tray, or else as `reader` does. Use it from one thread.

    trays: folder of the calibrated trays, None to use none.
    tell: called with a sentence about a fault of the tray, None if there is none.
    lessons: learns from corrections, None to learn nothing.
    """

    def __init__(
        self,
        reader: Any,
        trays: Path | None,
        tell: Callable[[str | None], None],
        lessons: LearnedCorrections | None = None,
    ) -> None:
        self.tray: Tray | None = None
        self.met = False  # True after a camera was opened; only then `tray` shows whether it is calibrated
        # Sentences about the taught dice: True with their list, False with each damaged one.
        self.dice: list[tuple[bool, str]] = []
        self._reader, self._trays, self._report_fault, self._lessons = reader, trays, tell, lessons
        self._calibrator = None if trays is None else Calibrator(trays, reader)
        self._tray_dice_reader: TrayDiceReader | None = None
        self._drift: DriftWatcher | None = None
        self._checked = self._learned = 0.0
        self._last: GrayImage | None = None
        self._saved_sizes: KnownSizes = {}

    def load_camera_data(self, frame: Frame) -> None:
        """Load the tray and the taught dice of a camera that was just opened. `frame` is its first."""
        from vision.tray.outline import TrayError
        from vision.tray.saved_trays import load_tray

        self._set_tray(None)
        if self._trays is None:
            return
        picture = frame.full_picture()
        size = picture.shape[1], picture.shape[0]
        self._load_taught_dice(self._trays, frame.name, size)
        try:
            self._set_tray(load_tray(self._trays, frame.name, size))
        except TrayError as error:
            self._report_fault(str(error))
        self.met = True

    def _load_taught_dice(self, trays: Path, camera: str, size: tuple[int, int]) -> None:
        from device.inputs import teaching
        from vision.dice.taught_dice import FaceBank

        dice, damaged = teaching.load_dice(teaching.taught_dice_folder(trays, camera, size))
        if self._lessons is None:
            self._reader.taught = tuple(map(FaceBank, dice))
        else:
            self._lessons.switch_camera(corrections.corrections_folder(trays, camera, size), dice, self._reader)
        self.dice = [(True, teaching.taught_dice_sentence(dice))] * bool(dice) + [(False, words) for words in damaged]
        for words in damaged:
            log.warning("%s", words)

    def _set_tray(self, tray: Tray | None) -> None:
        from vision.dice.known_table import KnownTable
        from vision.tray.drift import DriftWatcher
        from vision.tray.tray_reader import TrayDiceReader

        self.tray, self._last, self._saved_sizes = tray, None, {} if tray is None else tray.sizes
        self._reader.table = KnownTable() if tray is None else tray.known_table
        self._tray_dice_reader = None if tray is None else TrayDiceReader(self._reader, tray)
        self._drift = None if tray is None else DriftWatcher(tray)
        self._report_fault(None)

    def empty_tray_image(self, picture: Image) -> Image | None:
        """Reference image of the empty tray at the size of a picture, None if unknown."""
        if self.tray is None:
            return None
        import cv2
        import numpy as np

        size = picture.shape[1], picture.shape[0]
        return np.asarray(cv2.resize(self.tray.empty, size, interpolation=cv2.INTER_AREA), np.uint8)

    def set_kinds(self, kinds: frozenset[str]) -> None:
        """Set the kinds of dice to read, of `vision.reading.READABLE_KINDS`."""
        self._reader.kinds = kinds

    def read_dice(self, frame: Image) -> Reading:
        if self._tray_dice_reader is not None:
            return self._tray_dice_reader.read_dice(frame)
        from vision.tray.tray_reader import is_blurred

        reading: Reading = self._reader.read_dice(frame)
        return replace(reading, doubt="blur", evidence=None) if is_blurred(frame, reading) else reading

    def is_in_tray(self, box: PixelBox) -> bool:
        """True if an object with this box, in pixels of the full frame, is in the tray or across its edge."""
        from vision.tray.outline import MIN_RELEVANT_SHARE

        return self.tray is None or self.tray.share_inside(box) >= MIN_RELEVANT_SHARE

    def last_glimpse(self) -> Glimpse | None:
        """Appearance of the dice in the last reading, for corrections. None if no die was taught."""
        return None if self._lessons is None or not self._reader.taught else self._reader.glimpse

    def learn_if_still(self, frame: Frame, state: TrayState) -> None:
        """Learn from the dice read so far and from corrections, in small steps while nothing moves."""
        if state.value not in ("empty", "settled") or 0 <= frame.when - self._learned < LEARN_INTERVAL_S:
            return
        self._learned = frame.when
        self._reader.learn_floor()
        self._save_learned_sizes()
        if self._lessons is not None:
            self._lessons.learn_recorded_rolls()

    def _save_learned_sizes(self) -> None:
        """Store the geometry and sizes learned from the dice, whenever a size is new."""
        from vision.tray import saved_trays

        if self.tray is None or self._trays is None or (learned := self._reader.learned_geometry) is None:
            return
        place, sizes = learned
        if self._saved_sizes == sizes:
            return
        self._saved_sizes = sizes
        try:
            saved_trays.save_tray(self._trays, replace(self.tray, place=place, sizes=sizes))
        except OSError as error:
            log.warning("What the dice taught about the table was not kept: %s", error)

    def check_tray(self, frame: Frame, state: TrayState) -> bool:
        """Check whether the tray or the light has changed, about once a second while nothing moves.

        A tray that moved is located again when it is empty. Returns True then, because this frame shows it empty.
        """
        if state.value == "empty":
            self._last = None
        if self._drift is None or self._tray_dice_reader is None or state.value not in ("empty", "settled", "hand"):
            return False
        if 0 <= frame.when - self._checked < CHECK_INTERVAL_S:
            return False
        from vision.reading import DOUBT_ADVICE

        self._checked = frame.when
        doubt = self._drift.process_frame(frame.full_picture(), frame.when, hand=state.value == "hand")
        self._tray_dice_reader.moved = doubt == "moved-tray"
        self._report_fault(None if doubt is None else DOUBT_ADVICE[doubt])
        return self._tray_dice_reader.moved and self._find_moved_tray(frame.full_picture())

    def _find_moved_tray(self, picture: Image) -> bool:
        """Locate the tray after it moved. Returns False if that fails or the tray is not empty."""
        from vision.tray import saved_trays
        from vision.tray.relocation import find_moved_tray

        if self.tray is None or self._trays is None or (found := find_moved_tray(self.tray, picture)) is None:
            return False
        learned = self._reader.learned_geometry
        found = found if learned is None else replace(found, place=learned[0], sizes=learned[1])
        try:
            saved_trays.save_tray(self._trays, found)
        except OSError as error:
            log.warning("Where the tray is now was not kept: %s", error)
        self._set_tray(found)
        log.info("The tray or the camera moved, and the tray was found again.")
        return True

    def is_same_picture(self, picture: Image) -> bool:
        """True if a throw's picture shows the same untouched dice as the last, so the motion was outside the tray."""
        if self.tray is None or self.tray.is_full_frame:
            return False
        from vision.tray.motion import changed_pixels, small_gray_image

        now = small_gray_image(self.tray.paint_surroundings(picture))
        before, self._last = self._last, now
        return before is not None and not changed_pixels(before, now).any()

    def run_calibration_step(
        self,
        step: str,
        camera: str,
        pictures: Sequence[Image],
        locks: LockedSettings | None = None,
        corners: Sequence[PicturePoint] = (),
    ) -> CalibrationReport:
        """Run one of `CALIBRATION_STEPS` with these pictures, taken with `locks`. `corners` are those tapped for it."""
        if self._calibrator is None:
            return failure_report(step, "kept", "There is nowhere to save a calibration.")
        self.set_kinds(READABLE_KINDS if step == "dice" else frozenset({"d6"}))
        try:
            if step == "forget":
                checks = self._calibrator.delete_calibration(camera)
                self._set_tray(None)
                self._reader.taught, self.dice = (), []
                if self._lessons is not None:
                    self._lessons.clear_corrections()
            elif step == "empty":
                tray, checks = self._calibrator.store_empty_tray(camera, pictures, locks)
                if tray is not None:
                    self._set_tray(tray)
            elif self.tray is None:
                checks = [CalibrationCheck("empty", False, "Capture the empty tray first.")]
            elif step == "dice":
                checks = self._calibrator.check_dice(self.tray, pictures)
            elif step == "corners":
                tray, checks = self._calibrator.store_corners(self.tray, corners)
                self._set_tray(tray)
            else:
                tray, checks = self._calibrator.measure_scale(self.tray, pictures)
                self._set_tray(tray)
        except OSError as error:
            log.exception("A calibration was not kept.")
            checks = [CalibrationCheck("kept", False, f"Not saved: {error}")]
        return build_report(step, checks)
