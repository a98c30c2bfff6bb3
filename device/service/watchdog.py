"""Watchdog: which threads have missed their heartbeat. Pure function of time.

A part that hangs differs from one that is missing. An unplugged camera is suspended until it returns. A camera whose
driver never returns is late, and only a restart of the program helps.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class Watchdog:
    """Deadline of each part's next heartbeat. Any thread may call it. `clock` returns monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}

    def beat(self, part: str, limit: float) -> None:
        """Record a heartbeat of `part`, which must beat again or be suspended within `limit` seconds."""
        self._due[part] = self._clock() + limit

    def suspend(self, part: str) -> None:
        """Expect no heartbeat of `part` until its next one."""
        self._due.pop(part, None)

    def late_parts(self) -> tuple[str, ...]:
        """Parts whose heartbeat is overdue, in the order of their first beats."""
        now = self._clock()
        return tuple(part for part, due in self._due.copy().items() if now > due)
