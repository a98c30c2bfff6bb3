"""Photographs of dice for training, with their labels."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

SIXES = ("nell-byler", "n3vers4ydie-PXL", "n3vers4ydie-ir-circle", "matteop65")  # sources of complete scenes with d6
FACE = 7.0  # width of a die in pip diameters


@dataclass
class Picture:
    path: str
    source: str
    held: bool
    levels: list[np.ndarray]  # the picture at 1, 1/2, 1/4, 1/8
    dice: list[tuple[float, float, float, int]] = field(default_factory=list)  # x, y, size, value
    signs: list[tuple[float, float, float]] = field(default_factory=list)  # x, y, size: dice without pips
    unknown: list[tuple[float, float, float]] = field(default_factory=list)  # x, y, size: dice cut off, with no label


def natural(text: str) -> list:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def rows(photos: Path) -> list[dict[str, str]]:
    with (photos / "labels.csv").open(newline="") as handle:
        return [row for row in csv.DictReader(handle) if row["path"].startswith("licensed/")]


def held_groups(table: list[dict[str, str]]) -> set[tuple[str, str]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for row in table:
        groups[row["source"]].add(row["group"])
    held = set()
    for source, names in groups.items():
        block = 10 if len(names) >= 50 else 1
        held |= {(source, g) for i, g in enumerate(sorted(names, key=natural)) if i // block % 5 == 4}
    return held


def pip_size(image: np.ndarray, x: float, y: float, w: float, h: float) -> float | None:
    """Return the median diameter of the dark pips, for a box around pips only."""
    margin = int(max(3, 0.15 * max(w, h)))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = grey[max(0, int(y - margin)) : int(y + h + margin), max(0, int(x - margin)) : int(x + w + margin)]
    _, dark = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    _, _, stats, centres = cv2.connectedComponentsWithStats(dark)
    areas = [
        area
        for (_, _, bw, bh, area), (cx, cy) in zip(stats[1:], centres[1:], strict=True)
        if 0.5 < bw / bh < 2
        and area > max(6, 0.6 * bw * bh)
        and abs(cx - grey.shape[1] / 2) < w / 2 + 2
        and abs(cy - grey.shape[0] / 2) < h / 2 + 2
    ]
    return 2 * float(np.sqrt(np.median(areas) / np.pi)) if areas else None


def load(photos: Path, sources: Collection[str]) -> list[Picture]:
    table = rows(photos)
    held = held_groups(table)
    pictures: dict[str, Picture] = {}
    for row in table:
        if row["source"] not in sources:
            continue
        path = row["path"]
        if path not in pictures:
            levels = [cv2.imread(str(photos / path))]
            while min(levels[-1].shape[:2]) > 80 and len(levels) < 4:
                levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
            pictures[path] = Picture(path, row["source"], (row["source"], row["group"]) in held, levels)
        picture = pictures[path]
        height, width = picture.levels[0].shape[:2]
        x, y, w, h = (float(row[k] or whole) for k, whole in (("x", 0), ("y", 0), ("w", width), ("h", height)))
        size = float(np.sqrt(w * h))
        if row["source"] == "matteop65":
            pip = pip_size(picture.levels[0], x, y, w, h)
            size = -1.0 if pip is None else pip * FACE
        picture.dice.append((x + w / 2, y + h / 2, size, int(row["value"])))
    for picture in pictures.values():
        known = [d[2] for d in picture.dice if d[2] > 0]
        if known:
            usual = float(np.median(known))
            picture.dice = [
                (x, y, usual if not 0.75 * usual < s < 1.33 * usual and picture.source == "matteop65" else s, v)
                for x, y, s, v in picture.dice
            ]
    for row in marks():
        if row["path"] in pictures:
            mend(pictures[row["path"]], *(float(row[key]) for key in ("x", "y", "size")), row["shows"])
    return [p for p in pictures.values() if all(d[2] > 0 for d in p.dice)]


def not_held(photos: Path, sources: Collection[str]) -> list[Picture]:
    """Return the images of these sources with labeled dice, without those held out."""
    return [picture for picture in load(photos, sources) if not picture.held and picture.dice]


def marks() -> list[dict[str, str]]:
    """Load corrections of the published labels, found by eye on enlarged crops."""
    with Path(__file__).with_name("marks.csv").open(newline="") as handle:
        return list(csv.DictReader(handle))


def mend(picture: Picture, x: float, y: float, size: float, shows: str) -> None:
    """Correct one label: a value, a die with a sign instead of pips, an unreadable die, or nothing."""
    if shows == "unknown":
        picture.unknown.append((x, y, size))
        return
    picture.dice = [d for d in picture.dice if np.hypot(d[0] - x, d[1] - y) > size / 2]
    if shows == "sign":
        picture.signs.append((x, y, size))
    elif shows != "nothing":
        picture.dice.append((x, y, size, int(shows)))
