"""The camera hand: watches the tray and offers each throw to the session. It may fail, vanish and come back alone."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.inputs.calibration import FRAMES, report
from device.inputs.camera_outage import CameraOutage
from device.inputs.roll_samples import RollSamples
from device.inputs.tray_view import STEPS, TrayView
from device.service.watchdog import Watchdog
from device.table.proposed_roll import SeenThrow
from device.table.session import Session
from engine.seats import Seat
from vision.matching import Wanted
from vision.tray.tracker import DiceTracker
from web.models import CalibrationCheck, CalibrationReport

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, Image, Locks, Source
    from vision.reading import Reading
    from vision.tray.motion import TrayState, Watcher

WORDS = {
    "empty": "The tray is empty.",
    "moving": "The dice are moving.",
    "hand": "A hand is in the tray.",
    "settled": "The dice lie still.",
    "unsure": "Getting to know the tray.",
    "off": "No camera.",
}
"""What the tray is doing, in a sentence."""

log = logging.getLogger("dugout.camera")

FIRST_WAIT = 0.5
"""Seconds before a lost camera is tried again; each time it waits twice as long, until one lasted."""

LASTS = 10.0
"""Seconds of pictures after which a camera has lasted: one that dies at once each time is not tried any faster."""

WAIT = 12.0
"""Seconds a step of the calibration may take."""

AWAY = 2.0
"""Seconds that a frame may be waited for: then it is told, and another hand that looks through this camera takes it for
lost. The camera's own thread may have to wait longer, until its driver gives up."""

SILENT = "The camera gives no picture: check its cable, and type the dice with the buttons or a phone meanwhile."

OPENS = 90.0
"""Seconds a camera may take to its first picture, before it is taken to hang: on a small Pi OpenCV alone wants 15."""

HANGS = 30.0
"""Seconds it may then take from picture to picture. One that V4L2 waits for in vain gives up after 10 by itself."""

DAZZLED = 0.5
"""Seconds, by the frames' own time, in which a camera that was told what to hold is not believed: the light jumps."""


class DiceCamera(threading.Thread):
    """A thread from frames to offered rolls.

    `open_source` gives a source of frames or raises OSError; after a failure it is tried again, ever more slowly, up
    to every `patience` seconds. OpenCV is loaded here and nowhere earlier: that takes long on a small Pi. `trays` is
    the folder of calibrations, None to use none; `lessons` are learned from, if any. `pulse` is told that the thread
    moves; while there is no camera it rests.
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
        self._asked = math.inf
        """Since when a frame is waited for."""
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
        self._sight: TrayView | None = None
        self._watcher: Watcher | None = None
        self._task: _Task | None = None
        self._wanted: Mapping[Seat, Wanted] | None = None
        self._follower: DiceTracker[Seat] = DiceTracker({})
        self._was = ""
        """What the tray was doing at the last frame."""
        self._lay: Reading | None = None
        """The last reading, whatever happened in the tray since: what lay there as a race begins."""

    def run(self) -> None:
        """Watch until `stop`."""
        wait = FIRST_WAIT
        while not self._done.is_set():
            self._pulse.beat("camera", OPENS)
            try:
                if self._sight is None:
                    from vision.reader import Reader

                    self._sight = TrayView(
                        Reader(), self._trays, lambda words: self._session.miss("tray", words), self._lessons
                    )
                tap = _FrameFeed(self._open(), self)
                try:
                    self._watch(tap, self._sight)
                finally:
                    wait = FIRST_WAIT if tap.lasted >= LASTS else wait
                    tap.close()
                if not self._done.is_set():
                    raise OSError("The film is over.")
            except (OSError, ValueError) as error:
                self._lose(str(error))
            except Exception:  # whatever else a driver or OpenCV raises: the game goes on without a camera
                log.exception("The camera hand failed.")
                self._lose("Reading the dice failed; the log says why.")
            self._pulse.rest("camera")
            self._done.wait(wait)
            wait = min(self._patience, wait * 2)

    def _watch(self, tap: _FrameFeed, sight: TrayView) -> None:
        """Read throws until the source ends."""
        from vision.annotate import snapshot
        from vision.throws import read_throws
        from vision.tray.motion import Watcher

        first = tap.peek()
        if first is None:
            return
        self._lost.tell(None)
        sight.meet(first)
        if sight.tray is not None and sight.tray.locks is not None:
            tap.lock(sight.tray.locks)
        self._watcher = Watcher(sight.empty(first.picture))

        def told(state: TrayState) -> None:
            self._told(state)
            sight.seek(self._session.kinds)
            if tap.last is not None:
                if self._follow(tap.last, sight):
                    return
                sight.look(tap.last, state)
                sight.learn(tap.last, state)
                self._attend(tap, tap.last, sight)

        def lies(reading: Reading) -> None:
            self._session.lie(reading.dice)

        for landing in read_throws(tap, sight, self._watcher, on_state=told, on_resting=lies):
            touched = landing.throw.touched
            if sight.again(landing.picture) and not touched:
                continue
            reading = landing.reading
            with self._lock:
                self._picture, self._reading = landing.picture, reading
            self._lay = reading
            proof = encoded(snapshot(landing.picture, reading))
            glimpse = sight.glimpse(reading)
            self._session.saw(
                SeenThrow(
                    reading.dice, landing.throw.start, reading.doubt, reading.advice, proof, touched, glimpse=glimpse
                )
            )

    def look(self) -> None:
        """Say so when a frame is waited for in vain; to be called some times a second, by any other thread."""
        with self._lock:
            silent = self._clock() - self._asked > AWAY
            if silent and not self._silent:
                self._silent = True
                self._session.watch("off", WORDS["off"])
                self._lost.tell(SILENT)

    def _wait(self, source: Source) -> Frame | None:
        """The next frame of the source, however long it takes."""
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

    def _told(self, state: TrayState) -> None:
        if state.value in ("empty", "moving", "hand"):
            with self._lock:
                self._reading = None
        if state.value == "empty" != self._was:
            self._session.lie(())
        self._was = state.value
        self._session.watch(state.value, WORDS[state.value])

    def _follow(self, frame: Frame, sight: TrayView) -> bool:
        """While a race is on, read each die of it in every frame, whatever the others do. Returns whether one is."""
        wanted = self._session.racing
        if wanted is None:
            return False
        if self._wanted is not wanted:
            self._wanted, self._follower = wanted, DiceTracker(wanted, self._lay)
        self._session.follow(frame.when, self._follower.update(sight.singles(frame.full()), frame.when))
        return True

    def _attend(self, tap: _FrameFeed, frame: Frame, sight: TrayView) -> None:
        """Go on with the calibration that is asked for, if one is."""
        with self._lock:
            task = self._task
        if task is None:
            return
        if task.late:
            self._undo(task, tap)
            with self._lock:
                self._task = None
            return
        if task.step == "empty" and not task.begun:
            # The light may be another than the one the camera was locked in.
            task.begun, task.held = True, tap.locks
            tap.lock(None)
        if tap.adjusting:
            return
        task.pictures.append(frame.full().copy())
        if len(task.pictures) < FRAMES and task.step != "forget":
            return
        before = sight.tray
        try:
            result = sight.calibrate(task.step, frame.name, task.pictures, tap.locks)
        except ValueError as error:
            result = report(task.step, [CalibrationCheck("camera", False, str(error))])
        if sight.tray is before:
            self._undo(task, tap)
        elif task.step == "empty" and self._watcher is not None:
            self._watcher.learn_empty(frame.picture)
        with self._lock:
            self._task = self._reading = None
        task.finish(result)

    def _undo(self, task: _Task, tap: _FrameFeed) -> None:
        """Let the camera hold what it held: what it found since, with dice or a hand in view, no tray was seen with."""
        if task.begun:
            tap.lock(task.held)

    @property
    def uncalibrated(self) -> bool:
        """Whether a camera was opened that was never shown its tray."""
        return self._sight is not None and self._sight.met and self._sight.tray is None

    @property
    def dice(self) -> list[tuple[bool, str]]:
        """Which dice this camera was taught, in a sentence, and one for each that is damaged: whether it is well."""
        return [] if self._sight is None else self._sight.dice

    def calibrate(self, step: str) -> CalibrationReport:
        """Do a step of the calibration, one of `sight.STEPS`; what came of it, as `device.inputs.calibration.report`
        has it.

        Waits for the camera, some seconds at most. Raises ValueError for an unknown step.
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
        self._lay = None
        self._session.lie(None)
        with self._lock:
            self._picture = self._reading = self._newest = None
            self._whens.clear()
            task, self._task = self._task, None
        if task is not None:
            task.finish(report(task.step, [CalibrationCheck("camera", False, "The camera was lost.")]))
        self._session.watch("off", WORDS["off"])
        self._lost.tell(f"No camera: type the dice with the buttons or a phone. {why}")

    def figures(self) -> dict[str, Any]:
        """How its pictures come: {fps: a second, of the last few, or None; locks: what it holds and at which values,
        None while it adjusts itself or can hold nothing}."""
        with self._lock:
            whens, locks = list(self._whens), self._locks
        lasted = whens[-1] - whens[0] if whens else 0.0
        return {"fps": (len(whens) - 1) / lasted if lasted > 0 else None, "locks": locks}

    def beside(self) -> Source:
        """The same camera for another hand that looks at another place in its picture."""
        return _FrameQueue(self)

    def jpeg(self) -> bytes | None:
        """The newest picture, with the reading drawn on while the dice lie still; None while there is none."""
        with self._lock:
            picture, reading = self._picture, self._reading
            tray = None if self._sight is None else self._sight.tray
        if picture is None:
            return None
        from vision.annotate import annotate

        shown = annotate(picture, reading) if reading else picture
        return encoded(shown if tray is None else tray.draw(shown))

    def stop(self) -> None:
        """End the thread; a camera that hangs is given up after two seconds."""
        self._done.set()
        if self.is_alive():
            self.join(2)


def encoded(picture: Image) -> bytes | None:
    """A picture as a JPEG; None if it cannot be one."""
    import cv2

    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return data.tobytes() if done else None


class _FrameFeed:
    """A source that leaves each picture with the camera hand on its way, and ends when the hand is stopped."""

    def __init__(self, source: Source, hand: DiceCamera) -> None:
        self.last: Frame | None = None
        self.lasted = 0.0
        """Seconds from the first frame to the last, by their own time."""
        self._source, self._hand = source, hand
        self._begun: tuple[float, tuple[int, ...]] | None = None
        self._waiting: Frame | None = None
        self._dazzled = -math.inf

    def peek(self) -> Frame | None:
        """The next frame, which `read` will give again."""
        self._waiting = self._hand._wait(self._source)
        return self._waiting

    def read(self) -> Frame | None:
        """The next frame in which the light has not just jumped; the others are shown, and nothing more."""
        while not self._hand._done.is_set():
            frame, self._waiting = self._waiting or self._hand._wait(self._source), None
            self._hand._pulse.beat("camera", HANGS)
            if frame is None:
                return None
            begun, shape = self._begun = self._begun or (frame.when, frame.picture.shape)
            if frame.picture.shape != shape:
                raise OSError("The camera gives pictures of another size all at once: it is opened anew.")
            self.last, self.lasted = frame, frame.when - begun
            with self._hand._news:
                self._hand._newest, self._hand._locks = frame, self.locks
                self._hand._whens.append(frame.when)
                self._hand._news.notify_all()
                if self._hand._reading is None:
                    self._hand._picture = frame.picture
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
        """Whether the camera still looks for exposure and balance to hold."""
        from vision.cameras.frames import Locking

        return isinstance(self._source, Locking) and self._source.locks is None

    def lock(self, kept: Locks | None) -> None:
        from vision.cameras.frames import Locking

        if isinstance(self._source, Locking):
            self._source.lock(kept)
            seen = self._waiting or self.last
            self._dazzled = -math.inf if seen is None else seen.when + DAZZLED


class _FrameQueue:
    """The frames of a camera hand as they come, each once; those that come too fast are passed over."""

    def __init__(self, hand: DiceCamera) -> None:
        self._hand = hand
        self._last: Frame | None = None

    def read(self) -> Frame:
        hand = self._hand
        with hand._news:
            hand._news.wait_for(lambda: hand._newest is not self._last, AWAY)
            if hand._newest is None or hand._newest is self._last:
                raise OSError("The camera over the tray gives no picture.")
            self._last = hand._newest
            return self._last

    def close(self) -> None:
        """The camera stays open for the dice."""


class _Task:
    """A step of the calibration that another thread waits for; it gathers its pictures on the camera's."""

    def __init__(self, step: str) -> None:
        self.step = step
        self.begun = self.late = False
        self.held: Locks | None = None
        self.pictures: list[Image] = []
        self.result: CalibrationReport | None = None
        self.done = threading.Event()

    def finish(self, result: CalibrationReport) -> None:
        """Say what came of it."""
        self.result = result
        self.done.set()
