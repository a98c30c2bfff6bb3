"""How well dice without pips are read: `python -m benchmarks.numerals` prints the tables of docs/vision.md.

Photos beside the project where they are (see tests/vision/photos.py), and drawn dice in typefaces that nothing was
trained on. One thread; close other programs first.
"""

from __future__ import annotations

import argparse
import csv
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

import cv2

from tests.vision.photos import PHOTOS, held_out, picture
from tests.vision.typefaces import UNSEEN
from vision.drawn import DrawnDie, DrawnTray
from vision.letters import Print
from vision.paint import COLOURS
from vision.reader import Reader
from vision.reading import Face
from vision.shapes import faces
from vision.sources import Image

PICTURES = {
    "willward1": "a blue d20 under an oblique camera (willward1)",
    "baylorrice": "a d6 with printed numerals, Pi camera (baylorrice)",
}
DRAWN = {
    "d20": "d20",
    "d24": "d24",
    "tetrakis": "d24 of triangles",
    "d10": "d10",
    "d100": "d10 with tens",
    "d8": "d8",
    "numeral": "d6 with numerals",
    "pitch": "B, S and C",
}
INK = {"white": "black", "ivory": "red", "black": "white", "red": "white", "blue": "gold", "green": "white"}
"""Bodies of drawn dice, and the colours of what is printed on them."""


def photos() -> Iterator[tuple[str, str, Face, Image]]:
    """Row of the table, path, what is on top, and picture."""
    with (PHOTOS / "labels.csv").open(newline="") as handle:
        for row in csv.DictReader(handle):
            if row["source"] in PICTURES:
                yield PICTURES[row["source"]], row["path"], int(row["value"]), picture(row["path"])
    for path, (value,) in held_out("rsandrini").items():
        yield "d20, clips held out (rsandrini)", path, value, picture(path)


def drawn(kind: str, count: int, seed: int) -> Iterator[tuple[Face, Image]]:
    """What single dice show in drawn trays, and pictures of them: straight down and aslant, large and small."""
    random = Random(seed)
    for n in range(count):
        body = random.choice(list(INK))
        look = Print(random.choice(UNSEEN), random.choice(("line", "dot")), random.uniform(0.85, 1.25))
        size = random.uniform(16, 24)
        die = DrawnDie(
            body, size, INK[body], kind, random.choice(("plain", "plain", "marbled", "speckled")), print=look
        )
        felt = COLOURS[random.choice(("green", "brown", "grey", "purple"))]
        tilt = random.choice((0.0, 0.0, 0.0, random.uniform(15, 45)))
        tray = DrawnTray(seed=seed * 1000 + n, felt=felt, view=random.uniform(140, 240), tilt=tilt)
        tray.light, tray.warmth = random.uniform(0.7, 1.15), random.uniform(-0.6, 0.6)
        tray.blur = random.choice((0.0, 0.0, 0.6))
        end = tray.throw(0.0, [die], [random.randint(1, faces(kind))])
        (lies,) = tray.truth(end) or ()
        assert lies.value is not None
        yield lies.value, tray.frame(end)


def main() -> None:
    """Print the tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=100, help="how many drawn dice of each kind")
    parser.add_argument("--misses", action="store_true", help="name the pictures that were read wrong")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    times: defaultdict[str, list[float]] = defaultdict(list)

    def note(name: str, path: str, value: Face, frame: Image, reader: Reader) -> None:
        reading = reader.read(frame)
        times[name].append(reading.ms)
        count, right = sums[name], reading.values == (value,)
        count["pictures"] += 1
        count["right"] += right
        count["asked"] += not reading.sure
        count["silent"] += reading.sure and not right
        if args.misses and not right:
            print(f"{path}: {value} read as {reading.values}{'' if reading.sure else f', asked: {reading.doubt}'}")

    if (PHOTOS / "labels.csv").exists():
        readers: defaultdict[str, Reader] = defaultdict(Reader)
        for name, path, value, frame in photos():
            note(name, path, value, frame, readers[name])
    for kind, words in DRAWN.items():
        for value, frame in drawn(kind, args.each, 7):
            # One tray after the other: what one camera saw says nothing of the next.
            note(f"drawn: {words}", kind, value, frame, Reader())
    print("| pictures | count | right | asked | silent | ms |")
    print("|---|---|---|---|---|---|")
    for name, count in sums.items():
        n = count["pictures"]
        shares = " | ".join(f"{100 * count[key] / n:.1f} %" for key in ("right", "asked", "silent"))
        print(f"| {name} | {n} | {shares} | {statistics.median(times[name]):.0f} |")


if __name__ == "__main__":
    main()
