"""Stored games: their list, and each game with its replay, scorecard and journal."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import Field

from device.shapes import (
    AbortCheck,
    GameAnalysis,
    GameJournal,
    GameSummary,
    Replay,
    ReplayMoment,
    ReplayPart,
    never_abort,
)
from engine.scoreboard import Scoreboard
from engine.scorecard.spreadsheet import BOX_COLUMNS, PLAY_COLUMNS, box_rows, csv_text, play_rows
from web import auth
from web.dependencies import (
    NO_STORE_HEADERS,
    DoneReply,
    LogPageQuery,
    OperatorPass,
    PortsDependency,
    RequestBody,
    file_download,
    read_in_lane,
    run_first,
    uncached_json,
)
from web.lanes import raise_if_canceled
from web.port import TablePorts
from web.render import printed_log, scorecard
from web.render.stored_league import stored_league
from web.render.templates import REPLAY_REGIONS, ReplayedMoment, log_page, render_page, render_replay_regions
from web.schema import READ_RESPONSES, REJECTION_RESPONSES, rejection_responses, reply_responses
from web.security.rejected import RequestRejected

GameNumber = Annotated[int, Path(ge=1, le=10**9)]
SheetNumber = Annotated[int, Query(ge=1, le=99, description="Which sheet of the scorecard.")]
FirstAnswer = Annotated[int, Query(ge=0, le=10**6, description="How many answers (except undone ones) come before.")]
GAME_CHANGE_RESPONSES = REJECTION_RESPONSES | rejection_responses({404: "No such game"})
"""The rejections of each change of a stored game."""

router = APIRouter()


@router.get("/games", include_in_schema=False)
@read_in_lane("games")
def games_page(
    request: Request, port: PortsDependency, at: Annotated[int, Query(alias="page", ge=1, le=10**6)] = 1
) -> Response:
    """The stored games, the last on the table first. Above them are paused games, which the operator may resume."""
    found = port.past.games_page(at)
    return render_page(
        "games.html",
        view=port.game.view_for(None),
        rows=found.games,
        aside=port.past.paused_games() if at == 1 else [],
        at=found,
        operator=auth.request_pass(request).operator,
    )


class GameNameBody(RequestBody):
    """The new name of a game."""

    name: str = Field(max_length=40, description="Printable characters on one line; empty: none.")


@router.post("/api/games/{number}/take", tags=["operator"], summary="Resume a game", responses=GAME_CHANGE_RESPONSES)
@run_first
def resume_game(number: GameNumber, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Resume a paused game on the table. The game on the table is paused, and nothing is lost."""
    return _done_reply(port.games.resume_game(number))


@router.post("/api/games/{number}/name", tags=["operator"], summary="Name a game", responses=GAME_CHANGE_RESPONSES)
@run_first
def set_game_name(number: GameNumber, given: GameNameBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Name any game, or remove its name."""
    return _done_reply(port.games.set_game_name(number, given.name))


def _done_reply(known: bool) -> DoneReply:
    if not known:
        raise RequestRejected(404, "There is no such game.")
    return DoneReply()


@router.get("/games/{number}.jsonl", include_in_schema=False)
@read_in_lane("games")
def journal_file(number: GameNumber, request: Request, port: PortsDependency) -> Response:
    """The journal of a game as JSON lines, the header and then each entry, as `dugout engine` prints them."""
    found = port.past.game_journal(number, raise_if_canceled)
    if found is None:
        raise _missing_game_rejection(port, number)
    headers = NO_STORE_HEADERS | {"Content-Disposition": f'attachment; filename="dugout-{number}.jsonl"'}
    return StreamingResponse(_journal_lines(found), media_type="application/jsonl", headers=headers)


@router.get("/games/{number}-{table}.csv", include_in_schema=False)
@read_in_lane("games")
def csv_file(number: GameNumber, table: Literal["plays", "box"], request: Request, port: PortsDependency) -> Response:
    """The plays of a game, or the box score of its last game once that is over, for a spreadsheet."""
    found = port.past.game_record(number, raise_if_canceled)
    if found is None or found.table is None:
        raise _missing_game_rejection(port, number)
    columns, rows = (PLAY_COLUMNS, play_rows) if table == "plays" else (BOX_COLUMNS, box_rows)
    text = csv_text(columns, rows(number, found.log, found.table))
    return file_download(text, "text/csv", f'filename="dugout-{number}-{table}.csv"')


def _journal_lines(journal: GameJournal) -> Iterator[str]:
    """Yield the header, then the entries, as JSON lines in chunks of some kB."""
    yield json.dumps({"header": journal.header}) + "\n"
    for piece in journal.pieces:
        yield "".join(json.dumps(entry) + "\n" for entry in piece)


@router.get("/games/{number}.svg", include_in_schema=False)
@read_in_lane("games")
def scorecard_sheet(number: GameNumber, request: Request, port: PortsDependency, sheet: SheetNumber = 1) -> Response:
    """A sheet of the scorecard of a game. First are the grids of the sides, then the play log and the box score."""
    found, grids, logs = _printed_game(port, number)
    if sheet > len(grids) + len(logs):
        raise RequestRejected(404, f"The scorecard of this game has {len(grids) + len(logs)} sheets.")
    if sheet <= len(grids):
        drawn = scorecard.draw_grid(found.summary, found.board, grids[sheet - 1])
    else:
        drawn = printed_log.draw_sheet(found.summary, found.board, logs, sheet - len(grids))
    return file_download(drawn, "image/svg+xml", f'filename="dugout-{number}-{sheet}.svg"', "inline")


@router.get("/games/{number}/scorecard", include_in_schema=False)
@read_in_lane("games")
def scorecards_page(number: GameNumber, request: Request, port: PortsDependency) -> Response:
    """All sheets of the scorecard of a game on one page, for printing on A4 or Letter."""
    found, grids, logs = _printed_game(port, number)
    row, board = found.summary, found.board
    drawn = [(board.sides[grid.seat].name, scorecard.draw_grid(row, board, grid)) for grid in grids]
    told = [printed_log.draw_sheet(row, board, logs, place) for place in range(1, len(logs) + 1)]
    return render_page("scorecard.html", view=port.game.view_for(None), row=row, board=board, grids=drawn, logs=told)


@dataclass(frozen=True, slots=True)
class _PrintedGame:
    """A game that can be printed, with its last scoreboard."""

    summary: GameSummary
    board: Scoreboard


def _printed_game(
    port: TablePorts, number: int
) -> tuple[_PrintedGame, list[scorecard.ScorecardGrid], list[printed_log.PrintedSheet]]:
    """Return a game with the sheets of its scorecard and its log. Raises RequestRejected."""
    found = port.past.game_record(number, raise_if_canceled)
    cards = port.past.game_scorecards(number, raise_if_canceled)
    if found is None or found.table is None or cards is None:
        raise _missing_game_rejection(port, number)
    board, analysis = found.table.scoreboard, port.analysis.game_analysis(number)
    told = (analysis.win, analysis.story) if analysis and found.summary.outcome else ()
    return (
        _PrintedGame(found.summary, board),
        scorecard.scorecard_grids(cards, board),
        printed_log.log_sheets(found.log, board, *told),
    )


@router.get("/games/{number}/share.png", include_in_schema=False)
@read_in_lane("games")
def share_picture(
    number: GameNumber, request: Request, port: PortsDependency, shape: Literal["wide", "tall"] = "wide"
) -> Response:
    """The result of a game as a PNG to share, 1200 × 630 pixels or, upright, 1080 × 1350."""
    drawn = port.past.share_picture(number, shape, raise_if_canceled)
    if drawn is None:
        raise RequestRejected(404, "There is no result to share yet.")
    return file_download(drawn, "image/png", f'filename="dugout-{number}-{shape}.png"', "inline")


@router.get("/games/{number}", include_in_schema=False)
@read_in_lane("games")
def game_page(number: GameNumber, request: Request, port: PortsDependency, at: LogPageQuery = 1) -> Response:
    found = port.past.game_record(number, raise_if_canceled)
    if found is None:
        raise _missing_game_rejection(port, number)
    regions = {}
    if found.table:
        log, table = found.log, found.table
        last = [line for line in log if line.n == log[-1].n]
        regions = render_replay_regions(
            ReplayedMoment(table.scoreboard, table.outcome, last, box=table.box), (*REPLAY_REGIONS, "box")
        )
    plays, pages = log_page(found.log, at)
    facts = {"past": found, "row": found.summary, "regions": regions}
    operator = auth.request_pass(request).operator
    facts |= {"plays": plays, "at": at, "pages": pages, "operator": operator}
    facts["stored"] = stored_league(port.books, port.leagues, number, found.summary.game.key, operator)
    return render_page("past.html", view=port.game.view_for(None), **facts)


@router.get("/games/{number}/analysis", include_in_schema=False)
@read_in_lane("games")
def analysis_page(
    number: GameNumber, request: Request, port: PortsDependency, part: Annotated[bool, Query()] = False
) -> Response:
    """Who was how likely to win, how the game was won, and each side's decisions.

    While it is computed, the page asks again by itself. With `part`, only what stands on the page of the game is
    returned, or 202 without a body.
    """
    analysis = port.analysis.game_analysis(number)
    if part and analysis is None:
        return Response(status_code=202, headers=NO_STORE_HEADERS)
    found = port.past.game_record(number, raise_if_canceled)
    if found is None or found.table is None:
        raise _missing_game_rejection(port, number)
    facts = {"analysis": analysis, "row": found.summary, "sides": found.table.scoreboard.sides}
    if part:
        return render_page("analysis/body.html", **facts)
    return render_page("analysis.html", view=port.game.view_for(None), **facts)


@router.get(
    "/api/games/{number}/replay",
    tags=["read"],
    summary="A game again",
    responses=reply_responses(Replay)
    | rejection_responses({404: "No such game, or it cannot be read"})
    | READ_RESPONSES
    | {422: REJECTION_RESPONSES[422]},
)
@read_in_lane("games")
def get_replay(number: GameNumber, request: Request, port: PortsDependency, first: FirstAnswer = 0) -> Response:
    """A part of a game as spectators saw it, with 40 answers from number `first` on."""
    found = port.past.replay_part(number, first, raise_if_canceled)
    if found is None:
        raise _missing_game_rejection(port, number)
    steps = replay_moments(found, raise_if_canceled, port.analysis.game_analysis(number))
    return uncached_json(Replay(steps, found.first, found.count, found.most))


def replay_moments(
    part: ReplayPart, wanted: AbortCheck = never_abort, analysis: GameAnalysis | None = None
) -> list[ReplayMoment]:
    """Return each step with its sentences, and with the regions of its panel that changed.

    analysis: that of the game, if it is ready. Each of its win probabilities counts until the next one.
    """
    trace = analysis.trace if analysis and analysis.win else {}
    answers = list(trace)
    shown: dict[str, str] = {}
    lines = [line for line in part.before if line.n == part.before[-1].n]
    found = []
    for step in part.steps:
        wanted()
        lines = list(step.lines) or lines
        known = bisect_right(answers, lines[-1].n if lines else -1)
        home = trace[answers[known - 1]] if known else None
        win = replace(analysis.win, home=home) if analysis and analysis.win and home is not None else None
        regions = render_replay_regions(ReplayedMoment(step.scoreboard, step.outcome, lines, win=win))
        changed = {name: html for name, html in regions.items() if shown.get(name) != html}
        sentences = [line.sentence for line in step.lines]
        found.append(ReplayMoment(step.place, step.scoreboard, step.outcome, sentences, changed, home))
        shown = regions
    return found


def _missing_game_rejection(port: TablePorts, number: int) -> RequestRejected:
    found = port.past.game_record(number, raise_if_canceled)
    return RequestRejected(404, found.trouble if found and found.trouble else "There is no such game.")
