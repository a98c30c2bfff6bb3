"""A table of the tests behind a real server, for what the whole program cannot show."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from tests.device.process import free_port
from tests.web.web_table import WebTable
from web.app import create_app


@contextmanager
def served(port: WebTable) -> Iterator[tuple[WebTable, str]]:
    """Serve the pages of a table. Yield it, and their address."""
    app = create_app(port.port)
    config = uvicorn.Config(app, port=free_port(), log_level="error", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield port, f"http://127.0.0.1:{config.port}"
    finally:
        app.state.streams.close_all()
        server.should_exit = True
        thread.join()
