"""One die in the drawn tray: what it shows, its way there, and its picture once it lies."""

import math
from dataclasses import dataclass, field
from random import Random

import numpy as np

from vision.dice.polyhedra import Floats
from vision.drawn import leaning, paint, physics, shapes, solids
from vision.drawn.paint import Lens, Patch
from vision.drawn.shapes import MARKS
from vision.drawn.solids import DrawnDie, Glare
from vision.reading import Face

# What rulebooks call kinds of dice that differ only in looks.
SAME = {"numeral": "d6", "d100": "d10", "tetrakis": "d24"}


READ = ("d6", *MARKS)  # the kinds that have a value to read


@dataclass(slots=True, eq=False)
class Thing:
    """A die in the tray and its way there. `facet` is the value on top, None where nobody could name it."""

    die: DrawnDie
    facet: int | None
    track: physics.Track
    start: float
    mark: str | None = None
    glare: Glare | None = None
    above: list["Thing"] = field(default_factory=list)
    gone: float = math.inf
    painted: Patch | None = field(default=None, repr=False)
    shaded: int = 0

    @property
    def value(self) -> Face | None:
        """What it shows, in the terms of rulebooks."""
        if self.die.kind == "pitch" and self.facet is not None:
            return MARKS["pitch"][self.facet - 1]
        return self.facet

    def cover(self, above: "Thing") -> None:
        """Note that another die comes to lie on it."""
        self.facet, self.mark = None, "covered"
        self.above.append(above)

    def shows(self, value: Face) -> bool:
        """True if it shows this value, as its facet's number or as its letter."""
        return value in (self.facet, self.value)

    def rests(self, now: float) -> bool:
        """True if it lies still at `now` seconds."""
        return now >= self.start + self.track.seconds

    @property
    def lying(self) -> leaning.Lying:
        """The die, and where it comes to rest."""
        return self.die, self.place

    @property
    def place(self) -> physics.Pose:
        """Where it comes to rest."""
        return self.track.pose(math.inf)

    def corners(self, pose: physics.Pose) -> Floats:
        """Return its corners, in mm; those of rounded dice a little inside."""
        shape = shapes.solid(self.die.kind)
        much = self.die.size / 2 * (0.92 if shape.edge > 0.1 else 1.0)
        return np.asarray(shape.corners @ pose.turn.T * much + (pose.x, pose.y, pose.z), np.float32)

    def rest(self, lens: Lens, now: float) -> Patch:
        """Return the die as it lies at `now` seconds, painted once, and again when a die comes to lie on it."""
        above = [thing for thing in self.above if thing.rests(now)]
        if self.painted is None or self.shaded != len(above):
            self.shaded = len(above)
            swirl = float(self.track.spots[-1].sum())
            self.painted = solids.draw(lens, self.place, self.die, glare=self.glare, swirl=swirl)
            for thing in above:
                dark = paint.shadow(lens, thing.corners(thing.place), floor=self.die.size)
                dark.at(dark.left - self.painted.left, dark.top - self.painted.top).onto(self.painted.colour)
        return self.painted


def facet_of(die: DrawnDie, value: Face, rng: Random) -> int:
    """Return the value of a facet that shows `value`: of a pitching die's two facets with a letter, either. Raises
    ValueError for a kind without values, and for a value that the kind does not have."""
    if die.kind not in READ:
        raise ValueError(f"A {die.kind} has no value.")
    if die.kind == "pitch" and value in MARKS["pitch"]:
        return rng.choice([facet for facet, mark in enumerate(MARKS["pitch"], start=1) if mark == value])
    if not isinstance(value, int) or not 1 <= value <= shapes.faces(die.kind):
        raise ValueError(f"A {die.kind} cannot show {value}.")
    return value
