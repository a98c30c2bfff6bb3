"""Requests over bare ASGI, from any address, whose clients can leave at any time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from starlette.types import Message

from tests.web.phones import WHO, cookie


def request_scope(
    app: FastAPI, method: str, address: str, headers: Iterable[tuple[bytes, bytes]], at: str = "10.0.0.1"
) -> dict[str, Any]:
    """The ASGI scope of a request from the address `at`."""
    path, _, query = address.partition("?")
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "headers": list(headers),
        "client": (at, 4711),
        "server": ("localhost", 80),
        "http_version": "1.1",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "app": app,
    }


class Visitor:
    """One request. `who` is a role of `tests.web.phones`, `at` the address, `body` what is sent as JSON, unless nothing
    ever `comes`.
    """

    def __init__(
        self,
        app: FastAPI,
        path: str,
        method: str = "GET",
        who: str = "spectator",
        at: str = "10.0.0.1",
        body: Any = None,
        comes: bool = True,
    ) -> None:
        self._sends = json.dumps(body or {}).encode()
        headers = [
            (b"host", b"localhost"),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(self._sends)),
        ]
        if who != "spectator":
            headers.append((b"cookie", cookie(app.state.port.access, WHO[who]).encode()))
        scope = request_scope(app, method, path, headers, at)
        self.status: int | None = None
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.largest = 0
        self.reads = asyncio.Event()
        self.reads.set()
        self._asked, self._over = not comes, asyncio.Event()
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> Message:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": self._sends, "more_body": False}
        await self._over.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        await self.reads.wait()
        self.body += message.get("body", b"")
        self.largest = max(self.largest, len(message.get("body", b"")))
        if not message.get("more_body", False):
            self._over.set()

    def leave(self) -> None:
        """Close the connection, whatever has come."""
        self._over.set()

    @property
    def waits(self) -> bool:
        """True until the request has ended."""
        return not self._task.done()

    async def answer(self) -> int | None:
        """Return the status once the request has ended."""
        await self._task
        return self.status
