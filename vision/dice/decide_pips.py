"""Decide about dice with pips: certain, or a named doubt."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice import thresholds
from vision.dice.defects import FLAGS
from vision.dice.detect import Candidate
from vision.dice.thresholds import Limits


@dataclass(frozen=True, slots=True)
class JudgedPips:
    """One candidate and what the classifier says of it: a "look". `chances` are 7 probabilities: not a die's face, then
    the values 1 to 6. `flags` are the independent probabilities of `defects.FLAGS`."""

    where: Candidate
    chances: NDArray[np.float64]
    flags: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(FLAGS)))

    def flagged(self, name: str) -> bool:
        """True if this flag of `defects.FLAGS` is a reason to ask."""
        return bool(self.flags[FLAGS.index(name)] >= thresholds.FLAG_LIMITS[name])

    @property
    def face(self) -> float:
        """The probability, 0 to 1, that this is a die's face at all, by classifier and detector."""
        return thresholds.die_probability(float(self.chances[0]), self.where.heat, thresholds.EVEN_HEAT)

    @property
    def value(self) -> int:
        """The likeliest value, 1 to 6."""
        return int(np.argmax(self.chances[1:])) + 1

    @property
    def likely(self) -> tuple[int, ...]:
        """The other plausible values, likeliest first."""
        order = np.argsort(-self.chances[1:], kind="stable") + 1
        return tuple(int(value) for value in order[1:] if self.chances[value] >= thresholds.LIKELY)

    @property
    def confidence(self) -> float:
        """The probability, 0 to 1, that this is a die and shows `value`."""
        return self.face * float(self.chances[self.value]) / max(1 - float(self.chances[0]), thresholds.NEVER)


def decide_pips(
    looks: Sequence[JudgedPips], width: int, height: int, limits: Limits = thresholds.USUAL
) -> tuple[list[JudgedPips], str | None]:
    """Return the looks that are dice, left to right, and the doubt (a key of `reading.DOUBTS`), or None when certain.
    `width` and `height` are the frame's, in pixels. Whether the picture is settled, sharp and free of hands is not
    checked: that takes several frames."""
    dice: list[JudgedPips] = []
    others: list[JudgedPips] = []
    hidden: list[tuple[JudgedPips, JudgedPips]] = []
    pips = [pip for die in looks for pip in _find_pips(die, looks, limits)]
    looks = [one for one in looks if not any(one is pip for pip in pips)]
    for look in sorted(looks, key=lambda one: -one.confidence * one.where.heat):
        behind = next((die for die in dice if _is_same_die(look, die)), None)
        if behind is not None:
            hidden.append((look, behind))
        elif look.face >= limits.face:
            dice.append(look)
        else:
            others.append(look)
    _tighten(dice, hidden)
    others = [one for one in others if not any(_is_same_die(one, die) for die in dice)]
    maybe = [one for one in others if one.face >= limits.maybe]
    glimpsed = [one for one in others if _may_be_cut_die(one, width, height)]
    shaky = [*maybe, *(one for one in dice if one.confidence < limits.sure)]
    middle = _median_width(dice)
    signs = [
        one
        for one in looks
        if _shows_symbol(one, limits) and not any(_is_same_die(one, die) for die in dice)
        if not middle or _width_ratio(one, middle) < thresholds.FOREIGN_SIZE
    ]
    close = _doubt_of_close_faces(dice, hidden, limits)
    # The doubt most worth acting on comes first.
    doubts = {
        "none": not dice and not maybe and not signs,
        "edge": bool(glimpsed) or any(_is_cut_too_far(one, one.where.share_beyond(width, height)) for one in dice),
        "stacked": any(one.flagged("stacked") and not any(_may_touch(one, die) for die in dice) for one in dice),
        "touching": close == "touching",
        "cocked": close == "cocked" or any(one.flagged("cocked") for one in dice),
        "symbol": bool(signs),
        "glare": any(one.flagged("glare") for one in shaky),
        "unclear": bool(shaky),
        "size": any(one.where.size < thresholds.TINY_DIE * middle for one in dice),
    }
    return sorted(dice, key=lambda one: one.where.x), next((name for name, raised in doubts.items() if raised), None)


def remeasure(
    looks: Sequence[JudgedPips], dice: Sequence[JudgedPips], limits: Limits = thresholds.USUAL
) -> dict[int, Candidate]:
    """Return the places worth measuring again, by index in `looks`, as wide as the median die: most dice are alike."""
    middle = _median_width(dice)
    return {
        n: replace(look.where, size=middle)
        for n, look in enumerate(looks)
        if middle
        and (look.where.heat >= thresholds.DIE_HEAT or look.face >= limits.maybe)
        and look.confidence < thresholds.REMEASURE_BELOW
        if thresholds.REMEASURE_LEAST < _width_ratio(look, middle) < thresholds.REMEASURE_MOST
        and not any(die is not look and _is_same_die(look, die) for die in dice)
    }


def _find_pips(die: JudgedPips, looks: Sequence[JudgedPips], limits: Limits) -> list[JudgedPips]:
    """Return the looks at pips of a die; none if what lies there shows that it is a heap of dice."""
    if die.confidence < thresholds.CLEAR_DIE or die.value == 1:
        return []
    small = [one for one in looks if lies_upon(one.where, die.where)]
    return small if all(one.value == 1 for one in small if one.confidence >= limits.face) else []


def _median_width(dice: Sequence[JudgedPips]) -> float:
    """Return the width of the median die, in pixels; 0 without dice."""
    return float(np.median([die.where.size for die in dice])) if dice else 0.0


def _width_ratio(look: JudgedPips, middle: float) -> float:
    """Return the ratio of a look's width to the median die's, or its inverse, whichever is larger."""
    return max(look.where.size / middle, middle / look.where.size)


def _shows_symbol(look: JudgedPips, limits: Limits) -> bool:
    """True if a look is of a die that shows something other than pips."""
    return look.face < limits.maybe and look.where.heat >= thresholds.DIE_HEAT and look.flagged("symbol")


def _doubt_of_close_faces(
    dice: Sequence[JudgedPips], hidden: Sequence[tuple[JudgedPips, JudgedPips]], limits: Limits
) -> str | None:
    """Return the doubt of faces too close to each other, or None. `hidden`: looks and the dice they belong to."""
    rivals = [look for look, die in hidden if _is_rival_face(look, die)]
    pairs = [
        (one, other) for place, one in enumerate(dice) for other in dice[:place] if _relative_distance(one, other) < 1
    ]
    near = [pair for pair in pairs if _may_be_one_die(*pair)]
    spans = [(look, pair) for look, _ in hidden for pair in pairs if _spans_both(look, *pair, limits)]
    leans = bool(rivals) or any(
        _may_be_one_die(*pair) or look.where.heat >= max(one.where.heat for one in pair) for look, pair in spans
    )
    between = any(sum(rival.where.distance(die.where) < 0.9 * die.where.size for die in dice) > 1 for rival in rivals)
    return "touching" if between or (near and not leans) else "cocked" if leans else None


def _tighten(dice: list[JudgedPips], hidden: list[tuple[JudgedPips, JudgedPips]]) -> None:
    """Replace a die measured too large by its tighter look where it hides a clear neighbour, which becomes a die."""
    for place, die in enumerate(dice):
        behind = [look for look, front in hidden if front is die and look.confidence >= thresholds.CLEAR_DIE]
        closer = next((look for look in behind if _is_tighter(look, die)), None)
        if closer is None:
            continue
        beside = [
            look
            for look in behind
            if look is not closer
            and _relative_distance(look, closer) > thresholds.SMALL_DIE_DISTANCE
            and not any(_is_same_die(look, other) for other in [*dice[:place], closer, *dice[place + 1 :]])
        ]
        if beside:
            dice[place] = closer
            for look in beside:
                if not any(_is_same_die(look, other) for other in dice):
                    dice.append(look)
            hidden[:] = [(look, front) for look, front in hidden if not any(look is one for one in dice)]


def _is_tighter(look: JudgedPips, die: JudgedPips) -> bool:
    """True if a look is of the same face as a die's, in the same place, and much narrower."""
    likeness = look.where.size / die.where.size
    same = look.value == die.value and look.where.distance(die.where) < thresholds.NESTED * look.where.size
    return same and 0.4 <= likeness < thresholds.SIDE_SIZE


def _is_same_die(look: JudgedPips, die: JudgedPips) -> bool:
    """True if a look is of a die that is seen better already: in the same place, or a smaller face at its side."""
    one, other = look.where, die.where
    gap, mean = one.distance(other), (one.size + other.size) / 2
    if gap < thresholds.ONE_PLACE * mean:
        return True
    if one.size >= thresholds.SIDE_SIZE * other.size or gap >= thresholds.SIDE_DISTANCE * other.size:
        return False
    small = one.size < thresholds.SMALL_DIE_SIZE * other.size or one.heat < thresholds.COOL_HEAT
    return small or gap < thresholds.SMALL_DIE_DISTANCE * mean or look.confidence < thresholds.CLEAR_DIE


def _is_rival_face(look: JudgedPips, die: JudgedPips) -> bool:
    """True if a hidden look may be the die's top face as well as the one it was read by."""
    likeness = look.where.size / die.where.size
    return (
        look.value != die.value
        and look.confidence >= thresholds.RIVAL_FACE
        and thresholds.RIVAL_SIZES[0] <= likeness <= thresholds.RIVAL_SIZES[1]
    )


def _relative_distance(one: JudgedPips, other: JudgedPips) -> float:
    """Return the distance of two dice in their mean width."""
    return one.where.distance(other.where) / ((one.where.size + other.where.size) / 2)


def _may_touch(one: JudgedPips, other: JudgedPips) -> bool:
    """True if a die is so close to another that they may touch."""
    return one is not other and _relative_distance(one, other) < thresholds.TOUCH_DISTANCE


def _may_be_one_die(one: JudgedPips, other: JudgedPips) -> bool:
    """True if two dice are so close that they may be two faces of one."""
    return (
        _relative_distance(one, other) < thresholds.TWO_FACES_DISTANCE
        and min(one.where.heat, other.where.heat) < thresholds.COOL_HEAT
    )


def _spans_both(look: JudgedPips, one: JudgedPips, other: JudgedPips, limits: Limits) -> bool:
    """True if a look is of one whole die of which the two others are a face each."""
    middle = (one.where.x + other.where.x) / 2, (one.where.y + other.where.y) / 2
    away = float(np.hypot(look.where.x - middle[0], look.where.y - middle[1]))
    return (
        look.face >= limits.face
        and away < 0.4 * look.where.size
        and look.where.size > max(one.where.size, other.where.size)
    )


def _is_cut_too_far(die: JudgedPips, beyond: float) -> bool:
    """True if so much of a die is beyond the picture's edge that its value may be misread."""
    if beyond <= thresholds.BEYOND_A_LITTLE:
        return False
    needed = (
        thresholds.CUT_SURE
        if beyond <= thresholds.BEYOND_MUCH or die.value in thresholds.CUT_VALUES
        else thresholds.CUT_VERY_SURE
    )
    return beyond > thresholds.BEYOND_MOST or die.confidence < needed


def _may_be_cut_die(look: JudgedPips, width: int, height: int) -> bool:
    """True if a look that is not a die may be one, most of which is beyond the picture's edge."""
    return (
        look.face >= (thresholds.CUT_FACE_WARM if look.where.heat >= thresholds.DIE_HEAT else thresholds.CUT_FACE)
        and look.where.share_beyond(width, height) > thresholds.BEYOND_MUCH
    )


def lies_upon(one: Candidate, die: Candidate) -> bool:
    """True if a candidate lies on a die and is so much narrower that it may be a pip of it."""
    return one.size < thresholds.PIP_SIZE * die.size and one.distance(die) < die.size / 2
