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

SURE = 0.85
"""Below this probability a value is a reason to ask."""

EVEN = 0.55
"""The detector's heat that speaks neither for nor against a die."""

ASIDE = 0.75
"""What lies nearer to a die's centre than this share of its width, and is smaller, is another of its faces."""

OVERLAP = 0.62
"""Two dice whose centres are closer than this share of their mean width cannot both lie flat on the table."""

TINY = 0.5
"""A die narrower than this share of the middle one is a reason to ask: dice of one game are alike."""

RIVAL = 0.4
"""From this probability on, a second face with another value on the same die is a reason to ask which is on top."""

OUT = 0.12
"""A die that lies beyond the picture's edge by more than this share of its width is a reason to ask."""

_NEVER = 1e-6


@dataclass(frozen=True, slots=True)
class Look:
    """One candidate and what the classifier says of it.

    `chances` are 7 probabilities: not a die's face, then the values 1 to 6.
    """

    where: Candidate
    chances: NDArray[np.float64]

    @property
    def face(self) -> float:
        """The probability, 0 to 1, that this is the face of a die at all, by the classifier and the detector."""
        no = max(float(self.chances[0]), _NEVER)
        heat = min(max(self.where.heat, _NEVER), 1 - _NEVER)
        odds = max(1 - no, _NEVER) / no * heat / (1 - heat) * (1 - EVEN) / EVEN
        return odds / (1 + odds)

    @property
    def value(self) -> int:
        """The likeliest value, 1 to 6."""
        return int(np.argmax(self.chances[1:])) + 1

    @property
    def confidence(self) -> float:
        """The probability, 0 to 1, that this is a die and shows `value`."""
        return self.face * float(self.chances[self.value]) / max(1 - float(self.chances[0]), _NEVER)


def judge(looks: Sequence[Look], width: int, height: int) -> tuple[list[Look], str | None]:
    """The looks that are dice, left to right, and the doubt (a key of `reading.DOUBTS`) or None when certain.

    `width` and `height` are the frame's, in pixels. Whether the picture is settled, sharp or free of hands is not
    asked here: that is seen over time.
    """
    dice: list[Look] = []
    maybe: list[Look] = []
    hidden: list[tuple[Look, Look]] = []
    for look in sorted(looks, key=lambda one: -one.face * one.where.heat):
        behind = next((die for die in dice if _hidden(look, die)), None)
        if behind is not None:
            hidden.append((look, behind))
        elif look.face >= FACE:
            dice.append(look)
        elif look.face >= MAYBE:
            maybe.append(look)
    maybe = [one for one in maybe if not any(_hidden(one, other) for other in dice)]
    rivals = [look for look, die in hidden if look.value != die.value and look.confidence >= RIVAL]
    return sorted(dice, key=lambda one: one.where.x), _doubt(dice, maybe, rivals, width, height)


def _doubt(dice: Sequence[Look], maybe: Sequence[Look], rivals: Sequence[Look], width: int, height: int) -> str | None:
    """The first reason not to believe these dice, the one most worth acting on first."""
    if not dice:
        return "unclear" if maybe else "none"
    if any(_outside(one.where, width, height) > OUT for one in dice):
        return "edge"
    if rivals:
        between = any(sum(_near(rival, die) for die in dice) > 1 for rival in rivals)
        return "touching" if between else "cocked"
    if maybe or any(one.confidence < SURE for one in dice):
        return "unclear"
    middle = float(np.median([one.where.size for one in dice]))
    if any(one.where.size < TINY * middle for one in dice):
        return "size"
    return None


def _hidden(look: Look, die: Look) -> bool:
    """Whether a look is of a better seen die: the same place, or a smaller face at its side."""
    one, other = look.where, die.where
    gap = float(np.hypot(one.x - other.x, one.y - other.y))
    return gap < OVERLAP * (one.size + other.size) / 2 or (one.size < 0.8 * other.size and gap < ASIDE * other.size)


def _near(look: Look, die: Look) -> bool:
    """Whether a look's centre is on the die or close beside it."""
    gap = np.hypot(look.where.x - die.where.x, look.where.y - die.where.y)
    return bool(gap < 0.9 * die.where.size)


def _outside(one: Candidate, width: int, height: int) -> float:
    """How far the candidate reaches beyond the picture, as a share of its own width."""
    half = one.size / 2
    beyond = max(half - one.x, half - one.y, one.x + half - width, one.y + half - height, 0.0)
    return beyond / one.size
