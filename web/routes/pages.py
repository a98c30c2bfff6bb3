"""The pages: the game for anyone, a seat for a player, the table and the doctor for the operator; and pictures."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from engine.scoreboard import seat_words
from engine.seats import Seat
from engine.views import View
from web import auth
from web.dependencies import NEVER, LogPage, Operator, Switcher, Table, at_once, download, reads
from web.errors import note
from web.port import Port
from web.render.templates import TV_REGIONS, page, panel, seat_page, seat_panel, tv_panel
from web.routes.managers import Pace, Strength
from web.security import admission
from web.security.passes import Pass
from web.security.refused import Refused, TurnedAway

router = APIRouter(include_in_schema=False)

Code = Annotated[str, Form(max_length=40)]

MARKS = {"wrong": "wrong", "look": "worth a look", "ok": "OK"}
"""The words for a verdict."""


@router.get("/")
def game(port: Table) -> Response:
    """The game, for everyone in the room."""
    view = port.game.view(None)
    return page("game.html", view=view, regions=panel(view), join=port.join())


@router.get("/plays")
def plays(port: Table, at: LogPage = 1) -> Response:
    """Every play so far, by half-inning, the newest first."""
    found = port.record.plays(at)
    return page("plays.html", view=port.game.view(None), plays=found.plays, at=at, pages=found.pages)


@router.get("/tv")
def tv(port: Table) -> Response:
    """The game for a television: one page for the whole evening, which never scrolls."""
    view = port.game.view(None)
    return page(
        "tv/page.html", view=view, regions=tv_panel(view, port.record.chances()), labels=TV_REGIONS, join=port.join()
    )


@router.get("/overlay")
def overlay(
    port: Table,
    theme: Literal["dark", "light", "plain"] = "dark",
    size: Annotated[int, Query(ge=50, le=300)] = 100,
) -> Response:
    """The score alone on a transparent page, to lay over a video; `size` in percent."""
    view = port.game.view(None)
    return page("overlay.html", view=view, regions=panel(view), theme=theme, size=size)


@router.get("/table")
@at_once
def table(request: Request, port: Table) -> Response:
    """The operator's page, or the form for the code."""
    view = port.game.view(None)
    if not auth.of(request).operator:
        return _code_form(view, auth.parted(request))
    return page("table.html", view=view, regions=panel(view), join=port.join(), demo=port.devices.demo)


@router.post("/table")
@at_once
def enter_table(request: Request, port: Table, code: Code = "") -> Response:
    """Become the operator with the code from the display."""
    held = auth.of(request)
    try:
        auth.enter(request, code)
        return _sign_in(request, "/table", Pass(True, held.seat, held.epoch))
    except TurnedAway as error:
        note(request.scope, error, port.refusals)
        return _code_form(port.game.view(None), error)


@router.get("/seat")
@at_once
def seat(request: Request, port: Table) -> Response:
    """A seat's private page, or the choice of a seat."""
    held = auth.of(request)
    view = port.game.view(None)
    if held.seat is None:
        return _code_form(view, auth.parted(request), chosen=auth.passes(request).lost(request), seats=True)
    if held.seat not in view.table.scoreboard.plays:
        return _code_form(view, admission.EMPTY_SEAT.sentence.format(seat=held.seat), seats=True)
    view = auth.seen(port.game.view(held.seat))
    return seat_page(view, seat_panel(view, port.game.view(None)), held.seat)


@router.post("/seat")
@at_once
def take_seat(request: Request, port: Table, seat: Annotated[Seat, Form()], code: Code = "") -> Response:
    """Take a seat with the code from the display; the operator's phone needs none.

    Everybody sees it: one code opens both seats, and nobody may look at the other side's secrets unnoticed.
    """
    held, epoch = auth.of(request), port.access.epoch(seat)  # before the code is checked
    view = port.game.view(None)
    try:
        if seat not in view.table.scoreboard.plays:
            raise TurnedAway(admission.EMPTY_SEAT, seat=seat)
        if not held.operator:
            auth.enter(request, code)
        return _sit(request, port, held, seat, epoch)
    except TurnedAway as error:
        note(request.scope, error, port.refusals)
        return _code_form(view, error, chosen=seat, seats=True)


def _sit(request: Request, port: Port, held: Pass, seat: Seat, epoch: int) -> Response:
    """Give a phone a seat, and tell everybody. Raises TurnedAway."""

    def announce() -> None:
        board, took = port.game.view(None).table.scoreboard, "took a seat:"
        if held.seat is not None:
            port.corrections.part()  # no phone agrees to what it proposed itself
            if held.seat in board.plays:
                took = f"changed seats: from {seat_words(board, held.seat)}, to"
        port.notices.warn(f"A phone {took} {seat_words(board, seat)}.")

    return _sign_in(request, "/seat", Pass(held.operator, seat, epoch), announce)


def _sign_in(request: Request, where: str, given: Pass, announce: Callable[[], None] = lambda: None) -> Response:
    """Give a phone this pass, unless it has it already. Raises TurnedAway if its address was given many."""
    if given == auth.of(request):
        return RedirectResponse(where, 303)
    request.app.state.sign_ins.count(auth.client(request))
    announce()
    return _admit(request, where, given)


@router.get("/in")
def invited(port: Table) -> Response:
    """The page of the QR code that the display shows when OK is pressed: choose what this phone is to be."""
    return _choice(port.game.view(None))


@router.post("/in")
@at_once
def enter_invited(
    request: Request, port: Table, who: Annotated[Seat | Literal["operator"], Form()], invitation: Code = ""
) -> Response:
    """Sign in with an invitation from the display in place of the code. No wrong code of others delays it."""
    held, view = auth.of(request), port.game.view(None)
    epoch = held.epoch if who == "operator" else port.access.epoch(who)  # before the invitation is checked
    try:
        if who != "operator" and who not in view.table.scoreboard.plays:
            raise TurnedAway(admission.EMPTY_SEAT, seat=who)
        if not port.access.invited(invitation):
            raise TurnedAway(admission.INVITATION)
        if who == "operator":
            return _sign_in(request, "/table", Pass(True, held.seat, epoch))
        return _sit(request, port, held, who, epoch)
    except TurnedAway as error:
        note(request.scope, error, port.refusals)
        return _choice(view, error)


@router.post("/seat/standing")
@at_once
def stand(held: Switcher, port: Table, topic: Code, when: Code) -> Response:
    """Set when this phone's seat is asked about a topic: `/api/seat/standing` for pages without scripts."""
    port.seats.stand(_seat_of(held), topic, when)
    return RedirectResponse("/seat", 303)


@router.post("/seat/wait")
@at_once
def wait(held: Switcher, port: Table, n: Annotated[int | None, Form(ge=0)] = None) -> Response:
    """Wait, for this phone's seat: `/api/seat/wait` for pages without scripts."""
    port.seats.wait(_seat_of(held), n)
    return RedirectResponse("/seat", 303)


@router.post("/seat/manager")
@at_once
def manage(held: Switcher, port: Table, strength: Annotated[Strength | Literal[""], Form()] = "") -> Response:
    """Hand this phone's seat to the computer, or take it over: `/api/seat/manager` for pages without scripts."""
    port.managed.manage(_seat_of(held), strength or None)
    return RedirectResponse("/seat", 303)


@router.post("/seat/pace")
@at_once
def pace(held: Switcher, port: Table, pace: Annotated[Pace, Form()]) -> Response:
    """Set the pace of the managers: `/api/pace` for pages without scripts."""
    _seat_of(held)
    port.managed.set_pace(pace)
    return RedirectResponse("/seat", 303)


@router.post("/seat/coach")
@at_once
def let_coach(held: Switcher, port: Table, on: Annotated[bool, Form()]) -> Response:
    """Allow asking the coach, or not, for this phone's seat: `/api/seat/coach` for pages without scripts."""
    port.managed.let_coach(_seat_of(held), on)
    return RedirectResponse("/seat", 303)


def _seat_of(held: Pass) -> Seat:
    """Return the seat that this phone holds. Raises TurnedAway."""
    if held.seat is None:
        raise TurnedAway(admission.NO_SEAT)
    return held.seat


@router.post("/leave")
@at_once
def leave(request: Request, port: Table) -> Response:
    """Give up this phone's pass. A correction that it proposed ends: nobody comes back on the other side to agree."""
    held, correction = auth.of(request), port.game.view(None).correction
    if correction and correction.seat == held.seat:
        port.corrections.part()
    return _admit(request, "/", Pass())


def _code_form(view: View, refusal: Refused | str = "", chosen: Seat | None = None, seats: bool = False) -> Response:
    """Return the form for the code, for the table or, with `seats`, for a seat; `refusal` says why it is shown."""
    status, wait = (refusal.status, refusal.wait) if isinstance(refusal, Refused) else (200, 0)
    headers = {"Retry-After": str(wait)} if wait else {}
    return page("code.html", status, headers, view=view, refusal=str(refusal), seats=seats, chosen=chosen)


def _choice(view: View, refusal: Refused | None = None) -> Response:
    """Return the page of an invitation; `refusal` says why it was not accepted."""
    return page("in.html", refusal.status if refusal else 200, view=view, refusal=str(refusal or ""))


def _admit(request: Request, where: str, given: Pass) -> Response:
    response = RedirectResponse(where, 303)
    auth.admit(request, response, given)
    return response


@router.get("/join.svg")
def join(port: Table) -> Response:
    """The address of this table as a QR code."""
    out = io.BytesIO()
    segno.make(port.join().url, micro=False).save(
        out, kind="svg", border=2, dark="#10241b", light="#fff", xmldecl=False, omitsize=True
    )
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


PictureName = Annotated[str, Path(pattern=r"^[0-9]{1,9}-[0-9]{1,9}$")]

# A clip never changes, but its caption does when a roll is corrected.
KEPT = {"Cache-Control": "max-age=3600"}
NO_CLIP = "There is no clip of this throw."


@router.get("/evidence/{name}.jpg")
def evidence(name: PictureName, port: Table) -> Response:
    """The dice of a roll that counted or is shown, as the camera saw them."""
    picture = port.record.picture(name)
    if picture is None:
        raise Refused(404, "There is no picture of this roll.")
    shown = port.game.view(None).proposal
    # Not cached before it counts: if the dice are thrown again, the next picture has the same name.
    cached = "no-store" if shown and shown.evidence == name else "max-age=3600"
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": cached})


@router.get("/evidence/{name}.json")
def reading(name: PictureName, port: Table) -> Response:
    """What the reader said of the dice in that picture: values, and the doubt with the figures that it rests on."""
    said = port.record.reading(name)
    if said is None:
        raise Refused(404, "There is no record of how this roll was read.")
    return Response(said, media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/evidence/{name}.webp")
def clip(name: PictureName, port: Table) -> Response:
    """The throw of a roll that counted, in slow motion."""
    data = port.record.clip(name)
    if data is None:
        raise Refused(404, NO_CLIP)
    headers = KEPT | {"Content-Disposition": f'inline; filename="dugout-{name}.webp"'}
    return Response(data, media_type="image/webp", headers=headers)


@router.get("/evidence/{name}.gif")
@reads("games")
def saved_clip(name: PictureName, request: Request, port: Table) -> Response:
    """The same to save, with the score and the play below it. Drawn one at a time."""
    data = port.record.saved_clip(name)
    if data is None:
        raise Refused(404, NO_CLIP)
    return download(data, "image/gif", f'filename="dugout-{name}.gif"')


@router.get("/evidence/{name}")
def throw(name: PictureName, port: Table) -> Response:
    """The page of a throw: its clip, the score and the play, and a button to save them."""
    if port.record.clip(name) is None:
        raise Refused(404, NO_CLIP)
    return page("throw.html", view=port.game.view(None), name=name, caption=port.record.caption(name))


@router.get("/camera.jpg")
@at_once
def camera(held: Operator, port: Table) -> Response:
    """What the camera sees, for the operator."""
    return _picture(port.devices.camera_jpeg(), "jpeg", "There is no camera picture.")


@router.get("/board.jpg")
@at_once
def board(held: Operator, port: Table) -> Response:
    """What the camera over the board sees, for the operator."""
    return _picture(port.devices.board_jpeg(), "jpeg", "There is no picture of the board.")


@router.get("/display.png")
@at_once
def display(held: Operator, port: Table) -> Response:
    """The picture on the display, for the operator alone: it may show the code."""
    return _picture(port.display_png(), "png", "There is no display picture.")


def _picture(data: bytes | None, kind: str, none: str) -> Response:
    if data is None:
        raise Refused(404, none)
    return Response(data, media_type=f"image/{kind}", headers=NEVER)


@router.get("/doctor")
@reads("games")
def doctor(request: Request, held: Operator, port: Table) -> Response:
    """What the checks find now, the worst first."""
    return page("doctor.html", view=port.game.view(None), found=port.doctor.findings(), marks=MARKS)


@router.get("/doctor.zip")
@reads("games")
def bundle(request: Request, held: Operator, port: Table) -> Response:
    """The support bundle."""
    return download(port.doctor.bundle(), "application/zip", "filename=dugout-doctor.zip")
