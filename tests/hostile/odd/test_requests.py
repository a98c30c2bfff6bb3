"""Odd text in every path, query, form field and header that the application takes: never a fault inside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
from fastapi import FastAPI, Response
from fastapi.routing import APIRoute

from engine.journal import Source
from tests.hostile.odd.odd_text import ODD, as_bytes
from tests.web.phones import WHO, cookie
from tests.web.web_table import DOT, WebTable
from web.app import create_app

HEADERS: dict[str, tuple[bytes, ...]] = {
    "accept": (),
    "accept-encoding": (b"gzip;q=\xb2",),
    "content-length": (b"-1", b"+1", b"1_0", b"\xb2", b"0x10", b"1, 1"),
    "content-type": (
        b"multipart/form-data",
        b"multipart/form-data; boundary=",
        b"multipart/form-data; boundary=\xff",
        b"multipart/form-data; boundary=a; charset=none",
        b"application/x-www-form-urlencoded; charset=none",
        b"application/json; charset=utf-7",
        b";",
    ),
    "cookie": (b"dugout=.", b'dugout="\\777"', b"dugout=\xff", b"dugout=W10.x", b";;=;"),
    "host": (b"\xb2.local", b"a b.local", b"[::1]:\xb2", b"[::1", b"localhost:" + b"9" * 5000, b"a@b.local"),
    "if-modified-since": (b"Thu, 99 Foo 99999 99:99:99 GMT", b"Mon, 01 Jan 0000 00:00:00 +99999999"),
    "if-none-match": (b'W/"\xb2"',),
    "if-range": (b"Thu, 99 Foo 99999",),
    "last-event-id": (),
    "origin": (b"null", b"://testserver", b"http://testserver@other"),
    "range": (b"bytes=-", b"bytes=5-1", b"bytes=\xb2-\xb3", b"bytes=" + b"9" * 5000 + b"-", b"bytes=0-0," * 500),
    "sec-fetch-site": (),
    "user-agent": (),
    "x-forwarded-for": (b"\xb2.1.1.1", b"[::1]:\xb2"),
    "x-forwarded-proto": (),
}
"""What a header may have besides `ODD`. A server passes on no CR, LF or NUL."""

FORM = b"application/x-www-form-urlencoded"
GOOD = {
    "number": "1",
    "table": "plays",
    "game": "small-ball",
    "name": "mine",
    "key": "ann",
    "book": "summer",
    "kind": "games.csv",
}
"""The values that lead to something, for each name in a path."""


class Everything(WebTable):
    """A table with a picture and a clip under every name that is asked for."""

    def __init__(self) -> None:
        super().__init__()
        for kind in ("picture", "clip", "saved_clip"):
            setattr(self.record, kind, lambda name: DOT)


@pytest.fixture(scope="module")
def app() -> FastAPI:
    port = Everything()
    port.seats.answer_ask("away", 0, "red", Source.PHONE)
    port.library.create_deck("small-ball", "Mine", "house")
    return create_app(port.port)


@dataclass(frozen=True, slots=True)
class Call:
    """A request, and what is odd about it."""

    odd: str
    method: str
    path: bytes
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""


async def status(app: FastAPI, call: Call, cookie: bytes) -> int:
    """Send a request as the server hands it on, and return the status. Raises whatever the application does."""
    sent: list[Any] = []
    asked, answered = False, asyncio.Event()

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": call.body}
        await answered.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        # A stream never ends: leave after its first piece.
        if message.get("body"):
            answered.set()

    base = [(b"host", b"testserver"), (b"cookie", cookie), (b"content-type", FORM)]
    given = {name for name, _ in call.headers}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": call.method,
        "path": unquote_to_bytes(call.path).decode(errors="replace"),
        "raw_path": call.path,
        "query_string": call.query,
        "headers": [*(one for one in base if one[0] not in given), *call.headers],
        "client": ("10.0.0.9", 50_000),
        "server": ("testserver", 80),
        "scheme": "http",
        "root_path": "",
        "state": {"hang_up": answered.set},
    }
    async with asyncio.timeout(100):
        await app(scope, receive, send)
    for name, value in sent[0]["headers"]:
        assert not set(name + value) & set(b"\r\n\0"), f"{name!r}: {value!r}"
    return int(sent[0]["status"])


def quoted(text: str) -> bytes:
    return quote_from_bytes(as_bytes(text), safe="").encode()


def routes(app: FastAPI) -> list[APIRoute]:
    return [one for one in app.routes if isinstance(one, APIRoute)]


def filled(path: str, values: Mapping[str, bytes]) -> bytes:
    """Return the path of a route with these values."""
    found = path.encode()
    for name, value in values.items():
        found = found.replace(b"{%b}" % name.encode(), value)
    return found


def calls(app: FastAPI) -> Iterator[Call]:
    """Yield requests with one odd value each, for every parameter of every route."""
    for route in routes(app):
        (method,) = route.methods or ["GET"]
        good = {one.alias: quoted(GOOD[one.alias]) for one in route.dependant.path_params}
        if route.path.startswith("/evidence"):
            good["name"] = b"1-1"
        queries = [one.alias for one in route.dependant.query_params]
        fields = [one.alias for one in route.dependant.body_params] if method == "POST" else []
        plain = filled(route.path, good)
        for odd, text in ODD.items():
            for name in good:
                yield Call(f"{name} is {odd}", method, filled(route.path, {**good, name: quoted(text)}))
            for name in queries:
                yield Call(f"{name} is {odd}", method, plain, query=b"%b=%b" % (name.encode(), quoted(text)))
            for name in fields:
                yield Call(f"{name} is {odd}", method, plain, body=b"%b=%b" % (name.encode(), quoted(text)))
    for odd, text in ODD.items():
        for around in (b"/static/%b", b"/static/js/%b", b"/%b", b"/%b/", b"/games/%b/"):
            yield Call(f"the address has {odd}", "GET", around % quoted(text))


def with_headers() -> Iterator[Call]:
    """Yield requests with one odd header each: for a page, a file, a redirect, a download, a form, a body."""
    texts = {odd: as_bytes(text) for odd, text in ODD.items() if not set("\0\r\n") & set(text)}
    for name, more in HEADERS.items():
        for odd, value in [*texts.items(), *((repr(one[:40]), one) for one in more)]:
            given = ((name.encode(), value),)
            about = f"{name} is {odd}"
            for path in (b"/games/", b"/static/ball.svg", b"/stream"):
                yield Call(about, "GET", path, headers=given)
            for path in (b"/table", b"/leave"):
                yield Call(about, "POST", path, headers=given, body=b"code=%ff%00\xff&seat=away")


def faults(app: FastAPI, made: Iterator[Call], allowed: Callable[[int], bool]) -> list[str]:
    """Send requests as the operator's phone, which may do everything; return what should not have happened."""
    pass_ = cookie(app.state.port.access, WHO["both"]).encode()
    found = []

    async def run() -> None:
        async with app.router.lifespan_context(app):
            for call in made:
                about = f"{call.method} {call.path[:60]!r}: {call.odd}"
                try:
                    if not allowed(answer := await status(app, call, pass_)):
                        found.append(f"{about}: {answer}")
                except Exception as error:
                    found.append(f"{about}: {type(error).__name__}: {error}")

    asyncio.run(run())
    return found


def no_fault_inside(status: int) -> bool:
    return status < HTTPStatus.INTERNAL_SERVER_ERROR


EVERY = [pytest.param(1, id="every", marks=pytest.mark.slow), pytest.param(11, id="some")]
"""All requests, or one in eleven: a prime, so that each route and each odd text has some."""


@pytest.mark.parametrize("step", EVERY)
def test_every_parameter_of_every_route(app: FastAPI, caplog: pytest.LogCaptureFixture, step: int) -> None:
    """Taken from the application's own routes, so that a new one is tried by itself."""
    assert [] == faults(app, islice(calls(app), 0, None, step), no_fault_inside)
    assert [] == [one.getMessage() for one in caplog.records if one.exc_info]


@pytest.mark.parametrize("step", EVERY)
def test_every_header(app: FastAPI, caplog: pytest.LogCaptureFixture, step: int) -> None:
    assert [] == faults(app, islice(with_headers(), 0, None, step), no_fault_inside)
    assert [] == [one.getMessage() for one in caplog.records if one.exc_info]


@pytest.mark.parametrize("ending", ["", ".jpg", ".webp", ".gif"])
def test_a_picture_has_a_name_of_plain_digits(app: FastAPI, ending: str) -> None:
    """Digits of other scripts name no picture, though `int` reads them."""
    odd = [b"%D9%A3-10", b"1-%EF%BC%91", b"%C2%B2-1", b"1-1%0A", b"1_0-1", b"+1-1", b"%201-1"]
    made = (Call("its digits", "GET", b"/evidence/%b%b" % (name, ending.encode())) for name in odd)
    assert [] == faults(app, made, lambda status: status == HTTPStatus.UNPROCESSABLE_ENTITY)


def test_what_is_planted_is_found() -> None:
    """A route that puts what it was given into a header is caught."""
    app = create_app(Everything().port)

    @app.get("/planted/{number}")
    def planted(number: str, other: str = "") -> Response:
        return Response(headers={"X-Planted": number + other})

    made = (call for call in calls(app) if call.path.startswith(b"/planted"))
    found = "\n".join(faults(app, made, no_fault_inside))
    assert "number is Arabic digits: UnicodeEncodeError" in found
    assert "other is two lines: AssertionError" in found
