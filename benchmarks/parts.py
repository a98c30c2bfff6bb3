"""The parts of a Pi, drawn and planted in the real program: a display's bus, a camera, pins, and the time of day.

What ails a part stands as one word in a file of the folder, named after the part; without the file it is well:

    display   gone, hangs
    camera    gone, hangs, black, noise, other (frames of another size)
    buttons   gone
    clock     seconds that the time of day is wrong by

`throw` is a line of colours: such dice are thrown into the drawn tray whenever it changes. `frame` is written once: the
seconds of the monotonic clock at which the first lit picture was whole on the display. A camera at rest costs next to
nothing: its few pictures are drawn before.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from types import ModuleType
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

LOOK = 0.05
"""Seconds between two looks at a part's file."""

RING = 4
"""Pictures of a tray at rest that are drawn before, and then shown in turn."""

START = """\
import sys
from benchmarks import parts
parts.plant(sys.argv.pop(1))
from device.cli import main
raise SystemExit(main())
"""
"""The program with these parts; its first argument is the folder."""

SETTINGS = """\
[camera]
source = "{camera}"
show = {{show}}
[display]
driver = "ssd1306"
[buttons]
factory = "lgpio"
[web]
host = "127.0.0.1"
port = {{port}}
"""
"""Its settings, with `camera` "picamera2" or "none"."""


class Ails:
    """What ails one part, as its file says; empty: nothing."""

    def __init__(self, folder: Path, part: str) -> None:
        self._file, self._next, self._word = folder / part, 0.0, ""

    def __call__(self) -> str:
        if (now := time.monotonic()) >= self._next:
            self._next = now + LOOK
            try:
                self._word = self._file.read_text().strip()
            except OSError:
                self._word = ""
        return self._word


class Bus:
    """Stands in for `smbus2.SMBus`."""

    ails: Ails
    frame: Path

    def __init__(self, port: int) -> None:
        if self.ails() == "gone":
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{port}")

    def close(self) -> None:
        pass

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self._fail(errno.EREMOTEIO)

    def i2c_rdwr(self, message: Sequence[int]) -> None:
        self._fail(errno.EIO)
        if any(message[1:]) and not self.frame.exists():
            self.frame.write_text(repr(time.monotonic()))

    def _fail(self, number: int) -> None:
        if (word := self.ails()) == "gone":
            raise OSError(number, "I/O error")
        if word == "hangs":
            time.sleep(1)
            raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")


class Tray:
    """A drawn tray, and its pictures while nothing stirs."""

    def __init__(self, folder: Path) -> None:
        from vision.drawn import DrawnTray

        self._tray, self._throw = DrawnTray(seed=5), Ails(folder, "throw")
        self._thrown, self._still, self._turn = self._throw(), 0.0, 0
        self._ring: list[Any] = []

    def picture(self) -> Any:
        """What the camera sees now, (480, 640, 3)."""
        from device.sim import PALE
        from vision.drawn import DrawnDie

        now, line = time.monotonic(), self._throw()
        if line != self._thrown:
            self._thrown, self._ring = line, []
            dice = [DrawnDie(one, pips="black" if one in PALE else "white") for one in line.split()[1:]]
            self._still = self._tray.throw(now, dice) + 1
        if now < self._still:
            return self._tray.frame(now)
        if not self._ring:
            self._ring = [self._tray.frame(now) for _ in range(RING)]
        self._turn += 1
        return self._ring[self._turn % RING]


class Request:
    """One moment, as picamera2 gives it."""

    def __init__(self, camera: Camera, picture: Any) -> None:
        self._camera, self._picture = camera, picture
        camera.out += 1

    def make_array(self, name: str) -> Any:
        import cv2
        import numpy as np

        wide, high = self._camera.config[name]["size"]
        if (word := self._camera.ails()) == "other":
            wide, high = wide // 4, high // 4
        if word in ("black", "noise"):
            top = 1 if word == "black" else 256
            picture = np.random.default_rng().integers(0, top, (high, wide, 3), np.uint8)
        else:
            known = self._camera.known.get((name, id(self._picture)))
            if known is not None and word == "":
                return known
            picture = cv2.resize(self._picture, (wide, high))
        array = picture if name == "main" else cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
        if word == "":
            self._camera.keep(name, self._picture, array)
        return array

    def get_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.6), "SensorTimestamp": 0}

    def release(self) -> None:
        self._camera.out -= 1


class Camera:
    """Stands in for `picamera2.Picamera2`."""

    ails: Ails
    tray: Tray | None = None
    folder: Path

    def __init__(self, camera_num: int = 0) -> None:
        if not self.global_camera_info():
            raise IndexError("list index out of range")
        # What lies in the tray lies there, whoever looks.
        kind = type(self)
        kind.tray = kind.tray or Tray(self.folder)
        self.config: dict[str, Any] = {}
        self.known: dict[tuple[str, int], Any] = {}
        self._kept: list[Any] = []
        self.camera_properties = {"Model": "drawn"}
        self.started, self.out, self._every, self._next = False, 0, 0.1, 0.0

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [] if cls.ails() == "gone" else [{"Model": "drawn", "Num": 0, "Location": 2, "Rotation": 0}]

    def keep(self, name: str, picture: Any, array: Any) -> None:
        """The pictures of the ring are converted once."""
        self._kept.append(picture)
        self.known[name, id(picture)] = array
        if len(self._kept) > 2 * RING:
            gone = id(self._kept.pop(0))
            if all(id(one) != gone for one in self._kept):
                for key in [key for key in self.known if key[1] == gone]:
                    del self.known[key]

    def create_video_configuration(self, **streams: Any) -> dict[str, Any]:
        return streams

    def configure(self, config: dict[str, Any]) -> None:
        self._fail()
        self.config = {name: dict(one) for name, one in config.items() if isinstance(one, dict)}
        for name in ("main", "lores"):
            self.config[name]["stride"] = self.config[name]["size"][0] * (3 if name == "main" else 1)
        self.set_controls(config.get("controls", {}))

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._fail()
        if "FrameRate" in controls:
            self._every = 1 / controls["FrameRate"]
        if "FrameDurationLimits" in controls:
            self._every = controls["FrameDurationLimits"][0] / 1e6

    def start(self, *_: Any, **__: Any) -> None:
        self._fail()
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.started = False

    def capture_metadata(self) -> dict[str, Any]:
        self._fail()
        return {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.6)}

    def capture_request(self, wait: float | None = None, flush: Any = None) -> Request:
        if self.out >= 4:
            raise AssertionError("four requests were never released")
        now = time.monotonic()
        time.sleep(max(0.0, self._next - now))
        self._next = max(self._next, now) + self._every
        if self.ails() == "hangs":
            time.sleep(wait or 3.0)
            raise TimeoutError("no frame came")
        self._fail()
        assert self.tray is not None
        return Request(self, self.tray.picture())

    def _fail(self) -> None:
        if self.ails() == "gone":
            raise RuntimeError("the camera was unplugged")


class Pin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A line of a chip that may vanish."""

    def _get_state(self) -> Any:
        if self.factory.ails():
            raise OSError(errno.EIO, "bad GPIO chip handle")
        return super()._get_state()


class Pins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Stands in for gpiozero's factory on lgpio."""

    ails: Ails

    def __init__(self) -> None:
        if self.ails():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/dev/gpiochip0")
        super().__init__(pin_class=Pin)


def plant(where: str) -> None:
    """Put them in place; to be called before the program is imported."""
    import smbus2

    folder = Path(where)
    Bus.ails, Bus.frame = Ails(folder, "display"), folder / "frame"
    smbus2.SMBus = Bus  # type: ignore[misc, assignment]
    smbus2.i2c_msg.write = staticmethod(lambda address, data: data)  # type: ignore[method-assign, assignment]
    Camera.ails, Camera.folder = Ails(folder, "camera"), folder
    picamera2 = ModuleType("picamera2")
    picamera2.Picamera2 = Camera  # type: ignore[attr-defined]
    sys.modules["picamera2"] = picamera2
    from device import pins, store

    Pins.ails = Ails(folder, "buttons")
    pins.FACTORIES["lgpio"] = (__name__, Pins.__name__)
    wrong, real = Ails(folder, "clock"), time.time

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(time.time(), tz)

    time.time = lambda: real() + float(wrong() or 0)
    store.datetime = Wrong  # type: ignore[attr-defined]
