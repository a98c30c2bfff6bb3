"""Changes of leagues, for the operator: the forms of pages, which need no script, and the API."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from engine.errors import LeagueError
from engine.league.league import (
    TEAM_COLORS,
    TIE_BREAKERS,
    Fixture,
    League,
    LeagueFormat,
    LeagueGame,
    LeagueTeam,
    TieBreaker,
)
from engine.league.rules import (
    MAX_BEST_OF,
    MAX_DECK_NAME_LENGTH,
    MAX_DECKS,
    MAX_FIXTURES,
    MAX_MEETINGS,
    MAX_NAME_LENGTH,
    MAX_TEAMS,
    MAX_TITLE_LENGTH,
)
from engine.seats import Seat
from web.dependencies import DoneReply, OperatorPass, PortsDependency, RequestBody, run_first
from web.port import TablePorts
from web.routes.games import GAME_CHANGE_RESPONSES, GameNumber
from web.routes.league_forms import (
    MAX_IMPORT_LENGTH,
    EditLeagueFields,
    EditLeagueForm,
    NewLeagueFields,
    NewLeagueForm,
    edited_league,
    imported_league,
    league_from_form,
    save_with_people,
)
from web.routes.leagues import BookKey, league_page, require_league
from web.schema import REJECTION_RESPONSES
from web.security.rejected import RequestRejected

Key = Annotated[str, Field(min_length=1, max_length=80, pattern="^[a-z0-9-]+$")]
SomeKey = Annotated[str, Field(max_length=80)]
DeckName = Annotated[str, Field(max_length=MAX_DECK_NAME_LENGTH)]
FixtureNumber = Annotated[int, Field(ge=1, le=10**6, strict=True)]
ImportKind = Literal["fixtures", "teams"]
BookField = Annotated[str, Form(max_length=80)]
WhichField = Annotated[Annotated[int, Field(ge=1, le=10**6)] | Literal["day", "all"], Form()]

ImportedText = Annotated[str, Form(max_length=MAX_IMPORT_LENGTH)]

router = APIRouter()

# The forms of pages --------------------------------------------------------------------------------------------------


@router.get("/new-league", include_in_schema=False)
@run_first
def new_league_page(request: Request, held: OperatorPass, port: PortsDependency) -> Response:
    return _new_league_page(request, port, NewLeagueForm())


def _new_league_page(
    request: Request, port: TablePorts, form: NewLeagueForm, refusal: LeagueError | None = None, text: str | None = None
) -> Response:
    """Return the forms for a new league as they were typed. `text` is that of a file, None in the other form."""
    facts = {"form": form, "refusal": str(refusal or ""), "catalog": port.games.game_catalog(), "text": text}
    return league_page(request, "new", 422 if refusal else 200, **facts)


def _taken_keys(port: TablePorts) -> list[str]:
    """Return the keys of all books, also of those that begin later."""
    books, games = port.books.book_list().books, port.games.game_catalog().games
    return [*(one.key for one in books), *(one.key for one in games)]


@router.post("/new-league", include_in_schema=False)
@run_first
def create_league(request: Request, form: NewLeagueFields, held: OperatorPass, port: PortsDependency) -> Response:
    try:
        league, typed = league_from_form(form, port.games.game_catalog(), _taken_keys(port))
        save_with_people(port, league, typed, new=True)
    except LeagueError as error:
        return _new_league_page(request, port, form, error)
    return _book_redirect(league.key)


@router.post("/new-league/import", include_in_schema=False)
@run_first
def create_imported_league(
    request: Request,
    held: OperatorPass,
    port: PortsDependency,
    title: BookField,
    game: BookField,
    text: ImportedText = "",
    file: UploadFile | None = None,
) -> Response:
    """Start a league with the fixtures of a CSV file, or with those that were pasted. A refusal keeps them."""
    form = NewLeagueForm(title=title, game=game)
    try:
        text = _uploaded_text(file) or text
        league = imported_league(form, text, port.games.game_catalog(), _taken_keys(port))
        port.leagues.save_league(league, new=True)
    except LeagueError as error:
        return _new_league_page(request, port, form, error, text)
    return _book_redirect(league.key)


@router.get("/leagues/{book}/edit", include_in_schema=False)
@run_first
def edit_league_page(book: BookKey, request: Request, held: OperatorPass, port: PortsDependency) -> Response:
    return _edit_league_page(request, port, require_league(port, book))


def _edit_league_page(
    request: Request,
    port: TablePorts,
    league: League,
    refusal: LeagueError | None = None,
    form: EditLeagueForm | None = None,
    texts: dict[str, str] | None = None,
    part: str = "",
) -> Response:
    """Return the page that edits a league.

    refusal: why the form of this `part` of the page was refused: "league", "fixtures" or "teams".
    form, texts: what was typed. By default, it is filled with the league as it is.
    """
    people, view = port.leagues.people(), port.books.book_view(league.key)
    names = {one.key: one.name for one in people}
    if form is None:
        form = EditLeagueForm(
            title=league.title,
            meetings=league.meetings,
            best_of=league.best_of,
            pace=league.pace,
            deck=list(league.decks),
            rule=list(league.house),
            value=list(league.house.values()),
            team=[one.key for one in league.teams],
            name=[one.name for one in league.teams],
            colour=[one.colour for one in league.teams],
            person=[names.get(one.person, "") for one in league.teams],
            manager=[one.manager for one in league.teams],
            team_deck=[one.deck for one in league.teams],
            cards=[one.cards for one in league.teams],
        )
    catalog = port.games.game_catalog()
    game = next((one for one in catalog.games if one.key == league.game), None)
    facts = {"league": league, "form": form, "people": people, "cast": catalog.cast, "game": game, "found": view}
    facts |= {"refusal": str(refusal or ""), "part": part, "texts": texts or {}}
    facts |= {"colors": TEAM_COLORS, "house": dict(zip(form.rule, form.value, strict=False))}
    return league_page(request, "edit", 422 if refusal else 200, **facts)


@router.post("/leagues/{book}/edit", include_in_schema=False)
@run_first
def edit_league(
    book: BookKey, request: Request, form: EditLeagueFields, held: OperatorPass, port: PortsDependency
) -> Response:
    league = require_league(port, book)
    try:
        save_with_people(port, *edited_league(league, form, port.games.game_catalog()))
    except LeagueError as error:
        return _edit_league_page(request, port, league, error, form, part="league")
    return _book_redirect(league.key)


@router.post("/leagues/import", include_in_schema=False)
@run_first
def import_file(
    request: Request,
    held: OperatorPass,
    port: PortsDependency,
    book: BookField,
    kind: Annotated[ImportKind, Form()],
    text: ImportedText = "",
    file: UploadFile | None = None,
) -> Response:
    """Import a CSV file, or what was pasted. A refusal keeps it in the form."""
    league = require_league(port, book)
    try:
        text = _uploaded_text(file) or text
        _import_text(port, league.key, kind, text)
    except LeagueError as error:
        return _edit_league_page(request, port, league, error, texts={kind: text}, part=kind)
    return _book_redirect(league.key, "/fixtures" if kind == "fixtures" else "")


def _uploaded_text(file: UploadFile | None) -> str:
    data = file.file.read(MAX_IMPORT_LENGTH + 1) if file else b""
    if len(data) > MAX_IMPORT_LENGTH:
        raise LeagueError(f"The file is larger than {MAX_IMPORT_LENGTH // 1024} kB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LeagueError("The file is not text in UTF-8. Save it as “CSV UTF-8”.") from None


def _import_text(port: TablePorts, key: str, kind: ImportKind, text: str) -> int:
    if not text.strip():
        raise LeagueError("Choose a file, or paste its lines.")
    return port.leagues.import_fixtures(key, text) if kind == "fixtures" else port.leagues.import_teams(key, text)


@router.post("/leagues/{book}/delete", include_in_schema=False)
@run_first
def delete_league_by_form(book: BookKey, held: OperatorPass, port: PortsDependency) -> Response:
    port.leagues.delete_league(book)
    return RedirectResponse("/leagues", 303)


@router.post("/leagues/{book}/begin", include_in_schema=False)
@run_first
def begin_fixture_by_form(
    book: BookKey, held: OperatorPass, port: PortsDependency, fixture: Annotated[int, Form(ge=1, le=10**6)]
) -> Response:
    port.leagues.begin_fixture(book, fixture)
    return RedirectResponse("/table", 303)


@router.post("/leagues/{book}/simulate", include_in_schema=False)
@run_first
def simulate_by_form(book: BookKey, held: OperatorPass, port: PortsDependency, which: WhichField) -> Response:
    port.leagues.simulate_fixtures(book, which)
    return _book_redirect(book)


@router.post("/leagues/stop", include_in_schema=False)
@run_first
def stop_simulation_by_form(held: OperatorPass, port: PortsDependency, book: BookField) -> Response:
    port.leagues.stop_simulation()
    return _book_redirect(book)


def _book_redirect(book: str, path: str = "") -> Response:
    return RedirectResponse(f"/leagues/{quote(book, safe='')}{path}", 303)


# API -----------------------------------------------------------------------------------------------------------------


class TeamBody(RequestBody):
    """A team of a league."""

    key: Key
    name: str = Field(max_length=MAX_NAME_LENGTH)
    colour: SomeKey = "green"
    person: SomeKey = Field(default="", description="The key of a person. Empty: nobody is known.")
    manager: SomeKey = Field(default="regular", description="The computer that plays it where no person does.")
    deck: DeckName = ""
    cards: DeckName = Field(default="", description="Its team on the cards of that deck.")


class FixtureBody(RequestBody):
    """A fixture of a list."""

    number: FixtureNumber
    round: FixtureNumber
    away: SomeKey
    home: SomeKey
    day: str = Field(default="", max_length=10, description="An ISO date, or empty.")
    title: SomeKey = ""


class LeagueBody(RequestBody):
    """A league. `new` creates it; otherwise the one of this key is replaced."""

    key: Key
    title: str = Field(max_length=MAX_TITLE_LENGTH)
    game: SomeKey
    format: LeagueFormat
    teams: list[TeamBody] = Field(max_length=MAX_TEAMS)
    meetings: int = Field(default=1, ge=1, le=MAX_MEETINGS, strict=True, description="How often each pair meets.")
    best_of: int = Field(default=1, ge=1, le=MAX_BEST_OF, strict=True)
    listed: list[FixtureBody] = Field(default=[], max_length=MAX_FIXTURES, description="The fixtures of a list.")
    house: dict[SomeKey, SomeKey] = Field(default={}, max_length=100)
    pace: SomeKey = ""
    decks: list[DeckName] = Field(default=[], max_length=MAX_DECKS)
    tie_breakers: list[TieBreaker] = Field(default=list(TIE_BREAKERS), max_length=3)
    new: bool = False


class ImportBody(RequestBody):
    """A CSV file for a league."""

    league: Key
    kind: ImportKind
    text: str = Field(max_length=MAX_IMPORT_LENGTH)


class BeginFixtureBody(RequestBody):
    """The fixture to play on the table. `computers` are seats that computers play."""

    fixture: FixtureNumber
    computers: list[Seat] = Field(default=[], max_length=2)


class SimulateFixturesBody(RequestBody):
    """What computers play: one fixture, the earliest open day or round, or all."""

    which: FixtureNumber | Literal["day", "all"]


class GameLeagueBody(RequestBody):
    """The league of a stored game. No league: the game belongs to none."""

    league: SomeKey | None
    fixture: int = Field(default=0, ge=0, le=10**6, strict=True, description="0: a game beside the schedule.")
    away: SomeKey = Field(default="", description="The key of the team in the away seat.")
    home: SomeKey = ""
    friendly: bool = Field(default=False, description="It counts for nothing.")


class CountReply(BaseModel):
    """How many lines were imported, or how many games will be simulated."""

    ok: Literal[True] = True
    count: int


@router.post("/api/leagues", tags=["operator"], summary="Save a league", responses=REJECTION_RESPONSES)
@run_first
def save_league(given: LeagueBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Create a league, or change one. A fixture that was played must stay as it is."""
    fields = given.model_dump(exclude={"new", "teams", "listed"})
    teams = [LeagueTeam(**one.model_dump()) for one in given.teams]
    listed = [Fixture(**one.model_dump()) for one in given.listed]
    port.leagues.save_league(League(teams=teams, listed=listed, **fields), given.new)
    return DoneReply()


@router.post("/api/leagues/import", tags=["operator"], summary="Import a file", responses=REJECTION_RESPONSES)
@run_first
def import_into_league(given: ImportBody, held: OperatorPass, port: PortsDependency) -> CountReply:
    """Import fixtures, or the names and people of teams. A rejection names the line, and nothing has changed."""
    return CountReply(count=_import_text(port, given.league, given.kind, given.text))


@router.post("/api/leagues/stop", tags=["operator"], summary="Stop simulating", responses=REJECTION_RESPONSES)
@run_first
def stop_simulation(held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Stop after the game that is being simulated. Finished games count."""
    port.leagues.stop_simulation()
    return DoneReply()


@router.post("/api/leagues/{book}/delete", tags=["operator"], summary="Delete a league", responses=REJECTION_RESPONSES)
@run_first
def delete_league(book: BookKey, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Delete a league. Its games stay, and belong to no league."""
    port.leagues.delete_league(book)
    return DoneReply()


@router.post("/api/leagues/{book}/begin", tags=["operator"], summary="Play a fixture", responses=REJECTION_RESPONSES)
@run_first
def begin_fixture(book: BookKey, given: BeginFixtureBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Begin a fixture on the table, or resume its paused game. The game on the table is paused."""
    port.leagues.begin_fixture(book, given.fixture, given.computers)
    return DoneReply()


@router.post(
    "/api/leagues/{book}/simulate", tags=["operator"], summary="Simulate fixtures", responses=REJECTION_RESPONSES
)
@run_first
def simulate_fixtures(
    book: BookKey, given: SimulateFixturesBody, held: OperatorPass, port: PortsDependency
) -> CountReply:
    """Let computers play fixtures beside the game on the table."""
    return CountReply(count=port.leagues.simulate_fixtures(book, given.which))


@router.post("/api/games/{number}/league", tags=["operator"], summary="Assign a game", responses=GAME_CHANGE_RESPONSES)
@run_first
def set_game_league(number: GameNumber, given: GameLeagueBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Add a stored game to a league, mark it as friendly, or remove it from its league."""
    if port.leagues.game_league(number) is None:
        raise RequestRejected(404, "There is no such game.")
    game = None
    if given.league is not None:
        game = LeagueGame(given.league, given.fixture, given.away, given.home, given.friendly)
    port.leagues.set_game_league(number, game)
    return DoneReply()
