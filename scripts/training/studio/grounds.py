"""Tileable textures of grounds: felt, cloth, leather, wood, boards and bare tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.studio.dice import held_out, linear
from vision.dice.polyhedra import Floats

PIXELS = 512  # edge of a texture


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A surface with a tileable texture.

    color, relief: linear RGB (PIXELS, PIXELS, 3), and height in mm (PIXELS, PIXELS).
    wide: period in mm.
    rough, gloss: roughness, and strength of reflections, 0 to 1.
    """

    name: str
    color: Floats
    relief: Floats
    wide: float
    rough: float
    gloss: float


COLORS: dict[str, dict[str, tuple[int, int, int]]] = {
    "felt": {"green": (24, 92, 48), "red": (150, 22, 30), "blue": (30, 60, 130), "purple": (78, 34, 104),
             "black": (26, 26, 28), "grey": (104, 106, 108), "brown": (92, 60, 40), "teal": (14, 96, 100),
             "tan": (176, 146, 104), "navy": (24, 32, 66)},
    "cloth": {"linen": (198, 186, 160), "denim": (58, 80, 120), "white": (222, 220, 214), "red": (158, 40, 40),
              "green": (70, 104, 70), "grey": (128, 126, 124), "charcoal": (54, 54, 58), "mustard": (190, 150, 50)},
    "leather": {"brown": (92, 54, 30), "black": (30, 28, 28), "tan": (166, 110, 64), "red": (120, 26, 26),
                "blue": (34, 50, 86), "green": (34, 64, 44), "white": (204, 198, 188), "purple": (70, 36, 80)},
    "wood": {"oak": (178, 132, 82), "walnut": (92, 60, 40), "pine": (216, 176, 118), "beech": (208, 162, 116),
             "cherry": (150, 80, 48), "ebony": (50, 38, 32), "ash": (206, 188, 156), "teak": (158, 106, 58)},
    "board": {"green": (66, 118, 62), "cream": (226, 212, 176), "blue": (60, 96, 140), "brick": (160, 84, 58),
              "grey": (120, 122, 118), "sand": (206, 178, 124)},
    "table": {"white": (226, 226, 224), "grey": (150, 152, 154), "black": (34, 34, 36), "beige": (206, 190, 164),
              "green": (96, 120, 100), "marble": (212, 210, 206)},
    "plastic": {"black": (28, 28, 30), "grey": (110, 112, 116), "white": (220, 220, 216), "red": (150, 30, 30)},
}  # fmt: skip


def choose(rng: Random, held: bool, recipes: tuple[str, ...] = ()) -> tuple[str, str]:
    """Sample a recipe (of `recipes`, or any) and a color, held out for evaluation or not."""
    while True:
        recipe = rng.choice(
            recipes or ("felt", "felt", "cloth", "leather", "leather", "wood", "wood", "board", "table")
        )
        color = rng.choice(list(COLORS[recipe]))
        if held_out(f"{recipe} {color}") == held:
            return recipe, color


def lay(rng: Random, recipe: str, color: str) -> Ground:
    """Generate a ground by recipe (of `COLORS`) and color name."""
    tone = np.array(linear([v * rng.uniform(0.88, 1.1) for v in COLORS[recipe][color]]), np.float32)
    noise = np.random.default_rng(rng.randrange(1 << 30))
    picture, relief, wide, rough, gloss = RECIPES[recipe](rng, noise, tone)
    return Ground(
        f"{recipe} {color}", np.clip(picture, 0.002, 0.95).astype(np.float32), relief.astype(np.float32), wide,
        rough, gloss,
    )  # fmt: skip


Made = tuple[NDArray[Any], NDArray[Any], float, float, float]


def clouds(noise: np.random.Generator, steep: float, least: float = 1.0, aspect: float = 1.0) -> Floats:
    """Generate tileable noise with mean 0 and deviation 1, whose amplitude falls with frequency to the power `steep`.
    `least` is the minimum number of waves per texture, and `aspect` stretches the noise along rows."""
    across, along = np.meshgrid(np.fft.fftfreq(PIXELS) * PIXELS, np.fft.fftfreq(PIXELS) * PIXELS)
    pace = np.hypot(across * aspect, along)
    pace[pace < least] = np.inf
    wave = np.fft.fft2(noise.standard_normal((PIXELS, PIXELS))) / pace**steep
    found = np.fft.ifft2(wave).real
    return np.asarray((found - found.mean()) / found.std(), np.float32)


def felt(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate felt, a mat of short fibers."""
    fibers = np.zeros((PIXELS, PIXELS), np.float32)
    for _ in range(9000):
        x, y, way = noise.uniform(0, PIXELS), noise.uniform(0, PIXELS), noise.uniform(0, math.pi)
        far = noise.uniform(6, 22)
        ends = [(int((x + s * far * math.cos(way)) * 8), int((y + s * far * math.sin(way)) * 8)) for s in (-1, 1)]
        cv2.line(fibers, ends[0], ends[1], float(noise.uniform(-1, 1)), 1, cv2.LINE_AA, 3)
    fibers += clouds(noise, 0.4) * 0.5
    soft = clouds(noise, 1.6)
    strong = rng.uniform(0.08, 0.28)
    picture = tone * (1 + strong * fibers + 0.05 * soft)[..., None]
    return picture, cv2.GaussianBlur(fibers, (0, 0), 1.0) * 0.05, rng.uniform(60, 90), 1.0, 0.0


def cloth(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate woven cloth."""
    line = np.arange(PIXELS) / PIXELS
    count = rng.choice((64, 96, 128))
    bend = clouds(noise, 1.5)[:, :1] * 0.1
    warp = np.abs(np.sin((line[None] * count + bend) * math.pi)) * np.ones((PIXELS, 1))
    weft = np.abs(np.sin((line[:, None] * count + bend.T) * math.pi)) * np.ones((1, PIXELS))
    over = np.sin(line[None] * count * math.pi) * np.sin(line[:, None] * count * math.pi) > 0
    high = np.where(over, warp, weft)
    slubs = clouds(noise, 0.8, aspect=12.0) + clouds(noise, 0.8, aspect=1 / 12)
    strong = rng.uniform(0.1, 0.3)
    picture = tone * (1 + strong * (high - 0.6) + 0.07 * slubs)[..., None]
    if rng.random() < 0.3:
        stripes = (np.sin(line * math.tau * rng.choice((2, 3, 4, 6))) > rng.uniform(0.2, 0.8))[None, :, None]
        picture = np.where(stripes, picture * rng.uniform(0.45, 0.8), picture)
    return picture, high * 0.12, rng.uniform(60, 100), 0.9, 0.02


def leather(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate leather: cells separated by creases."""
    count = rng.randint(700, 2600)
    seeds = noise.uniform(0, PIXELS, (count, 2))
    board = np.full((3 * PIXELS // 2, 3 * PIXELS // 2), 255, np.uint8)
    edge = PIXELS // 4
    for shift in np.stack(np.meshgrid((-1, 0, 1), (-1, 0, 1)), -1).reshape(-1, 2):
        spots = np.round(seeds + shift * PIXELS + edge).astype(int)
        spots = spots[((spots >= 0) & (spots < board.shape[0])).all(axis=1)]
        board[spots[:, 1], spots[:, 0]] = 0
    away, label = cv2.distanceTransformWithLabels(board, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    here = np.s_[edge : edge + PIXELS, edge : edge + PIXELS]
    borders = cv2.morphologyEx(label.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((3, 3))) > 0
    crease = cv2.GaussianBlur(borders.astype(np.float32), (0, 0), 1.8)[here]
    soft = clouds(noise, 1.4)
    picture = tone * (1 - rng.uniform(0.15, 0.5) * np.clip(crease, 0, 1) + 0.07 * soft)[..., None]
    relief = -crease * rng.uniform(0.1, 0.25) - away[here] * 0.002
    return picture, relief, rng.uniform(50, 100), rng.uniform(0.28, 0.6), rng.uniform(0.3, 0.7)


def wood(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate wood: rings cut lengthwise with pores, sometimes as planks."""
    bend = clouds(noise, 2.0, aspect=7.0)
    line = np.arange(PIXELS)[:, None] / PIXELS
    rings = np.sin(math.tau * (line * rng.choice((5, 8, 11)) + bend * rng.uniform(0.5, 1.1)))
    rings = 0.5 + 0.5 * rings
    grain = clouds(noise, 0.5, aspect=40.0)
    pores = np.clip(clouds(noise, 0.2, least=20, aspect=24.0) - 1.9, 0, 1)
    shade = 1 - rng.uniform(0.12, 0.35) * rings**3 + 0.07 * grain - 0.4 * pores
    picture = tone * shade[..., None] * np.array([1, 1 - 0.03, 1 - 0.07]) ** (rings[..., None] * 2)
    relief = -pores * 0.08
    if rng.random() < 0.4:
        for row in range(0, PIXELS, PIXELS // rng.choice((2, 3))):
            part = np.s_[row : row + PIXELS // 2]
            picture[part] *= rng.uniform(0.85, 1.15)
            picture[row : row + 3] *= 0.35
            relief[row : row + 3] -= 0.3
    return picture, relief, rng.uniform(140, 260), rng.uniform(0.2, 0.55), rng.uniform(0.2, 0.6)


def board(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate a printed game board with fields, lines and lettering."""
    picture = np.ones((PIXELS, PIXELS, 3), np.float32) * tone
    other = [np.array(linear([noise.uniform(20, 240) for _ in range(3)]), np.float32) for _ in range(4)]
    for _ in range(rng.randint(4, 12)):
        x, y, wide, tall = (int(v) for v in noise.integers(30, PIXELS // 2, 4))
        ink = tuple(float(v) for v in other[rng.randrange(4)] * 0.5 + tone * 0.5)
        thick = rng.choice((-1, 2, 4))
        if rng.random() < 0.6:
            cv2.rectangle(picture, (x, y), (x + wide, y + tall), ink, thick, cv2.LINE_AA)
        else:
            cv2.circle(picture, (x + wide // 2, y + wide // 2), wide // 3, ink, thick, cv2.LINE_AA)
    for _ in range(rng.randint(2, 10)):
        x, y = (int(v) for v in noise.integers(10, PIXELS - 150, 2))
        text, color = rng.choice(("OUT", "SAFE", "1B", "HIT", "RUN", "7", "BALL", "K")), other[rng.randrange(4)]
        letters = np.zeros((PIXELS, PIXELS), np.uint8)
        cv2.putText(letters, text, (x, y + 60), cv2.FONT_HERSHEY_DUPLEX, rng.uniform(0.8, 2.2), 255, 2, cv2.LINE_AA)
        picture += (color - picture) * (letters / np.float32(255))[..., None]
    picture *= 1 + 0.02 * clouds(noise, 0.3)[..., None]
    return picture, clouds(noise, 0.6) * 0.004, rng.uniform(180, 320), rng.uniform(0.25, 0.6), rng.uniform(0.1, 0.5)


def table(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate a bare tabletop: laminate, lacquer or stone."""
    soft, fine = clouds(noise, 1.8), clouds(noise, 0.1)
    veins = np.exp(-np.abs(clouds(noise, 1.7)) * 14) * rng.choice((0.0, 0.25))
    picture = tone * (1 + 0.03 * soft + rng.choice((0.0, 0.04)) * fine - veins)[..., None]
    return picture, clouds(noise, 1.0) * 0.004, rng.uniform(120, 240), rng.uniform(0.08, 0.4), rng.uniform(0.3, 0.8)


def plastic(rng: Random, noise: np.random.Generator, tone: Floats) -> Made:
    """Generate molded plastic with a fine grain."""
    grain = cv2.GaussianBlur(noise.standard_normal((PIXELS, PIXELS)).astype(np.float32), (0, 0), 2.0) * 4
    return np.ones((PIXELS, PIXELS, 3)) * tone, grain * 0.012, 60.0, rng.uniform(0.3, 0.5), 0.4


RECIPES: dict[str, Callable[[Random, np.random.Generator, Floats], Made]] = {
    "felt": felt, "cloth": cloth, "leather": leather, "wood": wood, "board": board, "table": table, "plastic": plastic
}  # fmt: skip
