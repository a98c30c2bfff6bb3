"""Pages and API of leagues and record books, for everybody. Changes are in `web.routes.league_changes`."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar, get_args

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from engine.league.league import League
from engine.league.views import (
    BookGame,
    BookGamesPage,
    BookList,
    BookView,
    LeadersView,
    PlayerView,
    RecordsView,
    TeamView,
)
from web import auth
from web.dependencies import PortsDependency, file_download, read_in_lane, uncached_json
from web.lanes import raise_if_canceled
from web.league_port import ExportKind
from web.port import TablePorts
from web.render import league_tables
from web.render.templates import render_page
from web.schema import READ_RESPONSES, REJECTION_RESPONSES, rejection_responses, reply_responses
from web.security.rejected import RequestRejected

BookKey = Annotated[
    str, Path(max_length=80, description="A league, a rulebook, or `season-N` of a game.", examples=["small-ball"])
]
PageQuery = Annotated[int, Query(alias="page", ge=1, le=10**6)]
TeamQuery = Annotated[str, Query(max_length=200, description="The key of a team.")]
PlayerQuery = Annotated[str, Query(max_length=200, description="The name on the card.")]

BOOK_RESPONSES = (
    rejection_responses({404: "No such book, team or player"}) | READ_RESPONSES | {422: REJECTION_RESPONSES[422]}
)
"""The rejections of each read of a book."""

REFRESH_HEADERS = {"Refresh": "3"}
"""While games are counted or simulated, browsers fetch the page again after this many seconds."""

MAX_GRID_TEAMS = 32
"""Teams that fit into the grid of results on a sheet."""

EXPORTS: dict[ExportKind, tuple[str, str]] = {
    "games.csv": ("text/csv", "Games (CSV)"),
    "batting.csv": ("text/csv", "Batting (CSV)"),
    "pitching.csv": ("text/csv", "Pitching (CSV)"),
    "standings.csv": ("text/csv", "Standings (CSV)"),
    "fixtures.csv": ("text/csv", "Fixtures (CSV)"),
    "json": ("application/json", "Everything (JSON)"),
    "sqlite": ("application/vnd.sqlite3", "Database (SQLite)"),
}
"""The media type and label of each download."""
assert set(EXPORTS) == set(get_args(ExportKind))

FoundT = TypeVar("FoundT")

router = APIRouter()


def league_page(request: Request, name: str, status: int = 200, refresh: bool = False, /, **facts: Any) -> Response:
    """Return a page of leagues. `refresh` makes browsers fetch it again soon."""
    return render_page(
        f"league/{name}.html",
        status,
        REFRESH_HEADERS if refresh else None,
        tables=league_tables,
        operator=auth.request_pass(request).operator,
        exports=EXPORTS,
        **facts,
    )


def require_found(found: FoundT | None, what: str = "league or record book") -> FoundT:
    """Return `found`, unless it is None. Raises RequestRejected."""
    if found is None:
        raise RequestRejected(404, f"There is no such {what}.")
    return found


def require_book(port: TablePorts, book: str) -> BookView:
    return require_found(port.books.book_view(book))


def require_league(port: TablePorts, book: str) -> League:
    """Return the definition of a league. Raises RequestRejected, also for a record book."""
    return require_found(require_book(port, book).league, "league")


def bracket_of(port: TablePorts, view: BookView) -> list[list[league_tables.BracketSeries]]:
    """Return the rounds of a knock-out, [] for any other book."""
    if view.league is None or view.league.format != "knock-out":
        return []
    return league_tables.bracket_rounds(all_games(port, view.summary.key), view.league.best_of)


def all_games(port: TablePorts, book: str) -> list[BookGame]:
    """Return the games of all pages of a book."""
    found, page, pages = list[BookGame](), 1, 1
    while page <= pages:
        raise_if_canceled()
        part = require_found(port.books.games_page(book, page))
        found += part.games
        page, pages = page + 1, part.pages
    return found


@router.get("/leagues", include_in_schema=False)
@read_in_lane("games")
def leagues_page(request: Request, port: PortsDependency) -> Response:
    found = port.books.book_list()
    return league_page(request, "list", 200, found.waiting > 0, found=found)


@router.get("/leagues/{book}", include_in_schema=False)
@read_in_lane("games")
def book_page(book: BookKey, request: Request, port: PortsDependency) -> Response:
    """The front page of a book. The page of a knock-out shows its bracket."""
    view = require_book(port, book)
    refresh = view.simulating + view.waiting > 0
    return league_page(request, "book", 200, refresh, found=view, rounds=bracket_of(port, view))


@router.get("/leagues/{book}/fixtures", include_in_schema=False)
@read_in_lane("games")
def fixtures_page(
    book: BookKey, request: Request, port: PortsDependency, page: PageQuery = 1, team: TeamQuery = ""
) -> Response:
    """All games of a book by day or round, or those of one team."""
    view, found = require_book(port, book), require_found(port.books.games_page(book, page, team))
    return league_page(request, "fixtures", 200, view.simulating > 0, found=view, listed=found, team=team)


@router.get("/leagues/{book}/leaders", include_in_schema=False)
@read_in_lane("games")
def leaders_page(book: BookKey, request: Request, port: PortsDependency, page: PageQuery = 1) -> Response:
    return league_page(request, "leaders", found=require_found(port.books.leaders_view(book, page)))


@router.get("/leagues/{book}/team", include_in_schema=False)
@read_in_lane("games")
def team_page(book: BookKey, request: Request, port: PortsDependency, team: TeamQuery) -> Response:
    return league_page(request, "team", found=require_found(port.books.team_view(book, team), "team"))


@router.get("/leagues/{book}/player", include_in_schema=False)
@read_in_lane("games")
def player_page(
    book: BookKey, request: Request, port: PortsDependency, team: TeamQuery, player: PlayerQuery
) -> Response:
    """The totals of a player, also for other teams and in other books, and the games."""
    found = require_found(port.books.player_view(book, team, player), "player")
    elsewhere = {
        key: part.teams
        for key in dict.fromkeys(summary.key for summary, _ in found.everywhere)
        if (part := port.books.games_page(key)) is not None
    }
    return league_page(request, "player", found=found, elsewhere=elsewhere)


@router.get("/leagues/{book}/records", include_in_schema=False)
@read_in_lane("games")
def records_page(book: BookKey, request: Request, port: PortsDependency) -> Response:
    return league_page(request, "records", found=require_found(port.books.records_view(book)))


@router.get("/leagues/{book}/print", include_in_schema=False)
@read_in_lane("games")
def print_page(book: BookKey, request: Request, port: PortsDependency) -> Response:
    """Sheets for the wall: standings, leaders, and the record of each team against each other."""
    view = require_book(port, book)
    grid = {}
    if 2 < len(view.standings) <= MAX_GRID_TEAMS:
        for row in view.standings:
            raise_if_canceled()
            versus = require_found(port.books.team_view(book, row.team), "team").versus
            grid[row.team] = {one.opponent: (one.wins, one.losses, one.ties) for one in versus}
    leaders = require_found(port.books.leaders_view(book)).categories
    return league_page(request, "print", found=view, grid=grid, leaders=leaders, rounds=bracket_of(port, view))


@router.get("/leagues/{book}/export/{kind}", include_in_schema=False)
@read_in_lane("games")
def export_file(
    book: BookKey, kind: Annotated[ExportKind, Path()], request: Request, port: PortsDependency
) -> Response:
    data = require_found(port.books.export(book, kind))
    name = f"{require_book(port, book).summary.key}{'-' if '.' in kind else '.'}{kind}"
    return file_download(data, EXPORTS[kind][0], f'filename="{name}"')


@router.get(
    "/api/leagues",
    tags=["read"],
    summary="All leagues and record books",
    responses=reply_responses(BookList) | READ_RESPONSES,
)
@read_in_lane("games")
def get_books(request: Request, port: PortsDependency) -> Response:
    """Leagues, then the record books of rulebooks and of seasons inside a game. Ask again while `waiting` is not 0."""
    return uncached_json(port.books.book_list())


@router.get(
    "/api/leagues/{book}",
    tags=["read"],
    summary="One league or record book",
    responses=reply_responses(BookView) | BOOK_RESPONSES,
)
@read_in_lane("games")
def get_book(book: BookKey, request: Request, port: PortsDependency) -> Response:
    """Standings, the next fixtures and the latest results."""
    return uncached_json(require_book(port, book))


@router.get(
    "/api/leagues/{book}/games",
    tags=["read"],
    summary="The games of a book",
    responses=reply_responses(BookGamesPage) | BOOK_RESPONSES,
)
@read_in_lane("games")
def get_book_games(
    book: BookKey, request: Request, port: PortsDependency, page: PageQuery = 1, team: TeamQuery = ""
) -> Response:
    """A page of its fixtures and other games, or of those of one team."""
    return uncached_json(require_found(port.books.games_page(book, page, team)))


@router.get(
    "/api/leagues/{book}/leaders",
    tags=["read"],
    summary="The leaders of a book",
    responses=reply_responses(LeadersView) | BOOK_RESPONSES,
)
@read_in_lane("games")
def get_leaders(book: BookKey, request: Request, port: PortsDependency, page: PageQuery = 1) -> Response:
    """The leaders of all categories, and a page of its players."""
    return uncached_json(require_found(port.books.leaders_view(book, page)))


@router.get(
    "/api/leagues/{book}/team",
    tags=["read"],
    summary="A team in a book",
    responses=reply_responses(TeamView) | BOOK_RESPONSES,
)
@read_in_lane("games")
def get_team(book: BookKey, request: Request, port: PortsDependency, team: TeamQuery) -> Response:
    """Its place, statistics, record against each opponent, last games and next fixtures."""
    return uncached_json(require_found(port.books.team_view(book, team), "team"))


@router.get(
    "/api/leagues/{book}/player",
    tags=["read"],
    summary="A player in a book",
    responses=reply_responses(PlayerView) | BOOK_RESPONSES,
)
@read_in_lane("games")
def get_player(
    book: BookKey, request: Request, port: PortsDependency, team: TeamQuery, player: PlayerQuery
) -> Response:
    """The totals and the game log of a player, and the totals of the same card elsewhere."""
    return uncached_json(require_found(port.books.player_view(book, team, player), "player"))


@router.get(
    "/api/leagues/{book}/records",
    tags=["read"],
    summary="The records of a book",
    responses=reply_responses(RecordsView) | BOOK_RESPONSES,
)
@read_in_lane("games")
def get_records(book: BookKey, request: Request, port: PortsDependency) -> Response:
    """The records of single games, and those of the whole book."""
    return uncached_json(require_found(port.books.records_view(book)))
