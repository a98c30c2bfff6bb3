"""Decks: their pages and files, and the API. Anyone reads them; the operator makes them and edits their cards."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from device.shapes import DeckList, DeckView
from engine.games import GAMES
from web import auth
from web.dependencies import DoneReply, Operator, RequestBody, Table, at_once, download, fresh, reads
from web.port import Port
from web.render.cards import HITS, shelved
from web.render.templates import page
from web.schema import READ_RESPONSES, RESPONSES, refuses, returns
from web.security.refused import Refused

Key = Annotated[str, Field(max_length=80)]
Place = Annotated[int, Field(ge=1, le=10**6, strict=True, description="Its place among its kind, from 1.")]
Game = Annotated[str, Path(max_length=80, description="The key of a game.", examples=list(GAMES)[:1])]
Name = Annotated[str, Path(max_length=255, description="The deck's file without .toml, or house.", examples=["house"])]
Mark = Annotated[
    str | None,
    Field(max_length=40, description="The mark of the card as it was read: refused if the card has changed since."),
]
AnyGame = Annotated[str, Path(max_length=255)]

router = APIRouter()


@router.get("/decks", include_in_schema=False)
@reads("decks")
def deck_pages(request: Request, port: Table) -> Response:
    """The decks of every game; for the operator with what makes a new one."""
    return page("decks.html", games=port.library.decks(), operator=auth.of(request).operator)


@router.get("/decks/{game}/{name}.toml", include_in_schema=False)
@reads("decks")
def file(game: AnyGame, name: Name, request: Request, port: Table) -> Response:
    """A deck's file as it is stored."""
    text = port.library.text(game, name)
    if text is None:
        raise Refused(404, "There is no such deck.")
    return download(text, "application/toml", f"filename*=UTF-8''{quote(name)}.toml")


@router.get("/decks/{game}/{name}", include_in_schema=False)
@reads("decks")
def deck_page(game: AnyGame, name: Name, request: Request, port: Table) -> Response:
    """One deck, card by card; for the operator with the forms that change it."""
    found = _found(port, game, name)
    return page("deck.html", deck=found, kinds=shelved(found), hits=HITS, operator=auth.of(request).operator)


def _found(port: Port, game: str, name: str) -> DeckView:
    found = port.library.deck(game, name)
    if found is None:
        raise Refused(404, "There is no such deck.")
    return found


class NewDeckBody(RequestBody):
    """The deck to make: empty, or a copy of another deck of its game."""

    game: Key
    title: str = Field(max_length=200)
    like: Name | None = Field(default=None, alias="copy", description="The name of the deck to copy.")


class ImportBody(RequestBody):
    """The text of a deck's file, which names its game; `title` replaces the one in it."""

    text: str
    title: str | None = Field(default=None, max_length=200)


class CardBody(RequestBody):
    """A card as it is to be; added as the last of its kind if `place` is null."""

    kind: Key
    place: Place | None = None
    fields: dict[str, object] = Field(max_length=100, description="By name; null or an empty text is a field left out.")
    mark: Mark = None


class RemoveCardBody(RequestBody):
    """A card to remove."""

    kind: Key
    place: Place
    mark: Mark = None


class TitleBody(RequestBody):
    """The new title."""

    title: str = Field(max_length=200)


class DeckMade(BaseModel):
    """The game and the name of the new deck."""

    ok: Literal[True] = True
    game: str
    name: str


class CardPlaced(BaseModel):
    """The place of the card."""

    ok: Literal[True] = True
    place: int


CHANGES = RESPONSES | refuses({409: "Gone, or changed in the meantime"})


@router.get("/api/decks", tags=["read"], summary="Every deck", responses=returns(list[DeckList]) | READ_RESPONSES)
@reads("decks")
def decks(request: Request, port: Table) -> Response:
    """The decks of each game: the one that ships with it, then the owner's."""
    return fresh(port.library.decks())


@router.get(
    "/api/decks/{game}/{name}",
    tags=["read"],
    summary="One deck",
    responses=returns(DeckView) | refuses({404: "There is no such deck"}) | READ_RESPONSES | {422: RESPONSES[422]},
)
@reads("decks")
def deck(game: Game, name: Name, request: Request, port: Table) -> Response:
    """Its cards, what they may have, and what it lacks."""
    return fresh(_found(port, game, name))


@router.post("/api/decks", tags=["operator"], summary="Make a deck", responses=CHANGES)
@at_once
def new(given: NewDeckBody, held: Operator, port: Table) -> DeckMade:
    """Make an empty deck or a copy; its name is made from its title."""
    return DeckMade(game=given.game, name=port.library.new(given.game, given.title, given.like))


@router.post("/api/decks/import", tags=["operator"], summary="Import a deck", responses=CHANGES)
@at_once
def take(given: ImportBody, held: Operator, port: Table) -> DeckMade:
    """Store a deck's file of at most 256 kB; it is refused with every fault of every card."""
    game, name = port.library.take(given.text, given.title)
    return DeckMade(game=game, name=name)


@router.post("/api/decks/{game}/{name}/card", tags=["operator"], summary="Write a card", responses=CHANGES)
@at_once
def write(game: Game, name: Name, card: CardBody, held: Operator, port: Table) -> CardPlaced:
    """Add or replace a card; it is refused with each fault and its field."""
    return CardPlaced(place=port.library.write(game, name, card.kind, card.place, card.fields, card.mark))


@router.post("/api/decks/{game}/{name}/card/remove", tags=["operator"], summary="Take a card out", responses=CHANGES)
@at_once
def remove_card(game: Game, name: Name, card: RemoveCardBody, held: Operator, port: Table) -> DoneReply:
    """Remove a card; those after it move up."""
    port.library.remove_card(game, name, card.kind, card.place, card.mark)
    return DoneReply()


@router.post("/api/decks/{game}/{name}/title", tags=["operator"], summary="Rename a deck", responses=CHANGES)
@at_once
def rename(game: Game, name: Name, given: TitleBody, held: Operator, port: Table) -> DoneReply:
    """Change its title; its address stays."""
    port.library.rename(game, name, given.title)
    return DoneReply()


@router.post("/api/decks/{game}/{name}/remove", tags=["operator"], summary="Remove a deck", responses=CHANGES)
@at_once
def remove(game: Game, name: Name, held: Operator, port: Table) -> DoneReply:
    """Delete its file. Games begun with it go on, and stay readable."""
    port.library.remove(game, name)
    return DoneReply()
