"""Accuracy of recognizing taught dice: `python -m benchmarks.taught` prints the table of docs/evidence/vision.md.

Synthetic dice unknown to the networks are each taught to a table in two rounds, then thrown under changing light, as
are other dice of the same colors. Uses one thread; close other programs first.
"""

import argparse
import statistics
from collections import Counter
from dataclasses import dataclass, replace
from random import Random

import cv2

from tests.vision.teaching import taught
from tests.vision.trays import at_table
from tests.vision.typefaces import UNSEEN
from vision.dice.taught_dice import FaceBank
from vision.synthetic.paint import COLORS_BGR
from vision.synthetic.prints import PrintStyle
from vision.synthetic.shapes import facet_count
from vision.synthetic.tray import SyntheticDie, SyntheticTray

PLAIN_COLORS = (("blue", "white"), ("black", "gold"), ("ivory", "red"), ("green", "white"), ("white", "black"))
# Bodies and inks of engraved dice are nearly the same.
ENGRAVED_COLORS = (("white", "silver"), ("red", "brown"), ("silver", "grey"), ("ivory", "white"), ("purple", "blue"))


@dataclass(frozen=True, slots=True)
class Row:
    """Dice of one sort. `texts` has the signs on each die, with no sign on two dice."""

    words: str
    kind: str
    texts: tuple[tuple[str, ...], ...]
    colours: tuple[tuple[str, str], ...] = PLAIN_COLORS
    body: str = "plain"


THREE_SIGN_TEXTS = tuple(tuple(text + text[::-1]) for text in ("PX+", "#?&", "HKU", "ATV", "DRY"))
ROWS = (
    Row("pitching dice with other signs", "pitch", THREE_SIGN_TEXTS),
    Row("pitching dice with other signs, marbled", "pitch", THREE_SIGN_TEXTS, body="marbled"),
    Row("d6 with letters and signs", "numeral", tuple(map(tuple, ("AKQJT9", "<+^=#X", "BDEFGH")))),
    Row("engraved d6", "numeral", ((), tuple("AKQJTX")), ENGRAVED_COLORS),
    Row("d8 with letters and signs", "d8", tuple(map(tuple, ("PX+?#&AT", "HKUDRYVW")))),
    Row("engraved d20", "d20", ((),), ENGRAVED_COLORS),
)


def measure_table(row: Row, n: int, throws: int, count: Counter[str], times: list[float]) -> None:
    """Teach a table one die of the row, throw it and another one, and count the results."""
    random = Random(n)
    body, ink = row.colours[n % len(row.colours)]
    look = PrintStyle(UNSEEN[n % len(UNSEEN)], texts=row.texts[n % len(row.texts)])
    die = SyntheticDie(body, random.uniform(15, 19), ink, row.kind, row.body, print=look)
    tilt = (0.0, 0.0, random.uniform(15, 35))[n % 3]
    felt = COLORS_BGR[random.choice(("green", "brown", "grey"))]
    tray = SyntheticTray(seed=n, felt=felt, view=random.uniform(180, 250), tilt=tilt)
    reader = at_table(tray)
    known = FaceBank(taught(reader, tray, die))
    trial = known.cross_validate()
    count.update(shown=trial.count, told=trial.right)
    reader.taught, reader.kinds = (known,), frozenset({known.die_kind})

    def thrown(one: SyntheticDie) -> tuple[bool, bool]:
        tray.light, tray.warmth = random.uniform(0.85, 1.12), random.uniform(-0.2, 0.2)
        end = tray.throw_dice(0.0, [one], [random.randint(1, facet_count(one.kind))])
        (lies,) = tray.ground_truth(end) or ()
        reading = reader.read_dice(tray.render_frame(end))
        times.append(reading.ms)
        return reading.dice_values == (lies.value,), reading.is_sure

    for _ in range(throws):
        right, sure = thrown(die)
        count.update(thrown=1, right=right, asked=not sure, silent=sure and not right)
    if len(row.texts) > 1:
        other = replace(die, print=replace(look, texts=row.texts[(n + 1) % len(row.texts)]))
        for _ in range(throws // 2):
            right, sure = thrown(other)
            count.update(others=1, taken=sure and not right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=6, help="how many dice of each sort, each at a table of its own")
    parser.add_argument("--throws", type=int, default=20, help="how often each is thrown")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print("| taught, drawn | tables | trial | thrown | right | asked | silent | another believed | ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in ROWS:
        count, times = Counter[str](), list[float]()
        for n in range(args.tables):
            measure_table(row, n, args.throws, count, times)
        thrown = count["thrown"]
        shares = " | ".join(f"{100 * count[key] / thrown:.1f} %" for key in ("right", "asked", "silent"))
        trial = f"{count['told']} of {count['shown']}"
        others = f"{count['taken']} of {count['others']}" if count["others"] else "–"
        ms = statistics.median(times)
        print(f"| {row.words} | {args.tables} | {trial} | {thrown} | {shares} | {others} | {ms:.0f} |", flush=True)


if __name__ == "__main__":
    main()
