"""Samples to train the three nets for dice without pips: what each net sees, and the right answers."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from alone import MIDDLE, SQUARE, WIDE, Alone, luck, mapped, no_facets, warped
from clutter import cluttered
from photos import SIXES, Picture, load
from rendered_numerals import RenderedTiles
from typefaces import typefaces
from weather import ground, look, weather

from vision.dice.classify_numerals import CELL, CLOSE, CONTEXT, SHAPES, SHARE, SIDE, SIGNS
from vision.dice.detect import STRIDE, UNIT

TILE = 160
SMALLEST = 12.0  # least width of a die, in pixels of the net's input, that the detector is trained on
OTHERS = 0.15  # share of things that are no dice, however many dice were rendered
NOTHING = len(SIGNS)  # answer of the last net where there is no sign

# A photographed die: alone in a square; the picture, and its middle and width there.
Clip = tuple[Alone, np.ndarray, float, float, float]


def drawn(out: Path) -> list[Alone]:
    """Return everything that was drawn or rendered."""
    dice: list[Alone] = []
    for file in sorted([*out.glob("drawn-*.npz"), *out.glob("rendered-*.npz")]):
        kept = np.load(file)
        dice += [Alone(*one) for one in zip(*(kept[name] for name in Alone.__dataclass_fields__), strict=True)]
    return dice


def beside(photos: Path, sources: tuple[str, ...]) -> list[Picture]:
    """Return the pictures of other dice that are not held out."""
    return [picture for picture in load(photos, sources) if not picture.held and picture.dice]


def photographed(photos: Path, out: Path) -> list[Clip]:
    """Return the dice of `real.csv`; none if it does not exist yet."""
    if not (out / "real.csv").exists():
        return []
    found = []
    for row in csv.DictReader((out / "real.csv").read_text().splitlines()):
        picture = cv2.imread(str(photos / row["path"]))
        x, y, size, right, down = (float(row[name]) for name in ("x", "y", "size", "right", "down"))
        way, facets = mapped((x, y), MIDDLE, WIDE / size), no_facets()
        facets[0] = *(way @ (right, down, 1)), 0, 0, 1, SIGNS.index(row["value"])
        square, cover = warped(picture, way, SQUARE), np.zeros((SQUARE, SQUARE), np.uint8)
        found.append((Alone(square, cover, SHAPES.index("d20"), False, facets), picture, x, y, size))
    return found


def mistaken(photos: Path, out: Path) -> list[Alone]:
    """Return the false dice listed in `false.csv`; none if it does not exist yet."""
    if not (out / "false.csv").exists():
        return []
    found, opened, picture = [], "", np.zeros((1, 1, 3), np.uint8)
    for row in csv.DictReader((out / "false.csv").read_text().splitlines()):
        if row["path"] != opened:
            opened, picture = row["path"], cv2.imread(str(photos / row["path"]))
        way = mapped((float(row["x"]), float(row["y"])), MIDDLE, WIDE / float(row["size"]))
        found.append(Alone.none(warped(picture, way, SQUARE)))
    return found


def coarse(rng: np.random.Generator, image: np.ndarray, least: float) -> np.ndarray:
    """Return the square as if taken with fewer pixels, at least this share, sometimes sharpened or compressed."""
    side = len(image)
    few = int(rng.integers(int(side * least), int(side * 0.8) + 1))
    small = cv2.resize(image, (few, few), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
        small = np.clip(small + (small - soft) * rng.uniform(0.2, 1.2), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, code = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 92))])
        small = cv2.imdecode(code, cv2.IMREAD_COLOR)
    how = cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC
    return cv2.resize(small, (side, side), interpolation=how)


def weathered(rng: np.random.Generator, image: np.ndarray, least: float = 0.0) -> np.ndarray:
    """Return the square under another lamp and lens, and coarser if `least` is more than 0."""
    if least and rng.random() < 0.4:
        image = coarse(rng, image, least)
    image = image.astype(np.float32)
    if rng.random() < 0.12:
        side = len(image)
        (x, y), wide = rng.uniform(0, side, 2), side * rng.uniform(0.05, 0.2)
        rows, columns = np.mgrid[:side, :side]
        shine = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * wide * wide)).astype(np.float32)
        image = image + 255 * rng.uniform(0.3, 1.2) * shine[..., None]
    return weather(rng, image)


class Dice:
    """Dice without pips, drawn and photographed, and pictures of other things, prepared for the nets."""

    def __init__(self, photos: Path, out: Path, seed: int, fonts: Path, studio: list[Path]) -> None:
        self.rng, self.fonts = np.random.default_rng(seed), typefaces(fonts)
        self.drawn, self.clips, self.sixes = drawn(out), photographed(photos, out), beside(photos, SIXES)
        self.false = mistaken(photos, out)
        self.no_dice = [one for one in self.drawn if not one.shape]
        self.tiles = RenderedTiles(studio, self.rng)
        print("drawn", len(self.drawn), "photographed", len(self.clips), "false", len(self.false), flush=True)

    def one(self, false: float = 0.0) -> Alone:
        """Return any of them, a tenth photographed and `OTHERS` something else, or, with probability `false`, a false
        die."""
        which = self.rng.random()
        if self.clips and which < 0.1:
            return self.clips[self.rng.integers(len(self.clips))][0]
        if self.false and which > 1 - false:
            return self.false[self.rng.integers(len(self.false))]
        if self.no_dice and which > 1 - false - OTHERS:
            return self.no_dice[self.rng.integers(len(self.no_dice))]
        return self.drawn[self.rng.integers(len(self.drawn))]

    def top(self) -> tuple[np.ndarray, int, int, np.ndarray]:
        """For the second net: a square, its shape, the cell of the top's middle (-1: none), and the place in it."""
        rng = self.rng
        die, kind = self.one(0.18), rng.random()
        if die.shape and kind < 0.1:
            return weathered(rng, self.misplaced(die, kind < 0.055), 0.55), 0, -1, np.zeros(2, np.float32)
        scale = SIDE / (CONTEXT * WIDE) * float(np.exp(rng.normal(0, 0.09)))
        turn = rng.uniform(0, math.tau) if die.above else rng.normal(0, 0.09)
        to, stretch = rng.normal(SIDE / 2 - 0.5, 1.8, 2), float(np.exp(rng.normal(0, 0.04)))
        way = mapped(MIDDLE, to, scale, turn, bool(rng.random() < 0.5), stretch)
        view = warped(die.picture, way, SIDE)
        if not die.shape and rng.random() < 0.5:
            view = cluttered(rng, view, self.fonts)
        cell, offset = -1, np.zeros(2, np.float32)
        if die.shape:
            spot = (way @ (*die.facets[0, :2], 1) + 0.5) / CELL
            column, row = np.floor(spot).astype(int)
            if min(column, row) >= 0 and max(column, row) < SIDE // CELL:
                cell, offset = row * (SIDE // CELL) + column, (spot % 1 - 0.5).astype(np.float32)
        return weathered(rng, view, 0.55), die.shape, cell, offset

    def misplaced(self, die: Alone, part: bool) -> np.ndarray:
        """Return a part of a die, or a die within something far larger: neither fills its square."""
        rng = self.rng
        scale, turn = SIDE / (CONTEXT * WIDE), rng.uniform(0, math.tau)
        if part:
            angle, away = rng.uniform(0, math.tau), rng.uniform(0, 0.36) * WIDE
            at, scale = (
                np.array(MIDDLE) + away * np.array([np.cos(angle), np.sin(angle)]),
                scale * rng.uniform(2.1, 4.2),
            )
        else:
            at, scale = rng.normal(MIDDLE, 9), scale * rng.uniform(0.3, 0.5)
        view = warped(die.picture, mapped(at, (SIDE / 2 - 0.5,) * 2, scale, turn, bool(rng.random() < 0.5)), SIDE)
        return cluttered(rng, view, self.fonts, 3) if rng.random() < (0.1 if part else 0.5) else view

    def sign(self) -> tuple[np.ndarray, int, np.ndarray]:
        """For the third net: a square, the sign printed there, and where its top is, (0, 0) where unknown."""
        rng = self.rng
        die = self.one(0.03)
        while not die.shape and rng.random() > 0.35:
            die = self.one(0.03)
        picture, share = die.picture, SHARE[SHAPES[die.shape]]
        if not die.shape and rng.random() < 0.3:
            picture = cluttered(rng, picture.copy(), self.fonts, 3)
        sign, up = NOTHING, np.zeros(2)
        # Of a photographed die, which has no cover, only one facet is known: another's sign may be beside it.
        if die.shape and (rng.random() < 0.94 or not die.cover.any()):
            clear = [facet for facet in die.labeled[1:] if facet[4] > 0.62]
            facet = die.facets[0] if rng.random() < 0.5 or not clear else clear[rng.integers(len(clear))]
            at, up, sign = facet[:2] + rng.normal(0, 2.6 * share, 2), facet[2:4], int(facet[5])
        else:
            share = share if die.shape else rng.uniform(0.4, 0.8)
            at = self.between(die, share)
        scale = CLOSE / (share * WIDE) * float(np.exp(rng.normal(0, 0.1)))
        to, stretch = (CLOSE / 2 - 0.5,) * 2, float(np.exp(rng.normal(0, 0.07)))
        way = mapped(at, to, scale, rng.uniform(0, math.tau), stretch=stretch)
        up = way[:, :2] @ up
        up = (up / max(1e-6, np.hypot(*up))).astype(np.float32)
        return weathered(rng, warped(picture, way, CLOSE), 0.42), sign, up

    def between(self, die: Alone, share: float) -> np.ndarray:
        """Return a place away from every facet's middle."""
        while True:
            at = self.rng.uniform(0.2 * SQUARE, 0.8 * SQUARE, 2)
            if all(np.hypot(*(facet[:2] - at)) > 0.48 * WIDE * share for facet in die.labeled):
                return at

    def spots(self) -> tuple[np.ndarray, np.ndarray]:
        """For the first net: a tile, and the right answer; see `target`."""
        rng = self.rng
        kind = rng.random()
        if self.clips and kind < 0.12:
            tile, dice = self.clip()
            return weathered(rng, tile), target([dice])
        if self.tiles.pictures and kind < 0.45:
            tile, dice, hidden = self.tiles.tile(TILE)
            return weathered(rng, tile), target(dice, hidden)
        kind = rng.random()
        tile = self.others() if kind < 0.5 else np.clip(ground(rng, self.sixes, TILE), 0, 255).astype(np.uint8)
        if rng.random() < 0.65:
            tile = cluttered(rng, tile, self.fonts, 8)
        if rng.random() < 0.14 and (die := self.one()).shape and die.cover.any():
            # Far too large for this scale: no part of it is a die.
            way = mapped(MIDDLE, rng.uniform(0, TILE, 2), rng.uniform(1.7, 5), rng.uniform(0, math.tau))
            return weathered(rng, pasted(tile, die, way)), target([])
        tile, dice = self.laid(tile)
        return weathered(rng, tile), target(dice)

    def others(self) -> np.ndarray:
        """Return a view of dice with pips, none of which counts."""
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
        _, picture, x, y, width = self.clips[rng.integers(len(self.clips))]
        size, to = luck(rng, 14, 80), rng.uniform(0.2 * TILE, 0.8 * TILE, 2)
        tile = warped(picture, mapped((x, y), to, size / width, rng.uniform(0, math.tau)), TILE)
        return tile, (*to, size)

    def laid(self, tile: np.ndarray) -> tuple[np.ndarray, list[tuple[float, float, float]]]:
        """Lay some drawn dice of about one size on this tile."""
        rng = self.rng
        usual, dice = luck(rng, 14, 72), []
        for _ in range(int(rng.choice([0, 1, 1, 1, 2, 2, 3, 4]))):
            die = self.drawn[rng.integers(len(self.drawn))]
            size, (x, y) = usual * float(np.exp(rng.normal(0, 0.12))), rng.uniform(-4, TILE + 4, 2)
            if not die.shape or any(np.hypot(x - a, y - b) < 0.45 * (size + other) for a, b, other in dice):
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
    """Return the tile with a drawn die where `way` maps it to. Its shadow, `dark`, falls `fall` right and down."""
    view, cover = warped(die.picture, way, TILE), warped(die.cover, way, TILE).astype(np.float32)[..., None] / 255
    if fall is not None and dark:
        soft = cv2.GaussianBlur(cover, (0, 0), 0.1 * WIDE * math.sqrt(np.linalg.det(way[:, :2])))
        tile = tile * (1 - dark * np.roll(soft, fall.astype(int)[::-1], (0, 1))[..., None])
    return (tile * (1 - cover) + view * cover).astype(np.uint8)


def target(dice: list[tuple[float, float, float]], hidden: Sequence[tuple[float, float, float]] = ()) -> np.ndarray:
    """Return 6 planes: heat, log2(size / UNIT), x and y within the cell, weight of size and place, weight of heat.
    `dice` are x, y and size, in pixels of a tile; it does not matter whether those that are `hidden` are detected."""
    side = TILE // STRIDE
    out = np.zeros((6, side, side), np.float32)
    out[5] = 1
    ys, xs = np.mgrid[:side, :side]
    for x, y, size in hidden:
        out[5][(xs - x / STRIDE) ** 2 + (ys - y / STRIDE) ** 2 < (size / 2 / STRIDE) ** 2] = 0
    for x, y, size in dice:
        cx, cy = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        near = (xs - cx) ** 2 + (ys - cy) ** 2
        if size < SMALLEST or not -0.5 < min(cx, cy) <= max(cx, cy) < side - 0.5:
            out[5][near < (size / 2 / STRIDE) ** 2] = 0
            continue
        out[0] = np.maximum(out[0], np.exp(-near / (2 * max(0.6, 0.11 * size / STRIDE) ** 2)))
        out[0, round(cy), round(cx)] = 1
        good = near < 2.2
        out[1][good] = math.log2(size / UNIT)
        out[2][good], out[3][good] = (cx - xs)[good], (cy - ys)[good]
        out[4][good] = 1
    return out
