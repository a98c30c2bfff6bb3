"""Observers of a table under attack: a service manager, and a phone that reads the warnings."""

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
"""Seconds without a heartbeat after which systemd restarts the program, as in `systemd/dugout.service`."""

MAX_HEARTBEAT_GAP_S = WATCHDOG_S / 2
"""Maximum seconds between two heartbeats. The program sends one every quarter of `WATCHDOG_S`."""

WARNING_PATTERN = re.compile(
    r"A phone (?:took a seat|changed seats)[^.]*\.|Seat freed: [^.]*\.|All other phones were signed out\."
    r"|More has changed than fits here[^.]*\."
)
"""Sentences that must remain visible, whatever follows them."""

MIN_SHOWN_S = 8.0  # Seconds for which each must be shown.
MAX_FRAME_DELAY_S = 1.0  # Seconds by which a frame may be late. A warning may seem to be shown shorter by as much.
RETRY_S = 0.2  # Seconds until a broken stream is reopened.

NOTICE_PATTERN = re.compile(rb'"notice":(null|"(?:[^"\\]|\\.)*")')


class ServiceManager(threading.Thread):
    """Receiver of heartbeats from a program started with its `environment`, like systemd."""

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
        while True:
            if b"WATCHDOG=1" in self._socket.recv(4096):
                self._beats.append(time.monotonic())

    def heartbeat_gaps(self, since: float, until: float) -> list[float]:
        return gaps_between(self._beats, since, until)


def gaps_between(beats: Sequence[float], since: float, until: float) -> list[float]:
    """Return the seconds between consecutive `beats`, with `since` and `until` as the first and last."""
    return [two - one for one, two in pairwise([since, *(one for one in beats if since < one < until), until])]


@dataclass(slots=True)
class ReadWarning:
    """A warning that was read, with the times between which it was shown."""

    sentence: str
    since: float
    until: float = math.inf
    cut_off: bool = False
    """True if the stream broke while it was shown."""


class WarningReader(threading.Thread):
    """An honest spectator who reads the warnings of the table at `port`."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.all: list[ReadWarning] = []
        """All warnings read, oldest first."""
        self._standing: dict[str, ReadWarning] = {}

    def run(self) -> None:
        while True:
            with suppress(OSError, HTTPException):
                self._listen()
            for warning in self._standing.values():
                warning.until, warning.cut_off = time.monotonic(), True
            self._standing.clear()
            time.sleep(RETRY_S)

    def _listen(self) -> None:
        line = HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=("127.200.0.2", 0))
        with closing(line):
            line.request("GET", "/stream")
            stream, rest = line.getresponse(), b""
            while data := stream.read1(1 << 18):
                *frames, rest = (rest + data).split(b"\n\n")
                for frame in frames:
                    if b"event: view\n" in frame and (found := NOTICE_PATTERN.search(frame)):
                        self.record_notice(json.loads(found[1]) or "", time.monotonic())

    def record_notice(self, notice: str, now: float) -> None:
        """Record the warnings in the current notice, "" for none."""
        shown = set(WARNING_PATTERN.findall(notice))
        for sentence in set(self._standing) - shown:
            self._standing.pop(sentence).until = now
        for sentence in shown - set(self._standing):
            self._standing[sentence] = ReadWarning(sentence, now)
            self.all.append(self._standing[sentence])

    def faults(self, hops: Sequence[float]) -> list[str]:
        """Return faults: warnings shown too briefly, and changes of seats (at the times `hops`) without a warning."""
        now, least = time.monotonic(), MIN_SHOWN_S - MAX_FRAME_DELAY_S
        short = [one for one in self.all if one.until - one.since < least and not one.cut_off]
        unseen = [
            hop
            for hop in hops
            if hop + MIN_SHOWN_S < now
            and not any(one.since <= hop + MAX_FRAME_DELAY_S and one.until >= hop + least for one in self.all)
        ]
        return [
            *(f"a warning stood only {one.until - one.since:.1f} s: {one.sentence}" for one in short),
            *(f"a phone changed its seat, and no warning stood for {MIN_SHOWN_S:.0f} s" for _ in unseen),
        ]
