"""How dice come to lean on a wall or on each other, and to lie on one another: poses in which they touch.

A die is a convex core with a skin: the rounded edges of a cube are the skin's, all other dice have none. Lengths are in
millimeters, and places are those of `physics.Pose`. What friction holds up is not computed; a die always leans to the
side to which it would fall.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import cv2
import numpy as np

from vision.dice.polyhedra import Matrix
from vision.drawn import physics, shapes
from vision.drawn.physics import GAP, Pose
from vision.drawn.solids import DrawnDie

LEAST, MOST = math.radians(12), math.radians(45)  # tilts of a leaning die; dice with many facets reach less than `MOST`
STEEPEST = math.radians(30)  # the greatest tilt of a die that slopes from another die down to the wall
ASIDE = 0.6  # radians, at most, by which a die leans past the middle of what it leans on
TRIES = 24  # places to try, of which the first with room enough is taken, or else the one with most room
CENTERED = 0.25  # how often a die lies in the middle of the one beneath
FIRM = 0.5  # mm that the middle of a die is within the facets that it lies on
CLOSE = 0.01  # mm to which dice are moved together

Lying = tuple[DrawnDie, Pose]  # a die and where it lies


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A convex core, `corners` (corners, 3), within a skin `skin` mm thick. `normals` are the directions of the core's
    facets and `edges` those of its edges, each (count, 3) and of length one; of opposite ones one is enough."""

    corners: Matrix
    skin: float
    normals: Matrix
    edges: Matrix

    def reach(self, turn: Matrix, way: Sequence[float] | Matrix) -> float:
        """Return how far it extends from its middle in a direction of length one, when so rotated."""
        return float((self.corners @ turn.T @ np.asarray(way)).max()) + self.skin

    def on_felt(self, x: float, y: float, turn: Matrix) -> Pose:
        """Return the pose in which it touches the felt, when so rotated."""
        return Pose(x, y, self.reach(turn, (0, 0, -1)), turn)


@cache
def body_of(kind: str, size: float) -> Body:
    """Return the body of a thing that can be drawn."""
    shape, half = shapes.solid(kind), size / 2
    corners = shape.corners.astype(float) * (half * (1 - shape.edge))
    normals = shape.normals.astype(float)
    on = np.abs(shape.corners @ shape.normals.T - shape.far) < 1e-4
    one, other = np.nonzero(np.triu(on.astype(int) @ on.T.astype(int) >= 2, 1))
    edges = corners[other] - corners[one]
    return Body(corners, half * shape.edge, _halved(normals), _halved(edges))


def _halved(ways: Matrix) -> Matrix:
    """Return directions, scaled to length one, without those that others oppose or repeat."""
    ways = ways / np.linalg.norm(ways, axis=1)[:, None]
    first = np.abs(ways @ ways.T) > 1 - 1e-6
    return np.asarray(ways[first.argmax(axis=1) == np.arange(len(ways))])


def gap(one: Lying, other: Lying) -> float:
    """Return the gap between two things, negative where they overlap. Where rounded corners are closest it is up to a
    tenth of the rounding too small."""
    (mine, pose), (its, there) = ((body_of(die.kind, die.size), pose) for die, pose in (one, other))
    way = np.array([there.x - pose.x, there.y - pose.y, there.z - pose.z])
    away = float(np.linalg.norm(way))
    far = [np.linalg.norm(body.corners, axis=1).max() + body.skin for body in (mine, its)]
    if away > sum(far) + GAP:
        return away - float(sum(far))
    points, others = mine.corners @ pose.turn.T, its.corners @ there.turn.T + way
    facets = np.vstack([mine.normals @ pose.turn.T, its.normals @ there.turn.T])
    crossed = np.cross((mine.edges @ pose.turn.T)[:, None], its.edges @ there.turn.T).reshape(-1, 3)
    between = (others[:, None] - points).reshape(-1, 3) if mine.skin + its.skin else way[None]
    axes = np.vstack([facets, crossed, between])
    length = np.linalg.norm(axes, axis=1)
    axes = axes[length > 1e-6] / length[length > 1e-6, None]
    here, beyond = points @ axes.T, others @ axes.T
    apart = np.maximum(beyond.min(axis=0) - here.max(axis=0), here.min(axis=0) - beyond.max(axis=0))
    return float(apart.max()) - mine.skin - its.skin


def tilt(kind: str, turn: Matrix) -> float:
    """Return the angle, in radians, by which a thing so rotated is tilted from its nearest way to lie flat."""
    return math.acos(min(1.0, float((shapes.solid(kind).normals @ turn[2]).max())))


def on_wall(die: DrawnDie, inner: tuple[float, float], lying: Sequence[Lying], rng: Random) -> Pose:
    """Return how a die leans on one of the walls, apart from the dice that lie there. `inner` is the tray's width and
    depth."""

    def lean() -> Pose:
        axis, side = rng.randrange(2), rng.choice((-1, 1))
        way = [0.0, 0.0, 0.0]
        way[axis] = side
        turn = _leaning(die, math.atan2(way[1], way[0]), rng)
        body = body_of(die.kind, die.size)
        spot = [0.0, 0.0]
        spot[axis] = side * (inner[axis] / 2 - body.reach(turn, way))
        along = inner[1 - axis] / 2 - die.size
        spot[1 - axis] = rng.uniform(-along, along)
        return body.on_felt(spot[0], spot[1], turn)

    return _roomy(lean, lambda pose: _room((die, pose), inner, lying))


def on_die(die: DrawnDie, base: Lying, inner: tuple[float, float], others: Sequence[Lying], rng: Random) -> Pose:
    """Return how a die leans on `base`, a flat die, apart from the `others` and within the walls."""

    def lean() -> Pose:
        turn = _leaning(die, way := rng.uniform(0, math.tau), rng)
        side = rng.uniform(-0.3, 0.3) * base[0].size
        x, y = base[1].x - math.sin(way) * side, base[1].y + math.cos(way) * side

        def at(away: float) -> Pose:
            return body_of(die.kind, die.size).on_felt(x - math.cos(way) * away, y - math.sin(way) * away, turn)

        return _until_contact(at, lambda pose: gap((die, pose), base), 2 * (die.size + base[0].size))

    return _roomy(lean, lambda pose: _room((die, pose), inner, others))


def flat_on(
    die: DrawnDie, value: int, base: Lying, inner: tuple[float, float], others: Sequence[Lying], rng: Random
) -> Pose:
    """Return how a die lies flat on `base`, a flat die, with a facet up: in its middle or off it, but so that it does
    not fall, and reaches neither over the `others` nor beyond the walls if it can be helped."""
    under, pose = base
    turn = shapes.lying(die.kind, value, rng.uniform(0, math.tau))
    top, bottom = _level(under, pose.turn, 1), _level(die, turn, -1)
    middle = Pose(pose.x, pose.y, pose.z + (under.size + die.size) / 2, turn)
    if rng.random() < CENTERED:
        return middle
    for _ in range(TRIES):
        x, y = (rng.uniform(-under.size, under.size) / 2 for _ in range(2))
        if _within(top, x, y) > FIRM and _within(bottom, -x, -y) > FIRM:
            off = replace(middle, x=pose.x + x, y=pose.y + y)
            if _room((die, off), inner, others) > -CLOSE:
                return off
    return middle


def over_edge(
    die: DrawnDie, base: Lying, inner: tuple[float, float], others: Sequence[Lying], rng: Random
) -> tuple[Pose, Pose] | None:
    """Return how a die lies tilted over the edge of `base`, which lies as flat as it did but beside a wall, and slopes
    down to that wall: the poses of both, base first. None where there is no room."""
    under, lies = base
    body = body_of(die.kind, die.size)
    for _ in range(TRIES):
        axis, side = rng.randrange(2), rng.choice((-1, 1))
        way = np.eye(3)[axis] * side
        turn = _leaning(die, math.atan2(way[1], way[0]) + math.pi, rng, STEEPEST)
        spun = physics.spin(rng.uniform(0, math.tau)) @ lies.turn
        away = inner[axis] / 2 - body.reach(turn, way)
        edge = float((_level(under, spun, 1) @ way[:2]).max())
        # Its middle is beyond the edge: it would fall, were it not for the wall.
        lower = away - edge - rng.uniform(0.04, 0.2) * die.size
        along = inner[1 - axis] / 2 - under.size
        spot, above = np.zeros(2), np.zeros(2)
        spot[axis], above[axis] = side * lower, side * away
        spot[1 - axis] = rng.uniform(-along, along)
        above[1 - axis] = spot[1 - axis] + rng.uniform(-0.2, 0.2) * die.size
        flat = Pose(float(spot[0]), float(spot[1]), lies.z, spun)
        x, y = map(float, above)

        def at(high: float, x: float = x, y: float = y, turn: Matrix = turn) -> Pose:
            return Pose(x, y, high, turn)

        def clear(pose: Pose, flat: Pose = flat) -> float:
            return gap((die, pose), (under, flat))

        if clear(at(0.0)) > 0:
            continue
        upper = _until_contact(at, clear, 2 * (die.size + under.size))
        high = upper.z - body.reach(turn, (0, 0, -1))
        if high > 1 and min(_room(one, inner, others) for one in ((under, flat), (die, upper))) > -CLOSE:
            return flat, upper
    return None


def _leaning(die: DrawnDie, way: float, rng: Random, most: float = MOST) -> Matrix:
    """Return a random rotation of a die that would fall, about, toward the direction `way`, in radians."""
    while True:
        flat = shapes.lying(die.kind, rng.randint(1, shapes.faces(die.kind)), rng.uniform(0, math.tau))
        turn = physics.rotation((0, 1, 0), rng.uniform(LEAST, most)) @ flat
        if tilt(die.kind, turn) < LEAST:
            continue  # this far over it nearly lies on the next facet
        spots = body_of(die.kind, die.size).corners @ turn.T
        x, y, _ = -spots[spots[:, 2] < spots[:, 2].min() + 0.02 * die.size].mean(axis=0)
        return np.asarray(physics.spin(way - math.atan2(y, x) + rng.uniform(-ASIDE, ASIDE)) @ turn)


def _level(die: DrawnDie, turn: Matrix, side: int) -> Matrix:
    """Return the corners (corners, 2) of the flat part of a lying die's top facet (`side` 1) or bottom (-1), seen from
    its middle."""
    spots = body_of(die.kind, die.size).corners @ turn.T
    high = spots[:, 2] * side
    return np.asarray(spots[high > high.max() - 0.01 * die.size][:, :2])


def _within(corners: Matrix, x: float, y: float) -> float:
    """Return how far a point is within a polygon; negative outside."""
    return float(cv2.pointPolygonTest(cv2.convexHull(corners.astype(np.float32)), (x, y), True))


def _until_contact(at: Callable[[float], Pose], clear: Callable[[Pose], float], far: float) -> Pose:
    """Return the pose closest to `at(0)`, where things overlap, in which they no longer do; in `at(far)` they do
    not."""
    near = 0.0
    while far - near > CLOSE:
        middle = (near + far) / 2
        near, far = (near, middle) if clear(at(middle)) >= 0 else (middle, far)
    return at(far)


def _room(one: Lying, inner: tuple[float, float], others: Sequence[Lying]) -> float:
    """Return the gap from a thing to the nearest wall, or what the gap to the nearest other thing has above `GAP`."""
    die, pose = one
    body = body_of(die.kind, die.size)
    walls = [
        side / 2 - abs(place) - body.reach(pose.turn, way)
        for side, place, axis in zip(inner, (pose.x, pose.y), np.eye(3), strict=False)
        for way in (axis * math.copysign(1, place),)
    ]
    return min([*walls, *(gap(one, other) - GAP for other in others)])


def _roomy(lean: Callable[[], Pose], room: Callable[[Pose], float]) -> Pose:
    """Return the first of a few random poses that has room, or else the one with most. It may touch a wall."""
    tried: list[tuple[float, Pose]] = []
    while len(tried) < TRIES and not (tried and tried[-1][0] > -CLOSE):
        pose = lean()
        tried.append((room(pose), pose))
    return max(tried, key=lambda one: one[0])[1]
