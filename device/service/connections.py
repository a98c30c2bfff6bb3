"""Limits on HTTP connections: their number, their buffers, and how long each may be silent.

They apply before any login: anyone in the room may connect, and no one may keep the others from connecting.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SEND_BUFFER = 64 * 1024
"""Bytes the kernel buffers for one phone, a few frames; a slow phone sees what is buffered late."""

EACH = 80
"""Connections from one address: as many as may listen from one, and as many again for loading pages."""

SILENT = 10.0
"""Seconds in which a connection must send a whole request, and take the answer."""


class Connections:
    """Opens and counts connections: at most `most` in all and `each` from one address. More are cut at once.

    `silent` is the limit `SILENT` in seconds.
    """

    def __init__(self, most: int, each: int = EACH, silent: float = SILENT) -> None:
        self.most, self.each, self.silent = most, each, silent
        self.open: Counter[str] = Counter()

    def __call__(self, **given: Any) -> Connection:
        """Return a connection, as uvicorn creates one."""
        return Connection(self, **given)


class Connection(H11Protocol):
    """A connection to one phone. Unsent data is not buffered here; a stream may hang up."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._connections, self._closed = connections, False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else "?"

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and set its limits."""
        super().connection_made(transport)
        connections, address = self._connections, self._address
        connections.open[address] += 1
        if connections.open[address] > connections.each or connections.open.total() > connections.most:
            self.hang_up()
            return
        transport.set_write_buffer_limits(0)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        # asyncio sets this only on sockets created with their protocol's number; without it each answer waits 40 ms.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.app_state = {**self.app_state, "hang_up": self.hang_up}
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._closed = True
        self._watch()
        self._connections.open[self._address] -= 1
        if not self._connections.open[self._address]:
            del self._connections.open[self._address]
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Handle received data; a request may have begun."""
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def _watch(self) -> None:
        """Hang up after `silent` seconds unless a request is being answered. A partial request does not extend them."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._timer is None and not (answering or self._closed):
            self._timer = self.loop.call_later(self._connections.silent, self.hang_up)
        elif self._timer is not None and (answering or self._closed):
            self._timer.cancel()
            self._timer = None

    def hang_up(self) -> None:
        """Close the connection at once, and drop what the phone has not received."""
        if not self._closed:
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
