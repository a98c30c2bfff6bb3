"""The last lines of the program's own log, kept in memory for the doctor: a service may not read the system's."""

from __future__ import annotations

import logging
from collections import deque

MOST = 500
"""Lines that are kept."""


class RecentLog(logging.Handler):
    """Keeps the last lines of the loggers that it is given to."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=MOST)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, a trace with its lines."""
        self._lines.extend(self.format(record).splitlines())

    def lines(self) -> list[str]:
        """What is kept, oldest first."""
        return list(self._lines)


_recent = RecentLog()


def listen(name: str = "") -> None:
    """Keep from now on what the logger of this name, and those below it, say."""
    if not logging.root.handlers:
        # What logging does by itself while nobody listens.
        logging.basicConfig(format="%(message)s")
    logging.getLogger(name).addHandler(_recent)


def lines() -> list[str]:
    """What was kept."""
    return _recent.lines()
