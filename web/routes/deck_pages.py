"""The shelf: every deck there is, one deck card by card, and its file to keep."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from web.dependencies import Table
from web.errors import Refused
from web.port import Port
from web.render.cards import HITS, shelved
from web.render.templates import page
from web.routes.games import Reader, alone
from web.security import auth

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=255)]


@router.get("/decks")
def decks(request: Request, port: Table) -> Response:
    """The decks of every game; for the operator with what makes a new one."""
    return page("decks.html", games=port.library.decks(), operator=auth.of(request).operator)


@router.get("/decks/{game}/{name}.toml")
async def file(game: Key, name: Key, port: Table, reading: Reader) -> Response:
    """A deck's file, as it is written."""
    return await alone(reading, lambda: _file(game, name, port))


def _file(game: str, name: str, port: Port) -> Response:
    text = port.library.text(game, name)
    if text is None:
        raise Refused(404, "There is no such deck.")
    headers = {"Cache-Control": "no-store", "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}.toml"}
    return Response(text, media_type="application/toml", headers=headers)


@router.get("/decks/{game}/{name}")
async def deck(game: Key, name: Key, request: Request, port: Table, reading: Reader) -> Response:
    """One deck, card by card; for the operator with the forms that change it."""
    return await alone(reading, lambda: _deck(game, name, port, auth.of(request).operator))


def _deck(game: str, name: str, port: Port, operator: bool) -> Response:
    found = port.library.deck(game, name)
    if found is None:
        raise Refused(404, "There is no such deck.")
    return page("deck.html", deck=found, kinds=shelved(found), hits=HITS, operator=operator)
