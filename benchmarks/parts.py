"""The parts of a Pi, drawn and planted in the real program: a display's bus, a camera, pins, and the time of day.

What ails a part stands as one word in a file of the folder, named after the part; without the file it is well:

    display   gone, hangs
    camera    gone, hangs, black, noise, other (another camera, with smaller pictures)
    buttons   gone
    clock     seconds that the time of day is wrong by

`throw` is a line of colours: such dice are thrown into the drawn tray whenever it changes. `frame` is written once: the
seconds of the monotonic clock at which the first lit picture was whole on the display; `wrong` is what was done to the
camera that would harm a real one. A camera at rest costs next to nothing: its few pictures are drawn before.
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

LOOK = 0.05
"""Seconds between two checks of a part's file."""

SWAP = 1.0
"""Seconds without a camera while it is exchanged for another."""

RING = 4
"""Pictures of a tray at rest that are drawn in advance and shown in turn."""

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

UNIT = Path(__file__).parents[1] / "systemd" / "dugout.service"


def allocator() -> dict[str, str]:
    """How the service's C library keeps memory, by its unit."""
    lines = [line.removeprefix("Environment=") for line in UNIT.read_text().splitlines()]
    return dict(word.split("=", 1) for line in lines if line.startswith("MALLOC_") for word in line.split())


class Ails:
    """Return the fault of a part from its file; "" if it has none."""

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


class Planted(Ribbon):
    """The Pi camera: a drawn tray that dice are thrown into, whatever ails the camera."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._ails, self._throw, self._told = Ails(folder, "camera"), Ails(folder, "throw"), folder / "wrong"
        self._tray: Any = None
        self._thrown, self._word = "", ""
        self._off, self._still = 0.0, 0.0
        self._rests: Any = None

    def call(self, name: str, error: Exception | None = None) -> None:
        """Apply the current fault before a camera call."""
        now, word = time.monotonic(), self._ails()
        if word != self._word:
            # Another camera is plugged in: it gives less.
            self._off = now + SWAP if "other" in (word, self._word) else 0.0
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
        """Throw what is to be thrown; draw what moves as it is seen, and what lies still once."""
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
            camera._streams = camera._seen([self._tray.render_frame(now) for _ in range(RING)])


def _black(now: float) -> Any:
    import numpy as np

    return np.zeros((480, 640, 3), np.uint8)


def _noise(now: float) -> Any:
    import numpy as np

    return np.random.default_rng().integers(0, 256, (480, 640, 3), np.uint8)


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
    picamera2.ribbon = Planted(folder)
    sys.modules["picamera2"] = picamera2
    from device import pins
    from device.storage import store

    Pins.ails = Ails(folder, "buttons")
    pins.PIN_FACTORIES["lgpio"] = (__name__, Pins.__name__)
    wrong, real = Ails(folder, "clock"), time.time

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(time.time(), tz)

    time.time = lambda: real() + float(wrong() or 0)
    store.datetime = Wrong  # type: ignore[attr-defined]
