"""Reopens the buttons when they are missing at the start, or vanish and come back during a game."""

import logging
import time
from collections.abc import Callable

from device.inputs.buttons import ButtonError, Buttons

# Seconds to wait after the first, second … failure in a row; the last one repeats.
BACK_OFF = (1.0, 2.0, 5.0, 10.0, 30.0)
LASTS = 10.0  # seconds of working after which the count of failures starts over

log = logging.getLogger("dugout.buttons")


class ButtonRecovery:
    """Opens the buttons, polls them, and reopens them when none of them can be read. `open_buttons` returns them or
    raises ButtonError; `clock` gives seconds that never go back. Nothing is raised: the reason is in `missing`. Use it
    from one thread."""

    def __init__(self, open_buttons: Callable[[], Buttons], clock: Callable[[], float] = time.monotonic) -> None:
        self.missing: str | None = None  # what is wrong with the buttons, in sentences, or None
        self._open, self._clock = open_buttons, clock
        self._buttons: Buttons | None = None
        self._failures, self._opened, self._retry = 0, 0.0, float("-inf")
        self.poll()

    @property
    def stuck(self) -> tuple[str, ...]:
        """The buttons that were down when opened, or have been down for too long."""
        return () if self._buttons is None else self._buttons.stuck

    def poll(self) -> None:
        """Read every pin. Call it some twenty times a second."""
        now = self._clock()
        try:
            if self._buttons is None and now >= self._retry:
                self._buttons, self._opened = self._open(), now
            if self._buttons is None:
                return
            self._buttons.poll()
            if self._buttons.lost:
                raise ButtonError(" ".join(self._buttons.faults))
        except ButtonError as error:
            self._fail(str(error), now)
        else:
            self._failures = 0 if now - self._opened >= LASTS else self._failures
            self.missing = " ".join(self._buttons.faults) or None

    def close(self) -> None:
        """Release the pins. May be called again."""
        buttons, self._buttons = self._buttons, None
        if buttons is not None:
            buttons.close()

    def _fail(self, why: str, now: float) -> None:
        self.close()
        self._retry = now + BACK_OFF[min(self._failures, len(BACK_OFF) - 1)]
        self._failures += 1
        missing = f"No buttons: answer on a phone. {why}"
        if missing != self.missing:
            log.warning("%s", missing)
        self.missing = missing
