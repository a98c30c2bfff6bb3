"""The shapes of dice and other small things: their facets, which value is where, and how they lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.drawn import physics
from vision.drawn.paint import Floats
from vision.drawn.physics import UP, Matrix

CUBES = ("d6", "numeral", "pitch", "sign", "sugar")
"""Cubes: a die with pips, one with numerals, one with the letters B, S and C, one with plus and minus signs, sugar."""

KINDS = (*CUBES, "d8", "d10", "d100", "d12", "d20", "d24", "tetrakis", "coin")
"""Everything that can be drawn. A d100 is a d10 of tens; "d24" has kites for facets and "tetrakis", the other die of
24, triangles. Sign, sugar and coin have no value: they are there to be told from dice."""


def _numbers(last: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, last + 1))


MARKS: dict[str, tuple[str, ...]] = {
    "numeral": _numbers(6),
    "pitch": tuple("BSCCSB"),
    "d8": _numbers(8),
    "d10": (*_numbers(9), "0"),
    "d100": (*(f"{number}0" for number in range(1, 10)), "00"),
    "d12": _numbers(12),
    "d20": _numbers(20),
    "d24": _numbers(24),
    "tetrakis": _numbers(24),
}
"""What is printed on the dice without pips, by value: the facet of value v shows MARKS[kind][v - 1]."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex solid, in halves of its size: its flat facets and where the picture on each is.

    `normals` (facets, 3) and `far` (facets) are their planes, `corners` (corners, 3) the solid's. `right` and `down`
    (facets, 3) lead from -1 to 1 over the facet's picture, whose middle is `middle` (facets, 3) and which is number
    `tile`, the facet's value less one, of the sheet. `edge` is the radius of the rounded edges; 0 where they are all
    but sharp. `sides` (sides, 2) are the ways, right and down, from the middle of a facet's picture to its sides, and
    `reach` is how far these are, in halves of the picture.
    """

    normals: Floats
    far: Floats
    corners: Floats
    middle: Floats
    right: Floats
    down: Floats
    tile: NDArray[np.intp]
    edge: float
    sides: Floats
    reach: float


def _floats(values: NDArray[np.floating[Any]]) -> Floats:
    return np.ascontiguousarray(values, np.float32)


@cache
def solid(kind: str) -> Solid:
    """The shape of a kind (one of `KINDS`)."""
    if kind in CUBES:
        return _cube(0.06 if kind == "sugar" else 0.27)
    return _disc() if kind == "coin" else _polyhedron(kind)


WIDE = 1.3
"""How wide the picture on a facet is, of the circle within the facet: numerals hang over it a little."""

SQUARE = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)


def _cube(edge: float) -> Solid:
    axes = np.eye(3)
    normals = np.array([sign * axes[axis] for axis in range(3) for sign in (1, -1)])
    tile = [next(v for v, way in UP.items() if np.array_equal(way, normal)) - 1 for normal in normals]
    down = np.array([axes[(axis + 2) % 3] for axis in range(3) for _ in range(2)])
    corners = np.array(list(product((-1, 1), repeat=3)))
    return _solid(normals, np.ones(6), corners, normals, down, 1.0, tile, edge, SQUARE, 1.0)


def _disc(sides: int = 32, thick: float = 0.085) -> Solid:
    around = np.arange(sides) * math.tau / sides
    ring = np.column_stack([np.cos(around), np.sin(around), np.zeros(sides)])
    normals = np.vstack([[[0, 0, 1], [0, 0, -1]], ring])
    far = np.array([thick, thick] + [1.0] * sides)
    corners = np.vstack([ring + np.array([0, 0, side]) for side in (thick, -thick)])
    down = np.vstack([[[0, 1, 0], [0, 1, 0]], [[0, 0, 1]] * sides])
    tile = [0, 1] + [2] * sides
    return _solid(normals, far, corners, normals * far[:, None], down, 1.0, tile, 0.0, SQUARE, 1.0)


def _solid(
    normals: Matrix,
    far: Matrix,
    corners: Matrix,
    middle: Matrix,
    down: Matrix,
    span: float,
    tile: list[int],
    edge: float,
    sides: Floats,
    reach: float,
) -> Solid:
    # x right, y down and z up is a left-handed world: hence the order of the product.
    right = np.cross(down, normals)
    return Solid(
        _floats(normals),
        _floats(far),
        _floats(corners),
        _floats(middle),
        _floats(right / span),
        _floats(down / span),
        np.array(tile),
        edge,
        sides,
        reach,
    )


# What is neither cube nor disc is all of one pattern: given which way one half of the facets look, all else follows.

_VALUES: dict[str, tuple[int, ...]] = {
    "d8": (8, 2, 3, 5),
    "d10": (10, 8, 2, 6, 4),
    "d100": (10, 8, 2, 6, 4),
    "d12": (12, 5, 10, 2, 9, 7),
    "d20": (20, 2, 14, 18, 8, 12, 4, 10, 6, 5),
    "d24": (24, 2, 20, 6, 16, 10, 22, 4, 18, 8, 14, 12),
    "tetrakis": (24, 2, 20, 6, 16, 10, 22, 4, 18, 8, 14, 12),
}
"""The values of one half of the facets, in the order of `_ways`."""


def _opposite(kind: str, value: int) -> int:
    """The value of the facet beneath: what both show adds up to one more than the highest, on a d10 to 9."""
    return (9 - value) % 10 or 10 if kind in ("d10", "d100") else len(MARKS[kind]) + 1 - value


def _ways(kind: str) -> Matrix:
    """Which way one half of the facets look, (facets / 2, 3), of any length."""
    if kind in ("d10", "d100"):
        # So steep that the two cones of facets meet at right angles.
        around = np.arange(5) * math.tau / 5
        return np.column_stack([np.cos(around), np.sin(around), np.full(5, math.sqrt(math.cos(math.pi / 5)))])
    golden = (1 + math.sqrt(5)) / 2
    parts = {
        "d8": [(1.0, 1.0, 1.0)],
        "d12": [(0.0, 1.0, golden)],
        "d20": [(1.0, 1.0, 1.0), (0.0, golden - 1, golden)],
        "d24": [(1.0, 1.0, 1 + math.sqrt(2))],
        "tetrakis": [(0.0, 1.0, 2.0)],
    }[kind]
    # Axes may be turned, and but for the dice of twelve and twenty swapped too.
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1)] + [(1, 0, 2), (0, 2, 1), (2, 1, 0)] * (kind not in ("d12", "d20"))
    signs = list(product((1.0, -1.0), repeat=3))
    ways = {
        tuple(part[axis] * sign + 0.0 for axis, sign in zip(order, way, strict=True))
        for part, order, way in product(parts, orders, signs)
    }
    return np.array(sorted((way for way in ways if way > (0, 0, 0)), reverse=True))


def _polyhedron(kind: str) -> Solid:
    ways = _ways(kind)
    normals = np.vstack([ways, -ways]) / np.linalg.norm(ways[0])
    tile = [value - 1 for value in (*_VALUES[kind], *(_opposite(kind, value) for value in _VALUES[kind]))]
    corners = _corners(normals)
    on = corners @ normals.T > 1 - 1e-6
    middles, downs, reach = [], [], 0.0
    for facet, normal in enumerate(normals):
        near = normals[(on & on[:, [facet]]).sum(axis=0) == 2]
        ways = near - np.outer(near @ normal, normal)
        steep = np.linalg.norm(ways, axis=1)
        ways /= steep[:, None]
        # The circle that touches all sides: what lies `reach` within each.
        *middle, reach = np.linalg.lstsq(np.column_stack([ways, np.ones(len(ways))]), (1 - near @ normal) / steep)[0]
        spokes = corners[on[:, facet]] - normal - middle
        away = np.linalg.norm(spokes, axis=1)
        up = spokes[np.abs(away - np.median(away)).round(6).argmax()]
        middles.append(normal + middle)
        downs.append(-up / np.linalg.norm(up))
        if facet == 0:
            down = downs[0]
            sides = _floats(np.column_stack([ways @ np.cross(down, normal), ways @ down]))
    span = reach * WIDE
    return _solid(
        normals, np.ones(len(tile)), corners, np.array(middles), np.array(downs), span, tile, 0.0, sides, 1 / WIDE
    )


def _corners(normals: Matrix) -> Matrix:
    """Where three planes and more meet that are 1 away from the middle, and none is nearer."""
    three = normals[list(combinations(range(len(normals)), 3))]
    three = three[np.abs(np.linalg.det(three)) > 1e-6]
    spots = np.linalg.solve(three, np.ones((len(three), 3, 1)))[..., 0]
    spots = spots[(spots @ normals.T).max(axis=1) < 1 + 1e-6]
    return np.unique(spots.round(9) + 0.0, axis=0)


# How they lie ---------------------------------------------------------------------------------------------------------


def faces(kind: str) -> int:
    """How many ways there are for a thing to lie flat."""
    return 6 if kind in CUBES else 2 if kind == "coin" else len(MARKS[kind])


def lying(kind: str, value: int, yaw: float) -> Matrix:
    """How a thing is turned that lies with the facet of this value up, 1 to `faces`, spun by `yaw` radians."""
    if kind in CUBES:
        return physics.lying(value, yaw)
    shape = solid(kind)
    x, y, z = (float(part) for part in shape.normals[shape.tile.tolist().index(value - 1)])
    tip = physics.about((1, 0, 0), 0.0 if z > 0 else math.pi)
    if abs(z) < 1 - 1e-6:
        tip = physics.about((y, -x, 0), math.acos(z))
    return np.asarray(physics.about((0, 0, 1), yaw) @ tip)


def height(kind: str, size: float, turn: Matrix) -> float:
    """How high above the felt, in millimetres, the middle of a thing so turned is when it touches it."""
    return -size / 2 * float((solid(kind).corners @ turn[2]).min())


@lru_cache(maxsize=64)
def body(kind: str, size: float, value: int = 1) -> physics.Body:
    """A thing to be thrown that comes to lie with the facet of this value up."""
    return physics.Body(solid(kind).corners.astype(float) * (size / 2), lying(kind, value, 0.0))
