"""The thread of a camera, which opens it, reports its faults, and reopens it with growing delays."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from device.service.watchdog import Watchdog
from device.table.session import GameSession

if TYPE_CHECKING:
    from engine.views import AudienceView
    from vision.cameras.frames import Frame, FrameSource, Image

FIRST_RETRY_DELAY_S = 0.5
"""Delay before a lost camera is reopened, in seconds. It doubles each time until a camera is stable."""

STABLE_AFTER_S = 10.0
"""Seconds of pictures after which a camera is stable. One that dies at once is not retried any sooner."""

IDLE_POLL_S = 0.2  # seconds between two checks of whether the camera is needed
# Seconds without a frame until people are notified, and a board camera that shares the dice camera counts as lost. The
# camera's own thread may wait longer, until its driver gives up.
FRAME_TIMEOUT_S = 2.0
# Seconds until the first picture before a camera counts as hung. On a small Pi, OpenCV alone takes 15.
OPEN_TIMEOUT_S = 90.0
# The same from picture to picture. V4L2 itself gives up after 10 seconds without a frame.
HANG_TIMEOUT_S = 30.0


class CameraThread(threading.Thread):
    """Watches a camera whenever it is needed. The camera may fail, disappear and return.

    open_source: returns a source of frames or raises OSError.
    patience: longest delay between retries, in seconds.
    pulse: gets a heartbeat while the camera works, and is suspended while there is none.
    """

    part: str  # name of the camera in the session's notices, of its logger and of its thread
    pulse_name: str  # its name for the watchdog
    subject: str  # what it reads, in a sentence
    silent_advice: str  # remedy while it returns no picture

    def __init__(
        self,
        session: GameSession,
        open_source: Callable[[], FrameSource],
        patience: float = 8.0,
        pulse: Watchdog | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name=self.part, daemon=True)
        self._session, self._open, self._max_retry_delay_s = session, open_source, patience
        self._pulse, self._clock = pulse or Watchdog(), clock
        self._log = logging.getLogger(f"dugout.{self.part}")
        self._done, self._lock = threading.Event(), threading.Lock()
        self._waiting_since = math.inf  # when the thread began to wait for a frame
        self._silent = False
        self._missing: str | None = None  # the last reported fault in words
        self._uptime_s = 0.0  # seconds of pictures since the camera was opened, by their own time

    def run(self) -> None:
        wait = FIRST_RETRY_DELAY_S
        while not self._done.is_set():
            if not self._is_needed:
                self._done.wait(IDLE_POLL_S)
                continue
            self._uptime_s = 0.0
            self._pulse.beat(self.pulse_name, OPEN_TIMEOUT_S)
            try:
                self._use_camera()
                wait = FIRST_RETRY_DELAY_S
                continue
            except (OSError, ValueError) as error:
                self._handle_loss(str(error))
            except Exception:  # any error of a driver or OpenCV: the game goes on without this camera
                self._log.exception("The %s camera failed.", self.subject)
                self._handle_loss(f"Reading the {self.subject} failed; the log says why.")
            finally:
                self._pulse.suspend(self.pulse_name)
            wait = FIRST_RETRY_DELAY_S if self._uptime_s >= STABLE_AFTER_S else wait
            self._done.wait(wait)
            wait = min(self._max_retry_delay_s, wait * 2)

    @property
    def _is_needed(self) -> bool:
        return True

    @abstractmethod
    def _use_camera(self) -> None:
        """Open the camera and watch it while it is needed, or until `stop`. Raises OSError when it fails or ends."""

    @abstractmethod
    def _handle_loss(self, why: str) -> None:
        """Handle the loss of the camera. `why` is a sentence."""

    @abstractmethod
    def _handle_silence(self) -> None:
        """Handle a camera that returns no frame. The caller holds the lock."""

    @property
    def missing(self) -> str | None:
        """Remedy while the camera does not work, or None. Its thread also reports it at once."""
        return self._missing

    def update(self, view: AudienceView | None = None, new: bool = False) -> float:
        """Report a camera that returns no frame, from any other thread. Returns the seconds until the next call."""
        with self._lock:
            if not self._silent and self._clock() - self._waiting_since > FRAME_TIMEOUT_S:
                self._silent = True
                self._handle_silence()
                self._report_fault(self.silent_advice)
        return FRAME_TIMEOUT_S / 4

    def next_frame(self, source: FrameSource) -> Frame | None:
        with self._lock:
            self._waiting_since = self._clock()
        try:
            frame = source.read_frame()
        finally:
            with self._lock:
                self._waiting_since = math.inf
                silent, self._silent = self._silent, False
        if silent:
            self._report_fault(None)
        return frame

    def _report_fault(self, missing: str | None) -> None:
        """Report the remedy for a fault, or None for a recovered camera. The log gets each new sentence once."""
        if missing != self._missing:
            self._missing = missing
            if missing is None:
                self._log.info("The camera is back.")
            else:
                self._log.warning("%s", missing)
        self._session.game.notices.set_fault(self.part, missing)

    def stop(self) -> None:
        """End the thread. A camera that hangs is abandoned after two seconds."""
        self._done.set()
        if self.is_alive():
            self.join(2)


def encode_jpeg(picture: Image) -> bytes | None:
    import cv2

    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return data.tobytes() if done else None
