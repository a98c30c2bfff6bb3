"""Gloves of a half-inning: their states, values and layouts on the zones.

Gloves are numbered 0 to 6 in the order of the deck, with 7 for no Glove. Zones are numbered 0 to 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from engine.games.rallybird.cards import ZONE_LETTERS, RallybirdBox
from managers.games.rallybird.outcomes import FloatArray

GLOVE_FRONT = 0  # State of a Glove with its front up.
GLOVE_BACK = 1  # State of a Glove with its back up.
GLOVE_OUT = 2  # State of a Glove that is out of this half-inning.
NO_GLOVE = 7  # Index of a zone without a Glove, and of no changed Glove.

GloveStates = tuple[int, ...]  # State of each of the seven Gloves.

GloveLayouts = NDArray[np.int64]  # Layouts, one a row, with the Glove of each zone or `NO_GLOVE`.

FEATURE_COUNT = 8  # Length of `GloveKit.feature_vector`.


@dataclass(frozen=True, slots=True, eq=False)
class GloveKit:
    """Gloves and zones of a deck, with the house rules about them."""

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
        """Return all Gloves with their fronts up, without `left_out`."""
        return tuple(GLOVE_OUT if place == left_out else GLOVE_FRONT for place in range(len(self.names)))

    def glove_value(self, gloves: GloveStates, glove: int) -> int:
        return self.back[glove] if gloves[glove] == GLOVE_BACK else self.front[glove]

    def zone_values(self, gloves: GloveStates) -> NDArray[np.int64]:
        """Return the value of each zone with each Glove or bare, as [zone, Glove]."""
        shown = [self.glove_value(gloves, glove) for glove in range(len(gloves))]
        return np.array([[*shown, printed] for printed in self.printed], dtype=np.int64)

    def gloves_after_change(self, gloves: GloveStates, glove: int) -> GloveStates:
        """Return the Gloves after one is turned over, or removed if its back is up. `NO_GLOVE` changes nothing."""
        if glove == NO_GLOVE or gloves[glove] == GLOVE_OUT:
            return gloves
        return (*gloves[:glove], gloves[glove] + 1, *gloves[glove + 1 :])

    def is_last_glove_safe(self, gloves: GloveStates) -> bool:
        """True if no Glove on its back may be removed, because it is the last one (RB-073)."""
        return (gloves.count(GLOVE_BACK) if self.last_back else len(gloves) - gloves.count(GLOVE_OUT)) == 1

    def feature_vector(self, gloves: GloveStates) -> FloatArray:
        """Return `FEATURE_COUNT` features for value approximation.

        They are 1, the sum over the zones now and after each Glove has changed, the sum of squares, the share of backs,
        and products. A bare zone counts the mean of the printed values.
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
        """Return the features after each Glove changes, one a row. The last row is without a change."""
        return np.array([self.feature_vector(self.gloves_after_change(gloves, glove)) for glove in range(NO_GLOVE + 1)])

    def legal_layouts(self, gloves: GloveStates) -> GloveLayouts:
        playing = [glove for glove, state in enumerate(gloves) if state != GLOVE_OUT]
        places = glove_arrangements(len(playing), self.optional)
        return np.array([*playing, *[NO_GLOVE] * (NO_GLOVE - len(playing))])[places]


@lru_cache(maxsize=16)
def glove_arrangements(count: int, optional: bool) -> NDArray[np.int64]:
    """Return all layouts (layouts, zones) of `count` Gloves, or of some or none if `optional`. A bare zone is 6."""
    rows: list[list[int]] = []
    for used in range(0 if optional else count, count + 1):
        for pieces in combinations(range(count), used):
            for zones in permutations(range(len(ZONE_LETTERS)), used):
                row = [len(ZONE_LETTERS)] * len(ZONE_LETTERS)
                for piece, zone in zip(pieces, zones, strict=True):
                    row[zone] = piece
                rows.append(row)
    return np.array(rows, dtype=np.int64)
