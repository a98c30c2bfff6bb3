"""The guard of every request: checks of its name and origin, a limit on its body, and headers on the response."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import aclosing

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.text.numbers import whole_number
from web.errors import HEADERS, KINDS, Refused, respond
from web.security import auth
from web.security.hosts import ours
from web.security.requests import RETRY_AFTER, SAFE, begin_turn

LARGEST = 16 * 1024
"""Most bytes of a body."""

LARGER = {"/api/decks/import": 512 * 1024}
"""The same for the operator, by address: a deck's file of 256 kB, in JSON. Others are refused there at once."""

PATIENCE = 10.0
"""Most seconds for a body to arrive."""


class Guard:
    """Middleware around the whole application. `names` are the table's, besides those that every table has."""

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self._app = app
        self._names = {name.lower().removesuffix(".") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def out(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        # Not Starlette's TrustedHostMiddleware: it knows no addresses. Browsers always send the header.
        host = Headers(scope=scope).get("host")
        if host is not None and not ours(host, self._names):
            await respond(scope["path"], 421, "host", KINDS[421][1])(scope, receive, out)
            return
        if scope["method"] in SAFE:
            await self._app(scope, receive, out)
            return
        try:
            body = await _checked(Request(scope, receive))
        except Refused as why:
            await respond(scope["path"], why.status, why.error, str(why))(scope, receive, out)
            return
        if not await begin_turn(scope):
            await respond(scope["path"], 503, *KINDS[503], RETRY_AFTER)(scope, receive, out)
            return
        unread = True

        async def replay() -> Message:
            nonlocal unread
            if unread:
                unread = False
                return {"type": "http.request", "body": body, "more_body": False}
            return await receive()

        await self._app(scope, replay, out)


async def _checked(request: Request) -> bytes:
    """Return the whole body of a changing request. Raises Refused."""
    path, length = request.url.path, request.headers.get("content-length", "0")
    if not own(request.headers):
        raise Refused(403, "This came from another site.")
    if path in LARGER:
        auth.operator(request)
    largest = LARGER.get(path, LARGEST)
    too_large = Refused(413, f"A request may have at most {largest // 1024} kB here.")
    if whole_number(length, largest) is None:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE), aclosing(request.stream()) as chunks:
            async for chunk in chunks:
                body.extend(chunk)
                if len(body) > largest:
                    raise too_large
    except TimeoutError:
        raise Refused(408) from None
    except ClientDisconnect:
        raise Refused(400) from None
    return bytes(body)


def own(headers: Headers) -> bool:
    """Return True if a changing request comes from our own pages, or from no browser at all.

    Browsers send Sec-Fetch-Site only to hosts they trust; over plain HTTP on a local name Origin decides.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")
