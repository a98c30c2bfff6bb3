"""Cache results that are built from immutable parts, by the identity of the parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, TypeVar, TypeVarTuple

from engine.secrets import NamedData, PublicData

Parts = TypeVarTuple("Parts")
Made = TypeVar("Made")

MAX_CACHED_RESULTS = 4
"""Results that each function caches. Two for the sides of one game, and two for another game."""


def cache_by_identity(make: Callable[[*Parts], Made]) -> Callable[[*Parts], Made]:
    """Cache the last results of `make`, which must read only its arguments.

    `make` runs again only if an argument is a different object. The cache also holds the arguments. It evicts the
    oldest, so the data of a finished game does not stay for long.
    """
    kept: tuple[tuple[tuple[Any, ...], Made], ...] = ()

    @wraps(make)
    def cached_result(*parts: *Parts) -> Made:
        nonlocal kept
        for known, made in kept:
            if all(map(is_, known, parts)):
                return made
        made = make(*parts)
        kept = ((parts, made), *kept)[:MAX_CACHED_RESULTS]
        return made

    return cached_result


def cache_public_data(make: Callable[[*Parts], NamedData]) -> Callable[[*Parts], PublicData]:
    """Cache the last views that `make` returns, as `cache_by_identity` does."""

    def build_public_data(*parts: *Parts) -> PublicData:
        return PublicData(make(*parts))

    return cache_by_identity(build_public_data)
