"""A correction of the last roll that one seat proposes: it counts once the other side agrees."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from engine.seats import Seat, other
from engine.views import CorrectionPreview
from web import auth
from web.dependencies import DoneReply, Holder, RequestBody, Table, at_once, fresh
from web.routes.api import Number
from web.schema import RESPONSES, returns
from web.security import admission
from web.security.refused import TurnedAway


class CorrectionBody(RequestBody):
    """A correction of the last roll, the same for who proposes it, agrees to it or ends it: 409 if another is meant."""

    seat: Seat = Field(description="The seat that does this.")
    n: Number
    value: Any = Field(description="The right value of roll `n`, as in an answer.")
    version: Number = Field(description="The table's version that the phone showed: 409 if the game has gone on since.")


router = APIRouter(prefix="/api")


@router.get(
    "/correction",
    tags=["read"],
    summary="What a proposed correction would change",
    responses=returns(CorrectionPreview | None),
)
def change(port: Table) -> Response:
    """What the correction that the view's `correction` proposes would change, as everybody may see it. Null if there is
    none, or if it would show something hidden.
    """
    return fresh(port.corrections.preview())


@router.post("/seat/correction", tags=["seat"], summary="Propose a correction", responses=RESPONSES)
@at_once
def propose(given: CorrectionBody, request: Request, held: Holder, port: Table) -> DoneReply:
    """Each seat for itself, of the last roll alone. It counts once the other side agrees; if one person plays alone, at
    once, or if people answered since, once the same seat agrees. It ends with the next answer, with an undo, and with
    another game.
    """
    _check(held.seat == given.seat)
    empty = other(given.seat) not in _taken(request)
    port.corrections.propose(given.seat, given.n, given.value, given.version, empty)
    return DoneReply()


@router.post("/seat/correction/agree", tags=["seat"], summary="Agree to a correction", responses=RESPONSES)
@at_once
def agree(given: CorrectionBody, request: Request, held: Holder, port: Table) -> DoneReply:
    """The other side's own phone agrees; the operator agrees for a seat that no phone holds."""
    operator = held.seat != given.seat
    if operator and held.operator and given.seat in _taken(request):
        raise TurnedAway(admission.HELD_SEAT)
    _check(not operator or held.operator)
    port.corrections.agree(given.seat, given.n, given.value, given.version, operator)
    return DoneReply()


@router.post("/seat/correction/drop", tags=["seat"], summary="Refuse or take back a correction", responses=RESPONSES)
@at_once
def drop(given: CorrectionBody, held: Holder, port: Table) -> DoneReply:
    """Either seat ends it, or the operator. The roll stays as it is."""
    operator = held.seat != given.seat
    _check(not operator or held.operator)
    port.corrections.drop(given.seat, given.n, given.value, given.version, operator)
    return DoneReply()


def _check(may: bool) -> None:
    """Raise TurnedAway if this phone may not act for the seat."""
    if not may:
        raise TurnedAway(admission.SEAT)


def _taken(request: Request) -> set[Seat]:
    """Return the seats that a phone holds, whether or not it listens now."""
    passes = auth.passes(request)
    return {seat for one in passes.listed.all() if (seat := passes.valid(one.held).seat) is not None}
