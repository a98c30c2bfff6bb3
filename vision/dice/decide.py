"""Decide what fitted dice show, or which doubt applies.

A die at rest can lean only against something. In ten simulated evenings 16 % of 291 fair dice were within 3.5 mm of a
wall or another die, and all of 21 leaning ones within 1 mm. So only dice near something are doubted.
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

NEAR_DISTANCE_MM = 7.0  # A die farther than this from everything stands alone.
MIN_DIE_PROBABILITY = 0.6  # minimum probability that a fitted solid is a die
GOOD_FIT_THRESHOLDS = 0.5, 0.85, -0.5  # Minimum detector score, fit quality and flat-pose score of a good fit.
MIN_OUTLINE_AGREEMENT = 0.83  # minimum mask agreement (IoU); a die with less fits badly
# Log-odds coefficients of a die: detector score, fit quality, flat-pose score, log sign probability, blank probability,
# intercept. A logistic regression over the detections in 50 licensed photographs.
DIE_COEFFICIENTS = (4.52, 1.06, 2.22, 1.64, -1.92, 1.16)
MIN_STACKED_LIFT = 0.25  # minimum lift of a stacked die, in units of its size
# doubts by descending urgency
DOUBT_PRIORITY = ("hand", "stacked", "cocked", "thing", "edge", "symbol", "glare", "unclear", "none")
MIN_SURE_PROBABILITY = 0.85  # minimum probability of the face on top
MIN_HIDDEN_PROBABILITY = 0.92  # the same if glare hides part of it, or the die fits badly
MIN_CLEAR_FIT_SCORE = -0.6  # With at least this score and a clear sign, even something in the felt's color is a die.
MIN_CLEAR_SIGN_PROBABILITY = 0.9  # minimum probability of a clear sign
# The largest bright spot on top, as a share of it, if it is larger than a pip and smaller than a white body. It is a
# reflection that may be mistaken for a pip or hide one.
SPOT_SHARE_RANGE = (0.08, 0.5)
MIN_SPOTTED_PROBABILITY = 0.96  # minimum probability of the face in that case
NO_SIGN_THRESHOLD = 0.6  # minimum probability that the top is blank
MAX_WHITE_SHARE = 0.12  # maximum overexposed share of the top before it counts as hidden by glare
MIN_HAND_AREA_MM2 = 350.0  # minimum area of a hand
MIN_OBJECT_AREA_MM2 = 200.0  # minimum area of a foreign object
DIE_MARGIN_MM = 9.0  # A smaller object within this distance of a die belongs to the die.
MIN_HIDDEN_DIE_AREA_MM2 = 40.0  # minimum area next to a die that may be another die below it
OVEREXPOSED_SHARE = 0.4  # An object overexposed by more than this share may be a die hidden by glare.
# Factor for the standard face probabilities of a taught kind, so that an unrecognized die of it is doubted.
TAUGHT_KIND_FACTOR = 0.8
PIP_SIGN_COUNT = sum("pips" in sign for sign in SIGNS_BY_SHAPE["d6"])  # number of pip signs of a cube, which come first
MIN_LIKELY_PROBABILITY = 0.01  # minimum probability of another face to report
# Log-odds coefficients of leaning: flat-pose score, gain of the free pose, its tilt in tens of degrees, mask agreement
# (IoU), filled share, overlap with the wall in mm, not a cube, intercept. A logistic regression over 512 dice near a
# die or a wall in 28 rendered evenings, 189 of them cocked or stacked.
LEANING_COEFFICIENTS = (-4.30, 0.53, 2.28, -43.2, 29.28, 1.34, 3.43, 6.08)
MAX_WALL_ERROR_MM = 2.0  # maximum uncertainty of the wall's foot for it to count as evidence


class DoubtLimits(NamedTuple):
    """Thresholds beyond which a die near something is doubted: `overlap` of footprints in a stack in mm, probability
    that it `leans`, and minimum `score` of its flat pose."""

    overlap: float
    leans: float
    score: float


KNOWN_FLOOR_LIMITS = DoubtLimits(2.5, 0.45, -0.8)  # limits if the floor is known from a calibration and several dice
CALIBRATED_FLOOR_LIMITS = DoubtLimits(2.5, 0.7, -0.8)  # from a calibration alone
GUESSED_FLOOR_LIMITS = DoubtLimits(5.0, 0.97, -1.2)  # guessed from the dice


@dataclass(frozen=True, slots=True, eq=False)
class FittedFace:
    """The face of a fitted die.

    top: center of its top, in pixels.
    foot: outline of its footprint, (corners, 2) in pixels.
    kind, value, chance: kind and face, and their probability.
    likely: other likely faces.
    leans, tilt, lift: probability that it doesn't lie flat, and then its tilt in degrees and lift in mm.
    blank: probability that its top shows no sign of the kinds in play.
    white, spot: overexposed share of its top, and the share of the largest bright spot.
    """

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
        """True if a reflection on top may be mistaken for a pip."""
        return (
            SPOT_SHARE_RANGE[0] < self.spot < SPOT_SHARE_RANGE[1]
            and self.die.shape == "d6"
            and int(self.die.top.argmax()) < PIP_SIGN_COUNT
        )


def face_of_sign(shape: str, sign: str) -> tuple[str, Face]:
    """Translate a sign on a shape to kind and face in the rulebooks' terms."""
    if sign in "BSC":
        return "pitch", sign
    if shape == "d10":
        number = 0 if sign in ("0", "00") else int(sign[0])
        return "d10", number or 10
    return {"tetrakis": "d24"}.get(shape, shape), int(sign.split(" ")[0])


def ranked_faces(shape: str, chances: Matrix, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
    """Rank the faces of these kinds by descending probability, from the probabilities of the signs."""
    found: dict[tuple[str, Face], float] = {}
    for sign, chance in zip(SIGNS_BY_SHAPE[shape], chances[:-1], strict=True):
        face = face_of_sign(shape, sign)
        if face[0] in kinds:
            found[face] = found.get(face, 0.0) + float(chance)
    every = max(sum(found.values()), 1e-9)
    return sorted(((chance / every, *face) for face, chance in found.items()), key=lambda one: -one[0])


def no_sign_probability(die: FittedDie, kinds: Collection[str]) -> float:
    signs = zip(SIGNS_BY_SHAPE[die.shape], die.top[:-1], strict=True)
    shown = sum(float(chance) for sign, chance in signs if face_of_sign(die.shape, sign)[0] in kinds)
    known = sum(chance for (kind, _), chance in die.taught.items() if kind in kinds)
    return (1 - shown) * (1 - known)


def merge_taught_faces(
    found: Sequence[tuple[float, str, Face]], taught: Mapping[tuple[str, Face], float], kinds: Collection[str]
) -> list[tuple[float, str, Face]]:
    """Combine `ranked_faces` with the probabilities of the `taught` faces. A standard reading of a taught kind is
    discounted by `TAUGHT_KIND_FACTOR`."""
    rest, known = 1 - sum(taught.values()), {kind for kind, _ in taught}
    joined = {
        (kind, face): chance * rest * (TAUGHT_KIND_FACTOR if kind in known else 1.0) for chance, kind, face in found
    }
    for (kind, face), chance in taught.items():
        if kind in kinds and chance:
            joined[kind, face] = joined.get((kind, face), 0.0) + chance
    return sorted(((chance, *face) for face, chance in joined.items()), key=lambda one: -one[0])


def is_clearly_die(die: FittedDie) -> bool:
    """True if a die fits its lines well and shows a clear sign."""
    return die.flat.score > MIN_CLEAR_FIT_SCORE and die.sign_probability > MIN_CLEAR_SIGN_PROBABILITY


def has_good_fit(die: FittedDie) -> bool:
    """True if a solid fits so well that it is a die, whatever is on top."""
    return all(a > b for a, b in zip((die.heat, die.worth, die.flat.score), GOOD_FIT_THRESHOLDS, strict=True))


def is_die(die: FittedDie) -> bool:
    """Classify a fitted solid as a die or not. A good fit suffices if its top is blank."""
    if die.blank_probability > NO_SIGN_THRESHOLD and has_good_fit(die):
        return True
    row = (die.heat, die.worth, die.flat.score, math.log(die.sign_probability + 0.02), die.blank_probability, 1.0)
    return 1 / (1 + math.exp(-float(np.dot(row, DIE_COEFFICIENTS)))) >= MIN_DIE_PROBABILITY


def leaning_probability(die: FittedDie, score: float, tilt: float) -> float:
    """Return the probability that a die leans. `score` and `tilt`, in degrees, are those of its free pose."""
    gain = score - die.flat.score
    within = max(0.0, -die.wall) if die.off < MAX_WALL_ERROR_MM else 0.0
    row = (die.flat.score, gain, min(tilt, 25) / 10 * (gain > 0.02), die.agrees, die.filled, within, die.shape != "d6",
           1.0)  # fmt: skip
    return 1 / (1 + math.exp(-float(np.dot(row, LEANING_COEFFICIENTS))))


def may_lean(die: FittedDie) -> bool:
    """True if a die is near enough to something to lean on it."""
    return die.away < NEAR_DISTANCE_MM or die.wall < NEAR_DISTANCE_MM + die.off


@dataclass(frozen=True, slots=True, eq=False)
class DiceDoubt:
    """Why dice need confirmation. `key` is one of `reading.DOUBT_ADVICE`, and `die` the die concerned. `beside` is the
    die that it leans or lies on, or None for the wall. `figures` are the measurements behind the doubt."""

    key: str
    die: FittedDie | None = None
    beside: FittedDie | None = None
    figures: tuple[Figure, ...] = ()


def most_urgent_doubt(
    dice: Sequence[DiceDoubt | None], things: Sequence[ForeignObject] = (), missed: int = 0
) -> DiceDoubt | None:
    """Return the most urgent doubt, or None. `dice` are the doubts about each die, `things` the foreign objects, and
    `missed` the number of detected dice that no solid fits."""
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
    """True if an object is so near to a die that another die may lie under it."""
    return any(one.area >= MIN_HIDDEN_DIE_AREA_MM2 and one.away < DIE_MARGIN_MM for one in things)


def doubt_about_die(one: FittedFace, limits: DoubtLimits = KNOWN_FLOOR_LIMITS) -> DiceDoubt | None:
    die = one.die
    beside = die.next if die.away <= die.wall else None
    lies = (
        Figure("mm away", min(die.away, die.wall), least=NEAR_DISTANCE_MM),
        Figure("leans", one.leans, most=limits.leans),
        Figure("degrees", one.tilt),
        Figure("mm up", one.lift, most=MIN_STACKED_LIFT * die.size),
    )
    leans = may_lean(die) and one.leans > limits.leans
    # What supports a die is near it. A die lifted next to a wall alone leans on the wall.
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
