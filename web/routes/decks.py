"""The API of the decks: anyone reads them, the operator makes them and types in their cards."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import BaseModel, Field

from web.dependencies import Operator, RequestBody, Table, fresh
from web.errors import RESPONSES, Refusal, Refused
from web.models import DeckList, DeckView
from web.port import Port
from web.routes.api import DoneReply
from web.routes.games import Reader, alone
from web.schema import returns

Key = Annotated[str, Field(max_length=80)]
Place = Annotated[int, Field(ge=1, le=10**6, strict=True, description="Where it stands among its kind, from 1.")]
Game = Annotated[str, Path(max_length=80, description="The key of a game.", examples=["small-ball"])]
Name = Annotated[str, Path(max_length=255, description="The deck's file without .toml, or house.", examples=["house"])]
Mark = Annotated[
    str | None,
    Field(max_length=40, description="The mark of the card as it was read: refused where it is another one by now."),
]


class NewDeckBody(RequestBody):
    """The deck to make: empty, or a copy of another deck of its game."""

    game: Key
    title: str = Field(max_length=200)
    like: Name | None = Field(default=None, alias="copy", description="The name of the deck to copy.")


class ImportBody(RequestBody):
    """The text of a deck's file; its game stands in it, and its title too if none is given here."""

    text: str
    title: str | None = Field(default=None, max_length=200)


class CardBody(RequestBody):
    """A card as it is to be; the last of its kind where `place` is null."""

    kind: Key
    place: Place | None = None
    fields: dict[str, Any] = Field(max_length=100, description="By name; null or an empty text is a field left out.")
    mark: Mark = None


class RemoveCardBody(RequestBody):
    """A card that is to go."""

    kind: Key
    place: Place
    mark: Mark = None


class TitleBody(RequestBody):
    """What people call the deck."""

    title: str = Field(max_length=200)


class DeckMade(BaseModel):
    """Where the new deck is."""

    ok: Literal[True] = True
    game: str
    name: str


class CardPlaced(BaseModel):
    """Where the card stands."""

    ok: Literal[True] = True
    place: int


router = APIRouter(prefix="/api/decks")

CHANGES = RESPONSES | {409: {"model": Refusal, "description": "Not there any more, or changed meanwhile"}}


@router.get("", tags=["read"], summary="Every deck", responses=returns(list[DeckList]))
def decks(port: Table) -> Response:
    """The decks of each game: what ships, then the owner's."""
    return fresh(port.library.decks())


@router.get(
    "/{game}/{name}",
    tags=["read"],
    summary="One deck",
    responses=returns(DeckView)
    | {404: {"model": Refusal, "description": "There is no such deck"}, 422: RESPONSES[422]},
)
async def deck(game: Game, name: Name, port: Table, reading: Reader) -> Response:
    """Its cards, what they may have, and what it lacks."""
    return await alone(reading, lambda: _deck(game, name, port))


def _deck(game: str, name: str, port: Port) -> Response:
    found = port.library.deck(game, name)
    if found is None:
        raise Refused(404, "There is no such deck.")
    return fresh(found)


@router.post("", tags=["operator"], summary="Make a deck", responses=CHANGES)
def new(given: NewDeckBody, held: Operator, port: Table) -> DeckMade:
    """A deck without cards, or a copy; its name is made from its title."""
    return DeckMade(game=given.game, name=port.library.new(given.game, given.title, given.like))


@router.post("/import", tags=["operator"], summary="Keep a deck from elsewhere", responses=CHANGES)
def take(given: ImportBody, held: Operator, port: Table) -> DeckMade:
    """A deck's file, at most 256 kB; it is refused with every fault of every card."""
    game, name = port.library.take(given.text, given.title)
    return DeckMade(game=game, name=name)


@router.post("/{game}/{name}/card", tags=["operator"], summary="Write a card", responses=CHANGES)
def write(game: Game, name: Name, card: CardBody, held: Operator, port: Table) -> CardPlaced:
    """A new card, or another one in a card's place; it is refused with each fault and its field."""
    return CardPlaced(place=port.library.write(game, name, card.kind, card.place, card.fields, card.mark))


@router.post("/{game}/{name}/card/remove", tags=["operator"], summary="Take a card out", responses=CHANGES)
def remove_card(game: Game, name: Name, card: RemoveCardBody, held: Operator, port: Table) -> DoneReply:
    """Those after it move up."""
    port.library.remove_card(game, name, card.kind, card.place, card.mark)
    return DoneReply()


@router.post("/{game}/{name}/title", tags=["operator"], summary="Rename a deck", responses=CHANGES)
def rename(game: Game, name: Name, given: TitleBody, held: Operator, port: Table) -> DoneReply:
    """Its title; its address stays."""
    port.library.rename(game, name, given.title)
    return DoneReply()


@router.post("/{game}/{name}/remove", tags=["operator"], summary="Remove a deck", responses=CHANGES)
def remove(game: Game, name: Name, held: Operator, port: Table) -> DoneReply:
    """Delete its file. Games that were begun with it go on, and stay readable."""
    port.library.remove(game, name)
    return DoneReply()
