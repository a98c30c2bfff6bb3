"""The web server, in the words uvicorn wants them. Imported late: the display comes first."""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from collections.abc import Callable
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.app import create_app
from web.port import Port

ROOM = 64 * 1024
"""Bytes the kernel is to keep for one phone: a few frames. What it keeps, a slow phone sees late."""


FILES = 4096
"""Files and lines this process may hold open: a service has 1024 by default, and a thousand phones may listen."""


def more_files() -> None:
    """Allow that many, as far as the system does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Line(H11Protocol):
    """The line to one phone. What the phone does not take is not piled up here; a stream may hang up."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A phone has come."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        line = transport.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        # asyncio sets this only on sockets that were made naming their protocol: else each answer waits 40 ms.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.app_state = {**self.app_state, "hang_up": self.hang_up}

    def hang_up(self) -> None:
        """Cut the line at once, and let go of what the phone did not take."""
        if not self.transport.is_closing():
            line = self.transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()


class Server(uvicorn.Server):
    """Serves the pages of one table until the process is told to end.

    `moves` is called ten times a second on the loop that serves them, from when they can be had.
    """

    def __init__(self, port: Port, moves: Callable[[], None] = lambda: None) -> None:
        more_files()
        self._moves = moves
        self._web = create_app(port)
        super().__init__(uvicorn.Config(self._web, http=Line, log_level="warning", timeout_graceful_shutdown=2))

    async def on_tick(self, counter: int) -> bool:
        """A turn of the loop. (uvicorn's own notice of it goes by the time of day, which may jump.)"""
        self._moves()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams first: they never end by themselves, and uvicorn would wait for them."""
        self._web.state.streams.close()
        super().handle_exit(sig, frame)
