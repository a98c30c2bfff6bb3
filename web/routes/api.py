"""The JSON API: what anyone may read, what a seat may answer, and what only the operator may do."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from device.shapes import LISTED, CalibrationReport, Catalogue, Health, Presence
from engine.ask_views import RerollView, RollView
from engine.errors import StaleAnswer
from engine.journal import Source
from engine.scoreboard import seat_words
from engine.seats import NAME, Seat
from engine.text.paths import without_paths
from engine.views import (
    AnswerView,
    CorrectionPreview,
    PlayView,
    StandingReroll,
    StandingRoll,
    UndoPreview,
    View,
)
from web import auth
from web.dependencies import DoneReply, Holder, Operator, RequestBody, Switcher, Table, at_once, fresh, reads
from web.live.presence import presence
from web.port import Port
from web.schema import OPERATOR_RESPONSES, READ_RESPONSES, RESPONSES, SEAT_RESPONSES, SWITCH_RESPONSES, returns
from web.security import admission
from web.security.passes import Pass
from web.security.refused import Refused, TurnedAway

Number = Annotated[int, Field(ge=0, le=10**9, strict=True, description="The number of an ask and of its answer.")]
Limit = Annotated[int, Query(ge=1, le=LISTED, description="At most how many.")]
Before = Annotated[int | None, Query(ge=0, le=10**9, description="Only those before this number; default: the newest.")]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]
Key = Annotated[str, Field(min_length=1, max_length=80)]


class AnswerBody(RequestBody):
    """An answer. The ask's number is its idempotency key: sent twice, the second is stale."""

    seat: Seat
    n: Number
    value: Any = Field(
        description="A face or a list of faces (null: left lying), a code of a choice, or an object of place to piece."
    )


class NumberBody(RequestBody):
    """An ask, by its number: one that a roll is shown for, or one that was answered."""

    n: Number


class CallBody(NumberBody):
    """A call in a race: the seat, and the number of its ask."""

    seat: Seat


class StandingBody(RequestBody):
    """When a seat is asked about a topic of its game, as the view's `standing` lists them."""

    seat: Seat
    topic: Key
    when: Literal["always", "runners", "seventh", "never"]


class WaitBody(RequestBody):
    """The seat that waits, and an answer to reopen: 422 if it is too late for that one. Null: whatever there is."""

    seat: Seat
    n: Number | None = None


SEEN = "The table's version that the phone showed: 409 if the game has gone on since."


class UndoBody(RequestBody):
    """What to take back: answer `n` and all after it; if `n` is null, the last one that a person gave.

    The version is required: the same request, sent twice, takes back once.
    """

    n: Number | None = None
    version: Number = Field(description=SEEN)


class ChangeBody(NumberBody):
    """The right value of roll `n`, to be tried."""

    value: Any


class AmendBody(NumberBody):
    """The right value of roll `n`."""

    value: Any
    version: Number | None = Field(default=None, description=SEEN)


class NewGameBody(RequestBody):
    """The game to begin, its decks by name (none: the house deck), house rules that differ from their defaults, and
    what people call the sides (a side that is left out has its usual name).
    """

    game: Key
    decks: list[Key] = Field(default=[], max_length=20)
    house: dict[Key, Key] = Field(default={}, max_length=100)
    names: dict[Seat, Annotated[str, Field(max_length=NAME)]] = Field(default={})
    managers: dict[Seat, Literal["rookie", "regular", "all-star"]] = Field(
        default={}, description="The strength of the computer that manages a seat."
    )
    pace: Literal["normal", "brisk", "instant", ""] = Field(default="", description="Empty: as in the game before.")


class PressBody(RequestBody):
    """A movement of a virtual button."""

    button: Literal["away-previous", "away-next", "away-ok", "home-previous", "home-next", "home-ok", "undo"]
    action: Literal["press", "hold", "release"]


class SimulateBody(RequestBody):
    """What happens to the virtual tray, its camera, or the virtual board."""

    what: Literal[
        "throw", "throw-home", "throw-away", "pick-up", "cock", "stack", "hand", "unplug", "plug", "lay", "cover"
    ]


class CalibrateBody(RequestBody):
    """A step of the calibration: capture the empty tray, take its corners as they were tapped on the picture, measure
    one die of 16 mm, see which dice of those in the tray can be read, or forget everything. `corners` are shares of the
    picture's width and height."""

    step: Literal["empty", "corners", "die", "dice", "forget"]
    corners: Annotated[list[tuple[Share, Share]], Field(max_length=24)] = Field(default=[])


class FreeBody(RequestBody):
    """The seat that its phones are to give up."""

    seat: Seat


class SignOutBody(RequestBody):
    """The pass of the phone to sign out, as `/api/phones` lists it; null: of every phone but this one."""

    id: Key | None = None


router = APIRouter(prefix="/api")


@router.get("/view", tags=["read"], summary="The game now", responses=returns(View) | SEAT_RESPONSES)
def view(request: Request, port: Table, seat: Annotated[Seat | None, Query()] = None) -> Response:
    """The whole small view of a spectator, or of a seat with that seat's cookie."""
    auth.may_see(request, seat)
    return fresh(auth.seen(port.game.view(seat)))


@router.get("/plays", tags=["read"], summary="The play log", responses=returns(list[PlayView]) | {422: RESPONSES[422]})
def plays(port: Table, page: Annotated[int, Query(ge=1, le=10**6)] = 1) -> Response:
    """The newest lines, oldest first, at most 600; page 2 has the lines before them, and so on until one is empty."""
    return fresh(port.record.plays(page).plays)


@router.get(
    "/rolls",
    tags=["read"],
    summary="Rolls that stand",
    responses=returns(list[StandingRoll | StandingReroll]) | {422: RESPONSES[422]},
)
def rolls(port: Table, limit: Limit = LISTED, before: Before = None) -> Response:
    """The rolls that may be corrected, newest first, at most `limit` of them."""
    return fresh(port.record.rolls(limit, before))


@router.get(
    "/answers",
    tags=["operator"],
    summary="Answers that stand",
    responses=SEAT_RESPONSES | returns(list[AnswerView]),
)
@at_once
def answers(held: Operator, port: Table, limit: Limit = LISTED, before: Before = None) -> Response:
    """What people answered, newest first, at most `limit` of it. Each can be taken back, with all after it."""
    return fresh(port.record.answers(limit, before))


@router.get("/catalogue", tags=["read"], summary="What can be played", responses=returns(Catalogue) | READ_RESPONSES)
@reads("decks")
def catalogue(request: Request, port: Table) -> Response:
    """Games with their house rules and decks."""
    return fresh(port.games.catalogue())


@router.get("/health", tags=["read"], summary="How the machine is", responses=returns(list[Health]))
def health(request: Request, port: Table) -> Response:
    """Each part and its state in words; only the operator reads which file is meant."""
    told = port.devices.health()
    if not auth.of(request).operator:
        told = [replace(one, words=without_paths(one.words)) for one in told]
    return fresh(told)


@router.post("/answer", tags=["seat"], summary="Answer an ask", responses=RESPONSES)
@at_once
def answer(given: AnswerBody, held: Holder, port: Table) -> DoneReply:
    """A seat answers its own asks, and throws for a seat that a computer manages; the operator answers any but a secret
    one.
    """
    if held.seat != given.seat:
        view = port.game.view(None)
        asks = {ask.n: ask for ask in view.table.asks}
        for_computer = held.seat is not None and given.seat in view.managers
        if (for_computer or held.operator) and given.n not in asks:
            stands = any(one.n == given.n for one in port.record.answers(1, given.n + 1))
            raise StaleAnswer("That was answered already." if stands else "That is no longer asked.")
        if not held.operator and not (for_computer and isinstance(asks[given.n], RollView | RerollView)):
            raise TurnedAway(admission.SEAT)
        if asks[given.n].secret:
            raise TurnedAway(admission.SECRET)
    port.seats.answer(given.seat, given.n, given.value, Source.OPERATOR if held.seat is None else Source.PHONE)
    return DoneReply()


@router.post("/seat/call", tags=["seat"], summary="Call out in a race", responses=RESPONSES)
@at_once
def call(made: CallBody, held: Holder, port: Table) -> DoneReply:
    """SAFE or OUT, each seat for itself, timed when it arrives. The stream shows whether the die backs it."""
    auth.sits(held, made.seat)
    port.race.call(made.seat, made.n, None, Source.PHONE)
    return DoneReply()


@router.post("/seat/standing", tags=["seat"], summary="Be asked less, or again", responses=SWITCH_RESPONSES)
@at_once
def standing(chosen: StandingBody, held: Switcher, port: Table) -> DoneReply:
    """Each seat for itself, for the whole game. What is not asked is answered by the table, and shown to everybody."""
    auth.sits(held, chosen.seat)
    port.seats.stand(chosen.seat, chosen.topic, chosen.when)
    return DoneReply()


@router.post("/seat/wait", tags=["seat"], summary="Wait", responses=SWITCH_RESPONSES)
@at_once
def wait(said: WaitBody, held: Switcher, port: Table) -> DoneReply:
    """Reopen what the table answered for this seat since the last throw, and ask it everything until the next."""
    auth.sits(held, said.seat)
    port.seats.wait(said.seat, said.n)
    return DoneReply()


@router.post("/reject", tags=["seat"], summary="Throw again", responses=RESPONSES)
@at_once
def reject(shown: NumberBody, held: Holder, port: Table) -> DoneReply:
    """Drop the roll that is shown for ask `n` before it counts. Its seat and the operator may."""
    _own(port, held, shown.n)
    port.rolls.reject(shown.n)
    return DoneReply()


@router.post("/hold", tags=["seat"], summary="Let a shown roll wait", responses=RESPONSES)
@at_once
def hold(shown: NumberBody, held: Holder, port: Table) -> DoneReply:
    """Stop the countdown while somebody corrects the roll shown for ask `n`. Its seat and the operator may."""
    _own(port, held, shown.n)
    port.rolls.hold(shown.n)
    return DoneReply()


def _throws_for(port: Port, seat: Seat, n: int) -> bool:
    """True if a computer manages this seat and `n` asks for its dice: people throw them."""
    view = port.game.view(None)
    thrown = [ask.n for ask in view.table.asks if isinstance(ask, RollView | RerollView)]
    return seat in view.managers and n in thrown


def _own(port: Port, held: Pass, n: int) -> None:
    """Check that a roll is shown for ask `n`, to its seat or the operator. Raises StaleAnswer and TurnedAway."""
    proposal = port.game.view(None).proposal
    if proposal is None or proposal.n != n:
        raise StaleAnswer("That roll is no longer shown.")
    mine = held.seat == proposal.seat or (held.seat and _throws_for(port, proposal.seat, n))
    if not held.operator and not mine:
        raise TurnedAway(admission.SEAT)


@router.post("/undo", tags=["operator"], summary="Take back", responses=RESPONSES)
@at_once
def undo(back: UndoBody, held: Operator, port: Table) -> DoneReply:
    """Take back the last answer, or answer `n` and all after it."""
    port.game.undo(back.n, version=back.version)
    return DoneReply()


@router.post("/undo/preview", tags=["operator"], summary="Try taking back", responses=RESPONSES | returns(UndoPreview))
@at_once
def undoing(back: NumberBody, held: Operator, port: Table) -> Response:
    """What taking back answer `n` and all after it would change. Changes nothing."""
    return fresh(port.record.undo_preview(back.n))


def _correctable(port: Port, n: int) -> None:
    """Check that `n` is a roll: trying values on another seat's secret would reveal it. Raises StaleAnswer."""
    if all(roll.n != n for roll in port.record.rolls(1, n + 1)):
        raise StaleAnswer(f"There is no roll {n} to correct.")


@router.post(
    "/preview", tags=["operator"], summary="Try a correction", responses=RESPONSES | returns(CorrectionPreview)
)
@at_once
def preview(change: ChangeBody, held: Operator, port: Table) -> Response:
    """What correcting roll `n` would change. Changes nothing."""
    _correctable(port, change.n)
    return fresh(port.record.preview(change.n, change.value))


@router.post("/amend", tags=["operator"], summary="Correct a roll", responses=RESPONSES)
@at_once
def amend(change: AmendBody, held: Operator, port: Table) -> DoneReply:
    """Correct roll `n`; later answers that still fit are kept."""
    _correctable(port, change.n)
    port.game.amend(change.n, change.value, version=change.version)
    return DoneReply()


@router.post("/game", tags=["operator"], summary="Begin a game", responses=RESPONSES)
@at_once
def game(new: NewGameBody, held: Operator, port: Table) -> DoneReply:
    """Put a new game on the table. The one before stays in its journal."""
    _playable(port, new)
    port.games.new_game(new.game, new.decks, new.house, new.names, new.managers, new.pace)
    return DoneReply()


@router.post("/game/again", tags=["operator"], summary="Begin the same game again", responses=RESPONSES)
@at_once
def again(held: Operator, port: Table) -> DoneReply:
    """Put a new game like the one on the table there, with its decks, house rules and names. That one is kept."""
    port.games.again()
    return DoneReply()


@router.post(
    "/calibrate", tags=["operator"], summary="Calibrate the camera", responses=RESPONSES | returns(CalibrationReport)
)
@at_once
def calibrate(given: CalibrateBody, held: Operator, port: Table) -> Response:
    """One step of the calibration; may take some seconds. A failed check is not a refusal."""
    return fresh(port.devices.calibrate(given.step, given.corners))


def _playable(port: Port, new: NewGameBody) -> None:
    decks = {one.key: [deck.name for deck in one.decks] for one in port.games.catalogue().games}
    if new.game not in decks:
        raise Refused(422, f"game: there is {', '.join(decks) or 'none'}, not {new.game!r}.")
    for name in new.decks:
        if name not in decks[new.game]:
            raise Refused(422, f"decks: {new.game} has {', '.join(decks[new.game]) or 'none'}, not {name!r}.")


def _demo(port: Port) -> None:
    if not port.devices.demo:
        raise TurnedAway(admission.DEMO)


@router.post("/press", tags=["demo"], summary="Move a virtual button", responses=RESPONSES)
@at_once
def press(moved: PressBody, held: Operator, port: Table) -> DoneReply:
    """One movement of one button, in a demo only."""
    _demo(port)
    port.devices.press(moved.button, moved.action)
    return DoneReply()


@router.post("/simulate", tags=["demo"], summary="Throw virtual dice", responses=RESPONSES)
@at_once
def simulate(act: SimulateBody, held: Operator, port: Table) -> DoneReply:
    """Something that happens on the virtual tray or board, in a demo only."""
    _demo(port)
    port.devices.simulate(act.what)
    return DoneReply()


@router.get(
    "/phones", tags=["operator"], summary="Who is in the room", responses=OPERATOR_RESPONSES | returns(Presence)
)
@at_once
def phones(request: Request, held: Operator, port: Table) -> Response:
    """The phones that are signed in, how many others watch, and who was turned away, for the operator. Of an
    address it says only the end."""
    refusals = port.refusals.summary()
    return fresh(presence(port.access.code, request.app.state.phones, auth.passes(request), held, refusals))


@router.post("/free", tags=["operator"], summary="Free a seat", responses=RESPONSES)
@at_once
def free(given: FreeBody, request: Request, held: Operator, port: Table) -> DoneReply:
    """Make every phone of the seat a spectator's, with a notice. The code changes: the seat has to be taken again."""
    port.access.free(given.seat)
    request.app.state.streams.free(given.seat, admission.FREED.sentence)
    port.corrections.part()
    board = port.game.view(None).table.scoreboard
    port.notices.warn(f"Seat freed: {seat_words(board, given.seat)}.")
    return DoneReply()


@router.post("/sign-out", tags=["operator"], summary="Sign phones out", responses=RESPONSES)
@at_once
def sign_out(given: SignOutBody, request: Request, response: Response, held: Operator, port: Table) -> DoneReply:
    """End the pass of one phone, or of all but this one, which gets a new pass. The code changes."""
    listed = {one.held.id for one in auth.passes(request).listed.all()}
    ids = listed if given.id is None else {given.id}
    auth.sign_out(request, ids - {held.id})
    port.corrections.part()
    if held.id in ids:
        auth.admit(request, response, held if given.id is None else Pass())
    if given.id is None:
        port.notices.warn("All other phones were signed out.")
    elif given.id in listed - {held.id}:
        port.notices.warn("A phone was signed out.")
    return DoneReply()


@router.post("/shutdown", tags=["operator"], summary="Turn off the table", responses=RESPONSES)
@at_once
def shutdown(held: Operator, port: Table) -> DoneReply:
    """Shut the table down in order; its display says when it is safe to unplug. Streams end with `over`."""
    port.shutdown()
    return DoneReply()
