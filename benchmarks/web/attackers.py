"""Attacks on a table by hostile guests, each on its thread, as a process of `benchmarks.web.hostile`.

It attacks a port of this machine only, from loopback addresses that no honest phone has, at a bounded rate, until its
standard input ends. Then it prints attempts by attack and results as JSON. Linux only.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import struct
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from random import Random

from benchmarks.web.hostile_phone import TIMEOUT_S, guest_address
from benchmarks.web.insiders import Insiders

STEP_INTERVAL_S = 0.1  # Seconds between two steps of one attack.
NICENESS = 10  # Niceness of this process.

MALFORMED_REQUESTS = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /%00%ff/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /api/answer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n{",
    b"POST /api/answer HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[[[[[",
    b"GET / HTTP/1.1\r\nHost: attacker.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 60_000 + b"\r\n\r\n",
)

LARGE_PATHS = ("/openapi.json", "/games", "/decks", "/api/decks", "/plays", "/static/js/live.js")
OLD_GAME_PATHS = (
    "/games",
    "/games/1",
    "/games/1.jsonl",
    "/games/1.svg",
    "/api/games/1/replay?first=0",
    "/games/2.jsonl",
)


def get_request(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: guest\r\n\r\n".encode()


class Attackers:
    """Attacks on the table at `port`, whose journal is in `folder`. The strangers' attacks are defined here."""

    def __init__(self, port: int, folder: Path) -> None:
        self._port, self._done = port, threading.Event()
        self.tried = Counter[str]()
        self.errors: list[str] = []
        self.insiders = Insiders(port, folder, self.errors)
        attacks: tuple[Callable[[Random], Callable[[], None]], ...] = (
            self.unread_answers,
            self.streams_that_send_ahead,
            self.idle_connections,
            self.abandoned_old_games,
            self.wrong_codes,
            self.slow_requests,
            self.nonsense,
            self.sips,
            *self.insiders.attacks(),
        )
        self._threads = [
            threading.Thread(target=self._run, args=(attack.__name__, attack(Random(i))), daemon=True)
            for i, attack in enumerate(attacks)
        ]

    def run(self) -> None:
        for thread in self._threads:
            thread.start()
        sys.stdin.read()
        self._done.set()
        for thread in self._threads:
            thread.join(TIMEOUT_S + 1)
        inside = self.insiders
        found = {"tried": self.tried, "errors": self.errors, "hops": inside.hops, "came_back": inside.came_back}
        print(json.dumps(found), flush=True)

    def _run(self, name: str, step: Callable[[], None]) -> None:
        while not self._done.wait(STEP_INTERVAL_S):
            with suppress(OSError, HTTPException, sqlite3.Error):
                step()
            self.tried[name.replace("_", " ")] += 1

    def _open(self, guest: int, sent: bytes = b"", buffer: int = 0) -> socket.socket:
        """Connect from the address of a guest, and send."""
        line = socket.socket()
        try:
            if buffer:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            line.settimeout(TIMEOUT_S)
            line.bind((guest_address(guest), 0))
            line.connect(("127.0.0.1", self._port))
            line.sendall(sent)
        except BaseException:
            line.close()
            raise
        return line

    def _holding_step(self, most: int, opened: Callable[[int], socket.socket]) -> Callable[[], None]:
        """Return a step that opens two connections and holds the newest `most`."""
        held, number = deque[socket.socket](), 0

        def step() -> None:
            nonlocal number
            for _ in range(2):
                number += 1
                while len(held) >= most:
                    held.popleft().close()
                held.append(opened(number))

        return step

    def unread_answers(self, random: Random) -> Callable[[], None]:
        """Request several large answers at once, and read none, from 10 addresses."""
        return self._holding_step(400, lambda i: self._open(i % 10, get_request(random.choice(LARGE_PATHS)) * 5, 4096))

    def streams_that_send_ahead(self, _: Random) -> Callable[[], None]:
        """Open 38 streams from each of 26 addresses, and keep sending."""

        def opened(number: int) -> socket.socket:
            line = self._open(20 + number % 26, get_request("/stream"), 4096)
            line.setblocking(False)
            with suppress(BlockingIOError):
                line.send(get_request("/plays") * 5000)
            return line

        return self._holding_step(26 * 38, opened)

    def idle_connections(self, _: Random) -> Callable[[], None]:
        """Hold 80 silent connections from each of 30 addresses."""
        return self._holding_step(30 * 80, lambda i: self._open(50 + i % 30))

    def abandoned_old_games(self, random: Random) -> Callable[[], None]:
        """Request old games and disconnect at once, from 20 addresses."""

        def step() -> None:
            for _ in range(3):
                with self._open(90 + random.randrange(20), get_request(random.choice(OLD_GAME_PATHS))) as line:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        return step

    def wrong_codes(self, random: Random) -> Callable[[], None]:
        """Guess the code, from 200 addresses."""

        def step() -> None:
            body = f"code={random.randrange(10**6):06d}".encode()
            head = b"POST /table HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            sent = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
            with self._open(120 + random.randrange(200), sent) as line:
                answer = line.recv(12)
                self.tried[f"wrong codes answered with {answer[9:12].decode()}"] += 1

        return step

    def slow_requests(self, _: Random) -> Callable[[], None]:
        """Send requests a byte at a time, from 10 addresses."""
        held, sent = list[socket.socket](), get_request("/")

        def step() -> None:
            for line in list(held):
                try:
                    line.send(b"X")
                except OSError:
                    held.remove(line)
                    line.close()
            if len(held) < 100:
                held.append(self._open(330 + len(held) % 10, sent[:-4]))

        return step

    def nonsense(self, random: Random) -> Callable[[], None]:
        """Send invalid HTTP, or requests for another host, from 5 addresses."""

        def step() -> None:
            for _ in range(3):
                self._open(350 + random.randrange(5), random.choice(MALFORMED_REQUESTS)).close()

        return step

    def sips(self, random: Random) -> Callable[[], None]:
        """Read large answers a few bytes at a time, from 10 addresses."""
        held = list[socket.socket]()

        def step() -> None:
            if len(held) < 100:
                held.append(self._open(360 + len(held) % 10, get_request(random.choice(LARGE_PATHS)), 4096))
                return
            line = held[random.randrange(len(held))]
            if not line.recv(3):
                held.remove(line)
                line.close()

        return step


def main() -> None:
    # Guests would bring their own processors, so these must not take the table's.
    os.nice(NICENESS)
    Attackers(int(sys.argv[1]), Path(sys.argv[2])).run()


if __name__ == "__main__":
    main()
