"""Decide about dice without pips: certain, or a named doubt."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from vision.dice import thresholds
from vision.dice.classify_numerals import FACES, Numeral
from vision.dice.decide_pips import JudgedPips
from vision.dice.detect import Candidate
from vision.reading import Face


@dataclass(frozen=True, slots=True)
class JudgedNumeral:
    """A die without pips. `die_chance`: the probability, 0 to 1, that it is one. `kind` and `value`: what it shows,
    None where its kind has no such face. `confidence`: the probability, 0 to 1, of kind and value. `likely`: other
    plausible faces, likeliest first. `doubt`: the doubt about this die alone, or None."""

    numeral: Numeral
    die_chance: float
    kind: str
    value: Face | None
    confidence: float
    likely: tuple[Face, ...]
    doubt: str | None

    @property
    def turn(self) -> float | None:
        """How far the sign on top is turned clockwise, in degrees, 0 to 360; None where no value is offered."""
        return None if self.value is None else math.degrees(self.numeral.tops[0].turn) % 360

    @property
    def weight(self) -> float:
        """The probability, 0 to 1, that a die with a readable sign lies here, even of a kind not looked for."""
        readable = self.die_chance * self.numeral.legible
        return readable if self.doubt == "kind" else min(readable, self.confidence)


def _decide_numeral(one: Numeral, kinds: Collection[str], width: int, height: int) -> JudgedNumeral:
    """Decide about one die where these `kinds` are looked for, in a picture of this size in pixels."""
    chances, die_chance = one.face_chances(kinds), one.die_chance_of(kinds)
    (much, kind, value), rest = chances[0], chances[1:]
    strange = FACES[kind][0] == "cube" and one.taught_chance((kind,)) < thresholds.NUMERAL_DIE
    confidence, sure = die_chance * much, thresholds.CUBE_SURE if strange else thresholds.NUMERAL_SURE
    likely = tuple(face for p, other, face in rest if other == kind and p >= thresholds.LIKELY)
    doubts = {
        "edge": one.where.share_beyond(width, height) > thresholds.BEYOND_MUCH,
        "kind": one.kind_chance(kinds) < thresholds.SHAPE_LOOKED_FOR,
        "cocked": one.tops[0].chance < thresholds.TOP_FACE_SURE and much < sure,
        "unclear": much < sure
        or die_chance < thresholds.NUMERAL_CERTAIN
        or one.tops[0].wary < thresholds.NUMERAL_CERTAIN,
    }
    doubt = next((name for name, raised in doubts.items() if raised), None)
    return JudgedNumeral(one, die_chance, kind, None if doubt == "kind" else value, confidence, likely, doubt)


def decide_numerals(
    found: Sequence[Numeral],
    looks: Sequence[JudgedPips],
    kinds: Collection[str],
    width: int,
    height: int,
    *,
    sure: bool = False,
) -> tuple[list[JudgedNumeral], list[JudgedPips], str | None]:
    """Return the dice without pips, the `looks` that are not these dice, and the doubt most worth acting on, or None.

    `found` are the places that may be dice without pips, `looks` those that may be dice with pips. Two readings of one
    place compete, and the likelier die wins; a thing that a die lies on is not a die. Where the dice with pips are
    `sure`, only what is read well is a die without. The doubt is a key of `reading.DOUBTS`.
    """
    pips = sum(look.face >= thresholds.NUMERAL_DIE for look in looks)

    def chance(one: Numeral) -> float:
        # Beside dice with pips, a readable place is often one of them.
        return one.die_chance if pips else one.die_chance_of(kinds)

    there = [
        one for one in found if one.die_chance >= thresholds.NUMERAL_MAYBE or chance(one) >= thresholds.NUMERAL_DIE
    ]
    sought = [one for one in there if one.kind_chance(kinds) >= thresholds.SHAPE_LOOKED_FOR]
    there = [one for one in there if not any(_is_ground(one, other) for other in sought)]
    dice: list[JudgedNumeral] = []
    hidden = False
    for one in sorted(there, key=lambda one: -chance(one) * one.kind_chance(kinds)):
        if any(one.where.is_on(die.numeral.where) for die in dice):
            continue
        die = _decide_numeral(one, kinds, width, height)
        rivals = [look for look in looks if look.face > one.die_chance and _is_rival(look.where, one.where)]
        if rivals:
            if (
                die.doubt is None
                and pips <= thresholds.FEW_PIPS
                and any(die.weight > look.confidence for look in rivals)
            ):
                hidden = True
                if all(die.die_chance > look.face for look in rivals):
                    dice.append(replace(die, doubt="unclear"))
            continue
        if die.weight < thresholds.NUMERAL_DIE and any(
            look.face > die.weight and _lies_beneath(look.where, one.where) for look in looks
        ):
            hidden = hidden or (die.weight >= thresholds.NUMERAL_MAYBE and not (sure and pips > thresholds.FEW_PIPS))
            continue
        dice.append(die)
    least = thresholds.NUMERAL_READ_WELL if sure else thresholds.NUMERAL_READ if pips or kinds == {"d6"} else 0.0
    lying = [die for die in dice if chance(die.numeral) >= thresholds.NUMERAL_DIE and die.weight >= least]
    if not (lying or pips or hidden or least):
        # A guess that is asked about is better than nothing.
        lying = [replace(die, doubt="unclear") for die in dice[:1] if die.value is not None]
    left = [look for look in looks if not any(look.where.is_on(die.numeral.where) for die in lying)]
    if any(look.face >= thresholds.NUMERAL_DIE for look in left):
        lying = [replace(die, doubt=die.doubt or "unclear") if _is_doubtful(die) else die for die in lying]
    doubts = [die.doubt for die in lying if die.doubt is not None]
    if hidden or (dice and not lying and not pips):
        doubts.append("unclear")
    return lying, left, min(doubts, key=ORDER.index, default=None)


ORDER = ("edge", "kind", "cocked", "unclear")  # the doubts, the one most worth acting on first


def _is_doubtful(die: JudgedNumeral) -> bool:
    """True if a die beside dice with pips is hardly one without pips. That is an untaught cube with a sign among them,
    or something like a coin, which is not almost surely a die and its face."""
    return die.confidence < thresholds.NUMERAL_SURE or (
        die.kind == "d6" and die.numeral.taught_chance(("d6",)) < thresholds.NUMERAL_DIE
    )


def _is_ground(ground: Numeral, die: Numeral) -> bool:
    """True if a clear die lies on something larger, and is more than one of its faces."""
    wider = ground.where.size / die.where.size
    return (
        die.die_chance >= thresholds.GROUND_CLEAR
        and thresholds.GROUND_LEAST < wider < thresholds.GROUND_MOST
        and ground.where.is_on(die.where)
    )


def _lies_beneath(look: Candidate, one: Candidate) -> bool:
    """True if a look is larger and has the other on it: a pip on a die, or a die on the ground."""
    return look.is_on(one) and look.size >= thresholds.GROUND_LEAST * one.size


def _is_rival(look: Candidate, one: Candidate) -> bool:
    """True if a look is in the place of a numeral: neither only one of its faces nor what it lies on."""
    return (
        look.is_on(one)
        and one.size < thresholds.PART_LEAST * look.size
        and look.size < thresholds.GROUND_LEAST * one.size
    )
