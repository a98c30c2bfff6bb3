"""Frames, the protocols of frame sources, and their errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Clock = Callable[[], float]

PI_CAMERA_NAME = "picamera2"  # the Pi camera's source name in settings and calibration files
WARM_UP_S = 2.0  # time for auto exposure, white balance and focus before they are locked
# Locked camera values by "exposure", "white balance" or "focus", or None if the camera can't lock it.
LockedSettings = dict[str, tuple[float, ...] | None]


class CameraError(OSError):
    """A camera, video or image can't be opened or stopped responding. The message is a sentence for people."""


class PictureError(CameraError):
    """An image file is missing, empty or damaged. The message names it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a source.

    picture: (height, width, 3) BGR bytes, or (height, width) gray from cameras where gray is cheaper.
    when: time in seconds, increasing.
    number: frame number from 0.
    name: name of the source.
    """

    picture: Image
    when: float
    number: int
    name: str
    _full: Callable[[], Image] | None = None

    def full_picture(self) -> Image:
        """Return the frame in color and full size. Only valid until the next frame is read."""
        return self.picture if self._full is None else self._full()


class FrameSource(Protocol):
    """A source of frames, such as a camera or a file."""

    def read_frame(self) -> Frame | None:
        """Return the next frame, or None after the last. Raises CameraError on timeout."""

    def close(self) -> None:
        """Release the device or file. Idempotent."""


@runtime_checkable
class LockableSource(Protocol):
    """A source with auto exposure that can lock its settings, so that a hand over the tray doesn't change them.

    locks: the locked values, or None while it still adjusts.
    advice: what to do about a setting that it could not find, such as the focus, or None.
    """

    locks: LockedSettings | None
    advice: str | None

    def lock_settings(self, kept: LockedSettings | None) -> None:
        """Lock these values. None restarts the automatics, then locks what they found."""
