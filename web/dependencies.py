"""What routes share: the table they belong to, who asks, request bodies, uncached JSON, and in which lane they run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import Depends, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict

from engine.text.visible_text import as_json
from engine.views import plain
from web import auth
from web.lanes import Lanes
from web.port import Port
from web.security.addresses import counted
from web.security.passes import Pass

NEVER = {"Cache-Control": "no-store"}


# Asynchronous, though they wait for nothing: others would first need a thread that strangers may hold.
async def _port(request: Request) -> Port:
    port: Port = request.app.state.port
    return port


async def _operator(request: Request) -> Pass:
    return auth.operator(request)


async def _holder(request: Request) -> Pass:
    return auth.holder(request)


async def _switcher(request: Request) -> Pass:
    held = auth.holder(request)
    request.app.state.switches.count("operator" if held.operator else held.seat)
    return held


Table = Annotated[Port, Depends(_port)]
Operator = Annotated[Pass, Depends(_operator)]
Holder = Annotated[Pass, Depends(_holder)]
Switcher = Annotated[Pass, Depends(_switcher)]
"""A `Holder` who sets something for as long as the game lasts: only so often, see `web.security.rate_limit`."""

LogPage = Annotated[int, Query(alias="plays", ge=1, le=10**6, description="Which page of the plays, the newest first.")]


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


def reads(lane: Literal["games", "decks"]) -> Callable[[Callable[..., Any]], Callable[..., Awaitable[Any]]]:
    """Return a decorator of a route that takes long to read. It must have its `request` and its table as `port`.

    Strangers wait in this lane, each seat's phones and the operator's in their own.
    """

    def decorator(route: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        @wraps(route)
        async def run(**given: Any) -> Any:
            request: Request = given["request"]
            lanes: Lanes = given["port"].lanes
            chosen = lanes.lane(auth.of(request), getattr(lanes, lane))
            return await chosen.run(request, counted(auth.client(request)), partial(route, **given))

        return run

    return decorator


def at_once(route: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Decorator of a route that is the table's own work, and has it as `port`: it waits for nobody who only reads."""

    @wraps(route)
    async def run(**given: Any) -> Any:
        return await to_thread.run_sync(partial(route, **given), limiter=given["port"].lanes.first)

    return run
