"""What every request passes: a limit on its body, a check of where it comes from, and headers on the way out."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.errors import HEADERS, KINDS, Refused, respond
from web.security import auth

LARGEST = 16 * 1024
"""Bytes a body may have."""

LARGER = {"/api/decks/import": 512 * 1024}
"""The same for the operator, by address: a deck's file of 256 kB, in JSON. Nobody else's is waited for there."""

PATIENCE = 10.0
"""Seconds a body may take to arrive."""

SAFE = {"GET", "HEAD", "OPTIONS"}


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def out(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["method"] in SAFE:
            await self._app(scope, receive, out)
            return
        headers = Headers(scope=scope)
        if not own(headers):
            await _refuse(scope, 403, "This came from another site.")(scope, receive, out)
            return
        if scope["path"] in LARGER:
            try:
                auth.operator(Request(scope))
            except Refused as why:
                await respond(scope["path"], why.status, why.error, str(why))(scope, receive, out)
                return
        largest = LARGER.get(scope["path"], LARGEST)
        body = await _body(headers, receive, largest)
        if isinstance(body, int):
            words = f"A request may have at most {largest // 1024} kB here." if body == 413 else ""
            await _refuse(scope, body, words)(scope, receive, out)
            return
        unread = True

        async def replay() -> Message:
            nonlocal unread
            if unread:
                unread = False
                return {"type": "http.request", "body": body, "more_body": False}
            return await receive()

        await self._app(scope, replay, out)


def own(headers: Headers) -> bool:
    """Whether a changing request comes from our own pages, or from no browser at all.

    Browsers send Sec-Fetch-Site only to hosts they trust, so over plain http on a local name Origin decides.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


async def _body(headers: Headers, receive: Receive, largest: int) -> bytes | int:
    """The whole body, or the status to refuse it with."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 12 or int(length) > largest:
        return 413
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return 400
                body.extend(message.get("body", b""))
                if len(body) > largest:
                    return 413
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return 408


def _refuse(scope: Scope, status: int, sentence: str = "") -> Response:
    kind, words = KINDS[status]
    return respond(scope["path"], status, kind, sentence or words)
