"""The button hand: three buttons for each seat and one they share, on the Pi's header or on mock pins.

gpiozero's own debounce is left off: with lgpio it tells an edge only once the line has been still for the whole bounce
time, so it would cost that time on every press, and mock pins do not filter at all. Its events are passed by too: they
do not say when the kernel saw the edge.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock, RLock
from typing import Any

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from device.inputs.debounce import SETTLE, Debounce
from device.pins import FACTORIES as FACTORIES
from device.pins import PinError, close_factory, in_words, open_factory

WIRING: Mapping[str, int] = {
    "away-previous": 17,
    "away-next": 27,
    "away-ok": 22,
    "home-previous": 23,
    "home-next": 24,
    "home-ok": 25,
    "undo": 5,
}
"""BCM numbers. Each button joins its pin to ground: header pins 11, 13, 15 beside the ground at 14 for the away seat,
16, 18, 22 beside the ground at 20 for the home seat, 29 beside the ground at 30 for undo. I²C (2, 3), SPI
(7 to 11), UART (14, 15), HAT identity (0, 1) and sound (12, 13, 18 to 21) stay free."""

HOLDS: Mapping[str, tuple[tuple[float, str], ...]] = {"undo": ((2.0, "menu"), (6.0, "shutdown"))}
"""Seconds of holding and what they then mean, by button."""

RETRY = 10.0
"""Seconds until a button whose pin could not be had is tried again."""

FRESH = 1.0
"""Seconds an edge may be old when it is told; a time further back is of another clock."""

log = logging.getLogger("dugout.buttons")


ButtonError = PinError
"""The buttons cannot be used; `str()` says why and what to do. The table plays on without them."""


class _Button(DigitalInputDevice):  # type: ignore[misc]  # gpiozero has no types
    """A push-button's pin, pulled up, that tells of each edge: when it was, in its factory's seconds, and whether it
    was pressed.

    Not gpiozero's Button: it starts a thread each to find holds, which are found by `Buttons.poll` here.
    """

    def __init__(self, number: int, factory: Any, moved: Callable[[float, bool], None]) -> None:
        self._moved = moved
        super().__init__(number, pull_up=True, pin_factory=factory)

    def close(self) -> None:
        """Let the pin go; a chip that is gone no longer has it anyway."""
        for let_go in (self._unhear, super().close):
            try:
                let_go()
            except Exception as error:  # lgpio raises its own root error
                log.debug("A pin could not be closed: %s", error)
        self._pin = None

    def _unhear(self) -> None:
        """lgpio would go on calling back, for a pin that has the number of a new one."""
        if (pin := getattr(self, "_pin", None)) is not None:
            pin.when_changed = None

    def _pin_changed(self, ticks: float, state: int) -> None:
        self._moved(ticks, not state)


class Buttons:
    """The buttons as a hand: `pressed` is called with the name of each button pressed, or "menu" or "shutdown", and
    when that was.

    The time is that of the press's first edge as the kernel stamped it where the pins tell it, in seconds of `clock`;
    else, and for a press whose edge was missed, when it was noticed.

    `pressed` is called from gpiozero's threads and from `poll`, one call at a time; what it raises is logged.
    `factory` is a key of `device.pins.FACTORIES`, or a gpiozero factory, which then stays the caller's to close.
    `wiring` gives BCM numbers by button name, `settle` the seconds for which bounces are ignored, `clock` seconds that
    never go back. A button whose pin cannot be had is told in `faults` and tried again; raises ButtonError where none
    can.
    """

    def __init__(
        self,
        pressed: Callable[[str, float], None],
        factory: str | Any = "lgpio",
        wiring: Mapping[str, int] = WIRING,
        settle: float = SETTLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pressed = pressed
        self._clock = clock
        self._lock, self._telling = Lock(), RLock()
        self._owned = isinstance(factory, str)
        self._pins: dict[str, Any] = {}
        self._failed: dict[str, str] = {}
        self._wiring, self._again = wiring, 0.0
        self._fell: dict[str, float] = {}
        self._presses = {name: Debounce(name, HOLDS.get(name, ()), settle) for name in wiring}
        self._factory = open_factory(factory) if isinstance(factory, str) else factory
        try:
            self._open()
            if self.lost:
                raise ButtonError(" ".join(self._failed.values()))
        except ButtonError:
            self.close()
            raise

    @property
    def stuck(self) -> tuple[str, ...]:
        """The buttons that were down at the first look, or are for too long by now."""
        return tuple(name for name, press in self._presses.items() if press.fault)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with single buttons, a sentence each."""
        stuck = (f"Button {name} is stuck: check its wiring." for name, press in self._presses.items() if press.fault)
        return (*stuck, *self._failed.values())

    @property
    def lost(self) -> bool:
        """Whether no button at all can be read: the chip is gone, or its library."""
        return len(self._failed) == len(self._wiring) > 0

    def poll(self) -> None:
        """Look at every pin; to be called some twenty times a second, from one thread. Finds holds and missed edges."""
        for name in tuple(self._pins):
            self._look(name)
        if len(self._pins) < len(self._wiring) and self._clock() >= self._again:
            self._open()

    def close(self) -> None:
        """Let the pins go, also when their chip is gone. May be called again."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()
        if self._owned:
            close_factory(self._factory)

    def _open(self) -> None:
        """Take the pins that are not had yet."""
        self._again = self._clock() + RETRY
        for name, number in self._wiring.items():
            if name in self._pins:
                continue
            try:
                with in_words(f"Button {name} on GPIO{number}"):
                    pin = _Button(number, self._factory, partial(self._edge, name))
                    self._presses[name].begin(self._clock(), pin.is_active)
                    self._pins[name] = pin
            except ButtonError as error:
                self._failed[name] = str(error)

    def _edge(self, name: str, ticks: float, pressed: bool) -> None:
        """The pin moved at `ticks`: seconds since the start or since 1970, as the kernel and lgpio have it."""
        now = self._clock()
        ages = (now - ticks, time.time() - ticks)
        when = now - next((age for age in ages if 0 <= age < FRESH), 0.0)
        self._look(name, when)
        if pressed:
            self._fell[name] = when
        elif (fell := self._fell.pop(name, None)) is not None:
            with self._lock:
                told = self._presses[name].past(fell, when)
            for event in told:
                self._tell(event, fell)

    def _look(self, name: str, edge: float | None = None) -> None:
        """Read the pin anew, since an edge only says that it moved: a spike is over by now, a bounce goes on."""
        if name not in self._pins:
            return
        try:
            level = bool(self._pins[name].is_active)
        except Exception as error:  # lgpio raises its own root error, a closed device another
            self._failed[name] = f"Button {name} cannot be read: {error}."
            return
        self._failed.pop(name, None)
        with self._lock:
            press, when = self._presses[name], self._clock() if edge is None else edge
            told = press.poll(when, level) if edge is None else press.edge(when, level)
        for event in told:
            self._tell(event, when)

    def _tell(self, event: str, when: float) -> None:
        with self._telling:
            try:
                self._pressed(event, when)
            except Exception:
                # It would end gpiozero's thread, and with it all buttons.
                log.exception("The press of %s was lost.", event)


class _Pin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that a button can hold low, as a real one does whatever the pull-up wants."""

    low = False

    def drive_high(self) -> None:
        if not self.low:
            super().drive_high()


class MockBoard:
    """Push-buttons without a Pi: hand `factory` to `Buttons` and press by name, through gpiozero's own mock pins.

    A button may be pushed before the hand is opened, as one that is stuck. `close` lets the factory go.
    """

    def __init__(self, wiring: Mapping[str, int] = WIRING) -> None:
        self.wiring = dict(wiring)
        self.factory = MockFactory(pin_class=_Pin)

    def down(self, name: str) -> None:
        """Push a button and keep it down. Raises KeyError for a name that is not wired."""
        pin = self.factory.pin(self.wiring[name])
        pin.low = True
        pin.drive_low()

    def up(self, name: str) -> None:
        """Let a button go. Raises KeyError for a name that is not wired."""
        pin = self.factory.pin(self.wiring[name])
        pin.low = False
        pin.drive_high()

    def tap(self, name: str) -> None:
        """Push and let go at once: the release is found by the next `Buttons.poll`."""
        self.down(name)
        self.up(name)

    def close(self) -> None:
        """Forget all pins."""
        self.factory.close()
