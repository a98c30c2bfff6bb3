"""What a frame is, what a source of frames is, and the errors that sources raise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Clock = Callable[[], float]

PICAMERA = "picamera2"
"""The name of the Pi camera as a source, in the settings and in the files of calibrations."""

WARM_UP = 2.0
"""Seconds a camera may adjust exposure, white balance and focus before they are locked."""

Locks = dict[str, tuple[float, ...] | None]
"""What a camera was told to hold, "exposure", "white balance" or "focus": at which values, None where it will not."""


class CameraError(OSError):
    """A camera, video or picture cannot be opened or stopped answering; the message is a sentence for a person."""


class PictureError(CameraError):
    """A picture file is missing, empty or damaged; the message names it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the tray.

    `picture` is what the watcher looks at: (height, width, 3) blue, green, red bytes, or (height, width) grey from
    cameras that give it for less. `when` is in seconds, growing; `number` counts from 0; `name` says where from.
    """

    picture: Image
    when: float
    number: int
    name: str
    _full: Callable[[], Image] | None = None

    def full(self) -> Image:
        """The picture to be read, in colour and full size. Ask before the next frame is read: it may be gone then."""
        return self.picture if self._full is None else self._full()


class Source(Protocol):
    """Where frames come from."""

    def read(self) -> Frame | None:
        """The next frame, or None after the last. Raises CameraError when there should be one and is not."""

    def close(self) -> None:
        """Let go of the device or file. May be called twice."""


@runtime_checkable
class Locking(Protocol):
    """A source that adjusts itself to the light and then holds what it found: a hand over the tray must change nothing.

    `locks` is what it holds, None while it still adjusts itself.
    """

    locks: Locks | None

    def lock(self, kept: Locks | None) -> None:
        """Hold these values from now on; None: adjust anew for two seconds and hold what was found then."""
