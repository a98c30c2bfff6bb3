"""The dice report: how often each face came up in all stored games, and whether that looks fair."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from device.shapes import DiceReport
from web.dependencies import PortsDependency, read_in_lane, uncached_json
from web.render.templates import render_page
from web.schema import READ_RESPONSES, reply_responses

router = APIRouter()

REFRESH_HEADERS = {"Refresh": "2"}
"""While games are counted, browsers fetch the page again after this many seconds."""


@router.get("/dice", include_in_schema=False)
@read_in_lane("games")
def dice_page(request: Request, port: PortsDependency) -> Response:
    found = port.dice.dice_report()
    headers = REFRESH_HEADERS if found.done < found.total else None
    return render_page("dice.html", 200, headers, view=port.game.view_for(None), report=found)


@router.get(
    "/api/dice-report",
    tags=["read"],
    summary="The faces of all dice",
    responses=reply_responses(DiceReport) | READ_RESPONSES,
)
@read_in_lane("games")
def get_dice_report(request: Request, port: PortsDependency) -> Response:
    """How often each face came up in all stored games, and a test of it. Ask again while `done` is below `total`."""
    return uncached_json(port.dice.dice_report())
