"""Who a phone is and what it may do: checks of a request's pass, and of the code on the display."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

from fastapi import Request, Response
from starlette.types import Scope

from engine.seats import Seat
from engine.secrets import HIDDEN
from engine.views import View
from web.errors import Refused
from web.port import Port
from web.security.addresses import counted
from web.security.guessing import GuessLimit
from web.security.passes import Pass, Passes, SignedOutError

SIGNED_OUT = "This phone was signed out. To go on, enter the code on the display."
"""The notice for a phone whose pass was ended by somebody else."""


def passes(request: Request) -> Passes:
    """Return the passes of the table."""
    found: Passes = request.app.state.passes
    return found


def client(request: Request) -> str:
    """Return what a request's phone is counted as: its address, or its network of IPv6."""
    return counted(request.client.host) if request.client else "?"


def of(request: Request) -> Pass:
    """Return the pass of a request, and note when it asked: before or after others were signed out."""
    if _asked(request) is None:
        request.state.asked = passes(request).listed.sign_outs
    return passes(request).read(request)


def _asked(request: Request) -> int | None:
    """Return how often phones had been signed out when this request's pass was read first; None: it was not yet."""
    asked: int | None = getattr(request.state, "asked", None)
    return asked


def held_by(scope: Scope) -> Pass:
    """Return the pass of a request that is not routed yet."""
    return of(Request(scope))


FREED = "The operator freed this seat. To sit down again, enter the code on the display."
"""The notice for a phone whose seat was freed."""


def parted(request: Request) -> str:
    """Return the notice for a phone that could do more until somebody else changed that; "" for any other."""
    lost = passes(request).lost(request)
    return FREED if lost else SIGNED_OUT if passes(request).ended(request) else ""


def holder(request: Request) -> Pass:
    """Return the pass of the operator or a seat. Raises Refused."""
    return _held(request)


def _held(request: Request, sentence: str = "") -> Pass:
    held = of(request)
    if held == Pass():
        raise Refused(401, parted(request) or sentence)
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
        raise Refused(403, "This phone does not hold that seat.", "seat")


def seen(view: View) -> View:
    """Return a view as phones get it: it says that a seat has answered, never what.

    One code opens both seats, so anybody may have taken a seat to look. The phone that answered knows its answer.
    """
    return replace(view, table=replace(view.table, given=dict.fromkeys(view.table.given, HIDDEN)))


def enter(request: Request, code: str) -> None:
    """Check a code typed on a phone. Raises Refused."""
    port: Port = request.app.state.port
    gate: GuessLimit = request.app.state.gate
    pass_id = passes(request).given(request).id
    phone, is_known = pass_id or client(request), bool(pass_id)
    gate.take(phone, is_known)
    if not code.isascii() or port.access.role(code.strip()) != "operator":
        if gate.guessed():
            port.access.guessed()
        raise Refused(403, "That is not the code on the display.", "code")
    gate.right(phone, is_known)


@contextmanager
def _refusal() -> Iterator[None]:
    try:
        yield
    except SignedOutError:
        sentence = "Phones were signed out just now: enter the code on the display again."
        raise Refused(403, sentence, "code") from None


def admit(request: Request, response: Response, given: Pass) -> None:
    """Give a phone a pass in place of the one it has; an empty one signs it out. Streams of the old one end.

    Raises Refused if phones were signed out since it asked: this may be one of them.
    """
    old = passes(request).given(request).id
    for phone in request.app.state.phones.here():
        passes(request).listed.find(phone.held.id)  # it is in use: others fall off the list first
    agent, asked = request.headers.get("user-agent", ""), _asked(request)
    with _refusal():
        passes(request).write(response, replace(given, id=old), agent, client(request), asked)
    if old:
        request.app.state.streams.end({old})


def sign_out(request: Request, ids: Collection[str]) -> None:
    """End these passes and their streams, and change the code, which their owners may know. Raises Refused as `admit`
    does.
    """
    port: Port = request.app.state.port
    port.access.recode()  # first: who asks once the passes have ended finds the old code ended, too
    with _refusal():
        request.state.asked = passes(request).listed.sign_out(ids, _asked(request))
    request.app.state.streams.end(ids, SIGNED_OUT)
