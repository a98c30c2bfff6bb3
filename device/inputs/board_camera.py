"""The board camera, which watches the printed board while pieces are placed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from device.inputs.camera_thread import HANG_TIMEOUT_S, CameraThread, encode_jpeg
from device.service.watchdog import Watchdog
from device.table.board import LayoutAsk
from device.table.session import GameSession

if TYPE_CHECKING:
    from vision.board import read
    from vision.cameras.frames import Frame, FrameSource, Image

FRAME_INTERVAL_S = 0.09
"""Shortest time between two frames to read, in seconds. It leaves a small Pi time for the dice."""


class BoardCamera(CameraThread):
    """A thread that turns frames into layouts. See `CameraThread`.

    Its camera is open only while pieces are to be placed. The first frame loads OpenCV.
    """

    part, pulse_name, subject = "board", "board camera", "board"
    silent_advice = (
        "No picture from the board camera: check its cable, and place the pieces on a phone or with the buttons."
    )

    def __init__(
        self,
        session: GameSession,
        open_source: Callable[[], FrameSource],
        patience: float = 8.0,
        pulse: Watchdog | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(session, open_source, patience, pulse, clock)
        self._laying: LayoutAsk | None = None
        self._watcher: read.BoardWatcher | None = None
        self._looked = -math.inf  # time of the last frame read
        self._picture: Image | None = None
        self._seen: read.BoardLayout | None = None
        # It counts as working until it fails, so that no choices flash up while it is opened.
        session.board.set_camera_working(True)

    @property
    def _is_needed(self) -> bool:
        return self._session.board.laying is not None

    def _use_camera(self) -> None:
        self._session.board.set_camera_working(True)
        source = self._open()
        begun, self._looked = math.inf, -math.inf
        try:
            while not self._done.is_set() and (laying := self._session.board.laying) is not None:
                frame = self.next_frame(source)
                if frame is None:
                    raise OSError("The video has ended.")
                begun = min(begun, frame.when)
                self._uptime_s = frame.when - begun
                self._pulse.beat(self.pulse_name, HANG_TIMEOUT_S)
                self._report_fault(None)
                self._read_frame(frame, laying)
        finally:
            source.close()

    def _handle_silence(self) -> None:
        self._session.board.set_camera_working(False)
        if self._laying is not None:
            self._session.board.set_layout(self._laying, None)

    def _read_frame(self, frame: Frame, laying: LayoutAsk) -> None:
        """Read one frame. Each request to place pieces gets a new watcher, so that earlier frames do not count."""
        if frame.when < laying.since or 0 <= frame.when - self._looked < FRAME_INTERVAL_S:
            return
        self._looked = frame.when
        self._session.board.set_camera_working(True)
        if self._laying is not laying or self._watcher is None:
            from vision.board.read import BoardWatcher

            self._laying, self._watcher = laying, BoardWatcher(len(laying.names))
        self._watcher.process_frame(frame.picture, frame.when)
        with self._lock:
            self._picture, self._seen = frame.picture, self._watcher.last_layout
        self._session.board.set_layout(laying, self._watcher.resting_layout)

    def _handle_loss(self, why: str) -> None:
        laying, self._laying, self._watcher = self._laying, None, None
        with self._lock:
            self._picture = self._seen = None
        self._session.board.set_camera_working(False)
        if laying is not None:
            self._session.board.set_layout(laying, None)
        self._report_fault(f"No board camera: place the pieces on a phone or with the buttons. {why}")

    def newest_jpeg(self) -> bytes | None:
        with self._lock:
            picture, seen, laying = self._picture, self._seen, self._laying
        if picture is None or seen is None or laying is None:
            return None
        from vision.annotate import annotate_layout
        from vision.board.read import find_doubts

        return encode_jpeg(annotate_layout(picture, seen, laying.names, find_doubts(seen, laying.wanted)))
