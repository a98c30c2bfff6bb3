"""The doctor's page: what is wrong with the machine, what to do, and a file to send. For the operator alone."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field

from web.dependencies import Operator, Table, fresh
from web.errors import SEAT_RESPONSES
from web.port import Port
from web.render.templates import page
from web.routes.api import Health
from web.routes.games import Reader, alone

router = APIRouter()

MARKS = {"wrong": "wrong", "look": "worth a look", "ok": "in order"}
"""What a verdict is called."""


class PressModel(BaseModel):
    """A press of a button."""

    n: int = Field(description="Counted from 1.")
    event: str = Field(description="The button's name, or what holding it means.")
    ago: float = Field(description="Seconds.")


class Figures(BaseModel):
    """What only the running table knows of its parts."""

    demo: bool = Field(description="Whether all parts are simulated.")
    health: list[Health]
    display: float | None = Field(description="Seconds for a picture.")
    camera: dict[str, Any] | None = Field(description="Pictures a second, and what it holds.")
    journal: dict[str, Any] = Field(description="Mode and sync, read back, and what was wrong with it.")
    unsafe: str | None = Field(description="Why the table is in safe mode.")
    port: int
    given: bool = Field(description="Whether the port was handed over by the service manager.")
    presses: list[PressModel] = Field(description="The last; none that was made while something is chosen in secret.")


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
    responses={200: {"model": Figures}, 401: SEAT_RESPONSES[401], 403: SEAT_RESPONSES[403]},
)
def figures(held: Operator, port: Table) -> Response:
    """What only the running table knows of its parts."""
    return fresh(port.doctor.figures())
