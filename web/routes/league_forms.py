"""The forms of leagues: what is typed in them, read into a league. Errors name the line and keep what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Form
from pydantic import BaseModel, ConfigDict, Field

from device.shapes import GameCatalog, PlayableGame
from engine.errors import LeagueError
from engine.games import GAMES
from engine.league.fixtures_csv import parse_new_league
from engine.league.league import TEAM_COLORS, League, LeagueFormat, LeagueTeam
from engine.league.rules import MAX_BEST_OF, MAX_MEETINGS, MAX_TEAMS, slug
from engine.views import CastMemberView
from web.port import TablePorts

MAX_IMPORT_LENGTH = 256 * 1024
"""Characters of a CSV file."""

DEFAULT_MANAGER = "regular"

Line = Annotated[str, Field(max_length=200)]
Lines = Annotated[list[Line], Field(max_length=MAX_TEAMS)]


class NewLeagueForm(BaseModel):
    """A new league, as it is typed. `teams` has one team a line: its name, its person, and its computer."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=80)
    game: str = Field(default="", max_length=80)
    format: LeagueFormat = "round-robin"
    teams: str = Field(default="", max_length=16_000)
    meetings: int = Field(default=1, ge=1, le=MAX_MEETINGS)
    best_of: int = Field(default=1, ge=1, le=MAX_BEST_OF)
    pace: str = Field(default="", max_length=80)


class EditLeagueForm(BaseModel):
    """A league as it is edited.

    The lists have an entry for each team, or for each house rule. `removed` are keys of teams; `more_teams` has a line
    for each new one, as in `NewLeagueForm`. Meetings and best-of stay as they are where they are 0.
    """

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=80)
    pace: str = Field(default="", max_length=80)
    team: Lines = []
    name: Lines = []
    colour: Lines = []
    person: Lines = []
    manager: Lines = []
    team_deck: Lines = []
    cards: Lines = []
    removed: Lines = []
    more_teams: str = Field(default="", max_length=16_000)
    meetings: int = Field(default=0, ge=0, le=MAX_MEETINGS)
    best_of: int = Field(default=0, ge=0, le=MAX_BEST_OF)
    deck: Annotated[list[Line], Field(max_length=20)] = []
    rule: Annotated[list[Line], Field(max_length=100)] = []
    value: Annotated[list[Line], Field(max_length=100)] = []


NewLeagueFields = Annotated[NewLeagueForm, Form()]
EditLeagueFields = Annotated[EditLeagueForm, Form()]


@dataclass(frozen=True, slots=True)
class TypedTeam:
    """A team with the name of its person, who need not be known yet."""

    team: LeagueTeam
    person: str = ""


def league_from_form(form: NewLeagueForm, catalog: GameCatalog, taken: Sequence[str]) -> tuple[League, list[TypedTeam]]:
    """Return a new league, its people left out, and its teams with their people. Raises LeagueError.

    taken: keys of books, which the league's key must not be.
    """
    title, game = _title_and_game(form, catalog)
    typed = typed_teams(form.teams, catalog.cast)
    if form.format == "best-of" and len(typed) != 2:
        raise LeagueError(f"A series has two teams. You typed {len(typed)}.")
    league = League(
        *(slug(title, taken, "league"), title, game.key, form.format, [one.team for one in typed]),
        meetings=form.meetings,
        best_of=form.best_of,
        house=GAMES[game.key].single_game_house(),
        pace=form.pace if form.pace in {one.key for one in game.paces} else "",
    )
    return league, typed


def imported_league(form: NewLeagueForm, text: str, catalog: GameCatalog, taken: Sequence[str]) -> League:
    """Return a new league of the fixtures of a CSV text, which brings its teams along. Raises LeagueError."""
    title, game = _title_and_game(form, catalog)
    league = parse_new_league(text, slug(title, taken, "league"), title, game.key)
    return replace(league, house=GAMES[game.key].single_game_house())


def _title_and_game(form: NewLeagueForm, catalog: GameCatalog) -> tuple[str, PlayableGame]:
    title = _single_line(form.title)
    if not title:
        raise LeagueError("Give the league a title.")
    game = next((one for one in catalog.games if one.key == form.game), None)
    if game is None:
        raise LeagueError("Choose a game.")
    return title, game


def typed_teams(text: str, cast: Sequence[CastMemberView], taken: Sequence[LeagueTeam] = ()) -> list[TypedTeam]:
    """Return the teams of lines such as "Owls, Ann" or "Bears, , Viola". Raises LeagueError with the line.

    Tabs or semicolons do as well, and then a name may have commas.
    taken: teams that are there before them, whose names and keys they must not have.
    """
    found = list[TypedTeam]()
    for number, line in enumerate(text.splitlines(), 1):
        separator = next((one for one in ("\t", ";") if one in line), ",")
        cells = [_single_line(cell) for cell in line.split(separator)]
        if not any(cells):
            continue
        name, person, computer, *more = [*cells, "", ""]
        if not name or any(more):
            raise LeagueError(
                f"Line {number}: write the team, its person and its computer, with commas between them, or with "
                "semicolons if a name has a comma."
            )
        others = [*taken, *(one.team for one in found)]
        if any(one.name.casefold() == name.casefold() for one in others):
            raise LeagueError(f"Line {number}: there is another team called {name}.")
        manager = _manager_key(computer, cast)
        if manager is None:
            names = ", ".join(one.name.split()[0] for one in cast)
            raise LeagueError(f"Line {number}: no computer is called {computer}. They are {names}.")
        key = slug(name, [one.key for one in others])
        color = list(TEAM_COLORS)[len(others) % len(TEAM_COLORS)]
        found.append(TypedTeam(LeagueTeam(key, name, color, manager=manager), person))
    if len(found) > MAX_TEAMS:
        raise LeagueError(f"A league has at most {MAX_TEAMS} teams. You typed {len(found)}.")
    return found


def _manager_key(name: str, cast: Sequence[CastMemberView]) -> str | None:
    """Return the key of a computer by its key or name, the default for "", None if there is no such computer."""
    wanted = name.casefold()
    if not wanted or wanted in {one.strength for one in cast}:
        return wanted or DEFAULT_MANAGER
    return next((one.key for one in cast if wanted in (one.key, one.name.casefold())), None)


def edited_league(league: League, form: EditLeagueForm, catalog: GameCatalog) -> tuple[League, list[TypedTeam]]:
    """Return a league as it was edited, its people as before, and its teams with their people. Raises LeagueError."""
    columns = (form.team, form.name, form.colour, form.person, form.manager, form.team_deck, form.cards)
    if {len(column) for column in columns} != {len(league.teams)} or form.team != [one.key for one in league.teams]:
        raise LeagueError("The league’s teams have changed. Open the page again.")
    typed = []
    for old, _, name, color, person, manager, deck, cards in zip(league.teams, *columns, strict=True):
        team = replace(
            old,
            name=_single_line(name),
            colour=color,
            manager=manager,
            deck=_single_line(deck),
            cards=_single_line(cards),
        )
        typed.append(TypedTeam(team, _single_line(person)))
    typed += typed_teams(form.more_teams, catalog.cast, [one.team for one in typed])
    typed = [one for one in typed if one.team.key not in form.removed]
    game = next((one for one in catalog.games if one.key == league.game), None)
    defaults = {one.key: one.default for one in game.house_rules} if game else {}
    chosen = dict(zip(form.rule, form.value, strict=False))
    house = {key: value for key, value in chosen.items() if value and defaults.get(key) != value}
    title = _single_line(form.title)
    changed = replace(
        league,
        title=title,
        teams=[one.team for one in typed],
        meetings=form.meetings or league.meetings,
        best_of=form.best_of or league.best_of,
        pace=form.pace,
        decks=tuple(form.deck),
        house=house if form.rule else league.house,
    )
    return changed, typed


def _single_line(text: str) -> str:
    return " ".join(text.split())


def save_with_people(port: TablePorts, league: League, typed: Sequence[TypedTeam], new: bool = False) -> None:
    """Save a league with the people of its teams, by their names. Raises LeagueError; then nobody was added."""
    names = {one.team.key: one.person for one in typed if one.person}
    port.leagues.save_league(replace(league, teams=[replace(one.team, person="") for one in typed]), new, names)
