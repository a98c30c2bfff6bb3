"""What routes share: the table they belong to, who asks, request bodies, uncached JSON, and slow reads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, Literal

from fastapi import Depends, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict

from engine.views import plain
from engine.visible_text import as_json
from web.port import Port
from web.security import auth
from web.security.passes import Pass

NEVER = {"Cache-Control": "no-store"}


def _port(request: Request) -> Port:
    port: Port = request.app.state.port
    return port


Table = Annotated[Port, Depends(_port)]
Operator = Annotated[Pass, Depends(auth.operator)]
Holder = Annotated[Pass, Depends(auth.holder)]


class RequestBody(BaseModel):
    """The body of a changing request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class DoneReply(BaseModel):
    """It was done; the stream brings what it changed."""

    ok: Literal[True] = True


class _VisibleJSON(JSONResponse):
    """JSON without hidden characters, and without lone surrogates, which cannot be sent."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return as_json(content).encode()


def fresh(data: Any) -> JSONResponse:
    """Return data as JSON that nobody caches: it may be different the next moment."""
    return _VisibleJSON(plain(data), headers=NEVER)


def download(data: str | bytes, kind: str, name: str, how: str = "attachment") -> Response:
    """Return a file that nobody caches; `name` is the rest of its Content-Disposition header."""
    return Response(data, media_type=kind, headers=NEVER | {"Content-Disposition": f"{how}; {name}"})


def one_at_a_time(route: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Decorator of a route that takes long to read (old games, decks), and has its table as `port`.

    It runs apart from the threads that answer phones, one at a time: who asks for many waits alone.
    """

    @wraps(route)
    async def run(**given: Any) -> Any:
        async with given["port"].reading:
            return await asyncio.to_thread(route, **given)

    return run
