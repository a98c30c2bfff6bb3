"""Computer managers: who manages a seat, how soon they answer, and the coach."""

from __future__ import annotations

from functools import partial
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from device.shapes import Advice
from engine.seats import Seat
from web import auth
from web.dependencies import DoneReply, Holder, RequestBody, Switcher, Table, at_once, fresh
from web.routes.api import Number
from web.schema import RESPONSES, SWITCH_RESPONSES, returns
from web.security import admission
from web.security.refused import TurnedAway

Strength = Literal["rookie", "regular", "all-star"]
Pace = Literal["normal", "brisk", "instant"]


class ManagerBody(RequestBody):
    """Who manages a seat from now on."""

    seat: Seat
    strength: Strength | None = Field(description="The computer's strength; null: a person manages.")


class PaceBody(RequestBody):
    """How soon computer managers answer."""

    pace: Pace


class CoachBody(RequestBody):
    """Whether a seat allows asking the coach."""

    seat: Seat
    on: bool


class AdviceBody(RequestBody):
    """The open ask of a seat about which the coach is asked."""

    seat: Seat
    n: Number


router = APIRouter(prefix="/api")


@router.post("/seat/manager", tags=["seat"], summary="Hand a seat over, or take it over", responses=SWITCH_RESPONSES)
@at_once
def manage(given: ManagerBody, held: Switcher, port: Table) -> DoneReply:
    """Its own phone or the operator, at any time. Everybody reads it. People throw the dice of a managed seat."""
    if held.seat != given.seat and not held.operator:
        raise TurnedAway(admission.SEAT)
    port.managed.manage(given.seat, given.strength)
    return DoneReply()


@router.post("/pace", tags=["seat"], summary="Set the pace of the managers", responses=SWITCH_RESPONSES)
@at_once
def pace(given: PaceBody, held: Switcher, port: Table) -> DoneReply:
    """Any seat or the operator: how many seconds a computer manager lets pass before it answers."""
    port.managed.set_pace(given.pace)
    return DoneReply()


@router.post("/seat/coach", tags=["seat"], summary="Allow the coach", responses=SWITCH_RESPONSES)
@at_once
def let_coach(given: CoachBody, held: Switcher, port: Table) -> DoneReply:
    """Each seat for itself. Between two people the coach may be asked once both allow it."""
    auth.sits(held, given.seat)
    port.managed.let_coach(given.seat, given.on)
    return DoneReply()


@router.post("/seat/advice", tags=["seat"], summary="Ask the coach", responses=RESPONSES | returns(list[Advice]))
async def advice(given: AdviceBody, request: Request, held: Holder, port: Table) -> Response:
    """What the coach thinks of the answers to the open ask of this phone's seat, the best first. Everybody reads that
    it was asked. It may take a second, and some seconds at the first question of a game; 503 if it thinks about that
    question already.
    """
    auth.sits(held, given.seat)
    think = partial(port.managers.coach, given.seat, given.n)
    return fresh(await port.lanes.coach.run(request, given.seat, think))
