"""The pages for spectators, seats and the operator, and pictures."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from device.shapes import TableAddresses
from engine.scoreboard import seat_label
from engine.seats import Seat
from engine.views import AudienceView
from web import auth
from web.dependencies import (
    NO_STORE_HEADERS,
    LogPageQuery,
    OperatorPass,
    PortsDependency,
    RateLimitedPass,
    file_download,
    read_in_lane,
    run_first,
)
from web.errors import record_rejection
from web.port import TablePorts
from web.render.between_games import between_games
from web.render.templates import (
    TV_REGIONS,
    render_page,
    render_panel,
    render_seat_page,
    render_seat_panel,
    render_tv_panel,
)
from web.routes.managers import ManagerPace
from web.security import admission
from web.security.passes import Pass
from web.security.rejected import PhoneRejected, RequestRejected

router = APIRouter(include_in_schema=False)

CodeField = Annotated[str, Form(max_length=40)]

VERDICT_WORDS = {"wrong": "wrong", "look": "worth a look", "ok": "OK"}
"""The words for each verdict of the doctor."""


def _join_addresses(request: Request, port: TablePorts) -> TableAddresses:
    """Return the table's addresses for phones in the network from which this request came."""
    return port.join((request.scope.get("server") or ("",))[0])


@router.get("/")
def game_page(request: Request, port: PortsDependency) -> Response:
    view = port.game.view_for(None)
    regions = render_panel(view, port.record.outcome_chances())
    return render_page("game.html", view=view, regions=regions, join=_join_addresses(request, port))


@router.get("/plays")
def plays_page(port: PortsDependency, at: LogPageQuery = 1) -> Response:
    found = port.record.plays_page(at)
    return render_page("plays.html", view=port.game.view_for(None), plays=found.plays, at=at, pages=found.pages)


@router.get("/tv")
def tv_page(request: Request, port: PortsDependency) -> Response:
    """The game for a television, on one page that never scrolls."""
    view = port.game.view_for(None)
    return render_page(
        "tv/page.html",
        view=view,
        regions=render_tv_panel(view, port.record.outcome_chances(), between_games(port.books, port.leagues, view)),
        labels=TV_REGIONS,
        join=_join_addresses(request, port),
    )


@router.get("/overlay")
def overlay_page(
    port: PortsDependency,
    theme: Literal["dark", "light", "plain"] = "dark",
    size: Annotated[int, Query(ge=50, le=300)] = 100,
    win: bool = False,
) -> Response:
    """The score on a transparent page, to overlay on a video. `size` is in percent. `win` adds the chances to win."""
    view = port.game.view_for(None)
    return render_page("overlay.html", view=view, regions=render_panel(view), theme=theme, size=size, win=win)


@router.get("/table")
@run_first
def operator_page(request: Request, port: PortsDependency) -> Response:
    view = port.game.view_for(None)
    if not auth.request_pass(request).operator:
        return _code_form(port, auth.lost_pass_notice(request))
    join = _join_addresses(request, port)
    return render_page("table.html", view=view, regions=render_panel(view), join=join, demo=port.devices.is_demo)


@router.post("/table")
@run_first
def sign_in_operator(request: Request, port: PortsDependency, code: CodeField = "") -> Response:
    held = auth.request_pass(request)
    try:
        auth.validate_code(request, code)
        return _sign_in(request, "/table", Pass(True, held.seat, held.epoch))
    except PhoneRejected as error:
        record_rejection(request.scope, error, port.refusals)
        return _code_form(port, error)


@router.get("/seat")
@run_first
def seat_page(request: Request, port: PortsDependency) -> Response:
    held = auth.request_pass(request)
    view = port.game.view_for(None)
    if held.seat is None:
        return _code_form(
            port, auth.lost_pass_notice(request), chosen=auth.pass_cookies(request).freed_seat(request), seats=True
        )
    if held.seat not in view.table.scoreboard.plays:
        return _code_form(port, admission.EMPTY_SEAT.sentence.format(seat=held.seat), seats=True)
    view = auth.redacted_view(port.game.view_for(held.seat))
    regions = render_seat_panel(view, port.game.view_for(None), port.record.outcome_chances())
    return render_seat_page(view, regions, held.seat, held.operator, held.operator and port.devices.is_demo)


@router.post("/seat")
@run_first
def join_seat(request: Request, port: PortsDependency, seat: Annotated[Seat, Form()], code: CodeField = "") -> Response:
    """Take a seat with the code on the display. The operator's phone needs no code.

    Everybody reads it, because one code opens both seats, and nobody may see the other side's secrets unnoticed.
    """
    held, epoch = auth.request_pass(request), port.access.seat_epoch(seat)  # before the code is checked
    view = port.game.view_for(None)
    try:
        if seat not in view.table.scoreboard.plays:
            raise PhoneRejected(admission.EMPTY_SEAT, seat=seat)
        if not held.operator:
            auth.validate_code(request, code)
        return _assign_seat(request, port, held, seat, epoch)
    except PhoneRejected as error:
        record_rejection(request.scope, error, port.refusals)
        return _code_form(port, error, chosen=seat, seats=True)


def _assign_seat(request: Request, port: TablePorts, held: Pass, seat: Seat, epoch: int) -> Response:
    """Give a phone a seat and notify everybody. Raises PhoneRejected.

    Nobody is warned if one person plays against the computer, or alone, and no other phone holds that seat.
    """

    def announce_seat() -> None:
        view, took = port.game.view_for(None), "took a seat:"
        board = view.table.scoreboard
        if {seat} == set(board.plays) - set(view.managers) and seat not in auth.held_seats(request):
            return
        if held.seat is not None:
            port.corrections.end_any_correction()  # a phone must not agree to its own proposal
            if held.seat in board.plays:
                took = f"changed seats: from {seat_label(board, held.seat)}, to"
        port.notices.show_warning(f"A phone {took} {seat_label(board, seat)}.")

    return _sign_in(request, "/seat", Pass(held.operator, seat, epoch), announce_seat)


def _sign_in(request: Request, where: str, given: Pass, announce: Callable[[], None] = lambda: None) -> Response:
    """Give a phone this pass, unless it has it already. Raises PhoneRejected if its address was given many."""
    if given == auth.request_pass(request):
        return RedirectResponse(where, 303)
    request.app.state.sign_ins.count_change(auth.client_key(request))
    announce()
    return _grant_and_redirect(request, where, given)


@router.get("/in")
def invitation_page(port: PortsDependency) -> Response:
    """The page of the display's QR code for one phone, to choose a seat or the operator's role."""
    return _invitation_form(port.game.view_for(None))


@router.post("/in")
@run_first
def redeem_invitation(
    request: Request,
    port: PortsDependency,
    who: Annotated[Seat | Literal["operator"], Form()],
    invitation: CodeField = "",
) -> Response:
    """Sign in with an invitation from the display in place of the code. Wrong codes never delay it."""
    held, view = auth.request_pass(request), port.game.view_for(None)
    epoch = held.epoch if who == "operator" else port.access.seat_epoch(who)  # before the invitation is checked
    try:
        if who != "operator" and who not in view.table.scoreboard.plays:
            raise PhoneRejected(admission.EMPTY_SEAT, seat=who)
        if not port.access.redeem_invitation(invitation):
            raise PhoneRejected(admission.BAD_INVITATION)
        if who == "operator":
            return _sign_in(request, "/table", Pass(True, held.seat, epoch))
        return _assign_seat(request, port, held, who, epoch)
    except PhoneRejected as error:
        record_rejection(request.scope, error, port.refusals)
        return _invitation_form(view, error)


@router.post("/seat/standing")
@run_first
def set_ask_preference(held: RateLimitedPass, port: PortsDependency, topic: CodeField, when: CodeField) -> Response:
    port.seats.set_ask_preference(_require_own_seat(held), topic, when)
    return RedirectResponse("/seat", 303)


@router.post("/seat/wait")
@run_first
def reopen_answers(
    held: RateLimitedPass, port: PortsDependency, n: Annotated[int | None, Form(ge=0)] = None
) -> Response:
    port.seats.reopen_answers(_require_own_seat(held), n)
    return RedirectResponse("/seat", 303)


@router.post("/seat/manager")
@run_first
def assign_manager(
    held: RateLimitedPass, port: PortsDependency, strength: Annotated[str, Form(max_length=24)] = ""
) -> Response:
    port.managed.assign_manager(_require_own_seat(held), strength or None)
    return RedirectResponse("/seat", 303)


@router.post("/seat/pace")
@run_first
def set_pace(held: RateLimitedPass, port: PortsDependency, pace: Annotated[ManagerPace, Form()]) -> Response:
    _require_own_seat(held)
    port.managed.set_pace(pace)
    return RedirectResponse("/seat", 303)


@router.post("/seat/table-rolls")
@run_first
def set_table_rolls(held: RateLimitedPass, port: PortsDependency, on: Annotated[bool, Form()]) -> Response:
    _require_own_seat(held)
    port.managed.set_table_rolls(on)
    return RedirectResponse("/seat", 303)


@router.post("/seat/rematch")
@run_first
def agree_to_rematch(held: RateLimitedPass, port: PortsDependency, on: Annotated[bool, Form()]) -> Response:
    port.games.agree_to_rematch(_require_own_seat(held), on)
    return RedirectResponse("/seat", 303)


@router.post("/seat/coach")
@run_first
def allow_coach(held: RateLimitedPass, port: PortsDependency, on: Annotated[bool, Form()]) -> Response:
    port.managed.allow_coach(_require_own_seat(held), on)
    return RedirectResponse("/seat", 303)


@router.post("/seat/assistance")
@run_first
def set_assistance(held: RateLimitedPass, port: PortsDependency, on: Annotated[bool, Form()]) -> Response:
    port.managed.set_assistance(_require_own_seat(held), on)
    return RedirectResponse("/seat", 303)


def _require_own_seat(held: Pass) -> Seat:
    """Return the seat that this phone holds. Raises PhoneRejected."""
    if held.seat is None:
        raise PhoneRejected(admission.NO_SEAT)
    return held.seat


@router.post("/leave")
@run_first
def leave_table(request: Request, port: PortsDependency) -> Response:
    """Give up this phone's pass. A correction that it proposed is canceled, as nobody may agree to it from there."""
    held, correction = auth.request_pass(request), port.game.view_for(None).correction
    if correction and correction.seat == held.seat:
        port.corrections.end_any_correction()
    return _grant_and_redirect(request, "/", Pass())


def _code_form(
    port: TablePorts, refusal: RequestRejected | str = "", chosen: Seat | None = None, seats: bool = False
) -> Response:
    """Return the form for the code, for the operator's page or for a seat. `refusal` is the reason for it."""
    status, wait = (refusal.status, refusal.wait) if isinstance(refusal, RequestRejected) else (200, 0)
    headers = {"Retry-After": str(wait)} if wait else {}
    view, demo = port.game.view_for(None), port.devices.is_demo
    facts = {"view": view, "demo": demo, "refusal": str(refusal), "seats": seats, "chosen": chosen}
    return render_page("code.html", status, headers, **facts)


def _invitation_form(view: AudienceView, refusal: RequestRejected | None = None) -> Response:
    return render_page("in.html", refusal.status if refusal else 200, view=view, refusal=str(refusal or ""))


def _grant_and_redirect(request: Request, where: str, given: Pass) -> Response:
    response = RedirectResponse(where, 303)
    auth.grant_pass(request, response, given)
    return response


@router.get("/join.svg")
def join_qr_code(request: Request, port: PortsDependency) -> Response:
    out = io.BytesIO()
    segno.make(_join_addresses(request, port).qr_url, micro=False).save(
        out, kind="svg", border=2, dark="#10241b", light="#fff", xmldecl=False, omitsize=True
    )
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


PictureName = Annotated[str, Path(pattern=r"^[0-9]{1,9}-[0-9]{1,9}$")]

# Limited, because the caption of a clip changes when a roll is corrected.
CACHE_HEADERS = {"Cache-Control": "max-age=3600"}
NO_CLIP_SENTENCE = "There is no clip of this throw."


@router.get("/evidence/{name}.jpg")
def dice_picture(name: PictureName, port: PortsDependency) -> Response:
    picture = port.record.dice_picture(name)
    if picture is None:
        raise RequestRejected(404, "There is no picture of this roll.")
    shown = port.game.view_for(None).proposal
    # Not cached before it counts, because the picture after another throw has the same name.
    cached = "no-store" if shown and shown.evidence == name else "max-age=3600"
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": cached})


@router.get("/evidence/{name}.json")
def dice_reading(name: PictureName, port: PortsDependency) -> Response:
    """The reading of the dice in that picture, with values, doubt and the figures for it."""
    said = port.record.dice_reading_json(name)
    if said is None:
        raise RequestRejected(404, "There is no record of how this roll was read.")
    return Response(said, media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/evidence/{name}.webp")
def throw_clip(name: PictureName, port: PortsDependency) -> Response:
    data = port.record.throw_clip(name)
    if data is None:
        raise RequestRejected(404, NO_CLIP_SENTENCE)
    headers = CACHE_HEADERS | {"Content-Disposition": f'inline; filename="dugout-{name}.webp"'}
    return Response(data, media_type="image/webp", headers=headers)


@router.get("/evidence/{name}.gif")
@read_in_lane("games")
def captioned_clip(name: PictureName, request: Request, port: PortsDependency) -> Response:
    """The clip to save, with score and play below it. Drawn one at a time."""
    data = port.record.captioned_clip(name)
    if data is None:
        raise RequestRejected(404, NO_CLIP_SENTENCE)
    return file_download(data, "image/gif", f'filename="dugout-{name}.gif"')


@router.get("/evidence/{name}")
def throw_page(name: PictureName, port: PortsDependency) -> Response:
    """The page of a throw, with its clip, score and play, and a button to save them."""
    if port.record.throw_clip(name) is None:
        raise RequestRejected(404, NO_CLIP_SENTENCE)
    return render_page("throw.html", view=port.game.view_for(None), name=name, caption=port.record.clip_caption(name))


@router.get("/camera.jpg")
@run_first
def camera_image(held: OperatorPass, port: PortsDependency) -> Response:
    return _image_response(port.devices.camera_jpeg(), "jpeg", "There is no camera picture.")


@router.get("/board.jpg")
@run_first
def board_image(held: OperatorPass, port: PortsDependency) -> Response:
    return _image_response(port.devices.board_jpeg(), "jpeg", "There is no picture of the board.")


@router.get("/display.png")
@run_first
def display_image(held: OperatorPass, port: PortsDependency) -> Response:
    """The bitmap on the display, only for the operator because it may show the code."""
    return _image_response(port.display_png(), "png", "There is no display picture.")


def _image_response(data: bytes | None, kind: str, none: str) -> Response:
    if data is None:
        raise RequestRejected(404, none)
    return Response(data, media_type=f"image/{kind}", headers=NO_STORE_HEADERS)


@router.get("/doctor")
@read_in_lane("games")
def doctor_page(request: Request, held: OperatorPass, port: PortsDependency) -> Response:
    """The findings of the checks, run now, the worst first."""
    return render_page(
        "doctor.html", view=port.game.view_for(None), found=port.doctor.run_checks(), marks=VERDICT_WORDS
    )


@router.get("/doctor.zip")
@read_in_lane("games")
def support_bundle(request: Request, held: OperatorPass, port: PortsDependency) -> Response:
    return file_download(port.doctor.support_bundle(), "application/zip", "filename=dugout-doctor.zip")
