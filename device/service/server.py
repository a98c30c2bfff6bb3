"""The web server, in the words uvicorn wants them. Imported late: the display comes first."""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable
from types import FrameType

import uvicorn

from device.service.connections import Connections
from web.app import create_app
from web.port import Port

FILES = 4096
"""Files and lines this process may hold open: a service has 1024 by default, and a thousand phones may listen."""


def more_files() -> int:
    """Allow that many, as far as the system does; gives how many are allowed, at most that many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= FILES:
        return FILES
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Server(uvicorn.Server):
    """Serves the pages of one table until the process is told to end.

    `moves` is called ten times a second on the loop that serves them, from when they can be had.
    """

    def __init__(self, port: Port, moves: Callable[[], None] = lambda: None) -> None:
        # Half: as many may be let in within one turn of the loop, before any of them can be cut.
        self.lines = Connections(more_files() // 2)
        self._moves = moves
        self._web = create_app(port)
        config = uvicorn.Config(self._web, ws="none", log_level="warning", timeout_graceful_shutdown=2)
        config.http = self.lines  # type: ignore[assignment]  # called with what a class would be
        super().__init__(config)
        # What has come so far stays: to look through it again would hold up the room for a tenth of a second each time.
        gc.collect()
        gc.freeze()

    async def on_tick(self, counter: int) -> bool:
        """A turn of the loop. (uvicorn's own notice of it goes by the time of day, which may jump.)"""
        self._moves()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams first: they never end by themselves, and uvicorn would wait for them."""
        self._web.state.streams.close()
        super().handle_exit(sig, frame)
