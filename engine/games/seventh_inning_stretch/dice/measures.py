"""Measures of rolled dice, and needs on them, from which conditions and scores are built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

FACES = (1, 2, 3, 4, 5, 6)

Counts = tuple[int, ...]
"""Dice as six counts: how many show 1, 2 and so on to 6."""


def counted(faces: Iterable[int]) -> Counts:
    """Return dice as counts of their faces."""
    shown = tuple(faces)
    return tuple([shown.count(face) for face in FACES])


def _sum(counts: Counts, _: tuple[int, ...]) -> int:
    ones, twos, threes, fours, fives, sixes = counts
    return ones + 2 * twos + 3 * threes + 4 * fours + 5 * fives + 6 * sixes


def _highest(counts: Counts, _: tuple[int, ...]) -> int:
    return next(face for face in reversed(FACES) if counts[face - 1])


def _lowest(counts: Counts, _: tuple[int, ...]) -> int:
    return next(face for face in FACES if counts[face - 1])


def _straight(counts: Counts, _: tuple[int, ...]) -> int:
    return max(accumulate(counts, lambda row, count: row + 1 if count else 0, initial=0))


MEASURES: Mapping[str, Callable[[Counts, tuple[int, ...]], int]] = {
    "sum": _sum,
    "highest": _highest,
    "lowest": _lowest,
    "spread": lambda counts, values: _highest(counts, values) - _lowest(counts, values),
    "straight": _straight,
    "pairs": lambda counts, _: sum([count // 2 for count in counts]),
    "faces": lambda counts, _: 6 - counts.count(0),
    "dice": lambda counts, values: sum([counts[value - 1] for value in values]),
    "alike": lambda counts, values: max([counts[value - 1] for value in values]),
}
"""The measures of one or more dice: `straight` is the longest row of values, `faces` the number of different ones.

`dice` counts the dice with one of the values, `alike` those with the same one of them; the others take no values.
"""


@dataclass(frozen=True, slots=True)
class Need:
    """A measure of the dice (see `MEASURES`) that must be from `low` to `high`."""

    what: str
    low: int
    high: int
    values: tuple[int, ...] = FACES

    def holds(self, counts: Counts) -> bool:
        """True if these dice, at least one, meet it."""
        return self.low <= MEASURES[self.what](counts, self.values) <= self.high


Ways = tuple[tuple[Need, ...], ...]
"""Alternatives: all needs of one of them must hold."""


def holds(ways: Ways, counts: Counts) -> bool:
    """True if all needs of one of these ways hold with these dice, at least one."""
    return any(all(need.holds(counts) for need in way) for way in ways)
