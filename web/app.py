"""The web application of one table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from web import auth
from web.errors import HANDLED, refused
from web.guard import Guard
from web.lanes import READERS
from web.live import stream
from web.live.hub import BEAT
from web.live.presence import Phones
from web.live.stream import Streams
from web.port import Port
from web.render.templates import STATIC
from web.request_limits import RequestLimits
from web.routes import api, corrections, decks, games, managers, pages, portraits
from web.schema import Documented
from web.security import admission
from web.security.guessing import GuessLimit
from web.security.own_cookie import OwnCookie
from web.security.passes import Passes
from web.security.rate_limit import RateLimit

PARTS = pages, games, api, corrections, managers, decks, portraits, stream
ROUTES = [route for part in PARTS for route in part.router.routes]
"""Passed as they are: `include_router` would make every route again, on the first request."""


def create_app(port: Port, gate: GuessLimit | None = None, beat: float = BEAT, room: Phones | None = None) -> FastAPI:
    """Return the application of one table; run its lifespan.

    `gate` limits guesses of the code, `beat` is the seconds between heartbeats, `room` limits the phones that listen. A
    server that stops must call `app.state.streams.close()`, from any thread, before it waits for its connections to
    end: the lifespan's own shutdown comes after that wait.
    """
    streams = Streams(port, beat)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = READERS
        streams.open()
        yield
        streams.close()

    app = Documented(
        title="Dugout",
        description="One table of tabletop baseball: read it live, answer its asks, correct its rolls.",
        version="1",
        docs_url=None,
        redoc_url=None,
        routes=list(ROUTES),
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(HANDLED, refused),
    )
    room = Phones(port.refusals) if room is None else room
    app.state.port, app.state.streams, app.state.phones = port, streams, room
    app.state.passes = Passes(port.access.key.encode(), port.access.passes, port.access.epoch)
    app.state.gate = gate or GuessLimit()
    app.state.switches, app.state.sign_ins = RateLimit(admission.SETTINGS), RateLimit(admission.SIGN_INS)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(GZipMiddleware, compresslevel=6)  # it leaves pictures and streams alone
    app.add_middleware(Guard, refusals=port.refusals, names=port.own_names)
    app.add_middleware(RequestLimits, refusals=port.refusals, held=auth.held_by)
    app.add_middleware(OwnCookie)
    return app
