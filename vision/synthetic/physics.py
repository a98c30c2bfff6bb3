"""Simplified physics of thrown dice, which bounce, roll and come to rest. A throw is computed before its first
frame."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import Matrix

STEP_S = 1 / 240  # time step of stored poses

FRICTION_MM_PER_S2 = 560.0
GRAVITY_MM_PER_S2 = 9810.0
RESTITUTION_FACTOR = 0.6
MIN_GAP_MM = 1.2  # minimum gap between resting dice, so that none touch unless requested


@dataclass(frozen=True, slots=True)
class RigidPose:
    """Pose of a die: its center in millimeters from the tray's center (z up from the felt), and its rotation."""

    x: float
    y: float
    z: float
    turn: Matrix


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The path of a die from hand to rest: `spots` (steps, 3) in millimeters and `turns` (steps, 3, 3)."""

    spots: NDArray[np.float64]
    turns: NDArray[np.float64]

    @property
    def duration_s(self) -> float:
        return (len(self.spots) - 1) * STEP_S

    def pose_after(self, after: float) -> RigidPose:
        """Return the pose `after` seconds from the throw, or the final one."""
        step = round(min(max(after, 0), self.duration_s) / STEP_S)
        x, y, z = self.spots[step]
        return RigidPose(float(x), float(y), float(z), self.turns[step])

    def velocity_after(self, after: float) -> tuple[float, float]:
        """Return the velocity right and down in millimeters per second, or (0, 0) at rest."""
        if not 0 <= after < self.duration_s - STEP_S:
            return 0.0, 0.0
        step = round(after / STEP_S)
        x, y, _ = (self.spots[step + 1] - self.spots[step]) / STEP_S
        return float(x), float(y)


def axis_rotation(axis: tuple[float, float, float], angle: float) -> Matrix:
    """Return the rotation by `angle` radians about `axis`, which need not be normalized."""
    length = math.hypot(*axis)
    x, y, z = (part / length for part in axis)
    # Python floats, because NumPy takes ten times as long for so few.
    sin, rest = math.sin(angle), 1 - math.cos(angle)
    return np.array(
        [
            (1 - rest * (y * y + z * z), rest * x * y - sin * z, rest * x * z + sin * y),
            (rest * x * y + sin * z, 1 - rest * (x * x + z * z), rest * y * z - sin * x),
            (rest * x * z - sin * y, rest * y * z + sin * x, 1 - rest * (x * x + y * y)),
        ]
    )


def vertical_rotation(yaw: float) -> Matrix:
    return axis_rotation((0, 0, 1), yaw)


@dataclass(frozen=True, slots=True, eq=False)
class RigidBody:
    """A body to throw: its `corners` (corners, 3) in millimeters from its center, and its rotation at `rest`."""

    corners: Matrix
    rest: Matrix

    @property
    def clearance_radius(self) -> float:
        """Radius in millimeters of the circle around the resting body that others keep out of."""
        lies = self.corners @ self.rest.T
        return float(np.hypot(lies[:, 0], lies[:, 1]).max()) + MIN_GAP_MM / 2


def simulate_throw(bodies: Sequence[RigidBody], tray: tuple[float, float], rng: Random) -> list[Trajectory]:
    """Simulate a throw of dice that end in their bodies' rest pose, except for a random yaw.

    Dice come in over the lower edge, bounce off walls and each other, and come to rest apart after about a second.
    Deterministic for a given `rng`.

    tray: inner width and depth in millimeters.
    Raises ValueError if the dice don't fit apart.
    """
    radii = np.array([body.clearance_radius for body in bodies])
    half = np.array(tray) / 2
    if (radii**2 * 4).sum() > 0.6 * tray[0] * tray[1]:
        raise ValueError("These dice do not fit apart into this tray.")
    if not bodies:
        return []
    slides = _slide_discs(radii, half, rng)
    rests = [vertical_rotation(rng.uniform(0, 2 * math.pi)) @ body.rest for body in bodies]
    return [
        _add_rolling(slides[:, index], body, rest, rng)
        for index, (body, rest) in enumerate(zip(bodies, rests, strict=True))
    ]


def _slide_discs(radii: NDArray[np.float64], half: NDArray[np.float64], rng: Random) -> NDArray[np.float64]:
    """Simulate the dice as discs (steps, dice, 2) with friction and collisions."""
    count = len(radii)
    aim = rng.uniform(-0.45, 0.45)
    columns = min(count, 3)
    wide = 2.1 * float(radii.max())
    rows = [divmod(index, columns) for index in range(count)]
    places = [
        (
            (column - (columns - 1) / 2) * wide + rng.uniform(-2, 2),
            half[1] + radii.max() + row * wide + rng.uniform(0, 12),
        )
        for row, column in rows
    ]
    spots = np.array(places) - (aim * half[0], 0)
    throws = [(aim + rng.uniform(-0.3, 0.3), rng.uniform(1000, 1450)) for _ in range(count)]
    speeds = np.array([(math.sin(way) * pace, -math.cos(way) * pace) for way, pace in throws])
    inside, limits = np.zeros(count, bool), half - radii[:, None]
    path = [spots.copy()]
    while True:
        pace = np.hypot(speeds[:, 0], speeds[:, 1])
        slower = np.maximum(pace - FRICTION_MM_PER_S2 * STEP_S * inside, 0)
        speeds *= (slower / np.maximum(pace, 1e-9))[:, None]
        spots = spots + speeds * STEP_S
        inside |= spots[:, 1] < half[1] - radii
        pushed = _collide_discs(spots, speeds, radii) | _bounce_off_walls(spots, speeds, limits, inside)
        path.append(spots.copy())
        if inside.all() and not pushed and not slower.any():
            return np.array(path)


def _bounce_off_walls(
    spots: NDArray[np.float64],
    speeds: NDArray[np.float64],
    limits: NDArray[np.float64],
    inside: NDArray[np.bool_],
) -> bool:
    """Reflect discs at the walls, in place. The entry wall is solid for dice that are inside."""
    over = np.abs(spots) > limits
    over[:, 1] &= inside | (spots[:, 1] < 0)
    if not over.any():
        return False
    side = np.sign(spots[over])
    spots[over] = side * limits[over]
    speeds[over] = -side * np.abs(speeds[over]) * RESTITUTION_FACTOR
    return True


def _collide_discs(spots: NDArray[np.float64], speeds: NDArray[np.float64], radii: NDArray[np.float64]) -> bool:
    """Resolve collisions of discs, in place. Return True if there was any."""
    touched = False
    for one in range(len(radii)):
        for other in range(one + 1, len(radii)):
            apart = spots[other] - spots[one]
            gap = math.hypot(*apart) or 1e-6
            near = radii[one] + radii[other] - gap
            if near <= 1e-6:
                continue
            touched = True
            way = apart / gap
            spots[one] -= way * (near / 2)
            spots[other] += way * (near / 2)
            closing = float((speeds[one] - speeds[other]) @ way)
            if closing > 0:
                speeds[one] -= way * closing * (1 + RESTITUTION_FACTOR) / 2
                speeds[other] += way * closing * (1 + RESTITUTION_FACTOR) / 2
    return touched


def _add_rolling(slide: NDArray[np.float64], body: RigidBody, rest: Matrix, rng: Random) -> Trajectory:
    """Add rolling and hops to a sliding disc. Rotations are computed backwards from rest, so that the die rolls as it
    slides and still ends on its value."""
    steps = len(slide)
    moves = np.diff(slide, axis=0)
    stop = int(np.max(np.nonzero(np.hypot(moves[:, 0], moves[:, 1]) > 1e-9)[0], initial=0)) + 1
    slide, way = slide[: stop + 1], moves.tolist()
    turns = np.empty((stop + 1, 3, 3))
    turns[stop] = rest
    twist = rng.uniform(-9, 9)
    radius = 0.88 * (body.clearance_radius - MIN_GAP_MM / 2)
    for step in range(stop - 1, -1, -1):
        x, y = way[step]
        angle = min(math.hypot(x, y) / radius, 0.28)
        left = (stop - step) / steps
        undone = vertical_rotation(-twist * left * STEP_S)
        if angle > 1e-9:
            undone = axis_rotation((-y, x, 0), -angle) @ undone
        turns[step] = undone @ turns[step + 1]
    hop, rise = rng.uniform(20, 45), rng.uniform(-200, 200)
    heights = np.empty(stop + 1)
    # height of the center at which the lowest corner touches the felt
    felt = -(turns[:, 2] @ body.corners.T).min(axis=1)
    for step in range(stop + 1):
        heights[step] = hop + felt[step]
        rise -= GRAVITY_MM_PER_S2 * STEP_S
        hop += rise * STEP_S
        if hop <= 0:
            hop, rise = 0.0, -rise * 0.42 if rise < -150 else 0.0
    # The last hop ends long before the slide, except if that is very short.
    heights[stop] = felt[stop]
    return Trajectory(np.column_stack([slide, heights]), turns)


def bend_trajectory(track: Trajectory, corners: Matrix, end: RigidPose) -> Trajectory:
    """Bend a trajectory to another final pose, with the same rolling and hopping. `corners` (corners, 3) are the die's
    vertices in millimeters from its center. Collisions are not checked."""
    share = np.linspace(0, 1, len(track.spots)) if len(track.spots) > 1 else np.ones(1)
    turns = track.turns @ (track.turns[-1].T @ end.turn)
    felt, before = (-(each[:, 2] @ corners.T).min(axis=1) for each in (turns, track.turns))
    spots = track.spots + _smooth_step(share)[:, None] * (np.array([end.x, end.y, 0]) - track.spots[-1] * (1, 1, 0))
    # Reach the final height early, so that the die comes down onto the die below it.
    spots[:, 2] += felt - before + _smooth_step(np.minimum(share / 0.6, 1)) * (end.z - felt[-1])
    spots[-1] = end.x, end.y, end.z
    return Trajectory(spots, turns)


def _smooth_step(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ease shares from 0 to 1 in and out."""
    return share * share * (3 - 2 * share)
