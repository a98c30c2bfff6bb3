"""The doctor's page: what is wrong with the machine, what to do, and a file to send. For the operator alone."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from web.dependencies import Operator, Table, download, fresh, one_at_a_time
from web.models import Figures
from web.render.templates import page
from web.schema import OPERATOR_RESPONSES, returns

router = APIRouter()

MARKS = {"wrong": "wrong", "look": "worth a look", "ok": "in order"}
"""The words for a verdict."""


@router.get("/doctor", include_in_schema=False)
@one_at_a_time
def doctor(held: Operator, port: Table) -> Response:
    """What the checks find now, the worst first."""
    return page("doctor.html", view=port.game.view(None), found=port.doctor.findings(), marks=MARKS)


@router.get("/doctor.zip", include_in_schema=False)
@one_at_a_time
def bundle(held: Operator, port: Table) -> Response:
    """The support bundle."""
    return download(port.doctor.bundle(), "application/zip", "filename=dugout-doctor.zip")


@router.get(
    "/api/figures",
    tags=["operator"],
    summary="How the parts are",
    responses=returns(Figures) | OPERATOR_RESPONSES,
)
def figures(held: Operator, port: Table) -> Response:
    """What only the running table knows about its parts."""
    return fresh(port.doctor.figures())
