"""Surfaces and materials for the path tracer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scripts.training.studio.bodies import Mesh
from scripts.training.studio.dice import Color
from scripts.training.studio.grounds import Ground
from vision.dice.polyhedra import Floats, Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """The material of a surface. `color` is one color, one per point (points, 3), or a texture (rows, columns, 3) with
    a period of `wide` mm. `relief` is a height texture in mm. `rough`, `gloss`, `metal` and `coat` (clear lacquer) are
    0 to 1."""

    color: Color | Floats
    rough: float
    gloss: float = 0.5
    metal: float = 0.0
    coat: float = 0.0
    relief: Floats | None = None
    wide: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A mesh in world coordinates, with texture coordinates (points, 2) and a material."""

    mesh: Mesh
    spots: Floats
    material: Material


def flat_surface(corners: Matrix, ground: Ground, turn: float = 0.0, along: Matrix | None = None) -> Surface:
    """Build a flat polygon (corners, 3), counterclockwise around its normal, with a ground's texture. `turn` rotates
    the texture in radians, and `along` (2, 3) are its axes, by default x and y."""
    one, other = corners[1] - corners[0], corners[2] - corners[0]
    normal = np.cross(one, other)
    normal /= np.linalg.norm(normal)
    ways = np.eye(3)[:2] if along is None else along
    cos, sin = np.cos(turn), np.sin(turn)
    spots = corners @ ways.T @ np.array([[cos, sin], [-sin, cos]]) / ground.wide
    triangles = np.array([(0, n, n + 1) for n in range(1, len(corners) - 1)])
    mesh = Mesh(corners, np.tile(normal, (len(corners), 1)), np.zeros(len(corners), int), triangles)
    material = Material(ground.color, ground.rough, ground.gloss, relief=ground.relief, wide=ground.wide)
    return Surface(mesh, spots.astype(np.float32), material)
