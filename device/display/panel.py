"""The glass itself: OLED panels on the I²C or SPI bus, through luma, and the errors of I²C in words.

luma (3.16) packs each frame pixel by pixel in Python, through a call that Pillow withdraws in its version 14. Frames
are packed here by Pillow's own encoder instead: the same bytes, some hundred times faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from luma.core.device import device, dummy
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from device.display.spi import Spi


class Panel(Protocol):
    """What the driver needs of a luma device."""

    def display(self, image: Image.Image) -> None:
        """Show a picture of the panel's size, mode "1"."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def renew(self) -> None:
        """Set the panel up again, picture untouched: one whose power failed for a moment forgot how it was set up,
        and no error tells of it."""

    def cleanup(self) -> None:
        """Release the bus."""


def pages(image: Image.Image) -> list[bytes]:
    """A picture as a panel holds it: rows of bytes, each byte eight pixels below each other, the topmost in bit 0.

    The height must be a multiple of 8.
    """
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    rows = image.height // 8
    return [columns[row::rows] for row in range(rows)]


class _Renewed:
    """Panels that remember their own set-up."""

    _setup: tuple[int, ...] = ()

    def command(self: Any, *cmd: int) -> None:
        if not self._setup:
            # luma's first command: display off, then the whole set-up. It need not go dark for the second time.
            self._setup = cmd[1:]
        super().command(*cmd)  # type: ignore[misc]

    def renew(self: Any) -> None:
        if isinstance(self._serial_interface, Spi):
            self._serial_interface.reset()
        self.command(*self._setup)
        self.show()


class _Free(device):  # type: ignore[misc]  # luma has no types
    """As luma's own root of all panels, which has each wait for the end of the program to be cleared: for that it would
    keep every panel ever opened, and one that comes and goes all evening is opened anew each time."""

    def __init__(self, const: Any = None, serial_interface: Any = None) -> None:
        self._const, self._serial_interface = const, serial_interface


class _Whole(_Renewed):
    """Panels that take a whole frame at once (horizontal addressing)."""

    def display(self: Any, image: Image.Image) -> None:
        const = self._const
        image = self.preprocess(image)
        self.command(const.COLUMNADDR, self._colstart, self._colend - 1, const.PAGEADDR, 0, self._pages - 1)
        self.data(b"".join(pages(image)))


class _Paged(_Renewed):
    """Panels that take a frame page by page; their memory is wider than the glass."""

    def display(self: Any, image: Image.Image) -> None:
        for row, data in enumerate(pages(self.preprocess(image))):
            self.command(0xB0 + row, self._page_address_offset, 0x10)
            self.data(data)


class Ssd1306(_Whole, ssd1306, _Free):  # type: ignore[misc]  # luma has no types
    """The common 0.96" panel."""


class Ssd1309(_Whole, ssd1309, _Free):  # type: ignore[misc]  # luma has no types
    """The 1.54" and 2.42" panels."""


class Sh1106(_Paged, sh1106, _Free):  # type: ignore[misc]  # luma has no types
    """The common 1.3" panel."""


MODELS: dict[str, Any] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
"""The panels that can be named in the settings."""


def opener(
    model: str = "ssd1306",
    bus: int = 1,
    address: int = 0x3C,
    height: int = 64,
    spi: Callable[[], Spi] | None = None,
) -> Callable[[], Panel]:
    """What opens a panel: a key of `MODELS` with `height` lines (64 or 32), on I²C bus `bus` (/dev/i2c-N) at `address`,
    or where `spi` opens.

    Call it to get the panel; it then raises what luma and the bus raise (see `words`, and for SPI `wires.words`).
    Raises KeyError for another model. An SH1106 with 32 lines is set up as luma has it; none was ever seen.
    """
    kind = MODELS[model]

    def open_panel() -> Panel:
        serial = spi() if spi else i2c(port=bus, address=address)
        try:
            panel: Panel = kind(serial, height=height)
        except BaseException:
            serial.cleanup()
            raise
        # Else luma clears the glass when the program ends, and with it "safe to unplug".
        panel.persist = True  # type: ignore[attr-defined]
        return panel

    return open_panel


class Dummy(dummy):  # type: ignore[misc]  # luma has no types
    """A panel that is only remembered, in `image`."""

    def __init__(self, height: int = 64) -> None:
        super().__init__(mode="1", height=height)

    def renew(self) -> None:
        """Nothing to do."""


def words(error: Exception, bus: int = 1, address: int = 0x3C) -> str:
    """Return what is wrong with the display, and what to do, as one sentence."""
    match error:
        case DevicePermissionError() | PermissionError():
            return f"No display: this user may not open I²C bus {bus}: add it to the group i2c."
        case TimeoutError():
            return f"No display: I²C bus {bus} hangs: check the wires SDA and SCL."
        case DeviceNotFoundError() if "/dev/" in str(error):
            return f"No display: there is no I²C bus {bus}: switch I²C on with raspi-config."
        case DeviceNotFoundError() | OSError():
            return f"No display: nothing answers at 0x{address:02X} on I²C bus {bus}: check its four wires."
    return f"No display: {error or type(error).__name__}."
