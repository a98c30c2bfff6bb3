"""Surfaces with their materials: all that the path tracer has to know of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scripts.training.studio.bodies import Mesh
from scripts.training.studio.dice import Color
from scripts.training.studio.grounds import Ground
from vision.dice.polyhedra import Floats, Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a surface is made of.

    `color` is one color, one for each point (points, 3), or a picture (rows, columns, 3) that repeats every `wide` mm.
    `relief`, in mm, is a picture of the same extent. `rough`, `gloss` (how strongly it mirrors), `metal` and `coat` (of
    clear lacquer) go from 0 to 1.
    """

    color: Color | Floats
    rough: float
    gloss: float = 0.5
    metal: float = 0.0
    coat: float = 0.0
    relief: Floats | None = None
    wide: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A mesh in the world, where its points are in its pictures (points, 2; right and down), and its material."""

    mesh: Mesh
    spots: Floats
    material: Material


def flat_surface(corners: Matrix, ground: Ground, turn: float = 0.0, along: Matrix | None = None) -> Surface:
    """Return a flat polygon (corners, 3), its corners counterclockwise around its normal, covered with a ground. `turn`
    turns the ground's pattern, in radians. `along` (2, 3) are the pattern's directions, by default x and y."""
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
