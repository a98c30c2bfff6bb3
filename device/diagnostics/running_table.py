"""Asks the table running on this machine, over its own pages, about its parts."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

from pydantic import TypeAdapter

from device.diagnostics import peer
from device.diagnostics.facts import Facts
from device.machine import Machine
from device.settings import WebSettings
from device.shapes import Figures
from device.storage.database import values

PATIENCE = 10.0  # seconds to wait for an answer; a page that takes longer hangs (`device.app.HANGS`)


class NotAnswering(OSError):
    """A table is running but cannot be asked; the sentence says why and what to do."""


class Stranger(OSError):
    """What answers is run by another user; it was told nothing."""


class RunningTable:
    """A running table. Each method raises OSError if the table does not answer.

    Only a process of the user `owner`, by default this one's, hears code and pass.
    """

    def __init__(self, address: str, owner: int | None = None) -> None:
        self._address, self._pass = address, ""
        self._owner = os.geteuid() if owner is None else owner

    def log_in(self, code: str) -> bool:
        """Become the operator, as a phone does; return True if the code is right."""
        with self._known() as connection:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", "/table", urlencode({"code": code}), form)
            # The redirect itself holds the pass.
            self._pass = (connection.getresponse().headers.get("Set-Cookie") or "").partition(";")[0]
        return bool(self._pass)

    def leave(self) -> None:
        """Give the pass up, as a phone does, so that it takes no place on the list; a table that is gone has none."""
        given, self._pass = self._pass, ""
        with suppress(OSError, ValueError, HTTPException), self._known() as connection:
            connection.request("POST", "/leave", headers={"Cookie": given})
            connection.getresponse().read()

    def is_table(self) -> bool:
        """Return True if this is a Dugout table, run by anybody."""
        with closing(HTTPConnection(self._address, timeout=PATIENCE)) as connection:
            return any("part" in one for one in json.loads(_got(connection, "/api/health", {})))

    def figures(self) -> Figures:
        """Return what the table knows about its parts."""
        return TypeAdapter(Figures).validate_json(self._get("/api/figures"))

    def log(self) -> list[str]:
        """Return the last lines of the table's log."""
        with zipfile.ZipFile(io.BytesIO(self._get("/doctor.zip"))) as packed:
            return packed.read("log.txt").decode().splitlines()

    def _get(self, path: str) -> bytes:
        with self._known() as connection:
            return _got(connection, path, {"Cookie": self._pass})

    @contextmanager
    def _known(self) -> Iterator[HTTPConnection]:
        """Connect, and hear a first answer, from which it is known who accepted the connection."""
        with closing(HTTPConnection(self._address, timeout=PATIENCE)) as connection:
            _got(connection, "/api/health", {})
            if connection.sock is None or peer.owner(connection.sock) != self._owner:
                raise Stranger("another user's program answers")
            yield connection


def _got(connection: HTTPConnection, path: str, headers: Mapping[str, str]) -> bytes:
    connection.request("GET", path, headers=dict(headers))
    answer = connection.getresponse()
    if answer.status != HTTPStatus.OK:
        raise OSError(f"status {answer.status}")
    return answer.read()


def find(facts: Facts) -> RunningTable | None:
    """Return the table with its journal in `facts.data`, logged in until `leave`; None if no table is running.

    Raises NotAnswering if one is running and cannot be asked.
    """
    code = next(iter(values(facts.data / "journal.db", "code")), None)
    held, others = locked(facts.machine, facts.data), False
    for address in _addresses(facts.settings.web):
        try:
            table = RunningTable(address, facts.data.stat().st_uid if code is not None else None)
            others |= table.is_table()
            if code is not None and table.log_in(code):
                return table
        except (OSError, ValueError, TypeError, HTTPException):
            continue
        if code is None and held is None:
            raise NotAnswering("a table is running, and you may not read its code. Run the doctor with sudo.")
    if held:
        raise NotAnswering("a table is running and does not answer. Restart it: sudo systemctl restart dugout.")
    if others:
        raise NotAnswering("another table is running here: name its folder with --data, or stop it.")
    return None


def _addresses(web: WebSettings) -> list[str]:
    host = f"[{web.host}]" if ":" in web.host else web.host
    if web.host in ("0.0.0.0", "::", "localhost"):
        host = "127.0.0.1"
    return [f"{host}:{web.port}", "127.0.0.1:80"]


def locked(machine: Machine, data: Path) -> bool | None:
    """Return whether a table has locked the journal in `data`, without touching it; None if that cannot be known."""
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
