"""What watches a table from outside while it is attacked: a service manager, and a phone that reads the warnings."""

from __future__ import annotations

import json
import math
import re
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import pairwise
from pathlib import Path

WATCHDOG_S = 20.0
"""Seconds without a heartbeat after which systemd restarts the program, as `systemd/dugout.service` sets them."""

LONGEST_BEAT = WATCHDOG_S / 2
"""Most seconds between two heartbeats. The program sends one every quarter of `WATCHDOG_S`."""

WARNING = re.compile(
    r"A phone (?:took a seat|changed seats)[^.]*\.|Seat freed: [^.]*\.|All other phones were signed out\."
    r"|More has changed than fits here[^.]*\."
)
"""The sentences that somebody must notice, whatever comes after them."""

STANDS = 8.0
"""Seconds for which each must stand."""

LATE = 1.0
"""Seconds by which a frame may be late: a warning may seem to stand shorter by as much."""

RETRY = 0.2
"""Seconds after which a stream that broke is opened again."""

NOTICE = re.compile(rb'"notice":(null|"(?:[^"\\]|\\.)*")')


class ServiceManager(threading.Thread):
    """Receives the heartbeats of a program that is started with its `environment`, as systemd does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self.environment: Mapping[str, str] = {
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6)),
        }
        self._beats: list[float] = []

    def run(self) -> None:
        """Note each heartbeat, as long as this process runs."""
        while True:
            if b"WATCHDOG=1" in self._socket.recv(4096):
                self._beats.append(time.monotonic())

    def gaps(self, since: float, until: float) -> list[float]:
        """Return the seconds between two heartbeats; the first and the last count from `since` and to `until`."""
        return gaps_between(self._beats, since, until)


def gaps_between(beats: Sequence[float], since: float, until: float) -> list[float]:
    """Return the seconds between two of the times in `beats`, and from `since` and to `until`."""
    return [two - one for one, two in pairwise([since, *(one for one in beats if since < one < until), until])]


@dataclass(slots=True)
class ReadWarning:
    """A warning that was read: its sentence, and the times between which it was seen to stand."""

    sentence: str
    since: float
    until: float = math.inf
    cut_off: bool = False
    """True if the stream broke while it stood."""


class WarningReader(threading.Thread):
    """An honest spectator who reads the warnings of the table at `port`."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.all: list[ReadWarning] = []
        """The warnings it has read, the oldest first."""
        self._standing: dict[str, ReadWarning] = {}

    def run(self) -> None:
        """Listen, as long as this process runs."""
        while True:
            with suppress(OSError, HTTPException):
                self._listen()
            for warning in self._standing.values():
                warning.until, warning.cut_off = time.monotonic(), True
            self._standing.clear()
            time.sleep(RETRY)

    def _listen(self) -> None:
        line = HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=("127.200.0.2", 0))
        with closing(line):
            line.request("GET", "/stream")
            stream, rest = line.getresponse(), b""
            while data := stream.read1(1 << 18):
                *frames, rest = (rest + data).split(b"\n\n")
                for frame in frames:
                    if b"event: view\n" in frame and (found := NOTICE.search(frame)):
                        self.read(json.loads(found[1]) or "", time.monotonic())

    def read(self, notice: str, now: float) -> None:
        """Note the warnings in the notice that is shown now; "" for none."""
        shown = set(WARNING.findall(notice))
        for sentence in set(self._standing) - shown:
            self._standing.pop(sentence).until = now
        for sentence in shown - set(self._standing):
            self._standing[sentence] = ReadWarning(sentence, now)
            self.all.append(self._standing[sentence])

    def faults(self, hops: Sequence[float]) -> list[str]:
        """Return the warnings that stood too short, and the `hops`, times of changes of seats, without a warning."""
        now, least = time.monotonic(), STANDS - LATE
        short = [one for one in self.all if one.until - one.since < least and not one.cut_off]
        unseen = [
            hop
            for hop in hops
            if hop + STANDS < now and not any(one.since <= hop + LATE and one.until >= hop + least for one in self.all)
        ]
        return [
            *(f"a warning stood only {one.until - one.since:.1f} s: {one.sentence}" for one in short),
            *(f"a phone changed its seat, and no warning stood for {STANDS:.0f} s" for _ in unseen),
        ]
