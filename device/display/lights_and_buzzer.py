"""Lights and sounds on single pins: an LED for each seat, and a buzzer. Off unless the settings name a pin.

They use the public view only, so they reveal no secret.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpiozero import DigitalOutputDevice, OutputDevice, PWMOutputDevice

from device.display.oled import RETRY_DELAYS_S
from device.pins import open_factory, translate_gpio_errors
from engine.views import AudienceView

BLINK_PERIOD_S = 1.6  # seconds of one blink, half on, half off
MusicalNote = tuple[int, float]  # frequency in hertz, 0 for silence, and duration in seconds

TUNES_BY_EVENT: Mapping[str, Sequence[MusicalNote]] = {
    "read": ((1760, 0.1),),
    "doubt": ((440, 0.15), (0, 0.1), (440, 0.15)),
    "run": ((1047, 0.1), (1319, 0.1), (1568, 0.2)),
    "over": ((1568, 0.15), (1319, 0.15), (1047, 0.15), (1568, 0.4)),
}
"""Tunes for a roll that was read, one in doubt, a run, and the end of the game."""

log = logging.getLogger("dugout.signals")


def light_states(view: AudienceView) -> dict[str, str]:
    """State of each seat's light: "on" while asked, "blink" while its roll waits for a person, else "off"."""
    table, shown = view.table, view.proposal
    asked = {ask.seat for ask in table.asks} if not table.outcome else set()
    waits = shown.seat if shown and not shown.sure else None
    return {seat: "blink" if seat == waits else "on" if seat in asked else "off" for seat in ("away", "home")}


def tune_to_play(before: AudienceView, after: AudienceView) -> str | None:
    """Most important tune for a change of the view, a key of `TUNES_BY_EVENT`. None for silence."""
    if before.game != after.game:
        return None
    if after.table.outcome:
        return None if before.table.outcome else "over"
    if _total_runs(after) > _total_runs(before):
        return "run"
    now, then = after.proposal, before.proposal
    if not now or (then and (then.n, then.sure) == (now.n, now.sure)):
        return None
    return "read" if now.sure else "doubt"


def _total_runs(view: AudienceView) -> int:
    return sum(side.runs for side in view.table.scoreboard.sides.values())


class _PinDevice:
    """Device on pins that may be missing, fail and recover. Use it from one thread.

    A failure is never raised. `missing` holds it, and the pins are opened again after `RETRY_DELAYS_S`. `factory` is a
    gpiozero factory that the caller closes, None for lgpio's.
    """

    name = ""
    what = ""

    def __init__(self, clock: Callable[[], float], factory: Any = None) -> None:
        self._clock, self._given = clock, factory
        self._factory: Any = None
        self._parts: dict[str, OutputDevice] = {}
        self._failures, self._retry_at = 0, float("-inf")
        self.missing: str | None = None
        """Sentence about why it does not work. None if it does."""

    def _open_pins(self) -> None:
        raise NotImplementedError

    def _drive_pins(self, now: float) -> float:
        """Update the pins. Return the seconds until the next update, infinity for never."""
        raise NotImplementedError

    def start(self) -> None:
        """Do nothing: the first update opens the pins."""

    def handle_view(self, view: AudienceView) -> None:
        raise NotImplementedError

    def update(self, view: AudienceView, new: bool) -> float:
        """Handle the view if it is new, and update the pins as `update_pins` does."""
        if new:
            self.handle_view(view)
        return self.update_pins()

    def update_pins(self) -> float:
        """Update the pins, or retry after a failure. Return the seconds until the next update, infinity for never."""
        now = self._clock()
        if not self._parts and now < self._retry_at:
            return self._retry_at - now
        try:
            with translate_gpio_errors(self.what):
                if not self._parts:
                    self._factory = self._given or open_factory("lgpio", "its pin")
                    self._open_pins()
                wait = self._drive_pins(now)
        except OSError as error:
            if str(error) != self.missing:
                log.warning("%s", error)
            self.missing = str(error)
            self._retry_at = now + RETRY_DELAYS_S[min(self._failures, len(RETRY_DELAYS_S) - 1)]
            self._failures += 1
            self.stop()
            return self._retry_at - now
        self.missing, self._failures = None, 0
        return wait

    def stop(self) -> None:
        """Turn off and release the pins. May be called again."""
        parts, self._parts = list(self._parts.values()), {}
        factory, self._factory = self._factory, None
        for part in (*parts, *((factory,) if factory is not None and factory is not self._given else ())):
            try:
                part.close()
            except Exception as error:  # the chip may be gone already
                log.debug("%s could not be closed: %s", self.what, error)


class Lights(_PinDevice):
    """LED for each seat of `pins`, BCM numbers by seat."""

    name = "lights"
    what = "The lights"

    def __init__(self, pins: Mapping[str, int], clock: Callable[[], float], factory: Any = None) -> None:
        super().__init__(clock, factory)
        self._pins, self._states = pins, dict[str, str]()

    def handle_view(self, view: AudienceView) -> None:
        self._states = light_states(view)

    def _open_pins(self) -> None:
        for seat, number in self._pins.items():
            self._parts[seat] = DigitalOutputDevice(number, pin_factory=self._factory)

    def _drive_pins(self, now: float) -> float:
        for seat, part in self._parts.items():
            state = self._states.get(seat, "off")
            part.value = state == "on" or (state == "blink" and now % BLINK_PERIOD_S < BLINK_PERIOD_S / 2)
        return BLINK_PERIOD_S / 2 - now % (BLINK_PERIOD_S / 2) if "blink" in self._states.values() else math.inf


class Buzzer(_PinDevice):
    """Passive buzzer on a pin, a BCM number."""

    name = "buzzer"
    what = "The buzzer"

    def __init__(self, pin: int, clock: Callable[[], float], factory: Any = None) -> None:
        super().__init__(clock, factory)
        self._pin = pin
        self._view: AudienceView | None = None
        self._tune: list[tuple[float, int]] = []
        self._sounds = 0

    def handle_view(self, view: AudienceView) -> None:
        """Handle a new view. The first is silent, and a new tune replaces the current one."""
        before, self._view = self._view, view
        tune = tune_to_play(before, view) if before else None
        if tune:
            at, self._tune = self._clock(), []
            for hertz, seconds in TUNES_BY_EVENT[tune]:
                at += seconds
                self._tune.append((at, hertz))

    def _open_pins(self) -> None:
        self._parts["buzzer"] = PWMOutputDevice(self._pin, frequency=440, pin_factory=self._factory)
        self._sounds = 0

    def _drive_pins(self, now: float) -> float:
        while self._tune and now >= self._tune[0][0]:
            self._tune.pop(0)
        hertz, part = self._tune[0][1] if self._tune else 0, self._parts["buzzer"]
        if hertz != self._sounds:
            if hertz:
                part.frequency = hertz
            part.value = 0.5 if hertz else 0
            self._sounds = hertz
        return self._tune[0][0] - now if self._tune else math.inf
