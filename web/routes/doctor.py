"""The doctor's page: what is wrong with the machine, what to do, and a file to send. For the operator alone."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from web.dependencies import Operator, Table, fresh
from web.errors import SEAT_RESPONSES
from web.models import Figures
from web.port import Port
from web.render.templates import page
from web.routes.games import Reader, alone
from web.schema import returns

router = APIRouter()

MARKS = {"wrong": "wrong", "look": "worth a look", "ok": "in order"}
"""What a verdict is called."""


@router.get("/doctor", include_in_schema=False)
async def doctor(held: Operator, port: Table, reading: Reader) -> Response:
    """What was looked at just now, the worst first."""
    return await alone(reading, lambda: _page(port))


def _page(port: Port) -> Response:
    return page("doctor.html", view=port.game.view(None), found=port.doctor.findings(), marks=MARKS)


@router.get("/doctor.zip", include_in_schema=False)
async def bundle(held: Operator, port: Table, reading: Reader) -> Response:
    """A file to send to whoever helps."""
    return await alone(reading, lambda: _file(port.doctor.bundle()))


def _file(data: bytes) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": "attachment; filename=dugout-doctor.zip"}
    return Response(data, media_type="application/zip", headers=headers)


@router.get(
    "/api/figures",
    tags=["operator"],
    summary="How the parts are",
    responses=returns(Figures) | {401: SEAT_RESPONSES[401], 403: SEAT_RESPONSES[403]},
)
def figures(held: Operator, port: Table) -> Response:
    """What only the running table knows of its parts."""
    return fresh(port.doctor.figures())
