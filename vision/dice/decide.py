"""Certain, or a named doubt: what may be believed of the dice found in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.defects import FLAGS
from vision.dice.detect import Candidate

EVEN = 0.55
"""The detector's heat that speaks neither for nor against a die."""

OVERLAP = 0.62
"""Two dice whose centres are closer than this share of their mean width cannot both lie flat on the table."""

ASIDE, SMALLER = 0.75, 0.8
"""What lies nearer to a die's centre than the first share of its width, and is narrower than the second, is most often
another of its faces."""

BESIDE, CLEAR, LEAST = 0.7, 0.85, 0.5
"""Yet it is a small die that touches a large one when the centres are further apart than the first share of their mean
width, it is a die with the second probability and not narrower than the third share of the large one."""

NESTED = 0.35
"""A narrower look whose centre is nearer to a die's than this share of its own width is of the same face."""

PIP = 0.35
"""What lies on a clear die and is narrower than this share of it is a pip, if all such look like one."""

CLOSE, COOL = 0.78, 0.5
"""Two dice whose centres are closer than the first share of their mean width may be two faces of one that leans, unless
the detector was warmer than the second about both."""

TINY = 0.45
"""A die narrower than this share of the middle one is a reason to ask: dice for one table are 12 to 25 mm wide."""

RIVAL = 0.4
"""From this probability on, a second face with another value on the same die is a reason to ask which is on top."""

ALIKE = (0.5, 1.4)
"""How wide, in widths of a die, its second face may look: what is smaller is a pip, what is larger a group of dice."""

RIM, OUT, THIRD = 0.12, 0.24, 0.34
"""A die that lies beyond the picture's edge by more than the first share of its width must be read with `RIM_SURE`; by
more than the second it must show what no other value looks like that is cut off, `WHOLE`, or be read with `CUT_SURE`;
by more than the third it is a reason to ask. Of 448 dice cut so on trial 5 were misread, none as one of `WHOLE`:
`benchmarks/cut.py`."""

RIM_SURE, CUT_SURE, WHOLE = 0.95, 0.995, (1, 5, 6)

FLAGGED = {"cocked": 0.95, "stacked": 0.85, "symbol": 0.9, "glare": 0.3}
"""From this probability on, what a crop is flagged with is a reason to ask; glare only says why a die is unclear."""

DIE = 0.5
"""From this heat of the detector on, a thing with a symbol counts as a die."""

FOREIGN = 1.4
"""What shows a symbol and is wider or narrower than the middle die by this factor is none of the dice in play."""

TOUCH = 1.3
"""Dice whose centres are closer than this share of their mean width look like a pile to the net: it is not believed."""

WIDER, OTHER, EVIDENT = 2.0, 1.15, 0.9
"""What was hot or may be a die, is less sure than the third probability, and is wider or narrower than the middle die
by a factor between the second and the first, was perhaps measured badly."""

GLIMPSED, WARM = 0.05, 0.004
"""What lies beyond the picture's edge by more than OUT is a reason to ask if it is a die with the first probability, or
with the second where the detector took it for one."""

LIKELY = 0.01
"""From this probability on, another value of a die is worth naming before those that are less likely."""

_NEVER = 1e-6


@dataclass(frozen=True, slots=True)
class Limits:
    """The probabilities, 0 to 1, at which a candidate is believed.

    From `face` on it counts as a die. From `maybe` on one that does not count is still a reason to ask. Below `sure` a
    die's value is a reason to ask.
    """

    face: float = 0.5
    maybe: float = 0.28
    sure: float = 0.85


USUAL = Limits()
"""Chosen on licensed pictures that shaped no weights; see SOURCE.md."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One candidate and what the classifier says of it.

    `chances` are 7 probabilities: not a die's face, then the values 1 to 6. `flags` are the probabilities of
    `flag.FLAGS`, each for itself.
    """

    where: Candidate
    chances: NDArray[np.float64]
    flags: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(FLAGS)))

    def flagged(self, name: str) -> bool:
        """Whether this flag of `flag.FLAGS` is a reason to ask."""
        return bool(self.flags[FLAGS.index(name)] >= FLAGGED[name])

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
    def others(self) -> tuple[int, ...]:
        """The other values it may well show, likeliest first."""
        order = np.argsort(-self.chances[1:], kind="stable") + 1
        return tuple(int(value) for value in order[1:] if self.chances[value] >= LIKELY)

    @property
    def confidence(self) -> float:
        """The probability, 0 to 1, that this is a die and shows `value`."""
        return self.face * float(self.chances[self.value]) / max(1 - float(self.chances[0]), _NEVER)


def judge(looks: Sequence[Judged], width: int, height: int, limits: Limits = USUAL) -> tuple[list[Judged], str | None]:
    """The looks that are dice, left to right, and the doubt (a key of `reading.DOUBTS`) or None when certain.

    `width` and `height` are the frame's, in pixels. Whether the picture is settled, sharp or free of hands is not
    asked here: that is seen over time.
    """
    dice: list[Judged] = []
    others: list[Judged] = []
    hidden: list[tuple[Judged, Judged]] = []
    pips = [pip for die in looks for pip in _pips(die, looks, limits)]
    looks = [one for one in looks if not any(one is pip for pip in pips)]
    for look in sorted(looks, key=lambda one: -one.confidence * one.where.heat):
        behind = next((die for die in dice if _hidden(look, die)), None)
        if behind is not None:
            hidden.append((look, behind))
        elif look.face >= limits.face:
            dice.append(look)
        else:
            others.append(look)
    _tighten(dice, hidden)
    others = [one for one in others if not any(_hidden(one, die) for die in dice)]
    maybe = [one for one in others if one.face >= limits.maybe]
    glimpsed = [one for one in others if _glimpsed(one, width, height)]
    shaky = [*maybe, *(one for one in dice if one.confidence < limits.sure)]
    middle = _middle(dice)
    signs = [
        one
        for one in looks
        if _sign(one, limits) and not any(_hidden(one, die) for die in dice)
        if not middle or _factor(one, middle) < FOREIGN
    ]
    close = _close(dice, hidden, limits)
    # The doubt most worth acting on comes first.
    doubts = {
        "none": not dice and not maybe and not signs,
        "edge": bool(glimpsed) or any(_cut(one, beyond(one.where, width, height)) for one in dice),
        "stacked": any(one.flagged("stacked") and not any(_touch(one, die) for die in dice) for one in dice),
        "touching": close == "touching",
        "cocked": close == "cocked" or any(one.flagged("cocked") for one in dice),
        "symbol": bool(signs),
        "glare": any(one.flagged("glare") for one in shaky),
        "unclear": bool(shaky),
        "size": any(one.where.size < TINY * middle for one in dice),
    }
    return sorted(dice, key=lambda one: one.where.x), next((name for name, raised in doubts.items() if raised), None)


def remeasured(looks: Sequence[Judged], dice: Sequence[Judged], limits: Limits = USUAL) -> dict[int, Candidate]:
    """The places that are worth a second look, taken as wide as the middle one of the `dice`: those of one game are
    alike. By their index in `looks`."""
    middle = _middle(dice)
    return {
        n: replace(look.where, size=middle)
        for n, look in enumerate(looks)
        if middle and (look.where.heat >= DIE or look.face >= limits.maybe) and look.confidence < EVIDENT
        if OTHER < _factor(look, middle) < WIDER and not any(die is not look and _hidden(look, die) for die in dice)
    }


def _pips(die: Judged, looks: Sequence[Judged], limits: Limits) -> list[Judged]:
    """The looks that are of pips on a die; none where what lies there shows that the die is a heap of dice."""
    if die.confidence < CLEAR or die.value == 1:
        return []
    small = [one for one in looks if upon(one.where, die.where)]
    return small if all(one.value == 1 for one in small if one.confidence >= limits.face) else []


def _middle(dice: Sequence[Judged]) -> float:
    """How wide the middle one of the dice is, in pixels; 0 of none."""
    return float(np.median([die.where.size for die in dice])) if dice else 0.0


def _factor(look: Judged, middle: float) -> float:
    """How many times as wide as the middle die a thing is, or the other way round."""
    return max(look.where.size / middle, middle / look.where.size)


def _sign(look: Judged, limits: Limits) -> bool:
    """Whether a look is of a die that shows what is no pips."""
    return look.face < limits.maybe and look.where.heat >= DIE and look.flagged("symbol")


def _close(dice: Sequence[Judged], hidden: Sequence[tuple[Judged, Judged]], limits: Limits) -> str | None:
    """The doubt that faces too close to each other raise, if they do; `hidden` are looks and the dice they are of."""
    rivals = [look for look, die in hidden if _rivals(look, die)]
    pairs = [(one, other) for place, one in enumerate(dice) for other in dice[:place] if _beside(one, other) < 1]
    near = [pair for pair in pairs if _together(*pair)]
    spans = [(look, pair) for look, _ in hidden for pair in pairs if _spans(look, *pair, limits)]
    leans = bool(rivals) or any(_together(*pair) or _warmest(look, *pair) for look, pair in spans)
    between = any(sum(_near(rival, die) for die in dice) > 1 for rival in rivals)
    return "touching" if between or (near and not leans) else "cocked" if leans else None


def _tighten(dice: list[Judged], hidden: list[tuple[Judged, Judged]]) -> None:
    """Take a die that was seen too large by its closer look, where it would hide a clear neighbour otherwise.

    Changes both lists: the neighbours become dice.
    """
    for place, die in enumerate(dice):
        behind = [look for look, front in hidden if front is die and look.confidence >= CLEAR]
        closer = next((look for look in behind if _closer(look, die)), None)
        if closer is None:
            continue
        beside = [
            look
            for look in behind
            if look is not closer
            and _gap(look, closer) > BESIDE * (look.where.size + closer.where.size) / 2
            and not any(_hidden(look, other) for other in [*dice[:place], closer, *dice[place + 1 :]])
        ]
        if beside:
            dice[place] = closer
            for look in beside:
                if not any(_hidden(look, other) for other in dice):
                    dice.append(look)
            hidden[:] = [(look, front) for look, front in hidden if not any(look is one for one in dice)]


def _closer(look: Judged, die: Judged) -> bool:
    """Whether a look is of the same face as a die's, in the same place, and much narrower."""
    likeness = look.where.size / die.where.size
    same = look.value == die.value and _gap(look, die) < NESTED * look.where.size
    return same and 0.4 <= likeness < SMALLER


def _hidden(look: Judged, die: Judged) -> bool:
    """Whether a look is of a better seen die: the same place, or a smaller face at its side."""
    one, other = look.where, die.where
    gap, mean = _gap(look, die), (one.size + other.size) / 2
    if gap < OVERLAP * mean:
        return True
    if one.size >= SMALLER * other.size or gap >= ASIDE * other.size:
        return False
    small = one.size < LEAST * other.size or one.heat < COOL
    return small or gap < BESIDE * mean or look.confidence < CLEAR


def _rivals(look: Judged, die: Judged) -> bool:
    """Whether a hidden look may be the die's top face as well as the one it was read by."""
    likeness = look.where.size / die.where.size
    return look.value != die.value and look.confidence >= RIVAL and ALIKE[0] <= likeness <= ALIKE[1]


def _beside(one: Judged, other: Judged) -> float:
    """How far apart two dice are, in their mean width."""
    return _gap(one, other) / ((one.where.size + other.where.size) / 2)


def _touch(one: Judged, other: Judged) -> bool:
    """Whether a die lies so close to another that they may touch."""
    return one is not other and _beside(one, other) < TOUCH


def _together(one: Judged, other: Judged) -> bool:
    """Whether two dice are so close that they may be two faces of one."""
    return _beside(one, other) < CLOSE and min(one.where.heat, other.where.heat) < COOL


def _spans(look: Judged, one: Judged, other: Judged, limits: Limits) -> bool:
    """Whether a look is of the one die of which two others see a face each."""
    middle = (one.where.x + other.where.x) / 2, (one.where.y + other.where.y) / 2
    away = float(np.hypot(look.where.x - middle[0], look.where.y - middle[1]))
    return (
        look.face >= limits.face
        and away < 0.4 * look.where.size
        and look.where.size > max(one.where.size, other.where.size)
    )


def _warmest(look: Judged, one: Judged, other: Judged) -> bool:
    """Whether the detector was warmer about the whole than about either of its faces."""
    return look.where.heat >= max(one.where.heat, other.where.heat)


def _gap(one: Judged, other: Judged) -> float:
    """How far apart the centres are, in pixels."""
    return float(np.hypot(one.where.x - other.where.x, one.where.y - other.where.y))


def _cut(die: Judged, beyond: float) -> bool:
    """Whether so much of a die lies beyond the picture's edge that its value may not be the one read."""
    if beyond <= RIM:
        return False
    needed = RIM_SURE if beyond <= OUT or die.value in WHOLE else CUT_SURE
    return beyond > THIRD or die.confidence < needed


def _glimpsed(look: Judged, width: int, height: int) -> bool:
    """Whether so much of what is no die lies beyond the picture's edge that it may be one."""
    return look.face >= (WARM if look.where.heat >= DIE else GLIMPSED) and beyond(look.where, width, height) > OUT


def _near(look: Judged, die: Judged) -> bool:
    """Whether a look's centre is on the die or close beside it."""
    return _gap(look, die) < 0.9 * die.where.size


def upon(one: Candidate, die: Candidate) -> bool:
    """Whether a candidate lies on a die, and is so much narrower that it may be a pip of it."""
    return one.size < PIP * die.size and bool(np.hypot(one.x - die.x, one.y - die.y) < die.size / 2)


def beyond(one: Candidate, width: int, height: int) -> float:
    """How far the candidate reaches beyond the picture, as a share of its own width."""
    half = one.size / 2
    beyond = max(half - one.x, half - one.y, one.x + half - width, one.y + half - height, 0.0)
    return beyond / one.size
