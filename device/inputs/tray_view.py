"""One camera's view of the tray: its calibration, what lies in the tray, and whether the calibration still holds."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.inputs import corrections
from device.inputs.calibration import Calibrator, Spot, failed, report
from device.inputs.corrections import Corrections
from device.shapes import CalibrationCheck, CalibrationReport
from vision.reading import KINDS

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, Image, Locks
    from vision.dice.sizes import KnownSizes
    from vision.dice.taught import Glimpse
    from vision.reading import Reading
    from vision.tray.drift import Drift
    from vision.tray.inside import InsideReader
    from vision.tray.motion import Grey, TrayState
    from vision.tray.outline import Tray

log = logging.getLogger("dugout.camera")

EVERY = 1.0  # seconds between two checks of whether the tray moved or the light changed
PACE = 0.25  # seconds between two steps of learning, each of which takes up to as long on a small Pi
STEPS = ("empty", "corners", "die", "dice", "forget")  # the steps of `TrayView.calibrate`


class TrayView:
    """Reads one camera's frames through its tray if one was calibrated, or else as `reader` does. `trays` is the folder
    with the calibrated trays, None to use none. `tell` receives a sentence about a fault of the tray, None if all is
    well. `lessons` are what the camera learns from corrections; None to learn nothing. Use it from one thread."""

    def __init__(
        self, reader: Any, trays: Path | None, tell: Callable[[str | None], None], lessons: Corrections | None = None
    ) -> None:
        self.tray: Tray | None = None
        self.met = False  # true once a camera was opened; only then `tray` shows whether it is calibrated
        # The dice that this camera was taught, in a sentence, and a sentence for each damaged one; False marks the
        # damaged ones.
        self.dice: list[tuple[bool, str]] = []
        self._reader, self._trays, self._tell, self._lessons = reader, trays, tell, lessons
        self._calibrator = None if trays is None else Calibrator(trays, reader)
        self._inside: InsideReader | None = None
        self._drift: Drift | None = None
        self._checked = self._learned = 0.0
        self._last: Grey | None = None
        self._kept: KnownSizes = {}

    def meet(self, frame: Frame) -> None:
        """Load the tray and the taught dice of a camera that was just opened; `frame` is its first."""
        from vision.tray.outline import TrayError
        from vision.tray.saved import load

        self._take(None)
        if self._trays is None:
            return
        picture = frame.full()
        size = picture.shape[1], picture.shape[0]
        self._recall(self._trays, frame.name, size)
        try:
            self._take(load(self._trays, frame.name, size))
        except TrayError as error:
            self._tell(str(error))
        self.met = True

    def _recall(self, trays: Path, camera: str, size: tuple[int, int]) -> None:
        """Load the dice that this camera was taught, and report the damaged ones."""
        from device.inputs import teaching
        from vision.dice.taught import FaceBank

        dice, damaged = teaching.load(teaching.home(trays, camera, size))
        if self._lessons is None:
            self._reader.taught = tuple(map(FaceBank, dice))
        else:
            self._lessons.meet(corrections.home(trays, camera, size), dice, self._reader)
        self.dice = [(True, teaching.listed(dice))] * bool(dice) + [(False, words) for words in damaged]
        for words in damaged:
            log.warning("%s", words)

    def _take(self, tray: Tray | None) -> None:
        from vision.dice.known_table import KnownTable
        from vision.tray.drift import Drift
        from vision.tray.inside import InsideReader

        self.tray, self._last, self._kept = tray, None, {} if tray is None else tray.sizes
        self._reader.table = KnownTable() if tray is None else tray.known
        self._inside = None if tray is None else InsideReader(self._reader, tray)
        self._drift = None if tray is None else Drift(tray)
        self._tell(None)

    def empty(self, picture: Image) -> Image | None:
        """Return the empty tray at the size of a picture; None if it is unknown."""
        if self.tray is None:
            return None
        import cv2
        import numpy as np

        size = picture.shape[1], picture.shape[0]
        return np.asarray(cv2.resize(self.tray.empty, size, interpolation=cv2.INTER_AREA), np.uint8)

    def seek(self, kinds: frozenset[str]) -> None:
        """Read dice of these kinds (of `vision.reading.KINDS`) from now on."""
        self._reader.kinds = kinds

    def read(self, frame: Image) -> Reading:
        """Read what lies in the tray."""
        reading: Reading = (self._inside or self._reader).read(frame)
        return reading

    def glimpse(self) -> Glimpse | None:
        """Return what the dice of the last reading looked like, as far as corrections may need it."""
        return None if self._lessons is None or not self._reader.taught else self._reader.glimpse

    def learn(self, frame: Frame, state: TrayState) -> None:
        """Learn from the dice read so far, and from corrections: a little at a time, while nothing moves."""
        if state.value not in ("empty", "settled") or 0 <= frame.when - self._learned < PACE:
            return
        self._learned = frame.when
        self._reader.learn()
        self._keep()
        if self._lessons is not None:
            self._lessons.attend()

    def _keep(self) -> None:
        """Store what the dice taught about the table, for the next evening, whenever a size of theirs is new."""
        from vision.tray import saved

        if self.tray is None or self._trays is None or (learned := self._reader.learned) is None:
            return
        place, sizes = learned
        if self._kept == sizes:
            return
        self._kept = sizes
        try:
            saved.save(self._trays, replace(self.tray, place=place, sizes=sizes))
        except OSError as error:
            log.warning("What the dice taught about the table was not kept: %s", error)

    def look(self, frame: Frame, state: TrayState) -> bool:
        """Check whether the tray or the light has changed; a tray that moved is found again once it is empty. Return
        True then: this frame shows it empty. Cheap: about once a second, and only while nothing moves."""
        if state.value == "empty":
            self._last = None
        if self._drift is None or self._inside is None or state.value not in ("empty", "settled", "hand"):
            return False
        if 0 <= frame.when - self._checked < EVERY:
            return False
        from vision.reading import DOUBTS

        self._checked = frame.when
        doubt = self._drift.update(frame.full(), frame.when, hand=state.value == "hand")
        self._inside.moved = doubt == "moved-tray"
        self._tell(None if doubt is None else DOUBTS[doubt])
        return self._inside.moved and self._find(frame.full())

    def _find(self, picture: Image) -> bool:
        """Find the tray again that moved; return False if that fails, or something lies in it."""
        from vision.tray import saved
        from vision.tray.found_again import found_again

        if self.tray is None or self._trays is None or (found := found_again(self.tray, picture)) is None:
            return False
        learned = self._reader.learned
        found = found if learned is None else replace(found, place=learned[0], sizes=learned[1])
        try:
            saved.save(self._trays, found)
        except OSError as error:
            log.warning("Where the tray is now was not kept: %s", error)
        self._take(found)
        log.info("The tray or the camera moved, and the tray was found again.")
        return True

    def again(self, picture: Image) -> bool:
        """True if a throw's picture shows the same dice as the last, untouched: something moved outside the tray."""
        if self.tray is None or self.tray.whole:
            return False
        from vision.tray.motion import changes, small_grey

        now = small_grey(self.tray.cover(picture))
        before, self._last = self._last, now
        return before is not None and not changes(before, now).any()

    def calibrate(
        self,
        step: str,
        camera: str,
        pictures: Sequence[Image],
        locks: Locks | None = None,
        corners: Sequence[Spot] = (),
    ) -> CalibrationReport:
        """Do one of STEPS with these pictures, taken while the camera held `locks`, and return its report. `corners`
        are those that were tapped for that step."""
        if self._calibrator is None:
            return failed(step, "kept", "There is nowhere to save a calibration.")
        self.seek(KINDS if step == "dice" else frozenset({"d6"}))
        try:
            if step == "forget":
                checks = self._calibrator.forget(camera)
                self._take(None)
                self._reader.taught, self.dice = (), []
                if self._lessons is not None:
                    self._lessons.forget()
            elif step == "empty":
                tray, checks = self._calibrator.empty(camera, pictures, locks)
                if tray is not None:
                    self._take(tray)
            elif self.tray is None:
                checks = [CalibrationCheck("empty", False, "Capture the empty tray first.")]
            elif step == "dice":
                checks = self._calibrator.dice(self.tray, pictures)
            elif step == "corners":
                tray, checks = self._calibrator.corners(self.tray, corners)
                self._take(tray)
            else:
                tray, checks = self._calibrator.die(self.tray, pictures)
                self._take(tray)
        except OSError as error:
            log.exception("A calibration was not kept.")
            checks = [CalibrationCheck("kept", False, f"Not saved: {error}")]
        return report(step, checks)
