"""The dice camera, which watches the tray and offers each throw to the session."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.inputs.calibration import FRAMES_PER_PICTURE, PicturePoint, failure_report
from device.inputs.camera_thread import FRAME_TIMEOUT_S, HANG_TIMEOUT_S, CameraThread, encode_jpeg
from device.inputs.corrections import LearnedCorrections
from device.inputs.picture_check import PictureCheck
from device.inputs.tray_view import CALIBRATION_STEPS, TrayReader
from device.service.watchdog import Watchdog
from device.shapes import CalibrationReport, CameraFigures
from device.storage.roll_pictures import with_comment
from device.table.session import GameSession
from device.table.throw_match import SeenThrow
from engine.seats import Seat
from vision.matching import WantedDie
from vision.tray.tracker import DiceTracker

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, FrameSource, Image, LockableSource, LockedSettings
    from vision.clips import RecentFrames
    from vision.reading import Reading
    from vision.tray.motion import TrayState, TrayWatcher

log = logging.getLogger("dugout.camera")

# State of the tray, in a sentence.
TRAY_STATE_TEXTS = {
    "empty": "The tray is empty.",
    "moving": "The dice are moving.",
    "hand": "A hand is in the tray.",
    "settled": "The dice are still.",
    "unsure": "Learning the tray.",
    "off": "No camera.",
}

CALIBRATION_TIMEOUT_S = 20.0  # timeout of a calibration step, in seconds, with time for exposure, flicker and focus
LIGHT_SETTLE_S = 0.5
"""Seconds of frames to ignore after the camera's settings were locked, because the light jumps."""


class DiceCamera(CameraThread):
    """A thread that turns frames into offered rolls. See `CameraThread`.

    The thread loads OpenCV, because that takes long on a small Pi. `trays` is the folder of calibrations, None to use
    none. `lessons` learns from corrections.
    """

    part = pulse_name = "camera"
    subject = "dice"
    silent_advice = (
        "No picture from the camera: check its cable, and enter the dice with the buttons or a phone for now."
    )

    def __init__(
        self,
        session: GameSession,
        open_source: Callable[[], FrameSource],
        patience: float = 8.0,
        trays: Path | None = None,
        lessons: LearnedCorrections | None = None,
        pulse: Watchdog | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(session, open_source, patience, pulse, clock)
        self._news = threading.Condition(self._lock)
        self._newest: Frame | None = None
        self._frame_times: deque[float] = deque(maxlen=30)
        self._locks: LockedSettings | None = None
        self._damaged_count = 0
        self._picture: Image | None = None
        self._reading: Reading | None = None
        self._trays, self._lessons = trays, lessons
        self._view: TrayReader | None = None
        self._watcher: TrayWatcher | None = None
        self._task: _CalibrationTask | None = None
        self._wanted: Mapping[Seat, WantedDie] | None = None
        self._race_tracker: DiceTracker[Seat] = DiceTracker({})
        self._state = ""  # state of the tray in the last frame
        # The last reading, whatever happened in the tray since. A race starts from it.
        self._last_reading: Reading | None = None

    def _use_camera(self) -> None:
        if self._view is None:
            from vision.reader import Reader

            reader = Reader()
            self._view = TrayReader(
                reader, self._trays, lambda words: self._session.game.notices.set_fault("tray", words), self._lessons
            )
        feed = _FrameFeed(self._open(), self)
        try:
            self._watch_tray(feed, self._view)
        finally:
            feed.close()
        if not self._done.is_set():
            raise OSError("The video has ended.")

    def _watch_tray(self, feed: _FrameFeed, view: TrayReader) -> None:
        from vision.annotate import crop_dice
        from vision.clips import RecentFrames
        from vision.throws import read_throws
        from vision.tray.motion import TrayWatcher

        first = feed.peek_frame()
        if first is None:
            return
        self._report_fault(None)
        view.load_camera_data(first)
        if view.tray is not None and view.tray.locks is not None:
            feed.lock_settings(view.tray.locks)
        watcher = self._watcher = TrayWatcher(view.empty_tray_image(first.picture))
        recent = feed.recent = RecentFrames()
        recent.crop_to_tray(tray := view.tray)
        check = PictureCheck()

        def on_state(state: TrayState) -> None:
            nonlocal tray
            if view.tray is not tray:
                recent.crop_to_tray(tray := view.tray)
            # Reading takes a moment. Until then the dice count as moving, so that no display asks for them again.
            if watcher.throw is None and feed.last is not None:
                self._set_state(state, feed.last.when)
            view.set_kinds(self._session.rolls.kinds)
            if feed.last is not None:
                if self._track_race(feed.last, view):
                    return
                if view.check_tray(feed.last, state):
                    watcher.learn_empty_tray(feed.last.picture)
                view.learn_if_still(feed.last, state)
                blurred = check.process_frame(feed.last, state, watcher.lamp_flickers, view.tray is not None)
                if blurred and feed.has_autofocus:
                    feed.lock_settings(None)
                self._session.game.notices.set_fault("picture", check.advice or feed.advice)
                self._continue_calibration(feed, feed.last, view)

        def on_resting(reading: Reading) -> None:
            self._session.rolls.handle_resting_dice(reading)

        throws = read_throws(feed, view, watcher, on_state=on_state, on_resting=on_resting, in_tray=view.is_in_tray)
        for landing in throws:
            touched = landing.throw.touched
            reading = landing.reading
            if view.is_same_picture(landing.picture) and not touched:
                on_resting(reading)
                continue
            with self._lock:
                self._picture, self._reading = landing.picture, reading
            self._last_reading = reading
            drawn = encode_jpeg(crop_dice(landing.picture, reading))
            proof = drawn and with_comment(drawn, json.dumps(reading.as_json()))
            glimpse = view.last_glimpse()
            began, clip = (
                landing.throw.start,
                None if touched else recent.throw_clip(landing.throw.start, landing.throw.end),
            )
            if reading.doubt_reason:
                log.info("A throw is asked about: %s", reading.doubt_reason)
            self._session.rolls.handle_throw(
                SeenThrow(reading, began, proof, touched, glimpse, clip, landing.throw.by_hand)
            )

    def _handle_silence(self) -> None:
        self._session.rolls.set_camera_state("off", TRAY_STATE_TEXTS["off"])

    def _set_state(self, state: TrayState, when: float) -> None:
        if state.value in ("empty", "moving", "hand"):
            with self._lock:
                self._reading = None
        if state.value == "empty" != self._state:
            self._session.rolls.set_resting_dice(())
        self._state = state.value
        self._session.rolls.set_camera_state(state.value, TRAY_STATE_TEXTS[state.value], when)

    def _track_race(self, frame: Frame, view: TrayReader) -> bool:
        """During a race, read each of its dice in every frame. Returns True during a race."""
        wanted = self._session.race.wanted_dice
        if wanted is None:
            return False
        from vision.tray.spin import doubt_spinning_dice

        if self._wanted is not wanted:
            self._wanted, self._race_tracker = wanted, DiceTracker(wanted, self._last_reading)
        picture = frame.full_picture()
        reading = doubt_spinning_dice(picture, view.read_dice(picture))
        self._session.race.record_dice(frame.when, self._race_tracker.process_reading(reading, frame.when))
        return True

    def _continue_calibration(self, feed: _FrameFeed, frame: Frame, view: TrayReader) -> None:
        with self._lock:
            task = self._task
        if task is None:
            return
        if task.late:
            self._restore_locks(task, feed)
            with self._lock:
                self._task = None
            return
        if task.step == "empty" and not task.begun:
            # The light may have changed since the camera was locked.
            task.begun, task.held = True, feed.locks
            feed.lock_settings(None)
        if feed.is_adjusting:
            return
        task.pictures.append(frame.full_picture().copy())
        if len(task.pictures) < FRAMES_PER_PICTURE and task.step not in ("corners", "forget"):
            return
        before = view.tray
        try:
            result = view.run_calibration_step(task.step, frame.name, task.pictures, feed.locks, task.corners)
        except ValueError as error:
            result = failure_report(task.step, "camera", str(error))
        if view.tray is before:
            self._restore_locks(task, feed)
        elif task.step == "empty" and self._watcher is not None:
            self._watcher.learn_empty_tray(frame.picture)
        with self._lock:
            self._task = self._reading = None
        task.set_result(result)

    def _restore_locks(self, task: _CalibrationTask, feed: _FrameFeed) -> None:
        """Restore the camera's locks, because those found since, with dice or a hand in view, fit no tray."""
        if task.begun:
            feed.lock_settings(task.held)

    @property
    def is_uncalibrated(self) -> bool:
        """True if a camera was opened that has no calibrated tray."""
        return self._view is not None and self._view.met and self._view.tray is None

    @property
    def taught_dice_sentences(self) -> list[tuple[bool, str]]:
        """Sentences about this camera's taught dice: True with their list, False with each damaged file."""
        return [] if self._view is None else self._view.dice

    def run_calibration_step(self, step: str, corners: Sequence[PicturePoint] = ()) -> CalibrationReport:
        """Run one of `tray_view.CALIBRATION_STEPS` and return its report.

        `corners` as in `Calibrator.store_corners`. Waits up to `CALIBRATION_TIMEOUT_S` for the camera. Raises
        ValueError for an unknown step.
        """
        if step not in CALIBRATION_STEPS:
            raise ValueError(f"There is no step {step!r} in a calibration; there are {', '.join(CALIBRATION_STEPS)}.")
        task = _CalibrationTask(step, corners)
        with self._lock:
            if self._picture is None:
                return failure_report(step, "camera", "There is no picture from the camera.")
            if self._task is not None:
                return failure_report(step, "camera", "The camera is still busy with the previous step.")
            self._task = task
        task.late = not task.done.wait(CALIBRATION_TIMEOUT_S)
        return task.result or failure_report(step, "camera", "The camera gave no picture in time.")

    def _handle_loss(self, why: str) -> None:
        self._last_reading = None
        self._session.rolls.set_resting_dice(None)
        with self._lock:
            self._picture = self._reading = self._newest = None
            self._frame_times.clear()
            task, self._task = self._task, None
        if task is not None:
            task.set_result(failure_report(task.step, "camera", "The camera was lost."))
        self._session.rolls.set_camera_state("off", TRAY_STATE_TEXTS["off"])
        self._session.game.notices.set_fault("picture", None)
        self._report_fault(f"No camera: enter the dice with the buttons or a phone. {why}")

    def camera_figures(self) -> CameraFigures:
        with self._lock:
            whens, locks = list(self._frame_times), self._locks
        lasted = whens[-1] - whens[0] if whens else 0.0
        return CameraFigures((len(whens) - 1) / lasted if lasted > 0 else None, locks, self._damaged_count)

    def shared_source(self) -> FrameSource:
        """This camera as a source for another input that reads a different part of its picture."""
        return _FrameQueue(self)

    @property
    def is_stopping(self) -> bool:
        return self._done.is_set()

    def share_frame(self, frame: Frame, locks: LockedSettings | None, lasted: float, damaged: int = 0) -> None:
        """Share the next frame with `newest_jpeg`, `camera_figures` and other readers.

        `locks` are those of the frame, `lasted` the seconds of pictures since the camera was opened, and `damaged` the
        number of damaged ones.
        """
        self._uptime_s, self._damaged_count = lasted, damaged
        self._pulse.beat(self.pulse_name, HANG_TIMEOUT_S)
        with self._news:
            self._newest, self._locks = frame, locks
            self._frame_times.append(frame.when)
            self._news.notify_all()
            if self._reading is None:
                self._picture = frame.picture

    def newest_frame(self, last: Frame | None) -> Frame:
        """Wait for a newer frame than `last`. Raises OSError after `FRAME_TIMEOUT_S`."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not last, FRAME_TIMEOUT_S)
            if self._newest is None or self._newest is last:
                raise OSError("No picture from the tray camera.")
            return self._newest

    def newest_jpeg(self) -> bytes | None:
        """The newest picture, with the reading drawn on it while the dice rest. None if there is none."""
        with self._lock:
            picture, reading = self._picture, self._reading
            tray = None if self._view is None else self._view.tray
        if picture is None:
            return None
        from vision.annotate import annotate_reading

        shown = annotate_reading(picture, reading) if reading else picture
        return encode_jpeg(shown if tray is None else tray.draw_outline(shown))


class _FrameFeed:
    """A source that shares each picture with the dice camera and `recent`, and ends when the camera is stopped."""

    def __init__(self, source: FrameSource, camera: DiceCamera) -> None:
        self.last: Frame | None = None
        self.recent: RecentFrames | None = None
        self._source, self._camera = source, camera
        self._first: Frame | None = None
        self._waiting: Frame | None = None
        self._ignored_until = -math.inf  # end of the time for which frames are ignored, by their own time

    def peek_frame(self) -> Frame | None:
        self._waiting = self._camera.next_frame(self._source)
        return self._waiting

    def read_frame(self) -> Frame | None:
        """Return the next frame after the light has settled. Earlier frames are only shown."""
        while not self._camera.is_stopping:
            frame, self._waiting = self._waiting or self._camera.next_frame(self._source), None
            if frame is None:
                return None
            self._first = self._first or frame
            if frame.picture.shape != self._first.picture.shape:
                raise OSError("The camera's picture size changed: reopening it.")
            self.last = frame
            damaged = getattr(self._source, "damaged_count", 0)
            self._camera.share_frame(frame, self.locks, frame.when - self._first.when, damaged)
            if self.recent is not None:
                self.recent.add_frame(frame.picture, frame.when)
            if frame.when >= self._ignored_until:
                return frame
        return None

    def close(self) -> None:
        self._source.close()

    @property
    def _locking_source(self) -> LockableSource | None:
        from vision.cameras.frames import LockableSource

        return self._source if isinstance(self._source, LockableSource) else None

    @property
    def locks(self) -> LockedSettings | None:
        return self._locking_source.locks if self._locking_source else None

    @property
    def advice(self) -> str | None:
        """What to do about a setting that the camera could not find, or None."""
        return self._locking_source.advice if self._locking_source else None

    @property
    def has_autofocus(self) -> bool:
        return "focus" in (self.locks or {})

    @property
    def is_adjusting(self) -> bool:
        """True while the camera still searches for exposure and white balance to lock."""
        return self._locking_source is not None and self._locking_source.locks is None

    def lock_settings(self, kept: LockedSettings | None) -> None:
        if self._locking_source is not None:
            self._locking_source.lock_settings(kept)
            seen = self._waiting or self.last
            self._ignored_until = -math.inf if seen is None else seen.when + LIGHT_SETTLE_S


class _FrameQueue:
    """Frames of a dice camera, each at most once. A slow reader skips frames."""

    def __init__(self, camera: DiceCamera) -> None:
        self._camera = camera
        self._last: Frame | None = None

    def read_frame(self) -> Frame:
        self._last = self._camera.newest_frame(self._last)
        return self._last

    def close(self) -> None:
        """Do nothing, because the dice camera stays open."""


class _CalibrationTask:
    """A calibration step that another thread waits for. The camera's thread collects its pictures."""

    def __init__(self, step: str, corners: Sequence[PicturePoint] = ()) -> None:
        self.step, self.corners = step, corners
        self.begun = self.late = False
        self.held: LockedSettings | None = None
        self.pictures: list[Image] = []
        self.result: CalibrationReport | None = None
        self.done = threading.Event()

    def set_result(self, result: CalibrationReport) -> None:
        self.result = result
        self.done.set()
