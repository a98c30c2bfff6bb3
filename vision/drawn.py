"""A dice tray drawn by us: dice thrown by simple physics under a camera that is not there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from vision import paint, tumble
from vision.paint import COLOURS, Image, Lens, Patch
from vision.reading import Box, Die
from vision.sources import CameraError

SHUTTER = 1 / 90
"""Seconds the drawn camera's shutter stays open: fast dice are smeared by as much."""

REACH = 0.22
"""Seconds a hand takes to come in, and to leave."""


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """What one die looks like: plain English `colour` and `pips` (see `paint.COLOURS`) and `size`, its edge in mm.

    Raises ValueError for a kind that cannot be drawn, an unknown colour or a size outside 5 to 40 mm.
    """

    colour: str = "white"
    size: float = 16.0
    pips: str = "black"
    kind: str = "d6"

    def __post_init__(self) -> None:
        if self.kind != "d6":
            raise ValueError(f"Only a d6 can be drawn, not a {self.kind}.")
        for colour in (self.colour, self.pips):
            if colour not in COLOURS:
                raise ValueError(f"No colour is called {colour!r}; there are {', '.join(COLOURS)}.")
        if not 5 <= self.size <= 40:
            raise ValueError(f"A die of {self.size} mm cannot be drawn; 5 to 40 mm can.")


WHITE = DrawnDie()


@dataclass(slots=True, eq=False)
class _Thing:
    """A die in the tray and its way there. `value` is None where a person could not say it either."""

    die: DrawnDie
    value: int | None
    track: tumble.Track
    start: float
    gone: float = math.inf
    _rest: Patch | None = field(default=None, repr=False)

    def rests(self, now: float) -> bool:
        return now >= self.start + self.track.seconds

    def rest(self, lens: Lens) -> Patch:
        """The die as it lies, painted once."""
        if self._rest is None:
            self._rest = paint.die(lens, self.track.pose(math.inf), self.die.size, self.die.colour, self.die.pips)
        return self._rest


class DrawnTray:
    """A tray, its dice, a hand now and then, and the camera straight above.

    `size` is the frame's width and height in pixels; the same `seed` gives the same throws, frame for frame. `felt`
    is the cloth's colour (blue, green, red); `view` is the width the camera sees at the felt in mm, from `height` mm
    above; `rim` is the width of the tray's wooden edge in mm; `noise` is the camera's, in grey levels. The clock is
    the caller's: each call is told `now` in seconds and calls must come in order of time.
    """

    def __init__(
        self,
        size: tuple[int, int] = (640, 480),
        seed: int | None = None,
        *,
        felt: tuple[int, int, int] = (52, 84, 34),
        view: float = 250.0,
        height: float = 430.0,
        rim: float = 9.0,
        noise: float = 2.5,
    ) -> None:
        self.light = 1.0
        """How bright the lamp is, as a factor; 1 is its usual light."""
        self._lens = Lens(size, view, height)
        self._inner = view - 2 * rim, view * size[1] / size[0] - 2 * rim
        self._rng = Random(seed)
        grain = np.random.default_rng(self._rng.getrandbits(32))
        self._felt = paint.felt(self._lens, felt, rim, grain)
        self._grain = paint.Grain(size, noise, grain)
        self._things: list[_Thing] = []
        self._hands: list[tuple[float, float]] = []
        self._plugged = True
        self._still: tuple[list[_Thing], Image] = ([], self._felt)

    def throw(self, now: float, dice: Sequence[DrawnDie], values: Sequence[int] | None = None) -> float:
        """Throw `dice` in over the lower edge; the time, in seconds, when the last of them lies still.

        `values`, 1 to 6 each, are what they show; without them the seed decides. Dice that lay in the tray are taken
        out first, with no hand drawn. Raises ValueError when the dice do not fit apart, or for a value no d6 has.
        """
        if values is None:
            values = [self._rng.randint(1, 6) for _ in dice]
        if len(values) != len(dice) or not all(1 <= value <= 6 for value in values):
            raise ValueError(f"{len(dice)} dice cannot show {list(values)}.")
        tracks = tumble.throw([die.size for die in dice], values, self._inner, self._rng)
        self._things = [_Thing(die, value, track, now) for die, value, track in zip(dice, values, tracks, strict=True)]
        return max((now + thing.track.seconds for thing in self._things), default=now)

    def lay(
        self,
        now: float,
        die: DrawnDie,
        value: int | None,
        x: float,
        y: float,
        *,
        turn: float = 0.0,
        lean: float = 0.0,
        z: float = 0.0,
    ) -> None:
        """Put one die down, at once, `x` mm right of and `y` mm below the tray's middle.

        It shows `value` (None: a random face that does not count), spun by `turn` and leaning by `lean` radians, its
        lowest point `z` mm above the felt. Nothing checks that the place is free.
        """
        pose = tumble.lying(value or self._rng.randint(1, 6), turn)
        pose = tumble.about((math.sin(turn), math.cos(turn), 0), lean) @ pose
        spot = np.array([[x, y, z + tumble.height(pose, die.size)]])
        self._things.append(_Thing(die, value, tumble.Track(spot, pose[None]), now))

    def cock(self, now: float, die: DrawnDie = WHITE) -> None:
        """Put a die down that leans on the tray's wall: no face is up."""
        x, y = self._free(now, die, wall=True)
        side = math.copysign(1, x)
        x = side * (self._inner[0] / 2 - die.size * 0.6)
        self.lay(now, die, None, x, y, turn=0.0 if side > 0 else math.pi, lean=self._rng.uniform(0.5, 0.72))

    def stack(self, now: float, die: DrawnDie = WHITE) -> None:
        """Put a die down on top of one that lies there; into an empty tray both are put."""
        below = [thing for thing in self._here(now) if thing.rests(now) and thing.value is not None]
        if not below:
            x, y = self._free(now, die)
            self.lay(now, die, self._rng.randint(1, 6), x, y, turn=self._rng.uniform(0, math.tau))
            below = self._things[-1:]
        base = below[-1]
        base.value = None
        pose = base.track.pose(math.inf)
        off = self._rng.uniform(0.12, 0.3) * die.size
        way = self._rng.uniform(0, math.tau)
        x, y = pose.x + off * math.cos(way), pose.y + off * math.sin(way)
        self.lay(now, die, self._rng.randint(1, 6), x, y, turn=self._rng.uniform(0, math.tau), z=base.die.size)

    def touch(self, now: float, die: DrawnDie = WHITE) -> None:
        """Put a die down flat against one that lies there; into an empty tray both are put."""
        others = [thing for thing in self._here(now) if thing.rests(now) and thing.value is not None]
        if not others:
            turn = self._rng.uniform(0, math.tau)
            self.lay(now, die, self._rng.randint(1, 6), 0, 0, turn=turn)
            others = self._things[-1:]
        places = [place for other in others for place in self._beside(now, other, die)]
        _, x, y, turn = max(places)
        self.lay(now, die, self._rng.randint(1, 6), x, y, turn=turn)

    def pick_up(self, now: float) -> float:
        """Let a hand take all dice; the time, in seconds, when it is gone again."""
        self.hand(now, 0.9)
        for thing in self._things:
            thing.gone = min(thing.gone, now + 0.45)
        return now + 0.9

    def clear(self) -> None:
        """Take all dice out of the tray, at once and with no hand drawn."""
        self._things = []

    def hand(self, now: float, seconds: float) -> None:
        """Let a hand reach in and cover most of the tray; it is out of the picture again after `seconds`."""
        self._hands.append((now, now + seconds))

    def unplug(self) -> None:
        """Pull the camera's plug: frames fail until it is put back."""
        self._plugged = False

    def plug(self) -> None:
        """Put the camera's plug back."""
        self._plugged = True

    def truth(self, now: float) -> tuple[Die, ...] | None:
        """The dice that lie in the tray, left to right; None while a die moves or a hand is in.

        A die's value is None where nobody could say it: it leans, or another lies on it.
        """
        things = self._here(now)
        if self._hand(now) is not None or not all(thing.rests(now) for thing in things):
            return None
        return tuple(
            sorted(
                (Die(t.die.kind, t.value, t.die.colour, self._box(t.rest(self._lens)), 1.0) for t in things),
                key=lambda die: die.box,
            )
        )

    def frame(self, now: float) -> Image:
        """What the camera sees, (height, width, 3) blue, green, red. Raises CameraError while unplugged."""
        if not self._plugged:
            raise CameraError("The drawn camera is unplugged.")
        lens = self._lens
        moving = [thing for thing in self._here(now) if not thing.rests(now)]
        picture = self._rested(now).copy()
        seen = [(thing, thing.track.pose(now - thing.start)) for thing in moving]
        for thing, pose in seen:
            paint.shadow(lens, pose, thing.die.size).onto(picture)
        for thing, pose in sorted(seen, key=lambda pair: pair[1].z):
            x, y = (pace * lens.scale * SHUTTER for pace in thing.track.speed(now - thing.start))
            die = thing.die
            paint.die(lens, pose, die.size, die.colour, die.pips, fine=0.5, smear=(x, y)).onto(picture)
        if (reach := self._hand(now)) is not None:
            limb = paint.hand(lens)
            sway = 3 * math.sin(9 * now), 2 * math.sin(7 * now)
            limb.at(round(sway[0]), round((1 - reach) * lens.size[1] + sway[1])).onto(picture)
        return self._grain.over(picture, self.light)

    def _here(self, now: float) -> list[_Thing]:
        self._things = [thing for thing in self._things if now < thing.gone]
        return [thing for thing in self._things if now >= thing.start]

    def _hand(self, now: float) -> float | None:
        """How far the hand reaches in, 0 to 1, or None without one."""
        self._hands = [hand for hand in self._hands if now < hand[1]]
        reaches = [min((now - start) / REACH, (end - now) / REACH, 1.0) for start, end in self._hands if now >= start]
        return max(reaches, default=None)

    def _rested(self, now: float) -> Image:
        """The tray with the dice that lie still, painted anew only when their number changes."""
        things = [thing for thing in self._here(now) if thing.rests(now)]
        known, picture = self._still
        if things != known:
            picture = self._felt.copy()
            for thing in sorted(things, key=lambda thing: thing.track.pose(math.inf).z):
                paint.shadow(self._lens, thing.track.pose(math.inf), thing.die.size).onto(picture)
                thing.rest(self._lens).onto(picture)
            self._still = things, picture
        return picture

    def _beside(self, now: float, other: _Thing, die: DrawnDie) -> list[tuple[float, float, float, float]]:
        """The four places flat against the sides of another die: how free each is, x, y and turn."""
        pose = other.track.pose(math.inf)
        # The column of the turn that lies in the felt's plane tells how the die is spun.
        flat = int(np.argmin(np.abs(pose.turn[2])))
        yaw = math.atan2(pose.turn[1, flat], pose.turn[0, flat])
        away = (other.die.size + die.size) / 2
        places = []
        for quarter in range(4):
            way = yaw + quarter * math.pi / 2
            x, y = pose.x + away * math.cos(way), pose.y + away * math.sin(way)
            places.append((self._gap(now, die, x, y, other), x, y, yaw))
        return places

    def _free(self, now: float, die: DrawnDie, *, wall: bool = False) -> tuple[float, float]:
        """The freest of a few random places in the tray, by the left or right wall if so asked."""
        wide, deep = (side / 2 - tumble.room(die.size) for side in self._inner)
        spots = [(self._rng.uniform(-wide, wide), self._rng.uniform(-deep, deep)) for _ in range(40)]
        if wall:
            spots = [(math.copysign(wide, x), y) for x, y in spots]
        return max(spots, key=lambda spot: self._gap(now, die, *spot))

    def _gap(self, now: float, die: DrawnDie, x: float, y: float, but: _Thing | None = None) -> float:
        """Millimetres that a die here would have to the nearest other die `but` one, or to the tray's wall."""
        room = tumble.room(die.size)
        gaps = [side / 2 - abs(place) - room for side, place in zip(self._inner, (x, y), strict=True)]
        for thing in self._here(now):
            if thing is not but:
                pose = thing.track.pose(math.inf)
                gaps.append(math.hypot(pose.x - x, pose.y - y) - room - tumble.room(thing.die.size))
        return min(gaps)

    def _box(self, patch: Patch) -> Box:
        """The part of the frame that the die covers at least by half."""
        rows, columns = np.nonzero(patch.clear[..., 0] < 128)
        left, top = patch.left + int(columns.min()), patch.top + int(rows.min())
        right, bottom = patch.left + int(columns.max()) + 1, patch.top + int(rows.max()) + 1
        return left, top, right - left, bottom - top
