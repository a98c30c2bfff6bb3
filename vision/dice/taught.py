"""Dice that a table was taught: each face was shown to the camera, and is recognized by how it looked.

A face may show anything. It is recognized by the features of the net that reads signs, not by the net's classes, so its
print need not be a sign that the net knows.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import png_file, thresholds
from vision.dice.classify_numerals import CLOSE, FACES, SHARE, Numeral, crop_square
from vision.dice.colour import measure_tint
from vision.dice.detect import Net
from vision.reading import Face, Tint
from vision.weights import WEIGHTS

Image = NDArray[np.uint8]

# Edge of a stored crop, in pixels, and how much it shows, relative to what `sign.onnx` sees of a face: enough to turn
# it.
GRAIN, ROOM = 72, 1.6
TURNS = tuple(range(0, 360, 20))  # degrees by which each crop is turned, because a die may lie in any rotation
ZOOMS = (0.92, 1.08)  # zooms at which a face is shown to the net, relative to the usual width
# How fast probability falls with likeness, and the likeness, -1 to 1, that speaks neither for a taught face nor for
# something else. Chosen on drawn dice.
KEEN, STRANGE = 24.0, 0.66
# Limit for the product of the likeness that misled in the trial and the bank's keenness. At this limit nothing is sure.
WARNED = 2.3
# Distance in CIE Lab from the taught die's body colour beyond which a die is another, and the weight of a difference in
# lightness.
PAINTED, SHADE = 30.0, 0.5
# Factor for an ordinary reading of a die of a taught kind that the bank does not recognize: such a die is asked about.
WARY = 0.9
BATCH = 32  # number of views shown to the net at once: more need more memory and are no faster


class TaughtError(ValueError):
    """The picture does not show exactly one die, or the data is not a taught die. The message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownFace:
    """A face as it was shown to the camera. `face` is what it counts as, `round` the round of teaching (from 0), `crop`
    uint8 BGR, GRAIN x GRAIN x 3, around the face's middle, and `tint` the colour of the die's body."""

    face: Face
    round: int
    crop: Image
    tint: Tint


@dataclass(frozen=True, slots=True, eq=False)
class TaughtDie:
    """A die that was taught: its name, the kind it counts as (of `reading.KINDS`), and its faces as shown."""

    name: str
    kind: str
    shown: tuple[ShownFace, ...]


@dataclass(frozen=True, slots=True)
class TeachingTrial:
    """Faces of each round read by those of the others: how many, how many right, sure, and wrong yet sure."""

    count: int
    right: int
    sure: int
    wrong: int


class FaceBank:
    """Recognizes the faces of a taught die. Making one is cheap: its crops are looked at on first use. `model` is the
    ONNX file with the output "looks", by default the one that ships. Use it from one thread only."""

    def __init__(self, die: TaughtDie, model: Path | None = None) -> None:
        self.die = die
        self._net = Net(model or WEIGHTS / "sign.onnx")

    @property
    def kind(self) -> str:
        """The kind that the die counts as."""
        return self.die.kind

    @cached_property
    def _raw(self) -> NDArray[np.float64]:
        """The net's features of the crops: faces shown, turns, zooms, features."""
        views = [_turned_view(one.crop, turn, zoom) for one in self.die.shown for turn in TURNS for zoom in ZOOMS]
        return self._looks(views).reshape(len(self.die.shown), len(TURNS), len(ZOOMS), -1)

    @cached_property
    def _spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the deviation of each feature."""
        rows = self._raw.reshape(-1, self._raw.shape[-1])
        return rows.mean(axis=0), rows.std(axis=0) + 1e-3

    @cached_property
    def _kept(self) -> NDArray[np.float64]:
        return self._even(self._raw)

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """The faces the die can show, in the order shown."""
        return tuple(dict.fromkeys(one.face for one in self.die.shown))

    @cached_property
    def _keen(self) -> float:
        """How fast probability falls with likeness: slower where one round misleads about another."""
        misled = 0.0
        for truth, likeness in self._tried(range(len(TURNS))):
            best = likeness.max(axis=1)
            misled = max(misled, float((best - likeness[:, self.faces.index(truth)]).max()))
        return min(KEEN, WARNED / max(misled, thresholds.NEVER))

    def ask(self, crops: Sequence[Image], body: Tint) -> list[dict[Face, float]]:
        """Return how likely each face is, 0 to 1, on each crop of a die whose body has this colour. The crops are as
        `ShownFace.crop`. The probabilities add up to less than 1: the rest is for something never shown."""
        if not crops or min(_tint_distance(body, one.tint) for one in self.die.shown) > PAINTED:
            return [dict.fromkeys(self.faces, 0.0) for _ in crops]
        raw = self._looks([_turned_view(crop, 0, zoom) for crop in crops for zoom in ZOOMS])
        asked = self._even(raw.reshape(len(crops), len(ZOOMS), -1))
        chances = _chances(self._likeness(asked, range(len(self.die.shown))), self._keen)
        return [dict(zip(self.faces, map(float, row), strict=True)) for row in chances]

    def trial(self) -> TeachingTrial:
        """Read each face, as it was laid, by the other rounds alone. With one round there is nothing to compare."""
        count, right, sure, wrong = 0, 0, 0, 0
        for truth, likeness in self._tried((0,)):
            (chances,) = _chances(likeness, self._keen)
            read = self.faces[int(chances.argmax())]
            count, right = count + 1, right + int(read == truth)
            sure += int(chances.max() >= thresholds.NUMERAL_SURE)
            wrong += int(read != truth and chances.max() >= thresholds.NUMERAL_SURE)
        return TeachingTrial(count, right, sure, wrong)

    def _tried(self, turns: Sequence[int]) -> list[tuple[Face, NDArray[np.float64]]]:
        """Return each face shown and the likeness of its crop in these turns by the other rounds: (turns, faces)."""
        found = []
        for place, one in enumerate(self.die.shown):
            others = [n for n, other in enumerate(self.die.shown) if other.round != one.round]
            if {self.die.shown[n].face for n in others} == set(self.faces):
                found.append((one.face, self._likeness(self._kept[place][list(turns)], others)))
        return found

    def _likeness(self, asked: NDArray[np.float64], among: Sequence[int]) -> NDArray[np.float64]:
        """Return how much views (asked, zooms, features) resemble each face in these crops, -1 to 1: (asked, faces)."""
        answers = []
        for face in self.faces:
            rows = self._kept[[n for n in among if self.die.shown[n].face == face]]
            answers.append((asked @ rows.reshape(-1, rows.shape[-1]).T).max(axis=2).mean(axis=1))
        return np.stack(answers, axis=1)

    def _even(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return features made comparable, each row of length one."""
        mean, deviation = self._spread
        rows = (raw - mean) / deviation
        return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))

    def _looks(self, views: Sequence[Image]) -> NDArray[np.float64]:
        parts = [views[first : first + BATCH] for first in range(0, len(views), BATCH)]
        return np.concatenate([self._net.run(part, "looks")[0].astype(np.float64) for part in parts])


def _chances(likeness: NDArray[np.float64], keen: float) -> NDArray[np.float64]:
    """Return the probability of each face by its likeness, (asked, faces); the rest is for none of them."""
    grown = np.exp(keen * (likeness - STRANGE))
    return np.asarray(grown / (1 + grown.sum(axis=1, keepdims=True)))


def _turned_view(crop: Image, turn: float, zoom: float) -> Image:
    """Return a stored crop as `sign.onnx` sees it, turned by this many degrees."""
    scale = CLOSE * ROOM / GRAIN / zoom
    way = cv2.getRotationMatrix2D(((GRAIN - 1) / 2,) * 2, turn, scale)
    way = np.asarray(way) + np.array([[0, 0, 1], [0, 0, 1]]) * (CLOSE - GRAIN) / 2
    seen = cv2.warpAffine(crop, way, (CLOSE, CLOSE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.uint8, copy=False)


def _tint_distance(one: Tint, other: Tint) -> float:
    """Return the distance between the colours of two bodies."""
    return math.hypot(SHADE * (one[0] - other[0]), one[1] - other[1], one[2] - other[2])


# Reading -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TaughtNumeral(Numeral):
    """A place where banks were consulted: how likely each face of the taught dice is there, by kind."""

    faces_by_kind: Mapping[str, Mapping[Face, float]]

    def taught_chance(self, kinds: Collection[str]) -> float:
        """Return the probability, 0 to 1, that a taught die of one of these kinds lies here."""
        return max((sum(faces.values()) for kind, faces in self.faces_by_kind.items() if kind in kinds), default=0.0)

    @property
    def die_chance(self) -> float:
        """The probability, 0 to 1, that a die lies here, either taught or any without pips."""
        return max(super().die_chance, self.taught_chance(self.faces_by_kind))

    @property
    def legible(self) -> float:
        """The probability, 0 to 1, of the likeliest face, taught or not."""
        taught = [p for faces in self.faces_by_kind.values() for p in faces.values()]
        return max(super().legible, *taught)

    def kind_chance(self, kinds: Collection[str]) -> float:
        """Return the probability, 0 to 1, that a die here is of one of these kinds."""
        return max(super().kind_chance(kinds), self.taught_chance(kinds))

    def face_chances(self, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
        """Return what a die here shows, as `Numeral.face_chances`. The bank counts first; the rest is the ordinary
        reading, which is not fully believed for a kind that was taught."""
        usual = super().face_chances(kinds)
        rest = 1 - self.taught_chance(kinds)
        kind = max(
            (kind for kind in self.faces_by_kind if kind in kinds),
            key=lambda one: self.taught_chance((one,)),
            default=None,
        )
        found = {(of, face): rest * p * (WARY if of in self.faces_by_kind else 1) for p, of, face in usual}
        for face, p in (self.faces_by_kind[kind] if kind else {}).items():
            found[kind or "", face] = found.get((kind or "", face), 0.0) + p
        return sorted(((p, of, face) for (of, face), p in found.items()), key=lambda one: -one[0])


def recognize(picture: Image, found: Sequence[Numeral], banks: Sequence[FaceBank]) -> list[Numeral]:
    """Add to the places found in a BGR picture what these banks recognize there."""
    return [_recognize(picture, one, banks) for one in found]


def _recognize(picture: Image, one: Numeral, banks: Sequence[FaceBank]) -> Numeral:
    faces_by_kind: dict[str, dict[Face, float]] = {}
    body = measure_tint(picture, one.where)
    for bank in banks:
        if one.kind_chance((bank.kind,)) < thresholds.SHAPE_LOOKED_FOR:
            continue
        answers = bank.ask([_crop_top(picture, bank.kind, one, n) for n in range(len(one.tops))], body)
        faces = dict.fromkeys(bank.faces, 0.0)
        for top, row in zip(one.tops, answers, strict=True):
            for face, p in row.items():
                faces[face] += top.chance * p
        if sum(faces.values()) >= sum(faces_by_kind.get(bank.kind, {}).values()):
            faces_by_kind[bank.kind] = faces
    return TaughtNumeral(one.where, one.shapes, one.tops, faces_by_kind) if faces_by_kind else one


def _crop_top(picture: Image, kind: str, one: Numeral, top: int) -> Image:
    """Return the square around a face that may be on top, in the form that is stored."""
    wide = SHARE[FACES[kind][0]] * one.where.size
    return crop_square(picture, one.tops[top].x, one.tops[top].y, ROOM * wide, GRAIN)


# Teaching ------------------------------------------------------------------------------------------------------------


def take_face(
    picture: Image, kind: str, face: Face, go: int, found: Sequence[Numeral], lain: Sequence[Numeral] = ()
) -> ShownFace:
    """Return the one die `found` in a BGR picture as this `face` of its `kind`, shown in round `go`. If nothing found
    looks like a die, the things that have `lain` there are used. Raises TaughtError unless it is exactly one."""
    dice = _one_per_place([one for one in found if one.die_chance >= thresholds.NUMERAL_DIE]) or list(lain)
    if len(dice) != 1:
        raise TaughtError(
            f"{len(dice)} dice are seen: leave this one alone in the tray."
            if dice
            else "No die is seen: lay it nearer to the middle, away from the wall."
        )
    return ShownFace(face, go, _crop_top(picture, kind, dice[0], 0), measure_tint(picture, dice[0].where))


def _one_per_place(found: Sequence[Numeral]) -> list[Numeral]:
    """Return the likeliest of those that lie in one place."""
    kept: list[Numeral] = []
    for one in sorted(found, key=lambda one: -one.die_chance):
        if not any(one.where.is_on(other.where) for other in kept):
            kept.append(one)
    return kept


# Storing -------------------------------------------------------------------------------------------------------------


def pack_die(die: TaughtDie) -> bytes:
    """Return the die as a file: its crops side by side, and its other data."""
    shown = [[one.face, one.round, *(round(part, 2) for part in one.tint)] for one in die.shown]
    about = {"name": die.name, "kind": die.kind, "shown": shown}
    return png_file.pack(np.hstack([one.crop for one in die.shown]), about)


def unpack_die(data: bytes) -> TaughtDie:
    """Return the die that `pack_die` stored. Raises TaughtError when the data is damaged."""
    try:
        strip, about = png_file.unpack(data)
        shown = tuple(
            ShownFace(face, int(go), np.ascontiguousarray(crop), (float(light), float(a), float(b)))
            for (face, go, light, a, b), crop in zip(about["shown"], np.hsplit(strip, len(about["shown"])), strict=True)
        )
        name, kind = str(about["name"]), str(about["kind"])
        known = FACES.get(kind, ("", {}))[1]
        if not shown or any(one.crop.shape != (GRAIN, GRAIN, 3) or one.face not in known for one in shown):
            raise ValueError("it holds other faces")
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise TaughtError(f"it holds no die: {error}") from error
    return TaughtDie(name, kind, shown)
