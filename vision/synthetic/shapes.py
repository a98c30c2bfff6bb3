"""The shapes of all synthetic objects, the values of their facets, and their resting poses."""

import math
from functools import cache, lru_cache

import numpy as np

from vision.dice.polyhedra import SQUARE_SIDE_DIRECTIONS, Matrix, Solid, build_solid, cube_solid, polyhedron_solid
from vision.synthetic import physics

# Cubes with pips, numerals, letters (B, S and C) and plus and minus signs, and a sugar cube.
CUBE_KINDS = ("d6", "numeral", "pitch", "sign", "sugar")
# All synthetic objects. A d100 is a d10 of tens. "d24" has kite facets, "tetrakis" is the d24 with triangles. Sign,
# sugar and coin have no value: they are negatives for the classifier.
SYNTHETIC_KINDS = (*CUBE_KINDS, "d8", "d10", "d100", "d12", "d20", "d24", "tetrakis", "coin")


def _number_texts(last: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, last + 1))


# Text on each facet of dice without pips. The facet of value v shows FACE_MARKS[kind][v - 1].
FACE_MARKS: dict[str, tuple[str, ...]] = {
    "numeral": _number_texts(6),
    "pitch": tuple("BSCCSB"),
    "d8": _number_texts(8),
    "d10": (*_number_texts(9), "0"),
    "d100": (*(f"{number}0" for number in range(1, 10)), "00"),
    "d12": _number_texts(12),
    "d20": _number_texts(20),
    "d24": _number_texts(24),
    "tetrakis": _number_texts(24),
}


@cache
def solid_of_kind(kind: str) -> Solid:
    if kind in CUBE_KINDS:
        return cube_solid(0.06) if kind == "sugar" else cube_solid()
    return _coin_solid() if kind == "coin" else polyhedron_solid(kind)


def _coin_solid(sides: int = 32, thick: float = 0.085) -> Solid:
    around = np.arange(sides) * math.tau / sides
    ring = np.column_stack([np.cos(around), np.sin(around), np.zeros(sides)])
    normals = np.vstack([[[0, 0, 1], [0, 0, -1]], ring])
    far = np.array([thick, thick] + [1.0] * sides)
    corners = np.vstack([ring + np.array([0, 0, side]) for side in (thick, -thick)])
    down = np.vstack([[[0, 1, 0], [0, 1, 0]], [[0, 0, 1]] * sides])
    tile = [0, 1] + [2] * sides
    return build_solid(normals, far, corners, normals * far[:, None], down, 1.0, tile, 0.0, SQUARE_SIDE_DIRECTIONS, 1.0)


# How they lie ---------------------------------------------------------------------------------------------------------


def facet_count(kind: str) -> int:
    """Return the number of flat resting poses."""
    return 6 if kind in CUBE_KINDS else 2 if kind == "coin" else len(FACE_MARKS[kind])


def lying_rotation(kind: str, value: int, yaw: float) -> Matrix:
    """Return the rotation of an object at rest with the facet of `value` up, and a yaw in radians."""
    shape = solid_of_kind(kind)
    x, y, z = (float(part) for part in shape.normals[shape.tile.tolist().index(value - 1)])
    tip = physics.axis_rotation((1, 0, 0), 0.0 if z > 0 else math.pi)
    if abs(z) < 1 - 1e-6:
        tip = physics.axis_rotation((y, -x, 0), math.acos(z))
    return np.asarray(physics.vertical_rotation(yaw) @ tip)


def center_height(kind: str, size: float, turn: Matrix) -> float:
    """Return the height of the center in millimeters at which a rotated object touches the felt."""
    return -size / 2 * float((solid_of_kind(kind).corners @ turn[2]).min())


@lru_cache(maxsize=64)
def rigid_body(kind: str, size: float, value: int = 1) -> physics.RigidBody:
    """Return the body of an object that comes to rest with the facet of `value` up."""
    return physics.RigidBody(solid_of_kind(kind).corners.astype(float) * (size / 2), lying_rotation(kind, value, 0.0))
