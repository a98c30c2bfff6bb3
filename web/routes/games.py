"""The games that were played: the list, one game with its replay, and both ways to take it home."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field

from engine.views import PlayView, TableView
from web.dependencies import Operator, RequestBody, Table, fresh
from web.errors import RESPONSES, Refusal, Refused
from web.models import GameRecord, Replay, ReplayMoment, ReplayStep
from web.port import Port
from web.render import scorecard
from web.render.templates import SCENE, Moment, page, scene
from web.routes.api import DoneReply
from web.schema import returns
from web.security import auth

NEVER = {"Cache-Control": "no-store"}

router = APIRouter()


def _reader(request: Request) -> asyncio.Lock:
    reading: asyncio.Lock = request.app.state.reading
    return reading


Reader = Annotated[asyncio.Lock, Depends(_reader)]
Number = Annotated[int, Path(ge=1, le=10**9)]
Sheet = Annotated[int, Query(ge=1, le=99, description="Which sheet of the scorecard.")]

ANSWERS = returns(Replay) | {
    404: {"model": Refusal, "description": "No such game, or it cannot be read"},
    422: RESPONSES[422],
}


CHANGED = RESPONSES | {404: {"model": Refusal, "description": "No such game"}}


@router.get("/games", include_in_schema=False)
def games(request: Request, port: Table, at: Annotated[int, Query(alias="page", ge=1, le=10**6)] = 1) -> Response:
    """The games that were played, the last on the table first; before them those that were put aside, which the
    operator may play on, and name."""
    found, operator = port.games.games(at), auth.of(request).operator
    return page(
        "games.html",
        view=port.game.view(None),
        rows=found.games,
        aside=port.games.aside() if at == 1 else [],
        at=found,
        operator=operator,
    )


class NameBody(RequestBody):
    """What people call a game."""

    name: str = Field(max_length=40, description="Printable characters on one line; empty: none.")


@router.post("/api/games/{number}/take", tags=["operator"], summary="Play on in a game", responses=CHANGED)
async def take(number: Number, held: Operator, port: Table, reading: Reader) -> DoneReply:
    """Put a game that was put aside on the table again. The one that is there is put aside, and lost in no way."""
    async with reading:
        taken = await asyncio.to_thread(port.games.take, number)
    return _done(taken)


@router.post("/api/games/{number}/name", tags=["operator"], summary="Name a game", responses=CHANGED)
def name(number: Number, given: NameBody, held: Operator, port: Table) -> DoneReply:
    """Give any game a name, or take it away."""
    return _done(port.games.name(number, given.name))


def _done(known: bool) -> DoneReply:
    if not known:
        raise Refused(404, "There is no such game.")
    return DoneReply()


@router.get("/games/{number}.jsonl", include_in_schema=False)
async def journal(number: Number, port: Table, reading: Reader) -> Response:
    """The journal of a game: its header, then an entry a line, as `dugout engine` prints them."""
    return await alone(reading, lambda: _journal(port, number))


def _journal(port: Port, number: int) -> Response:
    found = port.games.journal(number)
    if found is None:
        raise missing(port, number)
    lines = [{"header": found["header"]}, *found["entries"]]
    return _file("".join(json.dumps(line) + "\n" for line in lines), "application/jsonl", f"dugout-{number}.jsonl")


@router.get("/games/{number}.svg", include_in_schema=False)
async def card(number: Number, port: Table, reading: Reader, sheet: Sheet = 1) -> Response:
    """A sheet of the scorecard of a game, to be printed on A4."""
    return await alone(reading, lambda: _card(port, number, sheet))


def _card(port: Port, number: int, sheet: int) -> Response:
    found, table = readable(port, number)
    sheets = scorecard.sheets(found.log, table.scoreboard)
    if sheet > len(sheets):
        raise Refused(404, f"The scorecard of this game has {len(sheets)} sheets.")
    drawn = scorecard.draw(found.summary, table.scoreboard, sheets, sheet)
    return _file(drawn, "image/svg+xml", f"dugout-{number}-{sheet}.svg", "inline")


@router.get("/games/{number}", include_in_schema=False)
async def game(number: Number, request: Request, port: Table, reading: Reader) -> Response:
    """One game: its line score, every play, its replay, and what can be taken home."""
    return await alone(reading, lambda: _game(port, number, auth.of(request).operator))


def _game(port: Port, number: int, operator: bool) -> Response:
    found = port.games.past(number)
    if found is None:
        raise missing(port, number)
    regions, sheets = {}, 0
    if found.table:
        log, table = found.log, found.table
        last = [line for line in log if line.n == log[-1].n] if log else []
        regions = scene(Moment(table.scoreboard, table.outcome, last, box=table.box), (*SCENE, "box"))
        sheets = len(scorecard.sheets(log, table.scoreboard))
    facts = {"past": found, "row": found.summary, "operator": operator, "regions": regions, "sheets": sheets}
    return page("past.html", view=port.game.view(None), **facts)


@router.get("/api/games/{number}/replay", tags=["read"], summary="A game again", responses=ANSWERS)
async def replay(number: Number, port: Table, reading: Reader) -> Response:
    """What spectators saw of a game, step by step."""
    return await alone(reading, lambda: _replay(port, number))


def _replay(port: Port, number: int) -> Response:
    found = port.games.replay(number)
    if found is None:
        raise missing(port, number)
    return fresh(Replay(moments(found)))


def moments(steps: Sequence[ReplayStep]) -> list[ReplayMoment]:
    """Return each step with its sentences, and of its panel only the regions that changed since the step before."""
    shown: dict[str, str] = {}
    lines: Sequence[PlayView] = ()
    found = []
    for step in steps:
        lines = step.lines or lines
        regions = scene(Moment(step.scoreboard, step.outcome, lines))
        changed = {name: html for name, html in regions.items() if shown.get(name) != html}
        found.append(ReplayMoment(step.scoreboard, step.outcome, [line.sentence for line in step.lines], changed))
        shown = regions
    return found


async def alone(reading: asyncio.Lock, work: Callable[[], Response]) -> Response:
    """What takes long to read, old games and decks, is read one at a time, apart from the threads that answer phones:
    who asks for many waits alone."""
    async with reading:
        return await asyncio.to_thread(work)


def readable(port: Port, number: int) -> tuple[GameRecord, TableView]:
    """Return a game whose journal can be read, and its table. Raises Refused."""
    found = port.games.past(number)
    if found is None or found.table is None:
        raise missing(port, number)
    return found, found.table


def missing(port: Port, number: int) -> Refused:
    """Return the refusal that says why a game cannot be shown."""
    found = port.games.past(number)
    return Refused(404, found.trouble if found and found.trouble else "There is no such game.")


def _file(text: str, kind: str, name: str, how: str = "attachment") -> Response:
    return Response(text, media_type=kind, headers=NEVER | {"Content-Disposition": f'{how}; filename="{name}"'})
