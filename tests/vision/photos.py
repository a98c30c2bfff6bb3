"""Photos of real dice with their true values, if available: they are not part of this repository."""

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
"""Mark for tests that need the photos."""


def measured(folder: str) -> dict[str, list[int]]:
    """Return the pictures of one `measure/` folder and the values they show, sorted."""
    with (PHOTOS / "labels_hand.csv").open(newline="") as handle:
        table = {row["path"]: sorted(int(v) for v in row["values"].split()) for row in csv.DictReader(handle)}
    return {path: values for path, values in table.items() if path.startswith(f"measure/{folder}/")}


def held_out(source: str) -> dict[str, list[int]]:
    """Return the pictures of a source that no net was trained on, and the values they show, sorted."""
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
    """Return a sort key that puts "x_10" after "x_9"."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def picture(path: str, width: int | None = None) -> NDArray[np.uint8]:
    frame = cv2.imread(str(PHOTOS / path))
    assert frame is not None, path
    if width is not None:
        size = (width, round(frame.shape[0] * width / frame.shape[1]))
        frame = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    return frame.astype(np.uint8, copy=False)


def score(readings: list[tuple[list[int], Reading]]) -> Counter[str]:
    """Return how many of these (truth, reading) pairs are exact, and how many are silent: sure and wrong."""
    count: Counter[str] = Counter()
    for truth, reading in readings:
        exact = sorted(reading.dice_values) == truth
        count["exact"] += exact
        count["silent"] += reading.is_sure and not exact
    return count
