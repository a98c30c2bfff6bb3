"""Shared parts of routes: ports, passes, request bodies, uncached JSON, and the lanes they run in."""

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
"""Headers of a response that may differ at the next request."""


# Asynchronous, because synchronous ones would need a thread, which strangers may hold.
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
"""A `HolderPass` for changes of settings, which are limited in rate (`web.security.rate_limit`)."""

LogPageQuery = Annotated[int, Query(alias="plays", ge=1, le=10**6, description="The page of the plays, newest first.")]


class RequestBody(BaseModel):
    """The body of a changing request. Unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid")


class DoneReply(BaseModel):
    """The request was carried out. The stream shows its effects."""

    ok: Literal[True] = True


class _VisibleJSONResponse(JSONResponse):
    """JSON without hidden characters and without lone surrogates, which cannot be sent."""

    def render(self, content: Any) -> bytes:
        return visible_json(content).encode()


def uncached_json(data: Any, **headers: str) -> JSONResponse:
    return _VisibleJSONResponse(json_data(data), headers=NO_STORE_HEADERS | headers)


def file_download(data: str | bytes, kind: str, name: str, how: str = "attachment") -> Response:
    """Return a file that must not be cached. `name` is the rest of its Content-Disposition header."""
    return Response(data, media_type=kind, headers=NO_STORE_HEADERS | {"Content-Disposition": f"{how}; {name}"})


def read_in_lane(lane: Literal["games", "decks"]) -> Callable[[Callable[..., Any]], Callable[..., Awaitable[Any]]]:
    """Decorate a slow route, which must take `request` and `port`. Strangers wait in this lane, others in their own."""

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
    """Decorate a route that is the table's own work, so that it never waits for reads. It must take `port`."""

    @wraps(route)
    async def run_in_thread(**given: Any) -> Any:
        return await to_thread.run_sync(partial(route, **given), limiter=given["port"].lanes.first)

    return run_in_thread
