"""Fit the solids that may lie at the places that detectors found, and read what is on their tops."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.colour import measure_tint
from vision.dice.detect import Candidate
from vision.dice.facets import SignNet, corners_of, facets_in_sight, head_on
from vision.dice.fitted import Finder, FittedDie
from vision.dice.floor import CameraPlace, Floor
from vision.dice.lines import LineNet
from vision.dice.sizes import SOLIDS, USUAL, Sizes
from vision.dice.taught import GRAIN, ROOM, FaceBank, ask
from vision.reading import Tint

FEW = 32  # most places that are looked at
UNCLEAR = 0.05  # what a sign counts at least that nobody could read
ALIKE = 1.5  # ratio of widths from which two places are not taken for one: a sign may look like a small die


class DiceFitter:
    """Fits dice over a floor. `taught` are the banks of dice that this table was taught, `finder` finds dice without
    reading them, and `signs` reads facets."""

    def __init__(self) -> None:
        self.signs = SignNet()
        self.taught: Sequence[FaceBank] = ()
        self.finder = Finder(LineNet())

    def dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        place: CameraPlace,
        shapes: Sequence[str],
        sizes: Sizes,
    ) -> list[FittedDie]:
        """Return the dice at these places of a BGR picture, the likeliest first."""
        return [die for die in self.fit(picture, places, place, shapes, sizes) if decide.is_die(die)]

    def fit(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        place: CameraPlace,
        shapes: Sequence[str],
        sizes: Sizes,
    ) -> list[FittedDie]:
        """Return what fits best at each of these places of a BGR picture, be it a die or not, the likeliest first."""
        floor = place.floor((picture.shape[1], picture.shape[0]))
        usual = [size for one in shapes for size in (USUAL[one], *sizes.of(one))]
        low, high = (floor.wide(np.array(floor.size) / 2, size) for size in (min(usual), max(usual)))
        fit, kept = [one for one in places if 0.5 * low < one.size < 1.9 * high], list[Candidate]()
        for one in fit:
            if all(one.distance(other) > 0.4 * low or not 1 / ALIKE < one.size / other.size < ALIKE for other in kept):
                kept.append(one)
        dice = [
            self._signed(picture, die, floor) for die in self.finder.find(picture, kept[:FEW], floor, shapes, sizes)
        ]
        for die in dice:
            if banks := [one for one in self.taught if die.shape in SOLIDS[one.kind]]:
                die.look = top_of(picture, die, floor)
                die.taught = ask(banks, *die.look)
        return dice

    def _signed(self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> FittedDie:
        """Read what is on top of a die; return it, or the likeliest rival if the sign of that one is sure."""
        self._read_top(picture, die, floor)
        if die.clear > decide.SURE:
            return die
        for one in die.rivals:
            self._read_top(picture, one, floor)
            one.heat = die.heat
        sure = [die, *(one for one in die.rivals if one.clear > decide.SURE)]
        return max(sure, key=lambda one: one.rank + math.log(one.clear + UNCLEAR))

    def _read_top(self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> None:
        facets = facets_in_sight(die.shape, die.size, die.flat, floor)
        (die.top,) = self.signs.read(picture, die.shape, die.size, die.flat, floor, facets[:1], (1.0,))


def top_of(picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> tuple[NDArray[np.uint8], Tint]:
    """Return what is on top of a die, as `ShownFace.crop`, and the color of its body."""
    top = facets_in_sight(die.shape, die.size, die.flat, floor)[0]
    square = corners_of(die.shape, top, 0.0, ROOM) * (die.size / 2) @ die.flat.turn.T + die.flat.place
    x, y = floor.spots(square.mean(axis=0))
    return head_on(picture, floor.spots(square), GRAIN), measure_tint(picture, Candidate(x, y, die.wide, die.worth))
