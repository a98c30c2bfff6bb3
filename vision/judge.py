"""Certain, or a named doubt: what may be believed of the dice found in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.find import Candidate

# Chosen on licensed pictures that shaped no weights; see SOURCE.md.
FACE = 0.5
"""From this probability on, a candidate counts as a die."""

MAYBE = 0.12
"""From this probability on, a candidate that does not count as a die is still a reason to ask."""

SURE = 0.9
"""Below this probability a value is a reason to ask."""

OVERLAP = 0.62
"""Two dice whose centres are closer than this share of their mean width cannot both lie flat on the table."""

TINY = 0.5
"""A die narrower than this share of the middle one is a reason to ask: dice of one game are alike."""

OUT = 0.12
"""A die that lies beyond the picture's edge by more than this share of its width is a reason to ask."""


@dataclass(frozen=True, slots=True)
class Look:
    """One candidate and what the classifier says of it.

    `chances` are 7 probabilities: not a die's face, then the values 1 to 6.
    """

    where: Candidate
    chances: NDArray[np.float64]

    @property
    def face(self) -> float:
        """The probability, 0 to 1, that this is the face of a die at all."""
        return 1.0 - float(self.chances[0])

    @property
    def value(self) -> int:
        """The likeliest value, 1 to 6."""
        return int(np.argmax(self.chances[1:])) + 1

    @property
    def confidence(self) -> float:
        """The probability, 0 to 1, that this is a die and shows `value`."""
        return float(self.chances[self.value])


def judge(looks: Sequence[Look], width: int, height: int) -> tuple[list[Look], str | None]:
    """The looks that are dice, left to right, and the doubt (a key of `reading.DOUBTS`) or None when certain.

    `width` and `height` are the frame's, in pixels. Whether the picture is settled, sharp or free of hands is not
    asked here: that is seen over time.
    """
    dice: list[Look] = []
    maybe: list[Look] = []
    for look in sorted(looks, key=lambda one: -one.face * one.where.heat):
        if any(_apart(look, other) < OVERLAP for other in dice):
            continue
        if look.face >= FACE:
            dice.append(look)
        elif look.face >= MAYBE:
            maybe.append(look)
    maybe = [one for one in maybe if all(_apart(one, other) >= OVERLAP for other in dice)]
    return sorted(dice, key=lambda one: one.where.x), _doubt(dice, maybe, width, height)


def _doubt(dice: Sequence[Look], maybe: Sequence[Look], width: int, height: int) -> str | None:
    """The first reason not to believe these dice, the one most worth acting on first."""
    if not dice:
        return "unclear" if maybe else "none"
    if any(_outside(one.where, width, height) > OUT for one in dice):
        return "edge"
    if maybe or any(one.confidence < SURE for one in dice):
        return "unclear"
    middle = float(np.median([one.where.size for one in dice]))
    if any(one.where.size < TINY * middle for one in dice):
        return "size"
    return None


def _apart(one: Look, other: Look) -> float:
    """The distance between two centres, in mean widths."""
    gap = np.hypot(one.where.x - other.where.x, one.where.y - other.where.y)
    return float(gap / (0.5 * (one.where.size + other.where.size)))


def _outside(one: Candidate, width: int, height: int) -> float:
    """How far the candidate reaches beyond the picture, as a share of its own width."""
    half = one.size / 2
    beyond = max(half - one.x, half - one.y, one.x + half - width, one.y + half - height, 0.0)
    return beyond / one.size
