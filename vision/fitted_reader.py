"""Read the dice of a picture by fitting the solids that may lie there to their lines."""

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

NUMERAL_EDGES_PX = (640, 352, 192)  # lengths of the picture's longer edge at which dice with numerals are looked for
STANDARD_NUMBERING_PROBABILITY = 0.8  # probability that a die is numbered as most are
# how much better a free pose fits, from which another facet may be on top, and its chance
FREE_POSE_MARGIN = 0.15
OTHER_TOP_FACTOR = 0.8
MIN_CUT_OFF_HEAT = 0.45  # heat from which what the picture's edge cuts off is a die
MAX_OVERHANG_SHARE = (
    0.24  # share of a die's width beyond the picture's edge from which to ask; of one that does not fit, half
)
# share of a die's outline that differs from the empty tray; and of one that fits well
MIN_FOREGROUND_SHARE = 0.3
MIN_FAINT_SHARE = 0.1
MIN_TAUGHT_SHARE = 0.5  # the same share of a die that is to be taught, whatever it looks like
# light of the brightest pixels of a facet, and its share from which others belong to a spot
MIN_SPOT_LIGHT = 150
SPOT_LIGHT_SHARE = 0.88
WHITE_THRESHOLD = 250  # from this value of all three colors on, a pixel shows nothing but light


class FittedReading(NamedTuple):
    """The dice of a picture, the doubt about each alone, or None, the one most worth acting on, and whether one of them
    may hide another."""

    faces: list[FittedFace]
    doubts: list[DiceDoubt | None]
    doubt: DiceDoubt | None
    hides: bool


class FittedReader:
    """Finds and reads dice over a floor. Where the floor is, and how large the dice are, it learns from them. `fitter`
    knows the dice that this table was taught."""

    def __init__(self) -> None:
        self._pips, self._numerals = Detector(), Detector(WEIGHTS_FOLDER / "spot.onnx", NUMERAL_EDGES_PX)
        self.fitter = DiceFitter()
        self._camera = CameraSearch(self.fitter)

    def read_dice(
        self,
        picture: NDArray[np.uint8],
        kinds: Collection[str],
        table: KnownTable,
        keep: Callable[[list[Candidate]], list[Candidate]],
    ) -> FittedReading:
        """Return the dice of these kinds in a BGR picture of this table. Of the places that may be dice only those that
        `keep` returns count."""
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
        left = [one for one in unmatched_candidates(lost, dice) if one.heat > MIN_CUT_OFF_HEAT and one.size > least]
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
        """Return the one die of a BGR picture as a face to teach: of this `kind`, with this `face` on top, in round
        `go`. The rest is as for `read_dice`. Raises TaughtError when there is not exactly one die."""
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
        """As `CameraSearch.learned_geometry`."""
        return self._camera.learned_geometry

    def learn_floor(self) -> None:
        """Learn a little more about the floor from the dice that were read."""
        self._camera.learn_floor()

    def camera_pose_from_die(
        self, picture: NDArray[np.uint8], keep: Callable[[list[Candidate]], list[Candidate]]
    ) -> CameraPose | None:
        """Return where the camera is, by one d6 of 16 mm that lies flat; None if there is not just one."""
        places = sorted(self._pips.detect_dice(picture), key=lambda one: -one.heat)
        return self._camera.camera_pose_from_die(picture, keep(places))

    def _find_candidates(
        self,
        picture: NDArray[np.uint8],
        kinds: Collection[str],
        place: CameraPose | None,
        strange: TrayForeground | None,
    ) -> list[Candidate]:
        """Return where dice of these kinds may be, the likeliest first."""
        found = [
            *(self._pips.detect_dice(picture) if "d6" in kinds else ()),
            *(self._numerals.detect_dice(picture) if set(kinds) != {"d6"} else ()),
        ]
        if strange is not None and place is not None:
            found += strange.die_candidates(16 * picture.shape[1] / place.across)
        return sorted(found, key=lambda one: -one.heat)

    def _read_face(
        self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor, kinds: Collection[str], *, aslant: bool
    ) -> FittedFace:
        """Return what a die shows. The camera may look `aslant` where it is not calibrated."""
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
    """Return the share of a facet's BGR picture that the largest of its brightest spots takes; 0 in little light."""
    light = view.min(axis=2)
    bright = float(np.percentile(light, 99))
    if bright < MIN_SPOT_LIGHT:
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats((light > SPOT_LIGHT_SHARE * bright).astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / float(light.size)


def _is_foreground(die: FittedDie, strange: TrayForeground) -> bool:
    """True if a die was not there when the tray was empty. One of the felt's color, or as dark as a shadow, differs
    little; then it must fit well and show a clear sign."""
    if strange.foreground_share(die.outline) > MIN_FOREGROUND_SHARE:
        return True
    return decide.is_clearly_die(die) and strange.foreground_share(die.outline, shade=True) > MIN_FAINT_SHARE


def _cut_off_doubt(die: FittedDie, picture: NDArray[np.uint8]) -> DiceDoubt | None:
    """Return the doubt about a die that the picture's edge cuts off, or None."""
    low, high = die.outline.min(axis=0), die.outline.max(axis=0)
    x, y = ((low + high) / 2).tolist()
    whole = Candidate(x, y, float((high - low).max()), die.worth)
    figures = _overhang_figures(whole, picture, MAX_OVERHANG_SHARE)
    return DiceDoubt("edge", die, figures=figures) if figures else None


def _overhang_figures(place: Candidate, picture: NDArray[np.uint8], most: float) -> tuple[Figure, ...]:
    """Return which share of a place's width lies beyond the picture, if that is more than `most`; else nothing."""
    share = place.overhang_share(picture.shape[1], picture.shape[0])
    return (Figure("beyond the edge", share, most=most),) if share > most else ()


def _candidate_corners(place: Candidate) -> Matrix:
    """Return the corners (4, 2) of a place in the picture."""
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.array([place.x, place.y]) + ends * place.size / 3
