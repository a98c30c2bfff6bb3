"""Most d20s are numbered alike: the faces about the top one tell what it shows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import polyhedron

STEPS = 24
"""So many ways a die may lie turned about the middle of a face are told apart."""

INRADIUS = 0.455
"""From the middle of a d20 to that of a face, in widths of the die: of a disc that covers as much of the picture."""

FARTHEST = 0.42
"""The middle of a face that is told from its neighbours lies no farther than this from the die's, in widths."""

SCARCE, USUAL = 0.01, 0.03
"""The probability of any number on a face whatever is seen there, and how often it is seen where nothing is known."""

ALIKE, SOME, NEARLY = 0.9, 0.1, 0.98
"""The probability that a d20 is numbered as most are, before one was seen, and the least and the most that those seen
make of it."""

STEP = 2.0
"""No die makes that more or less likely by more than this factor."""

_SOLID = polyhedron("d20")
_NORMALS = {
    int(tile) + 1: np.asarray(normal, np.float64) for tile, normal in zip(_SOLID.tile, _SOLID.normals, strict=True)
}
_SLOPES = tuple(
    float(slope) for slope in np.arccos(np.sort(_NORMALS[1] @ np.stack(list(_NORMALS.values())).T)[[-2, -5]])
)
"""How steep a face's neighbours, and their neighbours, fall away from it, in radians."""


def _rows(value: int) -> list[tuple[int, int, int]]:
    """The faces that can be seen about one: ring, step about it from its first neighbour on, and value less one."""
    normal = _NORMALS[value]
    cosines = {other: float(way @ normal) for other, way in _NORMALS.items()}
    rings = [
        [other for other, cosine in cosines.items() if abs(math.acos(min(1.0, cosine)) - slope) < 0.1]
        for slope in _SLOPES
    ]
    first = _NORMALS[min(rings[0])]
    ahead = first - normal * (first @ normal)
    beside = np.cross(normal, ahead)
    found = []
    for ring, others in enumerate(rings):
        for other in others:
            turn = math.atan2(_NORMALS[other] @ beside, _NORMALS[other] @ ahead) / math.tau * STEPS
            found.append((ring, round(turn - ring / 2) % STEPS, other - 1))
    return sorted(found)


_FACES = np.array([_rows(value) for value in range(1, 21)])
"""(20, 9, 3): of each face, the nine that can be seen about it."""


def around(right: float, down: float) -> NDArray[np.float64]:
    """Where the other faces of a d20 may lie whose one face lies so far right and down of the die's middle, in widths
    of the die: (2, STEPS, 3), of the nearer ring and the farther, step by step: right, down, and the cosine of how far
    such a face is turned away. What lies farther out than a face can is taken for as far as it can."""
    far = math.hypot(right, down)
    ahead = (right / far, down / far) if far > 1e-6 else (0.0, -1.0)
    sin = min(far, FARTHEST) / INRADIUS
    cos = math.sqrt(1 - sin * sin)
    found = []
    for ring, slope in enumerate(_SLOPES):
        turn = (np.arange(STEPS) + ring / 2) / STEPS * math.tau
        across, along, up = math.sin(slope) * np.sin(turn), math.sin(slope) * np.cos(turn), math.cos(slope)
        out, aside = INRADIUS * (along * cos + up * sin), INRADIUS * across
        spots = (out * ahead[0] - aside * ahead[1], out * ahead[1] + aside * ahead[0], up * cos - along * sin)
        found.append(np.stack(spots, axis=1))
    return np.array(found)


def agree(seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much likelier what is `seen` about a face is for each number on it, from 1 to 20, than on dice numbered
    anyhow: (20,). `seen` is (2, STEPS, 20), the probabilities of the numbers at the places of `around`, NaN where none
    can be seen."""
    told = np.nan_to_num(np.log((seen + SCARCE) / (USUAL + SCARCE)))
    steps = (np.arange(STEPS) + _FACES[:, :, 1, None]) % STEPS
    sums = told[_FACES[:, :, 0, None], steps, _FACES[:, :, 2, None]].sum(axis=1)
    return np.asarray(np.exp(sums).mean(axis=1))


class LayoutHabit:
    """How far the d20s before one camera are numbered as most are, by those that were seen."""

    def __init__(self) -> None:
        self.alike = ALIKE
        """The probability, 0 to 1."""

    def weigh(self, signs: NDArray[np.float64], agreed: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much likelier than before each number from 1 to 20 is, of the probabilities `signs`, by what `agree`
        says; that it does, or does not, is learned from."""
        fits = float(signs @ agreed / max(signs.sum(), 1e-6))
        weight = 1 - self.alike + self.alike * agreed
        odds = self.alike / (1 - self.alike) * min(max(fits, 1 / STEP), STEP)
        self.alike = min(max(odds / (1 + odds), SOME), NEARLY)
        return np.asarray(weight)
