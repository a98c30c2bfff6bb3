"""What is made of parts that never change is made once, and kept while it is wanted again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from operator import is_
from typing import Any, TypeVarTuple

from engine.secrets import Open

Parts = TypeVarTuple("Parts")

KEPT = 4
"""How many are kept of each kind: those of both sides, and of a game beside it."""


def once(make: Callable[[*Parts], Mapping[str, Any]]) -> Callable[[*Parts], Open]:
    """`make`, which looks at nothing but the parts it is given, one by one: it makes anew only where one of them is
    another object than it was. Its last results are kept with their parts, so none lives on for long after its game."""
    kept: tuple[tuple[tuple[Any, ...], Open], ...] = ()

    @wraps(make)
    def get(*parts: *Parts) -> Open:
        nonlocal kept
        for known, made in kept:
            if all(map(is_, known, parts)):
                return made
        made = Open(make(*parts))
        kept = ((parts, made), *kept)[:KEPT]
        return made

    return get
