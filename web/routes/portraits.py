"""Portraits of players, by name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from web.render.portrait import MAX_NAME_LENGTH, portrait_svg

CACHE_HEADERS = {"Cache-Control": "public, max-age=86400"}
"""A day, because another version of Dugout may draw portraits differently."""

PlayerName = Annotated[str, Query(min_length=1, max_length=MAX_NAME_LENGTH, description="The player's name.")]
TeamColor = Annotated[
    str, Query(pattern=r"^[a-z]{0,12}$", description='The team\'s color, as on the scoreboard: "red".')
]

router = APIRouter()


# Asynchronous, because drawing takes microseconds and needs no thread.
@router.get("/portrait.svg", include_in_schema=False)
async def portrait_image(name: PlayerName, colour: TeamColor = "") -> Response:
    """The portrait of a player in a team color. Any name has one, which is always the same."""
    return Response(portrait_svg(name, colour), media_type="image/svg+xml", headers=CACHE_HEADERS)
