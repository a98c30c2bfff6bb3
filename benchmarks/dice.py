"""Accuracy of reading dice: `python -m benchmarks.dice` prints the table of docs/evidence/vision.md.

Needs the dice photos next to the project (see tests/vision/photos.py). Uses one thread; close other programs first.
"""

import argparse
import csv
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator

import cv2
import numpy as np

from tests.vision.photos import PHOTOS, held_out, measured, picture
from vision.cameras.frames import Image
from vision.reader import Reader

SOURCES = {
    "matteop65": "webcam, white on wood (matteop65)",
    "nell-byler": "every color on white (nell-byler)",
    "n3vers4ydie-ir-circle": "gray window (n3-window)",
    "n3vers4ydie-PXL": "color trays (n3-trays)",
}
UNSEEN = {"kingjacker": "Pi camera over a round tray (kingjacker)", "wiktoriakeller": "phone overhead (wiktoriakeller)"}
WIDTHS_PX = (320, 480, 640, 960, 1280)
FILM = "measure/wetzler/throws_1-3.avi"
THROWS = {(1, 4): range(9, 21), (3, 5): range(45, 57), (1, 5): range(80, 87)}

# Certainly wrong published labels, checked by eye on enlarged crops, by picture and label. The value is the true one.
WRONG_LABELS = {
    ("licensed/matteop65/five_1.jpg", 1): None,
    ("licensed/n3-window/00129.jpg", None): 3,
    ("licensed/n3-window/00054.jpg", 2): 5,
    ("licensed/n3-window/00076.jpg", 5): 4,
    ("licensed/n3-trays/PXL_20240219_192405902.jpg", 4): 3,
    ("licensed/n3-trays/PXL_20240219_192342359.jpg", 1): 4,
    ("licensed/n3-trays/PXL_20240219_192106262.jpg", 5): 4,
    ("licensed/n3-trays/PXL_20240219_191703482.jpg", 2): 1,
    ("licensed/n3-trays/PXL_20240219_191143808.jpg", None): 5,
    ("licensed/n3-trays/PXL_20240219_192250488.jpg", None): 5,
    ("licensed/n3-trays/PXL_20240219_192403811.jpg", None): 2,
    ("licensed/nell-byler/IMG_20191208_111246.jpg", 2): 3,
    ("licensed/nell-byler/IMG_20191208_112342.jpg", 2): 3,
    ("licensed/nell-byler/IMG_20191208_112342.jpg", None): 3,
    ("licensed/nell-byler/IMG_20191208_112353.jpg", None): 3,
    ("licensed/nell-byler/IMG_20191209_095533.jpg", None): 6,
}

CONFIDENCE_BANDS = (0.0, 0.5, 0.7, 0.85, 0.95, 0.99)  # Lower bounds of the confidence bands.

Values = list[int]


def labeled_values() -> dict[str, tuple[str, Values]]:
    """Return source and values of every labeled picture of complete scenes with d6, by path."""
    values: defaultdict[str, Values] = defaultdict(list)
    source: dict[str, str] = {}
    with (PHOTOS / "labels.csv").open(newline="") as handle:
        for row in csv.DictReader(handle):
            if row["source"] in SOURCES:
                source[row["path"]] = row["source"]
                values[row["path"]].append(int(row["value"]))
    return {path: (source[path], sorted(shown)) for path, shown in values.items()}


def corrected_values(path: str, values: Values) -> Values:
    """Return the values with wrong labels corrected."""
    for (place, wrong), right in WRONG_LABELS.items():
        if place == path:
            values = list(values)
            if wrong is not None:
                values.remove(wrong)
            if right is not None:
                values.append(right)
    return sorted(values)


def scenes() -> Iterator[tuple[str, str, Values, Image]]:
    held = {path for source in SOURCES for path in held_out(source)}
    for path, (source, values) in labeled_values().items():
        which = "held out" if path in held else "trained on"
        frame = picture(path)
        yield f"{SOURCES[source]}, {which}", path, values, frame
        if source == "nell-byler" and len(values) <= 6:
            yield f"– up to six dice, {which}", path, values, frame
    for folder, name in UNSEEN.items():
        for path, values in measured(folder).items():
            yield name, path, values, picture(path)
            for width in WIDTHS_PX:
                yield f"– {folder} at {width} pixels' width", path, values, picture(path, width)
    film = cv2.VideoCapture(str(PHOTOS / FILM))
    for number in range(90):
        known, shot = film.read()
        assert known
        for shown, frames in THROWS.items():
            if number in frames:
                frame = shot.astype(np.uint8, copy=False)
                yield "video on green (wetzler), settled frames", f"{FILM}#{number}", sorted(shown), frame
                for width in (320, 1280):
                    size = (width, round(frame.shape[0] * width / frame.shape[1]))
                    sized = cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
                    yield f"– wetzler at {width} pixels' width", f"{FILM}#{number}", sorted(shown), sized
    film.release()


def print_calibration(reader: Reader) -> None:
    """Print the accuracy by confidence band on the held-out labeled pictures."""
    boxes: defaultdict[str, list[tuple[float, float, float, int]]] = defaultdict(list)
    with (PHOTOS / "labels.csv").open(newline="") as handle:
        for row in csv.DictReader(handle):
            if row["source"] in SOURCES:
                x, y, w, h = (float(row[key]) for key in ("x", "y", "w", "h"))
                boxes[row["path"]].append((x + w / 2, y + h / 2, max(w, h), int(row["value"])))
    bins: defaultdict[float, list[bool]] = defaultdict(list)
    for source in SOURCES:
        for path in held_out(source):
            for die in reader.read_dice(picture(path)).dice:
                x, y, w, h = die.box
                middle = x + w / 2, y + h / 2
                away, value = min(
                    (np.hypot(middle[0] - bx, middle[1] - by) / size, v) for bx, by, size, v in boxes[path]
                )
                bins[max(one for one in CONFIDENCE_BANDS if one <= die.confidence)].append(
                    away < 0.6 and value == die.value
                )
    print("| confidence from | dice | right |")
    print("|---|---|---|")
    for low in CONFIDENCE_BANDS:
        if right := bins[low]:
            print(f"| {low} | {len(right)} | {100 * sum(right) / len(right):.1f} % |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="name the pictures that were read wrong, unasked")
    parser.add_argument("--every", type=int, default=1, help="read only one picture in this many of each row")
    parser.add_argument("--calibration", action="store_true", help="print how far the confidence can be trusted, only")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(frozenset({"d6"}))
    if args.calibration:
        print_calibration(reader)
        return
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    times: defaultdict[str, list[float]] = defaultdict(list)
    rows = Counter[str]()
    for name, path, values, frame in scenes():
        rows[name] += 1
        if rows[name] % args.every:
            continue
        reading = reader.read_dice(frame)
        said, sure = sorted(reading.dice_values, key=str), reading.is_sure
        times[name].append(reading.ms)
        count, right = sums[name], corrected_values(path, values)
        count["pictures"] += 1
        count["exact"] += said == values
        count["asked"] += not sure
        count["silent"] += sure and said != values
        count["mended exact"] += said == right
        count["mended silent"] += sure and said != right
        count["dice"] += len(values)
        count["said"] += len(said)
        count["hit"] += sum((Counter(said) & Counter(values)).values())
        if args.misses and sure and said != values:
            print(f"{path}: {values} read as {said}{'' if said != right else ', and the label is wrong'}")
    print("| pictures | count | exact | dice | precision | asked | silent | exact, silent with mended labels | ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, count in sums.items():
        n = count["pictures"]
        share = {key: f"{100 * value / n:.1f} %" for key, value in count.items()}
        both = f"{share.get('mended exact', '0')}, {share.get('mended silent', '0')}"
        print(
            f"| {name} | {n} | {share.get('exact', '0')} | {100 * count['hit'] / count['dice']:.1f} % "
            f"| {100 * count['hit'] / max(1, count['said']):.1f} % | {share.get('asked', '0')} "
            f"| {share.get('silent', '0')} | {both} | {statistics.median(times[name]):.0f} |"
        )


if __name__ == "__main__":
    main()
