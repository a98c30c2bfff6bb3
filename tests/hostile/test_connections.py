"""Guests who open connections and do not read, do not write, send ahead, or never leave."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import httpx
import pytest
from h11 import Connection as Http
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message

from device.app import App
from device.service import server as server_module
from device.service.server import Server
from tests.device.service.test_server import AGES, STREAM, allow, cut, drain, held, lines, serving
from tests.web.phones import small_ball
from web.app import create_app
from web.live.presence import ListeningPhones
from web.port import TablePorts
from web.request_limits import RequestLimits
from web.security.passes import Pass
from web.security.rejection_log import RejectionLog

LARGE = 2 << 20
"""Bytes of a large answer: more than the kernel's buffers at both ends."""

GET = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def large(_: Request) -> Response:
    """Answer with much."""
    return PlainTextResponse(bytes(LARGE))


@contextmanager
def large_answers(
    monkeypatch: pytest.MonkeyPatch, unread: float = 60, proxies: tuple[str, ...] = (), **limits: float
) -> Iterator[tuple[Server, int]]:
    """Serve large answers under the limits of the pages; yield the server and its port."""

    def app(port: TablePorts) -> RequestLimits:
        starlette = Starlette(routes=[Route("/large", large)])
        wrapped = RequestLimits(starlette, port.refusals, **limits)  # type: ignore[arg-type]
        wrapped.state = SimpleNamespace(streams=SimpleNamespace(close_all=lambda: None))  # type: ignore[attr-defined]
        return wrapped

    monkeypatch.setattr(server_module, "create_app", app)
    server = Server(small_ball().port, unread=unread, proxies=proxies)
    with serving(server) as port:
        yield server, port


def within(seconds: float, true: Callable[[], bool]) -> bool:
    """Wait until something is true; return whether it was in time."""
    late = time.monotonic() + seconds
    while not true() and time.monotonic() < late:
        time.sleep(0.01)
    return true()


def send_for_ever(line: socket.socket) -> None:
    """Send requests without reading any answer."""
    while True:
        line.send(GET * 10_000)


def sip(line: socket.socket) -> None:
    """Read an answer so slowly that it would take minutes."""
    for _ in range(LARGE // 100):
        assert line.recv(100)
        time.sleep(0.01)


def buffered(server: Server) -> list[int]:
    """The bytes that wait in the program for each phone that does not take them."""
    sizes = [line.transport.get_write_buffer_size() for line in lines(server) if line.transport is not None]
    return [size for size in sizes if size]


@pytest.mark.parametrize("requests", [1, 2, 5])
def test_a_guest_who_reads_nothing_is_cut_off(requests: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many requests it sends at once; until then, only a piece of one answer waits for it."""
    with large_answers(monkeypatch, unread=0.5) as (server, port):
        line = held(port, GET * requests)
        assert within(AGES, lambda: bool(buffered(server)))
        most = 0
        late = time.monotonic() + AGES
        while lines(server) and time.monotonic() < late:
            most = max([most, *buffered(server)])
            time.sleep(0.005)
        assert [] == lines(server)
        assert 0 < most <= 32 << 10
        assert cut(line)


def test_a_guest_who_reads_a_drop_at_a_time_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may keep the connection from looking dead, but an answer must be taken in time."""
    with large_answers(monkeypatch, longest=0.5) as (server, port), socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        line.sendall(GET)
        with pytest.raises(ConnectionResetError):
            sip(line)
        assert within(AGES, lambda: not lines(server))


def test_what_is_sent_ahead_waits_outside() -> None:
    """While a stream is open, the program takes one read of what its phone goes on to send."""
    server = Server(small_ball().port)
    with serving(server) as port, held(port, STREAM) as line:
        assert line.recv(4096).startswith(b"HTTP/1.1 200")
        (here,) = lines(server)
        # What arrives while the program is busy is read at once.
        here._loop.call_soon_threadsafe(time.sleep, 0.3)
        line.settimeout(0.5)
        with pytest.raises(TimeoutError):
            send_for_ever(line)
        (http,) = (http.conn for http in server.server_state.connections)  # type: ignore[union-attr]
        assert isinstance(http, Http)
        assert within(AGES, lambda: bool(http.trailing_data[0]))
        assert len(http.trailing_data[0]) <= 64 << 10


@pytest.mark.slow
def test_a_lost_link_is_noticed() -> None:
    """The kernel ends a connection that confirms nothing for a while, and with it the stream."""
    alone = ["unshare", "--net"]
    up = [*alone, "ip", "link", "set", "lo", "up"]
    if os.geteuid() or not shutil.which("ip") or subprocess.run(up, check=False).returncode:
        pytest.skip("a network of its own needs root, its rights over networks, and the command ip")
    run = [*alone, sys.executable, "-m", "tests.hostile.lost_link", "1"]
    open_, seconds = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    assert "0" == open_, f"held for {seconds} seconds"


def test_idle_connections_keep_nobody_out() -> None:
    """Many addresses with connections that do nothing: newcomers get in at once, and a household's streams go on."""
    server = Server(small_ball().port)
    allow(server, most=30, each=10)
    with serving(server) as port, ExitStack() as stack:
        watching = [stack.enter_context(held(port, STREAM)) for _ in range(8)]
        for line in watching:
            assert line.recv(4096).startswith(b"HTTP/1.1 200")
        for guest in range(28):
            address = f"127.0.1.{guest % 4 + 1}"
            stack.enter_context(socket.create_connection(("127.0.0.1", port), AGES, (address, 0)))
        for newcomer in range(5):
            with socket.create_connection(("127.0.0.1", port), AGES, (f"127.0.2.{newcomer + 1}", 0)) as line:
                line.sendall(b"GET /api/view HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert line.recv(4096).startswith(b"HTTP/1.1 200")
        assert within(AGES, lambda: 8 == sum(line.transport is not None and line.is_busy for line in lines(server)))


def test_streams_of_a_few_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two addresses hold all streams: the oldest of them makes room for a newcomer."""
    monkeypatch.setattr(
        server_module, "create_app", lambda port: create_app(port, room=ListeningPhones(port.refusals, most=10, each=6))
    )
    server = Server(small_ball().port)
    with serving(server) as port, ExitStack() as stack:

        def listen(address: str) -> socket.socket:
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), AGES, (address, 0)))
            line.sendall(STREAM)
            assert line.recv(20).startswith(b"HTTP/1.1 200")
            return line

        crowd = [listen(f"127.0.1.{i % 2 + 1}") for i in range(10)]
        listen("127.0.2.1")
        with pytest.raises(ConnectionResetError):
            drain(crowd[0])
        listen("127.0.2.2")


def test_requests_of_a_few_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three addresses ask for large answers and read none: a newcomer is answered, and little waits in memory."""
    with large_answers(monkeypatch, most=6, each=5, patience=30) as (server, port), ExitStack() as stack:
        for i in range(30):
            address = (f"127.0.1.{i % 3 + 1}", 0)
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), AGES, address))
            line.sendall(GET)
        assert within(AGES, lambda: bool(buffered(server)))
        with socket.create_connection(("127.0.0.1", port), AGES, ("127.0.2.1", 0)) as newcomer:
            newcomer.sendall(GET.replace(b"large", b"none"))
            assert newcomer.recv(4096).startswith(b"HTTP/1.1 404")
        waiting = buffered(server)
        assert len(waiting) <= 6
        assert max(waiting) <= 32 << 10


def test_answers_are_made_a_few_at_once() -> None:
    """More wait for their turn, then are refused with a time to come again. The operator waits for nobody, a seat only
    for its own phones.
    """
    go, busy, most = asyncio.Event(), 0, 0

    async def slow(request: Request) -> Response:
        nonlocal busy, most
        if request.headers.get("pass"):
            return PlainTextResponse("done")
        busy += 1
        most = max(most, busy)
        await go.wait()
        busy -= 1
        return PlainTextResponse("done")

    async def run() -> list[httpx.Response]:
        starlette = Starlette(routes=[Route("/", slow)])
        passes = {b"operator": Pass(operator=True), b"home": Pass(seat="home")}
        who = {(b"pass", name): one for name, one in passes.items()}
        app = RequestLimits(
            starlette,
            RejectionLog(),
            lambda scope: next((one for header, one in who.items() if header in scope["headers"]), Pass()),
            at_once=2,
            patience=0.2,
        )
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            asked = [asyncio.ensure_future(client.get("/")) for _ in range(5)]
            answers = [await client.get("/", headers={"pass": one.decode()}) for one in passes]
            answers += [await one for one in asked[2:]]
            go.set()
            return [*answers, *[await one for one in asked[:2]], await client.get("/")]

    operator, home, *answers = asyncio.run(run())
    assert [200, 200] == [operator.status_code, home.status_code]
    assert [503] * 3 + [200] * 3 == [one.status_code for one in answers]
    assert ["5"] * 3 == [one.headers["retry-after"] for one in answers[:3]]
    assert 2 == most


def test_a_stream_takes_no_turn() -> None:
    """Streams are counted elsewhere: a phone with many pages open can still ask for something."""

    async def stream(scope: dict[str, object], receive: object, send: Callable[[Message], object]) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
        await send(start)  # type: ignore[misc]
        await asyncio.sleep(0.3)
        await send({"type": "http.response.body", "body": b"end"})  # type: ignore[misc]

    async def run() -> list[httpx.Response]:
        app = RequestLimits(stream, RejectionLog(), at_once=1, each=1, longest=0.1, patience=0.1)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            return await asyncio.gather(*(client.get("/") for _ in range(5)))

    assert [(200, b"end")] * 5 == [(one.status_code, one.content) for one in asyncio.run(run())]


def test_both_kinds_of_addresses_are_served() -> None:
    """`--host ::` also answers phones that have IPv4 only."""
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    app = object.__new__(App)
    app.service = SimpleNamespace(passed_socket=lambda: None)  # type: ignore[assignment]
    app.settings = SimpleNamespace(web=SimpleNamespace(host="::", port=0))  # type: ignore[assignment]
    app.join_screen = SimpleNamespace()  # type: ignore[assignment]
    with app.open_listening_socket() as listening:
        port = listening.getsockname()[1]
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, port), AGES).close()


# Behind a proxy ------------------------------------------------------------------------------------------------------


def asked(port: int, who: str) -> socket.socket:
    """Ask for much through a proxy, for this address, and take nothing."""
    return held(port, GET.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: %s\r\n\r\n" % who.encode()))


def turned_away(port: int, who: str) -> bool:
    """Return whether a further request is cut off, at once or once it is sent."""
    try:
        return cut(asked(port, who))
    except ConnectionError:
        return True


def test_a_guest_behind_a_proxy_takes_only_its_own_places(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """While it is asked for somebody, a proxy's connection counts for that address; others get in through it."""
    with large_answers(monkeypatch, proxies=("127.0.0.1",)) as (server, port), ExitStack() as stack:
        allow(server, each=3)
        for _ in range(3):
            stack.enter_context(asked(port, "10.0.0.1"))
        assert within(AGES, lambda: [True] * 3 == [line.is_busy for line in lines(server)])
        assert turned_away(port, "10.0.0.1")
        for n in range(5):
            stack.enter_context(asked(port, f"10.0.1.{n}"))
            assert within(AGES, lambda n=n: [True] * (4 + n) == [line.is_busy for line in lines(server)])  # type: ignore[misc]
        stack.close()
        assert within(AGES, lambda: len(server.connections) == 0)
    assert "" == capfd.readouterr().err


def test_a_proxys_idle_connection_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between requests it counts for the proxy, and carries the next one for somebody else."""
    with large_answers(monkeypatch, proxies=("127.0.0.1",)) as (server, port):
        allow(server, each=2)
        with ExitStack() as stack:
            proxy = [stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}")) for _ in range(2)]
            for n in range(8):
                answer = proxy[n % 2].get("/large", headers={"X-Forwarded-For": f"10.0.0.{n % 3}"})
                assert (200, LARGE) == (answer.status_code, len(answer.content))
            assert 2 == len(server.connections) == len(lines(server))


def test_who_is_no_proxy_counts_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged header opens no more connections."""
    with large_answers(monkeypatch) as (server, port), ExitStack() as stack:
        allow(server, each=3)
        for n in range(3):
            stack.enter_context(asked(port, f"10.0.0.{n}"))
        assert within(AGES, lambda: [True] * 3 == [line.is_busy for line in lines(server)])
        assert turned_away(port, "10.0.0.4")
