"""The web server, on uvicorn. Imported late, because the display comes first."""

from __future__ import annotations

import gc
import resource
import socket
import sys
from collections.abc import Callable, Sequence
from types import FrameType

import uvicorn

from device.service.connections import UNREAD_TIMEOUT_S, PhoneConnections, RequestTracker, set_socket_limits
from web.app import create_app
from web.port import TablePorts
from web.security import admission
from web.security.addresses import address_spellings

MAX_OPEN_FILES = 2 * admission.TOTAL_CONNECTIONS.limit
"""Limit of open files. A service's default is 1024, and a thousand phones may be connected."""

SWITCH_INTERVAL_S = 0.0005
"""Seconds after which a computing thread lets another run, a tenth of Python's default.

The event loop waits once for each phone that it sends to. While a manager computed, 200 phones waited for up to 0.6 s.
"""


def raise_file_limit() -> int:
    """Raise the soft limit to `MAX_OPEN_FILES` as far as the system allows. Returns the new limit, at most that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= MAX_OPEN_FILES:
        return MAX_OPEN_FILES
    most = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Server(uvicorn.Server):
    """Serves the pages of one table until a signal ends the process.

    moves: called ten times a second on the event loop, from the first moment of serving.
    unread: `device.service.connections.UNREAD_TIMEOUT_S` in seconds.
    proxies: addresses or networks whose X-Forwarded-For counts.
    """

    def __init__(
        self,
        port: TablePorts,
        moves: Callable[[], None] = lambda: None,
        unread: float = UNREAD_TIMEOUT_S,
        proxies: Sequence[str] = (),
    ) -> None:
        # Half of the limit, because as many may be accepted in one turn of the loop before any can be closed.
        self.connections = PhoneConnections(raise_file_limit() // 2, port.refusals)
        self._report_running, self.unread = moves, unread
        self._web = create_app(port)
        super().__init__(
            uvicorn.Config(
                RequestTracker(self._web),
                http=self.connections,  # type: ignore[arg-type]  # called as a class would be
                ws="none",
                log_level="error",  # its warnings only report bad requests, which anybody may send by the thousand
                proxy_headers=bool(proxies),
                forwarded_allow_ips=[one for proxy in proxies for one in address_spellings(proxy)],
                timeout_graceful_shutdown=2,
            )
        )
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        # Objects created so far stay. Scanning them again would block all phones for a tenth of a second each time.
        gc.collect()
        gc.freeze()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Limit future connections before the first one is accepted."""
        for listening in sockets or ():
            set_socket_limits(listening, self.unread)
        await super().startup(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Report that the loop runs. (uvicorn's own callback uses the time of day, which may jump.)"""
        self._report_running()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Close the streams first, because they never end by themselves and uvicorn would wait for them."""
        self._web.state.streams.close_all()
        super().handle_exit(sig, frame)
