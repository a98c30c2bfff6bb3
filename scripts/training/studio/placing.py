"""Place trays and dice: flat, leaning, stacked, cut off or covered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

import cv2
import numpy as np

from scripts.training.studio import bodies, cameras, things
from scripts.training.studio.bodies import Body
from scripts.training.studio.dice import StudioDie
from scripts.training.studio.things import Limb, Thing
from vision.dice.polyhedra import Matrix
from vision.synthetic.paint import Lens
from vision.synthetic.physics import RigidPose, axis_rotation, vertical_rotation
from vision.synthetic.shapes import lying_rotation

Way = tuple[float, float]


class NoRoomError(RuntimeError):
    """The scene doesn't fit. Another attempt may succeed."""


@dataclass(frozen=True)
class Placed:
    """A die in a scene. `rests` is its support: "ground", "wall", "die" or "thing"."""

    die: StudioDie
    pose: RigidPose
    rests: str = "ground"
    tilt: float = 0.0
    below: int | None = None  # index of the die below


@dataclass(frozen=True, slots=True)
class Tray:
    """A tray, in mm: vertices of its inside, counterclockwise, height and thickness of its walls, and their outward
    slant."""

    corners: tuple[Way, ...]
    high: float
    thick: float
    slant: float

    @property
    def walls(self) -> list[tuple[Matrix, float]]:
        """Outward normal (2) and distance from the origin of each wall, at the ground."""
        found = []
        for (x, y), (a, b) in zip(self.corners, self.corners[1:] + self.corners[:1], strict=True):
            normal = np.array([b - y, x - a]) / math.hypot(a - x, b - y)
            found.append((normal, float(normal @ (x, y))))
        return found

    @property
    def rim(self) -> Matrix:
        """Outer vertices of the walls' top edge, (corners, 3)."""
        inside = np.array([(x, y, 0.0) for x, y in self.corners])
        edge = 1 + (self.slant + self.thick) / np.linalg.norm(inside[:, :2], axis=1).mean()
        return np.asarray(inside * [edge, edge, 0] + [0, 0, self.high])


@dataclass
class Scene:
    """One image to render. `reason` is the doubt that a perfect reader has, or None; for glare it depends on the image.
    `motion` is the displacement of each die during the exposure, in mm right and down."""

    name: str
    camera: cameras.Camera
    tray: Tray | None
    dice: list[Placed] = field(default_factory=list)
    things: list[tuple[Thing, RigidPose]] = field(default_factory=list)
    hand: tuple[list[Limb], list[Limb]] | None = None
    reason: str | None = None
    motion: list[Way] = field(default_factory=list)
    lamp_at: tuple[float, float, float] | None = None  # where a lamp must be for glare on a die

    @property
    def lens(self) -> Lens:
        return self.camera.lens

    def all_bodies(self) -> list[tuple[Body, RigidPose]]:
        """Return all bodies that dice may touch."""
        return [(one.die.body, one.pose) for one in self.dice] + [(one.body, pose) for one, pose in self.things]


def silhouette(lens: Lens, points: Matrix) -> Matrix:
    """Return the outline (corners, 2), in pixels, of a convex body with these points."""
    return np.asarray(cv2.convexHull(lens.project_points(points))[:, 0], float)


def share_in_picture(lens: Lens, outline: Matrix) -> float:
    """Return the share of an outline's area that is inside the image."""
    wide, tall = lens.size
    frame = np.array([(-0.5, -0.5), (wide - 0.5, -0.5), (wide - 0.5, tall - 0.5), (-0.5, tall - 0.5)], np.float32)
    area, _ = cv2.intersectConvexConvex(outline.astype(np.float32), frame)
    return float(area) / max(cv2.contourArea(outline.astype(np.float32)), 1e-6)


class Builder:
    """Fills one scene. `make` returns the next die."""

    def __init__(self, rng: Random, scene: Scene, make: Callable[[], StudioDie]) -> None:
        self.rng, self.scene, self.make = rng, scene, make

    # --- flat dice

    def flat_turn(self, die: StudioDie) -> Matrix:
        """Sample the rotation of a flat die, with a random facet up."""
        tile = self.rng.randrange(len(die.shape.tile))
        return lying_rotation(die.kind, tile + 1, self.rng.uniform(0, math.tau))

    def fits(self, body: Body, pose: RigidPose, *, apart: float = 1.0, whole: bool = True) -> bool:
        """True if a body in this pose is in the image and the tray, and at least `apart` mm from everything else."""
        spread = bodies.world(body, pose)
        if whole:
            spots = self.scene.lens.project_points(spread)
            margin = 4
            if spots.min() < margin or (spots > np.array(self.scene.lens.size) - 1 - margin).any():
                return False
        if self.scene.tray and any((spread[:, :2] @ n).max() > far - 0.3 for n, far in self.scene.tray.walls):
            return False
        middle, reach = spread[:, :2].mean(axis=0), np.linalg.norm(body.points, axis=1).max()
        for other, there in self.scene.all_bodies():
            room = reach + np.linalg.norm(other.points, axis=1).max() + apart
            if math.hypot(middle[0] - there.x, middle[1] - there.y) > room:
                continue
            # Its support is in contact, so allow a small overlap.
            points = other.points * (1.02 if apart > 0 else 0.98)
            grown = replace(other, far=other.far + apart, ball=other.ball + apart, points=points)
            if bodies.touch(body, pose, grown, there):
                return False
        return True

    def spot(self, body: Body, turn: Matrix, *, apart: float = 1.0, near: float = 1.0) -> RigidPose:
        """Find a free pose of a rotated body. `near` limits its distance from the center, as a share of the image."""
        wide = self.scene.lens.view / 2
        tall = wide * self.scene.lens.size[1] / self.scene.lens.size[0]
        for _ in range(60):
            x, y = (self.rng.uniform(-half, half) * near for half in (wide, tall))
            pose = bodies.resting(body, turn, x, y)
            if self.fits(body, pose, apart=apart):
                return pose
        raise NoRoomError("no free place")

    def put(self, die: StudioDie, pose: RigidPose, rests: str = "ground", below: int | None = None) -> int:
        """Place a die and return its index."""
        tilt = bodies.tilt(die.shape.normals, pose.turn)
        self.scene.dice.append(Placed(die, pose, rests, tilt, below))
        return len(self.scene.dice) - 1

    def flat(self, near: float = 1.0) -> int:
        """Place a die flat, apart from all others."""
        die = self.make()
        return self.put(die, self.spot(die.body, self.flat_turn(die), near=near))

    def slid(self, body: Body, turn: Matrix, toward: tuple[Body, RigidPose], way: Way, floor: float = 0.0) -> RigidPose:
        """Slide a rotated body along the ground in the direction `way` until it touches another."""
        start = np.linalg.norm(toward[0].points, axis=1).max() + np.linalg.norm(body.points, axis=1).max() + 1
        aside = self.rng.uniform(-0.25, 0.25) * start
        x, y = toward[1].x - way[0] * start - way[1] * aside, toward[1].y - way[1] * start + way[0] * aside
        pose = bodies.until_contact(body, bodies.resting(body, turn, x, y, floor), (*way, 0.0), [toward], 2 * start)
        if pose is None:
            raise NoRoomError("no contact")
        return pose

    def against_wall(self, body: Body, turn: Matrix, gap: float) -> tuple[RigidPose, Matrix]:
        """Return a pose `gap` mm from a visible wall, and the wall's outward normal."""
        if self.scene.tray is None:
            raise NoRoomError("no wall")
        walls = self.scene.tray.walls
        for _ in range(30):
            number = self.rng.randrange(len(walls))
            normal, _ = walls[number]
            one = np.array(self.scene.tray.corners[number])
            other = np.array(self.scene.tray.corners[(number + 1) % len(walls)])
            there = one + (other - one) * self.rng.uniform(0.1, 0.9)
            turned = turn if gap else vertical_rotation(math.atan2(normal[1], normal[0])) @ turn
            reach = float((body.points @ turned.T)[:, :2].dot(normal).max())
            x, y = there - normal * (reach + gap)
            pose = bodies.resting(body, turned, float(x), float(y))
            points = bodies.world(body, pose)
            spots = self.scene.lens.project_points(points)
            inside = all((points[:, :2] @ n).max() < f + 0.01 for n, f in walls)
            if inside and spots.min() > 3 and (spots < np.array(self.scene.lens.size) - 4).all():
                return pose, normal
        raise NoRoomError("no wall in sight")

    # --- dice in trouble

    def leaning_turn(self, die: StudioDie, tilt: float) -> Matrix:
        """Return the rotation of a die on an edge of its lowest facet, lifted by `tilt` degrees on the side of x >
        0."""
        turn = self.flat_turn(die)
        corners = die.shape.corners @ turn.T
        low = corners[corners[:, 2] < corners[:, 2].min() + 1e-3]
        middle = low.mean(axis=0)
        order = np.arctan2(low[:, 1] - middle[1], low[:, 0] - middle[0]).argsort()
        low = low[order]
        first = self.rng.randrange(len(low))
        along = low[(first + 1) % len(low)] - low[first]
        inward = np.array([-along[1], along[0]])
        inward *= np.sign(inward @ (middle - low[first])[:2])
        level = vertical_rotation(-math.atan2(inward[1], inward[0])) @ turn
        leaning = axis_rotation((0, -1, 0), math.radians(tilt)) @ level
        if abs(bodies.tilt(die.shape.normals, leaning) - tilt) > 0.5:
            raise NoRoomError("a die of this kind cannot lean so far")
        return np.asarray(leaning)

    def lean(self, tilt: float, on: str) -> None:
        """Place a die that leans on a wall, a die or a thing."""
        rng, die = self.rng, self.make()
        turn = vertical_rotation(math.radians(rng.uniform(-30, 30) if rng.random() < 0.5 else 0)) @ self.leaning_turn(
            die, tilt
        )
        if on == "wall":
            pose, _ = self.against_wall(die.body, turn, 0.0)
            if not self.fits(replace(die.body, points=die.body.points * 0.97), pose):
                raise NoRoomError("not free")
            self.put(die, pose, "wall")
            return
        way = rng.uniform(0, math.tau)
        turn = vertical_rotation(way) @ turn
        if on == "die":
            other = self.scene.dice[self.flat(near=0.7)]
            support = (other.die.body, other.pose)
        else:
            lifted = die.size * 0.8 * math.sin(math.radians(tilt))
            thing = things.invent(
                rng, rng.choice(("coin", "token", "card", "pen", "eraser")), lifted * rng.uniform(0.4, 0.9)
            )
            at = self.spot(thing.body, vertical_rotation(rng.uniform(0, math.tau)), near=0.8)
            self.scene.things.append((thing, at))
            support = (thing.body, at)
        pose = self.slid(die.body, turn, support, (math.cos(way), math.sin(way)))
        if not self.fits(die.body, pose, apart=-0.2):
            raise NoRoomError("not free")
        self.put(die, pose, on)

    def stack(self) -> None:
        """Place a die on another, with part of the lower one visible."""
        base = self.flat(near=0.8)
        lower, die, rng = self.scene.dice[base], self.make(), self.rng
        way, away = rng.uniform(0, math.tau), rng.uniform(0.08, 0.5) * lower.die.size
        turn = self.flat_turn(die)
        high = bodies.resting(
            die.body, turn, lower.pose.x + away * math.cos(way), lower.pose.y + away * math.sin(way), 60
        )
        pose = bodies.until_contact(die.body, high, (0, 0, -1), [(lower.die.body, lower.pose)], 70)
        if pose is None:
            raise NoRoomError("fell beside")
        self.put(die, pose, "die", base)

    def cut_off(self) -> None:
        """Place a die of which 25 to 75 % are inside the image."""
        rng, die = self.rng, self.make()
        turn, wanted = self.flat_turn(die), rng.uniform(0.27, 0.73)
        way = rng.choice((0, 1, 2, 3)) * math.pi / 2 + rng.uniform(-0.5, 0.5)
        aside, reach = rng.uniform(-0.3, 0.3) * self.scene.lens.view, self.scene.lens.view * 1.3
        near, far = 0.0, reach
        for _ in range(22):
            away = (near + far) / 2
            x, y = away * math.cos(way) - aside * math.sin(way), away * math.sin(way) + aside * math.cos(way)
            pose = bodies.resting(die.body, turn, x, y)
            share = share_in_picture(self.scene.lens, silhouette(self.scene.lens, bodies.world(die.body, pose)))
            near, far = (away, far) if share > wanted else (near, away)
        if abs(share - wanted) > 0.02 or not self.fits(die.body, pose, whole=False):
            raise NoRoomError("not free")
        self.put(die, pose)

    def cover(self) -> None:
        """Hold a hand over a die."""
        rng, one = self.rng, self.scene.dice[self.flat(near=0.6)]
        way, miss = rng.uniform(0, math.tau), rng.uniform(-0.3, 1.0) * one.die.size
        high = one.die.size * rng.uniform(1.15, 1.9)
        aside = rng.uniform(-0.8, 0.8) * one.die.size
        tip = (one.pose.x + miss * math.cos(way) - aside * math.sin(way),
               one.pose.y + miss * math.sin(way) + aside * math.cos(way), high)  # fmt: skip
        self.scene.hand = things.hand(rng, tip, way)

    def clutter(self, many: int) -> None:
        """Place things among the dice."""
        for _ in range(many):
            thing = things.invent(self.rng)
            pose = self.spot(thing.body, vertical_rotation(self.rng.uniform(0, math.tau)))
            self.scene.things.append((thing, pose))

    def shine_back(self) -> None:
        """Polish the first die and request a lamp whose reflection on its top hits the lens."""
        one = replace(self.scene.dice[0], die=replace(self.scene.dice[0].die, rough=self.rng.uniform(0.06, 0.2)))
        self.scene.dice[0] = one
        top = np.array([one.pose.x, one.pose.y, one.pose.z + one.die.size / 2])
        way = self.scene.lens.camera_position - top
        way = way * (-1, -1, 1) / np.linalg.norm(way) * self.rng.uniform(350, 700)
        jitter = [self.rng.uniform(-0.04, 0.04) * 500 for _ in range(2)]
        spot = top + way + (*jitter, 0)
        self.scene.lamp_at = (float(spot[0]), float(spot[1]), float(spot[2]))
