"""The web application of one table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from web.errors import HANDLERS
from web.live import presence, stream
from web.live.hub import BEAT
from web.live.presence import Phones
from web.live.stream import Streams
from web.port import Port
from web.render.templates import STATIC
from web.routes import api, deck_pages, decks, doctor, games, pages
from web.security.auth import GuessLimit, Passes
from web.security.guard import Guard

PARTS = (pages, games, api, decks, doctor, presence, deck_pages, stream)
ROUTES = [route for part in PARTS for route in part.router.routes]
"""Passed as they are: `include_router` would make every route again, on the first request."""


def create_app(port: Port, gate: GuessLimit | None = None, beat: float = BEAT, room: Phones | None = None) -> FastAPI:
    """The application for one table; run its lifespan. `beat` is the seconds between heartbeats, `room` says how many
    phones may listen.

    A server that stops must call `app.state.streams.close()` before it waits for its connections to end: the
    lifespan's own shutdown comes after that wait. It may be called from any thread.
    """
    streams = Streams(port, beat)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        streams.open()
        yield
        streams.close()

    app = FastAPI(
        title="Dugout",
        description="One table of tabletop baseball: read it live, answer its asks, correct its rolls.",
        version="1",
        docs_url=None,
        redoc_url=None,
        routes=list(ROUTES),
        lifespan=lifespan,
        exception_handlers=HANDLERS,
    )
    app.state.port, app.state.streams, app.state.phones = port, streams, Phones() if room is None else room
    app.state.reading = asyncio.Lock()
    app.state.doorman, app.state.gate = (
        Passes(port.access.key.encode(), port.access.epoch, port.access.age),
        gate or GuessLimit(),
    )
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(GZipMiddleware, compresslevel=6)  # never of pictures, nor of streams
    app.add_middleware(Guard)
    return app
