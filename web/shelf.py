"""The shelf: every deck there is, one deck card by card, and its file to keep."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from web import auth
from web.api import Table
from web.cards import HITS, shelved
from web.looks import page
from web.refusals import Refused

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Path(max_length=255)]


@router.get("/decks")
def decks(request: Request, port: Table) -> Response:
    """The decks of every game; for the operator with what makes a new one."""
    return page("decks.html", games=port.library.decks(), operator=auth.of(request).operator)


@router.get("/decks/{game}/{name}.toml")
def file(game: Key, name: Key, port: Table) -> Response:
    """A deck's file, as it is written."""
    text = port.library.text(game, name)
    if text is None:
        raise Refused(404, "There is no such deck.")
    headers = {"Cache-Control": "no-store", "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}.toml"}
    return Response(text, media_type="application/toml", headers=headers)


@router.get("/decks/{game}/{name}")
def deck(game: Key, name: Key, request: Request, port: Table) -> Response:
    """One deck, card by card; for the operator with the forms that change it."""
    found = port.library.deck(game, name)
    if found is None:
        raise Refused(404, "There is no such deck.")
    operator = auth.of(request).operator
    return page("deck.html", deck=found, kinds=shelved(found), hits=HITS, operator=operator)
