"""A drawn dice tray: dice thrown by simple physics under a simulated camera."""

import math
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal

import numpy as np

from vision.cameras.frames import CameraError
from vision.reading import DieReading, Face, PixelBox
from vision.synthetic import leaning, paint, physics, shapes, solids
from vision.synthetic.paint import Image, Lens, LitScene, Sprite
from vision.synthetic.prints import PrintStyle
from vision.synthetic.solids import GlareSpot, SyntheticDie
from vision.synthetic.thing import RULEBOOK_KINDS, VALUE_KINDS, SceneDie, facet_for_value

__all__ = ["RULEBOOK_KINDS", "GlareSpot", "PrintStyle", "SyntheticDie", "SyntheticTray"]

SHUTTER_TIME_S = 1 / 90  # seconds the drawn camera's shutter stays open, which blurs fast dice
HAND_REACH_S = 0.22  # seconds a hand takes to come in, and to leave


WHITE_DIE = SyntheticDie()
RestKind = Literal["flat", "cocked", "stacked"]  # how a thrown die comes to lie

# How often a die is thrown to find a place apart from the others, and the mm that are enough room.
MAX_TOSSES = 12
ENOUGH_GAP_MM = 2.0
MIN_DICE_BY_REST: dict[RestKind, int] = {"flat": 0, "cocked": 1, "stacked": 2}  # dice that it takes for one to lie so
TILTED_PROBABILITY = 0.4  # how often a stacked die is tilted
AIM_TRIES = 4  # throws of which the one is taken that ends nearest to where a die shall lie
HIDING_GLARE_THRESHOLD = 0.7  # glare brighter than this hides a pip: even a black one is as light as its die


def _clearance_radius(die: SyntheticDie) -> float:
    """Return the radius, in mm, that no other thing enters where a die lies."""
    return shapes.rigid_body(die.kind, die.size).clearance_radius


@lru_cache(8)
def _empty_tray_and_noise(
    lens: Lens, felt: tuple[int, int, int], rim: float, noise: float, seed: int
) -> tuple[Image, paint.CameraNoise]:
    """Return the empty tray and its camera's noise. The last few are kept: one takes a tenth of a second."""
    rng = np.random.default_rng(seed)
    empty = paint.draw_empty_tray(lens, felt, rim, rng)
    empty.flags.writeable = False
    return empty, paint.CameraNoise(lens.size, noise, rng)


class SyntheticTray(LitScene):
    """A tray, its dice, a hand now and then, and the camera above.

    `size` is the frame's width and height in pixels; the same `seed` gives the same throws, frame for frame. `felt` is
    the cloth's color (blue, green, red). `view` is the width the camera sees at the felt in mm, from `height` mm away,
    straight above or tilted by `tilt` degrees, 0 to 60. `rim` is the width of the tray's wooden edge in mm. `noise` is
    the camera's, in gray levels. For its light see `Lit`. The
    caller provides the clock: each call gets `now` in seconds, and calls must come in order of time.
    """

    def __init__(
        self,
        size: tuple[int, int] = (640, 480),
        seed: int | None = None,
        *,
        felt: tuple[int, int, int] = (52, 84, 34),
        view: float = 250.0,
        height: float = 430.0,
        tilt: float = 0.0,
        rim: float = 9.0,
        noise: float = 2.5,
    ) -> None:
        self._lens = Lens(size, view, height, tilt)
        self._inner = view - 2 * rim, view * size[1] / size[0] - 2 * rim
        self._rng = Random(seed)
        self._felt, grain = _empty_tray_and_noise(self._lens, felt, rim, noise, self._rng.getrandbits(32))
        self._grain = grain.copy_from_start()
        self._things: list[SceneDie] = []
        self._hands: list[tuple[float, float]] = []
        self._plugged = True
        self._still: tuple[list[SceneDie], Image] = ([], self._felt)

    def throw_dice(
        self,
        now: float,
        dice: Sequence[SyntheticDie],
        values: Sequence[Face] | None = None,
        last: RestKind = "flat",
    ) -> float:
        """Throw `dice` in over the lower edge. Return the time, in seconds, when the last of them lies still.

        `values`, each from 1 to the `shapes.facet_count` of its kind, are what they show: a d10's 0 is its 10, and a
        pitching die may be given its letter. Without them the seed decides. Dice in the tray are taken out first, with
        no hand drawn. `last` is how the last one comes to lie, in any direction: cocked, it leans on a wall or on
        another; stacked, it lies on another, flat, or tilted over its edge and on a wall. Raises ValueError when the
        dice do not fit apart, for a value that a kind does not have, for a kind without values, and for too few dice to
        cock or stack one.
        """
        if values is None:
            values = [self._random_value(die) for die in dice]
        if len(values) != len(dice):
            raise ValueError(f"{len(dice)} dice cannot show {list(values)}.")
        if len(dice) < MIN_DICE_BY_REST[last]:
            raise ValueError(f"{len(dice)} dice are too few for one that is {last}.")
        facets = [facet_for_value(die, value, self._rng) for die, value in zip(dice, values, strict=True)]
        bodies = [shapes.rigid_body(die.kind, die.size, facet) for die, facet in zip(dice, facets, strict=True)]
        tracks = physics.simulate_throw(bodies if last == "flat" else bodies[:-1], self._inner, self._rng)
        self._things = [
            SceneDie(die, facet, track, now) for die, facet, track in zip(dice, facets, tracks, strict=False)
        ]
        if last == "cocked":
            self._lean_die(now, dice[-1], self._rng.choice([None, self._rng.choice(self._things or [None])]))
        elif last == "stacked":
            self._stack_die(now, dice[-1], facets[-1], self._rng.choice(self._things))
        return max((now + thing.track.duration_s for thing in self._things), default=now)

    def throw_die(self, now: float, die: SyntheticDie, value: Face) -> float:
        """Throw one die in that comes to show `value`, as in `throw_dice`, while others lie or roll. Return the time
        when it lies still. Dice of its color are taken out of the tray first, with no hand drawn. It comes to lie apart
        from all others, but passes through them on its way. Raises ValueError for a value that its kind does not
        have."""
        facet = facet_for_value(die, value, self._rng)
        self._things = [thing for thing in self._things if thing.die.colour != die.colour]
        return self._throw_apart(now, die, facet)

    def reroll_dice(self, now: float, dice: Sequence[tuple[Face, Face]]) -> float:
        """Throw again, for each pair, a die that shows the first value, so that it comes to show the second. The others
        lie still. The dice are taken out first, with no hand drawn. Return the time when all lie still. Raises
        ValueError if no such die lies there, and for a value that its kind does not have."""
        chosen: list[SceneDie] = []
        for old, _ in dice:
            lie = [thing for thing in self._resting_dice(now) if thing.is_showing(old)]
            free = [thing for thing in lie if thing not in chosen]
            if not free:
                raise ValueError(f"No die lies there that shows {old}.")
            chosen.append(self._rng.choice(free))
        facets = [facet_for_value(thing.die, value, self._rng) for thing, (_, value) in zip(chosen, dice, strict=True)]
        self._things = [thing for thing in self._things if thing not in chosen]
        ends = [
            self._throw_apart(now, thing.die, facet, ENOUGH_GAP_MM) for thing, facet in zip(chosen, facets, strict=True)
        ]
        return max(ends, default=now)

    def turn_dice(self, now: float, die: SyntheticDie, values: Sequence[Face]) -> None:
        """Make dice lie there that show `values`, with no hand drawn. Dice that already show one of them are not
        touched; the others are turned where they lie. If the number differs, or one lies badly, all are taken out and
        new ones like `die` are laid."""
        things = self._resting_dice(now)
        if len(things) != len(values) or any(thing.facet is None for thing in things):
            self.clear_tray()
            for value in values:
                self.place_die(now, die, value, *self._freest_place(now, die), turn=self._random_turn())
            return
        wanted, odd = list(values), []
        for thing in things:
            if shown := [value for value in wanted if thing.is_showing(value)]:
                wanted.remove(shown[0])
            else:
                odd.append(thing)
        for thing, value in zip(odd, wanted, strict=True):
            self._things.remove(thing)
            self.place_die(now, thing.die, value, thing.rest_pose.x, thing.rest_pose.y, turn=self._random_turn())

    def _random_value(self, die: SyntheticDie) -> int:
        """Return a random value of such a die."""
        return self._rng.randint(1, shapes.facet_count(die.kind))

    def _random_turn(self) -> float:
        """Return a random turn, in radians."""
        return self._rng.uniform(0, math.tau)

    def _throw_apart(self, now: float, die: SyntheticDie, facet: int, enough: float = math.inf) -> float:
        """Throw one die to a place apart from all others, `enough` mm away at best, and return when it lies still."""
        tries: list[tuple[float, physics.Trajectory]] = []
        while len(tries) < MAX_TOSSES and not (tries and tries[-1][0] >= enough):
            (track,) = physics.simulate_throw([shapes.rigid_body(die.kind, die.size, facet)], self._inner, self._rng)
            end = track.pose_after(math.inf)
            tries.append((self._gap_at(now, die, end.x, end.y), track))
        track = max(tries, key=lambda one: one[0])[1]
        self._things.append(SceneDie(die, facet, track, now))
        return now + track.duration_s

    def _lean_die(self, now: float, die: SyntheticDie, base: SceneDie | None) -> None:
        """Let a die lean on another, or on a wall."""
        others = [thing.die_and_rest_pose for thing in self._present_dice(now) if thing is not base]
        if base is None:
            pose = leaning.pose_on_wall(die, self._inner, others, self._rng)
        else:
            pose = leaning.pose_on_die(die, base.die_and_rest_pose, self._inner, others, self._rng)
        self._things.append(SceneDie(die, None, self._trajectory_to(die, pose), now, "cocked"))

    def _stack_die(self, now: float, die: SyntheticDie, facet: int, base: SceneDie) -> None:
        """Let a die lie on another; if it shows something, this facet."""
        others = [thing.die_and_rest_pose for thing in self._present_dice(now) if thing is not base]
        tilted = None
        if self._rng.random() < TILTED_PROBABILITY:
            tilted = leaning.poses_over_edge(die, base.die_and_rest_pose, self._inner, others, self._rng)
        if tilted is None:
            pose = leaning.flat_pose_on_die(die, facet, base.die_and_rest_pose, self._inner, others, self._rng)
            upper = SceneDie(die, facet, self._trajectory_to(die, pose), now)
        else:
            base.track = self._trajectory_to(base.die, tilted[0])
            upper = SceneDie(die, None, self._trajectory_to(die, tilted[1]), now)
        upper.mark = "stacked"
        base.cover_with(upper)
        self._things.append(upper)

    def _trajectory_to(self, die: SyntheticDie, end: physics.RigidPose) -> physics.Trajectory:
        """Return the way of a thrown die to a pose. It passes through others."""
        body = shapes.rigid_body(die.kind, die.size)
        tracks = [physics.simulate_throw([body], self._inner, self._rng)[0] for _ in range(AIM_TRIES)]

        def miss_distance(track: physics.Trajectory) -> float:
            return math.dist(track.spots[-1][:2], (end.x, end.y))

        return physics.bend_trajectory(min(tracks, key=miss_distance), body.corners, end)

    def place_die(
        self,
        now: float,
        die: SyntheticDie,
        value: Face | None,
        x: float,
        y: float,
        *,
        turn: float = 0.0,
        lean: float = 0.0,
        z: float = 0.0,
        glare: GlareSpot | None = None,
    ) -> None:
        """Put one die down, at once, `x` mm right of and `y` mm below the tray's middle.

        It shows `value`, as in `throw_dice` (None: a random face that does not count), spun by `turn_dice` radians.
        `lean` radians tip it over its right side. Its lowest point is `z` mm above the felt; a die beneath it no longer
        counts. `place_glaring_die` is the lamp's reflection in its top. Whether the place is free is not checked.
        Raises ValueError for a value that its kind does not have.
        """
        facet = None if value is None else facet_for_value(die, value, self._rng)
        face = facet or self._random_value(die)
        tip = physics.axis_rotation((0, 1, 0), lean) @ shapes.lying_rotation(die.kind, face, 0.0)
        pose = physics.vertical_rotation(turn) @ tip
        ink = solids.mark_positions(die.kind, facet, turn, die.size) if facet else []
        mark = None
        if die.kind not in VALUE_KINDS or (facet is None and die.kind != "d6"):
            mark = "symbol"
        elif lean:
            mark = "cocked"
        elif z > 0:
            mark = "stacked"
        elif glare is not None and any(glare.brightness_at(*spot) > HIDING_GLARE_THRESHOLD for spot in ink):
            mark = "glare"
        spot = np.array([[x, y, z + shapes.center_height(die.kind, die.size, pose)]])
        laid = SceneDie(die, None if lean else facet, physics.Trajectory(spot, pose[None]), now, mark, glare)
        for thing in self._present_dice(now):
            if (
                thing.rest_pose.z < z
                and math.hypot(thing.rest_pose.x - x, thing.rest_pose.y - y) < 0.7 * thing.die.size
            ):
                thing.cover_with(laid)
        self._things.append(laid)

    def place_cocked_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Put a die down that leans on the tray's wall: no face is up."""
        x, y = self._freest_place(now, die, wall=True)
        side = math.copysign(1, x)
        x = side * (self._inner[0] / 2 - die.size * 0.6)
        self.place_die(now, die, None, x, y, turn=0.0 if side > 0 else math.pi, lean=self._rng.uniform(0.5, 0.72))

    def place_leaning_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Put a die down that leans on one that lies there; into an empty tray both are put."""
        lean = self._rng.uniform(0.45, 0.75)
        _, x, y, way = max(self._freest_side(now, other, die, lean) for other in self._flat_dice(now, die))
        self.place_die(now, die, None, x, y, turn=way, lean=lean)

    def place_stacked_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Put a die down on top of one that lies there; into an empty tray both are put."""
        base = self._flat_dice(now, die)[-1]
        off = self._rng.uniform(0.2, 0.42) * die.size
        way = self._random_turn()
        x, y = base.rest_pose.x + off * math.cos(way), base.rest_pose.y + off * math.sin(way)
        self.place_die(now, die, self._random_value(die), x, y, turn=self._random_turn(), z=base.die.size)

    def place_touching_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Put a die down flat against one that lies there; into an empty tray both are put."""
        _, x, y, turn = max(self._freest_side(now, other, die) for other in self._flat_dice(now, die))
        self.place_die(now, die, self._random_value(die), x, y, turn=turn)

    def place_glaring_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Put a die down on which the lamp washes out a pip or more, or a numeral. `ground_truth` still reports its
        value."""
        x, y = self._freest_place(now, die)
        value, turn = self._random_value(die), self._random_turn()
        right, down = self._rng.choice(solids.mark_positions(die.kind, value, turn, die.size))
        wide = die.size * self._rng.uniform(0.45, 0.7)
        spot = GlareSpot(right, down, wide, wide * self._rng.uniform(0.5, 1.0), self._rng.uniform(0, math.pi))
        self.place_die(now, die, value, x, y, turn=turn, glare=spot)

    def pick_up_dice(self, now: float) -> float:
        """Let a hand take all dice. Return the time, in seconds, when it is gone again."""
        self.show_hand(now, 0.9)
        for thing in self._things:
            thing.gone = min(thing.gone, now + 0.45)
        return now + 0.9

    def clear_tray(self) -> None:
        """Take all dice out of the tray, at once and with no hand drawn."""
        self._things = []

    def show_hand(self, now: float, seconds: float) -> None:
        """Let a hand reach in and cover most of the tray. It is out of the picture again after `seconds`."""
        self._hands.append((now, now + seconds))

    def unplug_camera(self) -> None:
        """Pull the camera's plug: frames fail until it is put back."""
        self._plugged = False

    def plug_in_camera(self) -> None:
        """Put the camera's plug back."""
        self._plugged = True

    def ground_truth(self, now: float) -> tuple[DieReading, ...] | None:
        """Return the dice that lie in the tray, left to right; None while a die moves or a hand is in. Kinds and values
        are those of rulebooks: a cube with numerals is a "d6", a d100 a "d10", and a pitching die shows a letter. A
        value is None where nobody could name it: the die leans, or another lies on it."""
        things = self._present_dice(now)
        if self._hand_reach(now) is not None or not all(thing.is_at_rest(now) for thing in things):
            return None
        return tuple(die for die, _ in self._dice_with_marks(now))

    def ground_truth_marks(self, now: float) -> tuple[str | None, ...]:
        """Return, in the order of `ground_truth`, what makes each die one to ask about; None for a die that can be
        read. "cocked", "stacked" on another, "covered" by one, a "symbol" that does not count as a die, or "glare" over
        its print."""
        return tuple(mark for _, mark in self._dice_with_marks(now))

    def _dice_with_marks(self, now: float) -> list[tuple[DieReading, str | None]]:
        """Return the dice that lie in the tray, left to right, and their marks."""
        dice = []
        for thing in self._resting_dice(now):
            kind, box = (
                RULEBOOK_KINDS.get(thing.die.kind, thing.die.kind),
                self._sprite_box(thing.rest_sprite(self._lens, now)),
            )
            dice.append((DieReading(kind, thing.face_value, thing.die.colour, box, 1.0), thing.mark))
        return sorted(dice, key=lambda pair: pair[0].box)

    def render_frame(self, now: float) -> Image:
        """Return what the camera sees, (height, width, 3) blue, green, red. Raises CameraError while unplugged."""
        if not self._plugged:
            raise CameraError("The drawn camera is unplugged.")
        lens = self._lens
        moving = [thing for thing in self._present_dice(now) if not thing.is_at_rest(now)]
        picture = self._resting_picture(now).copy()
        seen = [(thing, thing.track.pose_after(now - thing.start)) for thing in moving]
        for thing, pose in seen:
            paint.draw_shadow(lens, thing.corners_at(pose)).paste_onto(picture)
        for thing, pose in sorted(seen, key=lambda pair: -self._camera_distance(pair[1])):
            x, y = (
                pace * lens.pixels_per_mm * SHUTTER_TIME_S for pace in thing.track.velocity_after(now - thing.start)
            )
            solids.draw_die(lens, pose, thing.die, fine=0.5, smear=(x, y)).paste_onto(picture)
        if (reach := self._hand_reach(now)) is not None:
            limb = paint.draw_hand(lens)
            sway = 3 * math.sin(9 * now), 2 * math.sin(7 * now)
            limb.moved_to(round(sway[0]), round((1 - reach) * lens.size[1] + sway[1])).paste_onto(picture)
        return self._grain.add_noise(self.apply_light(picture))

    def _present_dice(self, now: float) -> list[SceneDie]:
        self._things = [thing for thing in self._things if now < thing.gone]
        return [thing for thing in self._things if now >= thing.start]

    def _resting_dice(self, now: float) -> list[SceneDie]:
        """Return the things that lie still."""
        return [thing for thing in self._present_dice(now) if thing.is_at_rest(now)]

    def _hand_reach(self, now: float) -> float | None:
        """Return how far the hand reaches in, 0 to 1, or None without one."""
        self._hands = [hand for hand in self._hands if now < hand[1]]
        reaches = [
            min((now - start) / HAND_REACH_S, (end - now) / HAND_REACH_S, 1.0)
            for start, end in self._hands
            if now >= start
        ]
        return max(reaches, default=None)

    def _resting_picture(self, now: float) -> Image:
        """Return the tray with the dice that lie still. It is repainted only when their number changes."""
        things = self._resting_dice(now)
        known, picture = self._still
        if things != known:
            picture = self._felt.copy()
            for thing in things:
                paint.draw_shadow(self._lens, thing.corners_at(thing.rest_pose)).paste_onto(picture)
            for thing in sorted(things, key=lambda thing: -self._camera_distance(thing.rest_pose)):
                thing.rest_sprite(self._lens, now).paste_onto(picture)
            self._still = things, picture
        return picture

    def _camera_distance(self, pose: physics.RigidPose) -> float:
        """Return the distance of a thing from the camera, in mm: the nearer hides the farther."""
        return math.dist(self._lens.camera_position, (pose.x, pose.y, pose.z))

    def _flat_dice(self, now: float, die: SyntheticDie) -> list[SceneDie]:
        """Return the dice that lie flat in the tray. If there are none, one like `die` is put down first."""

        def dice_lying_flat() -> list[SceneDie]:
            return [thing for thing in self._resting_dice(now) if thing.facet is not None]

        if not dice_lying_flat():
            x, y = self._freest_place(now, die)
            self.place_die(now, die, self._random_value(die), x, y, turn=self._random_turn())
        return dice_lying_flat()

    def _freest_side(
        self, now: float, other: SceneDie, die: SyntheticDie, lean: float = 0.0
    ) -> tuple[float, float, float, float]:
        """Return the freest place against a side of another die: how free, x, y and the direction there as a turn."""
        pose = other.rest_pose
        # The column of the turn that lies in the felt's plane tells how the die is spun.
        flat = int(np.argmin(np.abs(pose.turn[2])))
        yaw = math.atan2(pose.turn[1, flat], pose.turn[0, flat])
        away = (other.die.size + die.size * (math.cos(lean) + math.sin(lean))) / 2
        places = []
        for quarter in range(4):
            way = yaw + quarter * math.pi / 2
            x, y = pose.x + away * math.cos(way), pose.y + away * math.sin(way)
            places.append((self._gap_at(now, die, x, y, other), x, y, way))
        return max(places)

    def _freest_place(self, now: float, die: SyntheticDie, *, wall: bool = False) -> tuple[float, float]:
        """Return the freest of a few random places in the tray, by the left or right wall if requested."""
        wide, deep = (side / 2 - _clearance_radius(die) for side in self._inner)
        spots = [(self._rng.uniform(-wide, wide), self._rng.uniform(-deep, deep)) for _ in range(40)]
        if wall:
            spots = [(math.copysign(wide, x), y) for x, y in spots]
        return max(spots, key=lambda spot: self._gap_at(now, die, *spot))

    def _gap_at(self, now: float, die: SyntheticDie, x: float, y: float, but: SceneDie | None = None) -> float:
        """Return the gap in mm from a die here to the nearest other die except `but`, or to the tray's wall."""
        room = _clearance_radius(die)
        gaps = [side / 2 - abs(place) - room for side, place in zip(self._inner, (x, y), strict=True)]
        gaps += [
            math.hypot(thing.rest_pose.x - x, thing.rest_pose.y - y) - room - _clearance_radius(thing.die)
            for thing in self._present_dice(now)
            if thing is not but
        ]
        return min(gaps)

    def _sprite_box(self, patch: Sprite) -> PixelBox:
        """Return the part of the frame of which the die covers at least half."""
        rows, columns = np.nonzero(patch.clear[..., 0] < 128)
        left, top = patch.left + int(columns.min()), patch.top + int(rows.min())
        right, bottom = patch.left + int(columns.max()) + 1, patch.top + int(rows.max()) + 1
        return left, top, right - left, bottom - top
