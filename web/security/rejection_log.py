"""Counts and logs rejections of phones, and keeps the last ones for the operator and the doctor."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Scope

from device.shapes import RecentRejections, RejectionSummary
from web.security.addresses import short_address
from web.security.admission import Gate

log = logging.getLogger("dugout.refusals")

LOG_INTERVAL_S = 60.0
"""Least time between two log lines of the same gate and address, in seconds."""

MAX_ROWS = 100
"""Pairs of gate and address in memory. Further ones within `LOG_INTERVAL_S` are only counted."""

MAX_SHOWN_ROWS = 20
"""The newest rows, which are shown."""

METHOD_PATTERN = re.compile(r"[A-Z]{3,7}")
"""A method that may be shown."""
PATH_WORDS_PATTERN = re.compile(r"(?:/[a-z-]{0,12}(?=[/.]|$)){1,4}")
"""The beginning of a path that may be shown. Short words in lower case are never a code, a pass or an invitation."""


def request_label(scope: Scope) -> str:
    """Return method and path of a request, such as "POST /api/undo". Only short words of the path are shown."""
    path, method = scope["path"], scope["method"]
    found = PATH_WORDS_PATTERN.match(path)
    words = found[0] if found else ""
    return f"{method if METHOD_PATTERN.fullmatch(method) else '?'} {words}{'' if words == path else '…'}"


@dataclass(slots=True)
class _RejectionRow:
    """The rejections by one gate of one address."""

    gate: Gate
    asked: str = ""
    times: int = 0
    last: float = 0.0
    logged: float = 0.0


class RejectionLog:
    """The rejections by the gates of one table since it was switched on. `clock` returns seconds. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._counts = Counter[str]()
        self._rows: dict[tuple[str, str], _RejectionRow] = {}
        """By gate and address. The last rejected is at the end."""

    def record_rejection(self, gate: Gate, address: str, asked: str = "") -> None:
        """Count a rejection, and log it unless there was a line for this gate and address within `LOG_INTERVAL_S`.

        address: the address key of the phone (`web.security.addresses.address_key`).
        asked: the `request_label` of the request, "" for a connection.
        """
        with self._lock:
            self._counts[gate.name] += 1
            row = self._row_for(gate, address)
            if row is None:
                return
            now = self._clock()
            first = row.times == 0 or now >= row.logged + LOG_INTERVAL_S
            row.asked, row.times, row.last = asked, row.times + 1, now
            if first:
                row.logged = now
        if first:
            log.warning("%s%s", _rejection_sentence(gate, address), f" ({asked})" if asked else "")

    def _row_for(self, gate: Gate, address: str) -> _RejectionRow | None:
        """Return the row of a gate and address, moved to the end. None if there is no room for a new one."""
        key = gate.name, address
        row = self._rows.pop(key, None)
        if row is None and len(self._rows) >= MAX_ROWS:
            oldest = next(iter(self._rows))
            if self._clock() < self._rows[oldest].logged + LOG_INTERVAL_S:
                return None
            del self._rows[oldest]
        self._rows[key] = row = row or _RejectionRow(gate)
        return row

    def rejection_summary(self) -> RejectionSummary:
        """Return the count of each gate, and the last rejections, newest first."""
        with self._lock:
            now, counts, rows = self._clock(), dict(self._counts.most_common()), list(self._rows.items())
            last = [
                RecentRejections(
                    one.gate.name,
                    _rejection_sentence(one.gate, address),
                    one.asked,
                    one.times,
                    max(0, int(now - one.last)),
                )
                for (_, address), one in reversed(rows[-MAX_SHOWN_ROWS:])
            ]
        return RejectionSummary(counts, last)


def _rejection_sentence(gate: Gate, address: str) -> str:
    return f"A phone ({short_address(address)}) was turned away: {gate.name}; {gate.advice}."
