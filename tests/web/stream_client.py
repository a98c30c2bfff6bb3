"""A reader of a stream over bare ASGI: it can be slow, it can leave, and it keeps every byte it got."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from fastapi import FastAPI


@dataclass(frozen=True)
class Heard:
    name: str
    version: int | None
    data: Any


def events(stream: bytes) -> list[Heard]:
    """The complete events in a stream's bytes."""
    heard = []
    for block in stream.decode().split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        if "event" in fields:
            version = int(fields["id"]) if "id" in fields else None
            heard.append(Heard(fields["event"], version, json.loads(fields["data"])))
    return heard


def alive(app: FastAPI, act: Callable[[], Awaitable[Any]]) -> Any:
    """Run `act` while the application lives; a hang is a failure."""

    async def run() -> Any:
        async with asyncio.timeout(100), app.router.lifespan_context(app):
            return await act()

    return asyncio.run(run())


def looped(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Decorator of an asynchronous test: run it on its own loop; a hang is a failure."""

    async def limited(**given: Any) -> None:
        async with asyncio.timeout(100):
            await test(**given)

    @wraps(test)
    def run(**given: Any) -> None:
        asyncio.run(limited(**given))

    return run


class Listener:
    """Reads `path` of `app` from `address`. While `ready` is clear, the phone reads nothing."""

    def __init__(
        self,
        app: FastAPI,
        path: str = "/stream",
        cookie: str = "",
        address: str = "192.0.2.7",
        agent: str = "",
        host: str = "testserver",
        method: str = "GET",
    ) -> None:
        self.app, self.status, self.got = app, 0, b""
        self.headers: dict[str, str] = {}
        self.ready = asyncio.Event()
        self.ready.set()
        self._path, _, query = path.partition("?")
        self._query, self._cookie = query.encode(), cookie
        self._address, self._agent, self._host, self._method = address, agent, host, method
        self._left, self._more = asyncio.Event(), asyncio.Condition()
        self._asked = False

    async def __aenter__(self) -> Listener:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": self._method,
            "scheme": "http",
            "path": self._path,
            "raw_path": self._path.encode(),
            "root_path": "",
            "query_string": self._query,
            "headers": [
                (b"host", self._host.encode()),
                (b"cookie", self._cookie.encode()),
                (b"accept-encoding", b"gzip"),
                (b"user-agent", self._agent.encode()),
            ],
            "client": (self._address, 1234),
            "server": ("testserver", 80),
        }
        self.task = asyncio.ensure_future(self.app(scope, self._receive, self._send))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._left.set()
        self.ready.set()
        await self.task

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.ready.wait()
        async with self._more:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                self.got += message.get("body", b"")
                if not message.get("more_body", False):
                    self._left.set()
            self._more.notify_all()

    @property
    def heard(self) -> list[Heard]:
        return events(self.got)

    async def answered(self) -> int:
        """The status, once there is one."""
        async with self._more:
            await self._more.wait_for(lambda: self.status)
        return self.status

    async def until(self, name: str, version: int | None = None) -> list[Heard]:
        """Everything received, once the event `name` (of `version`) is among it."""

        def there() -> bool:
            return any(one.name == name and version in (None, one.version) for one in events(self.got))

        async with self._more:
            await self._more.wait_for(there)
        return events(self.got)
