"""Read dice by fitting polyhedra to the image's line segments."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.camera_search import CameraSearch, missed_dice_count
from vision.dice.decide import DiceDoubt, FittedFace
from vision.dice.detect import Candidate, Detector
from vision.dice.dice_finder import FittedDie, measure_gaps, unmatched_candidates
from vision.dice.facets import (
    combine_sign_probabilities,
    facet_corners,
    facets_in_sight,
    standard_numberings,
    warp_to_square,
)
from vision.dice.fitter import DiceFitter, top_crop_and_tint
from vision.dice.floor import CameraPose, Floor
from vision.dice.foreign_objects import TrayForeground
from vision.dice.known_table import KnownTable
from vision.dice.polyhedra import Matrix
from vision.dice.sizes import KnownSizes, shapes_for_kinds
from vision.dice.taught_dice import ShownFace, TaughtDieError
from vision.reading import Face, Figure
from vision.weights import WEIGHTS_FOLDER

NUMERAL_IMAGE_EDGES_PX = (640, 352, 192)  # longer edges of the image, in pixels, at which numeral dice are detected
STANDARD_NUMBERING_PROBABILITY = 0.8  # prior probability that a die has the standard numbering
FREE_POSE_MARGIN = 0.15  # If the free pose scores this much better than the flat one, another facet may be on top.
OTHER_TOP_FACTOR = 0.8  # confidence factor in that case
MIN_TRUNCATED_DIE_HEAT = 0.45  # minimum detector score of a die cut off by the image edge
# A die is doubted if more than this share of its width is beyond the image edge, or half of it if it fits badly.
MAX_OVERHANG_SHARE = 0.24
MIN_FOREGROUND_SHARE = 0.3  # minimum share of a die's outline that differs from the reference image
MIN_FAINT_SHARE = 0.1  # the same for a die that fits well, with shadows counted as different
MIN_TAUGHT_SHARE = 0.5  # the same for a die being taught, which may look like anything
MIN_SPOT_LIGHT = 150  # A facet darker than this, 0 to 255, has no bright spots.
SPOT_LIGHT_SHARE = 0.88  # share of the brightest level from which a pixel belongs to a spot
WHITE_THRESHOLD = 250  # A pixel with all three channels at or above this is overexposed.


class FittedReading(NamedTuple):
    """The dice of an image and their doubts. `doubts` has one entry per die, `doubt` is the most urgent of all doubts,
    and `hides` is True if a visible object may hide another die."""

    faces: list[FittedFace]
    doubts: list[DiceDoubt | None]
    doubt: DiceDoubt | None
    hides: bool


class FittedReader:
    """Detects and reads dice on a plane. It learns the camera pose and the dice sizes from them. `fitter` holds the
    taught dice."""

    def __init__(self) -> None:
        self._pip_detector, self._numeral_detector = (
            Detector(),
            Detector(WEIGHTS_FOLDER / "spot.onnx", NUMERAL_IMAGE_EDGES_PX),
        )
        self.fitter = DiceFitter()
        self._camera = CameraSearch(self.fitter)

    def read_dice(
        self,
        picture: NDArray[np.uint8],
        kinds: Collection[str],
        table: KnownTable,
        keep: Callable[[list[Candidate]], list[Candidate]],
    ) -> FittedReading:
        """Read the dice of these kinds in a BGR image of this table. `keep` filters the candidates."""
        place, wall, empty, _ = table
        strange = None if empty is None else TrayForeground(picture, empty, None if wall is None else wall.corners)
        places = keep(self._find_candidates(picture, kinds, place, strange))
        dice = self._camera.find_dice(picture, places, shapes_for_kinds(kinds), table)
        if strange is not None:
            dice = [one for one in dice if _is_foreground(one, strange)]
        floor = self._camera.floor_in_picture(picture)
        if wall is None:
            measure_gaps(dice, None)
        else:
            measure_gaps(dice, wall.foot_corners(floor), wall.off)
        seen = [self._read_face(picture, one, floor, kinds, aslant=place is None) for one in dice]
        self._camera.remember_dice(dice)
        things = [] if strange is None else strange.foreign_objects([one.outline for one in dice], floor.pixels_per_mm)
        lost = [
            one
            for one in places
            if strange is None or strange.foreground_share(_candidate_corners(one)) > MIN_FOREGROUND_SHARE
        ]
        doubts = [
            decide.doubt_about_die(one, self._camera.doubt_limits) or _cut_off_doubt(one.die, picture) for one in seen
        ]
        least = 0.6 * min((one.width_px for one in dice), default=0.0)
        left = [
            one for one in unmatched_candidates(lost, dice) if one.heat > MIN_TRUNCATED_DIE_HEAT and one.size > least
        ]
        beyond = [DiceDoubt("edge", figures=_overhang_figures(one, picture, MAX_OVERHANG_SHARE / 2)) for one in left]
        beyond = [one for one in beyond if one.figures]
        doubt = decide.most_urgent_doubt([*doubts, *beyond], things, missed_dice_count(lost, dice))
        return FittedReading(seen, doubts, doubt, decide.may_hide_die(things))

    def capture_face(
        self,
        picture: NDArray[np.uint8],
        kind: str,
        face: Face,
        go: int,
        table: KnownTable,
        keep: Callable[[list[Candidate]], list[Candidate]],
    ) -> ShownFace:
        """Capture the only die of a BGR image as a training example of `kind` with `face` on top, in round `go`. The
        other arguments are as in `read_dice`. Raises TaughtDieError unless there is exactly one die."""
        strange, shapes = (
            None if table.empty is None else TrayForeground(picture, table.empty, None),
            shapes_for_kinds({kind}),
        )
        places = keep(self._find_candidates(picture, {kind, "d6"}, table.place, strange))
        dice = self._camera.find_dice(picture, places, shapes, table)
        if not dice:
            found = self.fitter.fit_candidates(picture, places, self._camera.camera_pose, shapes, self._camera.sizes)
            lain = [strange is not None and strange.foreground_share(one.outline) > MIN_TAUGHT_SHARE for one in found]
            dice = [one for one, lies in zip(found, lain, strict=True) if lies or decide.has_good_fit(one)]
        if len(dice) != 1:
            raise TaughtDieError(
                f"{len(dice)} dice found: leave only this one in the tray."
                if dice
                else "No die found: put it closer to the middle, away from the wall."
            )
        return ShownFace(face, go, *top_crop_and_tint(picture, dice[0], self._camera.floor_in_picture(picture)))

    @property
    def learned_geometry(self) -> tuple[CameraPose, KnownSizes] | None:
        return self._camera.learned_geometry

    def learn_floor(self) -> None:
        self._camera.learn_floor()

    def camera_pose_from_die(
        self, picture: NDArray[np.uint8], keep: Callable[[list[Candidate]], list[Candidate]]
    ) -> CameraPose | None:
        """Estimate the camera pose from a flat 16 mm d6, or return None unless there is exactly one."""
        places = sorted(self._pip_detector.detect_dice(picture), key=lambda one: -one.heat)
        return self._camera.camera_pose_from_die(picture, keep(places))

    def _find_candidates(
        self,
        picture: NDArray[np.uint8],
        kinds: Collection[str],
        place: CameraPose | None,
        strange: TrayForeground | None,
    ) -> list[Candidate]:
        found = [
            *(self._pip_detector.detect_dice(picture) if "d6" in kinds else ()),
            *(self._numeral_detector.detect_dice(picture) if set(kinds) != {"d6"} else ()),
        ]
        if strange is not None and place is not None:
            found += strange.die_candidates(16 * picture.shape[1] / place.across)
        return sorted(found, key=lambda one: -one.heat)

    def _read_face(
        self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor, kinds: Collection[str], *, aslant: bool
    ) -> FittedFace:
        """Read the face of a fitted die. `aslant` allows for a camera that is not calibrated."""
        facets = facets_in_sight(die.shape, die.size, die.flat, floor)
        found = decide.merge_taught_faces(decide.ranked_faces(die.shape, die.top, kinds), die.taught, kinds)
        if found[0][0] < decide.MIN_SURE_PROBABILITY:
            chances = self.fitter.signs.read_signs(picture, die.shape, die.size, die.flat, floor, facets)
            ways = standard_numberings(die.shape, die.top)
            found = decide.ranked_faces(
                die.shape,
                combine_sign_probabilities(die.shape, facets, chances, ways, STANDARD_NUMBERING_PROBABILITY),
                kinds,
            )
            found = decide.merge_taught_faces(found, die.taught, kinds)
        free, leans, tilt, lift = die.flat, 0.0, 0.0, 0.0
        aslant = aslant and die.shape != "d6"
        if aslant or decide.may_lean(die):
            free = die.fit.best_free_pose(die.flat)
        if decide.may_lean(die):
            leans = decide.leaning_probability(die, free.score, free.tilt)
            tilt, lift = free.tilt, free.lift * die.size
        corners = facet_corners(die.shape, facets[0], 0.0, 0.8) * (die.size / 2)
        view = warp_to_square(picture, floor.project_points(corners @ die.flat.turn.T + die.flat.place))
        (chance, kind, value), *others = found
        if aslant and free.score > die.flat.score + FREE_POSE_MARGIN:
            chance *= OTHER_TOP_FACTOR
        likely = tuple(face for p, other, face in others if other == kind and p >= decide.MIN_LIKELY_PROBABILITY)
        x, y = floor.project_points(corners.mean(axis=0) @ die.flat.turn.T + die.flat.place)
        white = float((view.min(axis=2) >= WHITE_THRESHOLD).mean())
        blank = decide.no_sign_probability(die, kinds)
        foot = floor.project_points(np.column_stack([die.foot, np.zeros(len(die.foot))]))
        lies, shows = (leans, tilt, lift), (blank, white, largest_spot_share(view))
        return FittedFace(die, (float(x), float(y)), foot, kind, value, chance, likely, *lies, *shows)


def largest_spot_share(view: NDArray[np.uint8]) -> float:
    """Return the area of the largest bright spot as a share of a facet's BGR image, or 0 if the facet is dark."""
    light = view.min(axis=2)
    bright = float(np.percentile(light, 99))
    if bright < MIN_SPOT_LIGHT:
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats((light > SPOT_LIGHT_SHARE * bright).astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / float(light.size)


def _is_foreground(die: FittedDie, strange: TrayForeground) -> bool:
    """Tell a die from what the reference image shows. A die as dark as the felt or a shadow differs little, so it must
    also fit well and show a clear sign."""
    if strange.foreground_share(die.outline) > MIN_FOREGROUND_SHARE:
        return True
    return decide.is_clearly_die(die) and strange.foreground_share(die.outline, shade=True) > MIN_FAINT_SHARE


def _cut_off_doubt(die: FittedDie, picture: NDArray[np.uint8]) -> DiceDoubt | None:
    """Return the doubt about a die that the image edge cuts off, or None."""
    low, high = die.outline.min(axis=0), die.outline.max(axis=0)
    x, y = ((low + high) / 2).tolist()
    whole = Candidate(x, y, float((high - low).max()), die.worth)
    figures = _overhang_figures(whole, picture, MAX_OVERHANG_SHARE)
    return DiceDoubt("edge", die, figures=figures) if figures else None


def _overhang_figures(place: Candidate, picture: NDArray[np.uint8], most: float) -> tuple[Figure, ...]:
    """Return the share of a candidate beyond the image edge as a figure, or () if it is at most `most`."""
    share = place.overhang_share(picture.shape[1], picture.shape[0])
    return (Figure("beyond the edge", share, most=most),) if share > most else ()


def _candidate_corners(place: Candidate) -> Matrix:
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.array([place.x, place.y]) + ends * place.size / 3
