"""`dugout doctor --buttons`: each press as it is heard, live, until Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from device.diagnostics.running_table import RunningTable
from device.inputs.buttons import HOLDS, WIRING, ButtonError, Buttons
from device.inputs.debounce import SETTLE
from device.settings import Settings

TICK = 0.02
"""Seconds between looks at the pins."""

ASKED = 0.4
"""Seconds between questions to a running table."""

LONG = 0.8
"""Seconds from which on a press is called long."""

REST = 5 * SETTLE
"""Seconds after the release within which bounces still belong to a press."""

STOP = "sudo systemctl stop dugout.socket dugout.service"


class ButtonMonitor(Buttons):
    """The table's own buttons, with all that is heard of each press told to `say` in a line once it is over.

    Parameters as of `Buttons`. Raises ButtonError.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        factory: str | Any = "lgpio",
        wiring: Mapping[str, int] = WIRING,
        settle: float = SETTLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say, self._now = say, clock
        self._wiring = dict(wiring)
        self._edges = dict.fromkeys(wiring, 0)
        self._began: dict[str, float] = {}
        self._over: dict[str, float] = {}
        self._stuck: tuple[str, ...] = ()
        self.heard = set[str]()
        """The buttons that were pressed."""
        super().__init__(self._meant, factory, wiring, settle, clock)

    def poll(self) -> None:
        """Look at every pin, and tell of the presses that are over."""
        super().poll()
        for name, ended in list(self._over.items()):
            if self._now() - ended >= REST:
                self._tell_of(name)
        faults = self.faults
        for fault in faults:
            if fault not in self._stuck:
                self._say(fault)
        self._stuck = faults

    def _look(self, name: str, edge: float | None = None) -> None:
        press = self._presses[name]
        before = press.down
        super()._look(name, edge)
        when = self._now() if edge is None else edge
        if press.down and not before:
            if name in self._over:
                self._tell_of(name)
            self._began[name] = when
        elif before and not press.down:
            self._over[name] = when
        if edge is not None:
            self._edges[name] += 1

    def _tell_of(self, name: str) -> None:
        """A press is over, and so are its bounces."""
        ended = self._over.pop(name)
        lasted = ended - self._began.pop(name, ended)
        bounces, self._edges[name] = max(0, self._edges[name] - 2), 0
        self.heard.add(name)
        kind = "long" if lasted >= LONG else "short"
        bounced = f"{bounces} bounces" if bounces != 1 else "1 bounce"
        self._say(f"{name:14} GPIO{self._wiring[name]:<3} {kind:5} {lasted:5.2f} s  {bounced}")

    def _meant(self, event: str, when: float) -> None:
        """What the table would hear; a hold is told while it lasts."""
        if any(event == meant for holds in HOLDS.values() for _, meant in holds):
            self._say(f"{'':14} held: {event}")


def run(settings: Settings, table: RunningTable | None, held: str) -> int:
    """Show presses until Ctrl-C: those at the pins, or where a `table` runs those that it hears. `held` says why one
    that runs cannot be asked. Gives the exit status."""
    try:
        if table is not None:
            print(f"The table runs and has the pins; this is what it hears. For the pins themselves: {STOP}")
            return follow(table, lambda words: print(words, flush=True))
        if held:
            print(f"dugout: {held} Or stop the table first: {STOP}", file=sys.stderr)
            return 1
        return watch(settings, lambda words: print(words, flush=True))
    except ButtonError as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 1


def watch(
    settings: Settings,
    say: Callable[[str], None],
    factory: Any = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Show presses at the pins until Ctrl-C, then name the buttons that were never heard: 1 where there is one.

    `factory` is a gpiozero factory, None for that of the settings. Raises ButtonError.
    """
    wanted = settings.buttons
    if factory is None and wanted.factory == "none":
        say('No buttons are set: write factory = "lgpio" under [buttons] in the settings.')
        return 1
    hand = ButtonMonitor(say, factory or wanted.factory, wanted.pins, clock=clock)
    say("Press each button once, and hold one. Ctrl-C ends.")
    try:
        while True:
            hand.poll()
            sleep(TICK)
    except KeyboardInterrupt:
        silent = [f"{name} (GPIO{pin})" for name, pin in wanted.pins.items() if name not in hand.heard]
        if silent:
            say(f"\nNot heard: {', '.join(silent)}. Check their wires, to the pin and to ground.")
        else:
            say("\nAll were heard.")
        return int(bool(silent))
    finally:
        hand.close()


def follow(table: RunningTable, say: Callable[[str], None], sleep: Callable[[float], None] = time.sleep) -> int:
    """Show what a running table hears, from now on, until Ctrl-C or until it ends."""
    last: int | None = None
    say("While something is chosen in secret, presses are not told.")
    try:
        while True:
            presses = table.figures()["presses"]
            for press in presses:
                if last is not None and press["n"] > last:
                    say(f"{press['event']}")
            last = max([last or 0, *(press["n"] for press in presses)])
            sleep(ASKED)
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        say(f"The table answers no more ({error}).")
        return 1
