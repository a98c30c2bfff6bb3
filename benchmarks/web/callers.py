"""Phones that connect to a table and leave, each from its own loopback address. Linux only.

Most listen. Some hardly read, drop connections, send incomplete requests, or send malformed ones.
"""

from __future__ import annotations

import errno
import re
import socket
import struct
import threading
import time
from collections import Counter
from random import Random

VIEW = re.compile(rb'event: view\nid: (\d+)\ndata: \{.*?"key":"([\w-]+)".*?"table":\{"seat":null,"version":(\d+)')

PAGES = (
    *("/", "/plays", "/overlay", "/table", "/seat", "/decks", "/games", "/join.svg", "/static/js/live.js"),
    *(
        "/api/view",
        "/api/plays",
        "/api/rolls",
        "/api/catalogue",
        "/api/health",
        "/camera.jpg",
        "/display.png",
        "/nothing",
    ),
)

MALFORMED_REQUESTS = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /%00%ff/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -3\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /api/answer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n{",
    b"POST /api/answer HTTP/1.1\r\nHost: [::]\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[[[[[[[[[",
    b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /table HTTP/1.1\r\nHost: localhost\r\nOrigin: http://elsewhere\r\nContent-Length: 11\r\n\r\ncode=000000",
    b"GET /stream?seat=home HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /evidence/9999999999999-1.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n",
)

LATE_S = 30.0  # Seconds after which a page, or the current version at a listener, is late.


class Callers:
    """Phones on `at_once` threads, each connected for up to `stay` seconds.

    up: cleared while the table is off. A connection may break then.
    life: number of the table's starts.
    faults: sentences about things that must never happen.
    count: number of phones by kind.
    """

    def __init__(self, port: int, seed: int, at_once: int = 10, stay: float = 15.0) -> None:
        self._port, self._stay = port, stay
        self._done = threading.Event()
        self.up, self.life = threading.Event(), 0
        self.up.set()
        self.faults: list[str] = []
        self.count: Counter[str] = Counter()
        self._newest = (0, 0)
        self._threads = [
            threading.Thread(target=self._run, args=(Random(seed * 1000 + number),), name=f"caller {number}")
            for number in range(at_once)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._done.set()
        for thread in self._threads:
            thread.join()

    def note_version(self, version: int) -> None:
        """Record a version that was shown. Phones that connect later must receive it or a later one."""
        self._newest = (self.life, version)

    def _run(self, random: Random) -> None:
        ways = {self._listen: 8, self._slow: 1, self._drop: 2, self._torn: 2, self._nonsense: 3, self._page: 6}
        while not self._done.wait(random.uniform(0, 1)):
            life = self.life
            if not self.up.wait(0.5):
                continue
            (way,) = random.choices(list(ways), list(ways.values()))
            try:
                way(random)
            except OSError as error:
                if self.up.is_set() and self.life == life:
                    self.faults.append(f"{way.__name__.strip('_')}: {type(error).__name__}: {error}")
            else:
                self.count[way.__name__.strip("_")] += 1

    def _line(self, random: Random, room: int = 0) -> socket.socket:
        line = socket.socket()
        line.settimeout(LATE_S)
        if room:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        try:
            line.bind((f"127.{random.randint(1, 250)}.{random.randint(0, 250)}.{random.randint(1, 250)}", 0))
            line.connect(("127.0.0.1", self._port))
        except BaseException:
            line.close()
            raise
        return line

    def _get(self, path: str) -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: close\r\n\r\n".encode()

    def _listen(self, random: Random) -> None:
        """Listen to the game for a while. Versions must never go backward, and the current one must arrive."""
        (life, wanted), began = self._newest, time.monotonic()
        stay, heard, rest = began + random.uniform(0.2, 1) * self._stay, (-1, "", -1), b""
        with self._line(random) as line:
            line.sendall(self._get("/stream"))
            line.settimeout(1)
            while time.monotonic() < stay and not self._done.is_set():
                try:
                    data = line.recv(1 << 18)
                except TimeoutError:
                    continue
                if not data:
                    raise ConnectionResetError("the stream ended")
                *whole, rest = (rest + data).split(b"\n\n")
                for frame in whole:
                    if found := VIEW.search(frame):
                        now = int(found[1]), found[2].decode(), int(found[3])
                        if now[0] < heard[0] or (now[1] == heard[1] and now[2] < heard[2]):
                            self.faults.append(f"a phone saw {heard}, then {now}")
                        heard = now
        if heard[0] < wanted and life == self.life and time.monotonic() - began > LATE_S / 3:
            self.faults.append(f"a phone came when {wanted} stood and heard {heard[0]}")

    def _slow(self, random: Random) -> None:
        """Listen, but read almost nothing, until the table closes the connection."""
        with self._line(random, 4096) as line:
            line.sendall(self._get("/stream"))
            until = time.monotonic() + self._stay * 3
            while time.monotonic() < until and not self._done.wait(1):
                try:
                    if not line.recv(1):
                        return
                except ConnectionError:
                    return

    def _drop(self, random: Random) -> None:
        """Listen, and disconnect with a reset."""
        with self._line(random) as line:
            line.sendall(self._get("/stream"))
            self._done.wait(random.uniform(0, 2))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _torn(self, random: Random) -> None:
        """Disconnect in the middle of a request."""
        whole = self._get(random.choice(PAGES))
        with self._line(random) as line:
            line.sendall(whole[: random.randrange(1, len(whole))])
            self._done.wait(random.uniform(0, 2))

    def _nonsense(self, random: Random) -> None:
        """Send a malformed request, which the table must reject with an error or by closing the connection."""
        with self._line(random) as line:
            try:
                line.sendall(sent := random.choice(MALFORMED_REQUESTS))
                line.shutdown(socket.SHUT_WR)
                said = line.recv(4096)
            except OSError as error:
                # The table has closed it already.
                if isinstance(error, ConnectionError) or error.errno == errno.ENOTCONN:
                    return
                raise
        self._refused(said, sent)

    def _page(self, random: Random) -> None:
        path, said = random.choice(PAGES), b""
        with self._line(random) as line:
            line.sendall(self._get(path))
            while data := line.recv(1 << 18):
                said += data
        if not said:
            raise ConnectionResetError(f"{path} was not answered")
        if not said.startswith(b"HTTP/1.1 "):
            self.faults.append(f"{path} was not answered: {said[:60]!r}")
        self._refused(said, path.encode())

    def _refused(self, said: bytes, sent: bytes) -> None:
        if said[9:10] == b"5":
            self.faults.append(f"{sent[:60]!r} got {said[:15]!r}")
