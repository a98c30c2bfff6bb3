"""Streams, which send the complete view on connection and on each change, with one hub per audience.

A frame is encoded once per change and shared by all readers. A slow phone skips versions.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from engine.seats import SEATS, Seat
from engine.views import AudienceView, json_data
from web import auth
from web.live import changes as changed
from web.live.hub import HEARTBEAT_INTERVAL_S, StreamHub, StreamResponse, StreamSnapshot, event_frame
from web.live.presence import ListeningPhones
from web.port import PublishedViews, TablePorts
from web.render.between_games import between_games
from web.render.templates import render_own_panel, render_panel, render_tv_panel
from web.schema import SEAT_RESPONSES, STREAM_RESPONSES
from web.security.admission import SLOW_STREAM
from web.security.rejected import RequestRejected
from web.security.rejection_log import request_label

SWITCHED_OFF_SENTENCE = "The table was turned off. This page reconnects when the table is back on."
"""The last sentence of every stream at shutdown."""


class SnapshotBuilder:
    """Builds the snapshots of one audience, each with its changes. One thread at a time."""

    def __init__(self) -> None:
        self._number = 0
        self._view: Any = None
        self._regions: Mapping[str, str] = {}

    def build_snapshot(self, view: AudienceView, regions: Mapping[str, str]) -> StreamSnapshot:
        now, version = json_data(view), view.version

        def encode_frames() -> bytes:
            return event_frame("view", now, version) + event_frame("panel", regions, version)

        news = None
        if self._number:
            drawn = {name: html for name, html in regions.items() if self._regions.get(name) != html}
            news = event_frame("change", changed.view_changes(self._view, now), version) + event_frame(
                "panel", drawn, version
            )
        self._number, self._view, self._regions = self._number + 1, now, regions
        return StreamSnapshot(self._number, version, encode_frames, news)


class TableStreams:
    """The hubs of one table. The spectators' hub gets only their view, and a seat's only its own."""

    def __init__(self, port: TablePorts, beat: float = HEARTBEAT_INTERVAL_S) -> None:
        self._port, self._beat = port, beat
        self.hubs: dict[Seat | None, StreamHub] = {seat: self._build_hub(seat) for seat in (None, *SEATS)}
        self.tv = StreamHub(partial(asyncio.to_thread, self._render_tv, SnapshotBuilder()), beat)
        self._views: PublishedViews | None = None
        self._regions: tuple[PublishedViews | None, dict[str, str]] = (None, {})
        """The views of the last rendering, and the spectators' panel, which every seat's page shows too."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: Callable[[], None] = lambda: None

    def start_listening(self) -> None:
        """Subscribe to the table. Call it on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._leave = self._port.game.subscribe(lambda views: self._call_on_loop(partial(self._publish_views, views)))

    def close_all(self) -> None:
        """End every stream. Any thread may call it, even twice. A stopping server must call it, or it waits forever."""
        leave, self._leave = self._leave, lambda: None
        leave()
        self._call_on_loop(self._close_hubs)

    def end_seat_streams(self, seat: Seat, sentence: str) -> None:
        """End the streams of a seat, after its passes have ended, with a sentence. Any thread may call it."""
        self._call_on_loop(lambda: self._replace_seat_hub(seat, event_frame("freed", {"sentence": sentence})))

    def end_pass_streams(self, pass_ids: Collection[str], sentence: str = "") -> None:
        """End the streams of these passes, after the passes have ended. Any thread may call it.

        `sentence` is "" if the phone may return.
        """
        last = event_frame("freed", {"sentence": sentence}) if sentence else b""
        self._call_on_loop(lambda: self._end_hub_streams(pass_ids, last))

    def _end_hub_streams(self, pass_ids: Collection[str], last: bytes) -> None:
        for hub in (*self.hubs.values(), self.tv):
            hub.end_streams(pass_ids, last)

    def _build_hub(self, seat: Seat | None) -> StreamHub:
        return StreamHub(partial(asyncio.to_thread, self._render_audience, seat, SnapshotBuilder()), self._beat)

    def _replace_seat_hub(self, seat: Seat, last: bytes) -> None:
        if self.hubs[seat].last is None:
            old, self.hubs[seat] = self.hubs[seat], self._build_hub(seat)
            old.close_all(last)

    def _publish_views(self, views: PublishedViews) -> None:
        self._views = views
        for hub in (*self.hubs.values(), self.tv):
            hub.mark_changed()

    def _render_audience(self, seat: Seat | None, shots: SnapshotBuilder) -> StreamSnapshot | None:
        """Return the snapshot of one audience. Any thread may call it."""
        views = self._views
        if views is None:
            return None
        public = views.view_for(None)
        rendered, regions = self._regions
        chances = self._port.record.outcome_chances()
        if rendered is not views:
            regions = render_panel(public, chances)
            self._regions = views, regions
        if seat is None:
            return shots.build_snapshot(public, regions)
        mine = views.view_for(seat)
        return shots.build_snapshot(auth.redacted_view(mine), regions | render_own_panel(mine, public, chances))

    def _render_tv(self, shots: SnapshotBuilder) -> StreamSnapshot | None:
        """Return the snapshot of the television's page. Any thread may call it."""
        views = self._views
        view = views.view_for(None) if views else None
        return (
            shots.build_snapshot(
                view,
                render_tv_panel(
                    view, self._port.record.outcome_chances(), between_games(self._port.books, self._port.leagues, view)
                ),
            )
            if view
            else None
        )

    def _close_hubs(self) -> None:
        last = event_frame("over", {"sentence": SWITCHED_OFF_SENTENCE})
        for hub in (*self.hubs.values(), self.tv):
            hub.close_all(last)

    def _call_on_loop(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has closed, and so has every stream
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
async def stream_view(
    request: Request,
    seat: Annotated[Seat | None, Query()] = None,
    page: Annotated[Literal["tv"] | None, Query(description="The panel of the television's page.")] = None,
    changes: Annotated[bool, Query(description="Only what changed, where the view before was sent.")] = False,
) -> Response:
    """Server-sent events of one audience. A seat's stream needs that seat's cookie.

    `view` (the JSON of `/api/view`) and `panel` (its HTML by region) come on connection and on every change. `beat`
    comes after five seconds of silence. `over` or `freed`, with a sentence, ends a stream when the table is switched
    off, the seat is freed or the phone is signed out. `id` is the version.

    With `changes`, a `change` may replace a `view`. It is a list of pairs, each with a path of keys and the new value
    at that path. Its `panel` has only the regions that changed. The number of streams is limited.
    """
    held = auth.request_pass(request)
    auth.require_view_access(request, seat)
    if page and seat:
        raise RequestRejected(422, "page: the television shows what spectators see.")
    streams: TableStreams = request.app.state.streams
    phones: ListeningPhones = request.app.state.phones
    hub = streams.tv if page else streams.hubs[seat]
    agent, hang_up = request.headers.get("user-agent", ""), request.scope.get("state", {}).get("hang_up", lambda: None)
    mark_seen = partial(auth.pass_cookies(request).listed.find_pass, held.id)  # a page in the background has no stream
    listening = phones.register_phone(held, agent, auth.client_key(request), hang_up, mark_seen)
    slow = partial(
        request.app.state.port.refusals.record_rejection,
        SLOW_STREAM,
        auth.client_key(request),
        request_label(request.scope),
    )
    return StreamResponse(
        hub, listening, hang_up, held.id, lambda: auth.pass_cookies(request).has_ended_pass(request), slow, changes
    )
