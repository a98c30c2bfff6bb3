"""Rendered dice without pips (`scripts/training/photograph`), each alone in a square, as `alone.Artist` draws them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from alone import MIDDLE, SHAPE, SQUARE, UNKNOWN, WIDE, Alone, luck, mapped, no_facets, warped

from vision.dice.classify_numerals import SHAPES, SIGNS
from vision.drawn import shapes
from vision.drawn.paint import Lens

IN_SIGHT, TOP_IN_SIGHT = 0.93, 0.6  # least share of a die, and of its top, in sight: rounded edges hide the rest
ASIDE = 0.3  # least cosine of how far a labeled facet is turned away
ABOVE = 12.0  # degrees from straight down up to which a picture may be turned
HALF_HIDDEN = 0.5  # least share of a die in sight, from which it must be detected
CUT = 0.35  # share of the tiles that the picture's edge cuts
DULL = 0.15  # share of the top that is white, from which it is not shown


def pictures(folder: Path) -> Iterator[tuple[dict[str, Any], np.ndarray, Lens]]:
    """Yield the truth of each picture in a folder, the picture and its lens."""
    for line in (folder / "truth.jsonl").read_text().splitlines():
        row = json.loads(line)
        picture = cv2.imread(str(folder / row["picture"]))
        if picture is not None:
            yield row, picture, Lens(tuple(row["size"]), row["view"], row["height"], row["aslant"])


def dice(folder: Path) -> Iterator[Alone]:
    """Yield the dice without pips in the pictures of a folder that nothing hides."""
    for row, picture, lens in pictures(folder):
        for die in row["dice"]:
            clear = die["visible"] >= IN_SIGHT and die["top_visible"] >= TOP_IN_SIGHT and die["glare"] < DULL
            if die["shape"] != "d6" and clear:
                yield alone(picture, lens, die, row["aslant"])


def outline(lens: Lens, die: dict[str, Any]) -> tuple[np.ndarray, float, float, float]:
    """Return a die's outline in the picture (corners, 2), and the middle and width of it, in pixels."""
    shape, half = shapes.solid("numeral" if die["shape"] == "d6" else die["shape"]), die["size"] / 2
    turn, place = np.array(die["turn"]), np.array(die["place"])
    hull = cv2.convexHull(lens.spots(shape.corners @ turn.T * half + place).astype(np.float32))[:, 0]
    # The truth knows the outline with its rounded edges, as a box.
    x, y, wide, tall = die["outline"]
    low, high = hull.min(axis=0), hull.max(axis=0)
    middle = np.array([x + wide / 2 - 0.5, y + tall / 2 - 0.5])
    hull = (hull - (low + high) / 2) * ((wide, tall) / (high - low)) + middle
    return hull, *middle, 2 * math.sqrt(cv2.contourArea(hull.astype(np.float32)) / math.pi)


def alone(picture: np.ndarray, lens: Lens, die: dict[str, Any], aslant: float) -> Alone:
    """Return the square around one die of a picture."""
    hull, x, y, width = outline(lens, die)
    way = mapped((x, y), MIDDLE, WIDE / width)
    cover = np.zeros((SQUARE, SQUARE), np.uint8)
    corners = np.round((hull @ way[:, :2].T + way[:, 2]) * 16).astype(np.int32)
    cv2.fillConvexPoly(cover, corners, 255, cv2.LINE_AA, 4)
    facets = labels(lens, die, way)
    number = SHAPES.index(SHAPE.get(die["shape"], die["shape"]))
    return Alone(warped(picture, way, SQUARE), cover, number, aslant < ABOVE, facets)


def labels(lens: Lens, die: dict[str, Any], way: np.ndarray) -> np.ndarray:
    """Return the labels of the visible facets, where `way` maps from the picture; see `Alone`."""
    shape, half = shapes.solid(die["shape"]), die["size"] / 2
    turn, place, printed = np.array(die["turn"]), np.array(die["place"]), die["print_turn"]
    normals, middles = shape.normals @ turn.T, shape.middle @ turn.T * half + place
    ahead = lens.eye - middles
    facing = np.einsum("ij,ij->i", normals, ahead) / np.linalg.norm(ahead, axis=1)
    up = (math.sin(printed) * shape.right - math.cos(printed) * shape.down) @ turn.T
    spots, tops = lens.spots(middles), lens.spots(middles + up * (half * 0.1))
    found = no_facets()
    first = int(normals[:, 2].argmax())
    others = sorted((n for n in range(len(normals)) if n != first and facing[n] > ASIDE), key=lambda n: -facing[n])
    for line, facet in zip(found, [first, *others], strict=False):
        direction = (tops[facet] - spots[facet]) / max(float(np.linalg.norm(tops[facet] - spots[facet])), 1e-6)
        mark = shapes.MARKS[die["shape"]][die["values"][facet] - 1]
        line[:] = *(way @ (*spots[facet], 1)), *direction, facing[facet], SIGNS.index(mark)
    assert found[0][5] != UNKNOWN
    return found


class RenderedTiles:
    """Tiles of rendered pictures for the detector, some of them cut through a die by a picture's edge."""

    def __init__(self, folders: list[Path], rng: np.random.Generator) -> None:
        self.rng = rng
        self.pictures: list[tuple[np.ndarray, list[tuple[float, float, float, bool]]]] = []
        for folder in folders:
            for row, picture, lens in pictures(folder):
                dice = [
                    (*outline(lens, die)[1:], die["visible"] >= HALF_HIDDEN)
                    for die in row["dice"]
                    if die["shape"] != "d6"
                ]
                if dice:
                    self.pictures.append((picture, dice))

    def tile(self, side: int) -> tuple[np.ndarray, list[tuple[float, float, float]], list[tuple[float, float, float]]]:
        """Return a tile, its dice without pips (x, y, width) and those of which too little is seen to tell."""
        rng = self.rng
        picture, dice = self.pictures[rng.integers(len(self.pictures))]
        x, y, width, _ = dice[rng.integers(len(dice))]
        turn = rng.normal(0, 0.15) + rng.integers(4) * math.pi / 2
        to = tuple(rng.uniform(0.15, 0.85, 2) * side)
        way = mapped((x, y), to, luck(rng, 14, 72) / width, turn, bool(rng.random() < 0.5))
        view = warped(picture, way, side)
        grow = math.sqrt(abs(np.linalg.det(way[:, :2])))
        placed = [(*(way @ (a, b, 1)), wide * grow, seen) for a, b, wide, seen in dice]
        hidden = [one[:3] for one in placed if not one[3]]
        shown = [one[:3] for one in placed if one[3]]
        if rng.random() < CUT:
            edge = int(np.clip(to[0] + width * grow * rng.uniform(-0.25, 0.3), 8, side - 1))
            # Beyond the picture's edge its last column repeats.
            view[:, edge:] = view[:, edge - 1 : edge]
            hidden += [one for one in shown if one[0] > edge + 0.25 * one[2]]
            hidden = [one for one in hidden if one[0] - one[2] / 2 < edge]
            shown = [one for one in shown if one[0] <= edge + 0.25 * one[2]]
            quarters = int(rng.integers(4))
            view = np.ascontiguousarray(np.rot90(view, quarters))
            shown, hidden = ([quarter_turned(one, quarters, side) for one in some] for some in (shown, hidden))
        return view, shown, hidden


def quarter_turned(one: tuple[float, float, float], quarters: int, side: int) -> tuple[float, float, float]:
    """Return a place in a square that `np.rot90` turned this often."""
    x, y, width = one
    for _ in range(quarters):
        x, y = y, side - 1 - x
    return x, y, width
