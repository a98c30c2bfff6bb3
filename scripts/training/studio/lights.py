"""Light: the environment of the table (windows, walls, ceiling), and the lamps over it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np

from scripts.training.studio.dice import Color
from vision.dice.polyhedra import Floats


@dataclass(frozen=True, slots=True)
class Lamp:
    """A disc light: position, radius in mm, and radiance. It faces the origin."""

    place: tuple[float, float, float]
    radius: float
    light: Color


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """All light of an image: an environment map `around` (rows, columns, 3) of radiance, from zenith to nadir, and
    lamps."""

    name: str
    around: Floats
    lamps: tuple[Lamp, ...]


ROWS = 48
COLUMNS = 96
LAMPS = 2  # per scene: scenes of the same structure share a compiled program


def warmth(kelvin: float) -> Color:
    """Return the color of a black body with green at 1, an approximation for 2500 to 10000 kelvin."""
    warm = 6500 / kelvin
    return min(2.2, warm**0.75), 1.0, max(0.18, warm**-1.15)


def shine(rng: Random) -> Light:
    """Sample light: daylight, lamps, or both."""
    name = rng.choices(("daylight", "lamp", "mixed", "ceiling", "overcast"), (3, 3, 3, 2, 1))[0]
    day, lamp = warmth(rng.uniform(5200, 8500)), warmth(rng.uniform(2600, 4300))
    wall = rng.uniform(0.05, 0.35)
    around = room(rng, wall, day if name in ("daylight", "overcast") else lamp)
    lamps: list[Lamp] = []
    if name in ("daylight", "mixed"):
        for _ in range(rng.choice((1, 1, 2))):
            window(rng, around, day, rng.uniform(6, 20))
    if name == "overcast":
        around[: ROWS // 2] += np.array(day, np.float32) * rng.uniform(0.6, 1.2)
    if name in ("lamp", "mixed"):
        for _ in range(rng.choice((1, 1, 2))):
            lamps.append(desk_lamp(rng, lamp))
    if name == "ceiling":
        for _ in range(rng.choice((1, 2))):
            lamps.append(panel(rng, warmth(rng.uniform(3000, 6000))))
    while len(lamps) < LAMPS:
        lamps.append(panel(rng, day, 0.15))
    return Light(name, around, tuple(lamps[:LAMPS]))


def room(rng: Random, wall: float, tint: Color) -> Floats:
    """Return the environment map of a dim room: light ceiling, walls of several tones, dark floor."""
    high = np.linspace(1, -1, ROWS)[:, None]
    around = np.arange(COLUMNS) / COLUMNS * math.tau
    uneven = sum(rng.uniform(-0.25, 0.25) * np.cos(k * around + rng.uniform(0, 6.3)) for k in (1, 2, 3))
    level = wall * (0.75 + 0.55 * np.clip(high, -0.4, 1)) * (1 + uneven)
    return np.asarray(level[..., None] * np.array(tint), np.float32)


def window(rng: Random, around: Floats, tint: Color, strong: float) -> None:
    """Add a window with a cross to an environment map, in place."""
    wide, tall = rng.randint(7, 18), rng.randint(6, 12)
    left, top = rng.randrange(COLUMNS), rng.randint(6, ROWS // 2 - tall + 2)
    columns = np.arange(left, left + wide) % COLUMNS
    glow = np.array(tint, np.float32) * strong
    around[top : top + tall, columns] = glow * np.linspace(1.2, 0.6, tall, dtype=np.float32)[:, None, None]
    around[top : top + tall, columns[wide // 2]] *= 0.05
    if rng.random() < 0.5:
        around[top + tall // 2, columns] *= 0.05


def desk_lamp(rng: Random, tint: Color) -> Lamp:
    """Sample a lamp next to the table."""
    way, high = rng.uniform(0, math.tau), rng.uniform(280, 900)
    away, radius = high * rng.uniform(0.15, 1.1), rng.uniform(18, 70)
    # Normalize the light on the table, whatever the lamp's size and distance.
    strong = rng.uniform(1.5, 5.0) * (high**2 + away**2) / (math.pi * radius**2)
    red, green, blue = tint
    return Lamp(
        (away * math.cos(way), away * math.sin(way), high), radius, (red * strong, green * strong, blue * strong)
    )


def panel(rng: Random, tint: Color, dim: float = 1.0) -> Lamp:
    """Sample a large ceiling lamp, `dim` times as bright as usual."""
    x, y, high, radius = (
        rng.uniform(-1500, 1500),
        rng.uniform(-1500, 1500),
        rng.uniform(1400, 2000),
        rng.uniform(150, 400),
    )
    strong = dim * rng.uniform(1.0, 3.0) * (high**2 + x * x + y * y) / (math.pi * radius**2)
    red, green, blue = tint
    return Lamp((x, y, high), radius, (red * strong, green * strong, blue * strong))
