"""Training samples for the detector of dice without pips: tiles and targets."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import cv2
import numpy as np
from alone import MIDDLE, WIDE, Alone, luck, mapped, warped
from clutter import cluttered
from photos import SIXES, not_held
from typefaces import typefaces
from weather import ground, look, weather

from vision.dice.detect import OUTPUT_STRIDE_PX, UNIT_WIDTH_PX

TILE = 160
SMALLEST = 12.0  # minimum width of a die for training, in pixels of the network's input

Clip = tuple[np.ndarray, float, float, float]  # an image with one photographed die; the die's center and width in it


def drawn(out: Path) -> list[Alone]:
    """Load all rendered dice."""
    dice: list[Alone] = []
    for file in sorted(out.glob("drawn-*.npz")):
        kept = np.load(file)
        dice += [Alone(*one) for one in zip(*(kept[name] for name in Alone.__dataclass_fields__), strict=True)]
    return dice


def photographed(photos: Path, out: Path) -> list[Clip]:
    """Load the dice of `real.csv`, or [] if it doesn't exist yet."""
    if not (out / "real.csv").exists():
        return []
    found = []
    for row in csv.DictReader((out / "real.csv").read_text().splitlines()):
        x, y, size = (float(row[name]) for name in ("x", "y", "size"))
        found.append((cv2.imread(str(photos / row["path"])), x, y, size))
    return found


def weathered(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Vary the light and the lens of a square."""
    image = image.astype(np.float32)
    if rng.random() < 0.12:
        side = len(image)
        (x, y), wide = rng.uniform(0, side, 2), side * rng.uniform(0.05, 0.2)
        rows, columns = np.mgrid[:side, :side]
        shine = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * wide * wide)).astype(np.float32)
        image = image + 255 * rng.uniform(0.3, 1.2) * shine[..., None]
    return weather(rng, image)


class Dice:
    """Samples of dice without pips, rendered and photographed, and of other things."""

    def __init__(self, photos: Path, out: Path, seed: int, fonts: Path) -> None:
        self.rng, self.fonts = np.random.default_rng(seed), typefaces(fonts)
        self.drawn, self.clips, self.sixes = drawn(out), photographed(photos, out), not_held(photos, SIXES)
        print("drawn", len(self.drawn), "photographed", len(self.clips), flush=True)

    def spots(self) -> tuple[np.ndarray, np.ndarray]:
        """Return a tile and its `target`."""
        rng = self.rng
        if self.clips and rng.random() < 0.12:
            tile, die = self.clip()
            return weathered(rng, tile), target([die])
        tile = self.others() if rng.random() < 0.5 else np.clip(ground(rng, self.sixes, TILE), 0, 255).astype(np.uint8)
        if rng.random() < 0.65:
            tile = cluttered(rng, tile, self.fonts, 8)
        if rng.random() < 0.1:
            # Far too large for this scale, so no part of it is a die.
            die = self.drawn[rng.integers(len(self.drawn))]
            way = mapped(MIDDLE, rng.uniform(0, TILE, 2), rng.uniform(1.7, 5), rng.uniform(0, math.tau))
            return weathered(rng, pasted(tile, die, way)), target([])
        tile, dice = self.laid(tile)
        return weathered(rng, tile), target(dice)

    def others(self) -> np.ndarray:
        """Return a view of dice with pips, as a negative example."""
        rng = self.rng
        picture = self.sixes[rng.integers(len(self.sixes))]
        height, width = picture.levels[0].shape[:2]
        scale = luck(rng, 12, 60) / float(np.median([size for _, _, size, _ in picture.dice]))
        at = rng.uniform(0, width), rng.uniform(0, height)
        view, _ = look(rng, picture, *at, scale, TILE, rng.uniform(0, math.tau), (TILE / 2, TILE / 2))
        return np.clip(view, 0, 255).astype(np.uint8)

    def clip(self) -> tuple[np.ndarray, tuple[float, float, float]]:
        """Return a view of a photographed die without pips."""
        rng = self.rng
        picture, x, y, width = self.clips[rng.integers(len(self.clips))]
        size, to = luck(rng, 14, 80), rng.uniform(0.2 * TILE, 0.8 * TILE, 2)
        tile = warped(picture, mapped((x, y), to, size / width, rng.uniform(0, math.tau)), TILE)
        return tile, (*to, size)

    def laid(self, tile: np.ndarray) -> tuple[np.ndarray, list[tuple[float, float, float]]]:
        """Paste some rendered dice of similar size onto the tile."""
        rng = self.rng
        usual, dice = luck(rng, 14, 72), []
        for _ in range(int(rng.choice([0, 1, 1, 1, 2, 2, 3, 4]))):
            die = self.drawn[rng.integers(len(self.drawn))]
            size, (x, y) = usual * float(np.exp(rng.normal(0, 0.12))), rng.uniform(-4, TILE + 4, 2)
            if any(np.hypot(x - a, y - b) < 0.45 * (size + other) for a, b, other in dice):
                continue
            turn = rng.uniform(0, math.tau) if die.above else rng.normal(0, 0.1)
            dark = rng.uniform(0.2, 0.7) if rng.random() < 0.6 else 0.0
            fall = rng.normal(0, size * 0.12, 2)
            tile = pasted(tile, die, mapped(MIDDLE, (x, y), size / WIDE, turn), dark, fall)
            dice.append((x, y, size))
        return tile, dice


def pasted(
    tile: np.ndarray, die: Alone, way: np.ndarray, dark: float = 0.0, fall: np.ndarray | None = None
) -> np.ndarray:
    """Paste a rendered die onto the tile where `way` maps it, with a shadow of strength `dark` at the offset `fall`."""
    view, cover = warped(die.picture, way, TILE), warped(die.cover, way, TILE).astype(np.float32)[..., None] / 255
    if fall is not None and dark:
        soft = cv2.GaussianBlur(cover, (0, 0), 0.1 * WIDE * math.sqrt(np.linalg.det(way[:, :2])))
        tile = tile * (1 - dark * np.roll(soft, fall.astype(int)[::-1], (0, 1))[..., None])
    return (tile * (1 - cover) + view * cover).astype(np.uint8)


def target(dice: list[tuple[float, float, float]]) -> np.ndarray:
    """Build the target, 6 planes: heat, log2(size / `UNIT_WIDTH_PX`), x and y within the cell, weight of size and
    position, weight of heat. `dice` are x, y and size, in pixels of a tile."""
    side = TILE // OUTPUT_STRIDE_PX
    out = np.zeros((6, side, side), np.float32)
    out[5] = 1
    ys, xs = np.mgrid[:side, :side]
    for x, y, size in dice:
        cx, cy = (x + 0.5) / OUTPUT_STRIDE_PX - 0.5, (y + 0.5) / OUTPUT_STRIDE_PX - 0.5
        near = (xs - cx) ** 2 + (ys - cy) ** 2
        if size < SMALLEST or not -0.5 < min(cx, cy) <= max(cx, cy) < side - 0.5:
            out[5][near < (size / 2 / OUTPUT_STRIDE_PX) ** 2] = 0
            continue
        out[0] = np.maximum(out[0], np.exp(-near / (2 * max(0.6, 0.11 * size / OUTPUT_STRIDE_PX) ** 2)))
        out[0, round(cy), round(cx)] = 1
        good = near < 2.2
        out[1][good] = math.log2(size / UNIT_WIDTH_PX)
        out[2][good], out[3][good] = (cx - xs)[good], (cy - ys)[good]
        out[4][good] = 1
    return out
