"""A hostile phone that signs in, over one connection from its own loopback address. Linux only."""

from __future__ import annotations

import http.client
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

TIMEOUT_S = 5.0  # Timeout of connections and replies, in seconds.
BUSY_STATUS = 503  # The only legitimate status from 500 on, which means that the table is busy.


def guest_address(guest: int) -> str:
    """Return the loopback address of a hostile guest. No honest phone has one of these."""
    return f"127.66.{guest // 250}.{1 + guest % 250}"


class HostilePhone:
    """A hostile phone at the table at `port`, which reads the code from the journal in `folder`. Not thread-safe.

    seat: a seat, or "" for the operator.
    errors: gets replies that a table must never give.

    Methods raise OSError and HTTPException if the connection breaks, `sign_in` also sqlite3.Error.
    """

    def __init__(self, port: int, folder: Path, guest: int, seat: str, errors: list[str]) -> None:
        self._folder, self._errors, self.seat = folder, errors, seat
        self._line = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=TIMEOUT_S, source_address=(guest_address(guest), 0)
        )
        self._cookie, self._signed_in, self.body = "", False, b""

    def send(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> int:
        """Send a request, store the reply in `body`, and return the status."""
        whole = {"Cookie": self._cookie} if self._cookie else {}
        try:
            self._line.request(method, path, body or None, {**whole, **(headers or {})})
            answer = self._line.getresponse()
            self.body = answer.read()
        except BaseException:
            self._line.close()
            raise
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        if answer.status >= 500 and answer.status != BUSY_STATUS:
            self._errors.append(f"{method} {path[:60]} got {answer.status}")
        if answer.status == 401:
            self._signed_in = False
        return answer.status

    def post(self, path: str, body: object) -> int:
        whole = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", path, whole, {"Content-Type": "application/json"})

    def submit(self, path: str, **fields: str) -> int:
        return self.send(
            "POST", path, urlencode(fields).encode(), {"Content-Type": "application/x-www-form-urlencoded"}
        )

    def sign_in(self, seat: str | None = None, again: bool = False) -> bool:
        """Sign in with the code if signed out, for another `seat`, or if `again`. Return True if signed in."""
        if seat is not None and seat != self.seat:
            self.seat, self._signed_in = seat, False
        if again or not self._signed_in:
            fields = {"code": displayed_code(self._folder)} | ({"seat": self.seat} if self.seat else {})
            self._signed_in = self.submit("/seat" if self.seat else "/table", **fields) == 303
        return self._signed_in

    def open_ask_numbers(self) -> list[int]:
        """Return the numbers of the seat's open asks."""
        if self.send("GET", f"/api/view?seat={self.seat}") != 200:
            return []
        return [ask["n"] for ask in json.loads(self.body)["table"]["asks"] if ask["seat"] == self.seat]

    def clear_pass(self) -> None:
        """Discard the pass, like a phone whose cookies were deleted."""
        self._cookie, self._signed_in = "", False


def displayed_code(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "journal.db", timeout=TIMEOUT_S)) as db:
        ((found,),) = db.execute("select value from meta where key = 'code'").fetchall()
    return str(found)
