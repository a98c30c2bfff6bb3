"""The Gloves of a half-inning: which side is up, what they are worth, and how they may lie on the zones.

Gloves are numbered 0 to 6 in the order of the deck; 7 stands for no Glove. Zones are numbered 0 to 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from engine.games.rallybird.cards import ZONE_LETTERS, RallybirdBox
from managers.games.rallybird.outcomes import FloatArray

GLOVE_FRONT = 0
GLOVE_BACK = 1
GLOVE_OUT = 2
"""A Glove's state; `GLOVE_OUT` is out of this half-inning."""

NO_GLOVE = 7
"""Stands for a zone without a Glove, and for no Glove changed."""

GloveStates = tuple[int, ...]
"""The state of each of the seven Gloves."""

GloveLayouts = NDArray[np.int64]
"""Ways to lay Gloves, one a row: the Glove of each zone, or `NO_GLOVE`."""

FEATURE_COUNT = 8
"""How many numbers describe the Gloves for the values of later at-bats; see `Kit.feature_vector`."""


@dataclass(frozen=True, slots=True, eq=False)
class GloveKit:
    """The Gloves and zones of a deck, and the house rules about them."""

    names: tuple[str, ...]
    front: tuple[int, ...]
    back: tuple[int, ...]
    icons: tuple[int, ...]
    printed: tuple[int, ...]
    optional: bool
    """True if zones may be left bare on purpose (A5)."""
    last_back: bool
    """True if the last Glove on its back is never removed, rather than the last in play (A10)."""

    @classmethod
    def from_box(cls, box: RallybirdBox, optional: bool, last_back: bool) -> GloveKit:
        """Return the kit of a box."""
        gloves = list(box.gloves.values())
        return cls(
            names=tuple(glove.name for glove in gloves),
            front=tuple(glove.front for glove in gloves),
            back=tuple(glove.back for glove in gloves),
            icons=tuple(place for place, glove in enumerate(gloves) if glove.icon),
            printed=tuple(box.zones[letter].printed for letter in ZONE_LETTERS),
            optional=optional,
            last_back=last_back,
        )

    def fresh_gloves(self, left_out: int) -> GloveStates:
        """Return the Gloves at the beginning of a half-inning, without one of them."""
        return tuple(GLOVE_OUT if place == left_out else GLOVE_FRONT for place in range(len(self.names)))

    def glove_value(self, gloves: GloveStates, glove: int) -> int:
        """Return what a Glove shows."""
        return self.back[glove] if gloves[glove] == GLOVE_BACK else self.front[glove]

    def zone_values(self, gloves: GloveStates) -> NDArray[np.int64]:
        """Return what each zone counts with each Glove on it, or bare: by zone, Glove."""
        shown = [self.glove_value(gloves, glove) for glove in range(len(gloves))]
        return np.array([[*shown, printed] for printed in self.printed], dtype=np.int64)

    def gloves_after_change(self, gloves: GloveStates, glove: int) -> GloveStates:
        """Return the Gloves after one is turned over, or taken away from its back; `NO_GLOVE` changes nothing."""
        if glove == NO_GLOVE or gloves[glove] == GLOVE_OUT:
            return gloves
        return (*gloves[:glove], gloves[glove] + 1, *gloves[glove + 1 :])

    def is_last_glove_safe(self, gloves: GloveStates) -> bool:
        """True if no Glove on its back may be removed now, because it is the last one (RB-073)."""
        return (gloves.count(GLOVE_BACK) if self.last_back else len(gloves) - gloves.count(GLOVE_OUT)) == 1

    def feature_vector(self, gloves: GloveStates) -> FloatArray:
        """Return `FEATURE_COUNT` numbers: 1, the sum over the zones now, and once each Glove has changed, the sum of
        the squares, how many are on their backs, and products. A bare zone counts the mean of what is printed.
        """
        mean = sum(self.printed) / len(self.printed)
        bare = len(self.printed) - len(gloves) + gloves.count(GLOVE_OUT)
        now, later, squares = bare * mean, bare * mean, bare * mean**2
        for glove, state in enumerate(gloves):
            if state == GLOVE_OUT:
                continue
            shown = self.glove_value(gloves, glove)
            now, squares = now + shown, squares + shown**2
            later += self.back[glove] if state == GLOVE_FRONT else mean
        now, later = now / 10 - 1.5, later / 10 - 1.3
        backs = gloves.count(GLOVE_BACK) / 6
        return np.array([1, now, later, squares / 100, backs, now * now, now * later, later * later])

    def features_after_changes(self, gloves: GloveStates) -> FloatArray:
        """Return the description of the Gloves after each one has changed; the last row is without a change."""
        return np.array([self.feature_vector(self.gloves_after_change(gloves, glove)) for glove in range(NO_GLOVE + 1)])

    def legal_layouts(self, gloves: GloveStates) -> GloveLayouts:
        """Return every legal way to lay the Gloves in play."""
        playing = [glove for glove, state in enumerate(gloves) if state != GLOVE_OUT]
        places = glove_arrangements(len(playing), self.optional)
        return np.array([*playing, *[NO_GLOVE] * (NO_GLOVE - len(playing))])[places]


@lru_cache(maxsize=16)
def glove_arrangements(count: int, optional: bool) -> NDArray[np.int64]:
    """Return all ways to lay `count` Gloves, or any of them, on six zones: Gloves from 0, and 6 for a bare zone."""
    rows: list[list[int]] = []
    for used in range(0 if optional else count, count + 1):
        for pieces in combinations(range(count), used):
            for zones in permutations(range(len(ZONE_LETTERS)), used):
                row = [len(ZONE_LETTERS)] * len(ZONE_LETTERS)
                for piece, zone in zip(pieces, zones, strict=True):
                    row[zone] = piece
                rows.append(row)
    return np.array(rows, dtype=np.int64)
