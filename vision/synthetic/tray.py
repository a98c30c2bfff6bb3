"""A synthetic dice tray: dice thrown with simplified physics, under a simulated camera."""

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

SHUTTER_TIME_S = 1 / 90  # exposure time, which blurs fast dice
HAND_REACH_S = 0.22  # time in which a hand comes in or leaves


WHITE_DIE = SyntheticDie()
RestKind = Literal["flat", "cocked", "stacked"]  # final pose of a thrown die

MAX_TOSSES = 12  # maximum number of throws to find a free place for a die
ENOUGH_GAP_MM = 2.0  # gap that ends this search
# minimum number of dice for each final pose
MIN_DICE_BY_REST: dict[RestKind, int] = {"flat": 0, "cocked": 1, "stacked": 2}
TILTED_PROBABILITY = 0.4  # probability that a stacked die is tilted
AIM_TRIES = 4  # simulated throws, of which the one that ends nearest to the target is bent to it
HIDING_GLARE_THRESHOLD = 0.7  # Brighter glare hides a pip, because even a black one is then as light as its die.


def _clearance_radius(die: SyntheticDie) -> float:
    return shapes.rigid_body(die.kind, die.size).clearance_radius


@lru_cache(8)
def _empty_tray_and_noise(
    lens: Lens, felt: tuple[int, int, int], rim: float, noise: float, seed: int
) -> tuple[Image, paint.CameraNoise]:
    """Render the empty tray and the camera's noise. Cached, because this takes a tenth of a second."""
    rng = np.random.default_rng(seed)
    empty = paint.draw_empty_tray(lens, felt, rim, rng)
    empty.flags.writeable = False
    return empty, paint.CameraNoise(lens.size, noise, rng)


class SyntheticTray(LitScene):
    """A tray with dice, sometimes a hand, and the camera above. Light and lens are set as in `LitScene`.

    The caller provides the clock: each call gets `now` in seconds, and calls must be in order of time.

    size: (width, height) of frames, in pixels.
    seed: seed of all throws, frame by frame.
    felt: BGR color of the felt.
    view, height: width of the field of view at the felt, and distance from it, in mm.
    tilt: tilt of the camera in degrees, 0 to 60.
    rim: width of the wooden rim, in mm.
    noise: camera noise, in gray levels.
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
        self._empty_picture, grain = _empty_tray_and_noise(self._lens, felt, rim, noise, self._rng.getrandbits(32))
        self._noise = grain.copy_from_start()
        self._things: list[SceneDie] = []
        self._hands: list[tuple[float, float]] = []
        self._plugged = True
        self._still: tuple[list[SceneDie], Image] = ([], self._empty_picture)

    def throw_dice(
        self,
        now: float,
        dice: Sequence[SyntheticDie],
        values: Sequence[Face] | None = None,
        last: RestKind = "flat",
    ) -> float:
        """Throw `dice` in over the lower edge. Return the time in seconds when all are at rest.

        Dice in the tray are removed first, without a hand.

        values: values to show, each from 1 to the `shapes.facet_count` of its kind. A d10's 0 is 10, and a pitching die
            may be given its letter. Random by default.
        last: final pose of the last die. A cocked die leans on a wall or on another. A stacked one lies flat on
            another, or tilted over its edge and on a wall.
        Raises ValueError if the dice don't fit apart, for a value that a kind doesn't have, for a kind without values,
        and for too few dice to cock or stack one.
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
        """Throw one die to show `value`, as in `throw_dice`, while others rest or roll. Return the time when it is at
        rest. Dice of its color are removed first, without a hand. It passes through other dice and comes to rest apart
        from them. Raises ValueError for a value that its kind doesn't have."""
        facet = facet_for_value(die, value, self._rng)
        self._things = [thing for thing in self._things if thing.die.colour != die.colour]
        return self._throw_apart(now, die, facet)

    def reroll_dice(self, now: float, dice: Sequence[tuple[Face, Face]]) -> float:
        """For each pair, throw a die again that shows the first value, so that it shows the second. Return the time
        when all are at rest. The dice are removed first, without a hand. The others don't move. Raises ValueError if
        there is no such die, and for a value that its kind doesn't have."""
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
        """Make the dice show `values`, without a hand. Dice that already show one of them are not touched, and the
        others are turned in place. If their number differs or one is unreadable, all are replaced by dice like
        `die`."""
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
        return self._rng.randint(1, shapes.facet_count(die.kind))

    def _random_turn(self) -> float:
        return self._rng.uniform(0, math.tau)

    def _throw_apart(self, now: float, die: SyntheticDie, facet: int, enough: float = math.inf) -> float:
        """Throw one die to a place ideally `enough` mm apart from others. Return the time when it is at rest."""
        tries: list[tuple[float, physics.Trajectory]] = []
        while len(tries) < MAX_TOSSES and not (tries and tries[-1][0] >= enough):
            (track,) = physics.simulate_throw([shapes.rigid_body(die.kind, die.size, facet)], self._inner, self._rng)
            end = track.pose_after(math.inf)
            tries.append((self._gap_at(now, die, end.x, end.y), track))
        track = max(tries, key=lambda one: one[0])[1]
        self._things.append(SceneDie(die, facet, track, now))
        return now + track.duration_s

    def _lean_die(self, now: float, die: SyntheticDie, base: SceneDie | None) -> None:
        """Let a die lean on another, or on a wall if `base` is None."""
        others = [thing.die_and_rest_pose for thing in self._present_dice(now) if thing is not base]
        if base is None:
            pose = leaning.pose_on_wall(die, self._inner, others, self._rng)
        else:
            pose = leaning.pose_on_die(die, base.die_and_rest_pose, self._inner, others, self._rng)
        self._things.append(SceneDie(die, None, self._trajectory_to(die, pose), now, "cocked"))

    def _stack_die(self, now: float, die: SyntheticDie, facet: int, base: SceneDie) -> None:
        """Stack a die on another, with `facet` up if it lies flat."""
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
        """Return the trajectory of a throw that ends in a pose. It passes through other dice."""
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
        """Place one die at once, `x` mm right of and `y` mm below the tray's center. It is not checked whether the
        place is free.

        value: as in `throw_dice`. None for a random face that doesn't count.
        turn: yaw in radians.
        lean: tilt over its right side, in radians.
        z: height of its lowest point above the felt, in mm. A die below it no longer counts.
        glare: the lamp's reflection on its top.
        Raises ValueError for a value that its kind doesn't have.
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
        """Place a die that leans on the wall, so that no face is up."""
        x, y = self._freest_place(now, die, wall=True)
        side = math.copysign(1, x)
        x = side * (self._inner[0] / 2 - die.size * 0.6)
        self.place_die(now, die, None, x, y, turn=0.0 if side > 0 else math.pi, lean=self._rng.uniform(0.5, 0.72))

    def place_leaning_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Place a die that leans on another. Places the other too if the tray is empty."""
        lean = self._rng.uniform(0.45, 0.75)
        _, x, y, way = max(self._freest_side(now, other, die, lean) for other in self._flat_dice(now, die))
        self.place_die(now, die, None, x, y, turn=way, lean=lean)

    def place_stacked_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Place a die on top of another. Places the other too if the tray is empty."""
        base = self._flat_dice(now, die)[-1]
        off = self._rng.uniform(0.2, 0.42) * die.size
        way = self._random_turn()
        x, y = base.rest_pose.x + off * math.cos(way), base.rest_pose.y + off * math.sin(way)
        self.place_die(now, die, self._random_value(die), x, y, turn=self._random_turn(), z=base.die.size)

    def place_touching_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Place a flat die in contact with another. Places the other too if the tray is empty."""
        _, x, y, turn = max(self._freest_side(now, other, die) for other in self._flat_dice(now, die))
        self.place_die(now, die, self._random_value(die), x, y, turn=turn)

    def place_glaring_die(self, now: float, die: SyntheticDie = WHITE_DIE) -> None:
        """Place a die with a pip or numeral washed out by glare. `ground_truth` still includes its value."""
        x, y = self._freest_place(now, die)
        value, turn = self._random_value(die), self._random_turn()
        right, down = self._rng.choice(solids.mark_positions(die.kind, value, turn, die.size))
        wide = die.size * self._rng.uniform(0.45, 0.7)
        spot = GlareSpot(right, down, wide, wide * self._rng.uniform(0.5, 1.0), self._rng.uniform(0, math.pi))
        self.place_die(now, die, value, x, y, turn=turn, glare=spot)

    def pick_up_dice(self, now: float) -> float:
        """Let a hand take all dice. Return the time in seconds when it is gone."""
        self.show_hand(now, 0.9)
        for thing in self._things:
            thing.gone = min(thing.gone, now + 0.45)
        return now + 0.9

    def clear_tray(self) -> None:
        """Remove all dice at once, without a hand."""
        self._things = []

    def show_hand(self, now: float, seconds: float) -> None:
        """Let a hand cover most of the tray, and leave within `seconds`."""
        self._hands.append((now, now + seconds))

    def unplug_camera(self) -> None:
        """Unplug the camera: frames fail until `plug_in_camera`."""
        self._plugged = False

    def plug_in_camera(self) -> None:
        self._plugged = True

    def ground_truth(self, now: float) -> tuple[DieReading, ...] | None:
        """Return the dice at rest, left to right, or None while a die moves or a hand is in the tray. Kinds and values
        are those of rulebooks: a cube with numerals is a "d6", a d100 a "d10", and a pitching die shows a letter. A
        value is None if the die leans or is covered."""
        things = self._present_dice(now)
        if self._hand_reach(now) is not None or not all(thing.is_at_rest(now) for thing in things):
            return None
        return tuple(die for die, _ in self._dice_with_marks(now))

    def ground_truth_marks(self, now: float) -> tuple[str | None, ...]:
        """Return the doubt that each die of `ground_truth` should raise, or None for a readable die: "cocked",
        "stacked" on another, "covered" by one, a "symbol" that isn't a die's, or "glare" on its print."""
        return tuple(mark for _, mark in self._dice_with_marks(now))

    def _dice_with_marks(self, now: float) -> list[tuple[DieReading, str | None]]:
        dice = []
        for thing in self._resting_dice(now):
            kind, box = (
                RULEBOOK_KINDS.get(thing.die.kind, thing.die.kind),
                self._sprite_box(thing.rest_sprite(self._lens, now)),
            )
            dice.append((DieReading(kind, thing.face_value, thing.die.colour, box, 1.0), thing.mark))
        return sorted(dice, key=lambda pair: pair[0].box)

    def render_frame(self, now: float) -> Image:
        """Render a frame, (height, width, 3) BGR. Raises CameraError while unplugged."""
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
        return self._noise.add_noise(self.apply_light(picture))

    def _present_dice(self, now: float) -> list[SceneDie]:
        self._things = [thing for thing in self._things if now < thing.gone]
        return [thing for thing in self._things if now >= thing.start]

    def _resting_dice(self, now: float) -> list[SceneDie]:
        return [thing for thing in self._present_dice(now) if thing.is_at_rest(now)]

    def _hand_reach(self, now: float) -> float | None:
        """Return the reach of the hand, 0 to 1, or None without one."""
        self._hands = [hand for hand in self._hands if now < hand[1]]
        reaches = [
            min((now - start) / HAND_REACH_S, (end - now) / HAND_REACH_S, 1.0)
            for start, end in self._hands
            if now >= start
        ]
        return max(reaches, default=None)

    def _resting_picture(self, now: float) -> Image:
        """Return the image of the tray with the resting dice, cached until their number changes."""
        things = self._resting_dice(now)
        known, picture = self._still
        if things != known:
            picture = self._empty_picture.copy()
            for thing in things:
                paint.draw_shadow(self._lens, thing.corners_at(thing.rest_pose)).paste_onto(picture)
            for thing in sorted(things, key=lambda thing: -self._camera_distance(thing.rest_pose)):
                thing.rest_sprite(self._lens, now).paste_onto(picture)
            self._still = things, picture
        return picture

    def _camera_distance(self, pose: physics.RigidPose) -> float:
        """Return the distance from the camera in mm, for painting far objects first."""
        return math.dist(self._lens.camera_position, (pose.x, pose.y, pose.z))

    def _flat_dice(self, now: float, die: SyntheticDie) -> list[SceneDie]:
        """Return the flat dice. Without any, place one like `die` first."""

        def dice_lying_flat() -> list[SceneDie]:
            return [thing for thing in self._resting_dice(now) if thing.facet is not None]

        if not dice_lying_flat():
            x, y = self._freest_place(now, die)
            self.place_die(now, die, self._random_value(die), x, y, turn=self._random_turn())
        return dice_lying_flat()

    def _freest_side(
        self, now: float, other: SceneDie, die: SyntheticDie, lean: float = 0.0
    ) -> tuple[float, float, float, float]:
        """Return the freest place next to a side of another die: gap, x, y, and the direction there as a yaw."""
        pose = other.rest_pose
        # The column of the rotation that is in the plane of the felt gives the yaw.
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
        """Return the freest of 40 random places in the tray, or along the left and right walls if `wall`."""
        wide, deep = (side / 2 - _clearance_radius(die) for side in self._inner)
        spots = [(self._rng.uniform(-wide, wide), self._rng.uniform(-deep, deep)) for _ in range(40)]
        if wall:
            spots = [(math.copysign(wide, x), y) for x, y in spots]
        return max(spots, key=lambda spot: self._gap_at(now, die, *spot))

    def _gap_at(self, now: float, die: SyntheticDie, x: float, y: float, but: SceneDie | None = None) -> float:
        """Return the gap in mm from a die here to the wall or the nearest other die except `but`."""
        room = _clearance_radius(die)
        gaps = [side / 2 - abs(place) - room for side, place in zip(self._inner, (x, y), strict=True)]
        gaps += [
            math.hypot(thing.rest_pose.x - x, thing.rest_pose.y - y) - room - _clearance_radius(thing.die)
            for thing in self._present_dice(now)
            if thing is not but
        ]
        return min(gaps)

    def _sprite_box(self, patch: Sprite) -> PixelBox:
        """Return the box of pixels in which the sprite is at least half opaque."""
        rows, columns = np.nonzero(patch.clear[..., 0] < 128)
        left, top = patch.left + int(columns.min()), patch.top + int(rows.min())
        right, bottom = patch.left + int(columns.max()) + 1, patch.top + int(rows.max()) + 1
        return left, top, right - left, bottom - top
