"""`dugout doctor --buttons`. Shows button presses live, until Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from device.diagnostics.running_table import TableReport
from device.inputs.button_recovery import ButtonError
from device.inputs.buttons import GpioButtons
from device.inputs.debounce import HOLD_EVENTS, SETTLE_TIME_S
from device.settings import ButtonSettings, Settings

PIN_POLL_INTERVAL_S = 0.02  # seconds between readings of the pins
TABLE_POLL_INTERVAL_S = 0.4  # seconds between requests to a running table
MIN_LONG_PRESS_S = 0.8  # shortest long press, in seconds
BOUNCE_TIME_S = 5 * SETTLE_TIME_S  # seconds after the release in which bounces are part of the press

STOP_COMMAND = "sudo systemctl stop dugout.socket dugout.service"


class ButtonMonitor:
    """Monitor of the table's own buttons. It calls `say` with a line for each finished press.

    `factory` is a gpiozero factory, None for that of the settings. `clock` gives seconds. Raises ButtonError.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        settings: ButtonSettings,
        factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say, self._clock, self._pins = say, clock, settings.pins
        self._edges = dict.fromkeys(self._pins, 0)
        self._down: dict[str, float] = {}
        self._released: dict[str, tuple[float, float]] = {}
        self._faults: tuple[str, ...] = ()
        self.pressed = set[str]()  # names of the buttons pressed so far
        self._buttons = GpioButtons(
            self._report_hold, factory or settings.factory, self._pins, clock=clock, observe=self._handle_edge
        )

    def poll(self) -> None:
        """Read every pin. Report new faults and finished presses."""
        self._buttons.poll()
        for name, (_, up) in list(self._released.items()):
            if self._clock() - up >= BOUNCE_TIME_S:
                self._report_press(name)
        for fault in self._buttons.faults:
            if fault not in self._faults:
                self._say(fault)
        self._faults = self._buttons.faults

    def close(self) -> None:
        self._buttons.close()

    def _handle_edge(self, name: str, when: float, down: bool, edge: bool) -> None:
        if down and name not in self._down:
            if name in self._released:
                self._report_press(name)
            self._down[name] = when
        elif not down and name in self._down:
            self._released[name] = self._down.pop(name), when
        self._edges[name] += edge

    def _report_press(self, name: str) -> None:
        down, up = self._released.pop(name)
        bounces, self._edges[name] = max(0, self._edges[name] - 2), 0
        self.pressed.add(name)
        kind = "long" if up - down >= MIN_LONG_PRESS_S else "short"
        bounced = f"{bounces} bounces" if bounces != 1 else "1 bounce"
        self._say(f"{name:14} GPIO{self._pins[name]:<3} {kind:5} {up - down:5.2f} s  {bounced}")

    def _report_hold(self, event: str, when: float) -> None:
        if any(event == meaning for holds in HOLD_EVENTS.values() for _, meaning in holds):
            self._say(f"{'':14} held: {event}")


def monitor_buttons(settings: Settings, ask: Callable[[], TableReport] | None, unreachable: str) -> int:
    """Show presses at the pins, or those of the running table behind `ask`. Return the exit status after Ctrl-C.

    `unreachable` says why a running table cannot be asked.
    """
    say = partial(print, flush=True)
    try:
        if ask is not None:
            say(f"The running table owns the pins; this is what it hears. To test the pins themselves: {STOP_COMMAND}")
            return watch_table(ask, say)
        if not unreachable:
            return watch_pins(settings, say)
        fault = f"{unreachable} Or stop the table first: {STOP_COMMAND}"
    except ButtonError as error:
        fault = str(error)
    print(f"dugout: {fault}", file=sys.stderr)
    return 1


def watch_pins(
    settings: Settings,
    say: Callable[[str], None],
    factory: Any = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Show presses at the pins until Ctrl-C, then list the buttons that were never pressed.

    `factory` is a gpiozero factory, None for that of the settings. Returns 1 if a button was never pressed, else 0.
    Raises ButtonError.
    """
    if factory is None and settings.buttons.factory == "none":
        say('No buttons are set: write factory = "lgpio" under [buttons] in the settings.')
        return 1
    monitor = ButtonMonitor(say, settings.buttons, factory, clock)
    say("Press each button once, and hold one down. Press Ctrl-C to stop.")
    try:
        while True:
            monitor.poll()
            sleep(PIN_POLL_INTERVAL_S)
    except KeyboardInterrupt:
        silent = [f"{name} (GPIO{pin})" for name, pin in settings.buttons.pins.items() if name not in monitor.pressed]
        if silent:
            say(f"\nNever pressed: {', '.join(silent)}. Check their wires to the pin and to ground.")
        else:
            say("\nAll buttons work.")
        return int(bool(silent))
    finally:
        monitor.close()


def watch_table(
    ask: Callable[[], TableReport], say: Callable[[str], None], sleep: Callable[[float], None] = time.sleep
) -> int:
    """Show new presses of a running table until Ctrl-C or until the table ends. Return the exit status."""
    last: int | None = None
    say("While someone chooses in secret, no presses are shown.")
    try:
        while True:
            presses = ask().figures.presses
            for press in presses:
                if last is not None and press.n > last:
                    say(press.event)
            last = max([last or 0, *(press.n for press in presses)])
            sleep(TABLE_POLL_INTERVAL_S)
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        say(f"The table no longer answers ({error}).")
        return 1
