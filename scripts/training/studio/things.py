"""Things on a table other than dice: coins, tokens, cards, pens, sugar cubes, and a hand with a sleeve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from scripts.training.studio.bodies import Body, Ints, Mesh, facet_mesh, polygons, rounded
from scripts.training.studio.dice import BODIES, METALS, Color, linear, waves
from scripts.training.studio.surfaces import Material, Surface
from vision.dice.polyhedra import Matrix
from vision.synthetic.physics import RigidPose

THINGS = ("coin", "token", "card", "pen", "sugar", "eraser")


@dataclass(frozen=True)
class Thing:
    """A thing of a kind in `THINGS`, with its `size` (length, width, height) in mm. `metal` is shiny."""

    kind: str
    size: tuple[float, float, float]
    color: Color
    rough: float
    metal: bool
    swirl: int

    @cached_property
    def facets(self) -> list[Matrix]:
        """The vertices of its facets. It is a prism, with many sides if round."""
        along, across, high = (value / 2 for value in self.size)
        if self.kind == "pen":
            way = np.arange(14) / 14 * math.tau
            ring = np.column_stack([np.zeros(14), np.cos(way) * across, np.sin(way) * high])
            ends = [ring + np.array([side * along, 0, 0]) for side in (-1, 1)]
        else:
            sides = 36 if self.kind in ("coin", "token") else 4
            way = (np.arange(sides) + 0.5) / sides * math.tau
            out = 1 / math.cos(math.pi / sides)
            ring = np.column_stack([np.cos(way) * out * along, np.sin(way) * out * across, np.zeros(sides)])
            ends = [ring + np.array([0, 0, side * high]) for side in (-1, 1)]
        corners = np.vstack(ends)
        return polygons(*planes(ends), corners)

    @cached_property
    def body(self) -> Body:
        """The thing as a body for placement."""
        normals, far = _sides(self.facets)
        edge = min(0.45 * min(self.size), 0.15 if self.kind in ("coin", "card") else 0.6)
        return rounded(normals, far, edge, 1e6, facet_mesh(self.facets, 8).points)

    def surface(self, pose: RigidPose) -> Surface:
        """Return its surface in world coordinates."""
        mesh = facet_mesh(self.facets, {"sugar": 20, "pen": 2}.get(self.kind, 7))
        points, normals = self.body.onto(mesh.points)
        rng = np.random.default_rng(self.swirl)
        color = np.tile(self.color, (len(points), 1)) * (1 + 0.02 * waves(rng, points, 1.0)[:, None])
        if self.kind == "sugar":
            points = points + normals * rng.normal(0, 0.12, (len(points), 1))
            normals = normals + rng.normal(0, 0.35, normals.shape)
            normals /= np.linalg.norm(normals, axis=1)[:, None]
        elif self.kind in ("coin", "token", "card"):
            away = np.hypot(points[:, 0] / self.size[0], points[:, 1] / self.size[1]) * 2
            marks = np.sin(waves(rng, points / self.size[0], 9.0) * 2) * (away < 0.72)
            marks = marks + 3 * (np.abs(away - 0.86) < 0.03)
            color = color * (1 - 0.18 * np.clip(marks, 0, 1))[:, None]
            normals = normals + rng.normal(0, 0.03, normals.shape) + np.clip(marks, 0, 1)[:, None] * (0.05, 0.02, 0)
            normals /= np.linalg.norm(normals, axis=1)[:, None]
        moved = Mesh(points, normals, mesh.facet, mesh.triangles).moved(pose)
        material = Material(color.astype(np.float32), self.rough, 0.5, metal=1.0 if self.metal else 0.0)
        return Surface(moved, np.zeros((len(points), 2), np.float32), material)


def planes(ends: list[Matrix]) -> tuple[Matrix, Matrix]:
    """Return the planes of the prism between two rings of vertices."""
    one, other = ends
    rings = [one, other] + [
        np.array([one[n], one[(n + 1) % len(one)], other[(n + 1) % len(one)], other[n]]) for n in range(len(one))
    ]
    return _sides(rings)


def _sides(facets: list[Matrix]) -> tuple[Matrix, Matrix]:
    """Return the planes of facets around the origin, facing outward."""
    normals = []
    for around in facets:
        normal = np.cross(around[1] - around[0], around[2] - around[0])
        normals.append(normal / np.linalg.norm(normal) * np.sign(normal @ around.mean(axis=0)))
    return np.array(normals), np.array([float(n @ f.mean(axis=0)) for n, f in zip(normals, facets, strict=True)])


def invent(rng: Random, kind: str | None = None, high: float | None = None) -> Thing:
    """Sample a thing, of a given kind and height if not None."""
    kind = kind or rng.choice(THINGS)
    metal = kind == "coin" or (kind == "pen" and rng.random() < 0.2)
    palette = METALS if metal else BODIES
    color = linear(palette[rng.choice(list(palette))])
    wide = {"coin": rng.uniform(16, 26), "token": rng.uniform(18, 40), "pen": rng.uniform(120, 145)}
    size = {
        "coin": (wide["coin"], wide["coin"], rng.uniform(1.4, 2.4)),
        "token": (wide["token"], wide["token"], rng.uniform(1.5, 3.4)),
        "card": (88.0, 63.0, rng.choice((0.3, rng.uniform(0.6, 6)))),
        "pen": (wide["pen"], high or rng.uniform(7, 11), high or rng.uniform(7, 11)),
        "sugar": (rng.uniform(12, 17), rng.uniform(12, 17), rng.uniform(11, 15)),
        "eraser": (rng.uniform(25, 45), rng.uniform(12, 22), rng.uniform(8, 13)),
    }[kind]
    if kind == "sugar":
        color = linear(rng.choice(((244, 242, 236), (244, 242, 236), (178, 120, 66))))
    rough = {"sugar": 0.9, "card": 0.4, "eraser": 0.8}.get(kind, rng.uniform(0.15, 0.4))
    return Thing(kind, (size[0], size[1], high or size[2]), color, rough, metal, rng.randrange(1 << 16))


# A hand ---------------------------------------------------------------------------------------------------------------

CELL = 1.8  # grid step for the hand's surface, in mm


@dataclass(frozen=True, slots=True)
class Limb:
    """A rounded cone between two points, with a radius at each, in mm."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    thick: tuple[float, float]


def hand(rng: Random, tip: tuple[float, float, float], way: float) -> tuple[list[Limb], list[Limb]]:
    """Return the limbs of a hand with its fingertips near `tip`, reaching in the direction `way` (radians), and of its
    sleeve."""
    size = rng.uniform(0.88, 1.1)
    cos, sin = math.cos(way), math.sin(way)
    side = rng.choice((-1, 1))

    def at(ahead: float, aside: float, high: float) -> tuple[float, float, float]:
        x, y = ahead * size, aside * size * side
        return tip[0] + x * cos - y * sin, tip[1] + x * sin + y * cos, tip[2] + high * size

    rise = rng.uniform(22, 38)
    limbs, curl = [], rng.uniform(0.75, 1.0)
    for aside, ahead in ((-31, -14), (-11, 0), (10, 2), (30, -9)):
        spread = aside * rng.uniform(0.98, 1.2)
        knuckle, joint = at(-82, aside * 0.95, rise), at((-40 + ahead) * curl, spread, rise * rng.uniform(0.8, 1.15))
        last = at(ahead - 18 * curl, spread * 1.04, rise * 0.55)
        limbs += [Limb(knuckle, joint, (9.5 * size, 8.6 * size)), Limb(joint, last, (8.6 * size, 8.0 * size)),
                  Limb(last, at(ahead, spread * 1.06, 2), (8.0 * size, 6.4 * size))]  # fmt: skip
    limbs += [Limb(at(-110, 44, rise * 0.8), at(-72, 56, rise * 0.6), (12 * size, 10 * size)),
              Limb(at(-72, 56, rise * 0.6), at(-44, 46, rise * 0.3), (10 * size, 7.5 * size))]  # fmt: skip
    palm = [Limb(at(-150, a * 0.6, rise * 0.9), at(-84, a, rise), (15 * size, 12 * size)) for a in (-27, -9, 9, 26)]
    wrist = Limb(at(-240, 0, rise), at(-150, 0, rise), (27 * size, 22 * size))
    cuff = rng.uniform(-190, -150)
    sleeve = [Limb(at(cuff - 230, rng.uniform(-40, 40), rise + 25), at(cuff, 0, rise), (52 * size, 36 * size))]
    return limbs + palm + [wrist], sleeve


def limbs_surface(limbs: list[Limb], color: Color, rough: float, seed: int, blend: float = 2.0) -> Surface | None:
    """Return the common surface of limbs that blend over `blend` mm, or None if it is empty."""
    rng = np.random.default_rng(seed)
    ends = np.array([limb.start for limb in limbs] + [limb.end for limb in limbs])
    most = max(max(limb.thick) for limb in limbs) + blend
    low, high = np.clip(ends.min(axis=0) - most, -260, 260), np.clip(ends.max(axis=0) + most, -260, 260)
    axes = [np.arange(a, b, CELL) for a, b in zip(low, high, strict=True)]
    if min(map(len, axes)) < 3:
        return None
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).astype(np.float32)
    field = np.zeros(grid.shape[:3])
    for limb in limbs:
        start, end = np.array(limb.start, np.float32), np.array(limb.end, np.float32)
        along = end - start
        share = np.clip(((grid - start) @ along) / (along @ along), 0, 1)
        away = np.linalg.norm(grid - start - share[..., None] * along, axis=-1)
        away -= limb.thick[0] + share * (limb.thick[1] - limb.thick[0])
        field += np.exp(-np.clip(away / blend, -30, 30) * 2)
    field = -np.log(np.maximum(field, 1e-12)) * blend / 2
    points, triangles, normals = surface_nets(np.asarray(field))
    if not len(triangles):
        return None
    points = points * CELL + low
    mottled = 1 + 0.05 * waves(rng, points, 0.06)[:, None] * (1, 1.3, 1.4) + 0.03 * rng.normal(size=(len(points), 1))
    shade = np.clip(np.array(color) * mottled, 0, 1).astype(np.float32)
    normals = normals + 0.025 * np.column_stack([waves(rng, points, 1.5) for _ in range(3)])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    mesh = Mesh(points, normals, np.zeros(len(points), int), triangles)
    return Surface(mesh, np.zeros((len(points), 2), np.float32), Material(shade, rough, 0.4))


def surface_nets(field: Matrix) -> tuple[Matrix, Ints, Matrix]:
    """Extract the zero surface of a field on a grid (negative inside) by surface nets. Return points in grid steps,
    triangles and normals. Each cell that the surface crosses has one point."""
    inside = field < 0
    cells = np.zeros([n - 1 for n in field.shape], np.uint8)
    for x, y, z in np.ndindex(2, 2, 2):
        cells += inside[x : x - 1 or None, y : y - 1 or None, z : z - 1 or None]
    crossed = np.argwhere((cells > 0) & (cells < 8))
    number = np.full(cells.shape, -1)
    number[tuple(crossed.T)] = np.arange(len(crossed))
    total, count = np.zeros((len(crossed), 3)), np.zeros((len(crossed), 1))
    for axis in range(3):
        for a in (0, 1):
            for b in (0, 1):
                step = np.insert([a, b], axis, 0)
                one = crossed + step
                other = one + np.eye(3, dtype=int)[axis]
                f, g = field[tuple(one.T)], field[tuple(other.T)]
                cut = (f < 0) != (g < 0)
                share = np.where(cut, f / np.where(cut, f - g, 1), 0)
                total[cut] += (one + np.eye(3)[axis] * share[:, None])[cut]
                count[cut] += 1
    points = total / count
    slopes = np.stack([np.gradient(field, axis=axis) for axis in range(3)], -1)[tuple(np.round(points).astype(int).T)]
    normals = slopes / np.maximum(np.linalg.norm(slopes, axis=1), 1e-9)[:, None]
    triangles = []
    for axis in range(3):
        ahead = np.eye(3, dtype=int)[axis]
        one, two = (np.eye(3, dtype=int)[(axis + k) % 3] for k in (1, 2))
        spots = np.argwhere(np.diff(inside, axis=axis))
        spots = spots[(spots[:, [(axis + 1) % 3, (axis + 2) % 3]] > 0).all(axis=1)]
        spots = spots[(spots < np.array(cells.shape)).all(axis=1)]
        square = [number[tuple((spots - step).T)] for step in (0 * one, one, one + two, two)]
        outward = inside[tuple(spots.T)] & ~inside[tuple((spots + ahead).T)]
        a, b, c, d = (np.where(outward, square[k], square[3 - k]) for k in range(4))
        triangles += [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    return points, np.vstack(triangles), normals
