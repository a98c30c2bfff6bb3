"""A limit on wrong codes: by phone, for all strangers together, and for everybody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from web.errors import Refused

FORGET = 600.0
"""Seconds without a wrong code after which a count begins again."""

GROWS = 3
"""How often a wait is doubled at most."""


SCAN = (
    "Or sign in without it: press OK while the table’s display shows the code, and scan the QR code. A display without "
    "buttons shows it by itself in a moment. Without a QR code, type the letters below the address."
)
"""The way in that no wrong code closes."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many wrong codes are checked before everyone who shares the count waits, at first for `wait` seconds."""

    tries: int
    wait: float


PHONE = Allowance(5, 30)
"""One phone: a pass, or else an address."""

STRANGERS = Allowance(20, 30)
"""All phones without a pass together. They leave the rest of `EVERYBODY` to those that have one."""

EVERYBODY = Allowance(60, 60)
"""All phones together: sixty in any minute."""


@dataclass(slots=True)
class Count:
    """Wrong codes: how many since the last wait, when the last was, and how many waits there were in a row."""

    used: int = 0
    last: float = 0.0
    waits: int = 0


class GuessLimit:
    """Slows guessing of the code. Each wait is twice as long as the one before, up to eight times the first.

    A phone that is known by its pass is not slowed by strangers. `clock` returns seconds. Safe to use from any thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._counts: dict[str, Count] = {}

    @staticmethod
    def _shared(phone: str, known: bool) -> dict[str, Allowance]:
        """Return the counts of a phone, by name, its own first."""
        return {phone: PHONE} | ({} if known else {"strangers": STRANGERS}) | {"everybody": EVERYBODY}

    def take(self, phone: str, known: bool = False) -> None:
        """Use up one try before the code is checked, so that parallel guesses count too. Raises Refused.

        `phone` is the pass of a phone that is `known`, or else its network.
        """
        with self._lock:
            now = self._clock()
            self._counts = {name: count for name, count in self._counts.items() if now - count.last < FORGET}
            shared = self._shared(phone, known)
            for name, allowed in shared.items():
                count = self._counts.get(name, Count())
                left = count.last + allowed.wait * 2 ** min(count.waits, GROWS) - now
                if count.used >= allowed.tries and left > 0:
                    seconds = int(left) + 1
                    raise Refused(429, f"Too many wrong codes: wait {seconds} seconds. {SCAN}", wait=seconds)
            for name, allowed in shared.items():
                count = self._counts.setdefault(name, Count())
                if count.used >= allowed.tries:
                    count.used, count.waits = 0, count.waits + 1
                count.used, count.last = count.used + 1, now

    def right(self, phone: str, known: bool = False) -> None:
        """Give a try back, because the code was right."""
        with self._lock:
            own, *others = self._shared(phone, known)
            self._counts.pop(own, None)
            for name in others:
                if count := self._counts.get(name):
                    count.used = max(0, count.used - 1)

    def guessed(self) -> bool:
        """Return True if too many codes were wrong lately to be mistyped."""
        with self._lock:
            count = self._counts.get("everybody", Count())
            return count.used >= STRANGERS.tries or count.waits > 0
