"""Photos of real dice with their truth, where they are at hand: they are no part of this repository."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import Reading

PHOTOS = Path(__file__).parents[2].parent / "shared" / "dice"

needed = pytest.mark.skipif(not (PHOTOS / "labels.csv").exists(), reason="the dice photos are not beside the project")
"""Marks a test that reads the photos."""


def measured(folder: str) -> dict[str, list[int]]:
    """The pictures of one `measure/` folder and the values they show, sorted."""
    with (PHOTOS / "labels_hand.csv").open(newline="") as handle:
        table = {row["path"]: sorted(int(v) for v in row["values"].split()) for row in csv.DictReader(handle)}
    return {path: values for path, values in table.items() if path.startswith(f"measure/{folder}/")}


def held_out(source: str) -> dict[str, list[int]]:
    """The pictures of a source that shaped no weights, and the values they show, sorted.

    As in `scripts/training/train`: in natural order of the groups, every fifth block of ten, or of fewer than fifty
    every fifth.
    """
    groups: dict[str, str] = {}
    values: defaultdict[str, list[int]] = defaultdict(list)
    with (PHOTOS / "labels.csv").open(newline="") as handle:
        for row in csv.DictReader(handle):
            if row["source"] == source:
                groups[row["path"]] = row["group"]
                values[row["path"]].append(int(row["value"]))
    order = sorted(set(groups.values()), key=_natural)
    block = 10 if len(order) >= 50 else 1
    held = {group for i, group in enumerate(order) if i // block % 5 == 4}
    return {path: sorted(values[path]) for path, group in groups.items() if group in held}


def _natural(text: str) -> list[tuple[int, str]]:
    """Sorts "x_10" after "x_9"."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def picture(path: str, width: int | None = None) -> NDArray[np.uint8]:
    """The picture at `path`, BGR, scaled to `width` pixels where one is given."""
    frame = cv2.imread(str(PHOTOS / path))
    assert frame is not None, path
    if width is not None:
        size = (width, round(frame.shape[0] * width / frame.shape[1]))
        frame = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    return frame.astype(np.uint8, copy=False)


def score(readings: list[tuple[list[int], Reading]]) -> Counter[str]:
    """How many of these (truth, reading) are exact, and how many are silent: sure and wrong."""
    count: Counter[str] = Counter()
    for truth, reading in readings:
        exact = sorted(reading.values) == truth
        count["exact"] += exact
        count["silent"] += reading.sure and not exact
    return count
