"""What buttons are to the table, wherever they come from; and reopening those that are missing or vanish."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from device.pins import PinError
from engine.views import AudienceView

# Seconds to wait after the first, second … failure in a row; the last one repeats.
RETRY_DELAYS_S = (1.0, 2.0, 5.0, 10.0, 30.0)
STABLE_AFTER_S = 10.0  # seconds of working after which the count of failures starts over

log = logging.getLogger("dugout.buttons")

ButtonError = PinError  # The buttons cannot be used; `str()` says why and what to do. The table plays on without them.


class ButtonSource(Protocol):
    """Some buttons that may vanish: on the Pi's header, of a remote, of a demo. Each is one file.

    When it is made, it raises ButtonError if there are none. It calls back with the name of each button that was
    pressed, or of a hold (`device.inputs.debounce.HOLD_EVENTS`), and its time in seconds of `time.monotonic`, from
    `poll` or its own thread.
    """

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        """The buttons that were down when opened, or have been down for too long."""

    @property
    def faults(self) -> tuple[str, ...]:
        """A sentence for each button that does not work."""

    @property
    def is_lost(self) -> bool:
        """True if no button can be read: they are gone."""

    def poll(self) -> float:
        """Find presses, holds and buttons that came back. Return after how many seconds to call it again."""

    def close(self) -> None:
        """Let go of the buttons. May be called again."""


class ButtonRecovery:
    """Opens the buttons, polls them, and reopens them when none of them can be read. `open_buttons` returns them or
    raises ButtonError; `without` begins the sentence that says they are missing; `back_off` are the seconds to wait as
    in `RETRY_DELAYS_S`; `clock` gives seconds that never go back. Nothing is raised: the reason is in `missing`. Use it
    from one thread.
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
        self.missing: str | None = None  # what is wrong with the buttons, in sentences, or None
        self._open, self._clock, self._without = open_buttons, clock, without
        self._buttons: ButtonSource | None = None
        self._failures, self._opened, self._retry = 0, 0.0, float("-inf")
        self.poll()

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        """The buttons that were down when opened, or have been down for too long."""
        return () if self._buttons is None else self._buttons.stuck_buttons

    def start(self) -> None:
        """Do nothing: they were opened when this was made, so that a button that is held down can be seen."""

    def update(self, view: AudienceView, new: bool) -> float:
        """As `poll`."""
        return self.poll()

    def poll(self) -> float:
        """Hear the presses, or open the buttons again. Return after how many seconds to do so again."""
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
        """Let go of the buttons. May be called again."""
        buttons, self._buttons = self._buttons, None
        if buttons is not None:
            buttons.close()

    def _handle_failure(self, why: str, now: float) -> None:
        self.stop()
        self._retry = now + self._back_off[min(self._failures, len(self._back_off) - 1)]
        self._failures += 1
        missing = f"{self._without} {why}"
        if missing != self.missing:
            log.warning("%s", missing)
        self.missing = missing
