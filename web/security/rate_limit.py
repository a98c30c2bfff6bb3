"""A limit on the rate of changes by each seat or address."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from web.security.admission import Gate
from web.security.rejected import PhoneRejected


class RateLimit:
    """At most `gate.limit` changes by each name (a seat or an address) in any `gate.span_s` seconds. Thread-safe."""

    def __init__(self, gate: Gate, clock: Callable[[], float] = time.monotonic) -> None:
        self._gate, self._clock = gate, clock
        self._lock = threading.Lock()
        self._changes: dict[str, deque[float]] = {}
        """The times of each name's last changes, the oldest first. The name with the newest change is last."""

    def count_change(self, name: str) -> None:
        """Count a change before it is made. Raises PhoneRejected, with the seconds to wait, if there were too many."""
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
        """Delete names whose last change is older, so that many addresses do not fill the memory."""
        while self._changes:
            name, times = next(iter(self._changes.items()))
            if times and times[-1] > before:
                return
            del self._changes[name]
