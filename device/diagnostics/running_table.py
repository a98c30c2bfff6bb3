"""Asks the table that runs on this machine, over its own pages: it has the parts, so it knows best how they are."""

from __future__ import annotations

import io
import json
import os
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

from device.machine import Machine
from device.settings import WebSettings
from device.storage.database import values

PATIENCE = 10.0
"""Seconds to wait for an answer; a page that takes longer hangs (`device.app.HANGS`)."""


class NotAnswering(OSError):
    """A table runs and does not tell; the sentence says why and what to do."""


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing: the answer itself holds the pass."""

    def redirect_request(self, *_: Any) -> None:
        """To nowhere."""


class RunningTable:
    """A running table. Each method raises OSError when it does not answer (any more)."""

    def __init__(self, address: str) -> None:
        self._address = address
        # Without what the environment may say of proxies: this never leaves the machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)
        self._pass = ""

    def enter(self, code: str) -> bool:
        """Become the operator with the code, as a phone does; gives whether it was the right one."""
        try:
            self._ask("/table", urllib.parse.urlencode({"code": code}).encode())
        except urllib.error.HTTPError as answer:
            with answer:
                self._pass = (answer.headers.get("Set-Cookie") or "").partition(";")[0]
        return bool(self._pass)

    def health(self) -> list[dict[str, Any]]:
        """What anyone may know."""
        found: list[dict[str, Any]] = json.loads(self._ask("/api/health"))
        return found

    def figures(self) -> dict[str, Any]:
        """What only the operator may (`web.port.Port.figures`)."""
        found: dict[str, Any] = json.loads(self._ask("/api/figures"))
        return found

    def log(self) -> list[str]:
        """The last lines of its log."""
        with zipfile.ZipFile(io.BytesIO(self._ask("/doctor.zip"))) as packed:
            return packed.read("log.txt").decode().splitlines()

    def _ask(self, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(f"http://{self._address}{path}", body, {"Cookie": self._pass})
        with self._opener.open(request, timeout=PATIENCE) as answer:
            said: bytes = answer.read()
            return said


def find(machine: Machine, web: WebSettings, data: Path) -> RunningTable | None:
    """The table that has its journal in `data`, entered; None when none runs at all. Raises Silent."""
    code = next(iter(values(data / "journal.db", "code")), None)
    held, others = locked(machine, data), False
    for table in map(RunningTable, _addresses(web)):
        try:
            others |= any("part" in one for one in table.health())
            if code is not None and table.enter(code):
                return table
        except (OSError, ValueError, TypeError):
            continue
        if code is None and held is None:
            raise NotAnswering(
                "a table runs, and this user may not read its code. Run the doctor with sudo to hear all."
            )
    if held:
        raise NotAnswering("a table runs and does not answer. Start it again: sudo systemctl restart dugout.")
    if others:
        raise NotAnswering("another table runs here: name its folder with --data, or end it.")
    return None


def _addresses(web: WebSettings) -> list[str]:
    host = f"[{web.host}]" if ":" in web.host else web.host
    if web.host in ("0.0.0.0", "::", "localhost"):
        host = "127.0.0.1"
    return [f"{host}:{web.port}", "127.0.0.1:80"]


def locked(machine: Machine, data: Path) -> bool | None:
    """Whether a table has the journal in `data`; None where that may not be known. It is not touched to find out."""
    try:
        inode = os.stat(data / "journal.db.lock").st_ino
    except FileNotFoundError:
        return False
    except OSError:
        return None
    locks = machine.read("proc/locks")
    if locks is None:
        return None
    rows = (row.split() for row in locks.splitlines())
    return any("FLOCK" in row and "WRITE" in row and any(part.endswith(f":{inode}") for part in row) for row in rows)
