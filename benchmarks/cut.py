"""How well dice cut by the picture's edge are read: `python -m benchmarks.cut` prints the table of docs/vision.md.

From the licensed photos beside the project (see tests/vision/photos.py) that are read without a doubt, some dice are
cut by moving an edge of the picture over them. The reading of the whole die is taken as the truth.
"""

from __future__ import annotations

import csv
from collections import Counter
from itertools import pairwise
from random import Random

import cv2
import numpy as np

from tests.vision.photos import PHOTOS, picture
from vision.cameras.frames import Image
from vision.reader import Reader
from vision.reading import Die

SOURCES = ("nell-byler", "matteop65", "n3vers4ydie-ir-circle", "n3vers4ydie-PXL")
SHARES = (0.12, 0.18, 0.24, 0.28, 0.32, 0.36)
"""The shares of a die's width that are cut off."""

CLEAR, ENOUGH, MOST = 0.99, 0.95, 4
"""The least confidence of a die when whole, the least at which a cut die counts, and the most dice of one picture."""


def cut(frame: Image, die: Die, share: float, side: int) -> Image:
    """Return the frame without the part beyond a line that cuts `share` of a die off, on one of four sides."""
    x, y, wide, tall = die.box
    if side == 0:
        return frame[:, round(x + share * wide) :]
    if side == 1:
        return frame[:, : round(x + (1 - share) * wide)]
    if side == 2:
        return frame[round(y + share * tall) :]
    return frame[: round(y + (1 - share) * tall)]


def middle(die: Die) -> tuple[float, float]:
    return die.box[0] + die.box[2] / 2, die.box[1] + die.box[3] / 2


def main() -> None:
    """Print the table in Markdown."""
    cv2.setNumThreads(1)
    reader, random = Reader(kinds=frozenset({"d6"})), Random(7)
    with (PHOTOS / "labels.csv").open(newline="") as handle:
        paths = {row["path"] for row in csv.DictReader(handle) if row["source"] in SOURCES}
    counts = {low: Counter[str]() for low in SHARES[:-1]}
    for path in sorted(paths):
        frame = picture(path)
        whole = reader.read(frame)
        clear = [die for die in whole.dice if die.confidence >= CLEAR and min(die.box[:2]) > 0]
        for die in random.sample(clear, min(MOST, len(clear))) if whole.sure else []:
            share, side = random.uniform(SHARES[0], SHARES[-1]), random.randrange(4)
            part = np.ascontiguousarray(cut(frame, die, share, side))
            if min(part.shape[:2]) < 2 * max(die.box[2:]):
                continue
            x, y = middle(die)
            left = x - frame.shape[1] + part.shape[1] if side == 0 else x
            top = y - frame.shape[0] + part.shape[0] if side == 2 else y
            count = counts[max(low for low in counts if low <= share)]
            count["cut"] += 1
            for other in reader.read(part).dice:
                across, down = middle(other)
                if np.hypot(across - left, down - top) < die.box[2] / 2 and other.confidence >= ENOUGH:
                    count["read"] += 1
                    count["wrong"] += other.value != die.value
                    count["one, five or six"] += other.value in (1, 5, 6)
                    count["wrong there"] += other.value != die.value and other.value in (1, 5, 6)
    print("| cut off | dice | read with 95 % | wrong | read as one, five or six | wrong |")
    print("|---|---|---|---|---|---|")
    for (low, high), count in zip(pairwise(SHARES), counts.values(), strict=True):
        row = (count[name] for name in ("cut", "read", "wrong", "one, five or six", "wrong there"))
        print(f"| {100 * low:.0f} to {100 * high:.0f} % | {' | '.join(str(n) for n in row)} |")


if __name__ == "__main__":
    main()
