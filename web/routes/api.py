"""The JSON API for reading, for the answers of seats, and for the operator."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from device.shapes import MAX_LIST_LENGTH, TABLE_ID_HEADER, CalibrationReport, GameCatalog, Health, Presence
from engine.ask_views import RerollView, RollView
from engine.errors import StaleAnswer
from engine.journal import Source
from engine.scoreboard import seat_label
from engine.seats import MAX_SIDE_NAME_LENGTH, Seat
from engine.text.paths import text_without_paths
from engine.views import (
    AnswerView,
    AudienceView,
    CorrectionPreview,
    CurrentReroll,
    CurrentRoll,
    PlayView,
    UndoPreview,
)
from web import auth
from web.dependencies import (
    DoneReply,
    HolderPass,
    OperatorPass,
    PortsDependency,
    RateLimitedPass,
    RequestBody,
    read_in_lane,
    run_first,
    uncached_json,
)
from web.live.presence import presence_report
from web.port import TablePorts
from web.schema import (
    OPERATOR_RESPONSES,
    READ_RESPONSES,
    REJECTION_RESPONSES,
    SEAT_RESPONSES,
    SWITCH_RESPONSES,
    reply_responses,
)
from web.security import admission
from web.security.passes import Pass
from web.security.rejected import PhoneRejected, RequestRejected

AskNumber = Annotated[int, Field(ge=0, le=10**9, strict=True, description="The number of a question or its answer.")]
LimitQuery = Annotated[int, Query(ge=1, le=MAX_LIST_LENGTH, description="The most to return.")]
BeforeQuery = Annotated[
    int | None, Query(ge=0, le=10**9, description="Only those before this number; default: the newest.")
]
PictureShare = Annotated[float, Field(ge=0, le=1, strict=True)]
ShortText = Annotated[str, Field(min_length=1, max_length=80)]
ManagerChoice = Annotated[
    str, Field(pattern="^[a-z-]{1,24}$", description='A key of `cast`, such as "ruth", or a strength: by the book.')
]


class AnswerBody(RequestBody):
    """An answer. The ask's number is its idempotency key, so the second of two equal requests is stale."""

    seat: Seat
    n: AskNumber
    value: Any = Field(
        description="A face, a list of faces (null: not rerolled), a choice's code, or an object of place to piece."
    )


class AskNumberBody(RequestBody):
    """The number of an ask, for which a roll is shown or which was answered."""

    n: AskNumber


class CallBody(AskNumberBody):
    """A call in a race, with the number of the seat's ask."""

    seat: Seat


class AskPreferenceBody(RequestBody):
    """When a seat is asked about a topic of its game. The view's `standing` lists the topics."""

    seat: Seat
    topic: ShortText
    when: Literal["always", "runners", "seventh", "never"]


class WaitBody(RequestBody):
    """The seat that waits, and an answer to reopen (null: any). 422 if it is too late for that answer."""

    seat: Seat
    n: AskNumber | None = None


VERSION_DESCRIPTION = "The table's version that the phone showed: 409 if the game has moved on."


class UndoBody(RequestBody):
    """Undo answer `n` and all later ones, or if `n` is null the last answer of a person.

    The version is required, so that two equal requests undo only once.
    """

    n: AskNumber | None = None
    version: AskNumber = Field(description=VERSION_DESCRIPTION)


class CorrectionTrialBody(AskNumberBody):
    """The right value of roll `n`, to preview its effect."""

    value: Any


class RollCorrectionBody(AskNumberBody):
    """The right value of roll `n`."""

    value: Any
    version: AskNumber | None = Field(default=None, description=VERSION_DESCRIPTION)


class NewGameBody(RequestBody):
    """The game to begin.

    Decks are named, and none means the house deck. `house` has the house rules that differ from their defaults. `names`
    are what people call the sides. A side without one has its default name.
    """

    game: ShortText
    decks: list[ShortText] = Field(default=[], max_length=20)
    house: dict[ShortText, ShortText] = Field(default={}, max_length=100)
    names: dict[Seat, Annotated[str, Field(max_length=MAX_SIDE_NAME_LENGTH)]] = Field(default={})
    managers: dict[Seat, ManagerChoice] = Field(default={}, description="The computer that manages a seat.")
    pace: Literal["normal", "brisk", "instant", ""] = Field(
        default="", description="How soon computers answer. Empty: same as in the last game."
    )
    table_rolls: bool = Field(default=False, description="Whether the table rolls for the computer.")
    game_pace: ShortText = Field(
        default="",
        description="The way to play: `quick`, `classic` or `box`. Empty: none. `house` changes its rules.",
    )
    people: dict[Seat, ShortText] = Field(
        default={}, description="The keys of the people who manage, as in `/api/people`."
    )


class PressBody(RequestBody):
    """A movement of a virtual button."""

    button: Literal["away-previous", "away-next", "away-ok", "home-previous", "home-next", "home-ok", "undo"]
    action: Literal["press", "hold", "release"]


class SimulateBody(RequestBody):
    """An action on the virtual tray, its camera, or the virtual board."""

    what: Literal[
        "throw", "throw-home", "throw-away", "pick-up", "cock", "stack", "hand", "unplug", "plug", "lay", "cover"
    ]


class CalibrateBody(RequestBody):
    """A step of the calibration: capture the empty tray, set its corners as tapped on the picture, measure one die of
    16 mm, test which dice in the tray can be read, or delete the calibration. `corners` are shares of the picture.
    """

    step: Literal["empty", "corners", "die", "dice", "forget"]
    corners: Annotated[list[tuple[PictureShare, PictureShare]], Field(max_length=24)] = Field(default=[])


class RematchBody(RequestBody):
    """Whether a seat asks for a rematch."""

    seat: Seat
    on: bool


class FreeSeatBody(RequestBody):
    """The seat to free."""

    seat: Seat


class SignOutBody(RequestBody):
    """The phone to sign out, by the id of its pass in `/api/phones`. Null signs out every phone but this one."""

    id: ShortText | None = None


router = APIRouter(prefix="/api")


@router.get("/view", tags=["read"], summary="The game now", responses=reply_responses(AudienceView) | SEAT_RESPONSES)
def get_view(request: Request, port: PortsDependency, seat: Annotated[Seat | None, Query()] = None) -> Response:
    """The complete view of a spectator, or with a seat's cookie that of the seat."""
    auth.require_view_access(request, seat)
    return uncached_json(auth.redacted_view(port.game.view_for(seat)))


@router.get(
    "/plays",
    tags=["read"],
    summary="The play log",
    responses=reply_responses(list[PlayView]) | {422: REJECTION_RESPONSES[422]},
)
def get_plays(port: PortsDependency, page: Annotated[int, Query(ge=1, le=10**6)] = 1) -> Response:
    """A page of at most 600 lines, oldest first. Page 1 has the newest lines. A page after the last one is empty."""
    return uncached_json(port.record.plays_page(page).plays)


@router.get(
    "/rolls",
    tags=["read"],
    summary="Rolls that stand",
    responses=reply_responses(list[CurrentRoll | CurrentReroll]) | {422: REJECTION_RESPONSES[422]},
)
def get_rolls(port: PortsDependency, limit: LimitQuery = MAX_LIST_LENGTH, before: BeforeQuery = None) -> Response:
    """The rolls that may be corrected, newest first."""
    return uncached_json(port.record.current_rolls(limit, before))


@router.get(
    "/answers",
    tags=["operator"],
    summary="Answers that stand",
    responses=SEAT_RESPONSES | reply_responses(list[AnswerView]),
)
@run_first
def get_answers(
    held: OperatorPass, port: PortsDependency, limit: LimitQuery = MAX_LIST_LENGTH, before: BeforeQuery = None
) -> Response:
    """The answers of people, newest first. Each can be undone, together with all later ones."""
    return uncached_json(port.record.current_answers(limit, before))


@router.get(
    "/catalogue", tags=["read"], summary="What can be played", responses=reply_responses(GameCatalog) | READ_RESPONSES
)
@read_in_lane("decks")
def get_catalog(request: Request, port: PortsDependency) -> Response:
    """The games with their house rules and decks."""
    return uncached_json(port.games.game_catalog())


@router.get("/health", tags=["read"], summary="How the machine is", responses=reply_responses(list[Health]))
def get_health(request: Request, port: PortsDependency) -> Response:
    """Each component with its state in words. Only the operator reads the paths of files."""
    told = port.devices.component_health()
    if not auth.request_pass(request).operator:
        told = [replace(one, words=text_without_paths(one.words)) for one in told]
    return uncached_json(told, **{TABLE_ID_HEADER: port.access.table_id})


@router.post("/answer", tags=["seat"], summary="Answer an ask", responses=REJECTION_RESPONSES)
@run_first
def answer_ask(given: AnswerBody, held: HolderPass, port: PortsDependency) -> DoneReply:
    """A seat answers its own asks, and throws for a computer's seat. The operator may answer any but a secret ask."""
    if held.seat != given.seat:
        view = port.game.view_for(None)
        asks = {ask.n: ask for ask in view.table.asks}
        for_computer = held.seat is not None and given.seat in view.managers
        if (for_computer or held.operator) and given.n not in asks:
            stands = any(one.n == given.n for one in port.record.current_answers(1, given.n + 1))
            raise StaleAnswer("That was answered already." if stands else "That question is no longer open.")
        if not held.operator and not (for_computer and isinstance(asks[given.n], RollView | RerollView)):
            raise PhoneRejected(admission.SEAT_NOT_HELD)
        if asks[given.n].secret:
            raise PhoneRejected(admission.SECRET_ASK)
    port.seats.answer_ask(given.seat, given.n, given.value, Source.OPERATOR if held.seat is None else Source.PHONE)
    return DoneReply()


@router.post("/seat/call", tags=["seat"], summary="Call out in a race", responses=REJECTION_RESPONSES)
@run_first
def call_in_race(made: CallBody, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Call SAFE or OUT for one's own seat, timed on arrival. The stream shows whether the die supports the call."""
    auth.require_seat(held, made.seat)
    port.race.call_in_race(made.seat, made.n, None, Source.PHONE)
    return DoneReply()


@router.post("/seat/standing", tags=["seat"], summary="Choose when to be asked", responses=SWITCH_RESPONSES)
@run_first
def set_ask_preference(chosen: AskPreferenceBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Set for one's own seat when it is asked in this game. Otherwise the table answers, which everybody sees."""
    auth.require_seat(held, chosen.seat)
    port.seats.set_ask_preference(chosen.seat, chosen.topic, chosen.when)
    return DoneReply()


@router.post("/seat/wait", tags=["seat"], summary="Wait", responses=SWITCH_RESPONSES)
@run_first
def reopen_answers(said: WaitBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Reopen the table's answers for this seat since the last throw, and ask it everything until the next throw."""
    auth.require_seat(held, said.seat)
    port.seats.reopen_answers(said.seat, said.n)
    return DoneReply()


@router.post("/reject", tags=["seat"], summary="Roll again", responses=REJECTION_RESPONSES)
@run_first
def reject_roll(shown: AskNumberBody, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Withdraw the roll shown for ask `n` before it counts. For its seat and the operator."""
    _require_shown_roll(port, held, shown.n)
    port.rolls.reject_roll(shown.n)
    return DoneReply()


@router.post("/hold", tags=["seat"], summary="Let a shown roll wait", responses=REJECTION_RESPONSES)
@run_first
def stop_countdown(shown: AskNumberBody, held: HolderPass, port: PortsDependency) -> DoneReply:
    """Stop the countdown of the roll shown for ask `n`, to correct it. For its seat and the operator."""
    _require_shown_roll(port, held, shown.n)
    port.rolls.stop_countdown(shown.n)
    return DoneReply()


def _is_managed_throw(port: TablePorts, seat: Seat, n: int) -> bool:
    """Return True if `n` asks for the dice of a seat that a computer manages. People throw these."""
    view = port.game.view_for(None)
    thrown = [ask.n for ask in view.table.asks if isinstance(ask, RollView | RerollView)]
    return seat in view.managers and n in thrown


def _require_shown_roll(port: TablePorts, held: Pass, n: int) -> None:
    """Check that a roll is shown for ask `n`, to its seat or the operator. Raises StaleAnswer and PhoneRejected."""
    proposal = port.game.view_for(None).proposal
    if proposal is None or proposal.n != n:
        raise StaleAnswer("That roll is no longer shown.")
    mine = held.seat == proposal.seat or (held.seat and _is_managed_throw(port, proposal.seat, n))
    if not held.operator and not mine:
        raise PhoneRejected(admission.SEAT_NOT_HELD)


@router.post("/undo", tags=["operator"], summary="Take back", responses=REJECTION_RESPONSES)
@run_first
def undo_answers(back: UndoBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Undo the last answer, or answer `n` and all later ones."""
    port.game.undo_answers(back.n, version=back.version)
    return DoneReply()


@router.post(
    "/undo/preview",
    tags=["operator"],
    summary="Try taking back",
    responses=REJECTION_RESPONSES | reply_responses(UndoPreview),
)
@run_first
def preview_undo(back: AskNumberBody, held: OperatorPass, port: PortsDependency) -> Response:
    """The effect of undoing answer `n` and all later ones. Changes nothing."""
    return uncached_json(port.record.preview_undo(back.n))


def _require_roll(port: TablePorts, n: int) -> None:
    """Check that `n` is a roll, because previews of another seat's secret would reveal it. Raises StaleAnswer."""
    if all(roll.n != n for roll in port.record.current_rolls(1, n + 1)):
        raise StaleAnswer(f"There is no roll {n} to correct.")


@router.post(
    "/preview",
    tags=["operator"],
    summary="Try a correction",
    responses=REJECTION_RESPONSES | reply_responses(CorrectionPreview),
)
@run_first
def preview_correction(change: CorrectionTrialBody, held: OperatorPass, port: PortsDependency) -> Response:
    """The effect of correcting roll `n`. Changes nothing."""
    _require_roll(port, change.n)
    return uncached_json(port.record.preview_correction(change.n, change.value))


@router.post("/amend", tags=["operator"], summary="Correct a roll", responses=REJECTION_RESPONSES)
@run_first
def correct_roll(change: RollCorrectionBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Correct roll `n`. Later answers that are still valid are kept."""
    _require_roll(port, change.n)
    port.game.correct_roll(change.n, change.value, version=change.version)
    return DoneReply()


@router.post("/game", tags=["operator"], summary="Begin a game", responses=REJECTION_RESPONSES)
@run_first
def begin_game(new: NewGameBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Begin a new game on the table. The game before it is paused, and stays in its journal."""
    _validate_new_game(port, new)
    port.games.begin_game(
        *(new.game, new.decks, new.house, new.names, new.managers, new.pace, new.table_rolls, new.game_pace),
        people=new.people,
    )
    return DoneReply()


@router.post("/game/again", tags=["operator"], summary="Begin the same game again", responses=REJECTION_RESPONSES)
@run_first
def begin_rematch(held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Begin a new game with the rulebook, decks, house rules and names of the one on the table, which is kept."""
    port.games.begin_rematch()
    return DoneReply()


@router.post("/seat/rematch", tags=["seat"], summary="Ask for a rematch", responses=SWITCH_RESPONSES)
@run_first
def agree_to_rematch(wish: RematchBody, held: RateLimitedPass, port: PortsDependency) -> DoneReply:
    """Ask for a rematch for one's own seat, or no longer. It begins once all seats of people do."""
    auth.require_seat(held, wish.seat)
    port.games.agree_to_rematch(wish.seat, wish.on)
    return DoneReply()


@router.post(
    "/calibrate",
    tags=["operator"],
    summary="Calibrate the camera",
    responses=REJECTION_RESPONSES | reply_responses(CalibrationReport),
)
@run_first
def run_calibration_step(given: CalibrateBody, held: OperatorPass, port: PortsDependency) -> Response:
    """Run one step of the calibration, which may take some seconds. A failed check is not an error."""
    return uncached_json(port.devices.run_calibration_step(given.step, given.corners))


def _validate_new_game(port: TablePorts, new: NewGameBody) -> None:
    decks = {one.key: [deck.name for deck in one.decks] for one in port.games.game_catalog().games}
    if new.game not in decks:
        raise RequestRejected(422, f"game: there is {', '.join(decks) or 'none'}, not {new.game!r}.")
    for name in new.decks:
        if name not in decks[new.game]:
            raise RequestRejected(422, f"decks: {new.game} has {', '.join(decks[new.game]) or 'none'}, not {name!r}.")
    known = {one.key for one in port.leagues.people()}
    for key in new.people.values():
        if key not in known:
            raise RequestRejected(422, f"people: there is nobody with the key {key!r}.")


def _require_demo(port: TablePorts) -> None:
    if not port.devices.is_demo:
        raise PhoneRejected(admission.DEMO_ONLY)


@router.post("/press", tags=["demo"], summary="Move a virtual button", responses=REJECTION_RESPONSES)
@run_first
def move_button(moved: PressBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """One movement of one button, in a demo only."""
    _require_demo(port)
    port.devices.move_button(moved.button, moved.action)
    return DoneReply()


@router.post("/simulate", tags=["demo"], summary="Throw virtual dice", responses=REJECTION_RESPONSES)
@run_first
def simulate_action(act: SimulateBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """One action on the virtual tray or board, in a demo only."""
    _require_demo(port)
    port.devices.simulate_action(act.what)
    return DoneReply()


@router.get(
    "/phones", tags=["operator"], summary="Who is in the room", responses=OPERATOR_RESPONSES | reply_responses(Presence)
)
@run_first
def get_phones(request: Request, held: OperatorPass, port: PortsDependency) -> Response:
    """The signed-in phones, the number of others that watch, and the rejections, with only the end of addresses."""
    refusals = port.refusals.rejection_summary()
    return uncached_json(
        presence_report(port.access.sign_in_code, request.app.state.phones, auth.pass_cookies(request), held, refusals)
    )


@router.post("/free", tags=["operator"], summary="Free a seat", responses=REJECTION_RESPONSES)
@run_first
def free_seat(given: FreeSeatBody, request: Request, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Turn every phone of the seat into a spectator's, with a notice. The code changes, and the seat is open."""
    port.access.free_seat(given.seat)
    request.app.state.streams.end_seat_streams(given.seat, admission.FREED_SEAT.sentence)
    port.corrections.end_any_correction()
    board = port.game.view_for(None).table.scoreboard
    port.notices.show_warning(f"Seat freed: {seat_label(board, given.seat)}.")
    return DoneReply()


@router.post("/sign-out", tags=["operator"], summary="Sign phones out", responses=REJECTION_RESPONSES)
@run_first
def sign_out_phones(
    given: SignOutBody, request: Request, response: Response, held: OperatorPass, port: PortsDependency
) -> DoneReply:
    """End the pass of one phone, or of all but this one, which gets a new pass. The code changes."""
    listed = {one.held.id for one in auth.pass_cookies(request).listed.valid_passes()}
    ids = listed if given.id is None else {given.id}
    auth.sign_out_phones(request, ids - {held.id})
    port.corrections.end_any_correction()
    if held.id in ids:
        auth.grant_pass(request, response, held if given.id is None else Pass())
    if given.id is None:
        port.notices.show_warning("All other phones were signed out.")
    elif given.id in listed - {held.id}:
        port.notices.show_warning("A phone was signed out.")
    return DoneReply()


@router.post("/shutdown", tags=["operator"], summary="Turn off the table", responses=REJECTION_RESPONSES)
@run_first
def shut_down(held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Shut down the table. Its display shows when it is safe to unplug it. Streams end with `over`."""
    port.shutdown()
    return DoneReply()
