"""Layout shift of the pages: `python -m benchmarks.web.layout_shift [GAME ...]`.

It prints the table of docs/evidence/benchmarks.md. Random players play one game of each rulebook over the API, with the
pages for spectators, both seats, the television and the operator open in Chromium. The largest single shifts go to
standard error, with the elements that moved.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.browser import chromium
from tests.browser.evenings.evening import Evening
from tests.browser.evenings.hands import Typist
from tests.browser.evenings.shifts import GAMES, PAGES, Shifts, Steps
from tests.browser.room import Room

MAX_MOMENTS = 1500  # Maximum of moments before a game is given up.
MAX_PRINTED_SHIFTS = 4  # Number of largest shifts printed for each page.


def print_game(key: str, answers: int, steps: dict[str, Steps]) -> None:
    cells = [f"{steps[name].worst():.3f}" if name in steps else "–" for name, *_ in PAGES]
    print(f"| {key} ({answers} answers) | {' | '.join(cells)} |", flush=True)
    for one in steps.values():
        shown = set[str]()
        for value, after, moved in one.largest:
            what = moved[0].split(":")[0] if moved else ""
            if what not in shown and len(shown) < MAX_PRINTED_SHIFTS:
                shown.add(what)
                print(f"  {one.name}: {value:.3f} after {after[:60]}", *moved[:5], sep="\n      ", file=sys.stderr)


def main() -> None:
    path = chromium.find()
    if path is None:
        raise SystemExit("There is no Chromium here (Debian: apt install chromium).")
    print(f"| game | {' | '.join(name for name, *_ in PAGES)} |", f"|{'---|' * (len(PAGES) + 1)}", sep="\n")
    with chromium.launched(path) as browser:
        for key in sys.argv[1:] or GAMES:
            with tempfile.TemporaryDirectory() as folder:
                room = Room(browser, chromium.Faults(), Path(folder), more=f'[game]\nkey = "{key}"\n')
                shifts = Shifts(room, moments=MAX_MOMENTS)
                Evening(room, shifts).play([Typist(room)], lambda moment, one=shifts: moment.over or one.finished)  # type: ignore[misc]
                print_game(key, shifts.seen - 1, shifts.steps)
                room.close()


if __name__ == "__main__":
    main()
