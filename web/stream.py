"""Streams: the whole small view on connect and on each change, one hub per audience.

A frame is encoded once per change and shared by all readers. A reader takes the newest frame whenever it is ready
for one, so a slow phone skips what it missed instead of lagging behind. Broadcasts may have what spectators saw some
seconds ago.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from sse_starlette import EventSourceResponse
from sse_starlette.sse import AppStatus

from engine.seats import SEATS, Seat
from web import auth
from web.looks import panel, seat_panel
from web.phones import Listening, Phones
from web.port import Port
from web.refusals import SEAT_RESPONSES, Refused
from web.tape import LONGEST, Shot, Tape

BEAT = 10.0
"""Seconds of silence before a heartbeat; the page calls itself out of touch after two and a half."""

# The hubs end their streams themselves, and orderly; the library would cut them off in mid-answer.
AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]

OVER = "The table was switched off. This page goes on by itself when it is on again."
"""What phones are told as the streams end because the table does."""

RETRY = b"retry: 2000\n\n"
"""Milliseconds a browser waits before it connects again."""

SEND = 20.0
"""Seconds one write may hang before the reader is dropped: its phone comes back by itself."""

STEP = 0.25
"""Seconds between two shots on the tape, at least: so it has a few hundred at most, however much happens."""


def frame(name: str, data: Any, version: int | None = None) -> bytes:
    """One event of a stream."""
    head = f"event: {name}\n" + (f"id: {version}\n" if version is not None else "")
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def shot(view: dict[str, Any], regions: dict[str, str]) -> Shot:
    """The frames of a view and its panel."""
    version: int = view["version"]
    return frame("view", view, version) + frame("panel", regions, version), version


class Hub:
    """What one audience hears. `look` gives its frames and may block; it runs in a thread, once per change."""

    def __init__(self, look: Callable[[], Shot], beat: float = BEAT) -> None:
        self._look, self._beat = look, beat
        self._changes, self._encoded = 0, -1
        self._shot: Shot = (b"", 0)
        self._encoding = asyncio.Lock()
        self._wakes: set[asyncio.Event] = set()
        self._closed = False
        self._last = b""

    def __len__(self) -> int:
        return len(self._wakes)

    def changed(self) -> None:
        """Something changed. Call on the loop's own thread."""
        self._changes += 1
        for wake in self._wakes:
            wake.set()

    def close(self, last: bytes = b"") -> None:
        """End every stream, now and for good, with a last frame. Call on the loop's own thread."""
        if not self._closed:
            self._closed, self._last = True, last
            self.changed()

    @property
    def closed(self) -> bool:
        """Whether it is over."""
        return self._closed

    async def _newest(self) -> Shot:
        async with self._encoding:
            if self._encoded != self._changes:
                now = self._changes
                self._shot = await asyncio.to_thread(self._look)
                self._encoded = now
            return self._shot

    async def read(self) -> AsyncIterator[bytes]:
        """Frames for one reader until it leaves or the hub closes."""
        yield RETRY
        async with contextlib.aclosing(self.shots()) as shots:
            async for newest in shots:
                yield newest[0] if newest else frame("beat", {"version": self._shot[1]})
        if self._last:
            yield self._last

    async def shots(self) -> AsyncGenerator[Shot | None, None]:
        """The newest shot whenever there is one, None after each silence, until the reader leaves or the hub closes."""
        wake = asyncio.Event()
        if not self._wakes:
            self._encoded = -1
        self._wakes.add(wake)
        sent = None
        try:
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
                    yield None
        finally:
            self._wakes.discard(wake)


class Late:
    """What the spectators' hub gave some seconds ago, each reader as late as it likes. Call on the loop's own thread.

    One tape serves every delay. It runs from when somebody first wants it; until it goes back as far as that, there is
    nothing to show.
    """

    def __init__(self, live: Hub, beat: float = BEAT) -> None:
        self._live, self._beat = live, beat
        self.tape = Tape()
        self._wakes: set[asyncio.Event] = set()
        self._taping: asyncio.Task[None] | None = None
        self._last = b""

    def close(self, last: bytes = b"") -> None:
        """End every delayed stream, with a last frame."""
        self._last = last
        if self._taping is not None:
            self._taping.cancel()

    async def _record(self) -> None:
        now = asyncio.get_running_loop().time
        try:
            async with contextlib.aclosing(self._live.shots()) as shots:
                async for newest in shots:
                    if newest is not None:
                        self.tape.keep(now(), newest)
                        self._wake()
                        await asyncio.sleep(STEP)
        finally:
            self._wake()

    def _wake(self) -> None:
        for wake in self._wakes:
            wake.set()

    async def read(self, delay: float) -> AsyncIterator[bytes]:
        """Frames for one reader, `delay` seconds late, until it leaves or the spectators' hub closes."""
        now, wake = asyncio.get_running_loop().time, asyncio.Event()
        if self._taping is None or self._taping.done():
            self._taping = asyncio.create_task(self._record())
        self._wakes.add(wake)
        sent: Shot | None = None
        try:
            yield RETRY
            while not self._taping.done():
                wake.clear()
                then = now() - delay
                newest = self.tape.at(then)
                if newest is not None and newest is not sent:
                    sent = newest
                    yield newest[0]
                    continue
                due = self.tape.after(then)
                try:
                    async with asyncio.timeout(min(self._beat, due)):
                        await wake.wait()
                except TimeoutError:
                    if due > self._beat:
                        yield frame("beat", {"version": sent[1] if sent else 0})
            if self._last:
                yield self._last
        finally:
            self._wakes.discard(wake)


class Streams:
    """The hubs of one table: the spectators' is only ever handed `view(None)`, a seat's only its own."""

    def __init__(self, port: Port, beat: float = BEAT) -> None:
        self._port, self._beat = port, beat
        self.hubs: dict[Seat | None, Hub] = {
            None: Hub(_spectators(port), beat),
            **{seat: Hub(_seats(port, seat), beat) for seat in SEATS},
        }
        self.late = Late(self.hubs[None], beat)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: Callable[[], None] | None = None

    def open(self) -> None:
        """Begin to listen to the table. Call on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._leave = self._port.subscribe(lambda: self._soon(self._changed))

    def close(self) -> None:
        """End every stream at once, from any thread; safe to call twice. A server that stops calls this first, since
        it would else wait for streams that never end."""
        if self._leave is not None:
            self._leave()
            self._leave = None
        self._soon(self._end)

    def free(self, seat: Seat, sentence: str) -> None:
        """End the streams of a seat at once, from any thread, and say why. Who was let in before hears nothing more;
        call it when nobody else is let in any longer."""
        self._soon(lambda: self._free(seat, frame("freed", {"sentence": sentence})))

    def _free(self, seat: Seat, last: bytes) -> None:
        if not self.hubs[seat].closed:
            old, self.hubs[seat] = self.hubs[seat], Hub(_seats(self._port, seat), self._beat)
            old.close(last)

    def _changed(self) -> None:
        for hub in self.hubs.values():
            hub.changed()

    def _end(self) -> None:
        last = frame("over", {"sentence": OVER})
        for hub in self.hubs.values():
            hub.close(last)
        self.late.close(last)

    def _soon(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has closed, and with it every stream
                self._loop.call_soon_threadsafe(act)


def _spectators(port: Port) -> Callable[[], Shot]:
    def look() -> Shot:
        view = port.view(None)
        return shot(view, panel(view))

    return look


def _seats(port: Port, seat: Seat) -> Callable[[], Shot]:
    def look() -> Shot:
        view = auth.seen(port, seat)
        return shot(view, seat_panel(view, port.view(None)))

    return look


Delay = Annotated[int, Query(ge=0, le=LONGEST, description="Seconds that spectators see it later.")]


router = APIRouter()


@router.get(
    "/stream",
    tags=["stream"],
    summary="The game, live",
    response_class=EventSourceResponse,
    responses=SEAT_RESPONSES
    | {200: {"content": {"text/event-stream": {}}, "description": "`view`, `panel`, `beat`, `over`, `freed`"}},
)
async def stream(request: Request, seat: Annotated[Seat | None, Query()] = None, delay: Delay = 0) -> Response:
    """Server-sent events: `view` (the same JSON as `/api/view`) and `panel` (its HTML by region) on connect and on
    every change, `beat` every ten seconds of silence, `over` or `freed` with a sentence at the end, when the table
    is switched off or the seat was freed. `id` is the version. A seat's stream wants that seat's cookie.
    A spectator's may come with a delay: then nothing is told before it is that old. There is room for so many."""
    held = auth.of(request)
    auth.may_see(request, seat)
    if seat and delay:
        raise Refused(422, "delay: a seat sees its game at once, only spectators can see it later.")
    streams: Streams = request.app.state.streams
    frames = streams.late.read(delay) if delay else streams.hubs[seat].read()
    phones: Phones = request.app.state.phones
    return Listening(EventSourceResponse(frames, ping=0, sep="\n", send_timeout=SEND), phones, request, held)
