"""Who a phone is: a signed cookie, given for the code on the display, and a gate before guesses.

A pass is good for the evening: a new game brings a new code, and takes nobody's pass away. A seat's passes end when the
operator frees the seat: each holds the seat's epoch, and the table's then has risen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from fastapi import Request, Response
from itsdangerous import BadData, URLSafeSerializer

from engine.seats import SEATS, Seat
from engine.secrets import HIDDEN
from engine.views import View
from web.errors import Refused
from web.port import Port

COOKIE = "dugout"
LASTS = 24 * 3600
"""Seconds a pass is good for: one long evening, by the phone's clock, and of the time for which the table is on."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one phone may do. A phone can be the operator's and hold a seat as well, taken in its `epoch`."""

    operator: bool = False
    seat: Seat | None = None
    epoch: int = 0


class Passes:
    """Reads and writes passes. `key` signs them, `epoch` tells how often a seat was freed, `age` the seconds for which
    the table was on: the time of day may be any on a Pi, and jump by years in the middle of a game."""

    def __init__(
        self, key: bytes, epoch: Callable[[Seat], int] = lambda seat: 0, age: Callable[[], float] = time.monotonic
    ) -> None:
        self._signer = URLSafeSerializer(key, salt="dugout-pass-2")
        self._epoch, self._age = epoch, age

    def given(self, request: Request) -> Pass:
        """The pass a request carries, as it was given; an empty one if there is none, or it is forged or too old."""
        try:
            data = self._signer.loads(request.cookies.get(COOKIE, ""))
        except BadData:
            return Pass()
        if self._age() - data["at"] > LASTS:
            return Pass()
        seat = data["seat"] if data["seat"] in SEATS else None
        return Pass(bool(data["operator"]), seat, int(data.get("epoch", 0)))

    def valid(self, given: Pass) -> Pass:
        """What is left of a pass: a seat that was freed since is not."""
        if given.seat is not None and given.epoch == self._epoch(given.seat):
            return given
        return Pass(given.operator)

    def read(self, request: Request) -> Pass:
        """What a request's phone may do now."""
        return self.valid(self.given(request))

    def lost(self, request: Request) -> Seat | None:
        """The seat this phone held until it was freed."""
        given = self.given(request)
        return given.seat if self.valid(given).seat is None else None

    def write(self, response: Response, given: Pass) -> None:
        """Hand a pass to a phone; an empty one is taken away."""
        if given == Pass():
            response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        else:
            value = self._signer.dumps(asdict(given) | {"at": int(self._age())})
            response.set_cookie(COOKIE, value, max_age=LASTS, httponly=True, samesite="strict")


class GuessLimit:
    """Slows guessing: after `tries` wrong codes from one client, or `all_tries` from all of them, `wait` seconds
    pass before the next is looked at. Whoever was `known` already is slowed by its own guesses only: others cannot keep
    it out. `clock` gives seconds."""

    def __init__(
        self, tries: int = 5, all_tries: int = 20, wait: float = 30, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits, self._wait, self._clock = (tries, all_tries), wait, clock
        self._lock = threading.Lock()
        self._tries: dict[str, tuple[int, float]] = {}

    def _counts(self, client: str, known: bool) -> list[tuple[str, int]]:
        alone, together = self._limits
        return [(f"known {client}", alone)] if known else [(client, alone), ("", together)]

    def take(self, client: str, known: bool = False) -> None:
        """Use up one try, before the code is looked at, so that guesses in parallel count too. Raises Refused."""
        with self._lock:
            now = self._clock()
            self._tries = {key: (used, last) for key, (used, last) in self._tries.items() if now - last < self._wait}
            counts = self._counts(client, known)
            for key, limit in counts:
                used, last = self._tries.get(key, (0, now))
                if used >= limit:
                    seconds = int(self._wait - (now - last)) + 1
                    raise Refused(429, f"Too many wrong codes: wait {seconds} seconds.", wait=seconds)
            for key, _ in counts:
                self._tries[key] = (self._tries.get(key, (0, now))[0] + 1, now)

    def right(self, client: str, known: bool = False) -> None:
        """The code was right: its try is given back."""
        with self._lock:
            own, *others = self._counts(client, known)
            self._tries.pop(own[0], None)
            for key, _ in others:
                used, last = self._tries.get(key, (0, 0.0))
                self._tries[key] = (max(0, used - 1), last)


def door(request: Request) -> Passes:
    """The table's doorman."""
    doorman: Passes = request.app.state.doorman
    return doorman


def of(request: Request) -> Pass:
    """The pass of a request."""
    return door(request).read(request)


def freed(seat: Seat) -> str:
    """What a phone is told whose seat was freed."""
    return f"The operator freed the {seat} seat. To sit down again, enter the code on the display."


def _stranger(request: Request, sentence: str = "") -> Refused:
    """Why a phone without a pass may not: it has none, or its seat was freed."""
    lost = door(request).lost(request)
    return Refused(401, freed(lost) if lost else sentence)


def operator(request: Request) -> Pass:
    """Dependency: only the operator. Raises Refused."""
    held = of(request)
    if held == Pass():
        raise _stranger(request)
    if not held.operator:
        raise Refused(403, "Only the operator may do that.")
    return held


def holder(request: Request) -> Pass:
    """Dependency: the operator or a seat. Raises Refused."""
    held = of(request)
    if held == Pass():
        raise _stranger(request)
    return held


def may_see(request: Request, seat: Seat | None) -> None:
    """Whether this phone may see `seat`'s view: anyone a spectator's, only its own phones a seat's. Raises Refused."""
    if seat is None:
        return
    held = of(request)
    if held == Pass():
        raise _stranger(request, "Take the seat first.")
    if held.seat != seat:
        raise Refused(403, f"This phone does not hold the {seat} seat.", "seat")


def seen(view: View) -> View:
    """Return the view of an audience as its phones get it: that a seat has answered, never what.

    One code opens both seats, so somebody may have taken a seat to look. The phone that answered knows what it gave.
    """
    return replace(view, table=replace(view.table, given=dict.fromkeys(view.table.given, HIDDEN)))


def enter(request: Request, code: str) -> None:
    """Check a code typed on a phone. Raises Refused."""
    port: Port = request.app.state.port
    gate: GuessLimit = request.app.state.gate
    client = request.client.host if request.client else "?"
    known = door(request).given(request) != Pass()
    gate.take(client, known)
    if not code.isascii() or port.access.role(code.strip()) != "operator":
        raise Refused(403, "That is not the code on the display.", "code")
    gate.right(client, known)
