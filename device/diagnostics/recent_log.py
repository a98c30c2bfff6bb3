"""The last lines of the program's own log, kept in memory because a service may not read the system's log."""

from __future__ import annotations

import logging
from collections import deque

MOST = 500
"""Lines that are kept."""


class RecentLog(logging.Handler):
    """Keeps the last lines of the loggers it is added to."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=MOST)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record; a traceback counts line by line."""
        self._lines.extend(self.format(record).splitlines())

    def lines(self) -> list[str]:
        """Return the lines, oldest first."""
        return list(self._lines)


_recent = RecentLog()


def listen(name: str = "") -> None:
    """Keep the lines of this logger, and of those below it, from now on."""
    if not logging.root.handlers:
        # With a handler, logging no longer prints warnings by itself.
        logging.basicConfig(format="%(message)s")
    logging.getLogger(name).addHandler(_recent)


def lines() -> list[str]:
    """Return the lines of the program's log, oldest first."""
    return _recent.lines()
