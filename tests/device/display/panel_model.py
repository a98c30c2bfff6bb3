"""A model of the panels: bytes of I²C or SPI in, the picture out; and of their buses, which can fail and take time.

Written after the datasheets of SSD1306 (tables 9-1, 10-1 to 10-3) and SH1106.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gpiozero.pins.mock import MockFactory
from PIL import Image

ARGUMENTS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0x8D: 1}
"""Bytes that follow a command (SSD1306 datasheet, table 9-1)."""

SWITCHES = {0xAE: ("on", False), 0xAF: ("on", True), 0xA0: ("seg", False), 0xA1: ("seg", True)}
SWITCHES |= {0xA4: ("full", False), 0xA5: ("full", True), 0xA6: ("inverted", False), 0xA7: ("inverted", True)}
SWITCHES |= {0xC0: ("com", False), 0xC8: ("com", True)}
"""Commands that set one register."""

COLUMNS = 132
"""Width of the SH1106's memory; the SSD1306 uses the first 128 columns of it here."""


class Glass:
    """The controller's memory and registers, and `height` lines of glass.

    `left` is the first column on the glass: 0 for SSD1306, 2 for SH1106, 4 for SSD1305. `wired` is whether it matters
    how the lines are wired to the controller: taller panels alternately to both of its sides, those of 32 lines to one
    side. Of an SH1106 with 32 lines it is not known. `pumped` is whether the panel's voltage comes from its controller.
    """

    def __init__(self, left: int = 0, height: int = 64, wired: bool = True, pumped: bool = True) -> None:
        self.left, self.height, self.wired, self.pumped = left, height, wired, pumped
        self.frames = self.messages = 0
        self.dark = 0
        self.power_cut()

    def power_cut(self) -> None:
        """Return to the values after reset, with memory that holds noise."""
        self.ram = [[(x * 37 + page * 11) & 0xFF for x in range(COLUMNS)] for page in range(8)]
        self.reset()

    def reset(self) -> None:
        """Return to the values after reset; the memory stays as it is."""
        self.on = self.pump = self.seg = self.com = self.inverted = self.full = False
        self.mode, self.contrast = 2, 0x7F
        self.column = self.page = 0
        self.lines, self.alternate, self.offset, self.start = 64, True, 0, 0
        self.window = (0, 127, 0, 7)
        self.pending: list[int] = []

    def message(self, payload: Sequence[int]) -> None:
        """Take an I²C write: a control byte, then commands (0x00) or memory (0x40)."""
        control, body = payload[0], payload[1:]
        assert control in (0x00, 0x40)
        self.feed(control == 0x40, body)

    def feed(self, data: bool, body: Sequence[int]) -> None:
        self.messages += 1
        self.frames += data
        for byte in body:
            self._data(byte) if data else self._command(byte)

    def _command(self, byte: int) -> None:
        self.pending.append(byte)
        code, *given = self.pending
        if len(given) < ARGUMENTS.get(code, 0):
            return
        self.pending = []
        if code == 0x20:
            # The SH1106 knows page addressing only.
            self.mode = 2 if self.left == 2 else given[0] & 3
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
        elif 0x40 <= code <= 0x7F:
            self.start = code & 63
        elif 0xB0 <= code <= 0xB7:
            self.page = code & 7
        elif code in SWITCHES:
            name, value = SWITCHES[code]
            setattr(self, name, value)
            self.dark += code == 0xAE
        elif code == 0x81:
            self.contrast = given[0]
        elif code == 0x8D:
            self.pump = given[0] == 0x14
        elif code == 0xA8:
            self.lines = (given[0] & 63) + 1
        elif code == 0xD3:
            self.offset = given[0] & 63
        elif code == 0xDA:
            self.alternate = bool(given[0] & 0x10)
        else:
            assert code in (0xD5, 0xD9, 0xDB, 0xE3), hex(code)

    def _data(self, byte: int) -> None:
        self.ram[self.page][self.column] = byte
        first, last, top, bottom = self.window
        if self.mode == 2:
            self.column = (self.column + 1) % COLUMNS
        elif self.column == last:
            self.column, self.page = first, top if self.page == bottom else self.page + 1
        else:
            self.column += 1

    def _line(self, y: int) -> int | None:
        """Return which line of the memory line `y` of the glass shows; None for one that is never driven."""
        if not self.wired:
            return y if self.com else self.height - 1 - y
        # Modules are mounted upside down, so that remapped lines stand upright.
        at = self.height - 1 - y
        side, index = (at % 2, at // 2) if self.height == 64 else (0, at)
        driver = 2 * index + side if self.alternate else 32 * side + index
        line = self.lines - 1 - driver if self.com else driver
        return (line + self.offset + self.start) % 64 if 0 <= line < self.lines else None

    def picture(self) -> Image.Image:
        """Return what an eye sees. Modules are mounted so that remapped columns and lines stand upright."""
        if not (self.on and (self.pump or not self.pumped)):
            return Image.new("1", (128, self.height))
        seen = bytearray()
        for y in range(self.height):
            line = self._line(y)
            row = self.ram[0 if line is None else line >> 3][self.left : self.left + 128]
            bits = [line is not None and (self.full or bool(byte >> (line & 7) & 1)) for byte in row]
            if not self.seg:
                bits.reverse()
            seen += bytes(255 * (bit != self.inverted) for bit in bits)
        return Image.frombytes("L", (128, self.height), bytes(seen)).convert("1", dither=Image.Dither.NONE)


class UprightGlass(Glass):
    """An SH1107 of 64 x 128 pixels, written after its datasheet: 16 pages of columns, and no windows. It is mounted on
    its side, its first row at the right."""

    def reset(self) -> None:
        super().reset()
        self.ram = [[(x * 37 + page * 11) & 0xFF for x in range(128)] for page in range(16)]

    def _command(self, byte: int) -> None:
        if self.pending:
            self.pending.clear()
        elif byte in (0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB):
            self.pending.append(byte)
        elif byte <= 0x0F:
            self.column = self.column & 0x70 | byte
        elif byte <= 0x17:
            self.column = self.column & 0x0F | (byte & 7) << 4
        elif 0xB0 <= byte <= 0xBF:
            self.page = byte & 15
        elif byte in (0xAE, 0xAF):
            self.on = byte == 0xAF

    def _data(self, byte: int) -> None:
        self.ram[self.page][self.column] = byte
        self.column = (self.column + 1) % 128

    def picture(self) -> Image.Image:
        if not self.on:
            return Image.new("1", (128, 64))
        pixels = bytes(255 * (page[x] >> bit & 1) for page in self.ram for bit in range(8) for x in range(64))
        upright = Image.frombytes("L", (64, 128), pixels)
        return upright.transpose(Image.Transpose.ROTATE_90).convert("1", dither=Image.Dither.NONE)


class Bus:
    """Stands in for `smbus2.SMBus`. A message raises the error that `fault` returns for it; `spend` is called with the
    seconds that it takes at `speed` bits a second, nine bits a byte."""

    def __init__(self, glass: Glass) -> None:
        self.glass = glass
        self.fault: Callable[[int], Exception | None] = lambda message: None
        self.spend: Callable[[float], None] = lambda seconds: None
        self.speed = 400_000
        self.tried = self.opened = self.closed = 0
        self.port: int | None = None

    def __call__(self, port: int) -> Bus:
        self.port = port
        self.opened += 1
        return self

    def close(self) -> None:
        self.closed += 1

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self._write([register, *data])

    def i2c_rdwr(self, *messages: Sequence[int]) -> None:
        for message in messages:
            self._write(list(message))

    def _write(self, payload: list[int]) -> None:
        self.spend((len(payload) + 1) * 9 / self.speed)
        self.tried += 1
        error = self.fault(self.glass.messages)
        if error:
            raise error
        self.glass.message(payload)


class Lgpio:
    """Stands in for the module `lgpio` and its SPI, with a glass on it; `factory` has the lines D/C and RES.

    `away`: nothing is plugged in, which goes unnoticed. A write raises the error that `fault` returns for its number,
    counted from 1; 0 is the opening.
    """

    def __init__(self, glass: Glass, dc: int = 6, reset: int = 4) -> None:
        self.glass, self.factory = glass, MockFactory()
        self._dc, self._res = self.factory.pin(dc), self.factory.pin(reset)
        self.fault: Callable[[int], Exception | None] = lambda write: None
        self.away, self.writes, self.open = False, 0, 0
        self.awake = False
        """Whether it was reset since its power came: before, it listens to nothing."""
        self._seen = 0

    def unplug(self) -> None:
        self.away, self.awake = True, False
        self.glass.power_cut()

    def spi_open(self, bus: int, chip: int, baud: int, flags: int) -> int:
        assert (bus, flags) == (0, 0)
        assert baud <= 10_000_000
        error = self.fault(0)
        if error:
            raise error
        self.open += 1
        return 7

    def spi_close(self, handle: int) -> None:
        assert handle == 7
        self.open -= 1

    def spi_write(self, handle: int, data: bytes) -> int:
        assert isinstance(data, bytes)
        assert len(data) <= 4096
        self.writes += 1
        error = self.fault(self.writes)
        if error:
            raise error
        states: list[Any] = self._res.states
        if any(not state.state for state in states[self._seen :]) and not self.away:
            self.awake = True
            self.glass.reset()
        self._seen = len(states)
        if self.awake and self._res.state:
            self.glass.feed(bool(self._dc.state), data)
        return len(data)
