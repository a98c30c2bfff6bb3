"""Fit polyhedra at detected candidates and read the signs on their tops."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.color import measure_tint
from vision.dice.detect import Candidate
from vision.dice.dice_finder import DiceFinder, FittedDie
from vision.dice.facets import SignNet, facet_corners, facets_in_sight, warp_to_square
from vision.dice.floor import CameraPose, Floor
from vision.dice.lines import LineNet
from vision.dice.sizes import SHAPES_BY_KIND, USUAL_SIZES_MM, DiceSizes
from vision.dice.taught_dice import CROP_SCALE, CROP_SIDE_PX, FaceBank, best_bank_faces
from vision.reading import Tint

MAX_CANDIDATES = 32  # maximum number of candidates that are fitted
MIN_SIGN_PROBABILITY = 0.05  # smoothing constant for the log probability of an illegible sign
# Overlapping candidates that differ more in width are kept apart, because a sign may look like a small die.
SAME_PLACE_WIDTH_RATIO = 1.5


class DiceFitter:
    """Fits dice over a floor. `taught` are the embeddings of taught dice, `finder` finds dice without reading them, and
    `signs` reads facets."""

    def __init__(self) -> None:
        self.signs = SignNet()
        self.taught: Sequence[FaceBank] = ()
        self.finder = DiceFinder(LineNet())

    def fit_dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        place: CameraPose,
        shapes: Sequence[str],
        sizes: DiceSizes,
    ) -> list[FittedDie]:
        """Fit the candidates of a BGR image and return those that are dice, likeliest first."""
        return [die for die in self.fit_candidates(picture, places, place, shapes, sizes) if decide.is_die(die)]

    def fit_candidates(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        place: CameraPose,
        shapes: Sequence[str],
        sizes: DiceSizes,
    ) -> list[FittedDie]:
        """Fit the best solid at each candidate of a BGR image, a die or not, likeliest first."""
        floor = place.floor_for_size((picture.shape[1], picture.shape[0]))
        usual = [size for one in shapes for size in (USUAL_SIZES_MM[one], *sizes.sizes_of_shape(one))]
        low, high = (floor.die_width_px(np.array(floor.size) / 2, size) for size in (min(usual), max(usual)))
        fit, kept = [one for one in places if 0.5 * low < one.size < 1.9 * high], list[Candidate]()
        for one in fit:
            if all(
                one.distance_to(other) > 0.4 * low
                or not 1 / SAME_PLACE_WIDTH_RATIO < one.size / other.size < SAME_PLACE_WIDTH_RATIO
                for other in kept
            ):
                kept.append(one)
        dice = [
            self._choose_by_sign(picture, die, floor)
            for die in self.finder.find_dice(picture, kept[:MAX_CANDIDATES], floor, shapes, sizes)
        ]
        for die in dice:
            if banks := [one for one in self.taught if die.shape in SHAPES_BY_KIND[one.die_kind]]:
                die.look = top_crop_and_tint(picture, die, floor)
                die.taught, die.taught_name = best_bank_faces(banks, *die.look)
        return dice

    def _choose_by_sign(self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> FittedDie:
        """Read the sign on top of a die. Return the die, or its likeliest rival with a sure sign."""
        self._read_top(picture, die, floor)
        if die.sign_probability > decide.MIN_SURE_PROBABILITY:
            return die
        for one in die.rivals:
            self._read_top(picture, one, floor)
            one.heat = die.heat
        sure = [die, *(one for one in die.rivals if one.sign_probability > decide.MIN_SURE_PROBABILITY)]
        return max(sure, key=lambda one: one.fit_rank + math.log(one.sign_probability + MIN_SIGN_PROBABILITY))

    def _read_top(self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> None:
        facets = facets_in_sight(die.shape, die.size, die.flat, floor)
        (die.top,) = self.signs.read_signs(picture, die.shape, die.size, die.flat, floor, facets[:1], (1.0,))


def top_crop_and_tint(picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> tuple[NDArray[np.uint8], Tint]:
    """Return the rectified top of a die, as `ShownFace.crop`, and the tint of its body."""
    top = facets_in_sight(die.shape, die.size, die.flat, floor)[0]
    square = facet_corners(die.shape, top, 0.0, CROP_SCALE) * (die.size / 2) @ die.flat.turn.T + die.flat.place
    x, y = floor.project_points(square.mean(axis=0))
    return warp_to_square(picture, floor.project_points(square), CROP_SIDE_PX), measure_tint(
        picture, Candidate(x, y, die.width_px, die.worth)
    )
