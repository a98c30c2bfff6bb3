"""A camera that films a synthetic tray or board in real time."""

import time
from collections.abc import Callable
from typing import Protocol

from vision.cameras.frames import Clock, Frame, Image


class Scene(Protocol):
    """A scene that can be rendered."""

    def render_frame(self, now: float) -> Image:
        """Render the image at `now` seconds. Raises CameraError while the camera is unplugged."""


class SyntheticCamera:
    """A frame source that renders a scene `fps` times per second of `clock`, with the timing of a real camera. Call the
    scene's own methods with times of the same clock."""

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
        """Wait until the next frame is due and return it. Raises CameraError while the camera is unplugged."""
        if (wait := self._next - self._clock()) > 0:
            self._sleep(wait)
        now = self._clock()
        self._next = max(self._next + self._every, now)
        picture = self._scene.render_frame(now)
        self._number += 1
        return Frame(picture, now, self._number, self.name)

    def close(self) -> None:
        """No-op: no device is held open."""
