"""Limits on wrong codes: for each phone, for all strangers together, and for everybody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from web.security import admission
from web.security.admission import Gate
from web.security.rejected import PhoneRejected

COUNT_RESET_S = 600.0
"""A count is reset after this time without a wrong code, in seconds."""

MAX_WAIT_DOUBLINGS = 3
"""How often a wait is doubled, which makes it eight times the first."""


@dataclass(slots=True)
class GuessCount:
    """Wrong codes since the last wait, the time of the last one, and consecutive waits."""

    used: int = 0
    last: float = 0.0
    waits: int = 0


class GuessLimit:
    """Slows guessing of the code. After the wrong codes that a gate allows, all phones of its count must wait.

    The first wait is the gate's `span_s`, and each is twice as long as the one before, up to eight times the first.
    Strangers never slow a phone with a pass. `clock` returns seconds. Thread-safe.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._counts: dict[str, GuessCount] = {}

    @staticmethod
    def _shared_gates(phone: str, known: bool) -> dict[str, Gate]:
        """Return the gates of a phone by the name of their count, its own first."""
        strangers = {} if known else {"strangers": admission.GUESSES_BY_STRANGERS}
        return {phone: admission.GUESSES_PER_PHONE} | strangers | {"everybody": admission.TOTAL_GUESSES}

    def count_guess(self, phone: str, known: bool = False) -> None:
        """Count a guess before the code is checked, so that parallel guesses count too. Raises PhoneRejected.

        `phone` is the pass id of a phone that is `known`, or else its address key.
        """
        with self._lock:
            now = self._clock()
            self._counts = {name: count for name, count in self._counts.items() if now - count.last < COUNT_RESET_S}
            shared = self._shared_gates(phone, known)
            for name, gate in shared.items():
                count = self._counts.get(name, GuessCount())
                left = count.last + gate.span_s * 2 ** min(count.waits, MAX_WAIT_DOUBLINGS) - now
                if count.used >= gate.limit and left > 0:
                    raise PhoneRejected(gate, wait=int(left) + 1)
            for name, gate in shared.items():
                count = self._counts.setdefault(name, GuessCount())
                if count.used >= gate.limit:
                    count.used, count.waits = 0, count.waits + 1
                count.used, count.last = count.used + 1, now

    def refund_guess(self, phone: str, known: bool = False) -> None:
        with self._lock:
            own, *others = self._shared_gates(phone, known)
            self._counts.pop(own, None)
            for name in others:
                if count := self._counts.get(name):
                    count.used = max(0, count.used - 1)

    def is_guessing_suspected(self) -> bool:
        with self._lock:
            count = self._counts.get("everybody", GuessCount())
            return count.used >= admission.GUESSES_BY_STRANGERS.limit or count.waits > 0
