"""Simulated Pi hardware in the real program: display bus, camera, pins and time of day.

A part's fault is one word in a file of the folder, named after the part. Without the file it works:

    display   gone, hangs
    camera    gone, hangs, black, noise, other (another camera, with smaller pictures)
    buttons   gone
    clock     seconds by which the wall clock is off

`throw` is a line of colors, and such dice are thrown into the synthetic tray whenever it changes. `frame` is written
once, with the monotonic time in seconds of the first complete lit picture on the display. `wrong` lists camera calls
that would harm a real one. A camera at rest costs almost nothing, because its few pictures are prerendered.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from tests.pi import picamera2
from tests.pi.picamera2 import Ribbon

CHECK_INTERVAL_S = 0.05  # Interval of checks of a part's file, in seconds.
CAMERA_SWAP_S = 1.0  # Seconds without a camera while it is exchanged.
REST_PICTURE_COUNT = 4  # Prerendered pictures of a tray at rest, shown in rotation.

START = """\
import sys
from benchmarks import parts
parts.plant(sys.argv.pop(1))
from device.cli import main
raise SystemExit(main())
"""
"""Program with these parts. Its first argument is the folder."""

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
"""Settings of the program, with `camera` "picamera2" or "none"."""

UNIT = Path(__file__).parents[1] / "systemd" / "dugout.service"


def allocator() -> dict[str, str]:
    """Return the memory allocator's environment variables from the service's unit."""
    lines = [line.removeprefix("Environment=") for line in UNIT.read_text().splitlines()]
    return dict(word.split("=", 1) for line in lines if line.startswith("MALLOC_") for word in line.split())


class PartFault:
    """Fault of a part, read from its file, or ""."""

    def __init__(self, folder: Path, part: str) -> None:
        self._file, self._next, self._word = folder / part, 0.0, ""

    def __call__(self) -> str:
        if (now := time.monotonic()) >= self._next:
            self._next = now + CHECK_INTERVAL_S
            try:
                self._word = self._file.read_text().strip()
            except OSError:
                self._word = ""
        return self._word


class SimulatedBus:
    """Stand-in for `smbus2.SMBus`."""

    ails: PartFault
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


class SimulatedCamera(Ribbon):
    """Pi camera over a synthetic tray into which dice are thrown, with the faults from its file."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._ails, self._throw, self._told = PartFault(folder, "camera"), PartFault(folder, "throw"), folder / "wrong"
        self._tray: Any = None
        self._thrown, self._word = "", ""
        self._off, self._still = 0.0, 0.0
        self._rests: Any = None

    def call(self, name: str, error: Exception | None = None) -> None:
        now, word = time.monotonic(), self._ails()
        if word != self._word:
            # Another camera is plugged in, with smaller pictures.
            self._off = now + CAMERA_SWAP_S if "other" in (word, self._word) else 0.0
            self._word, self.most = word, (320, 240) if word == "other" else None
            self.picture, self._rests = {"black": _black, "noise": _noise}.get(word), None
        if word == "gone" or now < self._off:
            raise error or RuntimeError(f"{name}: Input/output error")
        if word == "hangs" and name == "capture_request":
            time.sleep(3)
            raise error or TimeoutError()
        if name == "capture_request" and word in ("", "other"):
            self._look(now)
        if self.wrong:
            self._told.write_text("\n".join(self.wrong))

    def _look(self, now: float) -> None:
        """Throw the requested dice. Frames in motion are rendered live, those at rest once."""
        from vision.synthetic.tray import SyntheticDie, SyntheticTray

        self._tray = self._tray or SyntheticTray(seed=5)
        line = self._throw()
        if line != self._thrown:
            from device.simulator.scene import PALE_COLORS

            dice = [SyntheticDie(one, pips="black" if one in PALE_COLORS else "white") for one in line.split()[1:]]
            self._thrown, self._still = line, self._tray.throw_dice(now, dice) + 1
        camera = self.open[0]
        if now < self._still:
            self.picture, self._rests = self._tray.render_frame, None
        elif self._rests is not camera:
            self.picture, self._rests = None, camera
            camera._streams = camera._seen([self._tray.render_frame(now) for _ in range(REST_PICTURE_COUNT)])


def _black(now: float) -> Any:
    import numpy as np

    return np.zeros((480, 640, 3), np.uint8)


def _noise(now: float) -> Any:
    import numpy as np

    return np.random.default_rng().integers(0, 256, (480, 640, 3), np.uint8)


class Pin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """GPIO line of a chip that may disappear."""

    def _get_state(self) -> Any:
        if self.factory.ails():
            raise OSError(errno.EIO, "bad GPIO chip handle")
        return super()._get_state()


class Pins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Stand-in for gpiozero's factory on lgpio."""

    ails: PartFault

    def __init__(self) -> None:
        if self.ails():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/dev/gpiochip0")
        super().__init__(pin_class=Pin)


def plant(where: str) -> None:
    """Install the parts. This must run before the program is imported."""
    import smbus2

    folder = Path(where)
    SimulatedBus.ails, SimulatedBus.frame = PartFault(folder, "display"), folder / "frame"
    smbus2.SMBus = SimulatedBus  # type: ignore[misc, assignment]
    smbus2.i2c_msg.write = staticmethod(lambda address, data: data)  # type: ignore[method-assign, assignment]
    picamera2.ribbon = SimulatedCamera(folder)
    sys.modules["picamera2"] = picamera2
    from device import pins
    from device.storage import store

    Pins.ails = PartFault(folder, "buttons")
    pins.PIN_FACTORIES["lgpio"] = (__name__, Pins.__name__)
    wrong, real = PartFault(folder, "clock"), time.time

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(time.time(), tz)

    time.time = lambda: real() + float(wrong() or 0)
    store.datetime = Wrong  # type: ignore[attr-defined]
