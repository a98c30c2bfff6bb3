"""A correction of the last roll that one seat proposes. It counts when the other side agrees."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from engine.seats import Seat, opposite_seat
from engine.views import CorrectionPreview
from web import auth
from web.dependencies import DoneReply, HolderPass, PortsDependency, RequestBody, run_first, uncached_json
from web.routes.api import AskNumber
from web.schema import REJECTION_RESPONSES, reply_responses
from web.security import admission
from web.security.rejected import PhoneRejected


class CorrectionBody(RequestBody):
    """A correction of the last roll. To agree to it or cancel it, send the same values; 409 if they differ."""

    seat: Seat = Field(description="The seat that acts.")
    n: AskNumber
    value: Any = Field(description="The right value of roll `n`, as in an answer.")
    version: AskNumber = Field(description="The table's version that the phone showed: 409 if the game has moved on.")


router = APIRouter(prefix="/api")


@router.get(
    "/correction",
    tags=["read"],
    summary="What a proposed correction would change",
    responses=reply_responses(CorrectionPreview | None),
)
def get_correction_preview(port: PortsDependency) -> Response:
    """The public effect of the view's `correction`. Null if there is none, or if it would show something hidden."""
    return uncached_json(port.corrections.preview_proposed_correction())


@router.post("/seat/correction", tags=["seat"], summary="Propose a correction", responses=REJECTION_RESPONSES)
@run_first
def propose_correction(given: CorrectionBody, request: Request, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Propose a correction of the last roll for one's own seat. It counts when the other side agrees.

    If one person plays alone it counts at once, or if people have answered since, when the same seat agrees. The next
    answer, an undo or another game cancels it.
    """
    _require_seat_access(held.seat == given.seat)
    empty = opposite_seat(given.seat) not in auth.held_seats(request)
    port.corrections.propose_correction(given.seat, given.n, given.value, given.version, empty)
    return DoneReply()


@router.post("/seat/correction/agree", tags=["seat"], summary="Agree to a correction", responses=REJECTION_RESPONSES)
@run_first
def agree_to_correction(given: CorrectionBody, request: Request, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Agree for one's own seat. The operator may agree for a seat that no phone holds."""
    operator = held.seat != given.seat
    if operator and held.operator and given.seat in auth.held_seats(request):
        raise PhoneRejected(admission.HELD_SEAT)
    _require_seat_access(not operator or held.operator)
    port.corrections.agree_to_correction(given.seat, given.n, given.value, given.version, operator)
    return DoneReply()


@router.post(
    "/seat/correction/drop", tags=["seat"], summary="Refuse or take back a correction", responses=REJECTION_RESPONSES
)
@run_first
def end_correction(given: CorrectionBody, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Cancel the correction, for either seat or the operator. The roll stays unchanged."""
    operator = held.seat != given.seat
    _require_seat_access(not operator or held.operator)
    port.corrections.end_correction(given.seat, given.n, given.value, given.version, operator)
    return DoneReply()


def _require_seat_access(may: bool) -> None:
    """Raise PhoneRejected unless this phone may act for the seat."""
    if not may:
        raise PhoneRejected(admission.SEAT_NOT_HELD)
