"""Stored games: the list, one game with its replay, and its scorecard and journal to take home."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import Field

from device.shapes import GameJournal, GameSummary, Replay, ReplayMoment, ReplayPart, Wanted, anyway
from engine.scoreboard import Scoreboard
from web import auth
from web.dependencies import NEVER, DoneReply, LogPage, Operator, RequestBody, Table, at_once, download, fresh, reads
from web.lanes import still_wanted
from web.port import Port
from web.render import printed_log, scorecard
from web.render.templates import SCENE, ReplayedMoment, log_page, page, scene
from web.schema import READ_RESPONSES, RESPONSES, refuses, returns
from web.security.refused import Refused

Number = Annotated[int, Path(ge=1, le=10**9)]
Sheet = Annotated[int, Query(ge=1, le=99, description="Which sheet of the scorecard.")]
First = Annotated[int, Query(ge=0, le=10**6, description="How many answers that stand come before this part.")]
CHANGED = RESPONSES | refuses({404: "No such game"})

router = APIRouter()


@router.get("/games", include_in_schema=False)
@reads("games")
def games(request: Request, port: Table, at: Annotated[int, Query(alias="page", ge=1, le=10**6)] = 1) -> Response:
    """The stored games, the last on the table first; before them those put aside, which the operator may resume."""
    found = port.past.games(at)
    return page(
        "games.html",
        view=port.game.view(None),
        rows=found.games,
        aside=port.past.aside() if at == 1 else [],
        at=found,
        operator=auth.of(request).operator,
    )


class NameBody(RequestBody):
    """The new name of a game."""

    name: str = Field(max_length=40, description="Printable characters on one line; empty: none.")


@router.post("/api/games/{number}/take", tags=["operator"], summary="Resume a game", responses=CHANGED)
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
    found = port.past.journal(number, still_wanted)
    if found is None:
        raise _missing(port, number)
    headers = NEVER | {"Content-Disposition": f'attachment; filename="dugout-{number}.jsonl"'}
    return StreamingResponse(_lines(found), media_type="application/jsonl", headers=headers)


def _lines(journal: GameJournal) -> Iterator[str]:
    """Yield the header, then the entries, as lines of JSON, in pieces of some kB."""
    yield json.dumps({"header": journal.header}) + "\n"
    for piece in journal.pieces:
        yield "".join(json.dumps(entry) + "\n" for entry in piece)


@router.get("/games/{number}.svg", include_in_schema=False)
@reads("games")
def card(number: Number, request: Request, port: Table, sheet: Sheet = 1) -> Response:
    """A sheet of the scorecard of a game: first the grids of the sides, then the play log and the box score."""
    found, grids, logs = _printed(port, number)
    if sheet > len(grids) + len(logs):
        raise Refused(404, f"The scorecard of this game has {len(grids) + len(logs)} sheets.")
    if sheet <= len(grids):
        drawn = scorecard.draw(found.summary, found.board, grids[sheet - 1])
    else:
        drawn = printed_log.draw(found.summary, found.board, logs, sheet - len(grids))
    return download(drawn, "image/svg+xml", f'filename="dugout-{number}-{sheet}.svg"', "inline")


@router.get("/games/{number}/scorecard", include_in_schema=False)
@reads("games")
def scorecards(number: Number, request: Request, port: Table) -> Response:
    """All sheets of the scorecard of a game on one page, for printing on A4 or Letter."""
    found, grids, logs = _printed(port, number)
    row, board = found.summary, found.board
    drawn = [(board.sides[grid.seat].name, scorecard.draw(row, board, grid)) for grid in grids]
    told = [printed_log.draw(row, board, logs, place) for place in range(1, len(logs) + 1)]
    return page("scorecard.html", view=port.game.view(None), row=row, board=board, grids=drawn, logs=told)


@dataclass(frozen=True, slots=True)
class _Printed:
    """A game that can be printed: its row and its last scoreboard."""

    summary: GameSummary
    board: Scoreboard


def _printed(port: Port, number: int) -> tuple[_Printed, list[scorecard.Grid], list[printed_log.Sheet]]:
    """Return a game with the sheets of its scorecard and of its log. Raises Refused."""
    found = port.past.game(number, still_wanted)
    cards = port.past.scorecard(number, still_wanted)
    if found is None or found.table is None or cards is None:
        raise _missing(port, number)
    board = found.table.scoreboard
    return (
        _Printed(found.summary, board),
        scorecard.grids(cards, board),
        printed_log.sheets(found.log, board),
    )


@router.get("/games/{number}/share.png", include_in_schema=False)
@reads("games")
def share(number: Number, request: Request, port: Table, shape: Literal["wide", "tall"] = "wide") -> Response:
    """The result of a game as a picture to share: 1200 × 630 pixels, or upright with 1080 × 1350."""
    drawn = port.past.share(number, shape, still_wanted)
    if drawn is None:
        raise Refused(404, "There is no result to share yet.")
    return download(drawn, "image/png", f'filename="dugout-{number}-{shape}.png"', "inline")


@router.get("/games/{number}", include_in_schema=False)
@reads("games")
def game(number: Number, request: Request, port: Table, at: LogPage = 1) -> Response:
    """One game: its line score, a page of its plays, its replay, and its files."""
    found = port.past.game(number, still_wanted)
    if found is None:
        raise _missing(port, number)
    regions = {}
    if found.table:
        log, table = found.log, found.table
        last = [line for line in log if line.n == log[-1].n]
        regions = scene(ReplayedMoment(table.scoreboard, table.outcome, last, box=table.box), (*SCENE, "box"))
    plays, pages = log_page(found.log, at)
    facts = {"past": found, "row": found.summary, "regions": regions}
    facts |= {"plays": plays, "at": at, "pages": pages}
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
def replay(number: Number, request: Request, port: Table, first: First = 0) -> Response:
    """A part of what spectators saw of a game, step by step: 40 answers from number `first` on."""
    found = port.past.replay(number, first, still_wanted)
    if found is None:
        raise _missing(port, number)
    return fresh(Replay(moments(found, still_wanted), found.first, found.count, found.most))


def moments(part: ReplayPart, wanted: Wanted = anyway) -> list[ReplayMoment]:
    """Return each step with its sentences, and those regions of its panel that changed since the step before."""
    shown: dict[str, str] = {}
    lines = [line for line in part.before if line.n == part.before[-1].n]
    found = []
    for step in part.steps:
        wanted()
        lines = list(step.lines) or lines
        regions = scene(ReplayedMoment(step.scoreboard, step.outcome, lines))
        changed = {name: html for name, html in regions.items() if shown.get(name) != html}
        found.append(
            ReplayMoment(step.place, step.scoreboard, step.outcome, [line.sentence for line in step.lines], changed)
        )
        shown = regions
    return found


def _missing(port: Port, number: int) -> Refused:
    """Return the refusal that says why a game cannot be shown."""
    found = port.past.game(number, still_wanted)
    return Refused(404, found.trouble if found and found.trouble else "There is no such game.")
