"""The board hand: watches the printed board while pieces are to be laid on it, and tells the session what lies
there."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from device.inputs.camera_outage import CameraOutage
from device.inputs.dice_camera import AWAY, FIRST_WAIT, HANGS, LASTS, OPENS, encoded
from device.service.watchdog import Watchdog
from device.table.board_layout import LayoutAsk
from device.table.session import Session

if TYPE_CHECKING:
    from vision.board import read
    from vision.cameras.frames import Frame, Image, Source

log = logging.getLogger("dugout.board")

IDLE = 0.2
"""Seconds between two looks at whether anything is to be laid."""

PACE = 0.09
"""Seconds between two frames that are read: ten a second are enough, and leave a small Pi time for the dice."""


SILENT = "The camera over the board gives no picture: check its cable, and lay them on a phone or with the buttons."


class BoardCamera(threading.Thread):
    """A thread from frames to what lies; its camera is open only while something is to be laid.

    `open_source` gives a source of frames or raises OSError; after a failure it is tried again, ever more slowly, up
    to every `patience` seconds. OpenCV is loaded by the first frame. `pulse` is told that the thread moves; while it
    has nothing to look at it rests.
    """

    def __init__(
        self,
        session: Session,
        open_source: Callable[[], Source],
        patience: float = 8.0,
        pulse: Watchdog | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name="board", daemon=True)
        self._clock = clock
        self._asked = math.inf
        """Since when a frame is waited for."""
        self._lasted = 0.0
        """Seconds of pictures since the camera was opened, by their own time."""
        self._silent = False
        self._pulse, self._lost = pulse or Watchdog(), CameraOutage(session, "board", log)
        self._session, self._open, self._patience = session, open_source, patience
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._laying: LayoutAsk | None = None
        self._watcher: read.BoardWatcher | None = None
        self._looked = -math.inf
        self._picture: Image | None = None
        self._seen: read.Layout | None = None

    def run(self) -> None:
        """Watch until `stop`."""
        wait = FIRST_WAIT
        while not self._done.is_set():
            if self._session.laying is None:
                self._done.wait(IDLE)
                continue
            self._looked, self._lasted = -math.inf, 0.0
            try:
                self._watch()
                wait = FIRST_WAIT
                continue
            except (OSError, ValueError) as error:
                self._lose(str(error))
            except Exception:  # whatever else a driver or OpenCV raises: the game goes on without this camera
                log.exception("The board hand failed.")
                self._lose("Reading the board failed; the log says why.")
            wait = FIRST_WAIT if self._lasted >= LASTS else wait
            self._done.wait(wait)
            wait = min(self._patience, wait * 2)

    def _watch(self) -> None:
        """Look at frames while something is to be laid. Raises CameraError."""
        self._pulse.beat("board camera", OPENS)
        try:
            self._look_on(self._open())
        finally:
            self._pulse.rest("board camera")

    def _look_on(self, source: Source) -> None:
        begun = math.inf
        try:
            while not self._done.is_set() and (laying := self._session.laying) is not None:
                frame = self._wait(source)
                if frame is None:
                    raise OSError("The film is over.")
                begun = min(begun, frame.when)
                self._lasted = frame.when - begun
                self._pulse.beat("board camera", HANGS)
                self._lost.tell(None)
                self._look(frame, laying)
        finally:
            source.close()

    def look(self) -> None:
        """Say so when a frame is waited for in vain; to be called some times a second, by any other thread."""
        with self._lock:
            silent = self._clock() - self._asked > AWAY
            if silent and not self._silent:
                self._silent = True
                if self._laying is not None:
                    self._session.lies(self._laying, None)
                self._lost.tell(SILENT)

    def _wait(self, source: Source) -> Frame | None:
        """The next frame of the source, however long it takes."""
        with self._lock:
            self._asked, self._silent = self._clock(), False
        try:
            return source.read()
        finally:
            with self._lock:
                self._asked = math.inf

    def _look(self, frame: Frame, laying: LayoutAsk) -> None:
        """Look at one frame; each laying is watched anew, so that nothing from before it counts."""
        if frame.when < laying.since or 0 <= frame.when - self._looked < PACE:
            return
        self._looked = frame.when
        if self._laying is not laying or self._watcher is None:
            from vision.board.read import BoardWatcher

            self._laying, self._watcher = laying, BoardWatcher(len(laying.names))
        self._watcher.update(frame.picture, frame.when)
        with self._lock:
            self._picture, self._seen = frame.picture, self._watcher.last
        self._session.lies(laying, self._watcher.at_rest)

    def _lose(self, why: str) -> None:
        laying, self._laying, self._watcher = self._laying, None, None
        with self._lock:
            self._picture = self._seen = None
        if laying is not None:
            self._session.lies(laying, None)
        self._lost.tell(f"No camera over the board: lay them on a phone or with the buttons. {why}")

    def jpeg(self) -> bytes | None:
        """The newest picture with what was read drawn on; None until there is one."""
        with self._lock:
            picture, seen, laying = self._picture, self._seen, self._laying
        if picture is None or seen is None or laying is None:
            return None
        from vision.annotate import chart
        from vision.board.read import find_doubts

        return encoded(chart(picture, seen, laying.names, find_doubts(seen, laying.wanted)))

    def stop(self) -> None:
        """End the thread; a camera that hangs is given up after two seconds."""
        self._done.set()
        if self.is_alive():
            self.join(2)
