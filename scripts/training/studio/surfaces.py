"""Surfaces with their materials: all that the path tracer has to know of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scripts.training.studio.bodies import Mesh
from scripts.training.studio.dice import Color, StudioDie, die_mesh, ink_sheet, tones
from scripts.training.studio.grounds import Ground
from vision.dice.polyhedra import Floats, Matrix
from vision.drawn.physics import Pose

NOBODY = -1  # the owner of a surface that belongs to no die


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """What is printed on a surface: its cover (rows, columns), 0 to 1, its color, and whether it is metal paint."""

    cover: Floats
    color: Color
    metallic: bool


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a surface is made of.

    `color` is one color, one for each point (points, 3), or a picture (rows, columns, 3). `relief`, in mm, is a picture
    of the same extent. `rough`, `gloss` (how strongly it mirrors), `metal`, `coat` (of clear lacquer) and `sheen` (of
    fibers) go from 0 to 1. A `clear` material lets light through, except for a share `milk`.
    """

    color: Color | Floats
    rough: float
    gloss: float = 0.5
    metal: float = 0.0
    coat: float = 0.0
    sheen: float = 0.0
    clear: bool = False
    milk: float = 0.0
    relief: Floats | None = None
    ink: Ink | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A mesh in the world, where its points are in its pictures (points, 2; right and down), its material, and the
    number of the die whose surface it is."""

    mesh: Mesh
    spots: Floats
    material: Material
    owner: int = NOBODY


def die_surface(die: StudioDie, pose: Pose, owner: int) -> Surface:
    """Return a die's surface."""
    mesh, spots = die_mesh(die)
    color = tones(die, mesh.points)
    finish = {
        "plain": Material(color, die.rough, 0.5),
        "speckled": Material(color, die.rough, 0.5),
        "marbled": Material(color, die.rough, 0.5, coat=0.3),
        "pearlescent": Material(color, die.rough + 0.1, 0.6, metal=0.45, coat=0.6),
        "metal": Material(color, die.rough, 0.5, metal=1.0),
        "translucent": Material(color, die.rough, 0.5, clear=True, milk=0.12 + (die.swirl % 40) / 100),
    }[die.finish]
    material = Material(
        finish.color, finish.rough, finish.gloss, finish.metal, finish.coat, finish.sheen, finish.clear, finish.milk,
        None, Ink(ink_sheet(die), die.ink, die.metallic),
    )  # fmt: skip
    return Surface(mesh.moved(pose), spots, material, owner)


def ground_material(ground: Ground) -> Material:
    """Return a ground's material; its pictures repeat."""
    fibers = 0.5 if ground.name.startswith(("felt", "cloth")) else 0.0
    return Material(ground.color, ground.rough, ground.gloss, sheen=fibers, relief=ground.relief)


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
    return Surface(mesh, spots.astype(np.float32), ground_material(ground))
