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

from vision.dice.facets import BEARS
from vision.dice.fitted import FAR, FittedDie
from vision.dice.polyhedra import Matrix
from vision.dice.strange import Thing
from vision.reading import Face, Figure

NEAR = 7.0  # mm: a die stands free of what is farther away
DIE = 0.6  # probability from which something is a die
# Heat of a detector, how well it fits, and the score of the flat pose, from which a solid fits well.
WELL = 0.5, 0.85, -0.5
BADLY = 0.83  # how well outline and mask agree, below which a die fits badly
# How the evidence for a die counts, as log odds: how sure a detector is, how well it fits, the score of the flat pose,
# how clear its sign is and that there is none, and all alike. A logistic regression over what was found in 50 licensed
# photographs.
PROVES = (4.52, 1.06, 2.22, 1.64, -1.92, 1.16)
LIFTED = 0.25  # sizes by which a die is lifted that lies on another
# Doubts, the one most worth acting on first.
ORDER = ("hand", "stacked", "cocked", "thing", "edge", "symbol", "glare", "unclear", "none")
# Least probability of the face on top, and of one that light hides in part, or of a die that fits badly.
SURE, HIDDEN = 0.85, 0.92
FITS, CLEAR = -0.6, 0.9  # score and sign from which even something of the color of the felt is a die
# Share of a top that its largest bright spot takes, if that is more than a pip and no whole body: a reflection that may
# be taken for a pip, or hide one; and the least probability of the face then.
SPOT, SPOTTED = (0.08, 0.5), 0.96
NO_SIGN = 0.6  # probability from which no sign is on top
GLARE = 0.12  # share of a top that is white from which light hides it
HAND, THING, BESIDE = 350.0, 200.0, 9.0  # square mm of a hand and of a thing, and mm from a die that are not its own
BENEATH = 40.0  # square mm beside a die that may be another one beneath
BURNT = 0.4  # share of a thing that is white from which it is a die that light hides
# Factor for what is usual of a die of a taught kind that is not recognized: such a die is asked about.
WARY = 0.8
PIPS = sum("pips" in sign for sign in BEARS["d6"])  # signs of a cube, the first, that are pips
LIKELY = 0.01  # probability from which another face is worth naming
# How the evidence counts, as log odds: the score of the flat pose, what the free one explains better, its tilt in tens
# of degrees, how well the flat outline agrees with the mask and is filled by it, by how many mm the flat die would be
# within the wall, that it is not a cube, and all dice alike. A logistic regression over 512 dice near a die or a wall,
# 189 of them cocked or stacked, of 28 rendered evenings.
COUNTS = (-4.30, 0.53, 2.28, -43.2, 29.28, 1.34, 3.43, 6.08)
SURELY = 2.0  # mm by which the foot of the wall may be off at most to count as evidence


class Limits(NamedTuple):
    """From where on to ask about a die that is near something: by how much, in mm, outlines on the floor that belong to
    a stack `overlap`, and how probable it is that the die `leans`. `score` is the least score of a flat pose."""

    overlap: float
    leans: float
    score: float


# Where the floor is known well, where it is known from the calibration alone, and where it is guessed from the dice.
KNOWN, CALIBRATED, GUESSED = Limits(2.5, 0.45, -0.8), Limits(2.5, 0.7, -0.8), Limits(5.0, 0.97, -1.2)


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
    def spotted(self) -> bool:
        """True if a reflection may be taken for one of the pips on its top."""
        return SPOT[0] < self.spot < SPOT[1] and self.die.shape == "d6" and int(self.die.top.argmax()) < PIPS


def face_of(shape: str, sign: str) -> tuple[str, Face]:
    """Return kind and face, in the rulebooks' terms, of a sign on a shape."""
    if sign in "BSC":
        return "pitch", sign
    if shape == "d10":
        number = 0 if sign in ("0", "00") else int(sign[0])
        return "d10", number or 10
    return {"tetrakis": "d24"}.get(shape, shape), int(sign.split(" ")[0])


def faces(shape: str, chances: Matrix, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
    """Return the faces of these kinds that a die may show, likeliest first, by the `chances` of its signs."""
    found: dict[tuple[str, Face], float] = {}
    for sign, chance in zip(BEARS[shape], chances[:-1], strict=True):
        face = face_of(shape, sign)
        if face[0] in kinds:
            found[face] = found.get(face, 0.0) + float(chance)
    every = max(sum(found.values()), 1e-9)
    return sorted(((chance / every, *face) for face, chance in found.items()), key=lambda one: -one[0])


def no_sign(die: FittedDie, kinds: Collection[str]) -> float:
    """Return the probability that a die shows no sign of these kinds."""
    signs = zip(BEARS[die.shape], die.top[:-1], strict=True)
    shown = sum(float(chance) for sign, chance in signs if face_of(die.shape, sign)[0] in kinds)
    known = sum(chance for (kind, _), chance in die.taught.items() if kind in kinds)
    return (1 - shown) * (1 - known)


def with_taught(
    found: Sequence[tuple[float, str, Face]], taught: Mapping[tuple[str, Face], float], kinds: Collection[str]
) -> list[tuple[float, str, Face]]:
    """Return `faces` of these kinds that a die may show, likeliest first, given how likely each face of the `taught`
    dice is. Of a kind that was taught, what is usual is not fully believed."""
    rest, known = 1 - sum(taught.values()), {kind for kind, _ in taught}
    joined = {(kind, face): chance * rest * (WARY if kind in known else 1.0) for chance, kind, face in found}
    for (kind, face), chance in taught.items():
        if kind in kinds and chance:
            joined[kind, face] = joined.get((kind, face), 0.0) + chance
    return sorted(((chance, *face) for face, chance in joined.items()), key=lambda one: -one[0])


def fits_and_shows(die: FittedDie) -> bool:
    """True if a die fits its lines well, and its sign is clear."""
    return die.flat.score > FITS and die.clear > CLEAR


def fits_well(die: FittedDie) -> bool:
    """True if a solid fits so well that it is one, whatever is on its top."""
    return all(a > b for a, b in zip((die.heat, die.worth, die.flat.score), WELL, strict=True))


def is_die(die: FittedDie) -> bool:
    """True if what was fitted may be a die: by all evidence, or because it fits well although no sign is on top."""
    if die.blank > NO_SIGN and fits_well(die):
        return True
    row = (die.heat, die.worth, die.flat.score, math.log(die.clear + 0.02), die.blank, 1.0)
    return 1 / (1 + math.exp(-float(np.dot(row, PROVES)))) >= DIE


def leaning(die: FittedDie, score: float, tilt: float) -> float:
    """Return the probability that a die does not lie flat: by its flat pose, and the score and tilt in degrees of its
    free one."""
    gain = score - die.flat.score
    within = max(0.0, -die.wall) if die.off < SURELY else 0.0
    row = (die.flat.score, gain, min(tilt, 25) / 10 * (gain > 0.02), die.agrees, die.filled, within, die.shape != "d6",
           1.0)  # fmt: skip
    return 1 / (1 + math.exp(-float(np.dot(row, COUNTS))))


def may_lean(die: FittedDie) -> bool:
    """True if a die is so near to something that it may lean on it."""
    return die.away < NEAR or die.wall < NEAR + die.off


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """Why dice may not count: a key of `reading.DOUBTS`, the `die` that it is about, the one that this die leans or
    lies on (None: the wall, or nothing), and the figures that it rests on."""

    key: str
    die: FittedDie | None = None
    beside: FittedDie | None = None
    figures: tuple[Figure, ...] = ()


def doubt_about(dice: Sequence[Doubt | None], things: Sequence[Thing] = (), missed: int = 0) -> Doubt | None:
    """Return the doubt most worth acting on, or None: `dice` are those about each die, `things` what else lies there,
    and `missed` is how many dice were found that no solid fits."""
    found = Figure("dice that no solid fits", missed, most=0)
    doubts = [Doubt("unclear", figures=(found,))] if missed else [] if dice else [Doubt("none")]
    for thing in things:
        figures = (Figure("mm²", thing.area, most=THING), Figure("mm from a die", min(thing.away, FAR)))
        if thing.area >= THING and thing.white > BURNT:
            doubts.append(Doubt("glare", figures=figures))
        elif thing.area >= HAND and thing.edge:
            doubts.append(Doubt("hand", figures=figures))
        elif thing.area >= HAND or (thing.area >= THING and thing.away > BESIDE):
            doubts.append(Doubt("thing", figures=figures))
    doubts += [one for one in dice if one is not None]
    return min(doubts, key=lambda one: ORDER.index(one.key), default=None)


def hides_another(things: Sequence[Thing]) -> bool:
    """True if something lies so near to a die, beside those that were read, that another may lie beneath it."""
    return any(one.area >= BENEATH and one.away < BESIDE for one in things)


def doubt_about_die(one: FittedFace, limits: Limits = KNOWN) -> Doubt | None:
    """Return the doubt about one die, or None."""
    die = one.die
    beside = die.next if die.away <= die.wall else None
    lies = (
        Figure("mm away", min(die.away, die.wall), least=NEAR),
        Figure("leans", one.leans, most=limits.leans),
        Figure("degrees", one.tilt),
        Figure("mm up", one.lift, most=LIFTED * die.size),
    )
    leans = may_lean(die) and one.leans > limits.leans
    # What lies beneath a die is near it: one that is lifted beside a wall alone leans on that.
    if die.away < -limits.overlap or (leans and die.away < NEAR and one.lift > LIFTED * die.size):
        return Doubt("stacked", die, die.next, lies)
    if leans:
        return Doubt("cocked", die, beside, lies)
    sure = SPOTTED if one.spotted else HIDDEN if one.white > GLARE or die.agrees < BADLY else SURE
    if one.chance >= sure and one.blank <= NO_SIGN and die.flat.score > limits.score:
        return None
    shows = (
        Figure("chance", one.chance, least=sure),
        Figure("no sign", one.blank, most=NO_SIGN),
        Figure("fits", die.flat.score, least=limits.score),
        Figure("white", max(one.white, one.spot * one.spotted), most=GLARE),
    )
    key = "symbol" if one.blank > NO_SIGN else "unclear"
    if one.white > GLARE or (one.spotted and one.chance >= SURE):
        key = "glare"
    return Doubt(key, die, None, shows)
