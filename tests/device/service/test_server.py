"""The server: no backlog for slow phones, no delayed packets, and limits on connections."""

from __future__ import annotations

import gc
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx
import pytest

from device.service import server as server_module
from device.service.connections import PhoneConnection
from device.service.server import Server
from tests.web.phones import small_ball
from web.live import hub
from web.live.stream import SnapshotBuilder
from web.render.templates import render_panel
from web.security.admission import SLOW_STREAM

AGES = 300
"""Seconds after which a test gives up."""


@contextmanager
def serving(server: Server, dual: bool = False) -> Iterator[int]:
    """Run the server; yield its port. On a `dual` socket, for both kinds of addresses, as systemd makes it."""
    if dual:
        listening = socket.create_server(("::ffff:127.0.0.1", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    else:
        listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.001)
        yield listening.getsockname()[1]
    finally:
        server.handle_exit(signal.SIGTERM, None)
        thread.join(AGES)
    assert not thread.is_alive()


def lines(server: Server) -> list[PhoneConnection]:
    return [http.app_state["connection"] for http in list(server.server_state.connections)]


def allow(server: Server, **limits: int) -> None:
    """Set how many connections are allowed, `each` and at `most`."""
    for name, limit in limits.items():
        setattr(server.connections, name, replace(getattr(server.connections, name), limit=limit))


def drain(phone: socket.socket) -> None:
    while phone.recv(65536):
        pass


def test_objects_from_the_start_are_frozen() -> None:
    """Garbage collections skip what exists when the pages open, so they do not delay requests."""
    gc.unfreeze()
    kept = [["a list, that a collection would look through"]]
    server = Server(small_ball().port)
    try:
        assert gc.get_freeze_count() > 1000
        assert not any(one is kept for one in gc.get_objects())
    finally:
        gc.unfreeze()
    assert not server.started


def test_threads_that_think_let_the_event_loop_run() -> None:
    """The loop sends to one phone after another, and waits for a thinking manager before each."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    try:
        Server(small_ball().port)
        assert sys.getswitchinterval() < 0.001
    finally:
        sys.setswitchinterval(before)


def test_small_answers_are_sent_at_once() -> None:
    """The connection sets TCP_NODELAY."""
    server = Server(small_ball().port)
    with serving(server) as port, httpx.stream("GET", f"http://127.0.0.1:{port}/stream", timeout=AGES) as answer:
        told = answer.iter_lines()
        assert "event: view" in told
        (line,) = lines(server)
        assert line.transport is not None
        assert line.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_phone_that_reads_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most one frame waits for it, another phone gets all frames, and in the end it is disconnected."""
    table = small_ball()
    server = Server(table.port)
    with serving(server) as port, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", port))
        slow.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with httpx.stream("GET", f"http://127.0.0.1:{port}/stream", timeout=AGES) as quick:
            told = quick.iter_lines()
            most = stuck = 0
            late, before = time.monotonic() + AGES, lines(server)
            while time.monotonic() < late:
                table.game.publish_again()
                while f"id: {table.game.version}" != next(told):
                    pass
                waiting = [line.transport.get_write_buffer_size() for line in lines(server) if line.transport]
                most = max([most, *waiting])
                stuck += any(waiting)
                if stuck > 20:
                    monkeypatch.setattr(hub, "SLOW_STREAM", replace(SLOW_STREAM, limit=-1))
                if len(waiting) == 1:
                    break
            assert stuck > 20, "the slow phone took it all"
            assert len(waiting) == 1, "the slow phone was not dropped"
            # The first frame also has the whole panel.
            view = table.game.view_for(None)
            whole = SnapshotBuilder().build_snapshot(view, render_panel(view)).full_frames
            assert 0 < most < 2 * len(whole)
            with pytest.raises(ConnectionResetError):  # otherwise the data would still wait for it
                drain(slow)
            for line in before:
                if line not in lines(server):
                    line.hang_up()


def held(port: int, sent: bytes = b"") -> socket.socket:
    """Open a connection on which only this is sent."""
    line = socket.create_connection(("127.0.0.1", port), timeout=AGES)
    line.sendall(sent)
    return line


def cut(line: socket.socket) -> bool:
    """Wait until the server closes this connection; return True."""
    with line, pytest.raises(ConnectionResetError):
        drain(line)
    return True


def refused(port: int) -> bool:
    """Return whether the server closes a new connection, which may be known even before it is open."""
    try:
        line = held(port)
    except ConnectionResetError:
        return True
    return cut(line)


def count(server: Server, lines_: int) -> bool:
    """Wait for this number of open connections; return True if it was reached."""
    late = time.monotonic() + AGES
    while len(server.connections) != lines_ and time.monotonic() < late:
        time.sleep(0.001)
    return len(server.connections) == lines_


@pytest.mark.parametrize("limit", ["each", "most"])
def test_connections_are_limited(limit: str) -> None:
    """Per address and in total: while all answer, the next connection is closed; one that ends makes room."""
    server = Server(small_ball().port)
    allow(server, **{limit: 3})
    with serving(server) as port:
        first = [held(port, STREAM) for _ in range(3)]
        for line in first:
            assert line.recv(4096).startswith(b"HTTP/1.1 200")
        assert refused(port)
        first.pop().close()
        assert count(server, 2)
        answer = httpx.get(f"http://127.0.0.1:{port}/api/view", timeout=AGES)
        assert 200 == answer.status_code
        for line in first:
            line.close()
        assert count(server, 0)
    assert 0 == len(server.connections)


def test_each_address_has_its_own_limit() -> None:
    server = Server(small_ball().port)
    allow(server, each=2)
    with serving(server) as port:
        guest = [held(port) for _ in range(2)]
        with socket.create_connection(("127.0.0.1", port), AGES, ("127.0.0.2", 0)) as other:
            other.sendall(b"GET /api/view HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert other.recv(4096).startswith(b"HTTP/1.1 200")
        for line in guest:
            line.close()


STREAM = b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
GET = b"GET /api/view HTTP/1.1\r\nHost: localhost\r\n\r\n"
MUCH = b"GET /api/view HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nx"


@pytest.mark.parametrize("sent", [b"", GET[:20], GET + GET[:20], MUCH], ids=["nothing", "half", "then half", "body"])
def test_a_connection_without_a_request_is_closed(sent: bytes) -> None:
    """Whether it sends nothing, half a request (also as the second one), or data that is not a request."""
    server = Server(small_ball().port)
    server.connections.silent = 0.05
    with serving(server) as port:
        line = held(port, sent)
        assert cut(line)
        assert count(server, 0)


def test_a_slow_answer_is_not_cut_off() -> None:
    """An answer may take any time, and so may that to a second request after the first."""
    table = small_ball()
    server = Server(table.port)
    with serving(server) as port, held(port, GET + STREAM) as line:
        heard = b""
        while f"id: {table.game.version}".encode() not in heard:
            table.game.publish_again()
            heard += line.recv(65536)
        assert [None] == [one._timer for one in lines(server)], "nothing waits for a request"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1024, 524288), (4096, 524288)),
        ((1024, 2000), (2000, 2000)),
        ((8192, 8192), None),
        ((1024, resource.RLIM_INFINITY), (4096, resource.RLIM_INFINITY)),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None),
    ],
)
def test_the_limit_of_open_files_is_raised(
    before: tuple[int, int], after: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service may open 1024 files by default, fewer than phones may connect."""
    said = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda what: before)
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: said.append(limits))
    server_module.raise_file_limit()
    assert ([after] if after else []) == said
