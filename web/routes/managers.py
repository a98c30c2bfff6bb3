"""Computer managers: the seats they manage, their pace, and the coach."""

from __future__ import annotations

from functools import partial
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from device.shapes import Advice
from engine.seats import Seat
from web import auth
from web.dependencies import (
    DoneReply,
    HolderPass,
    PortsDependency,
    RateLimitedPass,
    RequestBody,
    run_first,
    uncached_json,
)
from web.routes.api import AskNumber, ManagerChoice
from web.schema import REJECTION_RESPONSES, SWITCH_RESPONSES, reply_responses
from web.security import admission
from web.security.rejected import PhoneRejected

ManagerPace = Literal["normal", "brisk", "instant"]


class ManagerBody(RequestBody):
    """The manager of a seat from now on."""

    seat: Seat
    strength: ManagerChoice | None = Field(description="The computer; null: a person manages.")


class PaceBody(RequestBody):
    """The pace of computer managers."""

    pace: ManagerPace


class TableRollsBody(RequestBody):
    """Whether the table rolls the dice of the computer managers."""

    on: bool


class CoachBody(RequestBody):
    """Whether a seat allows asking the coach."""

    seat: Seat
    on: bool


class AssistanceBody(RequestBody):
    """Whether the coach answers what hardly matters for a seat."""

    seat: Seat
    on: bool


class AdviceBody(RequestBody):
    """The open ask on which a seat asks the coach."""

    seat: Seat
    n: AskNumber


router = APIRouter(prefix="/api")


@router.post("/seat/manager", tags=["seat"], summary="Hand a seat over, or take it over", responses=SWITCH_RESPONSES)
@run_first
def assign_manager(given: ManagerBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """For the seat's own phone and the operator, at any time. Everybody reads it. People throw the seat's dice."""
    if held.seat != given.seat and not held.operator:
        raise PhoneRejected(admission.SEAT_NOT_HELD)
    port.managed.assign_manager(given.seat, given.strength)
    return DoneReply()


@router.post("/pace", tags=["seat"], summary="Set the pace of the managers", responses=SWITCH_RESPONSES)
@run_first
def set_pace(given: PaceBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Set how many seconds a computer manager waits before it answers. For any seat and the operator."""
    port.managed.set_pace(given.pace)
    return DoneReply()


@router.post("/table-rolls", tags=["seat"], summary="Set who rolls for the managers", responses=SWITCH_RESPONSES)
@run_first
def set_table_rolls(given: TableRollsBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Let the table roll for the computer managers, or people. For any seat and the operator."""
    port.managed.set_table_rolls(given.on)
    return DoneReply()


@router.post("/seat/coach", tags=["seat"], summary="Allow the coach", responses=SWITCH_RESPONSES)
@run_first
def allow_coach(given: CoachBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Allow asking the coach for one's own seat. Between two people both must allow it."""
    auth.require_seat(held, given.seat)
    port.managed.allow_coach(given.seat, given.on)
    return DoneReply()


@router.post("/seat/assistance", tags=["seat"], summary="Ask only what matters", responses=SWITCH_RESPONSES)
@run_first
def set_assistance(given: AssistanceBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Let the coach answer what is worth less than half a point of winning chance. For the seat and the operator."""
    if held.seat != given.seat and not held.operator:
        raise PhoneRejected(admission.SEAT_NOT_HELD)
    port.managed.set_assistance(given.seat, given.on)
    return DoneReply()


@router.post(
    "/seat/advice",
    tags=["seat"],
    summary="Ask the coach",
    responses=REJECTION_RESPONSES | reply_responses(list[Advice]),
)
async def get_advice(given: AdviceBody, request: Request, held: HolderPass, port: PortsDependency) -> Response:
    """The coach's rating of each answer to the open ask of this phone's seat, the best first.

    Everybody reads that the coach was asked. It may take seconds. 503 while it is thinking about that question.
    """
    auth.require_seat(held, given.seat)
    think = partial(port.managers.coach_advice, given.seat, given.n)
    return uncached_json(await port.lanes.coach.run_read(request, given.seat, think))
