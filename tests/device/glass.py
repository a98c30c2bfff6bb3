"""A model of the panels: I²C messages in, the picture on the glass out. And the bus they hang on, which can fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image

ARGUMENTS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0x8D: 1}
"""Bytes that follow a command (SSD1306 datasheet, table 9-1)."""

COLUMNS = 132
"""Width of the SH1106's memory; the SSD1306 uses the first 128 columns of it here."""


class Glass:
    """The controller's memory and registers. `left` is the first column on the glass: 0 for SSD1306, 2 for SH1106."""

    def __init__(self, left: int = 0) -> None:
        self.left = left
        self.power_cut()
        self.frames = self.messages = 0
        self.dark = 0

    def power_cut(self) -> None:
        """Back to the values after reset, with memory that holds noise."""
        self.ram = [[(x * 37 + page * 11) & 0xFF for x in range(COLUMNS)] for page in range(8)]
        self.on = self.pump = self.seg = self.com = False
        self.mode, self.contrast = 2, 0x7F
        self.column = self.page = 0
        self.window = (0, 127, 0, 7)
        self.pending: list[int] = []

    def message(self, payload: Sequence[int]) -> None:
        """One I²C write: a control byte, then commands (0x00) or memory (0x40)."""
        self.messages += 1
        control, body = payload[0], payload[1:]
        assert control in (0x00, 0x40)
        if control == 0x40:
            self.frames += 1
        for byte in body:
            self._data(byte) if control == 0x40 else self._command(byte)

    def _command(self, byte: int) -> None:
        self.pending.append(byte)
        code, *given = self.pending
        if len(given) < ARGUMENTS.get(code, 0):
            return
        self.pending = []
        if code == 0x20:
            # The SH1106 knows page addressing only.
            self.mode = 2 if self.left else given[0] & 3
        elif code == 0x21:
            self.window = (given[0], given[1], *self.window[2:])
            self.column = given[0]
        elif code == 0x22:
            self.window = (*self.window[:2], given[0], given[1])
            self.page = given[0]
        elif code <= 0x0F:
            self.column = self.column & 0xF0 | code
        elif code <= 0x1F:
            self.column = self.column & 0x0F | (code & 0x0F) << 4
        elif 0xB0 <= code <= 0xB7:
            self.page = code & 7
        elif code in (0xAE, 0xAF):
            self.on = code == 0xAF
            self.dark += code == 0xAE
        elif code in (0xA0, 0xA1):
            self.seg = code == 0xA1
        elif code in (0xC0, 0xC8):
            self.com = code == 0xC8
        elif code == 0x81:
            self.contrast = given[0]
        elif code == 0x8D:
            self.pump = given[0] == 0x14

    def _data(self, byte: int) -> None:
        self.ram[self.page][self.column] = byte
        first, last, top, bottom = self.window
        if self.mode == 2:
            self.column = (self.column + 1) % COLUMNS
        elif self.column == last:
            self.column, self.page = first, top if self.page == bottom else self.page + 1
        else:
            self.column += 1

    def picture(self) -> Image.Image:
        """What an eye sees. Modules are mounted so that remapped columns and rows stand upright."""
        image = Image.new("1", (128, 64))
        if not (self.on and self.pump):
            return image
        for y in range(64):
            for x in range(128):
                at = (x if self.seg else 127 - x, y if self.com else 63 - y)
                image.putpixel(at, self.ram[y >> 3][x + self.left] >> (y & 7) & 1)
        return image


class Bus:
    """Stands in for `smbus2.SMBus`. `fault` is raised by the message for which it gives an error."""

    def __init__(self, glass: Glass) -> None:
        self.glass = glass
        self.fault: Callable[[int], Exception | None] = lambda message: None
        self.opened = self.closed = 0
        self.port: int | None = None

    def __call__(self, port: int) -> Bus:
        """Open the bus, as `smbus2.SMBus(port)` does."""
        self.port = port
        self.opened += 1
        return self

    def close(self) -> None:
        """Close it."""
        self.closed += 1

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """One short message."""
        self._write([register, *data])

    def i2c_rdwr(self, *messages: Sequence[int]) -> None:
        """Long messages."""
        for message in messages:
            self._write(list(message))

    def _write(self, payload: list[int]) -> None:
        error = self.fault(self.glass.messages)
        if error:
            raise error
        self.glass.message(payload)
