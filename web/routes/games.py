"""Stored games: the list, one game with its replay, and its scorecard and journal to take home."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field

from engine.views import PlayView
from web.dependencies import DoneReply, Operator, RequestBody, Table, at_once, download, fresh, reads
from web.errors import Refused
from web.lanes import still_wanted
from web.models import Replay, ReplayMoment, ReplayStep
from web.port import Port, Wanted, anyway
from web.render import scorecard
from web.render.templates import SCENE, Moment, page, scene
from web.schema import READ_RESPONSES, RESPONSES, refuses, returns
from web.security import auth

Number = Annotated[int, Path(ge=1, le=10**9)]
Sheet = Annotated[int, Query(ge=1, le=99, description="Which sheet of the scorecard.")]
CHANGED = RESPONSES | refuses({404: "No such game"})

router = APIRouter()


@router.get("/games", include_in_schema=False)
@reads("games")
def games(request: Request, port: Table, at: Annotated[int, Query(alias="page", ge=1, le=10**6)] = 1) -> Response:
    """The stored games, the last on the table first; before them those put aside, which the operator may resume."""
    found = port.games.games(at)
    return page(
        "games.html",
        view=port.game.view(None),
        rows=found.games,
        aside=port.games.aside() if at == 1 else [],
        at=found,
        operator=auth.of(request).operator,
    )


class NameBody(RequestBody):
    """The new name of a game."""

    name: str = Field(max_length=40, description="Printable characters on one line; empty: none.")


@router.post("/api/games/{number}/take", tags=["operator"], summary="Play on in a game", responses=CHANGED)
@at_once
def take(number: Number, held: Operator, port: Table) -> DoneReply:
    """Put a game that was put aside on the table again. The one that is there is put aside; nothing is lost."""
    return _done(port.games.take(number))


@router.post("/api/games/{number}/name", tags=["operator"], summary="Name a game", responses=CHANGED)
@at_once
def name(number: Number, given: NameBody, held: Operator, port: Table) -> DoneReply:
    """Give any game a name, or remove it."""
    return _done(port.games.name(number, given.name))


def _done(known: bool) -> DoneReply:
    if not known:
        raise Refused(404, "There is no such game.")
    return DoneReply()


@router.get("/games/{number}.jsonl", include_in_schema=False)
@reads("games")
def journal(number: Number, request: Request, port: Table) -> Response:
    """The journal of a game: its header, then an entry on each line, as `dugout engine` prints them."""
    found = port.games.journal(number, still_wanted)
    if found is None:
        raise _missing(port, number)
    lines = [{"header": found["header"]}, *found["entries"]]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return download(text, "application/jsonl", f'filename="dugout-{number}.jsonl"')


@router.get("/games/{number}.svg", include_in_schema=False)
@reads("games")
def card(number: Number, request: Request, port: Table, sheet: Sheet = 1) -> Response:
    """A sheet of the scorecard of a game, for printing on A4."""
    found = port.games.past(number, still_wanted)
    if found is None or found.table is None:
        raise _missing(port, number)
    board = found.table.scoreboard
    sheets = scorecard.sheets(found.log, board)
    if sheet > len(sheets):
        raise Refused(404, f"The scorecard of this game has {len(sheets)} sheets.")
    drawn = scorecard.draw(found.summary, board, sheets, sheet)
    return download(drawn, "image/svg+xml", f'filename="dugout-{number}-{sheet}.svg"', "inline")


@router.get("/games/{number}", include_in_schema=False)
@reads("games")
def game(number: Number, request: Request, port: Table) -> Response:
    """One game: its line score, every play, its replay, and its files."""
    found = port.games.past(number, still_wanted)
    if found is None:
        raise _missing(port, number)
    regions, sheets = {}, 0
    if found.table:
        log, table = found.log, found.table
        last = [line for line in log if line.n == log[-1].n]
        regions = scene(Moment(table.scoreboard, table.outcome, last, box=table.box), (*SCENE, "box"))
        sheets = len(scorecard.sheets(log, table.scoreboard))
    facts = {"past": found, "row": found.summary, "regions": regions, "sheets": sheets}
    return page("past.html", view=port.game.view(None), operator=auth.of(request).operator, **facts)


@router.get(
    "/api/games/{number}/replay",
    tags=["read"],
    summary="A game again",
    responses=returns(Replay)
    | refuses({404: "No such game, or it cannot be read"})
    | READ_RESPONSES
    | {422: RESPONSES[422]},
)
@reads("games")
def replay(number: Number, request: Request, port: Table) -> Response:
    """What spectators saw of a game, step by step."""
    found = port.games.replay(number, still_wanted)
    if found is None:
        raise _missing(port, number)
    return fresh(Replay(moments(found, still_wanted)))


def moments(steps: Sequence[ReplayStep], wanted: Wanted = anyway) -> list[ReplayMoment]:
    """Return each step with its sentences, and those regions of its panel that changed since the step before."""
    shown: dict[str, str] = {}
    lines: Sequence[PlayView] = ()
    found = []
    for step in steps:
        wanted()
        lines = step.lines or lines
        regions = scene(Moment(step.scoreboard, step.outcome, lines))
        changed = {name: html for name, html in regions.items() if shown.get(name) != html}
        found.append(ReplayMoment(step.scoreboard, step.outcome, [line.sentence for line in step.lines], changed))
        shown = regions
    return found


def _missing(port: Port, number: int) -> Refused:
    """Return the refusal that says why a game cannot be shown."""
    found = port.games.past(number, still_wanted)
    return Refused(404, found.trouble if found and found.trouble else "There is no such game.")
