"""The buttons, looked after: they may be missing as the table starts, vanish in the evening, and come back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from device.inputs.buttons import ButtonError, Buttons

BACK_OFF = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds to wait after the first, second … failure in a row; then always the last."""

LASTS = 10.0
"""Seconds after which buttons that were opened have not failed at once."""

log = logging.getLogger("dugout.buttons")


class ButtonRecovery:
    """Opens the buttons, polls them, and opens them anew when they cannot be had or none of them can be read any more.

    `open_buttons` gives them or raises ButtonError; `clock` gives seconds that never go back. Nothing is raised: what
    is wrong is in `missing`. Use it from one thread.
    """

    def __init__(self, open_buttons: Callable[[], Buttons], clock: Callable[[], float] = time.monotonic) -> None:
        self.missing: str | None = None
        """What is wrong with them, in sentences, or None."""
        self._open, self._clock = open_buttons, clock
        self._buttons: Buttons | None = None
        self._failures, self._since, self._again = 0, 0.0, float("-inf")
        self.poll()

    @property
    def stuck(self) -> tuple[str, ...]:
        """The buttons that were down as they were opened, or are for too long by now."""
        return () if self._buttons is None else self._buttons.stuck

    def poll(self) -> None:
        """Look at every pin; to be called some twenty times a second."""
        now = self._clock()
        try:
            if self._buttons is None and now >= self._again:
                self._buttons, self._since = self._open(), now
            if self._buttons is None:
                return
            self._buttons.poll()
            if self._buttons.lost:
                raise ButtonError(" ".join(self._buttons.faults))
        except ButtonError as error:
            self._fail(str(error), now)
        else:
            self._failures = 0 if now - self._since >= LASTS else self._failures
            self.missing = " ".join(self._buttons.faults) or None

    def close(self) -> None:
        """Let the pins go. May be called again."""
        buttons, self._buttons = self._buttons, None
        if buttons is not None:
            buttons.close()

    def _fail(self, why: str, now: float) -> None:
        self.close()
        self._again = now + BACK_OFF[min(self._failures, len(BACK_OFF) - 1)]
        self._failures += 1
        missing = f"No buttons: answer on a phone. {why}"
        if missing != self.missing:
            log.warning("%s", missing)
        self.missing = missing
