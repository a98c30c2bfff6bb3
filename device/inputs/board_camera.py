"""The board camera: watch the printed board while pieces are laid, and pass the layout to the session."""

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

IDLE = 0.2  # seconds between two checks of whether anything is to be laid
PACE = 0.09  # seconds between two frames to read: ten a second are enough, and leave a small Pi time for the dice


SILENT = "The camera over the board gives no picture: check its cable, and lay them on a phone or with the buttons."


class BoardCamera(threading.Thread):
    """A thread from frames to layouts; its camera is open only while pieces are to be laid.

    `open_source` returns a source of frames or raises OSError. After a failure it is tried again, more and more slowly,
    up to every `patience` seconds. The first frame loads OpenCV. The thread reports to `pulse` while it runs, and rests
    while there is nothing to watch.
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
        self._asked = math.inf  # when the thread began to wait for a frame
        self._lasted = 0.0  # seconds of pictures since the camera was opened, by their own time
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
                log.exception("The board camera failed.")
                self._lose("Reading the board failed; the log says why.")
            wait = FIRST_WAIT if self._lasted >= LASTS else wait
            self._done.wait(wait)
            wait = min(self._patience, wait * 2)

    def _watch(self) -> None:
        """Read frames while pieces are to be laid. Raises CameraError."""
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
        """Report a camera that gives no frame. Call it a few times a second from any other thread."""
        with self._lock:
            silent = self._clock() - self._asked > AWAY
            if silent and not self._silent:
                self._silent = True
                if self._laying is not None:
                    self._session.lies(self._laying, None)
                self._lost.tell(SILENT)

    def _wait(self, source: Source) -> Frame | None:
        """Return the next frame of the source, however long it takes."""
        with self._lock:
            self._asked, self._silent = self._clock(), False
        try:
            return source.read()
        finally:
            with self._lock:
                self._asked = math.inf

    def _look(self, frame: Frame, laying: LayoutAsk) -> None:
        """Read one frame. Each request to lay pieces gets a new watcher, so that nothing from before counts."""
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
        """Return the newest picture with the reading drawn on; None until there is one."""
        with self._lock:
            picture, seen, laying = self._picture, self._seen, self._laying
        if picture is None or seen is None or laying is None:
            return None
        from vision.annotate import chart
        from vision.board.read import find_doubts

        return encoded(chart(picture, seen, laying.names, find_doubts(seen, laying.wanted)))

    def stop(self) -> None:
        """End the thread; give up on a camera that hangs after two seconds."""
        self._done.set()
        if self.is_alive():
            self.join(2)
