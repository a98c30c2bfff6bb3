"""Dice sizes: the usual ones, and those learned on this table."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Mapping, Sequence

import numpy as np

# The solids of each kind.
SHAPES_BY_KIND = {
    "d6": ("d6",),
    "pitch": ("d6",),
    "d8": ("d8",),
    "d10": ("d10",),
    "d20": ("d20",),
    "d24": ("d24", "tetrakis"),
}
# Distance between opposite facets. Lengths are relative to the scale of the floor.
USUAL_SIZES_MM = {"d6": 16.0, "d8": 15.0, "d10": 16.0, "d20": 20.0, "d24": 23.0, "tetrakis": 24.0}
MAX_SIZE_RATIO = 1.6  # maximum ratio to the usual size, larger or smaller
SIZE_STEP_RATIO = 1.13  # ratio of successive trial sizes
DISTINCT_SIZE_RATIO = 1.04  # Neighboring sizes with a larger ratio are those of different dice.
MIN_SIZE_OBSERVATIONS = 6  # minimum number of observations of a size for it to be known
MAX_LEARNED_OBSERVATIONS = 20  # number of observations after which a size is no longer learned
MAX_REMEMBERED_DICE = 60  # capacity of the queue of observations per shape


KnownSizes = Mapping[str, Sequence[float]]  # sizes of dice by shape, in mm


class DiceSizes:
    """The dice sizes of one table. `known` are sizes from before."""

    loose = True  # True if dice may have other sizes

    def __init__(self, known: KnownSizes | None = None) -> None:
        self._seen: dict[str, deque[float]] = {}
        for shape, sizes in (known or {}).items():
            for size in sizes:
                for _ in range(MIN_SIZE_OBSERVATIONS):
                    self.learn_size(shape, size)

    @property
    def known_sizes(self) -> KnownSizes:
        """The known sizes, rounded to 0.1 mm."""
        every = {shape: tuple(round(size, 1) for size in self.sizes_of_shape(shape)) for shape in self._seen}
        return {shape: sizes for shape, sizes in every.items() if sizes}

    def sizes_of_shape(self, shape: str) -> tuple[float, ...]:
        """Return the sizes of dice of this shape in mm, or () if unknown."""
        seen = np.sort(self._seen.get(shape, ()))
        alike = np.split(seen, np.flatnonzero(seen[1:] > seen[:-1] * DISTINCT_SIZE_RATIO) + 1)
        return tuple(float(np.median(some)) for some in alike if len(some) >= MIN_SIZE_OBSERVATIONS)

    def is_size_known(self, shape: str, size: float) -> bool:
        """True if dice of this shape and about this size in mm were observed often enough."""
        alike = [one for one in self._seen.get(shape, ()) if 1 / DISTINCT_SIZE_RATIO < one / size < DISTINCT_SIZE_RATIO]
        return len(alike) >= MAX_LEARNED_OBSERVATIONS

    def learn_size(self, shape: str, size: float) -> None:
        """Record the estimated size in mm of a flat die that stands alone."""
        self._seen.setdefault(shape, deque(maxlen=MAX_REMEMBERED_DICE)).append(size)


class UsualSizes(DiceSizes):
    """The usual size of each shape, without learning."""

    loose = False

    def sizes_of_shape(self, shape: str) -> tuple[float, ...]:
        return (USUAL_SIZES_MM[shape],)


def shapes_for_kinds(kinds: Collection[str]) -> list[str]:
    return [shape for shape in USUAL_SIZES_MM if any(shape in SHAPES_BY_KIND[kind] for kind in kinds)]


def trial_sizes(shapes: Collection[str]) -> list[float]:
    """Return trial sizes in mm for dice of these shapes and unknown size."""
    low, high = (
        min(USUAL_SIZES_MM[one] for one in shapes) / MAX_SIZE_RATIO,
        max(USUAL_SIZES_MM[one] for one in shapes) * MAX_SIZE_RATIO,
    )
    count = math.ceil(math.log(high / low) / math.log(SIZE_STEP_RATIO)) + 1
    return [float(one) for one in np.geomspace(low, high, count)]
