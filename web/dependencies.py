"""What routes share: the table they belong to, who asks, request bodies, uncached JSON, and in which lane they run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import Depends, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict

from engine.text.visible_text import visible_json
from engine.views import json_data
from web import auth
from web.lanes import Lanes
from web.port import TablePorts
from web.security.addresses import address_key
from web.security.passes import Pass

NO_STORE_HEADERS = {"Cache-Control": "no-store"}


# Asynchronous, though they wait for nothing: others would first need a thread that strangers may hold.
async def _table_ports(request: Request) -> TablePorts:
    port: TablePorts = request.app.state.port
    return port


async def _operator_pass(request: Request) -> Pass:
    return auth.require_operator(request)


async def _holder_pass(request: Request) -> Pass:
    return auth.require_holder(request)


async def _rate_limited_pass(request: Request) -> Pass:
    held = auth.require_holder(request)
    request.app.state.switches.count_change("operator" if held.operator else held.seat)
    return held


PortsDependency = Annotated[TablePorts, Depends(_table_ports)]
OperatorPass = Annotated[Pass, Depends(_operator_pass)]
HolderPass = Annotated[Pass, Depends(_holder_pass)]
RateLimitedPass = Annotated[Pass, Depends(_rate_limited_pass)]
"""A `HolderPass` who sets something for as long as the game lasts: only so often, see `web.security.rate_limit`."""

LogPageQuery = Annotated[
    int, Query(alias="plays", ge=1, le=10**6, description="Which page of the plays, the newest first.")
]


class RequestBody(BaseModel):
    """The body of a changing request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class DoneReply(BaseModel):
    """It was done; the stream brings what it changed."""

    ok: Literal[True] = True


class _VisibleJSONResponse(JSONResponse):
    """JSON without hidden characters, and without lone surrogates, which cannot be sent."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return visible_json(content).encode()


def uncached_json(data: Any) -> JSONResponse:
    """Return data as JSON that nobody caches: it may be different the next moment."""
    return _VisibleJSONResponse(json_data(data), headers=NO_STORE_HEADERS)


def file_download(data: str | bytes, kind: str, name: str, how: str = "attachment") -> Response:
    """Return a file that nobody caches; `name` is the rest of its Content-Disposition header."""
    return Response(data, media_type=kind, headers=NO_STORE_HEADERS | {"Content-Disposition": f"{how}; {name}"})


def read_in_lane(lane: Literal["games", "decks"]) -> Callable[[Callable[..., Any]], Callable[..., Awaitable[Any]]]:
    """Return a decorator of a route that takes long to read. It must have its `request` and its table as `port`.

    Strangers wait in this lane, each seat's phones and the operator's in their own.
    """

    def decorator(route: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        @wraps(route)
        async def run_in_lane(**given: Any) -> Any:
            request: Request = given["request"]
            lanes: Lanes = given["port"].lanes
            chosen = lanes.lane_for(auth.request_pass(request), getattr(lanes, lane))
            return await chosen.run_read(request, address_key(auth.client_key(request)), partial(route, **given))

        return run_in_lane

    return decorator


def run_first(route: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Decorator of a route that is the table's own work, and has it as `port`: it waits for nobody who only reads."""

    @wraps(route)
    async def run_in_thread(**given: Any) -> Any:
        return await to_thread.run_sync(partial(route, **given), limiter=given["port"].lanes.first)

    return run_in_thread
