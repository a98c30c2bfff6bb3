"""Who a phone is: a signed cookie, given for the code on the display, and a gate before guesses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from fastapi import Request, Response
from itsdangerous import BadData, URLSafeTimedSerializer

from engine.seats import SEATS, Seat
from engine.secrets import HIDDEN
from web.port import Port
from web.refusals import Refused

COOKIE = "dugout"
LASTS = 24 * 3600
"""Seconds a cookie is good for: one long evening."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one phone may do. A phone can be the operator's and hold a seat as well."""

    operator: bool = False
    seat: Seat | None = None


class Doorman:
    """Reads and writes passes. `key` signs them."""

    def __init__(self, key: bytes) -> None:
        self._signer = URLSafeTimedSerializer(key, salt="dugout-pass")

    def read(self, request: Request) -> Pass:
        """The pass a request carries; an empty one if there is none, or if it is forged or too old."""
        try:
            data = self._signer.loads(request.cookies.get(COOKIE, ""), max_age=LASTS)
        except BadData:
            return Pass()
        seat = data["seat"] if data["seat"] in SEATS else None
        return Pass(bool(data["operator"]), seat)

    def write(self, response: Response, given: Pass) -> None:
        """Hand a pass to a phone; an empty one is taken away."""
        if given == Pass():
            response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        else:
            value = self._signer.dumps(asdict(given))
            response.set_cookie(COOKIE, value, max_age=LASTS, httponly=True, samesite="strict")


class Gate:
    """Slows guessing: after `tries` wrong codes from one client, or `all_tries` from all of them, `wait` seconds
    pass before the next is looked at. `clock` gives seconds."""

    def __init__(
        self, tries: int = 5, all_tries: int = 20, wait: float = 30, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits, self._wait, self._clock = (tries, all_tries), wait, clock
        self._lock = threading.Lock()
        self._tries: dict[str, tuple[int, float]] = {}

    def take(self, client: str) -> None:
        """Use up one try, before the code is looked at, so that guesses in parallel count too. Raises Refused."""
        with self._lock:
            now = self._clock()
            self._tries = {key: (used, last) for key, (used, last) in self._tries.items() if now - last < self._wait}
            for key, limit in zip((client, ""), self._limits, strict=True):
                used, last = self._tries.get(key, (0, now))
                if used >= limit:
                    seconds = int(self._wait - (now - last)) + 1
                    raise Refused(429, f"Too many wrong codes: wait {seconds} seconds.", wait=seconds)
            for key in (client, ""):
                self._tries[key] = (self._tries.get(key, (0, now))[0] + 1, now)

    def right(self, client: str) -> None:
        """The code was right: its try is given back."""
        with self._lock:
            self._tries.pop(client, None)
            used, last = self._tries.get("", (0, 0.0))
            self._tries[""] = (max(0, used - 1), last)


def of(request: Request) -> Pass:
    """The pass of a request."""
    doorman: Doorman = request.app.state.doorman
    return doorman.read(request)


def operator(request: Request) -> Pass:
    """Dependency: only the operator. Raises Refused."""
    held = of(request)
    if held == Pass():
        raise Refused(401)
    if not held.operator:
        raise Refused(403, "Only the operator may do that.")
    return held


def holder(request: Request) -> Pass:
    """Dependency: the operator or a seat. Raises Refused."""
    held = of(request)
    if held == Pass():
        raise Refused(401)
    return held


def may_see(request: Request, seat: Seat | None) -> None:
    """Whether this phone may see `seat`'s view: anyone a spectator's, only its own phones a seat's. Raises Refused."""
    if seat is None:
        return
    held = of(request)
    if held == Pass():
        raise Refused(401, "Take the seat first.")
    if held.seat != seat:
        raise Refused(403, f"This phone does not hold the {seat} seat.", "seat")


def seen(port: Port, seat: Seat | None) -> dict[str, Any]:
    """The view of an audience as its phones get it: that a seat has answered, never what.

    One code opens both seats, so whoever holds a seat may have taken it to look. The phone that answered knows what.
    """
    view = port.view(seat)
    table = view["table"]
    return view | {"table": table | {"given": dict.fromkeys(table["given"], HIDDEN)}}


def enter(request: Request, code: str) -> None:
    """Check a code typed on a phone. Raises Refused."""
    port: Port = request.app.state.port
    gate: Gate = request.app.state.gate
    client = request.client.host if request.client else "?"
    gate.take(client)
    if not code.isascii() or port.role(code.strip()) != "operator":
        raise Refused(403, "That is not the code on the display.", "code")
    gate.right(client)
