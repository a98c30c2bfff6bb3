"""Teaching drawn dice: shown face by face in a drawn tray, as a person lays them."""

from __future__ import annotations

from vision.drawn import DrawnDie, DrawnTray
from vision.reader import Reader
from vision.reading import Face
from vision.shapes import MARKS, faces
from vision.taught import Shown, Taught

KIND = {"numeral": "d6", "d100": "d10", "tetrakis": "d24"}
"""What a drawn kind counts as, where it is called otherwise."""


def taught(reader: Reader, tray: DrawnTray, die: DrawnDie, rounds: int = 2, name: str = "mine") -> Taught:
    """The die, each face shown so often in another place; a pitching die first on one facet, then the other."""
    kind = KIND.get(die.kind, die.kind)
    shown: list[Shown] = []
    for go in range(rounds):
        for facet, face in facets(die, go):
            end = tray.throw(0.0, [die], [facet])
            shown.append(reader.show(tray.frame(end), kind, face, go))
    return Taught(name, kind, tuple(shown))


def facets(die: DrawnDie, go: int = 0) -> list[tuple[int, Face]]:
    """The facets that are shown in a round, and what each counts as."""
    if die.kind != "pitch":
        return [(value, value) for value in range(1, faces(die.kind) + 1)]
    both = {mark: [n for n, other in enumerate(MARKS["pitch"], start=1) if other == mark] for mark in "BSC"}
    return [(both[mark][go % 2], mark) for mark in "BSC"]
