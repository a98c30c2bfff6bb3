"""Pages, files and API of decks. Anybody may read them, and the operator may create and edit them."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from device.shapes import DeckList, DeckView
from engine.games import GAMES
from web import auth
from web.dependencies import (
    DoneReply,
    OperatorPass,
    PortsDependency,
    RequestBody,
    file_download,
    read_in_lane,
    run_first,
    uncached_json,
)
from web.port import TablePorts
from web.render.cards import ON_BASE_RESULTS, cards_by_kind
from web.render.templates import render_page
from web.schema import READ_RESPONSES, REJECTION_RESPONSES, rejection_responses, reply_responses
from web.security.rejected import RequestRejected

ShortText = Annotated[str, Field(max_length=80)]
CardPlace = Annotated[int, Field(ge=1, le=10**6, strict=True, description="Its position within its kind, from 1.")]
GameKey = Annotated[str, Path(max_length=80, description="The key of a game.", examples=list(GAMES)[:1])]
DeckName = Annotated[
    str, Path(max_length=255, description="The deck's file name without .toml, or `house`.", examples=["house"])
]
CardMark = Annotated[
    str | None,
    Field(max_length=40, description="The card's version when it was read: refused if the card has changed since."),
]
AnyGameKey = Annotated[str, Path(max_length=255)]

router = APIRouter()


@router.get("/decks", include_in_schema=False)
@read_in_lane("decks")
def decks_page(request: Request, port: PortsDependency) -> Response:
    return render_page("decks.html", games=port.library.all_decks(), operator=auth.request_pass(request).operator)


@router.get("/decks/{game}/{name}.toml", include_in_schema=False)
@read_in_lane("decks")
def deck_file(game: AnyGameKey, name: DeckName, request: Request, port: PortsDependency) -> Response:
    text = port.library.deck_text(game, name)
    if text is None:
        raise RequestRejected(404, "There is no such deck.")
    return file_download(text, "application/toml", f"filename*=UTF-8''{quote(name)}.toml")


@router.get("/decks/{game}/{name}", include_in_schema=False)
@read_in_lane("decks")
def deck_page(game: AnyGameKey, name: DeckName, request: Request, port: PortsDependency) -> Response:
    found = _require_deck(port, game, name)
    return render_page(
        "deck.html",
        deck=found,
        kinds=cards_by_kind(found),
        hits=ON_BASE_RESULTS,
        operator=auth.request_pass(request).operator,
    )


def _require_deck(port: TablePorts, game: str, name: str) -> DeckView:
    found = port.library.deck_view(game, name)
    if found is None:
        raise RequestRejected(404, "There is no such deck.")
    return found


class NewDeckBody(RequestBody):
    """The deck to create, empty or as a copy of another deck of its game."""

    game: ShortText
    title: str = Field(max_length=200)
    like: DeckName | None = Field(default=None, alias="copy", description="The name of the deck to copy.")


class ImportDeckBody(RequestBody):
    """The text of a deck's file, which names its game. `title` replaces the title in it."""

    text: str
    title: str | None = Field(default=None, max_length=200)


class CardBody(RequestBody):
    """A card to write. If `place` is null, it is added after the last one of its kind."""

    kind: ShortText
    place: CardPlace | None = None
    fields: dict[str, object] = Field(max_length=100, description="By name; null or an empty text is a field left out.")
    mark: CardMark = None


class RemoveCardBody(RequestBody):
    """A card to remove."""

    kind: ShortText
    place: CardPlace
    mark: CardMark = None


class DeckTitleBody(RequestBody):
    """The new title of a deck."""

    title: str = Field(max_length=200)


class NewDeckReply(BaseModel):
    """The game and name of the new deck."""

    ok: Literal[True] = True
    game: str
    name: str


class SavedCardReply(BaseModel):
    """The place of the saved card."""

    ok: Literal[True] = True
    place: int


DECK_CHANGE_RESPONSES = REJECTION_RESPONSES | rejection_responses({409: "Deleted, or changed since"})
"""The rejections of each change of a deck."""


@router.get(
    "/api/decks", tags=["read"], summary="Every deck", responses=reply_responses(list[DeckList]) | READ_RESPONSES
)
@read_in_lane("decks")
def get_decks(request: Request, port: PortsDependency) -> Response:
    """The decks of each game, first the one that ships with it, then the owner's."""
    return uncached_json(port.library.all_decks())


@router.get(
    "/api/decks/{game}/{name}",
    tags=["read"],
    summary="One deck",
    responses=reply_responses(DeckView)
    | rejection_responses({404: "There is no such deck"})
    | READ_RESPONSES
    | {422: REJECTION_RESPONSES[422]},
)
@read_in_lane("decks")
def get_deck(game: GameKey, name: DeckName, request: Request, port: PortsDependency) -> Response:
    """The cards of a deck, the fields that they may have, and the faults of the deck."""
    return uncached_json(_require_deck(port, game, name))


@router.post("/api/decks", tags=["operator"], summary="Make a deck", responses=DECK_CHANGE_RESPONSES)
@run_first
def create_deck(given: NewDeckBody, held: OperatorPass, port: PortsDependency) -> NewDeckReply:
    """Create an empty deck or a copy. Its name is derived from its title."""
    return NewDeckReply(game=given.game, name=port.library.create_deck(given.game, given.title, given.like))


@router.post("/api/decks/import", tags=["operator"], summary="Import a deck", responses=DECK_CHANGE_RESPONSES)
@run_first
def import_deck(given: ImportDeckBody, held: OperatorPass, port: PortsDependency) -> NewDeckReply:
    """Store a deck's file of at most 256 kB. A rejection lists every fault of every card."""
    game, name = port.library.import_deck(given.text, given.title)
    return NewDeckReply(game=game, name=name)


@router.post(
    "/api/decks/{game}/{name}/card", tags=["operator"], summary="Write a card", responses=DECK_CHANGE_RESPONSES
)
@run_first
def save_card(
    game: GameKey, name: DeckName, card: CardBody, held: OperatorPass, port: PortsDependency
) -> SavedCardReply:
    """Add or replace a card. A rejection lists each fault with its field."""
    return SavedCardReply(place=port.library.save_card(game, name, card.kind, card.place, card.fields, card.mark))


@router.post(
    "/api/decks/{game}/{name}/card/remove",
    tags=["operator"],
    summary="Remove a card",
    responses=DECK_CHANGE_RESPONSES,
)
@run_first
def remove_card(
    game: GameKey, name: DeckName, card: RemoveCardBody, held: OperatorPass, port: PortsDependency
) -> DoneReply:
    """Remove a card. Later ones of its kind move up."""
    port.library.remove_card(game, name, card.kind, card.place, card.mark)
    return DoneReply()


@router.post(
    "/api/decks/{game}/{name}/title", tags=["operator"], summary="Rename a deck", responses=DECK_CHANGE_RESPONSES
)
@run_first
def rename_deck(
    game: GameKey, name: DeckName, given: DeckTitleBody, held: OperatorPass, port: PortsDependency
) -> DoneReply:
    """Change the title of a deck. Its address stays."""
    port.library.rename_deck(game, name, given.title)
    return DoneReply()


@router.post(
    "/api/decks/{game}/{name}/remove", tags=["operator"], summary="Remove a deck", responses=DECK_CHANGE_RESPONSES
)
@run_first
def delete_deck(game: GameKey, name: DeckName, held: OperatorPass, port: PortsDependency) -> DoneReply:
    """Delete the file of a deck. Games that began with it continue and stay readable."""
    port.library.delete_deck(game, name)
    return DoneReply()
