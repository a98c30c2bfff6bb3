"""The web application of one table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from web import auth
from web.errors import HANDLED_ERRORS, handle_error
from web.guard import RequestGuard
from web.head_requests import HeadRequests
from web.lanes import MAX_READER_THREADS
from web.live import stream
from web.live.hub import HEARTBEAT_INTERVAL_S
from web.live.presence import ListeningPhones
from web.live.stream import TableStreams
from web.port import TablePorts
from web.render.templates import STATIC_FOLDER
from web.request_limits import RequestLimits
from web.routes import (
    api,
    corrections,
    decks,
    dice,
    games,
    league_changes,
    leagues,
    lessons,
    managers,
    pages,
    people,
    photographs,
    portraits,
)
from web.schema import DocumentedApp
from web.security import admission
from web.security.guessing import GuessLimit
from web.security.own_cookie import CookieFilter
from web.security.passes import PassCookies
from web.security.rate_limit import RateLimit

ROUTE_MODULES = (
    *(pages, lessons, games, dice, leagues, league_changes, people),
    *(api, corrections, managers, decks, photographs, portraits, stream),
)
"""The modules with routes, in the order in which their routes are matched."""
ALL_ROUTES = [route for part in ROUTE_MODULES for route in part.router.routes]
"""Passed to the application directly, because `include_router` would build every route again on the first request."""


def create_app(
    port: TablePorts,
    gate: GuessLimit | None = None,
    beat: float = HEARTBEAT_INTERVAL_S,
    room: ListeningPhones | None = None,
) -> FastAPI:
    """Return the application of one table. The caller must run its lifespan.

        gate: limit on guesses of the code.
        beat: interval between heartbeats, in seconds.
        room: limit on listening phones.

    Before a server that stops waits for its connections to end, it must call `app.state.streams.close_all()`, from any
    thread. The lifespan's shutdown comes only after that wait.
    """
    streams = TableStreams(port, beat)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = MAX_READER_THREADS
        streams.start_listening()
        yield
        streams.close_all()

    app = DocumentedApp(
        title="Dugout",
        description="A table of tabletop baseball: follow the game live, answer its questions, and correct its rolls.",
        version="1",
        docs_url=None,
        redoc_url=None,
        routes=list(ALL_ROUTES),
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(HANDLED_ERRORS, handle_error),
    )
    room = ListeningPhones(port.refusals) if room is None else room
    app.state.port, app.state.streams, app.state.phones = port, streams, room
    app.state.passes = PassCookies(port.access.cookie_key.encode(), port.access.pass_list, port.access.seat_epoch)
    app.state.gate = gate or GuessLimit()
    app.state.switches, app.state.sign_ins, app.state.photographs = (
        RateLimit(admission.SETTING_CHANGES),
        RateLimit(admission.SIGN_INS_PER_ADDRESS),
        RateLimit(admission.PHOTOGRAPHS),
    )
    app.mount("/static", StaticFiles(directory=STATIC_FOLDER), name="static")
    app.add_middleware(GZipMiddleware, compresslevel=6)  # which does not compress pictures and streams
    app.add_middleware(HeadRequests)  # around the compression, which changes headers
    app.add_middleware(RequestGuard, refusals=port.refusals, names=port.own_names)
    app.add_middleware(RequestLimits, refusals=port.refusals, held=auth.scope_pass)
    app.add_middleware(CookieFilter)
    return app
