"""The games, one package each. A package here that has a `GAME` is discovered automatically."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from engine.game import Rulebook


def find_games(path: Iterable[str], package: str) -> dict[str, Rulebook]:
    """Return the games of the package `package`, whose folders are `path`, by key in display order."""
    found: list[Rulebook] = [import_module(f"{package}.{module.name}").GAME for module in iter_modules(path)]
    return {game.key: game for game in sorted(found, key=lambda game: (game.order, game.key))}


GAMES: dict[str, Rulebook] = find_games(__path__, __name__)
