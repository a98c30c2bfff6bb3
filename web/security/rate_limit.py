"""A limit on what one side may change within a minute, however it is asked for."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from web.security.admission import Gate
from web.security.rejected import PhoneRejected


class RateLimit:
    """For each name, such as a seat or an address, at most `gate.limit` changes in any `gate.span_s` seconds.

    `clock` returns seconds. Safe to use from any thread.
    """

    def __init__(self, gate: Gate, clock: Callable[[], float] = time.monotonic) -> None:
        self._gate, self._clock = gate, clock
        self._lock = threading.Lock()
        self._changes: dict[str, deque[float]] = {}
        """When each name made its last changes, the oldest first; the name that changed something last is the last."""

    def count_change(self, name: str) -> None:
        """Count a change before it is made. Raises TurnedAway, with the seconds to wait, if there were too many."""
        with self._lock:
            now, span = self._clock(), self._gate.span_s
            self._forget_old_names(now - span)
            times = self._changes.get(name, deque())
            while times and times[0] <= now - span:
                times.popleft()
            if len(times) >= self._gate.limit:
                raise PhoneRejected(self._gate, wait=int(times[0] + span - now) + 1)
            self._changes.pop(name, None)
            self._changes[name] = times
            times.append(now)

    def _forget_old_names(self, before: float) -> None:
        """Forget names whose last change is older, so that many addresses take no memory for long."""
        while self._changes:
            name, times = next(iter(self._changes.items()))
            if times and times[-1] > before:
                return
            del self._changes[name]
