"""The lines to the phones: what each may hold of the table, and for how long it may say nothing.

None of this asks who it is. Whoever is in the room may open a line, and no one may keep the others from theirs.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

ROOM = 64 * 1024
"""Bytes the kernel is to keep for one phone: a few frames. What it keeps, a slow phone sees late."""

EACH = 80
"""Lines from one address: as many pages as may listen from one, and as many again for all that they load."""

WHOLE = 10.0
"""Seconds in which a whole request must have begun, and an answer been taken, where nothing is being answered."""


class Connections:
    """Opens lines, and counts them: at most `most` in all, and `each` from one address. The next are cut at once."""

    def __init__(self, most: int, each: int = EACH, whole: float = WHOLE) -> None:
        self.most, self.each, self.whole = most, each, whole
        self.open: Counter[str] = Counter()

    def __call__(self, **given: Any) -> Connection:
        """A line, as uvicorn makes one."""
        return Connection(self, **given)


class Connection(H11Protocol):
    """The line to one phone. What the phone does not take is not piled up here; a stream may hang up."""

    def __init__(self, lines: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._lines, self._over = lines, False
        self._late: asyncio.TimerHandle | None = None

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else "?"

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A phone has come."""
        super().connection_made(transport)
        lines, address = self._lines, self._address
        lines.open[address] += 1
        if lines.open[address] > lines.each or lines.open.total() > lines.most:
            self.hang_up()
            return
        transport.set_write_buffer_limits(0)
        line = transport.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        # asyncio sets this only on sockets that were made naming their protocol: else each answer waits 40 ms.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.app_state = {**self.app_state, "hang_up": self.hang_up}
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The phone has gone."""
        self._over = True
        self._watch()
        self._lines.open[self._address] -= 1
        if not self._lines.open[self._address]:
            del self._lines.open[self._address]
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Something came; a request may have begun."""
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        """A request was answered; the next one is waited for."""
        super().on_response_complete()
        self._watch()

    def _watch(self) -> None:
        """Cut the line in a while, unless something is being answered. Bytes of the next request win it no time."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._late is None and not (answering or self._over):
            self._late = self.loop.call_later(self._lines.whole, self.hang_up)
        elif self._late is not None and (answering or self._over):
            self._late.cancel()
            self._late = None

    def hang_up(self) -> None:
        """Cut the line at once, and let go of what the phone did not take."""
        if not self._over:
            line = self.transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
