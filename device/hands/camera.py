"""The camera hand: watches the tray and offers each throw to the keeper. It may fail, vanish and come back alone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from device.keeper import Keeper, Seen

if TYPE_CHECKING:
    from vision.reading import Reading
    from vision.settle import State
    from vision.sources import Frame, Image, Source

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
"""Seconds before a lost camera is tried again; each time it waits twice as long."""


def camera_of(where: str | int) -> Source:
    """The source of frames that the settings name; `auto` is a Pi camera, else the first USB camera.

    Raises CameraError, an OSError, when there is none.
    """
    from vision.sources import CameraError, source

    if where != "auto":
        return source(where)
    try:
        return source("picamera2")
    except CameraError as no_ribbon:
        try:
            return source(0)
        except CameraError as no_usb:
            raise CameraError(f"{no_ribbon} {no_usb}") from no_usb


class Camera(threading.Thread):
    """A thread from frames to offered rolls.

    `open_source` gives a source of frames or raises OSError; after a failure it is tried again, ever more slowly, up
    to every `patience` seconds. OpenCV is loaded here and nowhere earlier: that takes long on a small Pi.
    """

    def __init__(self, keeper: Keeper, open_source: Callable[[], Source], patience: float = 8.0) -> None:
        super().__init__(name="camera", daemon=True)
        self._keeper, self._open, self._patience = keeper, open_source, patience
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._picture: Image | None = None
        self._reading: Reading | None = None

    def run(self) -> None:
        """Watch until `stop`."""
        from vision.reader import Reader
        from vision.watch import throws

        reader = Reader()
        wait = FIRST_WAIT
        while not self._done.is_set():
            try:
                tap = _Tap(self._open(), self)
                self._keeper.miss("camera", None)
                wait = FIRST_WAIT
                try:
                    for landing in throws(tap, reader, told=self._told):
                        reading = landing.reading
                        with self._lock:
                            self._picture, self._reading = landing.picture, reading
                        seen = Seen(reading.values, landing.throw.start, reading.doubt, reading.advice)
                        self._keeper.saw(seen)
                finally:
                    tap.close()
                if not self._done.is_set():
                    raise OSError("The film is over.")
            except (OSError, ValueError) as error:
                self._lose(str(error))
            except Exception:  # whatever else a driver or OpenCV raises: the game goes on without a camera
                log.exception("The camera hand failed.")
                self._lose("Reading the dice failed; the log says why.")
            self._done.wait(wait)
            wait = min(self._patience, wait * 2)

    def _told(self, state: State) -> None:
        if state.value in ("empty", "moving", "hand"):
            with self._lock:
                self._reading = None
        self._keeper.watch(state.value, WORDS[state.value])

    def _lose(self, why: str) -> None:
        with self._lock:
            self._picture = self._reading = None
        self._keeper.watch("off", WORDS["off"])
        self._keeper.miss("camera", f"No camera: type the dice with the buttons or a phone. {why}")

    def jpeg(self) -> bytes | None:
        """The newest picture, with the reading drawn on while the dice lie still; None while there is none."""
        with self._lock:
            picture, reading = self._picture, self._reading
        if picture is None:
            return None
        import cv2

        from vision.annotate import annotate

        done, data = cv2.imencode(".jpg", annotate(picture, reading) if reading else picture)
        return data.tobytes() if done else None

    def stop(self) -> None:
        """End the thread; a camera that hangs is given up after two seconds."""
        self._done.set()
        if self.is_alive():
            self.join(2)


class _Tap:
    """A source that leaves each picture with the camera hand on its way, and ends when the hand is stopped."""

    def __init__(self, source: Source, hand: Camera) -> None:
        self._source, self._hand = source, hand

    def read(self) -> Frame | None:
        if self._hand._done.is_set():
            return None
        frame = self._source.read()
        if frame is not None:
            with self._hand._lock:
                if self._hand._reading is None:
                    self._hand._picture = frame.picture
        return frame

    def close(self) -> None:
        self._source.close()
