"""Sample poses of dice that lean on a wall or on each other, or are stacked.

A die is a convex core with a skin. The rounded edges of a cube are its skin; other dice have none. Lengths are in
millimeters, and positions are those of `physics.RigidPose`. Friction is not simulated, but a die always leans to the
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
from vision.synthetic import physics, shapes
from vision.synthetic.physics import MIN_GAP_MM, RigidPose
from vision.synthetic.solids import SyntheticDie

MIN_LEAN_RAD = math.radians(12)  # minimum tilt of a leaning die
MAX_LEAN_RAD = math.radians(45)  # maximum tilt; dice with many facets don't reach it
MAX_SLOPE_RAD = math.radians(30)  # maximum tilt of a die that slopes from another die down to a wall
MAX_SIDEWAYS_LEAN_RAD = 0.6  # maximum offset of the lean direction from the center of the support
MAX_PLACE_TRIES = 24  # positions to try; the first with enough room is chosen, else the one with most
CENTERED_PROBABILITY = 0.25  # probability that a stacked die is centered
MIN_SUPPORT_MM = 0.5  # minimum distance of a stacked die's center from the edges of the contact facets
CONTACT_TOLERANCE_MM = 0.01  # tolerance of the search for contact

DieAtPose = tuple[SyntheticDie, RigidPose]  # a die and its pose


@dataclass(frozen=True, slots=True, eq=False)
class CollisionShape:
    """A convex core with a skin: the core's vertices (corners, 3), the skin's thickness, and unit vectors (count, 3) of
    the core's facets and edges, without opposites."""

    corners: Matrix
    skin: float
    normals: Matrix
    edges: Matrix

    def support_distance(self, turn: Matrix, way: Sequence[float] | Matrix) -> float:
        """Return the support function: its extent in a unit direction, rotated by `turn`."""
        return float((self.corners @ turn.T @ np.asarray(way)).max()) + self.skin

    def pose_on_felt(self, x: float, y: float, turn: Matrix) -> RigidPose:
        """Return the pose in which it touches the felt, rotated by `turn`."""
        return RigidPose(x, y, self.support_distance(turn, (0, 0, -1)), turn)


@cache
def collision_shape(kind: str, size: float) -> CollisionShape:
    shape, half = shapes.solid_of_kind(kind), size / 2
    corners = shape.corners.astype(float) * (half * (1 - shape.edge))
    normals = shape.normals.astype(float)
    on = np.abs(shape.corners @ shape.normals.T - shape.far) < 1e-4
    one, other = np.nonzero(np.triu(on.astype(int) @ on.T.astype(int) >= 2, 1))
    edges = corners[other] - corners[one]
    return CollisionShape(corners, half * shape.edge, _unique_axes(normals), _unique_axes(edges))


def _unique_axes(ways: Matrix) -> Matrix:
    """Normalize directions and drop parallel ones."""
    ways = ways / np.linalg.norm(ways, axis=1)[:, None]
    first = np.abs(ways @ ways.T) > 1 - 1e-6
    return np.asarray(ways[first.argmax(axis=1) == np.arange(len(ways))])


def gap_between(one: DieAtPose, other: DieAtPose) -> float:
    """Return the gap between two dice by the separating axis theorem, negative if they overlap. Between rounded corners
    it is up to a tenth of the radius too small."""
    (mine, pose), (its, there) = ((collision_shape(die.kind, die.size), pose) for die, pose in (one, other))
    way = np.array([there.x - pose.x, there.y - pose.y, there.z - pose.z])
    away = float(np.linalg.norm(way))
    far = [np.linalg.norm(body.corners, axis=1).max() + body.skin for body in (mine, its)]
    if away > sum(far) + MIN_GAP_MM:
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


def tilt_angle(kind: str, turn: Matrix) -> float:
    return math.acos(min(1.0, float((shapes.solid_of_kind(kind).normals @ turn[2]).max())))


def pose_on_wall(die: SyntheticDie, inner: tuple[float, float], lying: Sequence[DieAtPose], rng: Random) -> RigidPose:
    """Sample a pose of a die on a wall, away from `lying` dice. `inner` is the tray's width and depth."""

    def random_pose() -> RigidPose:
        axis, side = rng.randrange(2), rng.choice((-1, 1))
        way = [0.0, 0.0, 0.0]
        way[axis] = side
        turn = _random_leaning_rotation(die, math.atan2(way[1], way[0]), rng)
        body = collision_shape(die.kind, die.size)
        spot = [0.0, 0.0]
        spot[axis] = side * (inner[axis] / 2 - body.support_distance(turn, way))
        along = inner[1 - axis] / 2 - die.size
        spot[1 - axis] = rng.uniform(-along, along)
        return body.pose_on_felt(spot[0], spot[1], turn)

    return _roomiest_pose(random_pose, lambda pose: _free_gap((die, pose), inner, lying))


def pose_on_die(
    die: SyntheticDie, base: DieAtPose, inner: tuple[float, float], others: Sequence[DieAtPose], rng: Random
) -> RigidPose:
    """Sample a pose of a die leaning on the flat die `base`, away from the `others` and within the walls."""

    def random_pose() -> RigidPose:
        turn = _random_leaning_rotation(die, way := rng.uniform(0, math.tau), rng)
        side = rng.uniform(-0.3, 0.3) * base[0].size
        x, y = base[1].x - math.sin(way) * side, base[1].y + math.cos(way) * side

        def pose_at(away: float) -> RigidPose:
            return collision_shape(die.kind, die.size).pose_on_felt(
                x - math.cos(way) * away, y - math.sin(way) * away, turn
            )

        return _contact_pose(pose_at, lambda pose: gap_between((die, pose), base), 2 * (die.size + base[0].size))

    return _roomiest_pose(random_pose, lambda pose: _free_gap((die, pose), inner, others))


def flat_pose_on_die(
    die: SyntheticDie, value: int, base: DieAtPose, inner: tuple[float, float], others: Sequence[DieAtPose], rng: Random
) -> RigidPose:
    """Sample a stable flat pose of a die on the flat die `base`, with `value` up. It avoids the `others` and the walls
    if possible."""
    under, pose = base
    turn = shapes.lying_rotation(die.kind, value, rng.uniform(0, math.tau))
    top, bottom = _flat_facet_corners(under, pose.turn, 1), _flat_facet_corners(die, turn, -1)
    middle = RigidPose(pose.x, pose.y, pose.z + (under.size + die.size) / 2, turn)
    if rng.random() < CENTERED_PROBABILITY:
        return middle
    for _ in range(MAX_PLACE_TRIES):
        x, y = (rng.uniform(-under.size, under.size) / 2 for _ in range(2))
        if _distance_inside(top, x, y) > MIN_SUPPORT_MM and _distance_inside(bottom, -x, -y) > MIN_SUPPORT_MM:
            off = replace(middle, x=pose.x + x, y=pose.y + y)
            if _free_gap((die, off), inner, others) > -CONTACT_TOLERANCE_MM:
                return off
    return middle


def poses_over_edge(
    die: SyntheticDie, base: DieAtPose, inner: tuple[float, float], others: Sequence[DieAtPose], rng: Random
) -> tuple[RigidPose, RigidPose] | None:
    """Sample the poses of a flat die `base` near a wall and of a die that slopes from its edge down to that wall.
    Return base first, or None without room."""
    under, lies = base
    body = collision_shape(die.kind, die.size)
    for _ in range(MAX_PLACE_TRIES):
        axis, side = rng.randrange(2), rng.choice((-1, 1))
        way = np.eye(3)[axis] * side
        turn = _random_leaning_rotation(die, math.atan2(way[1], way[0]) + math.pi, rng, MAX_SLOPE_RAD)
        spun = physics.vertical_rotation(rng.uniform(0, math.tau)) @ lies.turn
        away = inner[axis] / 2 - body.support_distance(turn, way)
        edge = float((_flat_facet_corners(under, spun, 1) @ way[:2]).max())
        # Its center is beyond the edge, so only the wall supports it.
        lower = away - edge - rng.uniform(0.04, 0.2) * die.size
        along = inner[1 - axis] / 2 - under.size
        spot, above = np.zeros(2), np.zeros(2)
        spot[axis], above[axis] = side * lower, side * away
        spot[1 - axis] = rng.uniform(-along, along)
        above[1 - axis] = spot[1 - axis] + rng.uniform(-0.2, 0.2) * die.size
        flat = RigidPose(float(spot[0]), float(spot[1]), lies.z, spun)
        x, y = map(float, above)

        def pose_at(high: float, x: float = x, y: float = y, turn: Matrix = turn) -> RigidPose:
            return RigidPose(x, y, high, turn)

        def gap_to_base(pose: RigidPose, flat: RigidPose = flat) -> float:
            return gap_between((die, pose), (under, flat))

        if gap_to_base(pose_at(0.0)) > 0:
            continue
        upper = _contact_pose(pose_at, gap_to_base, 2 * (die.size + under.size))
        high = upper.z - body.support_distance(turn, (0, 0, -1))
        if (
            high > 1
            and min(_free_gap(one, inner, others) for one in ((under, flat), (die, upper))) > -CONTACT_TOLERANCE_MM
        ):
            return flat, upper
    return None


def _random_leaning_rotation(die: SyntheticDie, way: float, rng: Random, most: float = MAX_LEAN_RAD) -> Matrix:
    """Sample the rotation of a die that would fall roughly toward the direction `way`, in radians."""
    while True:
        flat = shapes.lying_rotation(die.kind, rng.randint(1, shapes.facet_count(die.kind)), rng.uniform(0, math.tau))
        turn = physics.axis_rotation((0, 1, 0), rng.uniform(MIN_LEAN_RAD, most)) @ flat
        if tilt_angle(die.kind, turn) < MIN_LEAN_RAD:
            continue  # so close to the next facet that it lies nearly flat
        spots = collision_shape(die.kind, die.size).corners @ turn.T
        x, y, _ = -spots[spots[:, 2] < spots[:, 2].min() + 0.02 * die.size].mean(axis=0)
        return np.asarray(
            physics.vertical_rotation(
                way - math.atan2(y, x) + rng.uniform(-MAX_SIDEWAYS_LEAN_RAD, MAX_SIDEWAYS_LEAN_RAD)
            )
            @ turn
        )


def _flat_facet_corners(die: SyntheticDie, turn: Matrix, side: int) -> Matrix:
    """Return the corners (corners, 2) of the flat top (`side` 1) or bottom (-1), relative to the center."""
    spots = collision_shape(die.kind, die.size).corners @ turn.T
    high = spots[:, 2] * side
    return np.asarray(spots[high > high.max() - 0.01 * die.size][:, :2])


def _distance_inside(corners: Matrix, x: float, y: float) -> float:
    """Return the distance of a point from the edge of a polygon, negative outside."""
    return float(cv2.pointPolygonTest(cv2.convexHull(corners.astype(np.float32)), (x, y), True))


def _contact_pose(at: Callable[[float], RigidPose], clear: Callable[[RigidPose], float], far: float) -> RigidPose:
    """Find the contact pose by bisection between `at(0)`, which overlaps, and `at(far)`, which does not."""
    near = 0.0
    while far - near > CONTACT_TOLERANCE_MM:
        middle = (near + far) / 2
        near, far = (near, middle) if clear(at(middle)) >= 0 else (middle, far)
    return at(far)


def _free_gap(one: DieAtPose, inner: tuple[float, float], others: Sequence[DieAtPose]) -> float:
    """Return the smallest gap to a wall, or to another die beyond `MIN_GAP_MM`."""
    die, pose = one
    body = collision_shape(die.kind, die.size)
    walls = [
        side / 2 - abs(place) - body.support_distance(pose.turn, way)
        for side, place, axis in zip(inner, (pose.x, pose.y), np.eye(3), strict=False)
        for way in (axis * math.copysign(1, place),)
    ]
    return min([*walls, *(gap_between(one, other) - MIN_GAP_MM for other in others)])


def _roomiest_pose(lean: Callable[[], RigidPose], room: Callable[[RigidPose], float]) -> RigidPose:
    """Sample poses until one has room, and return it, or else the one with most. It may touch a wall."""
    tried: list[tuple[float, RigidPose]] = []
    while len(tried) < MAX_PLACE_TRIES and not (tried and tried[-1][0] > -CONTACT_TOLERANCE_MM):
        pose = lean()
        tried.append((room(pose), pose))
    return max(tried, key=lambda one: one[0])[1]
