"""Who a phone is and what it may do: checks of a request's pass, and of the code on the display."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from fastapi import Request, Response
from starlette.types import Scope

from engine.seats import Seat
from engine.secrets import HIDDEN
from engine.views import View
from web.port import Port
from web.security import addresses, admission
from web.security.admission import Gate
from web.security.guessing import GuessLimit
from web.security.passes import Pass, Passes, SignedOutError
from web.security.refused import TurnedAway


def passes(request: Request) -> Passes:
    """Return the passes of the table."""
    found: Passes = request.app.state.passes
    return found


def client(request: Request) -> str:
    """Return what a request's phone is counted as: its address, or its network of IPv6."""
    return addresses.client(request.scope)


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


def parted(request: Request) -> str:
    """Return the notice for a phone that could do more until somebody else changed that; "" for any other."""
    gate = _parted(request)
    return gate.sentence if gate else ""


def _parted(request: Request) -> Gate | None:
    if passes(request).lost(request):
        return admission.FREED
    return admission.SIGNED_OUT if passes(request).ended(request) else None


def holder(request: Request, gate: Gate = admission.NO_PASS) -> Pass:
    """Return the pass of the operator or a seat. Raises TurnedAway by `gate` for a phone that never had one."""
    held = of(request)
    if held == Pass():
        raise TurnedAway(_parted(request) or gate)
    return held


def operator(request: Request) -> Pass:
    """Return the pass of the operator. Raises TurnedAway."""
    held = holder(request)
    if not held.operator:
        raise TurnedAway(admission.OPERATOR)
    return held


def may_see(request: Request, seat: Seat | None) -> None:
    """Check that this phone may see `seat`'s view; anybody may see a spectator's. Raises TurnedAway."""
    if seat is not None:
        sits(holder(request, admission.NO_SEAT_PASS), seat)


def sits(held: Pass, seat: Seat) -> None:
    """Check that this phone holds the seat. Raises TurnedAway."""
    if held.seat != seat:
        raise TurnedAway(admission.SEAT)


def seen(view: View) -> View:
    """Return a view as phones get it: it says that a seat has answered, never what.

    One code opens both seats, so anybody may have taken a seat to look. The phone that answered knows its answer.
    """
    return replace(view, table=replace(view.table, given=dict.fromkeys(view.table.given, HIDDEN)))


def enter(request: Request, code: str) -> None:
    """Check a code typed on a phone. Raises TurnedAway."""
    port: Port = request.app.state.port
    gate: GuessLimit = request.app.state.gate
    pass_id = passes(request).given(request).id
    phone, is_known = pass_id or client(request), bool(pass_id)
    gate.take(phone, is_known)
    if not code.isascii() or port.access.role(code.strip()) != "operator":
        if gate.guessed():
            port.access.guessed()
        raise TurnedAway(admission.CODE)
    gate.right(phone, is_known)


@contextmanager
def _refusal() -> Iterator[None]:
    try:
        yield
    except SignedOutError:
        raise TurnedAway(admission.SIGN_OUTS) from None


def admit(request: Request, response: Response, given: Pass) -> None:
    """Give a phone a pass in place of the one it has; an empty one signs it out. Streams of the old one end.

    Raises TurnedAway if phones were signed out since it asked: this may be one of them.
    """
    old = passes(request).given(request).id
    for phone in request.app.state.phones.here():
        passes(request).listed.find(phone.held.id)  # it is in use: others fall off the list first
    agent, asked = request.headers.get("user-agent", ""), _asked(request)
    left = partial(request.app.state.port.refusals.note, admission.PASSES)
    with _refusal():
        passes(request).write(response, replace(given, id=old), agent, client(request), asked, left)
    if old:
        request.app.state.streams.end({old})


def sign_out(request: Request, ids: Collection[str]) -> None:
    """End these passes and their streams, and change the code, which their owners may know. Raises TurnedAway as
    `admit` does.
    """
    port: Port = request.app.state.port
    port.access.recode()  # first: who asks once the passes have ended finds the old code ended, too
    with _refusal():
        request.state.asked = passes(request).listed.sign_out(ids, _asked(request))
    request.app.state.streams.end(ids, admission.SIGNED_OUT.sentence)
