"""Counts and logs the phones that a gate refused, and remembers the last of them for the operator and the doctor."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Scope

from device.shapes import NotedRefusal, RefusalSummary
from web.security.addresses import short_address
from web.security.admission import Gate

log = logging.getLogger("dugout.refusals")

LOG_INTERVAL_S = 60.0
"""Seconds after a log line in which the same gate and address get no other."""

MAX_ROWS = 100
"""Pairs of gate and address in memory. Further ones within `LOG_INTERVAL_S` are only counted."""

MAX_SHOWN_ROWS = 20
"""Of these, the last that are shown."""

METHOD_PATTERN = re.compile(r"[A-Z]{3,7}")
PATH_WORDS_PATTERN = re.compile(r"(?:/[a-z-]{0,12}(?=[/.]|$)){1,4}")
"""The beginning of a path that may be shown: short words in lower case, so never a code, a pass or an invitation."""


def request_label(scope: Scope) -> str:
    """Return what a request asked for, such as "POST /api/undo". Of its path only plain words are shown."""
    path, method = scope["path"], scope["method"]
    found = PATH_WORDS_PATTERN.match(path)
    words = found[0] if found else ""
    return f"{method if METHOD_PATTERN.fullmatch(method) else '?'} {words}{'' if words == path else '…'}"


@dataclass(slots=True)
class _RejectionRow:
    """What one gate refused to one address."""

    gate: Gate
    asked: str = ""
    times: int = 0
    last: float = 0.0
    logged: float = 0.0


class RejectionLog:
    """What the gates of one table refused since it was switched on. `clock` returns seconds. Any thread may call it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._counts = Counter[str]()
        self._rows: dict[tuple[str, str], _RejectionRow] = {}
        """By gate and address, the one refused last at the end."""

    def record_rejection(self, gate: Gate, address: str, asked: str = "") -> None:
        """Count a refusal, and log it if this address has had no line for this gate within a minute.

        `address` is what the phone is counted as (`web.security.addresses.address_key`), and `asked` is `request_label`
        its request, "" for a connection.
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
        """Return the row of a gate and address, moved to the end; None if there is no room for a new one."""
        key = gate.name, address
        row = self._rows.pop(key, None)
        if row is None and len(self._rows) >= MAX_ROWS:
            oldest = next(iter(self._rows))
            if self._clock() < self._rows[oldest].logged + LOG_INTERVAL_S:
                return None
            del self._rows[oldest]
        self._rows[key] = row = row or _RejectionRow(gate)
        return row

    def rejection_summary(self) -> RefusalSummary:
        """Return how often each gate refused, and the last refusals, the newest first."""
        with self._lock:
            now, counts, rows = self._clock(), dict(self._counts.most_common()), list(self._rows.items())
            last = [
                NotedRefusal(
                    one.gate.name,
                    _rejection_sentence(one.gate, address),
                    one.asked,
                    one.times,
                    max(0, int(now - one.last)),
                )
                for (_, address), one in reversed(rows[-MAX_SHOWN_ROWS:])
            ]
        return RefusalSummary(counts, last)


def _rejection_sentence(gate: Gate, address: str) -> str:
    return f"A phone ({short_address(address)}) was turned away: {gate.name}; {gate.advice}."
