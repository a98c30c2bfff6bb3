"""The buttons on the Pi's header or on mock pins, three for each seat and a shared one.

gpiozero's own debounce is off. With lgpio it reports an edge only after the line has been still for the bounce time,
which would delay every press, and it does not filter mock pins at all. Its events are not used, because they lack the
kernel's time of the edge.
"""

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock, RLock
from typing import Any

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from device.inputs.button_recovery import ButtonError
from device.inputs.debounce import HOLD_EVENTS, SETTLE_TIME_S, Debouncer
from device.pins import close_factory, open_factory, translate_gpio_errors
from device.settings import DEFAULT_PINS

HELD_POLL_S = 0.05
"""Interval between two readings of the pins while a button is down, in seconds."""

IDLE_POLL_S = 0.25
"""The same while no button is down, where it can only find missed edges."""

PIN_RETRY_S = 10.0  # seconds until a pin that could not be opened is tried again
MAX_EDGE_AGE_S = 1.0  # oldest plausible age of a reported edge, in seconds; an older time is from another clock

log = logging.getLogger("dugout.buttons")


# Called with each reading of a pin: button, time in seconds, whether pressed, and whether it was an edge.
PinObserver = Callable[[str, float, bool, bool], None]


class _ButtonPin(DigitalInputDevice):  # type: ignore[misc]  # gpiozero has no types
    """A button's pin with pull-up. Calls `moved` with each edge's time, in the factory's seconds, and True for a press.

    gpiozero's Button would start a thread for each to find holds. Here `GpioButtons.poll` finds them.
    """

    def __init__(self, number: int, factory: Any, moved: Callable[[float, bool], None]) -> None:
        self._moved = moved
        try:
            super().__init__(number, pull_up=True, pin_factory=factory)
        except BaseException:
            # gpiozero keeps the pin for this object until it is collected, which on Python 3.13 may be much later.
            factory.release_pins(self, number)
            raise

    def close(self) -> None:
        """Release the pin. If the chip is gone, it is already free."""
        for release in (self._stop_callbacks, super().close):
            try:
                release()
            except Exception as error:  # lgpio raises its own base error
                log.debug("A pin could not be closed: %s", error)
        self._pin = None

    def _stop_callbacks(self) -> None:
        """Stop lgpio's callbacks, which would continue for a new pin of the same number."""
        if (pin := getattr(self, "_pin", None)) is not None:
            pin.when_changed = None

    def _pin_changed(self, ticks: float, state: int) -> None:
        self._moved(ticks, not state)


class GpioButtons:
    """Calls `pressed` with each button pressed, or "menu" or "shutdown", and its time.

    The time is the kernel's for the first edge, in seconds of `clock`. If the edge was missed or has no time, it is
    when the press was noticed. `pressed` is called from gpiozero's threads and from `poll`, one call at a time. Its
    exceptions are logged.

    factory: a key of `device.pins.PIN_FACTORIES`, or a gpiozero factory, which the caller must close.
    wiring: BCM numbers by button name.
    settle: seconds for which bounces are ignored.
    clock: returns monotonic seconds.
    observe: called with each reading of a pin, from the same threads.

    A pin that cannot be opened is listed in `faults` and retried. Raises ButtonError if none can be opened.
    """

    def __init__(
        self,
        pressed: Callable[[str, float], None],
        factory: str | Any = "lgpio",
        wiring: Mapping[str, int] = DEFAULT_PINS,
        settle: float = SETTLE_TIME_S,
        clock: Callable[[], float] = time.monotonic,
        observe: PinObserver | None = None,
    ) -> None:
        self._pressed, self._observe = pressed, observe
        self._clock = clock
        self._lock, self._reporting = Lock(), RLock()
        self._owned = isinstance(factory, str)
        self._pins: dict[str, _ButtonPin] = {}
        self._failed: dict[str, str] = {}
        self._wiring, self._retry_time = wiring, 0.0
        self._press_times: dict[str, float] = {}
        self._debouncers = {name: Debouncer(name, HOLD_EVENTS.get(name, ()), settle) for name in wiring}
        self._factory = open_factory(factory) if isinstance(factory, str) else factory
        try:
            self._open_pins()
            if self.is_lost:
                raise ButtonError(" ".join(self._failed.values()))
        except ButtonError:
            self.close()
            raise

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        return tuple(name for name, press in self._debouncers.items() if press.fault)

    @property
    def faults(self) -> tuple[str, ...]:
        stuck = (
            f"Button {name} is stuck: check its wiring." for name, press in self._debouncers.items() if press.fault
        )
        return (*stuck, *self._failed.values())

    @property
    def is_lost(self) -> bool:
        return len(self._failed) == len(self._wiring) > 0

    def poll(self) -> float:
        """Read every pin to find holds and missed edges, from one thread. Returns the seconds until the next call."""
        for name in tuple(self._pins):
            self._read_pin(name)
        if len(self._pins) < len(self._wiring) and self._clock() >= self._retry_time:
            self._open_pins()
        return HELD_POLL_S if any(press.down for press in self._debouncers.values()) else IDLE_POLL_S

    def close(self) -> None:
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()
        if self._owned:
            close_factory(self._factory)

    def _open_pins(self) -> None:
        self._retry_time = self._clock() + PIN_RETRY_S
        for name, number in self._wiring.items():
            if name in self._pins:
                continue
            try:
                with translate_gpio_errors(f"Button {name} on GPIO{number}"):
                    pin = _ButtonPin(number, self._factory, partial(self._handle_edge, name))
                    self._debouncers[name].set_first_level(self._clock(), pin.is_active)
                    self._pins[name] = pin
            except ButtonError as error:
                self._failed[name] = str(error)

    def _handle_edge(self, name: str, ticks: float, pressed: bool) -> None:
        """Handle an edge at `ticks`, which are seconds since boot or since 1970, depending on kernel and lgpio."""
        now = self._clock()
        ages = (now - ticks, time.time() - ticks)
        when = now - next((age for age in ages if 0 <= age < MAX_EDGE_AGE_S), 0.0)
        self._read_pin(name, when)
        if pressed:
            self._press_times[name] = when
        elif (fell := self._press_times.pop(name, None)) is not None:
            with self._lock:
                events = self._debouncers[name].handle_past_press(fell, when)
            if events and self._observe is not None:
                self._observe(name, fell, True, False)
                self._observe(name, when, False, False)
            for event in events:
                self._report_event(event, fell)

    def _read_pin(self, name: str, edge: float | None = None) -> None:
        """Read the pin. It is read after an edge too, because by then a spike is over but a bounce is not."""
        if name not in self._pins:
            return
        try:
            level = bool(self._pins[name].is_active)
        except Exception as error:  # lgpio and a closed device raise unrelated errors
            self._failed[name] = f"Button {name} cannot be read: {error}."
            return
        self._failed.pop(name, None)
        with self._lock:
            press, when = self._debouncers[name], self._clock() if edge is None else edge
            events = press.handle_level(when, level) if edge is None else press.handle_edge(when, level)
            down = press.down
        if self._observe is not None:
            self._observe(name, when, down, edge is not None)
        for event in events:
            self._report_event(event, when)

    def _report_event(self, event: str, when: float) -> None:
        with self._reporting:
            try:
                self._pressed(event, when)
            except Exception:
                # An exception would end gpiozero's thread, and with it all buttons.
                log.exception("The press of %s was lost.", event)


class _PullUpPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that a button can hold low against the pull-up, as on a real pin."""

    low = False

    def drive_high(self) -> None:
        if not self.low:
            super().drive_high()


class MockButtons:
    """Buttons without a Pi. Pass `factory` to `GpioButtons` and press by name, through gpiozero's mock pins.

    A button pushed before `GpioButtons` opens is stuck. `close` releases the factory.
    """

    def __init__(self, wiring: Mapping[str, int] = DEFAULT_PINS) -> None:
        self.wiring = dict(wiring)
        self.factory = MockFactory(pin_class=_PullUpPin)

    def push_button(self, name: str) -> None:
        """Push a button and hold it down. Raises KeyError for a name that is not wired."""
        pin = self.factory.pin(self.wiring[name])
        pin.low = True
        pin.drive_low()

    def release_button(self, name: str) -> None:
        """Release a button. Raises KeyError for a name that is not wired."""
        pin = self.factory.pin(self.wiring[name])
        pin.low = False
        pin.drive_high()

    def tap_button(self, name: str) -> None:
        """Push and release at once. The next `GpioButtons.poll` finds the release."""
        self.push_button(name)
        self.release_button(name)

    def close(self) -> None:
        self.factory.close()
