"""The changes between two views, for pages that have the earlier one."""

from __future__ import annotations

from typing import Any

ViewChange = tuple[list[str | int], Any]
"""A path of keys and indexes, and the new value at that path."""


def view_changes(before: Any, after: Any) -> list[ViewChange]:
    """Return the changes that turn `before` into `after`. No path is within another.

    Objects are compared by key, and a list that only grew by its additions. Any other value is replaced completely.
    """
    if before == after:
        return []
    if isinstance(before, list) and isinstance(after, list) and before == after[: len(before)]:
        return [([place], after[place]) for place in range(len(before), len(after))]
    if not (isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys()):
        return [([], after)]
    return [
        ([key, *path], value)
        for key, now in after.items()
        for path, value in (view_changes(before[key], now) if key in before else [([], now)])
    ]
