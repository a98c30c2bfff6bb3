"""Streams: the whole small view on connect and on each change, one hub per audience.

A frame is encoded once per change and shared by all readers. A reader takes the newest frame whenever it is ready
for one, so a slow phone skips what it missed instead of lagging behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from sse_starlette import EventSourceResponse
from sse_starlette.sse import AppStatus

from engine.seats import SEATS, Seat
from web import auth
from web.looks import panel, seat_panel
from web.port import Port
from web.refusals import SEAT_RESPONSES

BEAT = 10.0
"""Seconds of silence before a heartbeat; the page calls itself out of touch after two and a half."""

# The hubs end their streams themselves, and orderly; the library would cut them off in mid-answer.
AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]

RETRY = b"retry: 2000\n\n"
"""Milliseconds a browser waits before it connects again."""

SEND = 20.0
"""Seconds one write may hang before the reader is dropped: its phone comes back by itself."""


Sight = tuple[dict[str, Any], dict[str, str]]
"""A view and its panel."""


def frame(name: str, data: Any, version: int | None = None) -> bytes:
    """One event of a stream."""
    head = f"event: {name}\n" + (f"id: {version}\n" if version is not None else "")
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


class Hub:
    """What one audience hears. `look` gives its view and panel and may block; it runs in a thread, once per change."""

    def __init__(self, look: Callable[[], Sight], beat: float = BEAT) -> None:
        self._look, self._beat = look, beat
        self._changes, self._encoded = 0, -1
        self._frame, self._version = b"", 0
        self._encoding = asyncio.Lock()
        self._wakes: set[asyncio.Event] = set()
        self._closed = False

    def __len__(self) -> int:
        return len(self._wakes)

    def changed(self) -> None:
        """Something changed. Call on the loop's own thread."""
        self._changes += 1
        for wake in self._wakes:
            wake.set()

    def close(self) -> None:
        """End every stream, now and for good. Call on the loop's own thread."""
        self._closed = True
        self.changed()

    async def _newest(self) -> bytes:
        async with self._encoding:
            if self._encoded != self._changes:
                now = self._changes
                self._frame, self._version = await asyncio.to_thread(self._encode)
                self._encoded = now
            return self._frame

    def _encode(self) -> tuple[bytes, int]:
        view, regions = self._look()
        version = view["version"]
        return frame("view", view, version) + frame("panel", regions, version), version

    async def read(self) -> AsyncIterator[bytes]:
        """Frames for one reader until it leaves or the hub closes."""
        wake = asyncio.Event()
        if not self._wakes:
            self._encoded = -1
        self._wakes.add(wake)
        sent = b""
        try:
            yield RETRY
            while not self._closed:
                wake.clear()
                newest = await self._newest()
                if newest is not sent:
                    sent = newest
                    yield newest
                    continue
                try:
                    async with asyncio.timeout(self._beat):
                        await wake.wait()
                except TimeoutError:
                    yield frame("beat", {"version": self._version})
        finally:
            self._wakes.discard(wake)


class Streams:
    """The hubs of one table: the spectators' is only ever handed `view(None)`, a seat's only its own."""

    def __init__(self, port: Port, beat: float = BEAT) -> None:
        self._port = port
        self.hubs: dict[Seat | None, Hub] = {
            None: Hub(_spectators(port), beat),
            **{seat: Hub(_seats(port, seat), beat) for seat in SEATS},
        }
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: Callable[[], None] | None = None

    def open(self) -> None:
        """Begin to listen to the table. Call on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._leave = self._port.subscribe(lambda: self._each(Hub.changed))

    def close(self) -> None:
        """End every stream at once, from any thread; safe to call twice. A server that stops calls this first, since
        it would else wait for streams that never end."""
        if self._leave is not None:
            self._leave()
            self._leave = None
        self._each(Hub.close)

    def _each(self, act: Callable[[Hub], None]) -> None:
        def all_hubs() -> None:
            for hub in self.hubs.values():
                act(hub)

        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has closed, and with it every stream
                self._loop.call_soon_threadsafe(all_hubs)


def _spectators(port: Port) -> Callable[[], Sight]:
    def look() -> Sight:
        view = port.view(None)
        return view, panel(view)

    return look


def _seats(port: Port, seat: Seat) -> Callable[[], Sight]:
    def look() -> Sight:
        view = auth.seen(port, seat)
        return view, seat_panel(view, port.view(None))

    return look


router = APIRouter()


@router.get(
    "/stream",
    tags=["stream"],
    summary="The game, live",
    response_class=EventSourceResponse,
    responses=SEAT_RESPONSES | {200: {"content": {"text/event-stream": {}}, "description": "`view`, `panel`, `beat`"}},
)
async def stream(request: Request, seat: Annotated[Seat | None, Query()] = None) -> EventSourceResponse:
    """Server-sent events: `view` (the same JSON as `/api/view`) and `panel` (its HTML by region) on connect and on
    every change, `beat` every ten seconds of silence. `id` is the version. A seat's stream wants that seat's cookie."""
    auth.may_see(request, seat)
    streams: Streams = request.app.state.streams
    return EventSourceResponse(streams.hubs[seat].read(), ping=0, sep="\n", send_timeout=SEND)
