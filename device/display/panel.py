"""OLED panels on the I²C or SPI bus through luma, and messages for their errors.

luma (3.16) packs each frame pixel by pixel in Python, through a call that Pillow 14 removes. Pillow's encoder packs
them here, with the same result, about a hundred times faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from gpiozero import DigitalOutputDevice
from luma.core.device import device, dummy
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, sh1107, ssd1305, ssd1306, ssd1309
from PIL import Image

from device.pins import PinError, open_factory, translate_gpio_errors

SPI_CLOCK_HZ = 8_000_000
"""SPI clock. The panels accept 10 MHz (SSD1306 datasheet, table 13-4: a clock cycle of 100 ns)."""

# length of the reset pulse and of the pause after it. The minimum is 3 µs (SSD1306, section 8.9).
RESET_PULSE_S = 0.00005


class Panel(Protocol):
    """Interface of a luma device that the driver needs."""

    def display(self, image: Image.Image) -> None:
        """Show a picture of the panel's size, mode "1"."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def reinitialize(self) -> None:
        """Set up the panel again and keep its picture. A short power failure makes this necessary without any error."""

    def cleanup(self) -> None:
        """Release the bus."""


def panel_pages(image: Image.Image) -> list[bytes]:
    """Pack a picture as a panel stores it: rows of bytes, each a column of eight pixels, the topmost in bit 0.

    The height must be a multiple of 8.
    """
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    rows = image.height // 8
    return [columns[row::rows] for row in range(rows)]


class Spi:
    """Serial interface for luma on lgpio only: the bus /dev/spidev0.`chip` and the lines D/C and RES.

    luma's interface needs spidev, for which there are no wheels, and RPi.GPIO, which does not work on a Pi 5. A panel
    on this bus never answers. A disconnected one is not noticed, and is set up again within a minute of its return.
    `factory` is a gpiozero factory that the caller closes, None to open and close lgpio's here. Raises PinError. A
    write raises lgpio's errors.
    """

    def __init__(self, chip: int = 0, dc: int = 6, reset: int = 4, factory: Any = None) -> None:
        self._closes: list[Callable[[], None]] = []
        self._factory = factory
        try:
            if factory is None:
                self._factory = open_factory("lgpio", "its lines")
                self._closes.append(self._factory.close)
            self._dc = self._open_line(dc, "D/C", False)
            self._reset = self._open_line(reset, "RES", True)
            with translate_gpio_errors(f"SPI bus 0.{chip} (enable SPI with raspi-config; group spi)"):
                self._lgpio = import_module("lgpio")
                self._bus = self._lgpio.spi_open(0, chip, SPI_CLOCK_HZ, 0)
            self._closes.append(lambda: self._lgpio.spi_close(self._bus))
            self.reset_panel()
        except BaseException:
            self.cleanup()
            raise

    def _open_line(self, number: int, name: str, high: bool) -> Any:
        with translate_gpio_errors(f"its line {name} on GPIO{number}"):
            line = DigitalOutputDevice(number, initial_value=high, pin_factory=self._factory)
        self._closes.append(line.close)
        return line

    def reset_panel(self) -> None:
        """Reset the panel, as required after power-on."""
        self._reset.off()
        time.sleep(RESET_PULSE_S)
        self._reset.on()
        time.sleep(RESET_PULSE_S)

    def command(self, *cmd: int) -> None:
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


class _ReinitializablePanel:
    """Panel that remembers its setup."""

    _setup: tuple[int, ...] = ()

    def command(self: Any, *cmd: int) -> None:
        if not self._setup:
            # luma's first command is display off and the complete setup. Later setups need not turn the display off.
            self._setup = cmd[1:]
        super().command(*cmd)  # type: ignore[misc]

    def reinitialize(self: Any) -> None:
        if isinstance(self._serial_interface, Spi):
            self._serial_interface.reset_panel()
        self.command(*self._setup)
        self.show()


class _UntrackedDevice(device):  # type: ignore[misc]  # luma has no types
    """Replaces luma's base class of all panels, which keeps every opened panel to clear it at exit.

    A panel with a loose connection is opened many times in an evening.
    """

    def __init__(self, const: Any = None, serial_interface: Any = None) -> None:
        self._const, self._serial_interface = const, serial_interface


class _FullFramePanel(_ReinitializablePanel):
    """Panel that takes a full frame at once (horizontal addressing)."""

    def display(self: Any, image: Image.Image) -> None:
        const = self._const
        image = self.preprocess(image)
        self.command(const.COLUMNADDR, self._colstart, self._colend - 1, const.PAGEADDR, 0, self._pages - 1)
        self.data(b"".join(panel_pages(image)))


class _PagedPanel(_ReinitializablePanel):
    """Panel that takes a frame page by page. Its memory is wider than the panel."""

    def display(self: Any, image: Image.Image) -> None:
        for row, data in enumerate(panel_pages(self.preprocess(image))):
            self.command(0xB0 + row, self._page_address_offset, 0x10)
            self.data(data)


class Ssd1305(_FullFramePanel, ssd1305, _UntrackedDevice):  # type: ignore[misc]  # luma has no types
    """2.23" panel of 32 lines."""


class Ssd1306(_FullFramePanel, ssd1306, _UntrackedDevice):  # type: ignore[misc]  # luma has no types
    """Common 0.96" panel."""


class Ssd1309(_FullFramePanel, ssd1309, _UntrackedDevice):  # type: ignore[misc]  # luma has no types
    """1.54" and 2.42" panels."""


class Sh1106(_PagedPanel, sh1106, _UntrackedDevice):  # type: ignore[misc]  # luma has no types
    """Common 1.3" panel."""


class Sh1107(_PagedPanel, sh1107, _UntrackedDevice):  # type: ignore[misc]  # luma has no types
    """1.3" panel that stands upright: 64 pixels wide and 128 high. It is mounted on its side."""

    _page_address_offset = 0

    def __init__(self, serial: Any, height: int, rotate: int) -> None:
        super().__init__(serial, width=height, height=128, rotate=rotate + 1)  # type: ignore[call-arg]  # luma has no types


PANEL_MODELS: dict[str, type[device]] = {
    "ssd1306": Ssd1306,
    "sh1106": Sh1106,
    "ssd1309": Ssd1309,
    "ssd1305": Ssd1305,
    "sh1107": Sh1107,
}
"""Panels by their name in the settings. docs/build/display.md says how to tell them apart."""


def panel_opener(
    model: str = "ssd1306",
    bus: int = 1,
    address: int = 0x3C,
    height: int = 64,
    spi: Callable[[], Spi] | None = None,
    *,
    upside_down: bool = False,
) -> Callable[[], Panel]:
    """Build a function that opens a panel on an I²C bus, or on the bus that `spi` opens.

    model: key of `PANEL_MODELS`, else KeyError.
    bus, address: I²C address on /dev/i2c-`bus`.
    height: 64 or 32 lines. An SH1106 with 32 lines was never tested.
    upside_down: turn all pictures by 180 degrees.

    The function raises errors of luma and the bus (see `describe_fault`).
    """
    kind = PANEL_MODELS[model]

    def open_panel() -> Panel:
        serial = spi() if spi else i2c(port=bus, address=address)
        try:
            panel: Panel = kind(serial, height=height, rotate=2 if upside_down else 0)
        except BaseException:
            serial.cleanup()
            raise
        # Otherwise luma clears the panel at exit, and with it "safe to unplug".
        panel.persist = True  # type: ignore[attr-defined]
        return panel

    return open_panel


class DummyPanel(dummy):  # type: ignore[misc]  # luma has no types
    """Panel without hardware. `image` has its picture."""

    def __init__(self, height: int = 64) -> None:
        super().__init__(mode="1", height=height)

    def reinitialize(self) -> None:
        """Do nothing."""


def describe_fault(error: Exception, bus: int | None = 1, address: int = 0x3C) -> str:
    """Describe an error of the display and a fix. `bus` is None for SPI."""
    if bus is None:
        why = str(error) if isinstance(error, PinError) else f"writing to it by SPI failed: {_error_text(error)}."
        return f"No display: {why}"
    match error:
        case DevicePermissionError() | PermissionError():
            return f"No display: no permission to open I²C bus {bus}: add this user to the group i2c."
        case TimeoutError():
            return f"No display: I²C bus {bus} doesn't respond: check the wires SDA and SCL."
        case DeviceNotFoundError() if "/dev/" in str(error):
            return f"No display: there is no I²C bus {bus}: enable I²C with raspi-config."
        case DeviceNotFoundError() | OSError():
            return f"No display: nothing answers at 0x{address:02X} on I²C bus {bus}: check its four wires."
    return f"No display: {_error_text(error)}."


def _error_text(error: Exception) -> str:
    return str(error) or type(error).__name__
