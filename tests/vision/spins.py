"""A drawn die that spins in place about the vertical and slows down, as a camera with a long exposure sees it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from vision.cameras.frames import Frame, Image
from vision.dice.polyhedra import Matrix
from vision.reading import DieReading, Face
from vision.synthetic import paint, physics, shapes, solids
from vision.synthetic.thing import SceneDie, facet_for_value
from vision.synthetic.tray import SyntheticDie, SyntheticTray

STEP = math.tau / 240  # Angles are rounded to this one, in radians, and each is drawn once.
SLIDE_S = 0.5  # time in which the die slides in from the left, in seconds


@dataclass(frozen=True)
class Spin:
    """How a die spins, and how it is filmed.

    rate, slowing: turns per second as it begins, and how much slower it gets in each second.
    fps, exposure: frames per second, and the share of the time between two frames that each is exposed.
    """

    rate: float
    slowing: float
    fps: float = 30.0
    exposure: float = 1.0

    @property
    def duration_s(self) -> float:
        return self.rate / self.slowing

    def angle(self, after: float) -> float:
        t = min(max(after, 0.0), self.duration_s)
        return math.tau * (self.rate * t - self.slowing * t * t / 2)


@dataclass
class SpinningCamera:
    """A source of frames of an empty tray, then of a die that slides in, spins and stays.

    spot: where it spins, in mm right of and below the tray's center.
    noise: noise of the camera in gray levels. light: brightness.
    seconds: duration of the film.
    after: called with each picture and its time, for shadows and lamps.
    """

    spin: Spin
    value: Face = 5
    die: SyntheticDie = field(default_factory=SyntheticDie)
    spot: tuple[float, float] = (20.0, 10.0)
    noise: float = 2.5
    light: float = 1.0
    seconds: float = 6.0
    after: Callable[[Image, float], Image] = lambda picture, now: picture
    size: tuple[int, int] = (432, 324)
    begins: float = 0.6
    number: int = 0

    def __post_init__(self) -> None:
        self.tray = SyntheticTray(self.size, seed=1, noise=0)
        self._empty = self.tray.render_frame(0.0)
        self._facet = facet_for_value(self.die, self.value, self.tray._rng)
        self._drawn: dict[int, Image] = {}
        self._random = np.random.default_rng(1)

    @property
    def rests_at(self) -> float:
        """When the die has stopped, in seconds."""
        return self.begins + SLIDE_S + self.spin.duration_s

    def read_frame(self) -> Frame | None:
        now = self.number / self.spin.fps
        if now > self.seconds:
            return None
        frame = Frame(self.after(self.picture(now), now), now, self.number, "drawn")
        self.number += 1
        return frame

    def close(self) -> None:
        """Do nothing: no device is held open."""

    def picture(self, now: float) -> Image:
        """Draw what the camera sees at the end of an exposure at `now` seconds."""
        spun = now - self.begins - SLIDE_S
        if now < self.begins:
            seen = self._empty.astype(np.float32)
        elif spun < 0:
            seen = self._draw_die(0.0, 110 * spun / SLIDE_S).astype(np.float32)
        else:
            begin, end = self.spin.angle(spun - self.spin.exposure / self.spin.fps), self.spin.angle(spun)
            steps = max(round((end - begin) / STEP), 1)
            angles = (round((begin + (end - begin) * (k + 0.5) / steps) / STEP) % 240 for k in range(steps))
            seen = np.mean([self._drawn_at(angle) for angle in angles], axis=0, dtype=np.float32)
        grain = self._random.normal(0, self.noise, seen.shape[:2])[..., None]
        return np.clip(seen * self.light + grain, 0, 255).astype(np.uint8)

    def dice_at(self, now: float) -> tuple[DieReading, ...]:
        """What a reader makes of the die: its value at rest, and of a blurred one the pip that stays in the middle."""
        if now < self.begins:
            return ()
        # In the last degrees it moves too little to be seen, and shows its value.
        turns = self.spin.angle(math.inf) - self.spin.angle(now - self.begins - SLIDE_S) > 0.35
        (x, y), wide = self.tray._lens.project_point(*self.spot, 8), self.die.size * self.tray._lens.pixels_per_mm
        box = round(x - wide * 0.6), round(y - wide * 0.6), round(wide * 1.2), round(wide * 1.2)
        return (DieReading("d6", 1 if turns else self.value, self.die.colour, box, 1.0),)

    def _drawn_at(self, angle: int) -> Image:
        if angle not in self._drawn:
            self._drawn[angle] = self._draw_die(angle * STEP)
        return self._drawn[angle]

    def _draw_die(self, angle: float, aside: float = 0.0) -> Image:
        turn: Matrix = physics.vertical_rotation(angle) @ shapes.lying_rotation(self.die.kind, self._facet, 0.0)
        height = shapes.center_height(self.die.kind, self.die.size, turn)
        pose = physics.RigidPose(self.spot[0] + aside, self.spot[1], height, turn)
        track = physics.Trajectory(np.array([[pose.x, pose.y, pose.z]]), turn[None])
        picture, lens = self._empty.copy(), self.tray._lens
        paint.draw_shadow(lens, SceneDie(self.die, self._facet, track, 0.0).corners_at(pose)).paste_onto(picture)
        solids.draw_die(lens, pose, self.die, fine=1.0).paste_onto(picture)
        return picture
