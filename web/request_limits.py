"""Limits on requests being answered: their number, their duration, and the unsent part of an answer.

Streams count only until they begin. `web.live.presence` limits them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.seats import SEATS, Seat
from web.errors import reject_request
from web.security import admission
from web.security.addresses import client_key
from web.security.fair_share import FairShare, ReservedPlace
from web.security.passes import Pass
from web.security.rejected import PhoneRejected
from web.security.rejection_log import RejectionLog, request_label
from web.security.turns import RequestTurns

MAX_CHUNK_BYTES = 16 * 1024
"""Bytes of an answer handed to the server at once. It gets the next chunk after the phone has taken this one."""

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
"""Methods that change nothing and have no body."""


class RequestLimits:
    """Middleware around the application, which limits requests being answered and records rejections in `refusals`.

        held: returns the pass of a request.
        at_once, most, each: limits of the gates STRANGER_TURN, TOTAL_REQUESTS and REQUESTS_PER_ADDRESS.
        longest: time to answer and send, in seconds.
        patience: time to wait for a turn, in seconds.

    Strangers take turns, and so do the phones of each seat. The operator never waits. When all places are taken, a
    request of a lower rank is cut off, or else the oldest one of the address with the most requests. The server puts a
    function `hang_up` for this in the state of the request. A request that waits in a lane calls `end_turn` from that
    state first. The turn of a request with a body begins with `begin_turn`, after the body has arrived.
    """

    def __init__(
        self,
        app: ASGIApp,
        refusals: RejectionLog,
        held: Callable[[Scope], Pass] = lambda scope: Pass(),
        at_once: int = admission.STRANGER_TURN.limit,
        most: int = admission.TOTAL_REQUESTS.limit,
        each: int = admission.REQUESTS_PER_ADDRESS.limit,
        longest: float = admission.SLOW_DOWNLOAD.limit,
        patience: float = admission.STRANGER_TURN.span_s,
    ) -> None:
        self._app, self._refusals, self._held, self._longest = app, refusals, held, longest
        self._turns: dict[Seat | None, RequestTurns] = {
            seat: RequestTurns(admission.SEAT_TURN.limit, patience) for seat in SEATS
        }
        self._turns[None] = RequestTurns(at_once, patience)
        all_, own = replace(admission.TOTAL_REQUESTS, limit=most), replace(admission.REQUESTS_PER_ADDRESS, limit=each)
        self._places = FairShare(all_, own, refusals)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        hang_up = state.get("hang_up", lambda: None)
        given = self._held(scope)
        place = ReservedPlace(client_key(scope), hang_up, rank=given.priority_rank)
        async with AsyncExitStack() as turn, AsyncExitStack() as held:

            async def begin() -> None:
                if given.operator:
                    return
                try:
                    await turn.enter_async_context(self._turns[given.seat].hold_turn(place.address))
                except TimeoutError:
                    raise PhoneRejected(admission.SEAT_TURN if given.seat else admission.STRANGER_TURN) from None

            state["begin_turn"], state["end_turn"] = begin, turn.aclose
            try:
                if scope["method"] in SAFE_METHODS:
                    await begin()
                self._places.reserve_place(place)
            except PhoneRejected as why:
                await turn.aclose()
                await reject_request(scope, why, self._refusals)(scope, receive, send)
                return
            held.callback(self._places.release_place, place)
            try:
                async with asyncio.timeout(self._longest) as limit:
                    await self._app(scope, receive, _ChunkedSender(send, turn, held, limit))
            except TimeoutError:
                if not limit.expired():
                    raise
                self._refusals.record_rejection(admission.SLOW_DOWNLOAD, place.address, request_label(scope))
                hang_up()


async def begin_turn(scope: Scope) -> None:
    """Wait for the turn of a request whose body has arrived. Raises PhoneRejected after the timeout."""
    begin = scope.get("state", {}).get("begin_turn")
    if begin is not None:
        await begin()


class _ChunkedSender:
    """Sends an answer in chunks and ends its turn. A stream also gives up its place and its time limit."""

    def __init__(self, send: Send, turn: AsyncExitStack, held: AsyncExitStack, limit: asyncio.Timeout) -> None:
        self._send, self._turn, self._held, self._limit = send, turn, held, limit

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._turn.aclose()
            if Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream"):
                self._limit.reschedule(None)
                await self._held.aclose()
        body, more = message.get("body", b""), message.get("more_body", False)
        if len(body) <= MAX_CHUNK_BYTES:
            await self._send(message)
            return
        for start in range(0, len(body), MAX_CHUNK_BYTES):
            last = start + MAX_CHUNK_BYTES >= len(body)
            await self._send(
                {"type": message["type"], "body": body[start : start + MAX_CHUNK_BYTES], "more_body": more or not last}
            )
