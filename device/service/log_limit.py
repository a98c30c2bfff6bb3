"""Keeps the log readable, and the card whole, while somebody sends rubbish: few lines of a kind each minute."""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

EACH, SPAN = 5, 60.0
"""Lines of one kind, from one place in the program, and the seconds in which they may be written."""

KINDS = 1000
"""Kinds that are counted at once; when there are more, all are counted from zero again."""


@dataclass(slots=True)
class _Count:
    since: float
    lines: int = 0
    left_out: int = 0


class LogLimit(logging.Filter):
    """Lets `each` records of a kind through in `span` seconds, and says how many it left out with the next one.

    A kind is a message before its values are filled in. One object serves several handlers. `clock` gives seconds that
    never go back.
    """

    def __init__(self, each: int = EACH, span: float = SPAN, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._each, self._span, self._clock = each, span, clock
        self._counts: dict[tuple[str, int, str], _Count] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written; the same for each handler that it reaches."""
        known: bool | None = getattr(record, "within_limit", None)
        if known is None:
            with self._lock:
                known = record.within_limit = self._counted(record)
        return known

    def _counted(self, record: logging.LogRecord) -> bool:
        now, kind = self._clock(), (record.name, record.levelno, str(record.msg))
        if kind not in self._counts and len(self._counts) >= KINDS:
            self._counts.clear()
        count = self._counts.setdefault(kind, _Count(now))
        note = ""
        if now - count.since >= self._span:
            note = f" ({count.left_out} more like this were left out.)" if count.left_out else ""
            count.since, count.lines, count.left_out = now, 0, 0
        count.lines += 1
        if count.lines > self._each:
            count.left_out += 1
            return False
        if count.lines == self._each:
            note += " (More like this are left out for a minute.)"
        if note:
            record.msg, record.args = record.getMessage() + note, ()
        return True


limit = LogLimit()
"""The limit of this program, for each of its handlers."""


def web_server() -> dict[str, Any]:
    """Return uvicorn's own configuration of its log, with the limit."""
    from uvicorn.config import LOGGING_CONFIG  # imported late, because the display comes first

    config = copy.deepcopy(LOGGING_CONFIG)
    config["filters"] = {"limit": {"()": lambda: limit}}
    for handler in config["handlers"].values():
        handler["filters"] = ["limit"]
    return config
