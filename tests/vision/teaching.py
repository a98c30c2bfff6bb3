"""Teach drawn dice face by face in a drawn tray, as a person would."""

from contextlib import suppress

from vision.dice.taught_dice import ShownFace, TaughtDie, TaughtDieError
from vision.reader import Reader
from vision.reading import Face
from vision.synthetic.shapes import FACE_MARKS, facet_count
from vision.synthetic.tray import SyntheticDie, SyntheticTray

KIND = {"numeral": "d6", "d100": "d10", "tetrakis": "d24"}
"""The kind that a drawn kind counts as, where its name differs."""

TRIES = 4
"""How often a die is laid again before giving up."""


def taught(reader: Reader, tray: SyntheticTray, die: SyntheticDie, rounds: int = 2, name: str = "mine") -> TaughtDie:
    """Teach the die, showing each face several times in different places.

    A pitching die is shown first on one facet, then on the other.
    """
    kind = KIND.get(die.kind, die.kind)
    shown: list[ShownFace] = []
    for go in range(rounds):
        for facet, face in facets(die, go):
            shown.append(_shown(reader, tray, die, facet, face, go))
    return TaughtDie(name, kind, tuple(shown))


def _shown(reader: Reader, tray: SyntheticTray, die: SyntheticDie, facet: int, face: Face, go: int) -> ShownFace:
    """Show the facet, putting the die down again if it was not seen."""
    for _ in range(TRIES):
        end = tray.throw_dice(0.0, [die], [facet])
        with suppress(TaughtDieError):
            return reader.capture_face(tray.render_frame(end), KIND.get(die.kind, die.kind), face, go)
    raise AssertionError(f"{die} is not seen.")


def facets(die: SyntheticDie, go: int = 0) -> list[tuple[int, Face]]:
    """Return the facets shown in a round, and the value of each."""
    if die.kind != "pitch":
        return [(value, value) for value in range(1, facet_count(die.kind) + 1)]
    both = {mark: [n for n, other in enumerate(FACE_MARKS["pitch"], start=1) if other == mark] for mark in "BSC"}
    return [(both[mark][go % 2], mark) for mark in "BSC"]
