"""A panel on the SPI bus: what luma asks of a serial interface, on lgpio alone.

luma's own wants spidev, for which there are no wheels, and RPi.GPIO, which does not work on a Pi 5. A panel on this bus
never answers: one that is unplugged is not noticed, and set up anew within a minute of its return.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from gpiozero import DigitalOutputDevice

from device.pins import PinError, in_words, open_factory

SPEED = 8_000_000
"""Bits a second; the panels take 10 million (SSD1306 datasheet, table 13-4: a clock cycle of 100 ns)."""

PULSE = 0.00005
"""Seconds of reset, and after it: the datasheet wants 3 µs (SSD1306, section 8.9)."""


class Spi:
    """The bus /dev/spidev0.`chip`, and the BCM numbers of the lines D/C and RES. Raises PinError.

    `factory` is a gpiozero factory, which stays the caller's to close; None: lgpio's, opened and closed here. What a
    write raises is lgpio's own.
    """

    def __init__(self, chip: int = 0, dc: int = 6, reset: int = 4, factory: Any = None) -> None:
        self._closes: list[Callable[[], None]] = []
        self._factory = factory
        try:
            if factory is None:
                self._factory = open_factory("lgpio", "its lines")
                self._closes.append(self._factory.close)
            self._dc = self._line(dc, "D/C", False)
            self._reset = self._line(reset, "RES", True)
            with in_words(f"SPI bus 0.{chip} (switch SPI on with raspi-config; group spi)"):
                self._lgpio = import_module("lgpio")
                self._bus = self._lgpio.spi_open(0, chip, SPEED, 0)
            self._closes.append(lambda: self._lgpio.spi_close(self._bus))
            self.reset()
        except BaseException:
            self.cleanup()
            raise

    def _line(self, number: int, name: str, high: bool) -> Any:
        with in_words(f"its line {name} on GPIO{number}"):
            line = DigitalOutputDevice(number, initial_value=high, pin_factory=self._factory)
        self._closes.append(line.close)
        return line

    def reset(self) -> None:
        """Put the panel back to how it wakes, as it must be once after its power came."""
        self._reset.off()
        time.sleep(PULSE)
        self._reset.on()
        time.sleep(PULSE)

    def command(self, *cmd: int) -> None:
        """Send bytes as commands."""
        self._dc.off()
        self._lgpio.spi_write(self._bus, bytes(cmd))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes of a picture, at most 1024, in one transfer."""
        self._dc.on()
        self._lgpio.spi_write(self._bus, bytes(data))

    def cleanup(self) -> None:
        """Release the bus and the lines. May be called again."""
        while self._closes:
            self._closes.pop()()


def words(error: Exception) -> str:
    """Return what is wrong with a display on this bus, and what to do, as one sentence."""
    if isinstance(error, PinError):
        return f"No display: {error}"
    return f"No display: writing to it by SPI failed: {error or type(error).__name__}."
