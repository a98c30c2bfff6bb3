"""What a page does with changes, in Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from web.live.changes import ViewChange


def merged(view: Any, found: Iterable[ViewChange]) -> Any:
    """Return a view with these values put at the ends of their paths."""
    for path, value in found:
        view = _put(view, list(path), value)
    return view


def _put(old: Any, path: list[str | int], value: Any) -> Any:
    if not path:
        return value
    key, *rest = path
    if isinstance(key, int):
        return [*old[:key], _put(None, rest, value), *old[key + 1 :]]
    return {**old, key: _put(old.get(key), rest, value)}
