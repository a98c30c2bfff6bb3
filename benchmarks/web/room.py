"""Room full of listening phones. `benchmarks.web.crowd` starts this process and sends it commands as JSON lines.

It uses one thread, one epoll and no library, so that listening costs less here than sending costs the server. Each
phone has its own loopback address. Linux only.
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any

VIEW = re.compile(rb"event: (?:view|change)\nid: (\d+)\ndata: .*")
TABLE = re.compile(rb'"table":\{"seat":null,"version":(\d+)|\["table","version"\],(\d+)')
REQUEST = "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\nUser-Agent: {agent}\r\n\r\n"
USER_AGENT = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36"
SIP_INTERVAL_S = 1.0  # Seconds between two bytes of the slow readers that read at all.


class Phone:
    """One stream. `heard` has time of completion, version and table version of each frame since the last command."""

    def __init__(self, number: int, port: int, room: int = 0) -> None:
        self.socket = socket.socket()
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.bind((f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}", 0))
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(REQUEST.format(path="/stream?changes=true", port=port, agent=USER_AGENT).encode())
        self.heard: list[tuple[float, int, int]] = []
        self.version, self.table, self.largest, self.bytes = -1, -1, 0, 0
        self._parts: list[bytes] = []

    def receive_data(self, data: bytes, now: float) -> None:
        self.bytes += len(data)
        self._parts.append(data)
        if not data.endswith((b"\n\n\r\n", b"\n\n")):
            return
        whole = b"".join(self._parts)
        self._parts.clear()
        found = [*VIEW.finditer(whole)][-1:]
        for view in found:
            table = TABLE.search(view[0])
            self.version, self.table = int(view[1]), int(table[1] or table[2]) if table else self.table
            self.heard.append((now, self.version, self.table))
            self.largest = max(self.largest, len(whole) - view.start())


class Room:
    def __init__(self, port: int) -> None:
        self._port = port
        self._poll = select.epoll()
        self._poll.register(sys.stdin.fileno(), select.EPOLLIN)
        self.phones: dict[int, Phone] = {}
        self.slow: dict[int, Phone] = {}
        self.lost = self.dropped = 0
        self._number, self._sip = 0, 0.0
        self._typed = b""

    def _open(self, room: int = 0) -> Phone:
        phone = Phone(self._number, self._port, room)
        phone.socket.setblocking(False)
        self._number += 1
        return phone

    def open(self, count: int) -> None:
        for _ in range(count):
            phone = self._open()
            self.phones[phone.socket.fileno()] = phone
            self._poll.register(phone.socket, select.EPOLLIN)
            self._poll_events(0)

    def open_slow(self, count: int) -> None:
        """Connect this many slow phones. Every other one reads a byte a second, the rest never read."""
        for _ in range(count):
            phone = self._open(4096)
            self.slow[phone.socket.fileno()] = phone
            self._poll.register(phone.socket, select.EPOLLRDHUP)

    def poll(self) -> list[Any]:
        """Handle events for up to 0.2 seconds. Return the received commands."""
        now = time.monotonic()
        if now >= self._sip:
            self._sip = now + SIP_INTERVAL_S
            for phone in list(self.slow.values())[::2]:
                try:
                    phone.bytes += len(phone.socket.recv(1))
                except OSError:
                    continue
        return list(self._poll_events(0.2))

    def _poll_events(self, seconds: float) -> Iterator[Any]:
        commands = []
        for number, event in self._poll.poll(seconds):
            if number in self.phones:
                self._read(number)
            elif number in self.slow:
                self._poll.unregister(number)
                self.slow.pop(number).socket.close()
                self.dropped += 1
                self.open_slow(1)
            else:
                data = os.read(number, 65536) if event & select.EPOLLIN else b""
                if not data:
                    raise SystemExit
                *lines, self._typed = (self._typed + data).split(b"\n")
                commands += [json.loads(line) for line in lines]
        return iter(commands)

    def _read(self, number: int) -> None:
        phone = self.phones[number]
        try:
            data = phone.socket.recv(262144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            phone.receive_data(data, time.monotonic())
            return
        self._poll.unregister(number)
        self.phones.pop(number).socket.close()
        self.lost += 1


def execute_command(room: Room, command: dict[str, Any]) -> dict[str, Any] | None:
    """Execute a command. Return None while its condition is not met and its time is not over."""
    match command["do"]:
        case "open":
            room.open(command["count"])
        case "slow":
            room.open_slow(command["count"])
        case "clear":
            for phone in room.phones.values():
                phone.heard.clear()
        case "wait":
            behind = sum(phone.version < command["version"] for phone in room.phones.values())
            if behind and time.monotonic() < command["until"]:
                return None
            since, table = command["since"], command["table"]
            times = [
                next(
                    (when - since for when, _, seen in phone.heard if seen >= table),
                    None,
                )
                for phone in room.phones.values()
            ]
            return {
                "behind": behind,
                "times": [one for one in times if one is not None],
            }
        case "report":
            pass
    return {
        "phones": len(room.phones),
        "lost": room.lost,
        "dropped": room.dropped,
        "largest": max((phone.largest for phone in room.phones.values()), default=0),
        "bytes": sum(phone.bytes for phone in room.phones.values()),
        "clock": time.process_time(),
    }


def main() -> None:
    room = Room(int(sys.argv[1]))
    waiting: list[dict[str, Any]] = []
    while True:
        waiting += room.poll()
        while waiting and (said := execute_command(room, waiting[0])) is not None:
            waiting.pop(0)
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
