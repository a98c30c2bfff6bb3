"""Drawn trays with their truth, to train on: all kinds of dice, lamps, cloths, cameras and reasons for doubt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

from vision.drawn import solids
from vision.drawn.paint import Image
from vision.drawn.tray import DrawnDie, DrawnTray, Glare
from vision.reading import Die

SIZES = [(640, 480)] * 6 + [(480, 360), (800, 600), (640, 360), (512, 512)]
FELTS = [
    *[(52, 84, 34), (30, 30, 30), (90, 40, 24), (34, 30, 110), (120, 116, 110)],
    *[(60, 70, 80), (180, 184, 188), (40, 60, 90), (70, 40, 60), (24, 110, 60)],
]
BRIGHT = ["white"] * 5 + ["ivory", "ivory", "yellow", "orange", "pink", "grey"]
DARK = ["black"] * 3 + ["red"] * 3 + ["blue", "green", "purple", "brown"]
SHARE = 6  # number of scenes in one tray under one camera: painting felt is slow


class Scene:
    """A tray that is filled with things of one style, apart from each other unless a scene asks otherwise."""

    def __init__(self, rng: Random, tray: DrawnTray, half: tuple[float, float]) -> None:
        self.rng, self.tray, self.half = rng, tray, half
        self.mean = rng.uniform(12, 22)
        self.taken: list[tuple[float, float, float]] = []
        self.body = rng.choice(["plain"] * 8 + ["marbled"] * 2 + ["clear"])
        self.gloss = rng.choice([0.0, 0.2, 0.4, 0.4, 0.8, 1.5])
        self.look = self.looks() if rng.random() < 0.4 else None

    def looks(self) -> tuple[str, str, str, bool]:
        """Return colour, pips, body and whether the pips have rings."""
        rng = self.rng
        if rng.random() < 0.55:
            colour, pips = rng.choice(BRIGHT), rng.choice(["black"] * 5 + ["red", "blue", "brown"])
        else:
            colour, pips = rng.choice(DARK), rng.choice(["white"] * 5 + ["ivory", "yellow", "gold"])
        return colour, pips, self.body if rng.random() < 0.7 else "plain", rng.random() < 0.05

    def die(self, kind: str = "d6") -> DrawnDie:
        rng = self.rng
        size = min(25, max(12, self.mean * rng.choice([1, 1, 1, rng.uniform(0.75, 1.3)])))
        if kind == "sugar":
            return DrawnDie(rng.choice(["white", "white", "ivory"]), size, kind=kind)
        if kind == "coin":
            metal = rng.choice(["silver", "gold", "copper"])
            return DrawnDie(metal, rng.uniform(16, 25), kind=kind, gloss=rng.uniform(0.2, 0.9))
        colour, pips, body, ring = self.look if self.look and kind == "d6" else self.looks()
        return DrawnDie(colour, size, pips, kind, body=body, ring=ring and kind == "d6", gloss=self.gloss)

    def turn(self) -> float:
        return self.rng.uniform(0, math.tau)

    def free(self, room: float) -> tuple[float, float] | None:
        for _ in range(40):
            x, y = (self.rng.uniform(-half + room, half - room) if half > room else 0.0 for half in self.half)
            if all(math.hypot(x - a, y - b) > room + r + 0.5 for a, b, r in self.taken):
                self.taken.append((x, y, room))
                return x, y
        return None

    def put(
        self,
        die: DrawnDie,
        x: float,
        y: float,
        turn: float,
        lean: float = 0.0,
        z: float = 0.0,
        glare: Glare | None = None,
    ) -> None:
        value = self.rng.randint(1, 6) if die.kind == "d6" else None
        self.tray.lay(0.0, die, value, x, y, turn=turn, lean=lean, z=z, glare=glare)


def plain(scene: Scene) -> None:
    """A die, sometimes with a small light on it."""
    rng, die = scene.rng, scene.die()
    if spot := scene.free(die.size * 0.72):
        glare = None
        if rng.random() < 0.12:
            x, y = (rng.uniform(-0.45, 0.45) * die.size for _ in range(2))
            glare = Glare(x, y, die.size * rng.uniform(0.06, 0.2), die.size * rng.uniform(0.04, 0.12), scene.turn())
        scene.put(die, *spot, scene.turn(), glare=glare)


def symbols(scene: Scene) -> None:
    """Things that are not d6."""
    for _ in range(scene.rng.choice([1, 1, 2, 3])):
        die = scene.die(scene.rng.choice(["sign"] * 3 + ["pitch"] * 3 + ["sugar", "coin", "d20"] * 2))
        if spot := scene.free(die.size * 0.72):
            scene.put(die, *spot, scene.turn())


def glares(scene: Scene) -> None:
    """Dice with a lamp's reflection over a pip."""
    rng = scene.rng
    for _ in range(rng.choice([1, 2, 3])):
        die = scene.die()
        if spot := scene.free(die.size * 0.72):
            value, turn, wide = rng.randint(1, 6), scene.turn(), die.size * rng.uniform(0.3, 0.9)
            x, y = (
                along + rng.gauss(0, 0.05) * die.size
                for along in rng.choice(solids.printed_spots("d6", value, turn, die.size))
            )
            light = Glare(x, y, wide, wide * rng.uniform(0.4, 1), scene.turn())
            scene.tray.lay(0.0, die, value, *spot, turn=turn, glare=light)


def touching(scene: Scene) -> None:
    """Two dice edge to edge, or corner to edge."""
    rng, one, two = scene.rng, scene.die(), scene.die()
    if spot := scene.free((one.size + two.size) * 0.75):
        turn = scene.turn()
        spin = turn + (rng.uniform(0.2, 1.3) if rng.random() < 0.35 else 0.0)
        half = two.size / 2 * (abs(math.cos(spin - turn)) + abs(math.sin(spin - turn))) * (0.97 if spin != turn else 1)
        away, aside = one.size / 2 + half + rng.uniform(0, 0.6), rng.uniform(-0.5, 0.5) * one.size
        scene.put(one, *spot, turn)
        scene.put(two, *beyond(spot, turn + rng.randrange(4) * math.pi / 2, away, aside), spin)


def stacked(scene: Scene) -> None:
    """A die on another."""
    rng, base = scene.rng, scene.die()
    top = scene.die() if rng.random() < 0.6 else base
    if spot := scene.free((base.size + top.size) * 0.62):
        scene.put(base, *spot, scene.turn())
        scene.put(top, *beyond(spot, scene.turn(), rng.uniform(0.1, 0.5) * base.size), scene.turn(), z=base.size)


def cocked(scene: Scene) -> None:
    """A die that leans on the left or right wall, or on the side of another."""
    rng, die, lean = scene.rng, scene.die(), math.radians(scene.rng.uniform(25, 60))
    reach = die.size / 2 * (math.cos(lean) + math.sin(lean))
    lean *= rng.choice([-1, 1])
    if rng.random() < 0.4:
        side = rng.choice([-1, 1])
        x, y = side * (scene.half[0] - reach), rng.uniform(-1, 1) * (scene.half[1] - die.size)
        if all(math.hypot(x - a, y - b) > reach + r for a, b, r in scene.taken):
            scene.taken.append((x, y, reach))
            scene.put(die, x, y, 0.0 if side > 0 else math.pi, lean=lean)
        return
    wall = scene.die()
    if spot := scene.free((wall.size + die.size) * 0.85):
        turn = scene.turn()
        scene.put(wall, *spot, turn)
        there = beyond(spot, turn, wall.size / 2 + reach, rng.uniform(-0.4, 0.4) * wall.size)
        scene.put(die, *there, turn, lean=lean)


def beyond(spot: tuple[float, float], way: float, away: float, aside: float = 0.0) -> tuple[float, float]:
    """Return the place at this distance in this direction, moved sideways by `aside`."""
    return spot[0] + away * math.cos(way) - aside * math.sin(way), spot[1] + away * math.sin(way) + aside * math.cos(
        way
    )


ODD: list[Callable[[Scene], None]] = [
    *[plain] * 4, *[touching] * 8, *[stacked] * 8, *[cocked] * 8, *[symbols] * 4, *[glares] * 4
]  # fmt: skip


def scenes(count: int, seed: int, aslant: bool) -> Iterator[tuple[Image, list[tuple[Die, str | None]]]]:
    """Yield `count` pictures, each with its dice as in `DrawnTray.truth` and their `DrawnTray.marks`. `aslant` lets
    some cameras look at a slant; from there a flat die shows as much of a side as a leaning one."""
    rng = Random(seed)
    for number in range(count):
        if number % SHARE == 0:
            size, view = rng.choice(SIZES), rng.uniform(110, 260)
            blue, green, red = (min(max(v * rng.uniform(0.7, 1.3), 5), 250) for v in rng.choice(FELTS))
            tilt = rng.uniform(5, 45) if aslant and rng.random() < 0.3 else 0.0
            rim, noise = rng.choice([0, 0, rng.uniform(3, 14)]), rng.choice([0.5, 1.5, 2.5, 4, 6])
            tray = DrawnTray(
                size,
                rng.randrange(1 << 30),
                felt=(int(blue), int(green), int(red)),
                view=view,
                height=view * rng.uniform(1.0, 2.6),
                tilt=tilt,
                rim=rim,
                noise=noise,
            )
            shrink = 0.92 - 0.004 * tilt
            half = (view / 2 - rim) * shrink - 1, (view * size[1] / size[0] / 2 - rim) * shrink - 1
        tray.clear()
        scene = Scene(rng, tray, half)
        wanted = rng.randint(1, 8)
        rng.choice(ODD)(scene)
        for _ in range(12):
            if len(tray.marks(0.0)) >= wanted:
                break
            plain(scene)
        dice = list(zip(tray.truth(0.0) or (), tray.marks(0.0), strict=True))
        tray.light, tray.warmth = rng.uniform(0.55, 1.25), rng.choice([0, 0, rng.uniform(-1, 1)])
        tray.uneven = rng.choice([0, 0, rng.uniform(0, 0.7)])
        least = min((max(die.box[2:]) for die, _ in dice), default=20)
        tray.blur = least * rng.uniform(0.01, 0.04) if rng.random() < 0.35 else 0.0
        yield tray.frame(0.0), dice
