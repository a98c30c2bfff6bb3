"""Accuracy of reading dice without pips: `python -m benchmarks.numerals` prints the tables of docs/evidence/vision.md.

Uses photos next to the project if there are any (see tests/vision/photos.py), and synthetic dice in typefaces that were
not in the training set. Uses one thread; close other programs first.
"""

import argparse
import csv
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import cv2

from tests.vision.photos import PHOTOS, held_out, picture
from tests.vision.typefaces import UNSEEN
from vision.cameras.frames import Image
from vision.reader import Reader
from vision.reading import Face, Reading
from vision.synthetic.paint import COLORS_BGR
from vision.synthetic.prints import PrintStyle
from vision.synthetic.shapes import facet_count
from vision.synthetic.tray import RULEBOOK_KINDS, SyntheticDie, SyntheticTray

PICTURES = {
    "willward1": "a blue d20 under an oblique camera (willward1)",
    "baylorrice": "a d6 with printed numerals, Pi camera (baylorrice)",
}
# True values of willward1's pictures with wrong published labels, checked by eye on enlarged crops.
TRUE_VALUES = {
    "1771102660239": 12, "1771435990079": 10, "1771663246883": 6, "1771696499765": 13, "1771740820384": 5,
    "1771866042543": 20, "1771874414293": 10, "1771984485191": 19, "1772807805611": 9, "1772845866527": 20,
    "1773391012507": 13, "1773672784959": 9, "1773672979093": 3, "1773691496023": 10, "1773846788116": 8,
    "1774018273848": 20, "1774150698772": 16, "1774472716919": 8, "1774493568673": 4, "1774687896303": 6,
    "1774700288800": 9, "1774700313786": 10, "1774810914791": 6, "1774820000927": 20, "1775143997621": 18,
    "1775144130623": 9, "1775318906595": 6, "1775547804594": 14, "1775547819977": 12, "1776270151440": 16,
    "1776319553931": 12, "1776979234182": 11, "1776981966570": 18, "1777143048974": 15, "1777252004039": 16,
    "1777400857634": 9, "1777400890985": 14, "1777757334574": 15, "1777762430185": 11, "1779120586514": 18,
    "1779155293604": 15, "1779175283210": 9, "1779175313018": 17, "1779175438951": 9, "1774930341356": 16,
    "1776978162977": 3, "1774480026704": 6,
}  # fmt: skip

DRAWING_NAMES = {
    "d20": "d20",
    "d24": "d24",
    "tetrakis": "d24 of triangles",
    "d10": "d10",
    "d100": "d10 with tens",
    "d8": "d8",
    "numeral": "d6 with numerals",
    "pitch": "B, S and C",
}
# Colors of synthetic dice, and of the print on them.
INK_BY_BODY = {"white": "black", "ivory": "red", "black": "white", "red": "white", "blue": "gold", "green": "white"}
THROWS_PER_CAMERA = 10  # Synthetic dice thrown under one camera.
# Confidence bands by which the accuracy is listed.
CONFIDENCE_BANDS = (0, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 2)


def labeled_photos() -> Iterator[tuple[str, str, str, Face, Image]]:
    with (PHOTOS / "labels.csv").open(newline="") as handle:
        for row in csv.DictReader(handle):
            if row["source"] in PICTURES:
                kind = "d6" if row["source"] == "baylorrice" else "d20"
                yield PICTURES[row["source"]], row["path"], kind, int(row["value"]), picture(row["path"])
    for path, (value,) in held_out("rsandrini").items():
        yield "d20, clips held out (rsandrini)", path, "d20", value, picture(path)


def synthetic_dice(kind: str, count: int, seed: int, throws: int = 1) -> Iterator[tuple[Face, Image]]:
    """Yield values and pictures of single synthetic dice, at various angles and sizes.

    `throws` dice are thrown under one camera before the next.
    """
    random = Random(seed)
    for n in range(count):
        body = random.choice(list(INK_BY_BODY))
        look = PrintStyle(random.choice(UNSEEN), random.choice(("line", "dot")), random.uniform(0.85, 1.25))
        size = random.uniform(16, 24)
        die = SyntheticDie(
            body, size, INK_BY_BODY[body], kind, random.choice(("plain", "plain", "marbled", "speckled")), print=look
        )
        if n % throws == 0:
            felt = COLORS_BGR[random.choice(("green", "brown", "grey", "purple"))]
            tilt = random.choice((0.0, 0.0, 0.0, random.uniform(15, 45)))
            view = random.uniform(140, 240)
            light, warmth = random.uniform(0.7, 1.15), random.uniform(-0.6, 0.6)
            blur = random.choice((0.0, 0.0, 0.6))
        tray = SyntheticTray(seed=seed * 1000 + n, felt=felt, view=view, tilt=tilt)
        tray.light, tray.warmth, tray.blur = light, warmth, blur
        end = tray.throw_dice(0.0, [die], [random.randint(1, facet_count(kind))])
        (lies,) = tray.ground_truth(end) or ()
        assert lies.value is not None
        yield lies.value, tray.render_frame(end)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--each", type=int, default=300, help="how many drawn dice of each kind; each by another camera a third"
    )
    parser.add_argument("--misses", action="store_true", help="name the pictures that were read wrong")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    times: defaultdict[str, list[float]] = defaultdict(list)
    believed: list[tuple[float, bool]] = []

    def note(name: str, path: str, value: Face, reading: Reading) -> None:
        count, right = sums[name], reading.dice_values == (value,)
        times[name].append(reading.ms)
        count["pictures"] += 1
        count["right"] += right
        count["asked"] += not reading.is_sure
        count["silent"] += reading.is_sure and not right
        if args.misses and not right:
            print(
                f"{path}: {value} read as {reading.dice_values}{'' if reading.is_sure else f', asked: {reading.doubt}'}"
            )

    if (PHOTOS / "labels.csv").exists():
        told: defaultdict[str, dict[str, Reader]] = defaultdict(dict)
        for name, path, kind, value, frame in labeled_photos():
            reader = told[name].setdefault("told", Reader(kinds=frozenset({kind})))
            reading = reader.read_dice(frame)
            note(name, path, value, reading)
            mended = TRUE_VALUES.get(Path(path).stem.split("_")[0], value)
            believed += [(die.confidence, die.value == mended) for die in reading.dice]
            if name == PICTURES["willward1"]:
                note(f"{name}, {len(TRUE_VALUES)} labels put right", path, mended, reading)
            note(f"{name}, its kind not told", path, value, told[name].setdefault("any", Reader()).read_dice(frame))
    for drawing, words in DRAWING_NAMES.items():
        kind = RULEBOOK_KINDS.get(drawing, drawing)
        for n, (value, frame) in enumerate(synthetic_dice(drawing, args.each, 7, THROWS_PER_CAMERA)):
            if n % THROWS_PER_CAMERA == 0:
                table = Reader(kinds=frozenset({kind}))
            reading = table.read_dice(frame)
            believed += [(die.confidence, die.value == value) for die in reading.dice]
            note(f"drawn: {words}", drawing, value, reading)
        for value, frame in synthetic_dice(drawing, args.each // 3, 7):
            # A new reader, since one camera's corrections do not apply to the next.
            note(
                f"drawn: {words}, each by another camera",
                drawing,
                value,
                Reader(kinds=frozenset({kind})).read_dice(frame),
            )
            note(
                f"drawn: {words}, each by another camera, its kind not told", drawing, value, Reader().read_dice(frame)
            )
    print("| pictures | count | right | asked | silent | ms |")
    print("|---|---|---|---|---|---|")
    for name, count in sums.items():
        n = count["pictures"]
        shares = " | ".join(f"{100 * count[key] / n:.1f} %" for key in ("right", "asked", "silent"))
        print(f"| {name} | {n} | {shares} | {statistics.median(times[name]):.0f} |")
    print("\n| believed with | dice | right |")
    print("|---|---|---|")
    for low, high in pairwise(CONFIDENCE_BANDS):
        dice = [right for much, right in believed if low <= much < high]
        if dice:
            print(f"| {low:g} to {min(high, 1):g} | {len(dice)} | {100 * statistics.mean(dice):.1f} % |")


if __name__ == "__main__":
    main()
