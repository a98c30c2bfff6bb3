"""How well a table reads evenings of dice: `python -m benchmarks.evening FOLDER [FOLDER ...]` prints Markdown.

Each FOLDER holds an evening that `scripts/training/evening` rendered, or a part of one. The table is calibrated and
taught, then sees every throw as a short clip. Fair throws are right, asked about, or silent (they counted, but wrong).
Cocked, stacked and covered ones should be asked about, with the right reason.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

import cv2

from benchmarks.evening.rendered import load_evening
from benchmarks.evening.sitting import EveningRun

HEAD = (
    "| evening | game | fair throws | right | asked | silent | unfair throws | asked about | right reason | believed |"
)


def row(name: str, game: str, count: Counter[str]) -> str:
    asked = f"{count['asked']} ({count['asked'] / max(count['fair'], 1):.1%})".replace("%", " %")
    named = f"{count['named']} ({count['named'] / max(count['unfair'], 1):.0%})".replace("%", " %")
    cells = [count["fair"], count["right"], asked, count["silent"], count["unfair"], count["doubted"], named]
    return f"| {name} | {game} | {' | '.join(map(str, cells))} | {count['believed']} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--misses", action="store_true", help="name each question, and what counted wrongly")
    parser.add_argument("--nudge", type=float, default=0.0, help="shift the picture by so many pixels at half time")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    total, misses = Counter[str](), list[str]()
    finishes = dict[str, Counter[str]]()
    print(HEAD)
    print("|---" * 10 + "|")
    for folder in args.folders:
        evening = load_evening(folder)
        with tempfile.TemporaryDirectory() as data:
            figures = EveningRun(evening, Path(data), args.nudge).play()
        print(row(evening.name, evening.game, figures.count), flush=True)
        total.update(figures.count)
        if args.nudge:
            words = "never noticed" if figures.unnoticed is None else f"noticed {figures.unnoticed + 1} throws later"
            print(f"The nudge was {words}.", flush=True)
        for finish, count in figures.finishes.items():
            finishes.setdefault(finish, Counter()).update(count)
        misses += [f"{evening.name} calibration, {words}" for words in figures.checks] + figures.misses
    print(row("all", "", total))
    print("\n| fair throws with dice that are | | right | asked | silent |\n|---|---|---|---|---|")
    for finish, count in sorted(finishes.items()):
        asked = f"{count['asked']} ({count['asked'] / count['fair']:.1%})".replace("%", " %")
        print(f"| {finish} | {count['fair']} | {count['right']} | {asked} | {count['silent']} |")
    if args.misses:
        print("", *misses, sep="\n")


if __name__ == "__main__":
    main()
