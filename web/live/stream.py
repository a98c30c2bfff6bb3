"""Streams: the whole small view on connect and on each change, one hub per audience.

A frame is encoded once per change and shared by all readers. A slow phone skips what it missed instead of lagging
behind.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from engine.seats import SEATS, Seat
from engine.views import View, plain
from web import auth
from web.live import changes as changed
from web.live.hub import BEAT, Hub, Shot, StreamResponse, frame
from web.live.presence import Phones
from web.port import Port, PublishedViews
from web.render.templates import own_panel, panel, tv_panel
from web.schema import SEAT_RESPONSES, STREAM_RESPONSES
from web.security.admission import SLOW_STREAM
from web.security.refusals import asked_for
from web.security.refused import Refused

OVER = "The table was turned off. This page reconnects when the table is back on."
"""The last sentence of every stream when the table ends."""


class Shots:
    """The shots of one audience, each with what changed since the one before. One thread at a time may call it."""

    def __init__(self) -> None:
        self._number = 0
        self._view: Any = None
        self._regions: Mapping[str, str] = {}

    def of(self, view: View, regions: Mapping[str, str]) -> Shot:
        """Return the shot of a view and its panel."""
        now, version = plain(view), view.version

        def whole() -> bytes:
            return frame("view", now, version) + frame("panel", regions, version)

        news = None
        if self._number:
            drawn = {name: html for name, html in regions.items() if self._regions.get(name) != html}
            news = frame("change", changed.changes(self._view, now), version) + frame("panel", drawn, version)
        self._number, self._view, self._regions = self._number + 1, now, regions
        return Shot(self._number, version, whole, news)


class Streams:
    """The hubs of one table: the spectators' hub only ever gets `view(None)`, a seat's only its own view."""

    def __init__(self, port: Port, beat: float = BEAT) -> None:
        self._port, self._beat = port, beat
        self.hubs: dict[Seat | None, Hub] = {seat: self._hub(seat) for seat in (None, *SEATS)}
        self.tv = Hub(partial(asyncio.to_thread, self._render_tv, Shots()), beat)
        self._views: PublishedViews | None = None
        self._regions: tuple[PublishedViews | None, dict[str, str]] = (None, {})
        """The spectators' panel, which every seat's page shows too, and the views it was rendered from."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: Callable[[], None] = lambda: None

    def open(self) -> None:
        """Begin to listen to the table. Call on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._leave = self._port.game.subscribe(lambda views: self._soon(partial(self._changed, views)))

    def close(self) -> None:
        """End every stream at once, from any thread; safe to call twice.

        A server that stops must call it first: it would else wait for streams that never end.
        """
        leave, self._leave = self._leave, lambda: None
        leave()
        self._soon(self._end)

    def free(self, seat: Seat, sentence: str) -> None:
        """End the streams of a seat at once, from any thread, and say why.

        Call it once nobody else can join with the old passes.
        """
        self._soon(lambda: self._free(seat, frame("freed", {"sentence": sentence})))

    def end(self, pass_ids: Collection[str], sentence: str = "") -> None:
        """End the streams of these passes at once, from any thread, and say why; "" if the phone may come again.

        Call it once nobody else can join with the old passes.
        """
        last = frame("freed", {"sentence": sentence}) if sentence else b""
        self._soon(lambda: self._end_passes(pass_ids, last))

    def _end_passes(self, pass_ids: Collection[str], last: bytes) -> None:
        for hub in (*self.hubs.values(), self.tv):
            hub.end(pass_ids, last)

    def _hub(self, seat: Seat | None) -> Hub:
        return Hub(partial(asyncio.to_thread, self._render, seat, Shots()), self._beat)

    def _free(self, seat: Seat, last: bytes) -> None:
        if self.hubs[seat].last is None:
            old, self.hubs[seat] = self.hubs[seat], self._hub(seat)
            old.close(last)

    def _changed(self, views: PublishedViews) -> None:
        self._views = views
        for hub in (*self.hubs.values(), self.tv):
            hub.changed()

    def _render(self, seat: Seat | None, shots: Shots) -> Shot | None:
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
            return shots.of(public, regions)
        mine = views.of(seat)
        return shots.of(auth.seen(mine), regions | own_panel(mine, public))

    def _render_tv(self, shots: Shots) -> Shot | None:
        """Return what the television's page shows of the newest views. Any thread may call it."""
        views = self._views
        return shots.of(views.of(None), tv_panel(views.of(None), self._port.record.chances())) if views else None

    def _end(self) -> None:
        last = frame("over", {"sentence": OVER})
        for hub in (*self.hubs.values(), self.tv):
            hub.close(last)

    def _soon(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has closed, and with it every stream
                self._loop.call_soon_threadsafe(act)


router = APIRouter()


@router.get(
    "/stream",
    tags=["stream"],
    summary="The game, live",
    status_code=200,
    response_class=StreamResponse,
    responses=SEAT_RESPONSES | STREAM_RESPONSES,
)
async def stream(
    request: Request,
    seat: Annotated[Seat | None, Query()] = None,
    page: Annotated[Literal["tv"] | None, Query(description="The panel of the television's page.")] = None,
    changes: Annotated[bool, Query(description="Only what changed, where the view before was sent.")] = False,
) -> Response:
    """Server-sent events: `view` (the same JSON as `/api/view`) and `panel` (its HTML by region) on connect and on
    every change, `beat` every five seconds of silence, `over` or `freed` with a sentence at the end, when the table
    is switched off, or the seat is freed or the phone signed out. `id` is the version. With `changes`, a `change` may
    come in place of a `view`: a list of pairs, each a path of keys and the value that is there now; its `panel` has
    only the regions that changed. A seat's stream needs that seat's cookie. The number of streams is limited, in all
    and for each address."""
    held = auth.of(request)
    auth.may_see(request, seat)
    if page and seat:
        raise Refused(422, "page: the television shows what spectators see.")
    streams: Streams = request.app.state.streams
    phones: Phones = request.app.state.phones
    hub = streams.tv if page else streams.hubs[seat]
    agent, hang_up = request.headers.get("user-agent", ""), request.scope.get("state", {}).get("hang_up", lambda: None)
    listening = phones.listen(held, agent, auth.client(request), hang_up)
    slow = partial(request.app.state.port.refusals.note, SLOW_STREAM, auth.client(request), asked_for(request.scope))
    return StreamResponse(hub, listening, hang_up, held.id, lambda: auth.passes(request).ended(request), slow, changes)
