"""Who a phone is: a signed cookie, given for the code on the display, and a limit on guesses.

A pass is valid for the evening: a new game has a new code, but ends no pass. A seat's passes end when the operator
frees the seat: each holds the seat's epoch, and freeing raises the table's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from fastapi import Request, Response
from itsdangerous import BadData, URLSafeSerializer
from starlette.types import Scope

from engine.seats import SEATS, Seat
from engine.secrets import HIDDEN
from engine.views import View
from web.errors import Refused
from web.port import Port

COOKIE = "dugout"
LASTS = 24 * 3600
"""Seconds a pass is valid: one long evening, both by the phone's clock and by the time the table has been on."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one phone may do. The operator's phone can also hold a seat, taken in its `epoch`."""

    operator: bool = False
    seat: Seat | None = None
    epoch: int = 0


class Passes:
    """Reads and writes passes. `key` signs them, `epoch` returns how often a seat was freed.

    `age` returns the seconds the table has been on: a Pi's time of day may be wrong, and jump by years during a game.
    """

    def __init__(
        self, key: bytes, epoch: Callable[[Seat], int] = lambda seat: 0, age: Callable[[], float] = time.monotonic
    ) -> None:
        self._signer = URLSafeSerializer(key, salt="dugout-pass-2")
        self._epoch, self._age = epoch, age

    def given(self, request: Request) -> Pass:
        """Return the pass of a request as it was given; an empty one if it is missing, forged or too old."""
        try:
            data = self._signer.loads(request.cookies.get(COOKIE, ""))
        except BadData:
            return Pass()
        if self._age() - data["at"] > LASTS:
            return Pass()
        seat = data["seat"] if data["seat"] in SEATS else None
        return Pass(bool(data["operator"]), seat, int(data.get("epoch", 0)))

    def valid(self, given: Pass) -> Pass:
        """Return what is left of a pass: not a seat that was freed since."""
        if given.seat is not None and given.epoch == self._epoch(given.seat):
            return given
        return Pass(given.operator)

    def read(self, request: Request) -> Pass:
        """Return what a request's phone may do now."""
        return self.valid(self.given(request))

    def lost(self, request: Request) -> Seat | None:
        """Return the seat this phone held until it was freed, if any."""
        given = self.given(request)
        return given.seat if self.valid(given).seat is None else None

    def write(self, response: Response, given: Pass) -> None:
        """Give a pass to a phone; an empty one deletes its cookie."""
        if given == Pass():
            response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        else:
            value = self._signer.dumps(asdict(given) | {"at": int(self._age())})
            response.set_cookie(COOKIE, value, max_age=LASTS, httponly=True, samesite="strict")


class GuessLimit:
    """Slows guessing: `tries` wrong codes from one client, or `all_tries` from all, cost a wait of `wait` seconds.

    A client that is `known` is slowed by its own guesses only: others cannot shut it out. `clock` returns seconds.
    """

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
        """Use up one try before the code is checked, so that parallel guesses count too. Raises Refused."""
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
        """Give a try back, because the code was right."""
        with self._lock:
            own, *others = self._counts(client, known)
            self._tries.pop(own[0], None)
            for key, _ in others:
                used, last = self._tries.get(key, (0, 0.0))
                self._tries[key] = (max(0, used - 1), last)


def passes(request: Request) -> Passes:
    """Return the passes of the table."""
    found: Passes = request.app.state.passes
    return found


def client(request: Request) -> str:
    """Return the address of a request's phone."""
    return request.client.host if request.client else "?"


def of(request: Request) -> Pass:
    """Return the pass of a request."""
    return passes(request).read(request)


def known(scope: Scope) -> bool:
    """Return True if a request comes from a phone with a pass."""
    return of(Request(scope)) != Pass()


def freed(seat: Seat) -> str:
    """Return the notice for a phone whose seat was freed."""
    return f"The operator freed the {seat} seat. To sit down again, enter the code on the display."


def holder(request: Request) -> Pass:
    """Return the pass of the operator or a seat. Raises Refused."""
    return _held(request)


def _held(request: Request, sentence: str = "") -> Pass:
    held = of(request)
    if held == Pass():
        lost = passes(request).lost(request)
        raise Refused(401, freed(lost) if lost else sentence)
    return held


def operator(request: Request) -> Pass:
    """Return the pass of the operator. Raises Refused."""
    held = _held(request)
    if not held.operator:
        raise Refused(403, "Only the operator may do that.")
    return held


def may_see(request: Request, seat: Seat | None) -> None:
    """Check that this phone may see `seat`'s view; anybody may see a spectator's. Raises Refused."""
    if seat is not None and _held(request, "Take the seat first.").seat != seat:
        raise Refused(403, f"This phone does not hold the {seat} seat.", "seat")


def seen(view: View) -> View:
    """Return a view as phones get it: it says that a seat has answered, never what.

    One code opens both seats, so anybody may have taken a seat to look. The phone that answered knows its answer.
    """
    return replace(view, table=replace(view.table, given=dict.fromkeys(view.table.given, HIDDEN)))


def enter(request: Request, code: str) -> None:
    """Check a code typed on a phone. Raises Refused."""
    port: Port = request.app.state.port
    gate: GuessLimit = request.app.state.gate
    address, known = client(request), passes(request).given(request) != Pass()
    gate.take(address, known)
    if not code.isascii() or port.access.role(code.strip()) != "operator":
        raise Refused(403, "That is not the code on the display.", "code")
    gate.right(address, known)
