"""Cache what is made from immutable parts, by the identity of the parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, TypeVar, TypeVarTuple

from engine.secrets import Members, Open

Parts = TypeVarTuple("Parts")
Made = TypeVar("Made")

KEPT = 4
"""How many results each function keeps: both sides of a game, and those of another game beside it."""


def latest(make: Callable[[*Parts], Made]) -> Callable[[*Parts], Made]:
    """Cache the last results of `make`. It must read only its arguments, and runs again only if one of them is a
    different object. The cache keeps the arguments too, and drops the oldest, so a finished game's data does not stay
    for long.
    """
    kept: tuple[tuple[tuple[Any, ...], Made], ...] = ()

    @wraps(make)
    def get(*parts: *Parts) -> Made:
        nonlocal kept
        for known, made in kept:
            if all(map(is_, known, parts)):
                return made
        made = make(*parts)
        kept = ((parts, made), *kept)[:KEPT]
        return made

    return get


def once(make: Callable[[*Parts], Members]) -> Callable[[*Parts], Open]:
    """Cache the last views that `make` returns, as `latest` does."""

    def opened(*parts: *Parts) -> Open:
        return Open(make(*parts))

    return latest(opened)
