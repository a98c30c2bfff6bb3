"""Last log lines and button presses of the running table, kept in memory.

A service may not read the system's log. `dugout doctor --buttons` shows the presses.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

from device.shapes import RecentPress
from engine.ask_views import AskView

MAX_LOG_LINES = 500  # maximum log lines kept
MAX_PRESSES = 40  # maximum button presses kept


class RecentLog(logging.Handler):
    """Log handler that keeps the last lines, oldest first."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=MAX_LOG_LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Append a record. A traceback counts line by line."""
        self.lines.extend(self.format(record).splitlines())


recent_log = RecentLog()  # the program's own log


def record_logger(name: str = "") -> None:
    """Start recording this logger and those below it."""
    if not logging.root.handlers:
        # With a handler of its own, logging no longer prints warnings.
        logging.basicConfig(format="%(message)s")
    logging.getLogger(name).addHandler(recent_log)


class PressLog:
    """Last button presses. Any thread may call it.

    asks: returns the open asks. During a secret choice no press is recorded, because it would reveal the choice.
    clock: monotonic seconds.
    """

    def __init__(self, asks: Callable[[], Sequence[AskView]], clock: Callable[[], float] = time.monotonic) -> None:
        self._asks, self._clock, self._count = asks, clock, 0
        self._presses: deque[tuple[int, str, float]] = deque(maxlen=MAX_PRESSES)

    def record_press(self, event: str) -> None:
        """Record a button's press, or "menu" or "shutdown" after a hold."""
        if any(ask.secret for ask in self._asks()):
            return
        self._count += 1
        self._presses.append((self._count, event, self._clock()))

    def recent_presses(self) -> list[RecentPress]:
        """Presses, oldest first."""
        now = self._clock()
        return [RecentPress(n, event, round(now - when, 2)) for n, event, when in list(self._presses)]
