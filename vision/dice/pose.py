"""Estimate the pose of a die by fitting its wireframe to detected lines.

A pose is scored by the line maps along its visible edges. The best *flat* pose has three parameters (rotation and
position), the best *free* one has six, with tilt and lift. A gap between their scores is evidence that the die doesn't
lie flat, and the free pose shows how it lies.
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.floor import Floor
from vision.dice.polyhedra import CUBE_SHAPES, Floats, Matrix, solid_of_shape, upright_rotation

MIN_LINE_STRENGTH = 0.04  # probability floor of a line that the network doesn't detect
SAMPLES_PER_EDGE = 6  # samples along each edge
SYMMETRY_BY_SHAPE = {**dict.fromkeys(CUBE_SHAPES, 4), "d8": 3, "d20": 3}  # rotational symmetry of a flat die, default 1
TURN_STEP_RAD = math.radians(7.5)  # step of the initial rotations
START_OFFSETS_PX = ((0.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (0.0, -2.0), (0.0, 2.0))  # initial positions in the crop
POSES_PER_ROUND = 8  # poses kept after each round of the search
SEARCH_ROUNDS = 4  # rounds of the search
# Local search grid around a pose: rotation, right, down.
NEARBY_OFFSETS = np.array(list(product((-0.05, 0.0, 0.05), (-0.7, 0.0, 0.7), (-0.7, 0.0, 0.7))))
# Standard deviations of the first round: rotation, right, down, tilt direction, tilt, lift.
POSE_SEARCH_SPREAD = np.array([0.09, 0.8, 0.8, 0.5, 0.12, 0.08])
# The same for a flat pose of unknown size: rotation, right, down, log of the size.
SIZE_SEARCH_SPREAD = np.array([0.09, 0.8, 0.8, 0.04])


@dataclass(frozen=True, slots=True, eq=False)
class Wireframe:
    """The edges of a solid, in half sizes.

    corners, normals, far: vertices, and normals and distances of the facets.
    ends, sides: vertices and facets of each edge, (edges, 2).
    flat: rotation of the resting solid.
    """

    corners: Matrix
    normals: Matrix
    far: Matrix
    ends: NDArray[np.intp]
    sides: NDArray[np.intp]
    flat: Matrix


@cache
def wireframe_of_shape(shape: str) -> Wireframe:
    made = solid_of_shape(shape)
    corners, normals, far = (np.asarray(part, float) for part in (made.corners, made.normals, made.far))
    on = np.abs(corners @ normals.T - far) < 1e-3
    pairs = [(a, b) for a in range(len(corners)) for b in range(a) if (on[a] & on[b]).sum() >= 2]
    sides = [np.flatnonzero(on[a] & on[b])[:2] for a, b in pairs]
    return Wireframe(corners, normals, far, np.array(pairs), np.array(sides), upright_rotation(normals[0]))


@dataclass(frozen=True, slots=True, eq=False)
class DieLines:
    """Line maps of a crop: the mask of the `die`, its `rim` and its `creases`, each (side, side), 0 to 1. `way` (2, 3)
    is the affine transform from the image to the crop."""

    die: Floats
    rim: Floats
    creases: Floats
    way: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class DiePose:
    """The pose of a die.

    turn: rotation, (3, 3).
    place: center in mm, (3).
    score: mean log of the line maps along the edges, at most 0.
    tilt: tilt in degrees.
    lift: lift in units of its size.
    """

    turn: Matrix
    place: Matrix
    score: float
    tilt: float = 0.0
    lift: float = 0.0


class PoseFit:
    """Estimates poses of a die of a known `shape` and `size` in mm, near the image point `spot` (2) in pixels."""

    def __init__(self, shape: str, size: float, spot: Matrix, lines: DieLines, floor: Floor, seed: int = 0) -> None:
        self._frame, self.shape, self.size, self._spot, self._way = (
            wireframe_of_shape(shape),
            shape,
            size,
            spot,
            lines.way,
        )
        self._set_floor(floor)
        both = np.vstack([lines.rim, lines.creases])
        self._logs = np.log(np.maximum(both, 0) + MIN_LINE_STRENGTH).astype(np.float32)
        self._rng = np.random.default_rng(seed)

    def _set_floor(self, floor: Floor) -> None:
        self._floor, self._place = floor, floor.point_at_height(self._spot, self.size / 2)
        self._pixel = (
            self.size / floor.die_width_px(self._spot, self.size) / float(np.hypot(*self._way[:, 0]))
        )  # size of a crop's pixel in mm

    def best_flat_pose(self) -> DiePose:
        turns = np.arange(0, math.tau / SYMMETRY_BY_SHAPE.get(self.shape, 1) - 1e-6, TURN_STEP_RAD)
        tries = [(turn, *away) for turn in turns for away in START_OFFSETS_PX]
        return self._pose_from_vector(self._best_vector(np.array(tries)))

    def with_floor(self, floor: Floor, size: float | None = None) -> PoseFit:
        """Return the fit of the same die over another floor, or with another size in mm."""
        other = copy(self)
        other.size = size or self.size
        other._set_floor(floor)
        return other

    def best_size(self) -> float:
        """Estimate the size in mm with which the die lies flat."""
        turns = np.arange(0, math.tau / SYMMETRY_BY_SHAPE.get(self.shape, 1) - 1e-6, TURN_STEP_RAD)
        tries = [(turn, 0.0, 0.0, size) for turn in turns for size in (-0.08, 0.0, 0.08)]
        return self.size * math.exp(self._best_vector(np.array(tries))[4])

    def pose_vector(self, pose: DiePose) -> Matrix:
        """Convert a flat pose to a vector (3): rotation in radians and offset from `spot` in pixels of the crop."""
        turn = pose.turn @ self._frame.flat.T
        return np.array([math.atan2(turn[1, 0], turn[0, 0]), *(pose.place - self._place)[:2] / self._pixel])

    def best_score_near(self, vector: Matrix) -> float:
        """Return the score of the best flat pose near a vector of `pose_vector`."""
        for reach in (1.0, 0.5, 0.25):
            tries = vector + NEARBY_OFFSETS * reach
            scores = self._pose_scores(tries)
            vector = tries[scores.argmax()]
        return float(scores.max())

    def best_free_pose(self, flat: DiePose) -> DiePose:
        """Search the best pose with tilt and lift, starting from the best flat one."""
        start = self.pose_vector(flat)
        n = 360
        tries = np.column_stack([start + self._rng.normal(0, 1, (n, 3)) * (0.3, 1.5, 1.5), self._random_tilts(n)])
        anywhere = self._rng.random(n) < 0.5
        tries[anywhere, 0] = self._rng.uniform(0, math.tau, int(anywhere.sum()))
        return self._pose_from_vector(self._best_vector(np.vstack([tries, [*start, 0, 0, 0]])))

    def _random_tilts(self, n: int) -> Matrix:
        """Sample random tilt directions, tilts and lifts."""
        lift = np.where(self._rng.random(n) < 0.5, self._rng.normal(0.05, 0.08, n), self._rng.uniform(0, 1.1, n))
        return np.column_stack([self._rng.uniform(0, math.tau, n), self._rng.uniform(0, 0.75, n), lift])

    def _best_vector(self, tries: Matrix) -> Matrix:
        """Refine these pose vectors and return the best one, preceded by its score."""
        scores = self._pose_scores(tries)
        reach = (
            SIZE_SEARCH_SPREAD if tries.shape[1] == len(SIZE_SEARCH_SPREAD) else POSE_SEARCH_SPREAD[: tries.shape[1]]
        )
        for _ in range(SEARCH_ROUNDS):
            order = np.argsort(-scores)[:POSES_PER_ROUND]
            tries, scores = tries[order], scores[order]
            fresh = np.repeat(tries, 14, axis=0)
            fresh += self._rng.normal(0, 1, fresh.shape) * reach
            tries, scores = np.vstack([tries, fresh]), np.append(scores, self._pose_scores(fresh))
            reach = reach * 0.55
        best = int(scores.argmax())
        return np.append(scores[best], tries[best])

    def _pose_from_vector(self, best: Matrix) -> DiePose:
        (turn,), (place,), _ = self._poses_from_vectors(best[None, 1:])
        if len(best) == 4:
            return DiePose(turn, place, float(best[0]))
        return DiePose(turn, place, float(best[0]), math.degrees(max(0.0, best[5])), float(best[6]))

    def _poses_from_vectors(self, vectors: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Convert pose vectors to rotations (n, 3, 3), centers (n, 3) and half sizes (n). A vector is rotation, right
        and down in pixels of the crop. It continues with the log of the relative size, or for free poses with tilt
        direction, tilt and lift."""
        turns = _vertical_rotations(vectors[:, 0]) @ self._frame.flat
        places = np.tile(self._place, (len(vectors), 1))
        places[:, :2] += vectors[:, 1:3] * self._pixel
        halves = np.full(len(vectors), self.size / 2)
        if vectors.shape[1] == len(SIZE_SEARCH_SPREAD):
            halves *= np.exp(vectors[:, 3])
            places[:, 2] = halves
        elif vectors.shape[1] > 3:
            way = _vertical_rotations(vectors[:, 3])
            size = np.maximum(vectors[:, 4], 0)
            tip = np.zeros((len(vectors), 3, 3))
            tip[:, 1, 1] = 1
            tip[:, 0, 0] = tip[:, 2, 2] = np.cos(size)
            tip[:, 0, 2], tip[:, 2, 0] = np.sin(size), -np.sin(size)
            turns = way @ tip @ way.transpose(0, 2, 1) @ turns
            places[:, 2] += vectors[:, 5] * self.size
        return turns, places, halves

    def _pose_scores(self, vectors: Matrix) -> Matrix:
        """Score each pose by the mean log of the line maps along its rim and creases."""
        turns, places, halves = self._poses_from_vectors(vectors)
        part, floor = self._frame, self._floor
        ways = (floor.eye - places) / halves[:, None]
        seen = np.einsum("nij,fj,ni->nf", turns, part.normals, ways, optimize=True) > part.far
        corners = np.einsum("nij,cj->nci", turns, part.corners) * halves[:, None, None] + places[:, None]
        spots = floor.project_points(corners) @ self._way[:, :2].T + self._way[:, 2]
        one, other = spots[:, part.ends[:, 0]], spots[:, part.ends[:, 1]]
        sides = seen[:, part.sides]
        crease, long = sides.all(axis=2), np.hypot(*np.moveaxis(other - one, 2, 0))
        rim = sides.any(axis=2) & ~crease
        share = 0.06 + 0.88 * (np.arange(SAMPLES_PER_EDGE, dtype=np.float32) + 0.5) / SAMPLES_PER_EDGE
        on = (one[:, :, None] + (other - one)[:, :, None] * share[:, None]).astype(np.float32)
        tall = len(self._logs) // 2
        on = np.clip(on, 0, tall - 1)
        on[..., 1] += (tall * crease)[:, :, None]
        right, down = (np.ascontiguousarray(on[..., n].reshape(len(vectors), -1)) for n in (0, 1))
        logs = cv2.remap(self._logs, right, down, cv2.INTER_LINEAR).reshape(*long.shape, SAMPLES_PER_EDGE).mean(axis=2)
        found = []
        for mask in (rim, crease):
            weight = long * mask
            found.append((logs * weight).sum(axis=1) / (weight.sum(axis=1) + 1e-6))
        return np.asarray(0.6 * found[0] + 0.4 * found[1])


def _vertical_rotations(angles: Matrix) -> Matrix:
    """Return rotations (n, 3, 3) about the vertical axis."""
    found = np.zeros((len(angles), 3, 3))
    found[:, 0, 0] = found[:, 1, 1] = np.cos(angles)
    found[:, 1, 0] = np.sin(angles)
    found[:, 0, 1] = -found[:, 1, 0]
    found[:, 2, 2] = 1
    return found
