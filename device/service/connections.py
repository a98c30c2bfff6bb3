"""Limits on HTTP connections: their count, their buffers, and how long each may be silent.

They apply before any login, because anyone in the room may connect and nobody may keep the others out. The kernel and
asyncio enforce them around uvicorn's own protocol, which is unchanged.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.security import addresses, admission
from web.security.fair_share import FairShare, ReservedPlace
from web.security.rejected import PhoneRejected
from web.security.rejection_log import RejectionLog

SEND_BUFFER_BYTES = 64 * 1024
"""Bytes the kernel buffers for one phone, a few frames. A slow phone gets buffered data late."""

RECEIVE_BUFFER_BYTES = 16 * 1024
"""Bytes the kernel buffers from one phone, and so the limit of one read. Data sent ahead waits there."""

UNREAD_TIMEOUT_S = 10.0
"""The kernel ends a connection that acknowledges nothing for this long, in seconds."""


def set_socket_limits(listening: socket.socket, unread: float = UNREAD_TIMEOUT_S) -> None:
    """Set the limits of every connection that this socket will accept. Linux inherits them (tcp(7))."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(unread * 1000))
    # asyncio sets this only on sockets created with their protocol's number. Without it each answer waits 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class PhoneConnections(FairShare):
    """The open connections, at most `most`. Those without a request give way.

    `silent` is the limit of `admission.UNFINISHED_REQUEST` in seconds. A connection closed before it is answered is
    recorded in `refusals`. uvicorn calls this for each new connection.
    """

    def __init__(self, most: int, refusals: RejectionLog, silent: float = admission.UNFINISHED_REQUEST.limit) -> None:
        super().__init__(replace(admission.TOTAL_CONNECTIONS, limit=most), admission.CONNECTIONS_PER_ADDRESS, refusals)
        self.refusals, self.silent = refusals, silent

    def __call__(self, *, app_state: dict[str, Any], **given: Any) -> PhoneConnection:
        return PhoneConnection(self, app_state, given)


class PhoneConnection(asyncio.Protocol):
    """A connection to one phone, closed if it sends no complete request for a while.

    A request's state has it as `connection`, and its `hang_up`. uvicorn does everything else.
    """

    def __init__(self, connections: PhoneConnections, app_state: dict[str, Any], given: dict[str, Any]) -> None:
        self._http = H11Protocol(**given, app_state={**app_state, "connection": self, "hang_up": self.hang_up})
        self._connections, self._loop = connections, asyncio.get_running_loop()
        self._place = ReservedPlace("?", self.hang_up, idle=True)
        self._timer: asyncio.TimerHandle | None = None
        self._peer = "?"
        self._answers = 0
        """Requests being answered. The next one may begin while the last one still cleans up."""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Reserve a place, if necessary that of an idle connection. Without one, close at once."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._peer = self._place.address = addresses.client_key({"client": transport.get_extra_info("peername")})
        self._http.connection_made(transport)
        try:
            self._connections.reserve_place(self._place)
        except PhoneRejected as why:
            self.turn_away(why)
            return
        transport.set_write_buffer_limits(0)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._stop_timer()
        self._connections.release_place(self._place)
        self._http.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._http.data_received(data)

    def eof_received(self) -> None:
        self._http.eof_received()

    def pause_writing(self) -> None:
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self._http.resume_writing()

    @property
    def is_busy(self) -> bool:
        return self._answers > 0

    @contextmanager
    def track_request(self, address: str) -> Iterator[None]:
        """Mark the connection as busy with a request of this address, so that the phone need not send anything.

        Behind a proxy the address is that of the phone. Raises PhoneRejected if it has too many connections.
        """
        self._move_to_address(address)
        self._stop_timer()
        self._answers += 1
        self._place.idle = False
        try:
            yield
        finally:
            self._answers -= 1
            self._place.idle = not self.is_busy
            if not self.is_busy and self.transport is not None:
                self._start_timer()
                try:
                    self._move_to_address(self._peer)
                except PhoneRejected as why:
                    self.turn_away(why)

    def _move_to_address(self, address: str) -> None:
        if address != self._place.address and self.transport is not None:
            self._connections.move_place(self._place, address)

    def _start_timer(self) -> None:
        """Close the connection after `silent` seconds. A part of a request does not extend them."""
        self._stop_timer()
        self._timer = self._loop.call_later(self._connections.silent, self._handle_timeout)

    def _handle_timeout(self) -> None:
        """Close the connection. A browser's spare connection has sent nothing, so it is not recorded."""
        if self._http.conn.trailing_data[0]:
            self._connections.refusals.record_rejection(admission.UNFINISHED_REQUEST, self._place.address)
        self.hang_up()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def turn_away(self, why: PhoneRejected) -> None:
        self._connections.refusals.record_rejection(why.gate, self._place.address)
        self.hang_up()

    def hang_up(self) -> None:
        """Close the connection at once, and discard unsent data."""
        if self.transport is not None:
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()


class RequestTracker:
    """Middleware around the application that marks a connection as busy while a request is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        connection: PhoneConnection = scope["state"]["connection"]
        with ExitStack() as stack:
            try:
                stack.enter_context(connection.track_request(addresses.client_key(scope)))
            except PhoneRejected as why:
                connection.turn_away(why)
                while (await receive())["type"] != "http.disconnect":
                    pass
                return
            await self._app(scope, receive, send)
