"""Permissions of a phone, from the pass of a request and the code on the display."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from fastapi import Request, Response
from starlette.types import Scope

from engine.seats import Seat
from engine.secrets import HIDDEN_TEXT
from engine.views import AudienceView
from web.port import TablePorts
from web.security import addresses, admission
from web.security.admission import Gate
from web.security.guessing import GuessLimit
from web.security.passes import Pass, PassCookies, SignedOutError
from web.security.rejected import PhoneRejected


def pass_cookies(request: Request) -> PassCookies:
    found: PassCookies = request.app.state.passes
    return found


def client_key(request: Request) -> str:
    """Return the address by which limits count a request, or its IPv6 network."""
    return addresses.client_key(request.scope)


def request_pass(request: Request) -> Pass:
    """Return the pass of a request, and store how many sign-outs there had been when it was first read."""
    if _sign_outs_when_asked(request) is None:
        request.state.asked = pass_cookies(request).listed.sign_outs
    return pass_cookies(request).current_pass(request)


def _sign_outs_when_asked(request: Request) -> int | None:
    """Return the number of sign-outs when this request's pass was first read, None if it was not."""
    asked: int | None = getattr(request.state, "asked", None)
    return asked


def scope_pass(scope: Scope) -> Pass:
    return request_pass(Request(scope))


def lost_pass_notice(request: Request) -> str:
    """Return the notice for a phone that lost its pass or seat through somebody else, "" for any other."""
    gate = _lost_pass_gate(request)
    return gate.sentence if gate else ""


def _lost_pass_gate(request: Request) -> Gate | None:
    if pass_cookies(request).freed_seat(request):
        return admission.FREED_SEAT
    return admission.SIGNED_OUT if pass_cookies(request).has_ended_pass(request) else None


def require_holder(request: Request, gate: Gate = admission.NO_PASS) -> Pass:
    """Return the pass of the operator or a seat. Raises PhoneRejected, by `gate` for a phone that never had one."""
    held = request_pass(request)
    if held == Pass():
        raise PhoneRejected(_lost_pass_gate(request) or gate)
    return held


def require_operator(request: Request) -> Pass:
    """Return the pass of the operator. Raises PhoneRejected."""
    held = require_holder(request)
    if not held.operator:
        raise PhoneRejected(admission.OPERATOR_ONLY)
    return held


def require_view_access(request: Request, seat: Seat | None) -> None:
    """Check that this phone may see the view of `seat` (None: spectators, for anybody). Raises PhoneRejected."""
    if seat is not None:
        require_seat(require_holder(request, admission.NO_SEAT_PASS), seat)


def require_seat(held: Pass, seat: Seat) -> None:
    """Check that this phone holds the seat. Raises PhoneRejected."""
    if held.seat != seat:
        raise PhoneRejected(admission.SEAT_NOT_HELD)


def held_seats(request: Request) -> set[Seat]:
    """Return the seats that a phone holds, listening or not."""
    passes = pass_cookies(request)
    return {seat for one in passes.listed.valid_passes() if (seat := passes.valid_pass(one.held).seat) is not None}


def redacted_view(view: AudienceView) -> AudienceView:
    """Return a view as phones get it. It shows which asks a seat has answered, but no answers.

    One code opens both seats, so anybody may have taken a seat to look. The phone that answered knows its answer.
    """
    return replace(view, table=replace(view.table, given=dict.fromkeys(view.table.given, HIDDEN_TEXT)))


def validate_code(request: Request, code: str) -> None:
    """Check a code typed on a phone. Raises PhoneRejected."""
    port: TablePorts = request.app.state.port
    gate: GuessLimit = request.app.state.gate
    pass_id = pass_cookies(request).granted_pass(request).id
    phone, is_known = pass_id or client_key(request), bool(pass_id)
    gate.count_guess(phone, is_known)
    if not code.isascii() or port.access.role_for_code(code.strip()) != "operator":
        if gate.is_guessing_suspected():
            port.access.lengthen_code()
        raise PhoneRejected(admission.WRONG_CODE)
    gate.refund_guess(phone, is_known)


@contextmanager
def _translate_sign_out() -> Iterator[None]:
    try:
        yield
    except SignedOutError:
        raise PhoneRejected(admission.SIGNED_OUT_MEANWHILE) from None


def grant_pass(request: Request, response: Response, given: Pass) -> None:
    """Give a phone a new pass and end the streams of its old one. An empty pass signs it out.

    Raises PhoneRejected if phones were signed out since it asked, because it may be one of them.
    """
    old = pass_cookies(request).granted_pass(request).id
    for phone in request.app.state.phones.listening_phones():
        pass_cookies(request).listed.find_pass(phone.held.id)  # marks it as seen, so that others are evicted first
    agent, asked = request.headers.get("user-agent", ""), _sign_outs_when_asked(request)
    left = partial(request.app.state.port.refusals.record_rejection, admission.TOTAL_PASSES)
    with _translate_sign_out():
        pass_cookies(request).write_cookie(response, replace(given, id=old), agent, client_key(request), asked, left)
    if old:
        request.app.state.streams.end_pass_streams({old})


def sign_out_phones(request: Request, ids: Collection[str]) -> None:
    """End these passes and their streams, and change the code, which their owners may know. Raises PhoneRejected."""
    port: TablePorts = request.app.state.port
    port.access.change_code()  # first, so that the old code has ended before the passes have
    with _translate_sign_out():
        request.state.asked = pass_cookies(request).listed.sign_out_passes(ids, _sign_outs_when_asked(request))
    request.app.state.streams.end_pass_streams(ids, admission.SIGNED_OUT.sentence)
