"""The pages: the game for anyone, the table for the operator, a seat for a player."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from engine.seats import Seat
from engine.views import View
from web.dependencies import Table
from web.errors import Refused
from web.live.stream import Delay
from web.port import SEAT_NOTICE, Port
from web.render.templates import REGIONS, page, panel, seat_page, seat_panel
from web.security import auth
from web.security.auth import Pass

router = APIRouter(include_in_schema=False)


Code = Annotated[str, Form(max_length=40)]


@router.get("/")
def game(port: Table) -> Response:
    """The game, for everyone in the room."""
    view = port.game.view(None)
    return page("game.html", view=view, regions=panel(view), join=port.join())


@router.get("/plays")
def plays(port: Table) -> Response:
    """Every play so far, by half-inning."""
    view = port.game.view(None)
    return page("plays.html", view=view, plays=port.game.plays())


@router.get("/overlay")
def overlay(
    port: Table,
    theme: Literal["dark", "light", "plain"] = "dark",
    size: Annotated[int, Query(ge=50, le=300)] = 100,
    delay: Delay = 0,
) -> Response:
    """The score alone on a clear ground, to lay over a video; `size` in percent. With a delay in seconds it is empty
    until its stream has something that old."""
    regions = dict.fromkeys(REGIONS, "") if delay else panel(port.game.view(None))
    return page("overlay.html", regions=regions, theme=theme, size=size, delay=delay)


@router.get("/table")
def table(request: Request, port: Table) -> Response:
    """The operator's page, or the question for the code."""
    view = port.game.view(None)
    if not auth.of(request).operator:
        return page("code.html", view=view, refusal="", seats=False, chosen=None)
    return page("table.html", view=view, regions=panel(view), join=port.join(), demo=port.devices.demo)


@router.post("/table")
def enter_table(request: Request, port: Table, code: Code = "") -> Response:
    """The code for the table was typed."""
    held = auth.of(request)
    try:
        auth.enter(request, code)
    except Refused as error:
        return _again(port, error)
    return _admit(request, "/table", Pass(True, held.seat, held.epoch))


@router.get("/seat")
def seat(request: Request, port: Table) -> Response:
    """A seat's private page, or the choice of a seat."""
    held = auth.of(request)
    view = port.game.view(None)
    if held.seat is None:
        lost = auth.door(request).lost(request)
        return page("code.html", view=view, refusal=auth.freed(lost) if lost else "", seats=True, chosen=lost)
    if held.seat not in _plays(view):
        return page("code.html", view=view, refusal=_empty(held.seat), seats=True, chosen=None)
    view = auth.seen(port.game.view(held.seat))
    return seat_page(view, seat_panel(view, port.game.view(None)), held.seat)


@router.post("/seat")
def take_seat(request: Request, port: Table, seat: Annotated[Seat, Form()], code: Code = "") -> Response:
    """A seat was chosen and the code typed. The operator's phone needs no code.

    All are told: one code opens both seats, and nobody shall look at the other's secrets unseen.
    """
    held, epoch = auth.of(request), port.access.epoch(seat)  # as it was before the code was looked at
    if seat not in _plays(port.game.view(None)):
        return _again(port, Refused(403, _empty(seat), "seat"), seat)
    try:
        if not held.operator:
            auth.enter(request, code)
    except Refused as error:
        return _again(port, error, seat)
    if held.seat != seat:
        whose = f"The phone of the {held.seat} seat" if held.seat else "A phone"
        port.game.tell(f"{whose} took the {seat} seat.", SEAT_NOTICE)
    return _admit(request, "/seat", Pass(held.operator, seat, epoch))


@router.post("/leave")
def leave(request: Request) -> Response:
    """This phone becomes a spectator's again."""
    return _admit(request, "/", Pass())


def _plays(view: View) -> Mapping[Seat, Seat]:
    """Return which side each seat plays."""
    return view.table.scoreboard.plays


def _empty(seat: Seat) -> str:
    return f"Nobody sits in the {seat} seat in this game."


def _again(port: Port, error: Refused, seat: Seat | None = None) -> Response:
    """The question for the code once more, for the `seat` that was chosen or for the table."""
    headers = {"Retry-After": str(error.wait)} if error.wait else {}
    return page(
        "code.html",
        error.status,
        headers,
        view=port.game.view(None),
        refusal=str(error),
        seats=seat is not None,
        chosen=seat,
    )


def _admit(request: Request, where: str, given: Pass) -> Response:
    response = RedirectResponse(where, 303)
    auth.door(request).write(response, given)
    return response


@router.get("/join.svg")
def join(port: Table) -> Response:
    """The address of this table as a QR code."""
    out = io.BytesIO()
    segno.make(port.join().url, micro=False).save(
        out, kind="svg", border=2, dark="#10241b", light="#fff", xmldecl=False, omitsize=True
    )
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


@router.get("/evidence/{name}.jpg")
def evidence(name: Annotated[str, Path(pattern=r"^\d{1,9}-\d{1,9}$")], port: Table) -> Response:
    """The dice of a roll that counted, or is shown, as the camera saw them, with the reading drawn on."""
    picture = port.game.picture(name)
    if picture is None:
        raise Refused(404, "There is no picture of this roll, or none any more.")
    shown = port.game.view(None).proposal
    # Until it counts: thrown again, the next roll's picture has that name.
    kept = "no-store" if shown and shown.evidence == name else "max-age=3600"
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": kept})


@router.get("/camera.jpg", dependencies=[Depends(auth.operator)])
def camera(port: Table) -> Response:
    """What the camera sees, for the operator."""
    return _picture(port.devices.camera_jpeg(), "image/jpeg", "There is no camera picture.")


@router.get("/board.jpg", dependencies=[Depends(auth.operator)])
def board(port: Table) -> Response:
    """What the camera over the board sees, for the operator."""
    return _picture(port.devices.board_jpeg(), "image/jpeg", "There is no picture of the board.")


@router.get("/glass.png", dependencies=[Depends(auth.operator)])
def glass(port: Table) -> Response:
    """What the display shows; it may show the code, so for the operator only."""
    return _picture(port.display_png(), "image/png", "There is no display picture.")


def _picture(data: bytes | None, kind: str, none: str) -> Response:
    if data is None:
        raise Refused(404, none)
    return Response(data, media_type=kind, headers={"Cache-Control": "no-store"})
