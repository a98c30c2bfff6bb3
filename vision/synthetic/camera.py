"""A drawn tray or board as a camera: a source of frames in real time."""

import time
from collections.abc import Callable
from typing import Protocol

from vision.cameras.frames import Clock, Frame, Image


class Scene(Protocol):
    """A drawing of what a camera sees."""

    def render_frame(self, now: float) -> Image:
        """Return the picture at `now` seconds. Raises CameraError while the camera is unplugged."""


class SyntheticCamera:
    """The frames of a drawn tray or board, `fps` of them per second of `clock`, timed as by a real camera. Both sides
    must use one clock: call the drawing's own methods with the same `clock()`."""

    name = "drawn"

    def __init__(
        self, scene: Scene, fps: float = 30, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._scene = scene
        self._every = 1 / fps
        self._clock, self._sleep = clock, sleep
        self._next = clock()
        self._number = -1

    def read_frame(self) -> Frame | None:
        """Wait for the next frame's time and return it. Raises CameraError while its camera is unplugged."""
        if (wait := self._next - self._clock()) > 0:
            self._sleep(wait)
        now = self._clock()
        self._next = max(self._next + self._every, now)
        picture = self._scene.render_frame(now)
        self._number += 1
        return Frame(picture, now, self._number, self.name)

    def close(self) -> None:
        """Do nothing: no device is held open."""
