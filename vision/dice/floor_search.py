"""Find the floor by the dice that lie on it: the one over which they look flat."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import numpy as np

from vision.dice.dice_finder import FittedDie
from vision.dice.floor import DEFAULT_VIEW_DEG, CameraPose
from vision.dice.polyhedra import Matrix
from vision.dice.pose import PoseFit

MAX_REMEMBERED_DICE = 24  # dice that are remembered, the newest
MIN_KNOWN_DICE = 6  # dice from which the floor is known well
MIN_DIE_SCORE = -1.2  # a die that looks flat over no floor counts this much at least: it may lean
INITIAL_STEPS = np.array([0.03, 0.06, 0.06, 0.08])  # first steps of what is known
SWEEPS_PER_THROW = 10  # how often a step is taken after each throw
# How far cameras are from straight down, and their view from the usual one, as standard deviations of what is known,
# and how much that counts against what dice look like.
PRIOR_MEAN = np.array([0.0, 0.0, 0.0, math.log(DEFAULT_VIEW_DEG)])
PRIOR_DEVIATIONS = (0.12, 0.12, 0.2)
PRIOR_WEIGHT = 0.04


class FloorSearch:
    """Remembers dice that were seen, and finds the floor on which they lie flat.

    `size` is the pictures' in pixels; `camera_pose` where the camera seems to be. Its `across` stays as it is, because
    the sizes of dice are relative to it, unless dice of one known size are remembered: then it is `loose`.
    """

    def __init__(self, size: tuple[int, int], place: CameraPose, *, loose: bool = False) -> None:
        self.size, self._loose = size, loose
        # What is known: the log of across, right, down, and the log of the view.
        self._known = np.array([math.log(place.across), place.right, place.down, math.log(place.view)])
        self._dice = deque[tuple[PoseFit, Matrix]](maxlen=MAX_REMEMBERED_DICE)
        self._steps, self._left = INITIAL_STEPS, 0

    @property
    def camera_pose(self) -> CameraPose:
        """Where the camera is, as far as it is known."""
        return _pose_from_vector(self._known)

    @property
    def is_known(self) -> bool:
        """True if enough dice are remembered to know the floor well."""
        return len(self._dice) >= MIN_KNOWN_DICE

    @property
    def is_done(self) -> bool:
        """True if nothing is left to learn from the dice remembered."""
        return not self._left

    def remember_dice(self, dice: Sequence[FittedDie]) -> None:
        """Remember dice that lie flat, as far as is known."""
        self._dice.extend((one.fit, one.fit.pose_vector(one.flat)) for one in dice)
        if dice:
            self._steps, self._left = INITIAL_STEPS * min(1.0, 2 / math.sqrt(len(self._dice))), SWEEPS_PER_THROW

    def forget_dice(self) -> None:
        """Forget all dice."""
        self._dice.clear()

    def refine_floor(self) -> None:
        """Move the floor a little, to where the dice remembered look flatter; soon nothing is left to do."""
        if not self._left:
            return
        self._left -= 1
        best, moved = self._flatness_score(self._known), False
        for way in np.diag(self._steps)[0 if self._loose else 1 :]:
            for tried in (self._known + way, self._known - way):
                worth = self._flatness_score(tried)
                if worth > best:
                    best, self._known, moved = worth, tried, True
                    break
        if not moved:
            self._steps = self._steps / 2

    def _flatness_score(self, known: Matrix) -> float:
        """Return how flat the dice look over a floor."""
        floor = _pose_from_vector(known).floor_for_size(self.size)
        found = [max(MIN_DIE_SCORE, fit.with_floor(floor).best_score_near(vector)) for fit, vector in self._dice]
        far = (known - PRIOR_MEAN)[1:] / PRIOR_DEVIATIONS
        return float(np.sum(found)) - PRIOR_WEIGHT * float((far**2).sum())


def _pose_from_vector(known: Matrix) -> CameraPose:
    across, right, down, view = (float(one) for one in known)
    return CameraPose(math.exp(across), right, down, math.exp(view))
