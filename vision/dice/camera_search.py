"""Estimate the camera pose and the dice sizes from a calibration, a guess, and the dice themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.detect import Candidate
from vision.dice.dice_finder import FittedDie, unmatched_candidates
from vision.dice.fitter import DiceFitter
from vision.dice.floor import CameraPose, Floor
from vision.dice.floor_search import SWEEPS_PER_THROW, FloorSearch
from vision.dice.known_table import KnownTable
from vision.dice.polyhedra import Matrix
from vision.dice.pose import wireframe_of_shape
from vision.dice.sizes import DiceSizes, KnownSizes, UsualSizes
from vision.dice.up_direction import UprightSearch

WIDTH_RATIOS = tuple(np.geomspace(0.62, 1.1, 9))  # trial widths of a d6, relative to the detector's box
USUAL_WIDTH_RATIO = 0.81  # median of that ratio over 56 rendered tables
WIDTH_RATIO_DEVIATION = 0.1  # standard deviation of its logarithm over these tables
WIDTH_RATIO_WEIGHT = 0.1  # weight of this prior against the fit score
VIEW_WIDTH_RANGE_MM = (100.0, 700.0)  # plausible fields of view across a tray, in mm
MAX_GROUP_WIDTH_RATIO = 1.5  # Candidates that differ more in width may be different things.
POOR_FIT_RANK = 0.3  # Below this rank dice hardly fit, so the floor is wrong or they lean.
MIN_FLAT_AGREEMENT = 0.8  # minimum mask agreement (IoU) of a die that lies flat
MAX_TILT_CANDIDATES = 4  # maximum number of candidates used to estimate the tilt if nothing fits
MIN_FREE_POSE_SCORE = -0.5  # minimum score of a free pose to trust it, whatever the camera tilt
REFIT_COUNT = 3  # refits of the single die during calibration
MIN_MOVE_PX = 3.0  # A die that moved less was not thrown again.
DEFAULT_CAMERA_POSE = CameraPose(250.0)  # pose assumed before any dice were seen
LIKELY_HEAT = 0.5  # A candidate with at least this detector score may be a die.
SURE_HEAT = 0.7  # Above this score it is taken for a die.


class CameraSearch:
    """Finds dice in successive images with `fitter`, and learns the camera pose and the dice sizes from them."""

    def __init__(self, fitter: DiceFitter) -> None:
        self.sizes = DiceSizes()
        self._fitter = fitter
        self._floor_search: FloorSearch | None = None
        self._calibration: tuple[CameraPose | None, KnownSizes] = None, {}
        self._last_centers = self._voted_centers = np.zeros((0, 2))
        self._upright_search = UprightSearch()

    @property
    def camera_pose(self) -> CameraPose:
        return DEFAULT_CAMERA_POSE if self._floor_search is None else self._floor_search.camera_pose

    @property
    def doubt_limits(self) -> decide.DoubtLimits:
        """Doubt thresholds, stricter the better the floor is known."""
        place, sizes = self._calibration
        if place is None:
            return decide.GUESSED_FLOOR_LIMITS
        known = bool(sizes) or (self._floor_search is not None and self._floor_search.is_known)
        return decide.KNOWN_FLOOR_LIMITS if known else decide.CALIBRATED_FLOOR_LIMITS

    def floor_in_picture(self, picture: NDArray[np.uint8]) -> Floor:
        return self.camera_pose.floor_for_size(_picture_size(picture))

    @property
    def learned_geometry(self) -> tuple[CameraPose, KnownSizes] | None:
        """Camera pose and dice sizes, or None before and while they are learned, or without a calibrated scale."""
        if self._floor_search is None or self._calibration[0] is None:
            return None
        if not (self._floor_search.is_known and self._floor_search.is_done and self.sizes.known_sizes):
            return None
        return self._floor_search.camera_pose, self.sizes.known_sizes

    def learn_floor(self) -> None:
        if self._floor_search is not None:
            self._floor_search.refine_floor()

    def find_dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        shapes: Sequence[str],
        table: KnownTable,
    ) -> list[FittedDie]:
        """Find the dice at these candidates in a BGR image of this table. Without a calibrated camera pose, the
        best-fitting pose is searched if nothing fits at the last one."""
        size, place, sizes = _picture_size(picture), table.place, table.sizes
        if self._calibration != (place, sizes) or (self._floor_search is not None and self._floor_search.size != size):
            self._calibration, self._floor_search, self.sizes = (place, sizes), None, DiceSizes(sizes)
        if self._floor_search is None and place is not None:
            self._floor_search = FloorSearch(size, place)
        dice, fit = list[FittedDie](), self._fitter.fit_dice
        if self._floor_search is not None:
            dice = fit(picture, places, self._floor_search.camera_pose, shapes, self.sizes)
        if place is None and (_mean_rank(dice) < POOR_FIT_RANK or missed_dice_count(places, dice)):
            guess, guessed = self._guess_camera_pose(picture, places, shapes)
            if missed_dice_count(places, guessed) < missed_dice_count(places, dice) or _mean_rank(guessed) > _mean_rank(
                dice
            ):
                self._floor_search, self.sizes = FloorSearch(size, guess), DiceSizes()
                self._floor_search.remember_dice(fit(picture, places, guess, shapes, self.sizes))
                for _ in range(SWEEPS_PER_THROW):
                    self._floor_search.refine_floor()
                dice = fit(picture, places, self._floor_search.camera_pose, shapes, self.sizes)
                self._floor_search.forget_dice()
        return dice if place is not None else self._retry_with_tilt(picture, places, shapes, dice)

    def remember_dice(self, dice: Sequence[FittedDie]) -> None:
        """Learn from dice that stand alone, unless they are unmoved since the last image. Run `measure_gaps` first."""
        same = self._is_unmoved(dice, self._last_centers)
        self._last_centers = _die_centers(dice)
        if self._floor_search is None or same:
            return
        free = [one for one in dice if one.agrees > MIN_FLAT_AGREEMENT and not decide.may_lean(one)]
        for one in free:
            if not self.sizes.is_size_known(one.shape, one.size):
                self.sizes.learn_size(one.shape, one.fit.best_size())
        self._floor_search.remember_dice(free)

    def camera_pose_from_die(self, picture: NDArray[np.uint8], places: Sequence[Candidate]) -> CameraPose | None:
        """Estimate the camera pose from a flat 16 mm d6, or return None unless there is exactly one."""
        place, dice = self._guess_camera_pose(picture, places, ["d6"], near=True)
        for _ in range(REFIT_COUNT):
            if len(dice) != 1:
                return None
            search = FloorSearch(_picture_size(picture), place, loose=True)
            search.remember_dice(dice)
            for _ in range(SWEEPS_PER_THROW):
                search.refine_floor()
            place = search.camera_pose
            dice = self._fitter.fit_dice(picture, places, place, ["d6"], UsualSizes())
        return place

    def _retry_with_tilt(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        shapes: Sequence[str],
        dice: list[FittedDie],
    ) -> list[FittedDie]:
        """Return the dice, or those found with a tilted camera if it seems to be tilted."""
        size, fits = _picture_size(picture), dice
        hot = [one for one in places if one.heat > LIKELY_HEAT][:MAX_TILT_CANDIDATES]
        around = None if self._floor_search is None else self._floor_search.camera_pose
        if not dice and hot:
            tries = [CameraPose(size[0] / (hot[0].size * share / 16.0)) for share in WIDTH_RATIOS[1::2]]
            found = [
                (place, self._fitter.finder.find_dice(picture, hot, place.floor_for_size(size), shapes, UsualSizes()))
                for place in tries
            ]
            around, fits = max(found, key=lambda one: sum(die.worth for die in one[1]))
        if around is None or self._is_unmoved(fits, self._voted_centers):
            return dice
        self._voted_centers, axes = _die_centers(fits), around.floor_for_size(size).axes
        for die in fits:
            free = die.fit.best_free_pose(die.flat)
            if free.score > MIN_FREE_POSE_SCORE:
                self._upright_search.remember_die(wireframe_of_shape(die.shape).normals @ free.turn.T @ axes.T)
        if (better := self._upright_search.better_camera_pose(around)) is None:
            return dice
        self._floor_search, self.sizes = FloorSearch(size, better), DiceSizes()
        return self._fitter.fit_dice(picture, places, better, shapes, UsualSizes())

    def _guess_camera_pose(
        self, picture: NDArray[np.uint8], places: Sequence[Candidate], shapes: Sequence[str], *, near: bool = False
    ) -> tuple[CameraPose, list[FittedDie]]:
        """Guess the height of a camera that looks straight down, by the best fit of dice of usual sizes. `near` means
        that it is over a tray, and makes the detector's usual width ratio a prior. Returns the pose and the dice found
        with it."""
        hot = [one for one in places if one.heat > LIKELY_HEAT] or list(places[:1])
        wides = np.sort([one.size for one in hot])
        # Pips look like distant dice, so each group of widths is tried.
        groups = np.split(wides, np.flatnonzero(wides[1:] > wides[:-1] * MAX_GROUP_WIDTH_RATIO) + 1) if hot else []
        found = []
        for wide in (float(np.median(group)) for group in groups):
            fit = [one for one in hot if 1 / MAX_GROUP_WIDTH_RATIO < one.size / wide < MAX_GROUP_WIDTH_RATIO][:6]
            for share in WIDTH_RATIOS:
                place = CameraPose(picture.shape[1] / (wide * share / 16.0))
                odd = (
                    WIDTH_RATIO_WEIGHT * (math.log(share / USUAL_WIDTH_RATIO) / WIDTH_RATIO_DEVIATION) ** 2
                    if near
                    else 0.0
                )
                if near and not VIEW_WIDTH_RANGE_MM[0] < place.across < VIEW_WIDTH_RANGE_MM[1]:
                    continue
                dice = self._fitter.fit_dice(picture, fit, place, shapes, UsualSizes())
                found.append((_mean_rank(dice) - odd, place, dice))
        _, place, dice = max(found, key=lambda one: one[0], default=(0.0, DEFAULT_CAMERA_POSE, []))
        return place, dice

    @staticmethod
    def _is_unmoved(dice: Sequence[FittedDie], last: Matrix) -> bool:
        spots = _die_centers(dice)
        return len(spots) == len(last) and all(np.hypot(*(last - spot).T).min() < MIN_MOVE_PX for spot in spots)


def missed_dice_count(places: Sequence[Candidate], dice: Sequence[FittedDie]) -> int:
    """Count candidates with a sure detector score that match no die."""
    return sum(one.heat > SURE_HEAT for one in unmatched_candidates(places, dice))


def _die_centers(dice: Sequence[FittedDie]) -> Matrix:
    return np.array([one.outline.mean(axis=0) for one in dice]).reshape(-1, 2)


def _mean_rank(dice: Sequence[FittedDie]) -> float:
    """Return the mean rank of the dice, with clear signs weighing in."""
    return float(np.mean([one.fit_rank + math.log(one.sign_probability + 0.05) for one in dice])) if dice else -math.inf


def _picture_size(picture: NDArray[np.uint8]) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]
