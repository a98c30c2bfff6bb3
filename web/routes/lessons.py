"""The lessons: each game in three cards, with its words explained."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import RedirectResponse, Response

from device.shapes import LessonView
from engine.games import GAMES
from web.dependencies import PortsDependency, read_in_lane, uncached_json
from web.port import TablePorts
from web.render.templates import render_page
from web.security.rejected import RequestRejected

router = APIRouter(include_in_schema=False)

AnyGameKey = Annotated[str, Path(max_length=80)]


@router.get("/learn")
def lesson_of_the_table(port: PortsDependency) -> Response:
    return RedirectResponse(f"/learn/{port.game.view_for(None).game.key}", 303)


@router.get("/learn/{game}.json")
@read_in_lane("decks")
def lesson_data(game: AnyGameKey, request: Request, port: PortsDependency) -> Response:
    """The words of a game with their explanations, for pages on which people want them."""
    return uncached_json({"words": _require_lesson(port, game).words})


@router.get("/learn/{game}")
@read_in_lane("decks")
def lesson_page(game: AnyGameKey, request: Request, port: PortsDependency) -> Response:
    others = [one for one in GAMES.values() if one.lesson and one.key != game]
    lesson = _require_lesson(port, game)
    return render_page("learn.html", view=port.game.view_for(None), lesson=lesson, others=others)


def _require_lesson(port: TablePorts, game: str) -> LessonView:
    found = port.games.game_lesson(game)
    if found is None:
        raise RequestRejected(404, "There is no lesson for this game.")
    return found
