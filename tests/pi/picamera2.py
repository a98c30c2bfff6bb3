"""The part of picamera2 that the table uses, without a Pi: as its manual and its source have it, not tried beside one.

A test puts this module into `sys.modules` and moves `ribbon`; a process has it with this folder on PYTHONPATH: then a
drawn, empty tray is seen, `FrameRate` times a second, at next to no cost.

What is easily got wrong is wrong here too: rows are padded; a request that is not given back leaves the camera a buffer
short; a capture that was given up still stands in the queue, and `stop` would wait behind it for ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

ALIGNED = 64
"""Rows are padded to a multiple of this many bytes."""

LENS = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 15.0, 1.0)}
"""What only a camera with a moving lens has."""


class Ribbon:
    """The one camera there is, and what goes wrong with it.

    At call `dies`, counted from 0, of anything below, the camera comes off, and that call fails; so do all until
    `plug`. `picture` gives what is seen at a time, as colour bytes of any size; without it a drawn tray is.
    """

    def __init__(self) -> None:
        self.picture: Callable[[float], Image] | None = None
        self.clock: Callable[[], float] = time.monotonic
        self.sleep: Callable[[float], None] = time.sleep
        self.model = "imx219"
        self.most: tuple[int, int] | None = None
        """The largest picture that this camera gives, where it is less than what is wanted."""
        self.lens = False
        self.autofocus: Callable[[float], dict[str, Any]] = lambda now: {}
        """What the driver says of the lens at a time: `AfState`, `LensPosition`."""
        self.triggered: float | None = None
        """When the last scan was triggered."""
        self.flicker_control = True
        """Whether libcamera is new enough to avoid flicker."""
        self.busy = False
        self.plugged = True
        self.dies: int | None = None
        self.calls: list[str] = []
        self.open: list[Picamera2] = []
        self.kept: list[CompletedRequest] = []
        """The requests that were not given back."""
        self.wrong: list[str] = []
        """What would have hung, or broken another camera's day."""

    def plug(self) -> None:
        self.plugged, self.dies = True, None

    def call(self, name: str, error: Exception | None = None) -> None:
        """Count a call, which raises `error` where the camera is off."""
        number = len(self.calls)
        self.calls.append(name)
        if number == self.dies:
            self.plugged = False
        if not self.plugged:
            raise error or RuntimeError(f"{name}: Input/output error")


ribbon = Ribbon()


class CompletedRequest:
    """One moment, in one of the camera's buffers."""

    def __init__(self, camera: Picamera2, number: int) -> None:
        self._camera, self._number = camera, number

    def make_array(self, name: str) -> Image:
        """A copy of the stream's picture, with its padding where it is YUV420."""
        ribbon.call(f"make_array {name}")
        if self not in ribbon.kept:
            raise AssertionError("picamera2 reads a buffer that was given back")
        found: Image = self._camera.streams()[name][self._number % len(self._camera.streams()[name])].copy()
        return found

    def get_metadata(self) -> dict[str, Any]:
        ribbon.call("get_metadata")
        lens = {"LensPosition": 2.5, "AfState": 2} | ribbon.autofocus(ribbon.clock()) if ribbon.lens else {}
        return {"ExposureTime": 9000 + self._number, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9), "Lux": 80.0} | lens

    def release(self) -> None:
        if self not in ribbon.kept:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        ribbon.kept.remove(self)
        ribbon.call("release")


class Picamera2:
    """A camera that is acquired, for this process alone, until `close`."""

    def __init__(self, camera_num: int = 0) -> None:
        ribbon.call("Picamera2", IndexError("list index out of range"))
        if ribbon.open or ribbon.busy:
            ribbon.wrong += ["opened twice"] if ribbon.open else []
            raise RuntimeError("Camera __init__ sequence did not complete.")
        ribbon.open.append(self)
        self.camera_controls: dict[str, Any] = {
            "AeEnable": (False, True, None),
            "AwbEnable": (False, True, None),
            "ExposureTime": (60, 66_666_666, None),
            "AnalogueGain": (1.0, 16.0, None),
            "ColourGains": (0.0, 32.0, None),
            "FrameDurationLimits": (16_666, 66_666_666, None),
        } | (LENS if ribbon.lens else {})
        if ribbon.flicker_control:
            self.camera_controls |= {"AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1_000_000, None)}
        self.camera_properties = {"Model": ribbon.model, "PixelArraySize": (3280, 2464)}
        self.controls: list[dict[str, Any]] = []
        self.started = False
        self._config: dict[str, Any] | None = None
        self._streams: dict[str, list[Image]] = {}
        self._given = 0
        self._due = 0.0
        self._abandoned = False

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        one = {"Model": ribbon.model, "Location": 2, "Rotation": 180, "Id": f"/base/{ribbon.model}@10", "Num": 0}
        return [one] if ribbon.plugged else []

    def create_video_configuration(
        self,
        main: Mapping[str, Any] | None = None,
        lores: Mapping[str, Any] | None = None,
        controls: Mapping[str, Any] | None = None,
        buffer_count: int = 6,
        queue: bool = True,
    ) -> dict[str, Any]:
        """A configuration to hand to `configure`, which may change it."""
        ribbon.call("create_video_configuration")
        wanted: dict[str, Any] = {"main": {"size": (1280, 720), "format": "XBGR8888", **(main or {})}, "lores": None}
        if lores is not None:
            wanted["lores"] = {"size": wanted["main"]["size"], "format": "YUV420", **lores}
        rate = {"FrameRate": 30, **(controls or {})}
        return wanted | {"controls": rate, "buffer_count": buffer_count, "queue": queue}

    def configure(self, camera_config: dict[str, Any]) -> None:
        """Take a configuration, as near as the camera comes to it."""
        ribbon.call("configure")
        for name in ("main", "lores"):
            stream = dict(camera_config[name])
            if ribbon.most is not None:
                stream["size"] = tuple(min(pair) for pair in zip(stream["size"], ribbon.most, strict=True))
            if stream["format"] not in {"main": ("RGB888",), "lores": ("YUV420",)}[name]:
                raise RuntimeError(f"Format {stream['format']} not supported")
            bytes_ = stream["size"][0] * (3 if name == "main" else 1)
            stream["stride"] = -(-bytes_ // ALIGNED) * ALIGNED
            camera_config[name] = stream
        if any(
            less > more
            for less, more in zip(camera_config["lores"]["size"], camera_config["main"]["size"], strict=True)
        ):
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        self._config = camera_config
        self.controls.append(camera_config["controls"])

    def camera_configuration(self) -> dict[str, Any] | None:
        """What was made of the configuration."""
        return self._config

    def start(self) -> None:
        ribbon.call("start", RuntimeError("Failed to start camera: Input/output error"))
        self._due = ribbon.clock()
        self.started = True

    def capture_request(self, wait: float | bool | None = None, flush: bool | None = None) -> CompletedRequest:
        """The next moment, to be released by the caller. Raises TimeoutError after `wait` seconds."""
        assert self._config is not None
        assert self.started
        mine = [request for request in ribbon.kept if request._camera is self]
        if len(mine) >= self._config["buffer_count"]:
            ribbon.wrong.append("no buffer is left")
        try:
            ribbon.call("capture_request", TimeoutError())
        except TimeoutError:
            if wait is None or wait is True:
                ribbon.wrong.append("capture_request waits for ever")
            self._abandoned = True
            raise
        self._due += 1 / self._rate()
        if (early := self._due - ribbon.clock()) > 0:
            ribbon.sleep(early)
        self._due = max(self._due, ribbon.clock() - 1 / self._rate())
        request = CompletedRequest(self, self._given)
        self._given += 1
        if ribbon.picture is not None:
            self._streams = self._seen([ribbon.picture(ribbon.clock())])
        ribbon.kept.append(request)
        return request

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """Ask for controls; they come with a later picture."""
        ribbon.call("set_controls")
        for name in controls:
            if name not in self.camera_controls and name not in ("FrameRate", "AfTrigger"):
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls.append(dict(controls))
        if "AfTrigger" in controls:
            ribbon.triggered = ribbon.clock()

    def stop(self) -> None:
        if self._abandoned:
            ribbon.wrong.append("stop waits for ever behind a capture")
        ribbon.call("stop")
        self.started = False

    def close(self) -> None:
        """Stop without the queue, and let go of the camera."""
        if self not in ribbon.open:
            return
        ribbon.open.remove(self)
        ribbon.kept[:] = [request for request in ribbon.kept if request._camera is not self or self._leak(request)]
        self.started = False
        ribbon.call("close")

    def streams(self) -> dict[str, list[Image]]:
        """The pictures of each stream, which come round and round."""
        if not self._streams:
            from vision.synthetic.tray import SyntheticTray

            tray = SyntheticTray(seed=4)
            self._streams = self._seen([tray.render_frame(0.0) for _ in range(8)])
        return self._streams

    def _leak(self, request: CompletedRequest) -> bool:
        ribbon.wrong.append("closed with a request that was not given back")
        return True

    def _rate(self) -> float:
        return float(next(one["FrameRate"] for one in reversed(self.controls) if "FrameRate" in one))

    def _seen(self, pictures: list[Image]) -> dict[str, list[Image]]:
        import cv2

        assert self._config is not None
        main, lores = self._config["main"], self._config["lores"]
        large = [np.asarray(cv2.resize(one, main["size"]), np.uint8) for one in pictures]
        planes = []
        for one in large:
            plane = np.full((lores["size"][1] * 3 // 2, lores["stride"]), 128, np.uint8)
            grey = cv2.cvtColor(one, cv2.COLOR_BGR2GRAY)
            plane[: lores["size"][1], : lores["size"][0]] = cv2.resize(
                grey, lores["size"], interpolation=cv2.INTER_AREA
            )
            planes.append(plane)
        return {"main": large, "lores": planes}
