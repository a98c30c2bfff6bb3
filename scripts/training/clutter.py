"""Draw flat clutter that is not dice: discs, rings, shards, letters and lines."""

from __future__ import annotations

import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

LETTERS = list("0123456789BSCAEKMRTaeknrst ")


def cluttered(rng: np.random.Generator, image: np.ndarray, fonts: list[str], most: int = 5) -> np.ndarray:
    """Draw 1 to `most` pieces of clutter on a square image, with letters in these typefaces."""
    image = np.ascontiguousarray(image)
    side = len(image)
    for _ in range(int(rng.integers(1, most + 1))):
        x, y = (int(v) for v in rng.uniform(-0.1 * side, 1.1 * side, 2))
        size = int(math.exp(rng.uniform(math.log(side * 0.08), math.log(side * 0.6))))
        kind = rng.random()
        if kind < 0.2:
            axes, turn = (size, max(2, int(size * rng.uniform(0.4, 1)))), float(rng.uniform(0, 180))
            cv2.ellipse(image, (x, y), axes, turn, 0, 360, ink(rng), -1, cv2.LINE_AA)
        elif kind < 0.4:
            rings(rng, image, (x, y), size)
        elif kind < 0.6:
            shard(rng, image, (x, y), size)
        elif kind < 0.92:
            letters(rng, image, (x, y), max(8, size), fonts)
        else:
            end = tuple(int(v) for v in rng.uniform(0, side, 2))
            cv2.line(image, (x, y), end, ink(rng), max(1, size // 3), cv2.LINE_AA)
    return image


def ink(rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(int(v) for v in (rng.uniform(0, 255, 3) if rng.random() < 0.5 else [rng.uniform(0, 255)] * 3))


def rings(rng: np.random.Generator, image: np.ndarray, at: tuple[int, int], size: int) -> None:
    """Draw concentric rings and arcs, as on coins, cups and lids."""
    flat, turn = rng.uniform(0.5, 1), float(rng.uniform(0, 180))
    for _ in range(int(rng.integers(1, 4))):
        wide = size * rng.uniform(0.3, 1)
        axes = max(1, int(wide)), max(1, int(wide * flat))
        first = float(rng.uniform(0, 360)) if rng.random() < 0.5 else 0
        last = float(rng.uniform(90, 400)) if rng.random() < 0.5 else 360
        thick = max(1, int(size * rng.uniform(0.03, 0.3)))
        cv2.ellipse(image, at, axes, turn, first, last, ink(rng), thick, cv2.LINE_AA)


def shard(rng: np.random.Generator, image: np.ndarray, at: tuple[int, int], size: int) -> None:
    """Draw a polygon, sometimes with an edge and spokes, as a negative example with a die's outline."""
    angles = np.sort(rng.uniform(0, math.tau, int(rng.integers(3, 9))))
    corners = np.column_stack([at[0] + size * np.cos(angles), at[1] + size * np.sin(angles)]).astype(np.int32)
    cv2.fillPoly(image, [corners], ink(rng), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.polylines(image, [corners], True, ink(rng), max(1, size // 10), cv2.LINE_AA)
    if rng.random() < 0.5:
        for corner in corners.tolist():
            cv2.line(image, at, corner, ink(rng), max(1, size // 14), cv2.LINE_AA)


def letters(rng: np.random.Generator, image: np.ndarray, at: tuple[int, int], size: int, fonts: list[str]) -> None:
    """Draw a word or number that no die shows."""
    text = "".join(rng.choice(LETTERS, int(rng.integers(1, 5))))
    side = len(image)
    sheet = Image.new("L", (2 * side, 2 * side))
    font = ImageFont.truetype(fonts[rng.integers(len(fonts))], size)
    ImageDraw.Draw(sheet).text((side, side), text, 255, font, anchor="mm")
    # Rotate about the center, then crop so that it is in place.
    left, top = (min(max(side - v, 0), side) for v in at)
    cover = np.asarray(sheet.rotate(float(rng.uniform(0, 360))))[top : top + side, left : left + side, None] / 255
    image[:] = (image * (1 - cover) + np.array(ink(rng)) * cover).astype(np.uint8)
