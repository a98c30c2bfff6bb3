"""What spectators saw in the last minute, to be shown again later."""

from __future__ import annotations

import math
from collections import deque

LONGEST = 60
"""Seconds that the tape goes back."""

Shot = tuple[bytes, int]
"""The frames of one look, encoded, and the version they show."""


class DelayBuffer:
    """Shots of the last minute, each with the second it was taken at. It is as long as it is kept often; not
    thread-safe."""

    def __init__(self) -> None:
        self._shots: deque[tuple[float, Shot]] = deque()

    def __len__(self) -> int:
        return len(self._shots)

    def keep(self, when: float, shot: Shot) -> None:
        """Add the newest shot, and drop what nobody can ask for any more. `when` never goes back."""
        self._shots.append((when, shot))
        while len(self._shots) > 1 and self._shots[1][0] <= when - LONGEST:
            self._shots.popleft()

    def at(self, when: float) -> Shot | None:
        """What was to be seen then; None before the first shot."""
        return next((shot for taken, shot in reversed(self._shots) if taken <= when), None)

    def after(self, when: float) -> float:
        """Seconds from then to the next shot; infinite where there is none."""
        return next((taken - when for taken, _ in self._shots if taken > when), math.inf)
