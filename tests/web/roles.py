"""The one table of who may do what, as docs/develop/requests.md prints it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

DOC = Path(__file__).parents[2] / "docs/develop/requests.md"
ROW = re.compile(r"^\| `(GET|POST) ([^`]+)` \| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
COLUMNS = ("spectator", "away", "home", "operator")

NAMES = {
    "/learn/{game}": {"game": "small-ball"},
    "/evidence/{name}": {"name": "1-1"},
    "/games/{number}": {"number": "1", "table": "plays"},
    "/api/games/{number}/take": {"number": "2"},
    "/api/people/{key}/": {"key": "ann"},
    "/decks/{game}/{name}": {"game": "small-ball", "name": "house"},
    "/api/decks/{game}/{name}/": {"game": "small-ball", "name": "mine"},
    "/api/decks/{game}/{name}": {"game": "small-ball", "name": "house"},
    "/leagues/{book}": {"book": "summer", "team": "t0", "player": "Pip%20Marlowe", "kind": "games.csv"},
    "/api/leagues/{book}": {"book": "summer", "team": "t0", "player": "Pip%20Marlowe"},
    "/static/{path}": {"path": "js/live.js"},
}
"""What stands for the names in braces, by how a path begins."""


@dataclass(frozen=True)
class Row:
    """A route and what each role gets there."""

    method: str
    path: str
    means: str
    answers: dict[str, int]

    @property
    def url(self) -> str:
        names = next((names for start, names in NAMES.items() if self.path.startswith(start)), {"number": "1"})
        return self.path.format(**names)

    @property
    def route(self) -> tuple[str, str]:
        return self.method, self.path.partition("?")[0]

    def wanted(self, who: str) -> int:
        """The status for a role; a phone that is the operator's and holds the away seat may do what either may."""
        return self.answers[who] if who != "both" else min(self.answers["operator"], self.answers["away"])


def rows() -> list[Row]:
    found = ROW.findall(DOC.read_text(encoding="utf-8"))
    return [
        Row(method, path, means, dict(zip(COLUMNS, map(int, numbers), strict=True)))
        for method, path, means, *numbers in found
    ]


def routes(app: FastAPI) -> set[tuple[str, str]]:
    """Every method and path of an application, without those of its library."""
    return {(method, route.path) for route in _flat(app.router.routes) for method in route.methods or ()}


def _flat(found: Any) -> list[APIRoute]:
    flat = []
    for route in found:
        if isinstance(route, APIRoute):
            flat.append(route)
        elif hasattr(route, "original_router"):
            flat += _flat(route.original_router.routes)
    return flat
