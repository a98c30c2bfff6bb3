"""Frame source for V4L2 cameras, which include most USB cameras."""

import logging
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from pathlib import Path

import cv2
from cv2.typing import MatLike

from vision.cameras.flicker import MAINS_PERIODS_US, FlickerSearch, flicker_free_time
from vision.cameras.focus import FocusObserver
from vision.cameras.frames import WARM_UP_S, CameraError, Clock, Frame, Image, LockedSettings
from vision.cameras.opencv import eight_bit_picture, silence_opencv, silence_opencv_log

# The automatic controls of V4L2 cameras: the switch, its values for off and on, and the properties it controls.
# Exposure mode 1 is manual and 3 is aperture priority.
AUTO_CONTROLS = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1, 3, (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN)),
    "white balance": (cv2.CAP_PROP_AUTO_WB, 0, 1, (cv2.CAP_PROP_WB_TEMPERATURE,)),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0, 1, (cv2.CAP_PROP_FOCUS,)),
}

EXPOSURE_UNIT_US = 100  # unit of V4L2's exposure time
# V4L2's request that sets a control, the control of the mains frequency, and its values by flicker period. OpenCV has
# no property for it.
VIDIOC_S_CTRL = 0xC008561C
V4L2_CID_POWER_LINE_FREQUENCY = 0x00980918
POWER_LINE_FREQUENCIES = dict(zip(MAINS_PERIODS_US, (1, 2), strict=True))

MAX_UNREADABLE_FRAMES = 10  # Damaged frames in a row that are skipped before the camera counts as lost.

# In these folders USB cameras have persistent names, by their make and by their socket. Their numbers change when they
# are plugged in again.
CAMERA_ID_FOLDER = Path("/dev/v4l/by-id")
CAMERA_PATH_FOLDER = Path("/dev/v4l/by-path")

log = logging.getLogger("dugout.camera")


def usb_camera_names() -> list[str]:
    """Return the persistent name of each USB camera, sorted.

    Cameras of one make without serial numbers share one name by make, which means now one and now the other. With such
    cameras all are named by their sockets.
    """
    by_id, by_path = _cameras_by_device(CAMERA_ID_FOLDER), _cameras_by_device(CAMERA_PATH_FOLDER)
    return sorted((by_id if by_path.keys() <= by_id.keys() else by_id | by_path).values())


def _cameras_by_device(folder: Path) -> dict[Path, str]:
    """Return the links in a folder that lead to USB cameras, by device."""
    return {link.resolve(): str(link) for link in sorted(folder.glob("*usb*-video-index0"), reverse=True)}


def set_power_line_frequency(camera: str, period_us: int) -> None:
    """Tell the driver how often lamps flicker, so that auto exposure avoids it. Does nothing if the driver can't."""
    with suppress(OSError):
        device = os.open(camera, os.O_RDWR | os.O_NONBLOCK)
        try:
            control = struct.pack("Ii", V4L2_CID_POWER_LINE_FREQUENCY, POWER_LINE_FREQUENCIES[period_us])
            ioctl(device, VIDIOC_S_CTRL, control)
        finally:
            os.close(device)


class DamageLog:
    """Logs that a camera sends damaged frames: the first at once, then their number from time to time.

    Many webcams do so all evening, and most of these frames are readable.
    """

    INTERVAL_S = 600.0  # time between two lines in the log

    def __init__(self, camera: str) -> None:
        self.count = 0
        self._camera = camera
        self._logged = 0, -float("inf")  # count and time of the last line

    def add_frame(self, message: str, when: float) -> None:
        """Count a frame with the decoder's `message`, at `when` seconds."""
        self.count += 1
        if when - self._logged[1] < self.INTERVAL_S:
            return
        if self.count == 1:
            log.warning("%s sends damaged pictures, which are read as far as possible: %s.", self._camera, message)
        else:
            new, minutes = self.count - self._logged[0], round((when - self._logged[1]) / 60)
            log.warning("%s sent %d more damaged pictures in %d minutes: %s.", self._camera, new, minutes, message)
        self._logged = self.count, when


class V4l2Camera:
    """A camera by its number or its device path, such as `/dev/video0`.

    Exposure, white balance and focus are locked after two seconds, if the camera supports it, and later if the lamp
    flickers or the lens still moves. Surplus frames of a faster camera are skipped without decoding.

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
        self.advice: str | None = None
        self._focus, self._flicker = FocusObserver(), FlickerSearch()
        self._clock = clock
        self._damage = DamageLog(self.name)
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
        picture, unreadable_count = None, 0
        while picture is None:
            with self._translate_errors():
                good = self._capture.grab()
                when = self._clock()
                if good and when >= self._next_frame_due:
                    picture = self._decode_frame()
                    unreadable_count += picture is None
            if not good or unreadable_count > MAX_UNREADABLE_FRAMES:
                raise CameraError(f"The camera at {self.name} stopped answering: check its plug.")
        # Tolerate half a frame interval, because a camera at exactly the requested rate is sometimes early.
        self._next_frame_due = max(self._next_frame_due, when - self._frame_interval_s / 2) + self._frame_interval_s
        self._number += 1
        shown = eight_bit_picture(picture)
        if self.locks is None:
            self._adjust_settings(shown, when)
        return Frame(shown, when, self._number, self.name)

    def _decode_frame(self) -> MatLike | None:
        """Decode the grabbed frame, and count it if it is damaged. Returns None if it can't be decoded."""
        with silence_opencv() as messages:
            good, picture = self._capture.retrieve()
        if messages or not good:
            self._damage.add_frame(messages[0] if messages else "a picture cannot be decoded", self._clock())
        return picture if good and picture is not None and picture.size else None

    def _adjust_settings(self, picture: Image, when: float) -> None:
        """Wait for the exposure, a flicker period and the focus, and lock what was found."""
        self._warm_up_start = when if self._warm_up_start is None else self._warm_up_start
        self._flicker.process_frame(picture)
        with self._translate_errors():
            if self._capture.get(cv2.CAP_PROP_AUTOFOCUS) > 0:
                self._focus.process_frame(picture, self._capture.get(cv2.CAP_PROP_FOCUS), when)
        if when - self._warm_up_start < WARM_UP_S:
            return
        if (period := self._flicker.next_period()) is not None:
            self._warm_up_start = when
            set_power_line_frequency(self.name, period)
            return
        if (lens := self._focus.position_to_lock()) is None:
            return
        advice = " ".join(filter(None, (self._focus.advice, self._flicker.advice))) or None
        self.lock_settings({"focus": lens} if lens else {}, self._flicker.period_us)
        self.advice = advice

    def close(self) -> None:
        self._capture.release()

    @property
    def damaged_count(self) -> int:
        """Number of damaged frames since the camera was opened."""
        return self._damage.count

    def lock_settings(self, kept: LockedSettings | None, flicker_us: int | None = None) -> None:
        """Lock these values and keep all others. None restarts the automatics, then locks what they found."""
        self._warm_up_start = self.locks = self.advice = None
        self._focus, self._flicker = FocusObserver(), FlickerSearch()
        with self._translate_errors():
            for switch, _, on, _ in AUTO_CONTROLS.values():
                self._capture.set(switch, on)
            if kept is not None:
                # A camera without a focus switch has a fixed-focus lens.
                names = [
                    name for name in AUTO_CONTROLS if name != "focus" or self._capture.get(AUTO_CONTROLS[name][0]) > 0
                ]
                self.locks = {name: self._lock_setting(name, kept.get(name) or ()) for name in names}
                self._avoid_flicker(flicker_us)

    def _avoid_flicker(self, period_us: int | None) -> None:
        """Move a locked exposure time to the nearest one that evens out this flicker, as near as the camera comes."""
        if period_us is None or self.locks is None or not (exposure := self.locks.get("exposure")):
            return
        time_us = flicker_free_time(exposure[0] * EXPOSURE_UNIT_US, period_us)
        self._capture.set(cv2.CAP_PROP_EXPOSURE, time_us / EXPOSURE_UNIT_US)
        self.locks["exposure"] = (float(self._capture.get(cv2.CAP_PROP_EXPOSURE)), *exposure[1:])

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
            with silence_opencv_log():
                yield
        except cv2.error as error:
            raise CameraError(f"The camera at {self.name} stopped answering: check its plug. ({error.err})") from error
