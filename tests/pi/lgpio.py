"""The part of lgpio that gpiozero uses, over a chip that can be pulled out. A test puts it into `sys.modules`."""

from __future__ import annotations

import time
from collections.abc import Callable

SET_ACTIVE_LOW, SET_OPEN_DRAIN, SET_OPEN_SOURCE = 4, 8, 16
SET_PULL_UP = SET_BIAS_PULL_UP = 32
SET_PULL_DOWN = SET_BIAS_PULL_DOWN = 64
SET_PULL_NONE = SET_BIAS_DISABLE = 128
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

EdgeCallback = Callable[[int, int, int, int], None]


class error(Exception):  # noqa: N801 - lgpio's name
    """lgpio's own, which has no other root."""


class Chip:
    """Pins that are pulled up, and who holds them. A line belongs to one handle until it is freed or that closed."""

    def __init__(self) -> None:
        self.there = True
        self.broken: set[int] = set()
        """Lines that cannot be read."""
        self.opened = 0
        """How often it was asked for."""
        self.handles: set[int] = set()
        self.lines: dict[int, int] = {}
        self.alerts: set[int] = set()
        self._levels: dict[int, int] = {}
        self._callbacks: list[callback] = []

    def vanish(self) -> None:
        """Pull it out: nobody hears of edges any more."""
        self.there = False
        self.lines.clear()
        self.alerts.clear()

    def move(self, line: int, level: int) -> None:
        """Bring a pin to a level, and report the edge to those who watch it."""
        self._levels[line] = level
        for one in list(self._callbacks):
            if one.line == line and line in self.alerts:
                one.report(0, line, level, time.monotonic_ns())

    def level(self, line: int) -> int:
        return self._levels.get(line, 1)

    def hold(self, handle: int, line: int) -> None:
        """Have a line for a handle. Raises error."""
        self.ask(handle)
        if self.lines.setdefault(line, handle) != handle:
            raise error("'GPIO busy'")

    def ask(self, handle: int) -> None:
        """Raise error where there is no such chip any more."""
        if handle not in self.handles:
            raise error("'unknown handle'")
        if not self.there:
            raise error("'bad GPIO ioctl'")


chip = Chip()


class callback:  # noqa: N801 - lgpio's name
    def __init__(self, handle: int, gpio: int, edge: int, func: EdgeCallback) -> None:
        self.line, self.report = gpio, func
        chip._callbacks.append(self)

    def cancel(self) -> None:
        chip._callbacks.remove(self)


def gpiochip_open(gpiochip: int) -> int:
    chip.opened += 1
    if not chip.there:
        raise error("'can not open gpiochip'")
    handle = chip.opened
    chip.handles.add(handle)
    return handle


def gpiochip_close(handle: int) -> None:
    if handle not in chip.handles:
        raise error("'unknown handle'")
    chip.handles.remove(handle)
    freed = {line for line, owner in chip.lines.items() if owner == handle}
    chip.lines = {line: owner for line, owner in chip.lines.items() if line not in freed}
    chip.alerts -= freed


def gpio_claim_input(handle: int, gpio: int, lflags: int = 0) -> None:
    """Read a line; its edges are no longer reported."""
    chip.hold(handle, gpio)
    chip.alerts.discard(gpio)


def gpio_claim_output(handle: int, gpio: int, level: int = 0, lflags: int = 0) -> None:
    chip.hold(handle, gpio)


def gpio_claim_alert(handle: int, gpio: int, edge: int, lflags: int = 0) -> None:
    """Read a line, and have its edges reported."""
    chip.hold(handle, gpio)
    chip.alerts.add(gpio)


def gpio_free(handle: int, gpio: int) -> None:
    chip.ask(handle)
    chip.lines.pop(gpio, None)


def gpio_get_mode(handle: int, gpio: int) -> int:
    """What the kernel says of a line: nothing that matters here."""
    chip.ask(handle)
    return 0


def gpio_read(handle: int, gpio: int) -> int:
    chip.ask(handle)
    if gpio in chip.broken:
        raise error("'GPIO not allocated'")
    return chip.level(gpio)


def gpio_write(handle: int, gpio: int, level: int) -> None:
    chip.hold(handle, gpio)
    chip.move(gpio, level)


def gpio_set_debounce_micros(handle: int, gpio: int, debounce_micros: int) -> None:
    """The kernel's own debounce, which is left off."""
    chip.ask(handle)
    assert debounce_micros == 0
