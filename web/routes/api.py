"""The JSON API: what anyone may read, what a seat may answer, and what only the operator may do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from engine.errors import StaleAnswer
from engine.seats import Seat
from web.dependencies import Body, Holder, Operator, Table, fresh
from web.errors import RESPONSES, SEAT_RESPONSES, Refused
from web.port import Port
from web.security import auth
from web.security.auth import Pass

Number = Annotated[int, Field(ge=0, le=10**9, strict=True, description="The number of an ask and of its answer.")]
Key = Annotated[str, Field(min_length=1, max_length=80)]


class Answer(Body):
    """An answer. The ask's number is its idempotency key: sent twice, the second is stale."""

    seat: Seat
    n: Number
    value: Any = Field(
        description="A face or a list of faces (null: left lying), a code of a choice, or an object of place to piece."
    )


class Call(Body):
    """A call in a race: the seat, and the number of its ask."""

    seat: Seat
    n: Number


class Numbered(Body):
    """An ask, by its number: one that a roll is shown for, or one that was answered."""

    n: Number


Looked = Annotated[
    Number | None, Field(description="The table's version that was looked at: 409 where the game went on since.")
]


class Undo(Body):
    """What to take back: answer `n` and all after it; the last one that a person gave where `n` is null."""

    n: Number | None = None
    version: Looked = None


class Change(Body):
    """The right value of roll `n`, to be tried."""

    n: Number
    value: Any


class Amend(Change):
    """The right value of roll `n`."""

    version: Looked = None


class NewGame(Body):
    """The game to begin, its decks by name (none: the house deck), and the house rules that differ."""

    game: Key
    decks: list[Key] = Field(default=[], max_length=20)
    house: dict[Key, Key] = Field(default={}, max_length=100)


class Press(Body):
    """A movement of a virtual button."""

    button: Literal["away-previous", "away-next", "away-ok", "home-previous", "home-next", "home-ok", "undo"]
    action: Literal["press", "hold", "release"]


class Simulate(Body):
    """What happens to the virtual tray, its camera, or the virtual board."""

    what: Literal[
        "throw", "throw-home", "throw-away", "pick-up", "cock", "stack", "hand", "unplug", "plug", "lay", "cover"
    ]


class Calibrate(Body):
    """A step of the calibration: the empty tray is taken, one die of 16 mm is measured, or all is forgotten."""

    step: Literal["empty", "die", "forget"]


class Game(BaseModel):
    """Which rulebook is on the table."""

    key: str
    title: str


class Proposal(BaseModel):
    """A roll that was read and does not count yet."""

    n: int
    seat: Seat
    faces: list[int | str] = Field(description="As far as they were read, in the order of the ask; may be none.")
    words: str = Field(description="The faces as a phrase that names dice of several colours: red die 3, white die 5.")
    again: list[int] | None = Field(
        default=None, description="Where dice are thrown again: the places of those that were; the others still lie."
    )
    likely: list[list[int | str]] = Field(default=[], description="What else each die may show, likeliest first.")
    clear: list[bool] = Field(default=[], description="Which dice were read for sure, even where the roll is in doubt.")
    sure: bool
    doubt: str | None
    advice: str | None
    source: str
    seconds: float | None = Field(description="Until it counts; null where it waits for a person.")
    total: float = Field(default=0, description="Seconds a sure roll is shown in all.")
    evidence: str | None = Field(default=None, description="Names the picture of its dice: /evidence/NAME.jpg.")


class Watching(BaseModel):
    """What the camera is doing."""

    state: str
    words: str


class Play(BaseModel):
    """One line of the play log."""

    n: int
    code: str
    game: int = Field(description="Counts the games that follow each other in one journal; mostly there is one.")
    inning: int
    half: Literal["top", "bottom"]
    seat: Seat | None
    sentence: str
    scored: int
    evidence: str | None = Field(default=None, description="Names the picture of its dice: /evidence/NAME.jpg.")
    corrected: bool = Field(default=False, description="Whether a person told other dice than the picture was read as.")


class View(BaseModel):
    """The whole small view of one audience."""

    version: int = Field(description="Rises with every change.")
    game: Game
    table: dict[str, Any] = Field(description="Open asks, scoreboard, last play and outcome.")
    undone: int = Field(description="How often something was taken back in this game.")
    plays: list[Play] = Field(description="The lines of the half-inning under way.")
    proposal: Proposal | None
    watching: Watching
    notice: str | None = Field(description="A sentence for a moment.")
    missing: list[str] = Field(description="What is not there, in sentences.")
    dial: dict[str, Any] | None = Field(description="Where the buttons' cursor is.")
    race: dict[str, Any] | None = Field(default=None, description="How the race stands that is on.")
    layout: dict[str, Any] | None = Field(default=None, description="What a camera sees lie on the board.")


class Roll(BaseModel):
    """A roll that stands."""

    n: int
    seat: Seat
    why: str
    sentence: str
    dice: list[dict[str, Any]]
    value: Any
    evidence: str | None = Field(default=None, description="Names the picture of its dice: /evidence/NAME.jpg.")
    likely: list[list[int | str]] = Field(description="What else each die may have shown, likeliest first.")
    after: int = Field(description="How many answers of people stand after it.")


class Given(BaseModel):
    """What a person answered, and stands."""

    n: int
    seat: Seat
    sentence: str = Field(description="What was asked.")
    words: str | None = Field(description="What was answered; null while the rulebook has not opened it.")


class Undoing(BaseModel):
    """What taking back would change."""

    version: int = Field(description="The table's version that was looked at.")
    dropped: list[int] = Field(description="The answers that would fall; those opened together fall together.")
    given: int = Field(description="How many of them people gave: the house draws and chooses too.")
    games: int = Field(description="How many games were played that would fall with them.")
    before: dict[str, Any]
    after: dict[str, Any]


class Preview(BaseModel):
    """What a correction would change."""

    version: int = Field(description="The table's version that was looked at.")
    kept: list[int]
    dropped: list[int]
    games: int = Field(description="How many games were played that would fall with these.")
    before: dict[str, Any]
    after: dict[str, Any]
    sentences: list[str]


class Health(BaseModel):
    """How one part of the machine is."""

    part: str
    ok: bool
    words: str


class Check(BaseModel):
    """One thing the calibration looked at."""

    name: str
    ok: bool
    words: str = Field(description="What was found, or what to do.")


class Calibration(BaseModel):
    """What came of a step of the calibration."""

    step: str
    ok: bool = Field(description="Whether every check passed.")
    checks: list[Check]


class HouseRule(BaseModel):
    """What a table may play otherwise; `silent`, where it only settles how the rulebook is read."""

    key: str
    title: str = Field(description="What is asked, in a few words; mostly empty.")
    values: list[str]
    labels: list[str] = Field(description="The values as people call them, in their order.")
    default: str
    meaning: str
    silent: bool
    under: str = Field(description="The heading it stands beneath; empty for none.")


class Choice(BaseModel):
    """A deck that a game can be begun with."""

    name: str
    title: str


class Playable(BaseModel):
    """A game, its house rules and its decks."""

    key: str
    title: str
    house_rules: list[HouseRule]
    decks: list[Choice]


class Catalogue(BaseModel):
    """All that can be played."""

    games: list[Playable]


class Done(BaseModel):
    """It was done; the stream tells what it changed."""

    ok: Literal[True] = True


router = APIRouter(prefix="/api")


def _is(model: Any) -> dict[int | str, dict[str, Any]]:
    """Documents an answer without checking it again: it comes from the engine, not from outside."""
    return {200: {"model": model}}


@router.get("/view", tags=["read"], summary="The game now", responses=_is(View) | SEAT_RESPONSES)
def view(request: Request, port: Table, seat: Annotated[Seat | None, Query()] = None) -> Response:
    """The whole small view of a spectator, or of a seat with that seat's cookie."""
    auth.may_see(request, seat)
    return fresh(auth.seen(port.game.view(seat)))


@router.get("/plays", tags=["read"], summary="The play log", responses=_is(list[Play]))
def plays(port: Table) -> Response:
    """Every line so far, oldest first."""
    return fresh(port.game.plays())


@router.get("/rolls", tags=["read"], summary="Rolls that stand", responses=_is(list[Roll]) | {422: RESPONSES[422]})
def rolls(port: Table, limit: Annotated[int, Query(ge=1, le=10**6)] = 10**6) -> Response:
    """The rolls that may be corrected, newest first, at most `limit` of them."""
    return fresh(port.game.rolls(limit))


@router.get("/answers", tags=["operator"], summary="Answers that stand", responses=SEAT_RESPONSES | _is(list[Given]))
def answers(held: Operator, port: Table) -> Response:
    """What people answered, newest first: each can be taken back, with all after it."""
    return fresh(port.game.answers())


@router.get("/catalogue", tags=["read"], summary="What can be played", responses=_is(Catalogue))
def catalogue(port: Table) -> Response:
    """Games with their house rules and decks."""
    return fresh(port.games.catalogue())


@router.get("/health", tags=["read"], summary="How the machine is", responses=_is(list[Health]))
def health(port: Table) -> Response:
    """Each part and its state in words."""
    return fresh(port.devices.health())


@router.post("/answer", tags=["seat"], summary="Answer an ask", responses=RESPONSES)
def answer(given: Answer, held: Holder, port: Table) -> Done:
    """A seat answers its own asks; the operator answers any but a secret one."""
    if held.seat != given.seat:
        if not held.operator:
            raise Refused(403, f"This phone does not hold the {given.seat} seat.", "seat")
        asks = {ask.n: ask for ask in port.game.view(None).table.asks}
        if given.n not in asks:
            stands = any(one.n == given.n for one in port.game.answers())
            raise StaleAnswer("That was answered already." if stands else "That is not asked any more.")
        if asks[given.n].secret:
            raise Refused(403, "A secret is answered on the seat's own phone.", "secret")
    port.game.answer(given.seat, given.n, given.value, "phone" if held.seat == given.seat else "operator")
    return Done()


@router.post("/seat/call", tags=["seat"], summary="Call out in a race", responses=RESPONSES)
def call(made: Call, held: Holder, port: Table) -> Done:
    """SAFE or OUT, each seat its own; it counts from when it comes in. Whether the die backs it the stream tells."""
    if held.seat != made.seat:
        raise Refused(403, f"This phone does not hold the {made.seat} seat.", "seat")
    port.game.call(made.seat, made.n, None, "phone")
    return Done()


@router.post("/reject", tags=["seat"], summary="Throw again", responses=RESPONSES)
def reject(shown: Numbered, held: Holder, port: Table) -> Done:
    """Drop the roll that is shown for ask `n` before it counts. Its seat may, and the operator."""
    _own(port, held, shown.n)
    port.game.reject(shown.n)
    return Done()


@router.post("/hold", tags=["seat"], summary="Let a shown roll wait", responses=RESPONSES)
def hold(shown: Numbered, held: Holder, port: Table) -> Done:
    """The roll that is shown for ask `n` does not count by itself: it is being put right. Who may is as of `reject`."""
    _own(port, held, shown.n)
    port.game.hold(shown.n)
    return Done()


def _own(port: Port, held: Pass, n: int) -> None:
    """The roll that is shown for ask `n` is its seat's business, and the operator's. Raises StaleAnswer and Refused."""
    proposal = port.game.view(None).proposal
    if proposal is None or proposal.n != n:
        raise StaleAnswer("That roll is not shown any more.")
    if not held.operator and held.seat != proposal.seat:
        raise Refused(403, f"This phone does not hold the {proposal.seat} seat.", "seat")


@router.post("/undo", tags=["operator"], summary="Take back", responses=RESPONSES)
def undo(back: Undo, held: Operator, port: Table) -> Done:
    """Take back the last answer, or answer `n` and all after it."""
    port.game.undo(back.n, version=back.version)
    return Done()


@router.post("/undo/preview", tags=["operator"], summary="Try taking back", responses=RESPONSES | _is(Undoing))
def undoing(back: Numbered, held: Operator, port: Table) -> Response:
    """What taking back answer `n` and all after it would change. Changes nothing."""
    return fresh(port.game.undo_preview(back.n))


def _correctable(port: Port, n: int) -> None:
    """Only rolls are corrected from a phone: to try values on another seat's secret would tell it."""
    if all(roll.n != n for roll in port.game.rolls()):
        raise StaleAnswer(f"There is no roll {n} to correct.")


@router.post("/preview", tags=["operator"], summary="Try a correction", responses=RESPONSES | _is(Preview))
def preview(change: Change, held: Operator, port: Table) -> Response:
    """What correcting roll `n` would change. Changes nothing."""
    _correctable(port, change.n)
    return fresh(port.game.preview(change.n, change.value))


@router.post("/amend", tags=["operator"], summary="Correct a roll", responses=RESPONSES)
def amend(change: Amend, held: Operator, port: Table) -> Done:
    """Correct roll `n`; later answers that still fit are kept."""
    _correctable(port, change.n)
    port.game.amend(change.n, change.value, version=change.version)
    return Done()


@router.post("/game", tags=["operator"], summary="Begin a game", responses=RESPONSES)
def game(new: NewGame, held: Operator, port: Table) -> Done:
    """Put a new game on the table. The one before stays in its journal."""
    _playable(port, new)
    port.games.new_game(new.game, new.decks, new.house)
    return Done()


@router.post("/calibrate", tags=["operator"], summary="Calibrate the camera", responses=RESPONSES | _is(Calibration))
def calibrate(given: Calibrate, held: Operator, port: Table) -> Response:
    """One step of the calibration; may take some seconds. A check that failed is no refusal."""
    return fresh(port.devices.calibrate(given.step))


def _playable(port: Port, new: NewGame) -> None:
    games = {one["key"]: one for one in port.games.catalogue()["games"]}
    if new.game not in games:
        raise Refused(422, f"game: there is {', '.join(games) or 'none'}, not {new.game!r}.")
    decks = [deck["name"] for deck in games[new.game]["decks"]]
    for name in new.decks:
        if name not in decks:
            raise Refused(422, f"decks: {new.game} has {', '.join(decks) or 'none'}, not {name!r}.")


def _demo(port: Port) -> None:
    if not port.devices.demo:
        raise Refused(403, "Virtual devices are offered in a demo only.", "demo")


@router.post("/press", tags=["demo"], summary="Move a virtual button", responses=RESPONSES)
def press(moved: Press, held: Operator, port: Table) -> Done:
    """One movement of one button, in a demo only."""
    _demo(port)
    port.devices.press(moved.button, moved.action)
    return Done()


@router.post("/simulate", tags=["demo"], summary="Throw virtual dice", responses=RESPONSES)
def simulate(act: Simulate, held: Operator, port: Table) -> Done:
    """What happens on the virtual tray or board, in a demo only."""
    _demo(port)
    port.devices.simulate(act.what)
    return Done()
