"""Most d20s are numbered alike, so the faces around the top one support what it shows."""

import math

import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import polyhedron

STEPS = 24  # number of rotations about the middle of a face that are distinguished
# Distance from the middle of a d20 to that of a face, in widths of the die, taken as a disc of the same area.
INRADIUS = 0.455
FARTHEST = 0.42  # largest distance from the die's middle to that of a face that its neighbours can support, in widths
# Probability of any number on a face whatever is seen there, and how often each number is seen where nothing is known.
SCARCE, USUAL = 0.01, 0.03
# Probability that a d20 is numbered as most are: before any was seen, and the least and the most it can become.
ALIKE, SOME, NEARLY = 0.9, 0.1, 0.98
STEP = 2.0  # largest factor by which one die changes that

_SOLID = polyhedron("d20")
_NORMALS = {
    int(tile) + 1: np.asarray(normal, np.float64) for tile, normal in zip(_SOLID.tile, _SOLID.normals, strict=True)
}
# Angle by which a face's neighbours, and their neighbours, slope away from it, in radians.
_SLOPES = tuple(
    float(slope) for slope in np.arccos(np.sort(_NORMALS[1] @ np.stack(list(_NORMALS.values())).T)[[-2, -5]])
)


def _rows(value: int) -> list[tuple[int, int, int]]:
    """Return the faces visible around one: ring, step around it from its first neighbour, and value minus one."""
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


# (20, 9, 3): for each face, the nine that are visible around it.
_FACES = np.array([_rows(value) for value in range(1, 21)])


def neighbour_places(right: float, down: float) -> NDArray[np.float64]:
    """Return where the other faces of a d20 may lie, given one face's offset right and down of the die's middle, in
    widths. The result is (2, STEPS, 3), for the nearer ring and the farther, step by step: right, down, and the cosine
    of how far such a face is turned away. An offset beyond the reach of a face is taken as the largest possible."""
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


def agreement(seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much likelier the neighbours make each number from 1 to 20 on a face, compared with unknown numbering:
    (20,). `seen` is (2, STEPS, 20): the probabilities of the numbers at the places of `neighbour_places`, NaN where
    none is visible."""
    log_ratios = np.nan_to_num(np.log((seen + SCARCE) / (USUAL + SCARCE)))
    steps = (np.arange(STEPS) + _FACES[:, :, 1, None]) % STEPS
    sums = log_ratios[_FACES[:, :, 0, None], steps, _FACES[:, :, 2, None]].sum(axis=1)
    return np.asarray(np.exp(sums).mean(axis=1))


class LayoutHabit:
    """Learns from the d20s before one camera how likely they are numbered as most are."""

    def __init__(self) -> None:
        self.alike = ALIKE  # the probability, 0 to 1

    def weigh(self, signs: NDArray[np.float64], agreed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return factors for the numbers 1 to 20, from their probabilities and the neighbours. It learns from both."""
        fits = float(signs @ agreed / max(signs.sum(), 1e-6))
        weight = 1 - self.alike + self.alike * agreed
        odds = self.alike / (1 - self.alike) * min(max(fits, 1 / STEP), STEP)
        self.alike = min(max(odds / (1 + odds), SOME), NEARLY)
        return np.asarray(weight)
