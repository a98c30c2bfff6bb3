"""People who play here, the fixtures that they can begin, and who managed a stored game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import Field

from engine.league.league import TEAM_COLORS
from engine.league.views import FixtureOffer, Person
from engine.seats import MAX_SIDE_NAME_LENGTH, Seat
from web import auth
from web.dependencies import (
    DoneReply,
    OperatorPass,
    PortsDependency,
    RequestBody,
    read_in_lane,
    run_first,
    uncached_json,
)
from web.render import league_tables
from web.render.templates import render_page
from web.routes.games import GAME_CHANGE_RESPONSES, GameNumber
from web.schema import REJECTION_RESPONSES, reply_responses
from web.security.rejected import RequestRejected

PERSON_KEY_PATTERN = "^[a-z0-9-]{1,40}$"
PersonKey = Annotated[str, Field(pattern=PERSON_KEY_PATTERN, description="The key of a person in `/api/people`.")]
PersonPath = Annotated[str, Path(pattern=PERSON_KEY_PATTERN)]


class PersonBody(RequestBody):
    """A person to change, or without a key to add."""

    key: PersonKey | None = None
    name: str = Field(min_length=1, max_length=MAX_SIDE_NAME_LENGTH)
    colour: str = Field(default="green", pattern=f"^({'|'.join(TEAM_COLORS)})$", description="A color by its name.")


class MergeBody(RequestBody):
    """The person who gets all games of the other one."""

    into: PersonKey


class GamePeopleBody(RequestBody):
    """Who managed a game, by seat. A seat that is left out has nobody."""

    people: dict[Seat, PersonKey] = Field(max_length=2)


router = APIRouter()


@router.get("/people", include_in_schema=False)
@read_in_lane("games")
def people_page(request: Request, port: PortsDependency) -> Response:
    """Everybody who plays here, with records by game and against each other."""
    return render_page(
        "people.html",
        view=port.game.view_for(None),
        people=port.leagues.people(),
        records={one.person.key: one for one in port.books.person_records()},
        tables=league_tables,
        colors=list(TEAM_COLORS),
        operator=auth.request_pass(request).operator,
    )


@router.get("/api/people", tags=["read"], summary="Who plays here", responses=reply_responses(list[Person]))
def get_people(port: PortsDependency) -> Response:
    """The people whom the operator has added."""
    return uncached_json(list(port.leagues.people()))


@router.post(
    "/api/people",
    tags=["operator"],
    summary="Add or change a person",
    responses=REJECTION_RESPONSES | reply_responses(Person),
)
@run_first
def save_person(given: PersonBody, held: OperatorPass, port: PortsDependency) -> Response:
    """Add a person, or change name and color of one. They are stored on this machine only."""
    return uncached_json(port.leagues.save_person(given.key or "", given.name, given.colour))


@router.post("/api/people/{key}/merge", tags=["operator"], summary="Merge two people", responses=REJECTION_RESPONSES)
@run_first
def merge_people(key: PersonPath, given: MergeBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Give all games and teams of a person to another one, and remove the first."""
    port.leagues.merge_people(key, given.into)
    return DoneReply()


@router.post("/api/people/{key}/forget", tags=["operator"], summary="Forget a person", responses=REJECTION_RESPONSES)
@run_first
def forget_person(key: PersonPath, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Delete a person's name. In games and leagues it becomes "somebody"."""
    port.leagues.forget_person(key)
    return DoneReply()


@router.post(
    "/api/games/{number}/people", tags=["operator"], summary="Say who managed a game", responses=GAME_CHANGE_RESPONSES
)
@run_first
def set_game_people(number: GameNumber, given: GamePeopleBody, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Set who managed each side of any stored game, by seat."""
    if port.leagues.game_league(number) is None:
        raise RequestRejected(404, "There is no such game.")
    port.leagues.set_game_people(number, {str(seat): key for seat, key in given.people.items()})
    return DoneReply()


@router.get(
    "/api/fixtures",
    tags=["read"],
    summary="The next fixtures of all leagues",
    responses=reply_responses(list[FixtureOffer]),
)
def get_next_fixtures(port: PortsDependency) -> Response:
    """At most eight fixtures that can be begun now, those of the league last played first."""
    return uncached_json(list(port.leagues.next_fixtures()))
