"""The dice camera: watch the tray and offer each throw to the session. The camera may fail, vanish and come back."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from device.inputs.calibration import FRAMES, report
from device.inputs.camera_outage import CameraOutage
from device.inputs.roll_samples import RollSamples
from device.inputs.tray_view import STEPS, TrayView
from device.service.watchdog import Watchdog
from device.table.session import Session
from device.table.throw_match import SeenThrow
from engine.seats import Seat
from vision.matching import Wanted
from vision.tray.tracker import DiceTracker
from web.models import CalibrationCheck, CalibrationReport, CameraFigures

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, Image, Locks, Source
    from vision.reading import Reading
    from vision.tray.motion import TrayState, Watcher

# The state of the tray, in a sentence.
WORDS = {
    "empty": "The tray is empty.",
    "moving": "The dice are moving.",
    "hand": "A hand is in the tray.",
    "settled": "The dice lie still.",
    "unsure": "Getting to know the tray.",
    "off": "No camera.",
}

log = logging.getLogger("dugout.camera")

FIRST_WAIT = 0.5  # seconds before a lost camera is tried again; the wait doubles each time until a camera has lasted
LASTS = 10.0  # seconds of pictures after which a camera has lasted: a camera that dies at once is not tried any sooner
WAIT = 12.0  # seconds that a calibration step may take
# Seconds without a frame after which people are notified, and the board camera that shares this camera treats it as
# lost. The camera's own thread may have to wait longer, until its driver gives up.
AWAY = 2.0

SILENT = "The camera gives no picture: check its cable, and type the dice with the buttons or a phone meanwhile."

# Seconds a camera may take to its first picture before it counts as hung: on a small Pi, OpenCV alone takes 15.
OPENS = 90.0
HANGS = 30.0  # Seconds it may then take from picture to picture. V4L2 itself gives up after 10 seconds without a frame.
DAZZLED = 0.5  # seconds, by the frames' own time, to ignore a camera after its settings were locked: the light jumps


class DiceCamera(threading.Thread):
    """A thread from frames to offered rolls.

    `open_source` returns a source of frames or raises OSError. After a failure it is tried again, more and more slowly,
    up to every `patience` seconds. The thread loads OpenCV, because that takes long on a small Pi. `trays` is the
    folder of calibrations, None to use none; `lessons`, if any, teach the reader. The thread reports to `pulse` while
    it runs, and rests while there is no camera.
    """

    def __init__(
        self,
        session: Session,
        open_source: Callable[[], Source],
        patience: float = 8.0,
        trays: Path | None = None,
        lessons: RollSamples | None = None,
        pulse: Watchdog | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self._clock = clock
        self._asked = math.inf  # when the thread began to wait for a frame
        self._silent = False
        self._pulse, self._lost = pulse or Watchdog(), CameraOutage(session, "camera", log)
        self._session, self._open, self._patience = session, open_source, patience
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._newest: Frame | None = None
        self._whens: deque[float] = deque(maxlen=30)
        self._locks: Locks | None = None
        self._picture: Image | None = None
        self._reading: Reading | None = None
        self._trays, self._lessons = trays, lessons
        self._view: TrayView | None = None
        self._watcher: Watcher | None = None
        self._task: _Task | None = None
        self._wanted: Mapping[Seat, Wanted] | None = None
        self._follower: DiceTracker[Seat] = DiceTracker({})
        self._state = ""  # the state of the tray in the last frame
        # The last reading, whatever has happened in the tray since: a race starts from it.
        self._last_reading: Reading | None = None

    def run(self) -> None:
        """Watch until `stop`."""
        wait = FIRST_WAIT
        while not self._done.is_set():
            self._pulse.beat("camera", OPENS)
            try:
                if self._view is None:
                    from vision.reader import Reader

                    self._view = TrayView(
                        Reader(), self._trays, lambda words: self._session.miss("tray", words), self._lessons
                    )
                feed = _FrameFeed(self._open(), self)
                try:
                    self._watch(feed, self._view)
                finally:
                    wait = FIRST_WAIT if feed.lasted >= LASTS else wait
                    feed.close()
                if not self._done.is_set():
                    raise OSError("The film is over.")
            except (OSError, ValueError) as error:
                self._lose(str(error))
            except Exception:  # whatever else a driver or OpenCV raises: the game goes on without a camera
                log.exception("The dice camera failed.")
                self._lose("Reading the dice failed; the log says why.")
            self._pulse.rest("camera")
            self._done.wait(wait)
            wait = min(self._patience, wait * 2)

    def _watch(self, feed: _FrameFeed, view: TrayView) -> None:
        """Read throws until the source ends."""
        from vision.annotate import snapshot
        from vision.throws import read_throws
        from vision.tray.motion import Watcher

        first = feed.peek()
        if first is None:
            return
        self._lost.tell(None)
        view.meet(first)
        if view.tray is not None and view.tray.locks is not None:
            feed.lock(view.tray.locks)
        self._watcher = Watcher(view.empty(first.picture))

        def on_state(state: TrayState) -> None:
            self._note_state(state)
            view.seek(self._session.kinds)
            if feed.last is not None:
                if self._follow(feed.last, view):
                    return
                view.look(feed.last, state)
                view.learn(feed.last, state)
                self._attend(feed, feed.last, view)

        def on_resting(reading: Reading) -> None:
            self._session.lie(reading.dice)

        for landing in read_throws(feed, view, self._watcher, on_state=on_state, on_resting=on_resting):
            touched = landing.throw.touched
            if view.again(landing.picture) and not touched:
                continue
            reading = landing.reading
            with self._lock:
                self._picture, self._reading = landing.picture, reading
            self._last_reading = reading
            proof = encoded(snapshot(landing.picture, reading))
            glimpse = view.glimpse(reading)
            self._session.saw(
                SeenThrow(
                    reading.dice, landing.throw.start, reading.doubt, reading.advice, proof, touched, glimpse=glimpse
                )
            )

    def look(self) -> None:
        """Report a camera that gives no frame. Call it a few times a second from any other thread."""
        with self._lock:
            silent = self._clock() - self._asked > AWAY
            if silent and not self._silent:
                self._silent = True
                self._session.watch("off", WORDS["off"])
                self._lost.tell(SILENT)

    def _wait(self, source: Source) -> Frame | None:
        """Return the next frame of the source, however long it takes."""
        with self._lock:
            self._asked = self._clock()
        try:
            return source.read()
        finally:
            with self._lock:
                self._asked = math.inf
                if self._silent:
                    self._silent = False
                    self._lost.tell(None)

    def _note_state(self, state: TrayState) -> None:
        if state.value in ("empty", "moving", "hand"):
            with self._lock:
                self._reading = None
        if state.value == "empty" != self._state:
            self._session.lie(())
        self._state = state.value
        self._session.watch(state.value, WORDS[state.value])

    def _follow(self, frame: Frame, view: TrayView) -> bool:
        """In a race, read each of its dice in every frame, whatever the others do. Returns True during a race."""
        wanted = self._session.racing
        if wanted is None:
            return False
        if self._wanted is not wanted:
            self._wanted, self._follower = wanted, DiceTracker(wanted, self._last_reading)
        self._session.follow(frame.when, self._follower.update(view.singles(frame.full()), frame.when))
        return True

    def _attend(self, feed: _FrameFeed, frame: Frame, view: TrayView) -> None:
        """Continue the calibration step that waits, if any."""
        with self._lock:
            task = self._task
        if task is None:
            return
        if task.late:
            self._undo(task, feed)
            with self._lock:
                self._task = None
            return
        if task.step == "empty" and not task.begun:
            # The light may have changed since the camera was locked.
            task.begun, task.held = True, feed.locks
            feed.lock(None)
        if feed.adjusting:
            return
        task.pictures.append(frame.full().copy())
        if len(task.pictures) < FRAMES and task.step != "forget":
            return
        before = view.tray
        try:
            result = view.calibrate(task.step, frame.name, task.pictures, feed.locks)
        except ValueError as error:
            result = report(task.step, [CalibrationCheck("camera", False, str(error))])
        if view.tray is before:
            self._undo(task, feed)
        elif task.step == "empty" and self._watcher is not None:
            self._watcher.learn_empty(frame.picture)
        with self._lock:
            self._task = self._reading = None
        task.finish(result)

    def _undo(self, task: _Task, feed: _FrameFeed) -> None:
        """Restore the camera's locks: those it has found since, with dice or a hand in view, belong to no tray."""
        if task.begun:
            feed.lock(task.held)

    @property
    def uncalibrated(self) -> bool:
        """True if a camera was opened that has no calibrated tray."""
        return self._view is not None and self._view.met and self._view.tray is None

    @property
    def dice(self) -> list[tuple[bool, str]]:
        """The dice that this camera was taught, in a sentence, and a sentence for each damaged one; False marks the
        damaged ones.
        """
        return [] if self._view is None else self._view.dice

    def calibrate(self, step: str) -> CalibrationReport:
        """Do a calibration step, one of `tray_view.STEPS`, and return its report (see
        `device.inputs.calibration.report`).

        Waits for the camera, a few seconds at most. Raises ValueError for an unknown step.
        """
        if step not in STEPS:
            raise ValueError(f"There is no step {step!r} in a calibration; there are {', '.join(STEPS)}.")
        task = _Task(step)
        with self._lock:
            if self._picture is None:
                return report(step, [CalibrationCheck("camera", False, "There is no camera picture.")])
            if self._task is not None:
                return report(
                    step, [CalibrationCheck("camera", False, "The camera is still busy with the step before.")]
                )
            self._task = task
        task.late = not task.done.wait(WAIT)
        return task.result or report(step, [CalibrationCheck("camera", False, "The camera gave no picture in time.")])

    def _lose(self, why: str) -> None:
        self._last_reading = None
        self._session.lie(None)
        with self._lock:
            self._picture = self._reading = self._newest = None
            self._whens.clear()
            task, self._task = self._task, None
        if task is not None:
            task.finish(report(task.step, [CalibrationCheck("camera", False, "The camera was lost.")]))
        self._session.watch("off", WORDS["off"])
        self._lost.tell(f"No camera: type the dice with the buttons or a phone. {why}")

    def figures(self) -> CameraFigures:
        """Return the frame rate and the locks of the camera."""
        with self._lock:
            whens, locks = list(self._whens), self._locks
        lasted = whens[-1] - whens[0] if whens else 0.0
        return CameraFigures((len(whens) - 1) / lasted if lasted > 0 else None, locks)

    def beside(self) -> Source:
        """Return this camera as a source for another input that looks at a different part of its picture."""
        return _FrameQueue(self)

    def jpeg(self) -> bytes | None:
        """Return the newest picture, with the reading drawn on while the dice lie still; None while there is none."""
        with self._lock:
            picture, reading = self._picture, self._reading
            tray = None if self._view is None else self._view.tray
        if picture is None:
            return None
        from vision.annotate import annotate

        shown = annotate(picture, reading) if reading else picture
        return encoded(shown if tray is None else tray.draw(shown))

    def stop(self) -> None:
        """End the thread; give up on a camera that hangs after two seconds."""
        self._done.set()
        if self.is_alive():
            self.join(2)


def encoded(picture: Image) -> bytes | None:
    """Return a picture as a JPEG; None if it cannot be encoded."""
    import cv2

    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return data.tobytes() if done else None


class _FrameFeed:
    """A source that shares each picture with the dice camera, and ends when the dice camera is stopped."""

    def __init__(self, source: Source, camera: DiceCamera) -> None:
        self.last: Frame | None = None
        self.lasted = 0.0  # seconds from the first frame to the last, by their own time
        self._source, self._camera = source, camera
        self._begun: tuple[float, tuple[int, ...]] | None = None
        self._waiting: Frame | None = None
        self._dazzled = -math.inf

    def peek(self) -> Frame | None:
        """Return the next frame without consuming it."""
        self._waiting = self._camera._wait(self._source)
        return self._waiting

    def read(self) -> Frame | None:
        """Return the next frame after the light has settled; frames before that are only shown."""
        while not self._camera._done.is_set():
            frame, self._waiting = self._waiting or self._camera._wait(self._source), None
            self._camera._pulse.beat("camera", HANGS)
            if frame is None:
                return None
            begun, shape = self._begun = self._begun or (frame.when, frame.picture.shape)
            if frame.picture.shape != shape:
                raise OSError("The camera gives pictures of another size all at once: it is opened anew.")
            self.last, self.lasted = frame, frame.when - begun
            with self._camera._news:
                self._camera._newest, self._camera._locks = frame, self.locks
                self._camera._whens.append(frame.when)
                self._camera._news.notify_all()
                if self._camera._reading is None:
                    self._camera._picture = frame.picture
            if frame.when >= self._dazzled:
                return frame
        return None

    def close(self) -> None:
        self._source.close()

    @property
    def locks(self) -> Locks | None:
        from vision.cameras.frames import Locking

        return self._source.locks if isinstance(self._source, Locking) else None

    @property
    def adjusting(self) -> bool:
        """True while the camera is still looking for exposure and white balance to hold."""
        from vision.cameras.frames import Locking

        return isinstance(self._source, Locking) and self._source.locks is None

    def lock(self, kept: Locks | None) -> None:
        from vision.cameras.frames import Locking

        if isinstance(self._source, Locking):
            self._source.lock(kept)
            seen = self._waiting or self.last
            self._dazzled = -math.inf if seen is None else seen.when + DAZZLED


class _FrameQueue:
    """The frames of a dice camera, each at most once; a slow reader skips frames."""

    def __init__(self, camera: DiceCamera) -> None:
        self._camera = camera
        self._last: Frame | None = None

    def read(self) -> Frame:
        camera = self._camera
        with camera._news:
            camera._news.wait_for(lambda: camera._newest is not self._last, AWAY)
            if camera._newest is None or camera._newest is self._last:
                raise OSError("The camera over the tray gives no picture.")
            self._last = camera._newest
            return self._last

    def close(self) -> None:
        """Do nothing: the dice camera stays open."""


class _Task:
    """A calibration step that another thread waits for; the camera's thread collects its pictures."""

    def __init__(self, step: str) -> None:
        self.step = step
        self.begun = self.late = False
        self.held: Locks | None = None
        self.pictures: list[Image] = []
        self.result: CalibrationReport | None = None
        self.done = threading.Event()

    def finish(self, result: CalibrationReport) -> None:
        """Set the result and wake the waiting thread."""
        self.result = result
        self.done.set()
