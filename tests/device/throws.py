"""Throws as a camera sees them, without a picture to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from device.table.throw_match import SeenThrow
from vision.reading import DieReading, Reading


def thrown(
    dice: Sequence[DieReading], began: float, doubt: str | None = None, *, hides: bool = False, **more: Any
) -> SeenThrow:
    """Return a throw of these dice; `more` is the rest of a `SeenThrow`."""
    return SeenThrow(Reading(tuple(dice), doubt, 0.0, hides=hides), began, **more)
