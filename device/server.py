"""The web server, in the words uvicorn wants them. Imported late: the display comes first."""

from __future__ import annotations

from types import FrameType

import uvicorn

from web.app import create_app
from web.port import Port


class Server(uvicorn.Server):
    """Serves the pages of one table until the process is told to end."""

    def __init__(self, port: Port) -> None:
        self._web = create_app(port)
        super().__init__(uvicorn.Config(self._web, log_level="warning", timeout_graceful_shutdown=2))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams first: they never end by themselves, and uvicorn would wait for them."""
        self._web.state.streams.close()
        super().handle_exit(sig, frame)
