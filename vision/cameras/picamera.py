"""Frame source for the Pi camera, through the system's picamera2."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from vision.cameras.flicker import FlickerSearch, flicker_free_time
from vision.cameras.focus import (
    AF_MODE_AUTO,
    AF_MODE_CONTINUOUS,
    AF_MODE_MANUAL,
    AF_TRIGGER_START,
    FocusMetadata,
    FocusSearch,
)
from vision.cameras.frames import PI_CAMERA_NAME, WARM_UP_S, CameraError, Clock, Frame, Image, LockedSettings

# Frame buffers of the camera: one in use, the others filling. Their memory is scarce on a Zero 2 W.
BUFFER_COUNT = 4
FRAME_TIMEOUT_S = 3.0
AE_FLICKER_MODE_OFF = 0  # libcamera's `AeFlickerMode`: any exposure time
AE_FLICKER_MODE_MANUAL = 1  # libcamera's `AeFlickerMode`: multiples of `AeFlickerPeriod`

log = logging.getLogger("dugout.camera")


class _FrameMetadata(FocusMetadata, total=False):
    """The part of picamera2's frame metadata that is used."""

    ExposureTime: int
    AnalogueGain: float
    ColourGains: tuple[float, float]


class PiCamera:
    """A Pi camera as a frame source.

    The watcher uses the luma plane of a low-resolution stream. The full frame is of the same moment and is copied only
    on request. Exposure and white balance are locked after two seconds, later if the lamp flickers, and with them the
    focus once the lens has found it (`FocusSearch`).

    size: requested full frame (width, height) in pixels. The camera may choose another.
    watch: requested low-resolution frame, likewise.
    Raises CameraError if picamera2 or the camera is missing or busy.
    """

    name = PI_CAMERA_NAME

    def __init__(
        self,
        size: tuple[int, int] = (1280, 960),
        watch: tuple[int, int] = (640, 480),
        fps: float = 10,
        clock: Clock = time.monotonic,
    ) -> None:
        self.locks: LockedSettings | None = None
        self.advice: str | None = None
        self._focus, self._flicker = FocusSearch(), FlickerSearch()
        self._clock = clock
        self._number = -1
        self._request: Any = None
        opens = _load_picamera2()
        with _translate_errors("No Pi camera found: check both ends of its ribbon cable."):
            self._camera = opens()
        try:
            with _translate_errors("The Pi camera does not start: another program may be using it."):
                self._watch_size = self._start_camera(size, watch, fps)
        except CameraError:
            self.close()
            raise
        self._warm_up_start = clock()

    def _start_camera(self, size: tuple[int, int], watch: tuple[int, int], fps: float) -> tuple[int, int]:
        """Configure and start the camera. Return the (width, height) of the low-resolution stream."""
        wanted = self._camera.create_video_configuration(
            # picamera2 names channels in reverse: its RGB888 is OpenCV's BGR.
            main={"size": size, "format": "RGB888"},
            lores={"size": watch, "format": "YUV420"},
            controls={"FrameRate": fps},
            buffer_count=BUFFER_COUNT,
        )
        self._camera.configure(wanted)
        known = self._camera.camera_controls
        self._has_autofocus, self._avoids_flicker = "AfMode" in known, "AeFlickerPeriod" in known
        self._lens_range = tuple(map(float, known.get("LensPosition", (0.0, 15.0))[:2]))
        if self._has_autofocus:
            self._camera.set_controls({"AfMode": AF_MODE_CONTINUOUS})
        self._camera.start()
        wide, tall = self._camera.camera_configuration()["lores"]["size"]
        return int(wide), int(tall)

    def read_frame(self) -> Frame | None:
        """Return the next frame. Raises CameraError after 3 seconds without one."""
        self._release_buffer()
        with _translate_errors("The Pi camera stopped answering: check its ribbon cable."):
            request = self._request = self._camera.capture_request(wait=FRAME_TIMEOUT_S)
            when = self._clock()
            # The YUV420 array has Y above U and V, and its rows may be padded.
            grey = request.make_array("lores")[: self._watch_size[1], : self._watch_size[0]]
            if self.locks is None:
                self._adjust_settings(request, grey, when)
        self._number += 1

        def full_picture() -> Image:
            if self._request is not request:
                raise CameraError("The full frame was requested too late: the camera has moved on.")
            with _translate_errors("The Pi camera gave no full frame: check its ribbon cable."):
                return np.asarray(request.make_array("main"), np.uint8)

        return Frame(grey, when, self._number, self.name, full_picture)

    def close(self) -> None:
        """Close the camera in any state, without `stop`, which would wait for a frame that never comes."""
        with suppress(CameraError):
            self._release_buffer()
        try:
            self._camera.close()
        except Exception as error:  # already closed, or nearly so
            log.warning("The Pi camera was not closed in order: %s", error)

    def _release_buffer(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            with _translate_errors("The Pi camera stopped answering: check its ribbon cable."):
                request.release()

    def lock_settings(self, kept: LockedSettings | None) -> None:
        """Lock these values and keep all others. None restarts the automatics, then locks what they found."""
        with _translate_errors("The Pi camera doesn't respond to commands: check its ribbon cable."):
            self._apply_settings(kept)
        self.locks = kept

    def _apply_settings(self, kept: LockedSettings | None) -> None:
        self.advice = None
        if kept is None:
            self._warm_up_start = self._clock()
            self._focus, self._flicker = FocusSearch(), FlickerSearch()
            found: dict[str, object] = {"AeEnable": True, "AwbEnable": True}
            found |= {"AeFlickerMode": AE_FLICKER_MODE_OFF} if self._avoids_flicker else {}
            self._camera.set_controls(found | ({"AfMode": AF_MODE_CONTINUOUS} if self._has_autofocus else {}))
            return
        found = {"AeEnable": False, "AwbEnable": False}
        if exposure := kept.get("exposure"):
            found |= {"ExposureTime": int(exposure[0]), "AnalogueGain": exposure[1]}
        if balance := kept.get("white balance"):
            found["ColourGains"] = balance
        if self._has_autofocus:
            found["AfMode"] = AF_MODE_MANUAL
            if focus := kept.get("focus"):
                found["LensPosition"] = focus[0]
        self._camera.set_controls(found)

    def _adjust_settings(self, request: Any, grey: Image, when: float) -> None:
        """Wait for the exposure, then for a flicker period and the focus, and lock what was found."""
        self._flicker.process_frame(grey)
        if when - self._warm_up_start < WARM_UP_S:
            return
        if self._avoids_flicker and (period := self._flicker.next_period()) is not None:
            self._warm_up_start = when
            self._camera.set_controls({"AeFlickerMode": AE_FLICKER_MODE_MANUAL, "AeFlickerPeriod": period})
            return
        seen: _FrameMetadata = request.get_metadata()
        if self._has_autofocus:
            if self._focus.process_metadata(seen, when, *self._lens_range):
                self._camera.set_controls({"AfMode": AF_MODE_AUTO, "AfTrigger": AF_TRIGGER_START})
            if not self._focus.is_over:
                return
        self._lock_found_settings(seen)

    def _lock_found_settings(self, seen: _FrameMetadata) -> None:
        found: LockedSettings = {
            "exposure": None,
            "white balance": tuple(map(float, seen.get("ColourGains", ()))) or None,
        }
        if "ExposureTime" in seen and "AnalogueGain" in seen:
            # The gain makes up for the changed time.
            time_us = flicker_free_time(seen["ExposureTime"], self._flicker.period_us)
            found["exposure"] = time_us, max(1.0, float(seen["AnalogueGain"]) * seen["ExposureTime"] / time_us)
        if self._has_autofocus:
            found["focus"] = None if self._focus.position is None else (self._focus.position,)
        self.lock_settings(found)
        self.advice = " ".join(filter(None, (self._focus.advice, self._flicker.advice))) or None


def _load_picamera2() -> Any:
    """Import picamera2 and return its class. Raises CameraError."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError("picamera2 isn't installed: run `sudo apt install python3-picamera2`.") from error
    except Exception as error:
        raise CameraError(f"picamera2 is installed but can't be loaded: {error}.") from error
    return Picamera2


@contextmanager
def _translate_errors(words: str) -> Iterator[None]:
    """Convert any picamera2 error to a CameraError that begins with `words`. Those errors have no common base class."""
    try:
        yield
    except CameraError:
        raise
    except Exception as error:
        raise CameraError(f"{words} ({str(error) or type(error).__name__})") from error
