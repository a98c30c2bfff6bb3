"""Frame source for V4L2 cameras, which include most USB cameras."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2

from vision.cameras.frames import WARM_UP_S, CameraError, Clock, Frame, LockedSettings
from vision.cameras.opencv import eight_bit_picture, silence_opencv

# The automatic controls of V4L2 cameras: the switch, its values for off and on, and the properties it controls.
# Exposure mode 1 is manual and 3 is aperture priority.
AUTO_CONTROLS = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1, 3, (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN)),
    "white balance": (cv2.CAP_PROP_AUTO_WB, 0, 1, (cv2.CAP_PROP_WB_TEMPERATURE,)),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0, 1, (cv2.CAP_PROP_FOCUS,)),
}

# In this folder USB cameras have persistent names. Their numbers change when they are plugged in again.
CAMERA_LINK_FOLDER = Path("/dev/v4l/by-id")

log = logging.getLogger("dugout.camera")


def first_camera_name() -> str | int:
    """Return the persistent name of the first USB camera, or 0 if none has one."""
    return next(map(str, sorted(CAMERA_LINK_FOLDER.glob("*-video-index0"))), 0)


class V4l2Camera:
    """A camera by its number or its device path, such as `/dev/video0`.

    Exposure, white balance and focus are locked after two seconds, if the camera supports it. Surplus frames of a
    faster camera are skipped without decoding.

    size: requested (width, height) in pixels. The camera chooses the nearest.
    fps: requested frame rate, likewise.
    Raises CameraError if there is no such camera.
    """

    def __init__(
        self, where: int | str = 0, size: tuple[int, int] = (640, 480), fps: float = 10, clock: Clock = time.monotonic
    ) -> None:
        self.name = f"/dev/video{where}" if isinstance(where, int) else where
        if not self.name.isascii() or not Path(self.name).exists():
            raise CameraError(f"There is no camera at {self.name}: is it plugged in?")
        if not os.access(self.name, os.R_OK | os.W_OK):
            raise CameraError(f"No permission to use the camera at {self.name}: add this user to the group video.")
        self.locks: LockedSettings | None = None
        self._clock = clock
        self._frame_interval_s, self._next_frame_due = 1 / fps, -float("inf")
        self._number = -1
        self._warm_up_start: float | None = None
        with self._translate_errors():
            self._capture = cv2.VideoCapture(where, cv2.CAP_V4L2)
            opened = self._capture.isOpened()
        if not opened:
            self.close()
            raise CameraError(f"The camera at {self.name} cannot be opened: another program may be using it.")
        with self._translate_errors():
            for wish, value in (
                (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
                (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
                (cv2.CAP_PROP_FPS, fps),
                # Buffer at most one frame, because an older one is out of date.
                (cv2.CAP_PROP_BUFFERSIZE, 1),
            ):
                self._capture.set(wish, value)
            actual = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS, cv2.CAP_PROP_FOURCC)
            wide, tall, rate, code = (int(self._capture.get(what)) for what in actual)
        pixels = code.to_bytes(4, "little").decode("latin-1") if code > 0 else "unknown pixels"
        log.info("%s gives %dx%d of %s, %d a second.", self.name, wide, tall, pixels, rate)
        # Cameras keep the settings of the last program that used them.
        self.lock_settings(None)

    def read_frame(self) -> Frame | None:
        """Return the next frame. Raises CameraError if the camera stops responding, after up to 10 seconds."""
        picture = None
        while picture is None:
            with self._translate_errors():
                good = self._capture.grab()
                when = self._clock()
                if good and when >= self._next_frame_due:
                    good, picture = self._capture.retrieve()
            if not good or (picture is not None and not picture.size):
                raise CameraError(f"The camera at {self.name} stopped answering: check its plug.")
        # Tolerate half a frame interval, because a camera at exactly the requested rate is sometimes early.
        self._next_frame_due = max(self._next_frame_due, when - self._frame_interval_s / 2) + self._frame_interval_s
        self._number += 1
        self._warm_up_start = when if self._warm_up_start is None else self._warm_up_start
        if self.locks is None and when - self._warm_up_start >= WARM_UP_S:
            self.lock_settings({})
        return Frame(eight_bit_picture(picture), when, self._number, self.name)

    def close(self) -> None:
        self._capture.release()

    def lock_settings(self, kept: LockedSettings | None) -> None:
        """Lock these values and keep all others. None restarts the automatics for two seconds, then locks what they
        found."""
        self._warm_up_start = self.locks = None
        with self._translate_errors():
            for switch, _, on, _ in AUTO_CONTROLS.values():
                self._capture.set(switch, on)
            if kept is not None:
                # A camera without a focus switch has a fixed-focus lens.
                names = [
                    name for name in AUTO_CONTROLS if name != "focus" or self._capture.get(AUTO_CONTROLS[name][0]) > 0
                ]
                self.locks = {name: self._lock_setting(name, kept.get(name) or ()) for name in names}

    def _lock_setting(self, name: str, wanted: tuple[float, ...]) -> tuple[float, ...] | None:
        """Turn off one automatic and return the locked values, or None if the driver refuses or ignores it."""
        switch, off, on, knobs = AUTO_CONTROLS[name]
        before = self._capture.get(switch)
        self._capture.set(switch, off)
        for knob, value in zip(knobs, wanted, strict=False):
            if value >= 0:
                self._capture.set(knob, value)
        held = tuple(float(self._capture.get(knob)) for knob in knobs)
        near = all(abs(one - other) <= 1 + 0.05 * abs(one) for one, other in zip(wanted[:1], held, strict=False))
        if before >= 0 and before != off and self._capture.get(switch) == off and near:
            return held
        self._capture.set(switch, on)
        return None

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Silence OpenCV and convert its errors to CameraError."""
        try:
            with silence_opencv():
                yield
        except cv2.error as error:
            raise CameraError(f"The camera at {self.name} stopped answering: check its plug. ({error.err})") from error
