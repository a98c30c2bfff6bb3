"""Project between the image and the floor of the tray, in millimeters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import Matrix, upright_rotation


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """A pinhole camera over a floor. In mm, x points right, y down, z up, and the floor is at z = 0.

    size: (width, height) of the image, in pixels.
    focal: focal length in pixels.
    eye: position of the camera, (3).
    axes: unit vectors right, down and ahead of the image, as rows (3, 3).
    """

    size: tuple[int, int]
    focal: float
    eye: Matrix
    axes: Matrix

    def project_points(self, points: NDArray[np.floating[Any]]) -> Matrix:
        """Project points (..., 3) to pixels (..., 2). Doesn't check that they are in front of the camera."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(self._principal_point + self.focal * seen[..., :2] / seen[..., 2:])

    def point_at_height(self, spot: NDArray[np.floating[Any]], high: float) -> Matrix:
        """Return the point (3) at this height that projects to an image point (2) in pixels."""
        ray = self.axes.T @ np.append((np.asarray(spot, float) - self._principal_point) / self.focal, 1.0)
        return np.asarray(self.eye + ray * (high - self.eye[2]) / ray[2])

    def die_width_px(self, spot: NDArray[np.floating[Any]], size: float) -> float:
        """Return the width in pixels of a die of this size in mm at an image point."""
        return float(self.focal * size / (self.axes[2] @ (self.point_at_height(spot, size / 2) - self.eye)))

    @property
    def pixels_per_mm(self) -> float:
        """Pixels per mm at the center of the image, at the height of a d6's center, 8 mm."""
        return self.die_width_px(self._principal_point, 16.0) / 16.0

    @property
    def _principal_point(self) -> Matrix:
        return (np.array(self.size, float) - 1) / 2


class Wall(NamedTuple):
    """The wall around the floor: its `corners` (corners, 2) in pixels, their height above the floor in mm, and the
    uncertainty `off` of the wall's foot in mm."""

    corners: Matrix
    high: float
    off: float

    def foot_corners(self, floor: Floor) -> Matrix:
        """Project the wall's foot onto a floor, (corners, 2) in mm."""
        return np.array([floor.point_at_height(corner, self.high)[:2] for corner in self.corners])


DEFAULT_VIEW_DEG = 60.0  # assumed horizontal field of view


class CameraPose(NamedTuple):
    """The camera pose over the floor, independent of the resolution.

    across: width of the field of view at the center in mm, at the height of a d6's center, 8 mm.
    right, down: tangents of the angles between the optical axis and straight down.
    view: horizontal field of view, in degrees.
    """

    across: float
    right: float = 0.0
    down: float = 0.0
    view: float = DEFAULT_VIEW_DEG

    def floor_for_size(self, size: tuple[int, int]) -> Floor:
        """Return the floor for images of this size in pixels."""
        focal = size[0] / 2 / math.tan(math.radians(self.view / 2))
        below = np.array([self.right, self.down, 1.0]) / math.sqrt(1 + self.right**2 + self.down**2)
        high = 8.0 + below[2] * focal * self.across / size[0]
        return Floor(size, focal, np.array([0.0, 0.0, high]), upright_rotation(below).T @ np.diag([1.0, 1.0, -1.0]))
