"""Frames, sources of frames, and the errors that sources raise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Clock = Callable[[], float]

PI_CAMERA_NAME = "picamera2"  # name of the Pi camera as a source, in the settings and in the files of calibrations
WARM_UP_S = 2.0  # seconds a camera may adjust exposure, white balance and focus before they are locked
# Values that a camera holds, by "exposure", "white balance" or "focus"; None where it cannot hold them.
LockedSettings = dict[str, tuple[float, ...] | None]


class CameraError(OSError):
    """A camera, video or picture cannot be opened, or stopped answering. The message is a sentence for a person."""


class PictureError(CameraError):
    """A picture file is missing, empty or damaged. The message names it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the tray. `picture` is what the watcher looks at: (height, width, 3) blue, green, red bytes, or
    (height, width) gray from cameras that deliver gray at less cost. `when` is in seconds and grows; `number` counts
    from 0; `name` is the source."""

    picture: Image
    when: float
    number: int
    name: str
    _full: Callable[[], Image] | None = None

    def full_picture(self) -> Image:
        """Return the picture in color and full size. Call it before the next frame is read, or it may be gone."""
        return self.picture if self._full is None else self._full()


class FrameSource(Protocol):
    """A source of frames."""

    def read_frame(self) -> Frame | None:
        """Return the next frame, or None after the last. Raises CameraError when a frame is due and does not come."""

    def close(self) -> None:
        """Release the device or file. May be called twice."""


@runtime_checkable
class LockableSource(Protocol):
    """A source that adjusts to the light and then holds what it found, so that a hand over the tray changes nothing.
    `locks` are the values it holds, or None while it still adjusts."""

    locks: LockedSettings | None

    def lock_settings(self, kept: LockedSettings | None) -> None:
        """Hold these values from now on. None: adjust again for two seconds and hold what was found."""
