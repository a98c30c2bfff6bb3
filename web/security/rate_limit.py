"""A limit on what one side may change within a minute, however it is asked for."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from web.errors import Refused

SPAN_S = 60.0
"""Seconds in which changes are counted."""

MAX_SWITCHES = 20
"""Changes of a seat's settings in that time: more than somebody makes who tries each of them. The last one stays."""

MAX_SIGN_INS = 20
"""Passes given to one address in that time: a large family, and some who type the code twice."""


class RateLimit:
    """At most `most` changes in any `span` seconds for each name, such as a seat or an address; then `sentence` is why.

    `clock` returns seconds. Safe to use from any thread.
    """

    def __init__(
        self, most: int, sentence: str, span: float = SPAN_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._sentence, self._span, self._clock = most, sentence, span, clock
        self._lock = threading.Lock()
        self._changes: dict[str, deque[float]] = {}
        """When each name made its last changes, the oldest first; the name that changed something last is the last."""

    def count(self, name: str) -> None:
        """Count a change before it is made. Raises Refused, with the seconds to wait, if there were too many."""
        with self._lock:
            now = self._clock()
            self._forget(now - self._span)
            times = self._changes.get(name, deque())
            while times and times[0] <= now - self._span:
                times.popleft()
            if len(times) >= self._most:
                wait = int(times[0] + self._span - now) + 1
                raise Refused(429, f"{self._sentence}: wait {wait} seconds.", wait=wait)
            self._changes.pop(name, None)
            self._changes[name] = times
            times.append(now)

    def _forget(self, before: float) -> None:
        """Forget names whose last change is older, so that many addresses take no memory for long."""
        while self._changes:
            name, times = next(iter(self._changes.items()))
            if times and times[-1] > before:
                return
            del self._changes[name]


def switch_limit() -> RateLimit:
    """Return the limit on what a seat, or the operator, sets during a game."""
    return RateLimit(MAX_SWITCHES, "The settings were changed many times in a minute")


def sign_in_limit() -> RateLimit:
    """Return the limit on passes for one address."""
    return RateLimit(MAX_SIGN_INS, "Many phones have signed in from this address within a minute")
