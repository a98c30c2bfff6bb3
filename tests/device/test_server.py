"""The server: what a phone does not take is not piled up, and no line waits to be full."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from device.server import Line, Server
from tests.web.phones import small_ball
from web import hub

AGES = 30
"""Seconds after which a test gives up."""


@contextmanager
def serving(server: Server) -> Iterator[int]:
    """The server runs; gives its port."""
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


def lines(server: Server) -> list[Line]:
    return [line for line in list(server.server_state.connections) if isinstance(line, Line)]


def drain(phone: socket.socket) -> None:
    while phone.recv(65536):
        pass


def test_no_line_waits_to_be_full() -> None:
    """Small answers go at once, not with the acknowledgement of the one before."""
    server = Server(small_ball())
    with serving(server) as port, httpx.stream("GET", f"http://127.0.0.1:{port}/stream", timeout=AGES) as answer:
        told = answer.iter_lines()
        assert "event: view" in told
        (line,) = lines(server)
        assert line.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_phone_that_reads_nothing_holds_a_frame_and_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is told meanwhile, no more than one frame waits here for it; another gets them all; in the end the
    line is cut."""
    table = small_ball()
    server = Server(table)
    with serving(server) as port, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", port))
        slow.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with httpx.stream("GET", f"http://127.0.0.1:{port}/stream", timeout=AGES) as quick:
            told = quick.iter_lines()
            largest = most = stuck = 0
            late, before = time.monotonic() + AGES, lines(server)
            while time.monotonic() < late:
                table.touch()
                while f"id: {table.version}" != next(told):
                    pass
                largest = max(largest, len(next(told)) + len(next(told)))
                waiting = [line.transport.get_write_buffer_size() for line in lines(server)]
                most = max([most, *waiting])
                stuck += any(waiting)
                if stuck > 20:
                    monkeypatch.setattr(hub, "SEND", -1)
                if len(waiting) == 1:
                    break
            assert stuck > 20, "the slow phone took it all"
            assert len(waiting) == 1, "the slow phone was not dropped"
            assert 0 < most < 2 * largest
            with pytest.raises(ConnectionResetError):  # else what it did not take would wait for it still
                drain(slow)
            for line in before:
                if line not in lines(server):
                    line.hang_up()
