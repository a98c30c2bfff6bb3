"""Certain, or a named doubt: what may be believed of the dice without pips in one picture."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from vision.dice.decide import LIKELY, OUT, Judged, beyond
from vision.dice.detect import Candidate
from vision.dice.numerals import FACES, Numeral
from vision.reading import Face

LIES, MAYBE = 0.5, 0.2
"""From the first probability on something is a die without pips; from the second on it is a reason to ask."""

SHOWN = 0.4
"""What is read with less than this probability, beside dice with pips or where only d6s are looked for, is hardly a
die."""

FEW = 2
"""Among more dice with pips than these, what looks like a pip is taken for one: its company speaks for that, and a
second look would take too long."""

WELL = 0.7
"""What is read with less than this probability, beside dice with pips that are sure, is none."""

SURE, CUBE = 0.95, 0.98
"""What a die shows with less than the first probability, if it is one, is a reason to ask; what a cube that nobody
taught shows, with less than the second, as there are cubes with all manner of signs."""

CERTAIN = 0.9
"""What is a die with less than this probability, what can be read on it and all, or has on top what a wary eye would
with less, is a reason to ask."""

FOREIGN = 0.1
"""A die is of no kind that is looked for where it has such a shape with less than this probability."""

TOP = 0.7
"""A face that is on top with less than this probability is a reason to ask which one is."""

ON = 0.6
"""What lies nearer to a die's middle than this share of its width is on it."""

CLEAR, GROUND = 0.8, 6.0
"""What is a die with the first probability lies on what is wider by up to the second factor."""

LARGER, PART = 1.4, 2.2
"""What is wider by the first factor than a die on it is the ground; what is narrower than a die that it is on, by the
second, is a part of it."""


@dataclass(frozen=True, slots=True)
class JudgedNumeral:
    """A die without pips: how likely it is one, 0 to 1, its kind and what it shows, None where that is nothing that its
    kind has; how likely that is, 0 to 1, what else it may well show, likeliest first, and the doubt about it alone or
    None."""

    numeral: Numeral
    lies: float
    kind: str
    value: Face | None
    confidence: float
    likely: tuple[Face, ...]
    doubt: str | None

    @property
    def turn(self) -> float | None:
        """How far the sign on top is turned clockwise, in degrees, 0 to 360; None where none is offered."""
        return None if self.value is None else math.degrees(self.numeral.tops[0].turn) % 360

    @property
    def weight(self) -> float:
        """How likely it is that a die with a sign that can be read lies there, 0 to 1; that it is none of those looked
        for is no reason against it."""
        readable = self.lies * self.numeral.legible
        return readable if self.doubt == "kind" else min(readable, self.confidence)


def verdict(one: Numeral, kinds: Collection[str], width: int, height: int) -> JudgedNumeral:
    """What is believed of one die of these `kinds` in a picture of this size in pixels."""
    chances, lies = one.chances(kinds), one.lies(kinds)
    (much, kind, value), rest = chances[0], chances[1:]
    strange = FACES[kind][0] == "cube" and one.sure((kind,)) < LIES
    confidence, sure = lies * much, CUBE if strange else SURE
    likely = tuple(face for p, other, face in rest if other == kind and p >= LIKELY)
    doubts = {
        "edge": beyond(one.where, width, height) > OUT,
        "kind": one.share(kinds) < FOREIGN,
        "cocked": one.tops[0].chance < TOP and much < sure,
        "unclear": much < sure or lies < CERTAIN or one.tops[0].wary < CERTAIN,
    }
    doubt = next((name for name, raised in doubts.items() if raised), None)
    return JudgedNumeral(one, lies, kind, None if doubt == "kind" else value, confidence, likely, doubt)


def verdicts(
    found: Sequence[Numeral],
    looks: Sequence[Judged],
    kinds: Collection[str],
    width: int,
    height: int,
    *,
    sure: bool = False,
) -> tuple[list[JudgedNumeral], list[Judged], str | None]:
    """The dice without pips among what was `found`; of the `looks` at what may have pips those that are not of these
    dice; and the doubt most worth acting on, a key of `reading.DOUBTS`, or None.

    What lies in one place is taken for the one thing or the other, as it is likelier a die; what another lies on is
    none. Where the dice with pips are `sure`, only what is read well is one without.
    """
    pips = sum(look.face >= LIES for look in looks)

    def lies(one: Numeral) -> float:
        # Beside dice with pips, what can be read is often one of these.
        return one.die if pips else one.lies(kinds)

    there = [one for one in found if one.die >= MAYBE or lies(one) >= LIES]
    sought = [one for one in there if one.share(kinds) >= FOREIGN]
    there = [one for one in there if not any(_bears(one, other) for other in sought)]
    dice: list[JudgedNumeral] = []
    hidden = False
    for one in sorted(there, key=lambda one: -lies(one) * one.share(kinds)):
        if any(_on(one.where, die.numeral.where) for die in dice):
            continue
        die = verdict(one, kinds, width, height)
        rivals = [look for look in looks if look.face > one.die and _rivals(look.where, one.where)]
        if rivals:
            if die.doubt is None and pips <= FEW and any(die.weight > look.confidence for look in rivals):
                hidden = True
                if all(die.lies > look.face for look in rivals):
                    dice.append(replace(die, doubt="unclear"))
            continue
        if die.weight < LIES and any(look.face > die.weight and _beneath(look.where, one.where) for look in looks):
            hidden = hidden or (die.weight >= MAYBE and not (sure and pips > FEW))
            continue
        dice.append(die)
    least = WELL if sure else SHOWN if pips or kinds == {"d6"} else 0.0
    lie = [die for die in dice if lies(die.numeral) >= LIES and die.weight >= least]
    if not (lie or pips or hidden or least):
        # Rather a guess to be put right than nothing: it is asked about.
        lie = [replace(die, doubt="unclear") for die in dice[:1] if die.value is not None]
    left = [look for look in looks if not any(_on(look.where, die.numeral.where) for die in lie)]
    if any(look.face >= LIES for look in left):
        lie = [replace(die, doubt=die.doubt or "unclear") if _odd(die) else die for die in lie]
    doubts = [die.doubt for die in lie if die.doubt is not None]
    if hidden or (dice and not lie and not pips):
        doubts.append("unclear")
    return lie, left, min(doubts, key=ORDER.index, default=None)


ORDER = ("edge", "kind", "cocked", "unclear")
"""The doubts, the one most worth acting on first."""


def _odd(die: JudgedNumeral) -> bool:
    """Whether a die beside others with pips is hardly one without: a cube with a sign among them, which nobody taught,
    or what is not all but surely a die with that on it, as a coin."""
    return die.confidence < SURE or (die.kind == "d6" and die.numeral.sure(("d6",)) < LIES)


def _bears(ground: Numeral, die: Numeral) -> bool:
    """Whether a clear die lies on something larger, and is more than one of its faces."""
    wider = ground.where.size / die.where.size
    return die.die >= CLEAR and LARGER < wider < GROUND and _on(ground.where, die.where)


def _on(one: Candidate, other: Candidate) -> bool:
    """Whether two things are one, or the smaller lies on the larger."""
    return math.hypot(one.x - other.x, one.y - other.y) < ON * max(one.size, other.size)


def _beneath(look: Candidate, one: Candidate) -> bool:
    """Whether what may have pips is larger, with the other on it: a pip on a die, or a die on the ground."""
    return _on(look, one) and look.size >= LARGER * one.size


def _rivals(look: Candidate, one: Candidate) -> bool:
    """Whether what may have pips is in the place of what may have none: it is not only one of its faces, nor what it
    lies on."""
    return _on(look, one) and one.size < PART * look.size and look.size < LARGER * one.size
