"""Run by Python before the program: use mock pins instead of lgpio, and an I²C bus that records its messages.

They are written to the service's own folder, each as two bytes for its length and then its bytes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

RECORD = Path("/var/lib/dugout/bus")


class Bus:
    """A fake `smbus2.SMBus`."""

    def __init__(self, port: int) -> None:
        self._record = RECORD.open("ab", buffering=0)

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self._write(bytes([register, *data]))

    def i2c_rdwr(self, message: Sequence[int]) -> None:
        self._write(bytes(message))

    def _write(self, message: bytes) -> None:
        self._record.write(len(message).to_bytes(2, "big") + message)

    def close(self) -> None:
        self._record.close()


def plant() -> None:
    import smbus2
    from gpiozero.pins.mock import MockFactory

    pins = ModuleType("gpiozero.pins.lgpio")
    pins.LGPIOFactory = MockFactory  # type: ignore[attr-defined]
    sys.modules[pins.__name__] = pins
    smbus2.SMBus = Bus  # type: ignore[assignment, misc]
    smbus2.i2c_msg.write = staticmethod(lambda address, data: data)  # type: ignore[assignment, method-assign]


if os.environ.get("GPIOZERO_PIN_FACTORY") == "mock":
    plant()
