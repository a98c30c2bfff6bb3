"""What the default run has of many like pictures: the first ones. The full run has all."""

from collections.abc import Iterable, Sequence

import pytest


def first(values: Iterable[object]) -> list[object]:
    """Return the values of one parameter: the first is for every run, the others are for the full one."""
    return rows((value,) for value in values)


def rows(values: Iterable[Sequence[object]]) -> list[object]:
    """Return the values of several parameters: the first row is for every run, the others are for the full one."""
    return [pytest.param(*row, marks=pytest.mark.slow if place else ()) for place, row in enumerate(values)]
