"""Limits on requests that are being answered: how many, for how long, and how much of an answer waits to be sent.

Streams count only until they begin: `web.live.presence` limits them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.errors import KINDS, respond
from web.security.addresses import counted
from web.security.fair_share import FairShare, NoPlace, Place
from web.security.turns import Turns

AT_ONCE = 8
"""Answers that are made at once for phones without a pass; more wait for their turn, address by address."""

PATIENCE = 10.0
"""Most seconds that a request waits for its turn."""

MOST = 128
"""Requests being answered, in all, until the phone has taken the answer."""

EACH = 32
"""The same for one address."""

LONGEST = 60.0
"""Most seconds in which a phone must have taken an answer."""

PIECE = 16 * 1024
"""Most bytes of an answer that are handed to the server at once: the next follow when the phone has taken them."""

RETRY_AFTER = 5
"""Seconds after which a refused request may come again."""


class RequestLimits:
    """Middleware around the whole application. The limits are those above; `longest` and `patience` are seconds.

    A phone that is `known` waits for nobody. When all places are taken, the address with most requests loses its
    oldest: its connection is cut, with `hang_up` from the state of the request, where the server put it. What waits
    elsewhere calls `end_turn` from there first, so that it takes no turn from others.
    """

    def __init__(
        self,
        app: ASGIApp,
        known: Callable[[Scope], bool] = lambda scope: False,
        at_once: int = AT_ONCE,
        most: int = MOST,
        each: int = EACH,
        longest: float = LONGEST,
        patience: float = PATIENCE,
    ) -> None:
        self._app, self._known, self._longest = app, known, longest
        self._turns = Turns(at_once, patience)
        self._places = FairShare(most, each)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in its turn, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        hang_up = state.get("hang_up", lambda: None)
        place = Place(counted((scope.get("client") or "?")[0]), hang_up)
        async with AsyncExitStack() as turn, AsyncExitStack() as held:
            state["end_turn"] = turn.aclose
            try:
                if not self._known(scope):
                    await turn.enter_async_context(self._turns.turn(place.address))
                self._places.enter(place)
            except (TimeoutError, NoPlace):
                await turn.aclose()
                await respond(scope["path"], 503, *KINDS[503], RETRY_AFTER)(scope, receive, send)
                return
            held.callback(self._places.leave, place)
            try:
                async with asyncio.timeout(self._longest) as limit:
                    await self._app(scope, receive, _Sender(send, turn, held, limit))
            except TimeoutError:
                if not limit.expired():
                    raise
                hang_up()


class _Sender:
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
        if len(body) <= PIECE:
            await self._send(message)
            return
        for start in range(0, len(body), PIECE):
            last = start + PIECE >= len(body)
            await self._send(
                {"type": message["type"], "body": body[start : start + PIECE], "more_body": more or not last}
            )
