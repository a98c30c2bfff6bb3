"""Which parts of the program must move, and which of them do not. Pure: time comes in, names go out.

A part that hangs is another thing than one that is missing: a camera that is unplugged rests, and is waited for; one
whose driver never answers is late, and only a new start frees it.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class Watchdog:
    """When each part said that it moves, and until when it is to say so again. Any thread may call it.

    `clock` gives seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}

    def beat(self, part: str, limit: float) -> None:
        """`part` moves, and will say so again within `limit` seconds, or rest."""
        self._due[part] = self._clock() + limit

    def rest(self, part: str) -> None:
        """`part` stands still, and may."""
        self._due.pop(part, None)

    def late(self) -> tuple[str, ...]:
        """The parts that should have moved by now, in the order in which they first did."""
        now = self._clock()
        return tuple(part for part, due in self._due.copy().items() if now > due)
