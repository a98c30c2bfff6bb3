"""What changed between two views, for pages that still have the one before."""

from __future__ import annotations

from typing import Any

ViewChange = tuple[list[str | int], Any]
"""A path of keys and places, and the value that is there now."""


def view_changes(before: Any, after: Any) -> list[ViewChange]:
    """Return what to put where in `before`, plain data, to make it `after`; no path is within another.

    Objects are compared key by key. Of a list that only grew, there is what was added. What lost a key, and any other
    value that differs, is there whole.
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
