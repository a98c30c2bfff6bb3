"""Estimate the camera tilt from dice in any pose, because each lies on one of its facets.

One die allows as many directions as it has facets. Only one of them fits the next dice too.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from vision.dice.floor import CameraPose
from vision.dice.polyhedra import Matrix

MAX_REMEMBERED_DICE = 16  # capacity of the queue of observed dice
FACET_TOLERANCE_DEG = 5.0  # standard deviation of a facet's direction
PRIOR_DICE_WEIGHT = 1.5  # weight of the prior for an untilted camera, in dice
PRIOR_DEVIATION_DEG = 10.0  # standard deviation of that prior
MAX_TILT_DEG = 50.0  # maximum camera tilt
MIN_SUPPORT_GAIN_DICE = 1.6  # minimum gain of another direction, in dice


class UprightSearch:
    """Observes dice and estimates the direction that is up for most of them."""

    def __init__(self) -> None:
        self._dice = deque[Matrix](maxlen=MAX_REMEMBERED_DICE)

    def remember_die(self, normals: Matrix) -> None:
        """Add a die's facet normals (facets, 3) in camera axes: right, down, ahead."""
        self._dice.append(normals)

    def better_camera_pose(self, place: CameraPose) -> CameraPose | None:
        """Return a pose with another tilt if that fits clearly more dice, else None."""
        tried = np.vstack([*self._dice, [(0.0, 0.0, -1.0)]])
        tried = tried[tried[:, 2] < -math.cos(math.radians(MAX_TILT_DEG))]
        now = -np.array([place.right, place.down, 1.0])
        worth = [self._supporting_dice_count(up) for up in tried]
        best = int(np.argmax(worth))
        if worth[best] < self._supporting_dice_count(now / np.linalg.norm(now)) + MIN_SUPPORT_GAIN_DICE:
            return None
        agree = [normals[int((normals @ tried[best]).argmax())] for normals in self._dice]
        up = np.mean(
            [one for one in agree if _angle_deg(one, tried[best]) < 2 * FACET_TOLERANCE_DEG] or [tried[best]], axis=0
        )
        return place._replace(right=float(up[0] / up[2]), down=float(up[1] / up[2]))

    def _supporting_dice_count(self, up: Matrix) -> float:
        """Return the approximate number of dice for which this direction is up."""
        off = [_angle_deg(normals[int((normals @ up).argmax())], up) for normals in self._dice]
        usual = PRIOR_DICE_WEIGHT * math.exp(
            -((_angle_deg(np.array([0.0, 0.0, -1.0]), up) / PRIOR_DEVIATION_DEG) ** 2) / 2
        )
        return usual + float(np.exp(-((np.array(off) / FACET_TOLERANCE_DEG) ** 2) / 2).sum())


def _angle_deg(one: Matrix, other: Matrix) -> float:
    return math.degrees(math.acos(float(np.clip(one @ other, -1, 1))))
