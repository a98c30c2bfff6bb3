"""Explain doubts about fitted dice in sentences for players."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dice.decide import DiceDoubt, FittedFace
from vision.dice.dice_finder import FittedDie
from vision.reading import DOUBT_ADVICE, DieReading, Evidence

KIND_NAMES = {"d6": "die", "pitch": "pitching die"}  # names of kinds that are not called by their key


def doubt_evidence(
    doubt: DiceDoubt, faces: Sequence[FittedFace], dice: Sequence[DieReading], scale: float
) -> Evidence | None:
    """Return the evidence for a doubt, or None if nothing was measured. `dice` are the readings of `faces`, in the same
    order. `scale` is that of the fitted image relative to the frame."""

    def die_name(die: FittedDie) -> str:
        seen = dice[next(number for number, one in enumerate(faces) if one.die is die)]
        name = " ".join(word for word in ("the", seen.colour, KIND_NAMES.get(seen.kind, seen.kind)) if word)
        alike = [one for one in dice if (one.colour, one.kind) == (seen.colour, seen.kind)]
        return f"{name} that shows {seen.value}" if len(alike) > 1 else name

    if doubt.die is None:
        return Evidence(DOUBT_ADVICE[doubt.key].partition(":")[0].rstrip("."), doubt.figures) if doubt.figures else None
    die, seen = die_name(doubt.die), next(one for one in faces if one.die is doubt.die)
    other = None if doubt.beside is None else die_name(doubt.beside)
    words = {
        "cocked": f"{die} is leaning on {other or 'the wall'}",
        "stacked": f"{die} is on top of {other or 'something'}",
        "glare": f"there is glare on {die}",
        "symbol": f"{die} has no readable face",
        "unclear": f"{die} may show {' or '.join(map(str, [seen.value, *seen.likely][:2]))}",
        "edge": f"{die} is partly out of the picture",
    }[doubt.key]
    corners = np.round(doubt.die.outline / scale).astype(int).tolist()
    return Evidence(words[0].upper() + words[1:], doubt.figures, tuple((x, y) for x, y in corners))
