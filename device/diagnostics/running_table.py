"""Socket through which the doctor asks the running table. Only root and the table's user may use it."""

from __future__ import annotations

import json
import logging
import os
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from pydantic import TypeAdapter

from device.diagnostics.facts import DoctorFacts
from device.settings import WebSettings
from device.shapes import Figures

log = logging.getLogger("dugout.doctor")

ANSWER_TIMEOUT_S = 10.0
"""Timeout for an answer, in seconds. A table that takes longer hangs (`device.app.HANG_TIMEOUT_S`)."""


@dataclass(frozen=True, slots=True)
class TableReport:
    """State of the running table's parts, and the last lines of its log."""

    figures: Figures
    log: list[str]


REPORT_ADAPTER = TypeAdapter(TableReport)


class TableNotAnsweringError(OSError):
    """A running table cannot be asked. The message says why and what to do."""


class DoctorSocket:
    """Socket of the table with its journal in `data`. Requests wait until `start_answering`."""

    def __init__(self, data: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.bind(_socket_name(data))
            self._socket.listen()
        except OSError as error:  # the game matters more
            log.warning("The doctor cannot ask this table: %s.", error)

    def start_answering(self, report: Callable[[], TableReport]) -> None:
        """Answer each request with a `report`, in a thread, until `close`."""
        threading.Thread(target=self._answer_requests, args=(report,), name="doctor", daemon=True).start()

    def _answer_requests(self, report: Callable[[], TableReport]) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                try:
                    connection.settimeout(ANSWER_TIMEOUT_S)
                    if _peer_user(connection) in (0, os.geteuid()):
                        connection.sendall(REPORT_ADAPTER.dump_json(report()))
                except OSError:  # the client has gone
                    continue
                except Exception:  # one failed answer must not end the thread
                    log.exception("The doctor got no answer.")

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # closing alone does not end `accept`
        self._socket.close()


def request_report(data: Path) -> TableReport:
    """Ask the table with its journal in `data` for its report.

    Raises FileNotFoundError or ConnectionRefusedError if none is running, TableNotAnsweringError if it cannot be asked.
    """
    owner, said = data.stat().st_uid, b""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(ANSWER_TIMEOUT_S)
        sock.connect(_socket_name(data))
        if _peer_user(sock) != owner:
            raise ConnectionRefusedError("another user's program answers")
        try:
            while more := sock.recv(1 << 16):
                said += more
            if not said:
                raise TableNotAnsweringError("a table is running, but you can't query it. Run the doctor with sudo.")
            return REPORT_ADAPTER.validate_json(said)
        except (TimeoutError, ConnectionResetError, ValueError):
            raise TableNotAnsweringError(
                "a table is running and does not answer. Restart it: sudo systemctl restart dugout."
            ) from None


def _socket_name(data: Path) -> str:
    """Name of the socket. Its zero byte keeps it out of the file system, so it ends with its process: unix(7)."""
    found = data.stat()
    return f"\0dugout-{found.st_dev}-{found.st_ino}"


def _peer_user(connection: socket.socket) -> int:
    """User ID of the process at the other end, which called `listen` or `connect`."""
    asked = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("iII"))
    user: int = struct.unpack("iII", asked)[1]
    return user


def find_report(facts: DoctorFacts) -> TableReport | None:
    """Report of the table with its journal in `facts.data`. None if no table is running.

    Raises TableNotAnsweringError if one is running and cannot be asked, even if its journal is elsewhere.
    """
    try:
        return request_report(facts.data)
    except TableNotAnsweringError:
        raise
    except OSError:
        pass
    if any(map(_is_table, _page_addresses(facts.settings.web))):
        raise TableNotAnsweringError("another table is running here: name its folder with --data, or stop it.")
    return None


def _is_table(address: str) -> bool:
    """True if a Dugout table serves the pages at this address."""
    with (
        suppress(OSError, ValueError, TypeError, HTTPException),
        closing(HTTPConnection(address, timeout=ANSWER_TIMEOUT_S)) as web,
    ):
        web.request("GET", "/api/health")
        return any("part" in one for one in json.load(web.getresponse()))
    return False


def _page_addresses(web: WebSettings) -> list[str]:
    host = f"[{web.host}]" if ":" in web.host else web.host
    if web.host in ("0.0.0.0", "::", "localhost"):
        host = "127.0.0.1"
    return [f"{host}:{web.port}", "127.0.0.1:80"]
