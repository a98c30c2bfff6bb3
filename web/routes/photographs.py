"""A photograph of the dice, which a phone sends in place of typing the roll."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request

from engine.ask_views import RerollView, RollView
from engine.errors import StaleAnswer
from web.dependencies import DoneReply, HolderPass, PortsDependency
from web.guard import PHOTOGRAPH_PATH
from web.port import TablePorts
from web.schema import SWITCH_RESPONSES
from web.security import admission
from web.security.passes import Pass
from web.security.rejected import PhoneRejected

PICTURE_BODY: dict[str, object] = {
    "required": True,
    "content": {
        kind: {"schema": {"type": "string", "format": "binary"}} for kind in ("image/jpeg", "image/png", "image/webp")
    },
}
"""The body of the request in the OpenAPI document."""

AskQuery = Annotated[int, Query(ge=0, le=10**9, description="The number of the roll or reroll.")]

router = APIRouter()


@router.post(
    PHOTOGRAPH_PATH,
    tags=["seat"],
    summary="Send a picture of the dice",
    responses=SWITCH_RESPONSES,
    openapi_extra={"requestBody": PICTURE_BODY},
)
async def send_photograph(n: AskQuery, request: Request, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Read the dice in a picture, and show them as the roll of ask `n`, for its seat and the operator.

    They count when somebody answers the ask with them. 422 with a sentence for a picture that can't be opened or shows
    no dice. Takes seconds. 503 while another picture of the same seat is being read.
    """
    _require_thrower(port, held, n)
    holder = held.seat or "operator"
    request.app.state.photographs.count_change(holder)
    read = partial(port.photographs.propose_photograph, n, await request.body())
    await port.lanes.photographs.run_read(request, holder, read)
    return DoneReply()


def _require_thrower(port: TablePorts, held: Pass, n: int) -> None:
    """Check that `n` asks for dice that this phone may throw: its own, a computer's, or as operator any."""
    view = port.game.view_for(None)
    ask = next((ask for ask in view.table.asks if ask.n == n and isinstance(ask, RollView | RerollView)), None)
    if ask is None:
        raise StaleAnswer("These dice are no longer asked for.")
    if not held.operator and held.seat != ask.seat and ask.seat not in view.managers:
        raise PhoneRejected(admission.SEAT_NOT_HELD)
