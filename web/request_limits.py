"""Limits on requests that are being answered: how many, for how long, and how much of an answer waits to be sent.

Streams count only until they begin: `web.live.presence` limits them.
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
"""Most bytes of an answer that are handed to the server at once: the next follow when the phone has taken them."""

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
"""Methods that change nothing, and have no body."""


class RequestLimits:
    """Middleware around the whole application. The limits are those of the gates; `longest` and `patience` are seconds.

    What it refuses is noted in `refusals`. `held` returns the pass of a request: strangers take turns, the phones
    of each seat do, and the operator's never waits. When all places are taken, a request of a lower rank gives way, or
    the address with most requests loses its oldest: its connection is cut, with `hang_up` from the state of the
    request, where the server put it. What waits elsewhere calls `end_turn` from there first, so that it takes no turn
    from others. The turn of a request with a body begins with `begin_turn`, once the body is here.
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
        """Answer a request in its turn, or refuse it."""
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
    """Wait for the turn of a request whose body is here. Raises TurnedAway if none came in time."""
    begin = scope.get("state", {}).get("begin_turn")
    if begin is not None:
        await begin()


class _ChunkedSender:
    """Sends an answer in pieces. Its turn ends when it is made; a stream gives up its place and its time limit too."""

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
