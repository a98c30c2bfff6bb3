"""The guard of every request: checks of host and origin, a limit on its body, and headers of the response."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import ExitStack, aclosing, contextmanager

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.text.numbers import parse_whole_number
from web import auth
from web.errors import SECURITY_HEADERS, reject_request
from web.request_limits import SAFE_METHODS, begin_turn
from web.security import admission
from web.security.admission import Gate
from web.security.hosts import is_own_host
from web.security.rejected import PhoneRejected, RequestRejected
from web.security.rejection_log import RejectionLog

UPLOAD_PATHS = {
    *("/api/decks/import", "/api/leagues", "/api/leagues/import"),
    *("/leagues/import", "/new-league/import"),
}
"""Paths to which the operator may send larger bodies. Everybody else is rejected there at once."""

PHOTOGRAPH_PATH = "/api/photograph"
"""Path to which a seat or the operator may send one picture at a time. It stays in memory until it has been read."""


class RequestGuard:
    """Middleware around the application. `names` are the table's own. It records rejections in `refusals`."""

    def __init__(self, app: ASGIApp, refusals: RejectionLog, names: Collection[str] = ()) -> None:
        self._app, self._refusals = app, refusals
        self._names = {name.lower().removesuffix(".") for name in names}
        self._photographers = set[str]()
        """Seats, or "operator", whose picture arrives or is being read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        # Starlette's TrustedHostMiddleware does not handle addresses. Browsers always send the header.
        host = Headers(scope=scope).get("host")
        if host is not None and not is_own_host(host, self._names):
            await reject_request(scope, PhoneRejected(admission.FOREIGN_HOST), self._refusals)(
                scope, receive, send_with_headers
            )
            return
        if scope["method"] in SAFE_METHODS:
            await self._app(scope, receive, send_with_headers)
            return
        with ExitStack() as stack:
            try:
                request = Request(scope, receive)
                if not is_own_request(request.headers):
                    raise PhoneRejected(admission.FOREIGN_SITE)
                body = await _read_body(request, *stack.enter_context(self._hold_upload(request)))
                await begin_turn(scope)
            except RequestRejected as why:
                await reject_request(scope, why, self._refusals)(scope, receive, send_with_headers)
                return
            unread = True

            async def receive_body() -> Message:
                nonlocal unread
                if unread:
                    unread = False
                    return {"type": "http.request", "body": body, "more_body": False}
                return await receive()

            await self._app(scope, receive_body, send_with_headers)

    @contextmanager
    def _hold_upload(self, request: Request) -> Iterator[tuple[Gate, Gate]]:
        """Check that this phone may send a body to this path. Yield the gates of its size and of its duration.

        Raises PhoneRejected.
        """
        path = request.url.path
        if path in UPLOAD_PATHS:
            auth.require_operator(request)
        if path != PHOTOGRAPH_PATH:
            yield admission.LARGE_UPLOAD if path in UPLOAD_PATHS else admission.LARGE_BODY, admission.SLOW_BODY
            return
        holder = auth.require_holder(request).seat or "operator"
        if holder in self._photographers:
            raise PhoneRejected(admission.BUSY_PHOTOGRAPH)
        self._photographers.add(holder)
        try:
            yield admission.LARGE_PHOTOGRAPH, admission.SLOW_PHOTOGRAPH
        finally:
            self._photographers.remove(holder)


async def _read_body(request: Request, large: Gate, slow: Gate) -> bytes:
    """Return the complete body of a changing request, limited by these gates. Raises RequestRejected."""
    largest, too_large = large.limit * 1024, PhoneRejected(large)
    if parse_whole_number(request.headers.get("content-length", "0"), largest) is None:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(slow.limit), aclosing(request.stream()) as chunks:
            async for chunk in chunks:
                body.extend(chunk)
                if len(body) > largest:
                    raise too_large
    except TimeoutError:
        raise PhoneRejected(slow) from None
    except ClientDisconnect:
        raise RequestRejected(400) from None
    return bytes(body)


def is_own_request(headers: Headers) -> bool:
    """Return True if a changing request comes from our own pages, or from no browser.

    Browsers send Sec-Fetch-Site only to hosts they trust. Over HTTP to a local name, Origin decides.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")
