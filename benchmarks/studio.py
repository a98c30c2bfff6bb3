"""Accuracy of reading rendered dice: `python -m benchmarks.studio FOLDER` prints a table in Markdown.

FOLDER holds the output of one or several calls of `scripts/training/photograph`. The reader looks for the kinds of dice
in each picture, as at a table that asks for them, or with `--untold` for all kinds. No tray is calibrated.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cameras.frames import Image
from vision.reader import Reader
from vision.reading import READABLE_KINDS, PixelBox, Reading

Row = dict[str, Any]

TILT_RANGES_DEG = ((3, 10), (10, 20), (20, 90))  # Ranges of a die's tilt, in degrees.
FAIR_SCENES = ("flat", "beside-wall", "beside-die", "glare")  # Scenes whose values count.
MIN_VISIBLE_SHARE = 1 / 3  # Visible share of the lower die from which a stack can be recognized.


def pictures(folder: Path) -> Iterator[tuple[Row, Image]]:
    rows = {row["picture"]: row for row in map(json.loads, (folder / "truth.jsonl").read_text().splitlines())}
    for name in sorted(rows):
        image = cv2.imread(str(folder / name)) if (folder / name).exists() else None
        if image is not None:
            yield rows[name], image.astype(np.uint8)


def row_names(row: Row) -> list[str]:
    """Return the table rows in which an image counts."""
    scene, dice = row["scene"], row["dice"]
    if scene == "flat":
        shapes = {die["shape"] for die in dice}
        return [f"flat: {shapes.pop()}" if len(shapes) == 1 else "flat: mixed kinds"]
    if scene == "leaning":
        most = max(die["tilt"] for die in dice)
        return ["leaning", *(f"– by {low} to {high}°" for low, high in TILT_RANGES_DEG if low <= most < high)]
    if scene == "stacked":
        lower = min(dice[die["upon"]]["visible"] for die in dice if die["upon"] is not None)
        return [
            "stacked",
            f"– {'a third or more' if lower >= MIN_VISIBLE_SHARE else 'less than a third'} of the lower die in sight",
        ]
    if scene == "glare":
        return [f"glare {'on' if row['reason'] else 'beside'} a top"]
    return [scene]


def has_missed_die(row: Row, reading: Reading) -> bool:
    """True if a die of which 25 to 75 % is visible was missed, without a detection or a doubt."""
    cut = [die for die in row["dice"] if 0.25 <= die["visible"] <= 0.75 and die["box"]]
    return reading.is_sure and any(
        not any(is_center_inside(die["box"], one.box) for one in reading.dice) for die in cut
    )


def is_center_inside(one: PixelBox, other: PixelBox) -> bool:
    """True if the center of a box is inside another."""
    x, y = one[0] + one[2] / 2, one[1] + one[3] / 2
    return other[0] <= x <= other[0] + other[2] and other[1] <= y <= other[1] + other[3]


def count_reading(row: Row, reading: Reading) -> Counter[str]:
    """Count one reading.

    believed: accepted although the throw must not count.
    silent: accepted and wrong.
    passed: a die was missed.
    named: the right doubt, out of `reasons`.
    """
    wanted = sorted(((die["kind"], die["value"]) for die in row["dice"]), key=str)
    right = sorted(((die.kind, die.value) for die in reading.dice), key=str) == wanted
    unfair = row["reason"] is not None and row["scene"] not in FAIR_SCENES
    return Counter(
        pictures=1, right=right, asked=not reading.is_sure, unfair=unfair, believed=unfair and reading.is_sure,
        silent=reading.is_sure and not right, passed=has_missed_die(row, reading),
        reasons=row["reason"] is not None, named=row["reason"] is not None and reading.doubt == row["reason"],
    )  # fmt: skip


def share_text(count: Counter[str], part: str, whole: str) -> str:
    """Format a share, or a dash if the total is 0."""
    return f"{count[part] / count[whole]:.0%}".replace("%", " %") if count[whole] else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--untold", action="store_true", help="look for all kinds of dice")
    parser.add_argument("--misses", action="store_true", help="name what was believed and should not have been")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sums: dict[str, Counter[str]] = {}
    for row, image in pictures(args.folder):
        kinds = READABLE_KINDS if args.untold else frozenset(die["kind"] for die in row["dice"])
        reading = Reader(kinds=kinds).read_dice(image)
        found = count_reading(row, reading)
        for name in row_names(row):
            sums.setdefault(name, Counter()).update(found)
        if args.misses and (found["silent"] or found["believed"]):
            true = [die["value"] for die in row["dice"]]
            print(f"{row['picture']}: {true}, read {list(reading.dice_values)}, {reading.doubt}", flush=True)
    print("| scene | pictures | right | asked | believed, though unfair | believed and wrong | cut, passed over |"
          " right reason |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    for name, count in sums.items():
        cells = [share_text(count, part, whole) for part, whole in (
            ("right", "pictures"), ("asked", "pictures"), ("believed", "unfair"), ("silent", "pictures"),
            ("passed", "pictures"), ("named", "reasons"))]  # fmt: skip
        print(f"| {name} | {count['pictures']} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
