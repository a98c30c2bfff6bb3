"""Rounded convex bodies: their surface meshes, resting poses and contacts. Lengths are in mm."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import Matrix
from vision.synthetic.physics import RigidPose

Ints = NDArray[np.intp]
Reals = NDArray[np.floating[Any]]

# Right-angled edges blended with a sharpness of `SOFT` / radius are cut off as far as edges rounded with that radius.
SOFT = math.log(2) / (1 - math.sqrt(0.5))


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A triangle mesh: `points` and `normals` (points, 3), `facet` (points), and `triangles` (triangles, 3) as point
    indices."""

    points: Matrix
    normals: Matrix
    facet: Ints
    triangles: Ints

    def moved(self, pose: RigidPose) -> Mesh:
        """Return the mesh in this pose."""
        place = np.array([pose.x, pose.y, pose.z])
        return replace(self, points=self.points @ pose.turn.T + place, normals=self.normals @ pose.turn.T)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A convex body bounded by planes that blend smoothly.

    normals, far: the planes, (planes, 3) and (planes).
    sharp: sharpness of the blend, per mm.
    ball: radius of a sphere that cuts off the corners.
    points: nearly uniform samples of the surface, (points, 3), for contact tests.
    """

    normals: Matrix
    far: Matrix
    sharp: float
    ball: float
    points: Matrix

    def outside(self, points: Matrix) -> Matrix:
        """Return the signed distance of `points` (points, 3) from the surface in mm, negative inside. Exact only near
        the surface."""
        over = np.column_stack([points @ self.normals.T - self.far, np.linalg.norm(points, axis=1) - self.ball])
        top = over.max(axis=1)
        return np.asarray(top + np.log(np.exp(self.sharp * (over - top[:, None])).sum(axis=1)) / self.sharp)

    def onto(self, points: Matrix) -> tuple[Matrix, Matrix]:
        """Return the intersections of rays from the center through `points` with the surface, and its normals there."""
        ways = points / np.linalg.norm(points, axis=1)[:, None]
        slopes = np.column_stack([ways @ self.normals.T, np.ones(len(ways))])
        far = np.append(self.far, self.ball)
        away = np.where(slopes > 1e-9, far / np.maximum(slopes, 1e-9), np.inf).min(axis=1)
        # The distance is convex along each line, so Newton's method from outside never overshoots.
        for _ in range(12):
            over = self.sharp * (away[:, None] * slopes - far)
            top = over.max(axis=1)
            parts = np.exp(over - top[:, None])
            whole = parts.sum(axis=1)
            away = away - (top + np.log(whole)) / self.sharp / ((parts * slopes).sum(axis=1) / whole)
        normals = parts[:, :-1] @ self.normals + parts[:, -1:] * ways
        return ways * away[:, None], normals / np.linalg.norm(normals, axis=1)[:, None]


def rounded(normals: Reals, far: Reals, edge: float, ball: float, points: Reals) -> Body:
    """Build a body from planes, with right-angled edges rounded by `edge` mm. `points` on the planes are moved onto the
    rounded surface."""
    bare = Body(np.asarray(normals, float), np.asarray(far, float), SOFT / edge, ball, np.zeros((0, 3)))
    return replace(bare, points=bare.onto(np.asarray(points, float))[0])


def polygons(normals: Matrix, far: Matrix, corners: Matrix) -> list[Matrix]:
    """Return the vertices of each facet of a solid, in order around its normal."""
    found = []
    for normal, distance in zip(normals, far, strict=True):
        around = corners[np.abs(corners @ normal - distance) < 1e-4 * np.abs(far).max()]
        middle = around.mean(axis=0)
        right = (around[0] - middle) / np.linalg.norm(around[0] - middle)
        turns = np.arctan2((around - middle) @ np.cross(normal, right), (around - middle) @ right)
        found.append(np.asarray(around[turns.argsort()]))
    return found


def facet_mesh(facets: list[Matrix], fine: int) -> Mesh:
    """Subdivide each facet into triangles, `fine` along each spoke from its center. Points on a common edge coincide,
    but each facet has its own copy. Normals are not set."""
    steps = [(row, column) for row in range(fine + 1) for column in range(row + 1)]
    place = {step: n for n, step in enumerate(steps)}
    small = [
        (place[row, column], place[row + 1, column], place[row + 1, column + 1])
        for row in range(fine) for column in range(row + 1)
    ] + [
        (place[row, column], place[row + 1, column + 1], place[row, column + 1])
        for row in range(fine) for column in range(row)
    ]  # fmt: skip
    row, column = np.array(steps).T / fine
    points: list[Matrix] = []
    facet, triangles = [], []
    for number, around in enumerate(facets):
        middle = around.mean(axis=0)
        for one, other in zip(around, np.roll(around, -1, axis=0), strict=True):
            triangles.append(np.array(small) + len(points) * len(steps))
            spoke = (one - middle) * (row - column)[:, None] + (other - middle) * column[:, None]
            points.append(middle + spoke)
            facet.append(np.full(len(steps), number))
    every = np.vstack(points)
    return Mesh(every, np.zeros_like(every), np.concatenate(facet), np.vstack(triangles))


# How bodies lie and touch ---------------------------------------------------------------------------------------------


def world(body: Body, pose: RigidPose) -> Matrix:
    """Return the body's points in world coordinates."""
    return np.asarray(body.points @ pose.turn.T + np.array([pose.x, pose.y, pose.z]))


def touch(one: Body, pose: RigidPose, other: Body, there: RigidPose) -> bool:
    """True if two bodies overlap, as far as their points show."""
    into = (world(one, pose) - (there.x, there.y, there.z)) @ there.turn
    back = (world(other, there) - (pose.x, pose.y, pose.z)) @ pose.turn
    return bool((other.outside(into) < 0).any() or (one.outside(back) < 0).any())


def resting(body: Body, turn: Matrix, x: float = 0.0, y: float = 0.0, floor: float = 0.0) -> RigidPose:
    """Return the pose of a rotated body with its lowest point at the height `floor`."""
    return RigidPose(x, y, floor - float((body.points @ turn[2]).min()), turn)


def until_contact(
    body: Body, pose: RigidPose, way: tuple[float, float, float], others: list[tuple[Body, RigidPose]], most: float
) -> RigidPose | None:
    """Move a body from `pose` along a unit vector until it touches one of `others`. Returns the last pose without
    contact, to 0.05 mm, or None if it touches at once or not within `most` mm."""

    def at(far: float) -> RigidPose:
        return RigidPose(pose.x + way[0] * far, pose.y + way[1] * far, pose.z + way[2] * far, pose.turn)

    def touches(far: float) -> bool:
        return any(touch(body, at(far), other, there) for other, there in others)

    free, step = 0.0, 1.4
    if touches(free):
        return None
    while not touches(free + step):
        free += step
        if free > most:
            return None
    while step > 0.05:
        step /= 2
        if not touches(free + step):
            free += step
    return at(free)


def tilt(normals: Reals, turn: Reals) -> float:
    """Return the tilt in degrees of the lowest facet from the ground."""
    return math.degrees(math.acos(min(1.0, float(-(normals @ turn[2]).min()))))
