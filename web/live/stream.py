"""Streams: the whole small view on connect and on each change, one hub per audience.

A frame is encoded once per change and shared by all readers. A reader takes the newest frame whenever it is ready
for one, so a slow phone skips what it missed instead of lagging behind. Broadcasts may have what spectators saw some
seconds ago.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from engine.seats import SEATS, Seat
from engine.views import View, plain
from web.errors import FULL, SEAT_RESPONSES, Refused
from web.live.delay import LONGEST, DelayBuffer, Shot
from web.live.hub import BEAT, Hub, StreamResponse, frame
from web.live.presence import ListeningResponse, Phones
from web.port import Port, PublishedViews
from web.render.templates import own_panel, panel
from web.security import auth

OVER = "The table was switched off. This page goes on by itself when it is on again."
"""What phones are told as the streams end because the table does."""

STEP = 0.25
"""Seconds between two shots on the tape, at least: so it has a few hundred at most, however much happens."""


def shot(view: View, regions: Mapping[str, str]) -> Shot:
    """Return the frames of a view and its panel."""
    return frame("view", plain(view), view.version) + frame("panel", regions, view.version), view.version


class DelayedHubs:
    """What the spectators' hub gave some seconds ago, one hub for each delay. Call on the loop's own thread.

    One tape serves them all. It runs from when somebody first wants it; until it goes back as far as a delay, there is
    nothing to show.
    """

    def __init__(self, live: Hub, beat: float = BEAT) -> None:
        self._live, self._beat = live, beat
        self.tape = DelayBuffer()
        self._hubs: dict[int, Hub] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._newest: Shot | None = None
        self._taping = self._resting = False

    def hub(self, delay: int) -> Hub:
        """What is told `delay` seconds late."""
        if delay not in self._hubs:
            self._hubs[delay] = Hub(partial(self._look, delay), self._beat)
        if not self._taping:
            self._taping = True
            self._live.join(self)
        return self._hubs[delay]

    def tell(self, shot: Shot) -> None:
        """Put it on the tape, or the one that is the newest a little later."""
        self._newest = shot
        if not self._resting:
            self._keep()

    def beat(self, beat: bytes) -> None:
        """Those who see it later have their own."""

    def close(self, last: bytes = b"") -> None:
        """End every delayed stream with a last frame."""
        self._taping = False
        for timer in self._timers.values():
            timer.cancel()
        for hub in self._hubs.values():
            hub.close(last)

    def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        self._resting = self._newest is not None
        if self._newest is not None:
            self.tape.keep(loop.time(), self._newest)
            self._newest = None
            loop.call_later(STEP, self._keep)
            for hub in self._hubs.values():
                hub.changed()

    async def _look(self, delay: int) -> Shot | None:
        """What was to be seen then; its hub hears when there is more."""
        loop = asyncio.get_running_loop()
        then = loop.time() - delay
        if delay in self._timers:
            self._timers.pop(delay).cancel()
        due = self.tape.after(then)
        if due < math.inf:
            self._timers[delay] = loop.call_later(due, self._hubs[delay].changed)
        return self.tape.at(then)


class Streams:
    """The hubs of one table: the spectators' is only ever handed `view(None)`, a seat's only its own."""

    def __init__(self, port: Port, beat: float = BEAT) -> None:
        self._port, self._beat = port, beat
        self.hubs: dict[Seat | None, Hub] = {
            seat: Hub(partial(asyncio.to_thread, self._shot, seat), beat) for seat in (None, *SEATS)
        }
        self.late = DelayedHubs(self.hubs[None], beat)
        self._views: PublishedViews | None = None
        self._regions: tuple[PublishedViews | None, dict[str, str]] = (None, {})
        """The spectators' panel, and of which views it is: every seat's page shows it too."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: Callable[[], None] | None = None

    def open(self) -> None:
        """Begin to listen to the table. Call on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._leave = self._port.game.subscribe(lambda views: self._soon(partial(self._changed, views)))

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
            old, self.hubs[seat] = self.hubs[seat], Hub(partial(asyncio.to_thread, self._shot, seat), self._beat)
            old.close(last)

    def _changed(self, views: PublishedViews) -> None:
        self._views = views
        for hub in self.hubs.values():
            hub.changed()

    def _shot(self, seat: Seat | None) -> Shot | None:
        """Return what one audience sees of the newest views. Any thread may call it."""
        views = self._views
        if views is None:
            return None
        public = views.of(None)
        rendered, regions = self._regions
        if rendered is not views:
            regions = panel(public)
            self._regions = views, regions
        if seat is None:
            return shot(public, regions)
        mine = views.of(seat)
        return shot(auth.seen(mine), regions | own_panel(mine, public))

    def _end(self) -> None:
        last = frame("over", {"sentence": OVER})
        for hub in self.hubs.values():
            hub.close(last)
        self.late.close(last)

    def _soon(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has closed, and with it every stream
                self._loop.call_soon_threadsafe(act)


Delay = Annotated[int, Query(ge=0, le=LONGEST, description="Seconds that spectators see it later.")]


router = APIRouter()


@router.get(
    "/stream",
    tags=["stream"],
    summary="The game, live",
    status_code=200,
    response_class=StreamResponse,
    responses=SEAT_RESPONSES
    | FULL
    | {200: {"content": {"text/event-stream": {}}, "description": "`view`, `panel`, `beat`, `over`, `freed`"}},
)
async def stream(request: Request, seat: Annotated[Seat | None, Query()] = None, delay: Delay = 0) -> Response:
    """Server-sent events: `view` (the same JSON as `/api/view`) and `panel` (its HTML by region) on connect and on
    every change, `beat` every five seconds of silence, `over` or `freed` with a sentence at the end, when the table
    is switched off or the seat was freed. `id` is the version. A seat's stream wants that seat's cookie.
    A spectator's may come with a delay: then nothing is told before it is that old. There is room for so many."""
    held = auth.of(request)
    auth.may_see(request, seat)
    if seat and delay:
        raise Refused(422, "delay: a seat sees its game at once, only spectators can see it later.")
    streams: Streams = request.app.state.streams
    hub = streams.late.hub(delay) if delay else streams.hubs[seat]
    phones: Phones = request.app.state.phones
    return ListeningResponse(StreamResponse(hub), phones, request, held)
