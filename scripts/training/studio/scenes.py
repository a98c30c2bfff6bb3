"""The scenes of the studio, with flat dice or with dice in one kind of trouble."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from scripts.training.studio import cameras, dice
from scripts.training.studio.dice import StudioDie
from scripts.training.studio.placing import Builder, NoRoomError, Scene, Tray
from vision.synthetic.physics import RigidPose

MOST_DICE = 7  # maximum number of dice in one image with many samples
LEANS = ((3.0, 10.0), (10.0, 20.0), (20.0, 45.0))  # ranges of tilt of leaning dice, in degrees
Fill = Callable[[Builder, int], None]  # fills a scene, given its index among those of its name


def tray(rng: Random, view: float) -> Tray:
    """Sample a tray for a camera with a field of view of `view` mm."""
    wide = view * rng.uniform(0.72, 1.05)
    shape = rng.choice(("square", "square", "hexagon", "octagon", "round"))
    if shape == "square":
        tall = wide * rng.uniform(0.62, 0.8)
        corners = [(-wide / 2, -tall / 2), (wide / 2, -tall / 2), (wide / 2, tall / 2), (-wide / 2, tall / 2)]
    else:
        sides = {"hexagon": 6, "octagon": 8, "round": 28}[shape]
        reach, start = wide / 2 * rng.uniform(0.85, 1.05), rng.uniform(0, 1)
        ways = [(n / sides + start) * math.tau for n in range(sides)]
        corners = [(reach * math.cos(way), reach * 0.9 * math.sin(way)) for way in ways]
    return Tray(tuple(corners), rng.uniform(12, 38), rng.uniform(2.5, 10), rng.choice((0, 0, rng.uniform(2, 10))))


def _flat(builder: Builder, number: int) -> None:
    for _ in range(builder.rng.choice((1, 2, 2, 3, 4, 6))):
        builder.flat()


def _beside_wall(builder: Builder, number: int) -> None:
    die = builder.make()
    pose, _ = builder.against_wall(die.body, builder.flat_turn(die), builder.rng.uniform(0.05, 1.5))
    builder.put(die, pose)
    builder.flat()


def _beside_die(builder: Builder, number: int) -> None:
    rng, one = builder.rng, builder.scene.dice[builder.flat(near=0.7)]
    die, way = builder.make(), rng.uniform(0, math.tau)
    pose = builder.slid(die.body, builder.flat_turn(die), (one.die.body, one.pose), (math.cos(way), math.sin(way)))
    gap = rng.choice((0.05, rng.uniform(0.1, 1.5)))
    pose = RigidPose(pose.x - gap * math.cos(way), pose.y - gap * math.sin(way), pose.z, pose.turn)
    if not builder.fits(die.body, pose, apart=0.0):
        raise NoRoomError("not free")
    builder.put(die, pose)


def _leaning(builder: Builder, number: int) -> None:
    tilt = builder.rng.uniform(*LEANS[number % len(LEANS)])
    builder.lean(tilt, ("wall", "die", "thing")[number // len(LEANS) % 3])
    _some(builder)


def _stacked(builder: Builder, number: int) -> None:
    builder.stack()
    _some(builder)


def _trouble(builder: Builder, number: int) -> None:
    """Mix leaning and stacked dice with flat ones, for many samples in one image. Some may not fit."""
    rng = builder.rng
    lessons: list[Callable[[], object]] = [
        *(partial(builder.lean, rng.uniform(*LEANS[n % 3]), rng.choice(("wall", "die", "thing"))) for n in range(4)),
        *[builder.stack] * rng.choice((0, 1, 2)), *[partial(_beside_die, builder, number)] * rng.choice((0, 1)),
        *[builder.flat] * rng.choice((1, 2, 3)),
    ]  # fmt: skip
    rng.shuffle(lessons)
    dice, things = builder.scene.dice, builder.scene.things
    for lesson in lessons * 3:
        before = len(dice), len(things)
        if before[0] >= MOST_DICE:
            break
        try:
            lesson()
        except NoRoomError:
            del dice[before[0] :], things[before[1] :]
    if len([one for one in dice if one.rests != "ground"]) < 2:
        raise NoRoomError("too little trouble")


def _edge(builder: Builder, number: int) -> None:
    builder.cut_off()
    builder.flat()
    _some(builder)


def _covered(builder: Builder, number: int) -> None:
    builder.cover()
    _some(builder)


def _clutter(builder: Builder, number: int) -> None:
    builder.flat()
    _some(builder)
    builder.clutter(builder.rng.choice((1, 1, 2)))


def _glare(builder: Builder, number: int) -> None:
    builder.flat(near=0.7)
    builder.shine_back()
    _some(builder)


def _motion(builder: Builder, number: int) -> None:
    _flat(builder, number)
    for one in builder.scene.dice:
        way, far = builder.rng.uniform(0, math.tau), one.die.size * builder.rng.uniform(0.2, 0.7)
        builder.scene.motion.append((far * math.cos(way), far * math.sin(way)))


def _some(builder: Builder) -> None:
    """Place up to two more dice flat, if there is room."""
    for _ in range(builder.rng.choice((0, 1, 1, 2))):
        builder.flat()


# Fill function, expected doubt, and whether a tray is needed, by scene name.
SCENES: dict[str, tuple[Fill, str | None, bool]] = {
    "flat": (_flat, None, False),
    "beside-wall": (_beside_wall, None, True),
    "beside-die": (_beside_die, None, False),
    "leaning": (_leaning, "cocked", False),
    "stacked": (_stacked, "stacked", False),
    "glare": (_glare, "glare", False),
    "edge": (_edge, "edge", False),
    "covered": (_covered, "hand", False),
    "clutter": (_clutter, "symbol", False),
    "motion": (_motion, "blur", False),
    "trouble": (_trouble, "cocked", False),
}


def build(
    rng: Random,
    name: str,
    number: int,
    kinds: Sequence[str],
    fonts: Sequence[str],
    held: bool,
    logos: bool = False,
) -> Scene:
    """Build a random scene of `SCENES` with dice of these kinds, most of one appearance.

    number: index among the scenes of this name, which spreads leaning dice over tilts and supports.
    held: as in `dice.invent`.
    logos: give each die a logo instead of a value.
    """
    fill, reason, walls = SCENES[name]
    if name == "leaning" and number // len(LEANS) % 3 == 0:
        walls = True
    for _ in range(200):
        camera = cameras.hang(rng)
        around = tray(rng, camera.lens.view) if walls or rng.random() < 0.5 else None
        scene = Scene(name, camera, around, reason=reason)
        looks: dict[str, StudioDie] = {}

        def make(looks: dict[str, StudioDie] = looks) -> StudioDie:
            kind = rng.choice(kinds)
            if kind not in looks or rng.random() < 0.3:
                contrast = dice.HARSH if rng.random() < 0.25 else dice.CONTRAST
                looks[kind] = dice.invent(rng, kind, fonts, held, contrast)
            die = replace(looks[kind], swirl=rng.randrange(1 << 16))
            return replace(die, logo=rng.choice(die.values), art=rng.choice(dice.ARTS)) if logos else die

        try:
            fill(Builder(rng, scene, make), number)
        except NoRoomError:
            continue
        return scene
    raise NoRoomError(f"No {name} scene with {', '.join(kinds)} fits.")
