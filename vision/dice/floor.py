"""The floor of the tray as the camera sees it: from the picture to millimeters and back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import Matrix, upright_rotation


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """A camera without distortion over a floor: x right, y down, z up, the floor at z = 0; lengths in mm.

    `size` is the picture's in pixels, `focal` the focal length in pixels, `eye` (3) where the camera is, and `axes`
    (3, 3) the directions right, down and ahead in the picture, as rows of length one.
    """

    size: tuple[int, int]
    focal: float
    eye: Matrix
    axes: Matrix

    def project_points(self, points: NDArray[np.floating[Any]]) -> Matrix:
        """Return where in the picture, in pixels, points (..., 3) are seen: (..., 2). Not checked: that they are ahead
        of the camera."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(self._principal_point + self.focal * seen[..., :2] / seen[..., 2:])

    def point_at_height(self, spot: NDArray[np.floating[Any]], high: float) -> Matrix:
        """Return the point (3) at this height that is seen at a place of the picture (2), in pixels."""
        ray = self.axes.T @ np.append((np.asarray(spot, float) - self._principal_point) / self.focal, 1.0)
        return np.asarray(self.eye + ray * (high - self.eye[2]) / ray[2])

    def die_width_px(self, spot: NDArray[np.floating[Any]], size: float) -> float:
        """Return how wide, in pixels, a die of this size is seen that lies there."""
        return float(self.focal * size / (self.axes[2] @ (self.point_at_height(spot, size / 2) - self.eye)))

    @property
    def pixels_per_mm(self) -> float:
        """How many pixels wide a millimeter is in the picture's middle, at the height of a d6's middle, 8 mm."""
        return self.die_width_px(self._principal_point, 16.0) / 16.0

    @property
    def _principal_point(self) -> Matrix:
        return (np.array(self.size, float) - 1) / 2


class Wall(NamedTuple):
    """The wall around the floor as a line in the picture: its `corners` (corners, 2) in pixels, how many mm it runs
    above the floor, and by how many mm the foot of the wall may be `off`."""

    corners: Matrix
    high: float
    off: float

    def foot_corners(self, floor: Floor) -> Matrix:
        """Return the corners (corners, 2) of the foot of the wall on a floor, in mm."""
        return np.array([floor.point_at_height(corner, self.high)[:2] for corner in self.corners])


DEFAULT_VIEW_DEG = 60.0  # degrees that a camera sees across, unless known otherwise


class CameraPose(NamedTuple):
    """How a camera sees the floor, whatever the size of its pictures. `across` is how many mm are in the picture's
    middle from its left to its right, at the height of a d6's middle, 8 mm; `right` and `point_at_height` are the
    tangents of the angles between the way that it looks and straight down, in the picture; `view` is how many degrees
    it sees across."""

    across: float
    right: float = 0.0
    down: float = 0.0
    view: float = DEFAULT_VIEW_DEG

    def floor_for_size(self, size: tuple[int, int]) -> Floor:
        """Return the floor in pictures of this size in pixels."""
        focal = size[0] / 2 / math.tan(math.radians(self.view / 2))
        below = np.array([self.right, self.down, 1.0]) / math.sqrt(1 + self.right**2 + self.down**2)
        high = 8.0 + below[2] * focal * self.across / size[0]
        return Floor(size, focal, np.array([0.0, 0.0, high]), upright_rotation(below).T @ np.diag([1.0, 1.0, -1.0]))
