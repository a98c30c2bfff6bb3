"""One die in the synthetic tray: its value, trajectory and sprite."""

import math
from dataclasses import dataclass, field
from random import Random

import numpy as np

from vision.dice.polyhedra import Floats
from vision.reading import Face
from vision.synthetic import leaning, paint, physics, shapes, solids
from vision.synthetic.paint import Lens, Sprite
from vision.synthetic.shapes import FACE_MARKS
from vision.synthetic.solids import GlareSpot, SyntheticDie

# rulebook kinds of dice that differ only in appearance
RULEBOOK_KINDS = {"numeral": "d6", "d100": "d10", "tetrakis": "d24"}


VALUE_KINDS = ("d6", *FACE_MARKS)  # kinds that have a value


@dataclass(slots=True, eq=False)
class SceneDie:
    """A die in the tray and its trajectory. `facet` is the value on top, or None if it is not readable."""

    die: SyntheticDie
    facet: int | None
    track: physics.Trajectory
    start: float
    mark: str | None = None
    glare: GlareSpot | None = None
    above: list["SceneDie"] = field(default_factory=list)
    gone: float = math.inf
    painted: Sprite | None = field(default=None, repr=False)
    shaded: int = 0

    @property
    def face_value(self) -> Face | None:
        """The value on top, in the rulebooks' terms."""
        if self.die.kind == "pitch" and self.facet is not None:
            return FACE_MARKS["pitch"][self.facet - 1]
        return self.facet

    def cover_with(self, above: "SceneDie") -> None:
        self.facet, self.mark = None, "covered"
        self.above.append(above)

    def is_showing(self, value: Face) -> bool:
        """True if it shows this value, as the facet's number or as its letter."""
        return value in (self.facet, self.face_value)

    def is_at_rest(self, now: float) -> bool:
        return now >= self.start + self.track.duration_s

    @property
    def die_and_rest_pose(self) -> leaning.DieAtPose:
        return self.die, self.rest_pose

    @property
    def rest_pose(self) -> physics.RigidPose:
        return self.track.pose_after(math.inf)

    def corners_at(self, pose: physics.RigidPose) -> Floats:
        """Return its vertices in mm, slightly inset for rounded dice."""
        shape = shapes.solid_of_kind(self.die.kind)
        much = self.die.size / 2 * (0.92 if shape.edge > 0.1 else 1.0)
        return np.asarray(shape.corners @ pose.turn.T * much + (pose.x, pose.y, pose.z), np.float32)

    def rest_sprite(self, lens: Lens, now: float) -> Sprite:
        """Return the sprite of the resting die at `now` seconds, cached until another die covers it."""
        above = [thing for thing in self.above if thing.is_at_rest(now)]
        if self.painted is None or self.shaded != len(above):
            self.shaded = len(above)
            swirl = float(self.track.spots[-1].sum())
            self.painted = solids.draw_die(lens, self.rest_pose, self.die, glare=self.glare, swirl=swirl)
            for thing in above:
                dark = paint.draw_shadow(lens, thing.corners_at(thing.rest_pose), floor=self.die.size)
                dark.moved_to(dark.left - self.painted.left, dark.top - self.painted.top).paste_onto(
                    self.painted.colour
                )
        return self.painted


def facet_for_value(die: SyntheticDie, value: Face, rng: Random) -> int:
    """Return a facet that shows this face. Of a pitching die's two facets with a letter, a random one. Raises
    ValueError for a kind without values or a value that the kind doesn't have."""
    if die.kind not in VALUE_KINDS:
        raise ValueError(f"A {die.kind} has no value.")
    if die.kind == "pitch" and value in FACE_MARKS["pitch"]:
        return rng.choice([facet for facet, mark in enumerate(FACE_MARKS["pitch"], start=1) if mark == value])
    if not isinstance(value, int) or not 1 <= value <= shapes.facet_count(die.kind):
        raise ValueError(f"A {die.kind} cannot show {value}.")
    return value
