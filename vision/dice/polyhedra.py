"""Geometry of polyhedral dice: facets, sign positions and values.

Their facets are congruent, so the normals of one half determine everything else.
"""

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]

SIGN_SCALE = 1.3  # Width of the sign relative to the facet's incircle, because numerals slightly exceed it.

# Values of one half of the facets, in the order of `_facet_directions`.
FACET_VALUES: dict[str, tuple[int, ...]] = {
    "d8": (8, 2, 3, 5),
    "d10": (10, 8, 2, 6, 4),
    "d100": (10, 8, 2, 6, 4),
    "d12": (12, 5, 10, 2, 9, 7),
    "d20": (20, 2, 14, 18, 8, 12, 4, 10, 6, 5),
    "d24": (24, 2, 20, 6, 16, 10, 22, 4, 18, 8, 14, 12),
    "tetrakis": (24, 2, 20, 6, 16, 10, 22, 4, 18, 8, 14, 12),
}


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex solid in half sizes: its facets and the position of the sign on each.

    normals, far: planes of the facets, (facets, 3) and (facets).
    corners: vertices, (corners, 3).
    middle: centers of the signs, (facets, 3).
    right, down: gradients (facets, 3) of the sign's coordinates, which run from -1 to 1.
    tile: index of each facet's sign in the sheet, its value minus one.
    edge: radius of rounded edges. 0 if nearly sharp.
    sides: directions (sides, 2) from a sign's center to the facet's sides.
    reach: their distance, in half widths of the sign.
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


def _as_float32(values: NDArray[np.floating[Any]]) -> Floats:
    return np.ascontiguousarray(values, np.float32)


def build_solid(
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
    """Build a solid. The sign on each facet is twice `span` wide."""
    # The order of the cross product is for left-handed axes: x right, y down, z up.
    right = np.cross(down, normals)
    vectors = (normals, far, corners, middle, right / span, down / span)
    planes, distances, points, middles, rights, downs = map(_as_float32, vectors)
    return Solid(planes, distances, points, middles, rights, downs, np.array(tile), edge, sides, reach)


# normals of a d6's faces; opposite faces add up to seven
D6_FACE_NORMALS = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, 1, 0), 5: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}
SQUARE_SIDE_DIRECTIONS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)  # from a square's center to its sides


@cache
def cube_solid(edge: float = 0.27) -> Solid:
    """Return a cube, numbered as a d6. `edge` is the radius of its rounded edges, in half sides."""
    axes = np.eye(3)
    normals = np.array([sign * axes[axis] for axis in range(3) for sign in (1, -1)])
    tile = [next(v for v, way in D6_FACE_NORMALS.items() if np.array_equal(way, normal)) - 1 for normal in normals]
    down = np.array([axes[(axis + 2) % 3] for axis in range(3) for _ in range(2)])
    corners = np.array(list(product((-1, 1), repeat=3)))
    return build_solid(normals, np.ones(6), corners, normals, down, 1.0, tile, edge, SQUARE_SIDE_DIRECTIONS, 1.0)


CUBE_SHAPES = ("d6", "numeral", "pitch")


def solid_of_shape(shape: str) -> Solid:
    """Return the solid of a shape, one of `CUBE_SHAPES` or `FACET_VALUES`. Polyhedra have sharp edges."""
    return cube_solid() if shape in CUBE_SHAPES else polyhedron_solid(shape)


def upright_rotation(way: NDArray[np.floating[Any]]) -> Matrix:
    """Return the shortest rotation that maps a unit vector to +z."""
    x, y, z = (float(part) for part in way)
    if z < 1e-6 - 1:
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0, 0, -x], [0, 0, -y], [x, y, 0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1 + z))


@cache
def polyhedron_solid(kind: str) -> Solid:
    """Return the solid of a shape in `FACET_VALUES`."""
    ways = _facet_directions(kind)
    normals = np.vstack([ways, -ways]) / np.linalg.norm(ways[0])
    tile = [
        value - 1 for value in (*FACET_VALUES[kind], *(_opposite_value(kind, value) for value in FACET_VALUES[kind]))
    ]
    corners = _polyhedron_corners(normals)
    on = corners @ normals.T > 1 - 1e-6
    middles, downs, reach = [], [], 0.0
    for facet, normal in enumerate(normals):
        near = normals[(on & on[:, [facet]]).sum(axis=0) == 2]
        ways = near - np.outer(near @ normal, normal)
        steep = np.linalg.norm(ways, axis=1)
        ways /= steep[:, None]
        # Fit the incircle, whose center is `middle`: the facet's sides are at distance `reach`.
        *middle, reach = np.linalg.lstsq(np.column_stack([ways, np.ones(len(ways))]), (1 - near @ normal) / steep)[0]
        spokes = corners[on[:, facet]] - normal - middle
        away = np.linalg.norm(spokes, axis=1)
        up = spokes[np.abs(away - np.median(away)).round(6).argmax()]
        middles.append(normal + middle)
        downs.append(-up / np.linalg.norm(up))
        if facet == 0:
            down = downs[0]
            sides = _as_float32(np.column_stack([ways @ np.cross(down, normal), ways @ down]))
    span = reach * SIGN_SCALE
    return build_solid(
        normals,
        np.ones(len(tile)),
        corners,
        np.array(middles),
        np.array(downs),
        span,
        tile,
        0.0,
        sides,
        1 / SIGN_SCALE,
    )


def _opposite_value(kind: str, value: int) -> int:
    """Return the value of the opposite facet. Both add up to the highest value plus one, or to 9 on a d10."""
    return (9 - value) % 10 or 10 if kind in ("d10", "d100") else 2 * len(FACET_VALUES[kind]) + 1 - value


def _facet_directions(kind: str) -> Matrix:
    """Return the directions of one half of the facets, (facets / 2, 3), not normalized."""
    if kind in ("d10", "d100"):
        # The two cones of facets meet at right angles.
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
    # Coordinates may be cycled and, except on the d12 and d20, swapped.
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1)] + [(1, 0, 2), (0, 2, 1), (2, 1, 0)] * (kind not in ("d12", "d20"))
    signs = list(product((1.0, -1.0), repeat=3))
    ways = {
        tuple(part[axis] * sign + 0.0 for axis, sign in zip(order, way, strict=True))
        for part, order, way in product(parts, orders, signs)
    }
    return np.array(sorted((way for way in ways if way > (0, 0, 0)), reverse=True))


def _polyhedron_corners(normals: Matrix) -> Matrix:
    """Return the vertices: intersections of three planes at distance 1 that no other plane cuts off."""
    three = normals[list(combinations(range(len(normals)), 3))]
    three = three[np.abs(np.linalg.det(three)) > 1e-6]
    spots = np.linalg.solve(three, np.ones((len(three), 3, 1)))[..., 0]
    spots = spots[(spots @ normals.T).max(axis=1) < 1 + 1e-6]
    return np.unique(spots.round(9) + 0.0, axis=0)
