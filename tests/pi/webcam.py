"""A USB camera as OpenCV shows it by V4L2: what of `cv2.VideoCapture` the table uses, and what drivers do to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

KNOBS = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 1.0,
    cv2.CAP_PROP_AUTO_WB: 0.0,
    cv2.CAP_PROP_AUTOFOCUS: 0.0,
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_GAIN: 12.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_FOCUS: 30.0,
}


class Plug:
    """The one camera there is, and what goes wrong with it: at call `dies`, counted from 0, it is unplugged, and stays
    so until `plug`. Each call to `tick`, one a picture that the camera makes, lets time go by."""

    def __init__(self, tick: Callable[[], None] = lambda: None) -> None:
        self.tick = tick
        self.picture: Callable[[], Image] = lambda: np.zeros((48, 64, 3), np.uint8)
        self.size = (64, 48)
        self.broken: dict[int, str] = {}
        """Switches and knobs that the driver ignores, has not ("no"), or answers 0 for ("nought")."""
        self.plugged = True
        self.dies: int | None = None
        self.calls: list[str] = []
        self.open: list[Capture] = []
        self.now: dict[int, float] = dict(KNOBS)
        self.wishes: dict[int, float] = {}

    def plug(self) -> None:
        self.plugged, self.dies = True, None

    def call(self, name: str) -> bool:
        """Count a call; whether the camera is there for it."""
        number = len(self.calls)
        self.calls.append(name)
        if number == self.dies:
            self.plugged = False
        return self.plugged

    def capture(self, *_: object) -> Capture:
        """In the place of `cv2.VideoCapture`."""
        return Capture(self)


class Capture:
    """A device that was opened, or not."""

    def __init__(self, plug: Plug) -> None:
        self._plug = plug
        self._opened = plug.call("open")
        self._grabbed = False
        if self._opened:
            plug.open.append(self)

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._opened

    def set(self, key: int, value: float) -> bool:
        """Ask for something. Nobody says whether it was heard."""
        self._plug.wishes[key] = value
        there = self._plug.call("set")
        if there and key in self._plug.now and key not in self._plug.broken:
            self._plug.now[key] = value
        return there

    def get(self, key: int) -> float:
        """What holds; -1 for what there is none of."""
        if not self._plug.call("get"):
            return -1.0
        size = dict(zip((cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT), self._plug.size, strict=True))
        known = self._plug.now | size | {cv2.CAP_PROP_FPS: 10.0, cv2.CAP_PROP_FOURCC: 0x47504A4D}
        return {"no": -1.0, "nought": 0.0}.get(self._plug.broken.get(key, ""), known.get(key, -1.0))

    def grab(self) -> bool:
        self._plug.tick()
        self._grabbed = self._plug.call("grab") and self._opened
        return self._grabbed

    def retrieve(self) -> tuple[bool, Any]:
        if not self._grabbed or not self._plug.call("retrieve"):
            return False, None
        return True, self._plug.picture()

    def release(self) -> None:
        if self in self._plug.open:
            self._plug.open.remove(self)
