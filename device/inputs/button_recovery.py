"""The interface of button sources, and their recovery when they are missing or disappear."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from device.pins import PinError
from engine.views import AudienceView

# Delays in seconds after the first, second … failure in a row. The last one repeats.
RETRY_DELAYS_S = (1.0, 2.0, 5.0, 10.0, 30.0)
STABLE_AFTER_S = 10.0  # seconds of operation after which the count of failures restarts

log = logging.getLogger("dugout.buttons")

ButtonError = PinError  # The buttons cannot be used, with reason and remedy. The table plays on without them.


class ButtonSource(Protocol):
    """Buttons that may disappear, such as those on the Pi's header, of a remote or of a demo.

    The constructor raises ButtonError if there are none. `poll` or a thread calls back with each button pressed or hold
    event (`device.inputs.debounce.HOLD_EVENTS`), and its time in seconds of `time.monotonic`.
    """

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        """Buttons that were down when opened, or have been down for too long."""

    @property
    def faults(self) -> tuple[str, ...]:
        """A sentence for each button that does not work."""

    @property
    def is_lost(self) -> bool:
        """True if no button can be read any longer."""

    def poll(self) -> float:
        """Find presses, holds and recovered buttons. Returns the seconds until the next call."""

    def close(self) -> None:
        """Release the buttons. May be called twice."""


class ButtonRecovery:
    """Opens and polls buttons, and reopens them if none can be read. Use it from one thread.

    open_buttons: returns the buttons or raises ButtonError.
    clock: returns monotonic seconds.
    without: start of the sentence about missing buttons.
    back_off: delays as in `RETRY_DELAYS_S`.

    It raises nothing. The fault is in `missing`.
    """

    def __init__(
        self,
        open_buttons: Callable[[], ButtonSource],
        clock: Callable[[], float] = time.monotonic,
        name: str = "buttons",
        without: str = "No buttons: answer on a phone.",
        back_off: Sequence[float] = RETRY_DELAYS_S,
    ) -> None:
        self.name, self._back_off = name, back_off
        self.missing: str | None = None  # fault of the buttons in sentences, or None
        self._open, self._clock, self._missing_text = open_buttons, clock, without
        self._buttons: ButtonSource | None = None
        self._failures, self._opened, self._retry = 0, 0.0, float("-inf")
        self.poll()

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        return () if self._buttons is None else self._buttons.stuck_buttons

    def start(self) -> None:
        """Do nothing. The constructor opened the buttons, so that one held down at the start is noticed."""

    def update(self, view: AudienceView, new: bool) -> float:
        return self.poll()

    def poll(self) -> float:
        """Poll the buttons or reopen them. Returns the seconds until the next call."""
        now = self._clock()
        try:
            if self._buttons is None and now >= self._retry:
                self._buttons, self._opened = self._open(), now
            if self._buttons is None:
                return self._retry - now
            wait = self._buttons.poll()
            if self._buttons.is_lost:
                raise ButtonError(" ".join(self._buttons.faults))
        except ButtonError as error:
            self._handle_failure(str(error), now)
            return self._retry - now
        self._failures = 0 if now - self._opened >= STABLE_AFTER_S else self._failures
        self.missing = " ".join(self._buttons.faults) or None
        return wait

    def stop(self) -> None:
        buttons, self._buttons = self._buttons, None
        if buttons is not None:
            buttons.close()

    def _handle_failure(self, why: str, now: float) -> None:
        self.stop()
        self._retry = now + self._back_off[min(self._failures, len(self._back_off) - 1)]
        self._failures += 1
        missing = f"{self._missing_text} {why}"
        if missing != self.missing:
            log.warning("%s", missing)
        self.missing = missing
