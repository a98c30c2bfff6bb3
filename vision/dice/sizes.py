"""The sizes of dice: what is usual, and what those on this table turned out to be."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Mapping, Sequence

import numpy as np

# The solids of each kind, and the usual size of each solid from facet to facet, in mm. Lengths count relative to what
# the floor's scale was found with.
SHAPES_BY_KIND = {
    "d6": ("d6",),
    "pitch": ("d6",),
    "d8": ("d8",),
    "d10": ("d10",),
    "d20": ("d20",),
    "d24": ("d24", "tetrakis"),
}
USUAL_SIZES_MM = {"d6": 16.0, "d8": 15.0, "d10": 16.0, "d20": 20.0, "d24": 23.0, "tetrakis": 24.0}
MAX_SIZE_RATIO = 1.6  # how much larger, or smaller, a die may be than is usual
SIZE_STEP_RATIO = 1.13  # from one size to the next that is tried
DISTINCT_SIZE_RATIO = 1.04  # ratio of neighbouring sizes from which they are of different dice
MIN_KNOWN_DICE = 6  # dice of one size that were seen, from which it is known
MAX_LEARNED_DICE = 20  # dice of one size from which no more are learned
MAX_REMEMBERED_DICE = 60  # dice of each shape that are remembered, the newest


KnownSizes = Mapping[str, Sequence[float]]  # the sizes of dice of each shape, in mm


class DiceSizes:
    """The sizes of the dice of one table, of which some may be `known_sizes` from before."""

    loose = True  # whether dice may have other sizes

    def __init__(self, known: KnownSizes | None = None) -> None:
        self._seen: dict[str, deque[float]] = {}
        for shape, sizes in (known or {}).items():
            for size in sizes:
                for _ in range(MIN_KNOWN_DICE):
                    self.learn_size(shape, size)

    @property
    def known_sizes(self) -> KnownSizes:
        """The sizes that are known, to a tenth of a mm."""
        every = {shape: tuple(round(size, 1) for size in self.sizes_of_shape(shape)) for shape in self._seen}
        return {shape: sizes for shape, sizes in every.items() if sizes}

    def sizes_of_shape(self, shape: str) -> tuple[float, ...]:
        """Return the sizes that dice of this shape have here, in mm; none while they are unknown."""
        seen = np.sort(self._seen.get(shape, ()))
        alike = np.split(seen, np.flatnonzero(seen[1:] > seen[:-1] * DISTINCT_SIZE_RATIO) + 1)
        return tuple(float(np.median(some)) for some in alike if len(some) >= MIN_KNOWN_DICE)

    def is_size_known(self, shape: str, size: float) -> bool:
        """True if dice of this shape and about this size, in mm, were seen so often that no more need to be learned."""
        alike = [one for one in self._seen.get(shape, ()) if 1 / DISTINCT_SIZE_RATIO < one / size < DISTINCT_SIZE_RATIO]
        return len(alike) >= MAX_LEARNED_DICE

    def learn_size(self, shape: str, size: float) -> None:
        """Learn that a die of this shape lay flat and free, and seemed to have this size in mm."""
        self._seen.setdefault(shape, deque(maxlen=MAX_REMEMBERED_DICE)).append(size)


class UsualSizes(DiceSizes):
    """The usual size of each shape, and no other."""

    loose = False

    def sizes_of_shape(self, shape: str) -> tuple[float, ...]:
        """Return the usual size, in mm."""
        return (USUAL_SIZES_MM[shape],)


def shapes_for_kinds(kinds: Collection[str]) -> list[str]:
    """Return the solids that dice of these kinds may be."""
    return [shape for shape in USUAL_SIZES_MM if any(shape in SHAPES_BY_KIND[kind] for kind in kinds)]


def trial_sizes(shapes: Collection[str]) -> list[float]:
    """Return the sizes to try, in mm, for dice of these shapes and any size."""
    low, high = (
        min(USUAL_SIZES_MM[one] for one in shapes) / MAX_SIZE_RATIO,
        max(USUAL_SIZES_MM[one] for one in shapes) * MAX_SIZE_RATIO,
    )
    count = math.ceil(math.log(high / low) / math.log(SIZE_STEP_RATIO)) + 1
    return [float(one) for one in np.geomspace(low, high, count)]
