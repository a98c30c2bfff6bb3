"""Who is in the room: the phones that listen now, and how many may. Nothing of it is kept once they leave."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from starlette.types import Receive, Scope, Send

from engine.seats import Seat
from web.dependencies import Operator, RequestBody, Table, fresh
from web.errors import RESPONSES, Refused
from web.models import ListeningPhone, Presence
from web.port import SEAT_NOTICE
from web.routes.api import DoneReply
from web.schema import returns
from web.security import auth
from web.security.auth import Pass

MOST = 1000
"""Streams in all: more than a room holds, and no more than a small Pi has memory for."""

EACH = 40
"""Streams from one address: a household's whole network may come from one, a single phone has a handful of pages."""

KEPT = 0.05
"""The part of both that only phones with a pass may use: spectators who listen never shut a seat or the operator out.
How many lines of any other kind an address may hold is the server's to say (`device.service.connections`)."""

AGAIN = 30
"""Seconds after which a phone that found the house full may ask again."""

SIGNS = (
    ("OBS", ("obs/", "obs-")),
    ("TV", ("tv", "tizen", "web0s", "webos", "bravia", "crkey", " aft")),
    ("iPad", ("ipad",)),
    ("iPhone", ("iphone", "ipod")),
    ("Android", ("android",)),
    ("Chromebook", ("cros ",)),
    ("Mac", ("macintosh",)),
    ("Windows", ("windows",)),
    ("Linux", ("linux", "x11")),
)
"""What a browser says of itself, in small letters, by the word for it; the first that fits is taken."""


def device(agent: str) -> str:
    """A word for what listens, from its User-Agent: enough to tell one's own phone, too little to know it again."""
    said = agent.lower()
    return next((word for word, signs in SIGNS if any(sign in said for sign in signs)), "other")


@dataclass(frozen=True, slots=True, eq=False)
class PhoneRow:
    """One page that listens. `since` is on the clock of its `Phones`."""

    held: Pass
    device: str
    address: str
    since: float


class Phones:
    """The phones that listen now: at most `most`, and `each` from one address. Safe to use from any thread."""

    def __init__(self, most: int = MOST, each: int = EACH, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._each, self._clock = most, each, clock
        self._lock = threading.Lock()
        self._here: dict[PhoneRow, None] = {}
        self._from: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._here)

    @contextmanager
    def listen(self, held: Pass, agent: str, address: str) -> Iterator[PhoneRow]:
        """A phone is here while this lasts. Raises Refused where there is no room."""
        phone = PhoneRow(held, device(agent), address, self._clock())
        part = 1 if held != Pass() else 1 - KEPT
        with self._lock:
            if len(self._here) >= self._most * part:
                raise Refused(503, "The house is full: too many phones watch already. Try again soon.", "full", AGAIN)
            if self._from[address] >= self._each * part:
                raise Refused(429, "Too many pages are open on this phone or network: close some.", "full", AGAIN)
            self._here[phone] = None
            self._from[address] += 1
        try:
            yield phone
        finally:
            with self._lock:
                del self._here[phone]
                self._from[address] -= 1
                if not self._from[address]:
                    del self._from[address]

    def presence(self, code: str, valid: Callable[[Pass], Pass]) -> Presence:
        """Return who is here now. `code` is the one on the display; `valid` gives what is left of a pass."""
        now = self._clock()
        with self._lock:
            here = [(phone, valid(phone.held)) for phone in self._here]
        spectators = Counter(phone.device for phone, held in here if held == Pass())
        phones = [
            ListeningPhone("operator" if held.operator else "seat", held.seat, phone.device, int(now - phone.since))
            for phone, held in here
            if held != Pass()
        ]
        return Presence(code, phones, dict(spectators.most_common()))


class ListeningResponse(Response):
    """An answer that goes on: the phone that hears it is in the room meanwhile."""

    def __init__(self, answer: Response, phones: Phones, request: Request, held: Pass) -> None:
        self.background = None
        self._answer, self._phones, self._held = answer, phones, held
        self._agent = request.headers.get("user-agent", "")
        self._address = request.client.host if request.client else "?"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, where there is room for one more."""
        with self._phones.listen(self._held, self._agent, self._address):
            await self._answer(scope, receive, send)


def _phones(request: Request) -> Phones:
    phones: Phones = request.app.state.phones
    return phones


router = APIRouter(prefix="/api")

In = Annotated[Phones, Depends(_phones)]
REFUSALS: dict[int | str, dict[str, Any]] = {status: RESPONSES[status] for status in (401, 403)}


class FreeBody(RequestBody):
    """The seat that its phones are to give up."""

    seat: Seat


@router.get("/phones", tags=["operator"], summary="Who is in the room", responses=REFUSALS | returns(Presence))
def phones(request: Request, held: Operator, here: In, port: Table) -> Response:
    """The phones that listen now, for the operator. Their addresses are not told."""
    return fresh(here.presence(port.access.code, auth.door(request).valid))


@router.post("/free", tags=["operator"], summary="Free a seat", responses=RESPONSES)
def free(given: FreeBody, request: Request, held: Operator, port: Table) -> DoneReply:
    """Every phone of the seat becomes a spectator's and is told so. The code changes: the seat is taken anew."""
    port.access.free(given.seat)
    request.app.state.streams.free(given.seat, auth.freed(given.seat))
    port.game.tell(f"The {given.seat} seat was freed.", SEAT_NOTICE)
    return DoneReply()


@router.post("/shutdown", tags=["operator"], summary="Switch the table off", responses=RESPONSES)
def shutdown(held: Operator, port: Table) -> DoneReply:
    """The table ends in order; its display says when it is safe to unplug. Streams end with `over`."""
    port.shutdown()
    return DoneReply()
