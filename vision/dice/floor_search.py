"""Estimate the floor on which the observed dice lie flattest."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import numpy as np

from vision.dice.dice_finder import FittedDie
from vision.dice.floor import DEFAULT_VIEW_DEG, CameraPose
from vision.dice.polyhedra import Matrix
from vision.dice.pose import PoseFit

MAX_REMEMBERED_DICE = 24  # capacity of the queue of observed dice
MIN_KNOWN_DICE = 6  # minimum number of dice for a reliable floor
MIN_DIE_SCORE = -1.2  # lower bound of a die's score, because a die that is flat on no floor may lean
INITIAL_STEPS = np.array([0.03, 0.06, 0.06, 0.08])  # initial step sizes of the parameters
SWEEPS_PER_THROW = 10  # optimization steps per throw
PRIOR_MEAN = np.array([0.0, 0.0, 0.0, math.log(DEFAULT_VIEW_DEG)])  # prior means of the parameters in `_parameters`
PRIOR_DEVIATIONS = (0.12, 0.12, 0.2)  # prior standard deviations of all but the first
PRIOR_WEIGHT = 0.04  # weight of the prior against the dice's scores


class FloorSearch:
    """Observes dice and estimates the floor on which they lie flat.

    size: (width, height) of the images, in pixels.
    place: initial pose. Its `across` is fixed, because dice sizes are relative to it, except if `loose`.
    loose: True if all dice have the same known size.
    """

    def __init__(self, size: tuple[int, int], place: CameraPose, *, loose: bool = False) -> None:
        self.size, self._size_is_known = size, loose
        # Parameters: log of across, right, down, log of the field of view.
        self._parameters = np.array([math.log(place.across), place.right, place.down, math.log(place.view)])
        self._dice = deque[tuple[PoseFit, Matrix]](maxlen=MAX_REMEMBERED_DICE)
        self._steps, self._steps_left = INITIAL_STEPS, 0

    @property
    def camera_pose(self) -> CameraPose:
        return _pose_from_vector(self._parameters)

    @property
    def is_known(self) -> bool:
        """True if enough dice were observed for a reliable floor."""
        return len(self._dice) >= MIN_KNOWN_DICE

    @property
    def is_done(self) -> bool:
        """True if the estimate has converged for the observed dice."""
        return not self._steps_left

    def remember_dice(self, dice: Sequence[FittedDie]) -> None:
        self._dice.extend((one.fit, one.fit.pose_vector(one.flat)) for one in dice)
        if dice:
            self._steps, self._steps_left = INITIAL_STEPS * min(1.0, 2 / math.sqrt(len(self._dice))), SWEEPS_PER_THROW

    def forget_dice(self) -> None:
        self._dice.clear()

    def refine_floor(self) -> None:
        """Take one step of coordinate search toward a floor on which the dice lie flatter. No-op after convergence."""
        if not self._steps_left:
            return
        self._steps_left -= 1
        best, moved = self._flatness_score(self._parameters), False
        for way in np.diag(self._steps)[0 if self._size_is_known else 1 :]:
            for tried in (self._parameters + way, self._parameters - way):
                worth = self._flatness_score(tried)
                if worth > best:
                    best, self._parameters, moved = worth, tried, True
                    break
        if not moved:
            self._steps = self._steps / 2

    def _flatness_score(self, known: Matrix) -> float:
        """Return the posterior score of a floor: how flat the dice lie, minus the prior's penalty."""
        floor = _pose_from_vector(known).floor_for_size(self.size)
        found = [max(MIN_DIE_SCORE, fit.with_floor(floor).best_score_near(vector)) for fit, vector in self._dice]
        far = (known - PRIOR_MEAN)[1:] / PRIOR_DEVIATIONS
        return float(np.sum(found)) - PRIOR_WEIGHT * float((far**2).sum())


def _pose_from_vector(known: Matrix) -> CameraPose:
    across, right, down, view = (float(one) for one in known)
    return CameraPose(math.exp(across), right, down, math.exp(view))
