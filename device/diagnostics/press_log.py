"""The last button presses of the running table, for `dugout doctor --buttons`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from engine.ask_views import AskView

MOST = 40
"""Presses that are kept."""


class PressLog:
    """The last presses. Any thread may call it.

    `asks` returns the open asks: during a secret choice no press is logged, because it would reveal the choice.
    `clock` gives seconds that never go back.
    """

    def __init__(self, asks: Callable[[], Sequence[AskView]], clock: Callable[[], float] = time.monotonic) -> None:
        self._asks, self._clock, self._count = asks, clock, 0
        self._presses: deque[tuple[int, str, float]] = deque(maxlen=MOST)

    def note(self, event: str) -> None:
        """Log a button's press, or "menu" or "shutdown" after a hold."""
        if any(ask.secret for ask in self._asks()):
            return
        self._count += 1
        self._presses.append((self._count, event, self._clock()))

    def presses(self) -> list[dict[str, Any]]:
        """Return the presses, oldest first: {n: counted from 1, event, ago: seconds}."""
        now = self._clock()
        return [{"n": n, "event": event, "ago": round(now - when, 2)} for n, event, when in list(self._presses)]
