"""Decide about dice that were fitted: what each shows, and a named doubt.

A die at rest leans only if something holds it: of 291 fair dice of ten rendered evenings 16 % lay within 3.5 mm of a
wall or another die, of 21 leaning ones all within 1 mm. So only dice near something are asked about.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vision.dice.dice_finder import ABSENT_DISTANCE_MM, FittedDie
from vision.dice.facets import SIGNS_BY_SHAPE
from vision.dice.foreign_objects import ForeignObject
from vision.dice.polyhedra import Matrix
from vision.reading import Face, Figure

NEAR_DISTANCE_MM = 7.0  # mm: a die stands free of what is farther away
MIN_DIE_PROBABILITY = 0.6  # probability from which something is a die
# Heat of a detector, how well it fits, and the score of the flat pose, from which a solid fits well.
GOOD_FIT_THRESHOLDS = 0.5, 0.85, -0.5
MIN_OUTLINE_AGREEMENT = 0.83  # how well outline and mask agree, below which a die fits badly
# How the evidence for a die counts, as log odds: how sure a detector is, how well it fits, the score of the flat pose,
# how clear its sign is and that there is none, and all alike. A logistic regression over what was found in 50 licensed
# photographs.
DIE_COEFFICIENTS = (4.52, 1.06, 2.22, 1.64, -1.92, 1.16)
MIN_STACKED_LIFT = 0.25  # sizes by which a die is lifted that lies on another
# Doubts, the one most worth acting on first.
DOUBT_PRIORITY = ("hand", "stacked", "cocked", "thing", "edge", "symbol", "glare", "unclear", "none")
# Least probability of the face on top, and of one that light hides in part, or of a die that fits badly.
MIN_SURE_PROBABILITY = 0.85
MIN_HIDDEN_PROBABILITY = 0.92
# score and sign from which even something of the color of the felt is a die
MIN_CLEAR_FIT_SCORE = -0.6
MIN_CLEAR_SIGN_PROBABILITY = 0.9
# Share of a top that its largest bright spot takes, if that is more than a pip and no whole body: a reflection that may
# be taken for a pip, or hide one; and the least probability of the face then.
SPOT_SHARE_RANGE = (0.08, 0.5)
MIN_SPOTTED_PROBABILITY = 0.96
NO_SIGN_THRESHOLD = 0.6  # probability from which no sign is on top
MAX_WHITE_SHARE = 0.12  # share of a top that is white from which light hides it
# square mm of a hand and of a thing, and mm from a die that are not its own
MIN_HAND_AREA_MM2 = 350.0
MIN_OBJECT_AREA_MM2 = 200.0
DIE_MARGIN_MM = 9.0
MIN_BENEATH_AREA_MM2 = 40.0  # square mm beside a die that may be another one beneath
OVEREXPOSED_SHARE = 0.4  # share of a thing that is white from which it is a die that light hides
# Factor for what is usual of a die of a taught kind that is not recognized: such a die is asked about.
TAUGHT_KIND_FACTOR = 0.8
PIP_SIGN_COUNT = sum("pips" in sign for sign in SIGNS_BY_SHAPE["d6"])  # signs of a cube, the first, that are pips
MIN_LIKELY_PROBABILITY = 0.01  # probability from which another face is worth naming
# How the evidence counts, as log odds: the score of the flat pose, what the free one explains better, its tilt in tens
# of degrees, how well the flat outline agrees with the mask and is filled by it, by how many mm the flat die would be
# within the wall, that it is not a cube, and all dice alike. A logistic regression over 512 dice near a die or a wall,
# 189 of them cocked or stacked, of 28 rendered evenings.
LEANING_COEFFICIENTS = (-4.30, 0.53, 2.28, -43.2, 29.28, 1.34, 3.43, 6.08)
MAX_WALL_ERROR_MM = 2.0  # mm by which the foot of the wall may be off at most to count as evidence


class DoubtLimits(NamedTuple):
    """From where on to ask about a die that is near something: by how much, in mm, outlines on the floor that belong to
    a stack `overlap`, and how probable it is that the die `leans`. `score` is the least score of a flat pose."""

    overlap: float
    leans: float
    score: float


# Where the floor is known well, where it is known from the calibration alone, and where it is guessed from the dice.
KNOWN_FLOOR_LIMITS = DoubtLimits(2.5, 0.45, -0.8)
CALIBRATED_FLOOR_LIMITS = DoubtLimits(2.5, 0.7, -0.8)
GUESSED_FLOOR_LIMITS = DoubtLimits(5.0, 0.97, -1.2)


@dataclass(frozen=True, slots=True, eq=False)
class FittedFace:
    """What a fitted die shows: the middle of its `top` in pixels, the outline of the floor beneath it, its `foot`, in
    pixels (corners, 2), its kind and face with their probability, and other
    likely faces. `leans` is how probable it is that it does not lie flat, `tilt` by how many degrees and `lift` by how
    many mm it then does not; `blank` is the probability that no sign of these kinds is on its top, `white` the white
    share of it, and `spot` that of its largest bright spot."""

    die: FittedDie
    top: tuple[float, float]
    foot: Matrix
    kind: str
    value: Face
    chance: float
    likely: tuple[Face, ...]
    leans: float
    tilt: float
    lift: float
    blank: float
    white: float
    spot: float

    @property
    def has_deceptive_spot(self) -> bool:
        """True if a reflection may be taken for one of the pips on its top."""
        return (
            SPOT_SHARE_RANGE[0] < self.spot < SPOT_SHARE_RANGE[1]
            and self.die.shape == "d6"
            and int(self.die.top.argmax()) < PIP_SIGN_COUNT
        )


def face_of_sign(shape: str, sign: str) -> tuple[str, Face]:
    """Return kind and face, in the rulebooks' terms, of a sign on a shape."""
    if sign in "BSC":
        return "pitch", sign
    if shape == "d10":
        number = 0 if sign in ("0", "00") else int(sign[0])
        return "d10", number or 10
    return {"tetrakis": "d24"}.get(shape, shape), int(sign.split(" ")[0])


def ranked_faces(shape: str, chances: Matrix, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
    """Return the faces of these kinds that a die may show, likeliest first, by the `chances` of its signs."""
    found: dict[tuple[str, Face], float] = {}
    for sign, chance in zip(SIGNS_BY_SHAPE[shape], chances[:-1], strict=True):
        face = face_of_sign(shape, sign)
        if face[0] in kinds:
            found[face] = found.get(face, 0.0) + float(chance)
    every = max(sum(found.values()), 1e-9)
    return sorted(((chance / every, *face) for face, chance in found.items()), key=lambda one: -one[0])


def no_sign_probability(die: FittedDie, kinds: Collection[str]) -> float:
    """Return the probability that a die shows no sign of these kinds."""
    signs = zip(SIGNS_BY_SHAPE[die.shape], die.top[:-1], strict=True)
    shown = sum(float(chance) for sign, chance in signs if face_of_sign(die.shape, sign)[0] in kinds)
    known = sum(chance for (kind, _), chance in die.taught.items() if kind in kinds)
    return (1 - shown) * (1 - known)


def merge_taught_faces(
    found: Sequence[tuple[float, str, Face]], taught: Mapping[tuple[str, Face], float], kinds: Collection[str]
) -> list[tuple[float, str, Face]]:
    """Return `ranked_faces` of these kinds that a die may show, likeliest first, given how likely each face of the
    `taught` dice is. Of a kind that was taught, what is usual is not fully believed."""
    rest, known = 1 - sum(taught.values()), {kind for kind, _ in taught}
    joined = {
        (kind, face): chance * rest * (TAUGHT_KIND_FACTOR if kind in known else 1.0) for chance, kind, face in found
    }
    for (kind, face), chance in taught.items():
        if kind in kinds and chance:
            joined[kind, face] = joined.get((kind, face), 0.0) + chance
    return sorted(((chance, *face) for face, chance in joined.items()), key=lambda one: -one[0])


def is_clearly_die(die: FittedDie) -> bool:
    """True if a die fits its lines well, and its sign is clear."""
    return die.flat.score > MIN_CLEAR_FIT_SCORE and die.sign_probability > MIN_CLEAR_SIGN_PROBABILITY


def has_good_fit(die: FittedDie) -> bool:
    """True if a solid fits so well that it is one, whatever is on its top."""
    return all(a > b for a, b in zip((die.heat, die.worth, die.flat.score), GOOD_FIT_THRESHOLDS, strict=True))


def is_die(die: FittedDie) -> bool:
    """True if what was fitted may be a die: by all evidence, or because it fits well although no sign is on top."""
    if die.blank_probability > NO_SIGN_THRESHOLD and has_good_fit(die):
        return True
    row = (die.heat, die.worth, die.flat.score, math.log(die.sign_probability + 0.02), die.blank_probability, 1.0)
    return 1 / (1 + math.exp(-float(np.dot(row, DIE_COEFFICIENTS)))) >= MIN_DIE_PROBABILITY


def leaning_probability(die: FittedDie, score: float, tilt: float) -> float:
    """Return the probability that a die does not lie flat: by its flat pose, and the score and tilt in degrees of its
    free one."""
    gain = score - die.flat.score
    within = max(0.0, -die.wall) if die.off < MAX_WALL_ERROR_MM else 0.0
    row = (die.flat.score, gain, min(tilt, 25) / 10 * (gain > 0.02), die.agrees, die.filled, within, die.shape != "d6",
           1.0)  # fmt: skip
    return 1 / (1 + math.exp(-float(np.dot(row, LEANING_COEFFICIENTS))))


def may_lean(die: FittedDie) -> bool:
    """True if a die is so near to something that it may lean on it."""
    return die.away < NEAR_DISTANCE_MM or die.wall < NEAR_DISTANCE_MM + die.off


@dataclass(frozen=True, slots=True, eq=False)
class DiceDoubt:
    """Why dice may not count: a key of `reading.DOUBT_ADVICE`, the `die` that it is about, the one that this die leans
    or lies on (None: the wall, or nothing), and the figures that it rests on."""

    key: str
    die: FittedDie | None = None
    beside: FittedDie | None = None
    figures: tuple[Figure, ...] = ()


def most_urgent_doubt(
    dice: Sequence[DiceDoubt | None], things: Sequence[ForeignObject] = (), missed: int = 0
) -> DiceDoubt | None:
    """Return the doubt most worth acting on, or None: `dice` are those about each die, `things` what else lies there,
    and `missed` is how many dice were found that no solid fits."""
    found = Figure("dice that no solid fits", missed, most=0)
    doubts = [DiceDoubt("unclear", figures=(found,))] if missed else [] if dice else [DiceDoubt("none")]
    for thing in things:
        figures = (
            Figure("mm²", thing.area, most=MIN_OBJECT_AREA_MM2),
            Figure("mm from a die", min(thing.away, ABSENT_DISTANCE_MM)),
        )
        if thing.area >= MIN_OBJECT_AREA_MM2 and thing.white > OVEREXPOSED_SHARE:
            doubts.append(DiceDoubt("glare", figures=figures))
        elif thing.area >= MIN_HAND_AREA_MM2 and thing.edge:
            doubts.append(DiceDoubt("hand", figures=figures))
        elif thing.area >= MIN_HAND_AREA_MM2 or (thing.area >= MIN_OBJECT_AREA_MM2 and thing.away > DIE_MARGIN_MM):
            doubts.append(DiceDoubt("thing", figures=figures))
    doubts += [one for one in dice if one is not None]
    return min(doubts, key=lambda one: DOUBT_PRIORITY.index(one.key), default=None)


def may_hide_die(things: Sequence[ForeignObject]) -> bool:
    """True if something lies so near to a die, beside those that were read, that another may lie beneath it."""
    return any(one.area >= MIN_BENEATH_AREA_MM2 and one.away < DIE_MARGIN_MM for one in things)


def doubt_about_die(one: FittedFace, limits: DoubtLimits = KNOWN_FLOOR_LIMITS) -> DiceDoubt | None:
    """Return the doubt about one die, or None."""
    die = one.die
    beside = die.next if die.away <= die.wall else None
    lies = (
        Figure("mm away", min(die.away, die.wall), least=NEAR_DISTANCE_MM),
        Figure("leans", one.leans, most=limits.leans),
        Figure("degrees", one.tilt),
        Figure("mm up", one.lift, most=MIN_STACKED_LIFT * die.size),
    )
    leans = may_lean(die) and one.leans > limits.leans
    # What lies beneath a die is near it: one that is lifted beside a wall alone leans on that.
    if die.away < -limits.overlap or (leans and die.away < NEAR_DISTANCE_MM and one.lift > MIN_STACKED_LIFT * die.size):
        return DiceDoubt("stacked", die, die.next, lies)
    if leans:
        return DiceDoubt("cocked", die, beside, lies)
    sure = (
        MIN_SPOTTED_PROBABILITY
        if one.has_deceptive_spot
        else MIN_HIDDEN_PROBABILITY
        if one.white > MAX_WHITE_SHARE or die.agrees < MIN_OUTLINE_AGREEMENT
        else MIN_SURE_PROBABILITY
    )
    if one.chance >= sure and one.blank <= NO_SIGN_THRESHOLD and die.flat.score > limits.score:
        return None
    shows = (
        Figure("chance", one.chance, least=sure),
        Figure("no sign", one.blank, most=NO_SIGN_THRESHOLD),
        Figure("fits", die.flat.score, least=limits.score),
        Figure("white", max(one.white, one.spot * one.has_deceptive_spot), most=MAX_WHITE_SHARE),
    )
    key = "symbol" if one.blank > NO_SIGN_THRESHOLD else "unclear"
    if one.white > MAX_WHITE_SHARE or (one.has_deceptive_spot and one.chance >= MIN_SURE_PROBABILITY):
        key = "glare"
    return DiceDoubt(key, die, None, shows)
