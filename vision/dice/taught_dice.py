"""Dice that a table was taught: each face was shown to the camera, and is recognized by how it looked.

A face may show anything. It is recognized by the features of the net that reads signs, not by the net's classes, so its
print need not be a sign that the net knows.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import png_file
from vision.dice.decide import MIN_SURE_PROBABILITY
from vision.dice.facets import INPUT_SIDE_PX, SignNet
from vision.dice.pose import TURNS_BY_SHAPE
from vision.dice.sizes import SHAPES_BY_KIND
from vision.reading import FACES_BY_KIND, Face, Tint

Image = NDArray[np.uint8]

# Edge of a stored crop, in pixels, and how much it shows, relative to what the net sees of a facet: enough to turn it.
CROP_SIDE_PX = 72
CROP_SCALE = 1.6
TURN_OFFSETS_DEG = (-8, 0, 8)  # degrees by which a crop is turned beside the turns in which the die looks alike
VIEW_ZOOMS = (0.92, 1.08)  # zooms at which a face is shown to the net, relative to the usual width
# How fast probability falls with likeness, and the likeness, -1 to 1, that speaks neither for a taught face nor for
# something else. Chosen on drawn dice.
MAX_SIMILARITY_SCALE = 24.0
NEUTRAL_SIMILARITY = 0.66
# Limit for the product of the likeness that misled in the trial and the bank's keenness. At this limit nothing is sure.
MAX_MISLEADING_PRODUCT = 2.3
# Distance in CIE Lab from the taught die's body color beyond which a die is another, and the weight of a difference in
# lightness.
MAX_TINT_DISTANCE = 30.0
LIGHTNESS_WEIGHT = 0.5
CROP_VIEW = "head-on"  # what a stored crop shows
BATCH_SIZE = 32  # number of views shown to the net at once: more need more memory and are no faster


class TaughtDieError(ValueError):
    """The picture does not show exactly one die, or the data is not a taught die. The message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownFace:
    """A face as it was shown to the camera. `face` is what it counts as, `round` the round of teaching (from 0), `crop`
    uint8 BGR, GRAIN x GRAIN x 3, of the facet head-on and what is around it, and `tint` the body's color."""

    face: Face
    round: int
    crop: Image
    tint: Tint


@dataclass(frozen=True, slots=True, eq=False)
class TaughtDie:
    """A die that was taught: its name, the kind it counts as (of `reading.READABLE_KINDS`), and its faces as shown."""

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
    """Recognizes the faces of a taught die. Making one is cheap: its crops are looked at on first use. Use it from one
    thread only."""

    def __init__(self, die: TaughtDie) -> None:
        self.die, self._net = die, SignNet()
        alike = TURNS_BY_SHAPE.get(SHAPES_BY_KIND[die.kind][0], 1)
        self._turns = [360 * n / alike + off for n in range(alike) for off in TURN_OFFSETS_DEG]

    @property
    def die_kind(self) -> str:
        """The kind that the die counts as."""
        return self.die.kind

    @cached_property
    def _raw_embeddings(self) -> NDArray[np.float64]:
        """The net's features of the crops: faces shown, turns, zooms, features."""
        views = [
            _rotated_view(one.crop, turn, zoom) for one in self.die.shown for turn in self._turns for zoom in VIEW_ZOOMS
        ]
        return self._embed_views(views).reshape(len(self.die.shown), len(self._turns), len(VIEW_ZOOMS), -1)

    @cached_property
    def _embedding_statistics(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the deviation of each feature."""
        rows = self._raw_embeddings.reshape(-1, self._raw_embeddings.shape[-1])
        return rows.mean(axis=0), rows.std(axis=0) + 1e-3

    @cached_property
    def _normalized_embeddings(self) -> NDArray[np.float64]:
        return self._normalize_embeddings(self._raw_embeddings)

    @cached_property
    def known_faces(self) -> tuple[Face, ...]:
        """The faces the die can show, in the order shown."""
        return tuple(dict.fromkeys(one.face for one in self.die.shown))

    @cached_property
    def _similarity_scale(self) -> float:
        """How fast probability falls with likeness: slower where one round misleads about another."""
        misled = 0.0
        for truth, likeness in self._held_out_similarities(range(len(self._turns))):
            best = likeness.max(axis=1)
            misled = max(misled, float((best - likeness[:, self.known_faces.index(truth)]).max()))
        return min(MAX_SIMILARITY_SCALE, MAX_MISLEADING_PRODUCT / max(misled, 1e-6))

    def face_probabilities(self, crop: Image, body: Tint) -> dict[Face, float]:
        """Return how likely each face is, 0 to 1, on a crop, as `ShownFace.crop`, of a die whose body has this color.
        The probabilities add up to less than 1: the rest is for something never shown."""
        if min(_tint_distance(body, one.tint) for one in self.die.shown) > MAX_TINT_DISTANCE:
            return dict.fromkeys(self.known_faces, 0.0)
        asked = self._normalize_embeddings(self._embed_views([_rotated_view(crop, 0, zoom) for zoom in VIEW_ZOOMS]))
        (chances,) = _face_probabilities(
            self._face_similarities(asked[None], range(len(self.die.shown))), self._similarity_scale
        )
        return dict(zip(self.known_faces, map(float, chances), strict=True))

    def cross_validate(self) -> TeachingTrial:
        """Read each face, as it was laid, by the other rounds alone. With one round there is nothing to compare."""
        count, right, sure, wrong = 0, 0, 0, 0
        for truth, likeness in self._held_out_similarities((TURN_OFFSETS_DEG.index(0),)):
            (chances,) = _face_probabilities(likeness, self._similarity_scale)
            read = self.known_faces[int(chances.argmax())]
            count, right = count + 1, right + int(read == truth)
            sure += int(chances.max() >= MIN_SURE_PROBABILITY)
            wrong += int(read != truth and chances.max() >= MIN_SURE_PROBABILITY)
        return TeachingTrial(count, right, sure, wrong)

    def _held_out_similarities(self, turns: Sequence[int]) -> list[tuple[Face, NDArray[np.float64]]]:
        """Return each face shown and the likeness of its crop in these turns by the other rounds: (turns, faces)."""
        found = []
        for place, one in enumerate(self.die.shown):
            others = [n for n, other in enumerate(self.die.shown) if other.round != one.round]
            if {self.die.shown[n].face for n in others} == set(self.known_faces):
                found.append(
                    (one.face, self._face_similarities(self._normalized_embeddings[place][list(turns)], others))
                )
        return found

    def _face_similarities(self, asked: NDArray[np.float64], among: Sequence[int]) -> NDArray[np.float64]:
        """Return how much views (asked, zooms, features) resemble each face in these crops, -1 to 1: (asked, faces)."""
        answers = []
        for face in self.known_faces:
            rows = self._normalized_embeddings[[n for n in among if self.die.shown[n].face == face]]
            answers.append((asked @ rows.reshape(-1, rows.shape[-1]).T).max(axis=2).mean(axis=1))
        return np.stack(answers, axis=1)

    def _normalize_embeddings(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return features made comparable, each row of length one."""
        mean, deviation = self._embedding_statistics
        rows = (raw - mean) / deviation
        return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))

    def _embed_views(self, views: Sequence[Image]) -> NDArray[np.float64]:
        parts = [views[first : first + BATCH_SIZE] for first in range(0, len(views), BATCH_SIZE)]
        return np.concatenate([self._net.facet_embeddings(part) for part in parts])


def _face_probabilities(likeness: NDArray[np.float64], keen: float) -> NDArray[np.float64]:
    """Return the probability of each face by its likeness, (asked, faces); the rest is for none of them."""
    grown = np.exp(keen * (likeness - NEUTRAL_SIMILARITY))
    return np.asarray(grown / (1 + grown.sum(axis=1, keepdims=True)))


def _rotated_view(crop: Image, turn: float, zoom: float) -> Image:
    """Return a stored crop as the net sees it, turned by this many degrees."""
    scale = INPUT_SIDE_PX * CROP_SCALE / CROP_SIDE_PX / zoom
    way = cv2.getRotationMatrix2D(((CROP_SIDE_PX - 1) / 2,) * 2, turn, scale)
    way = np.asarray(way) + np.array([[0, 0, 1], [0, 0, 1]]) * (INPUT_SIDE_PX - CROP_SIDE_PX) / 2
    seen = cv2.warpAffine(
        crop, way, (INPUT_SIDE_PX, INPUT_SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return seen.astype(np.uint8, copy=False)


def _tint_distance(one: Tint, other: Tint) -> float:
    """Return the distance between the colors of two bodies."""
    return math.hypot(LIGHTNESS_WEIGHT * (one[0] - other[0]), one[1] - other[1], one[2] - other[2])


def best_bank_probabilities(banks: Sequence[FaceBank], crop: Image, body: Tint) -> dict[tuple[str, Face], float]:
    """Return how likely each face of the die that one of these banks recognizes best is, as
    `FaceBank.face_probabilities`, by the kind that it counts as and the face; the faces of the other dice have 0."""
    answers = [{(bank.die_kind, face): p for face, p in bank.face_probabilities(crop, body).items()} for bank in banks]
    best = max(answers, key=lambda faces: sum(faces.values()), default={})
    return {face: 0.0 for faces in answers for face in faces} | best


# Corrections ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What was read in a throw: the faces of all dice, and of each die that may be a taught one, its kind and how it
    looked with the face that was read."""

    read: tuple[Face, ...]
    looks: tuple[tuple[str, ShownFace], ...]


def find_misread_die(seen: Glimpse, played: Sequence[object]) -> tuple[str, ShownFace] | None:
    """Return the one die that did not show what was read: its kind, and its look with the face that it showed by what
    was `played`. None unless just one die differs, and it is clear which."""
    read, shown = Counter[object](seen.read), Counter(played)
    wrong, right = read - shown, shown - read
    if len(played) != len(seen.read) or wrong.total() != 1 or right.total() != 1:
        return None
    (face,), (truth,) = wrong, right
    found = [(kind, look) for kind, look in seen.looks if look.face == face]
    if len(found) != 1 or read[face] > 1:
        return None
    kind, look = found[0]
    shows = next((one for one in FACES_BY_KIND[kind] if one == truth), None)
    return None if shows is None else (kind, replace(look, face=shows))


def find_taught_die(dice: Sequence[TaughtDie], kind: str, look: ShownFace) -> TaughtDie | None:
    """Return which of these dice looks like this, by kind and color; None if none does."""
    near = {
        one.name: min(_tint_distance(look.tint, face.tint) for face in one.shown) for one in dice if one.kind == kind
    }
    return min(
        (one for one in dice if near.get(one.name, math.inf) <= MAX_TINT_DISTANCE),
        key=lambda one: near[one.name],
        default=None,
    )


# Storing -------------------------------------------------------------------------------------------------------------


def encode_die(die: TaughtDie) -> bytes:
    """Return the die as a file: its crops side by side, and its other data."""
    shown = [[one.face, one.round, *(round(part, 2) for part in one.tint)] for one in die.shown]
    about = {"view": CROP_VIEW, "name": die.name, "kind": die.kind, "shown": shown}
    return png_file.encode_png_file(np.hstack([one.crop for one in die.shown]), about)


def decode_die(data: bytes) -> TaughtDie:
    """Return the die that `encode_die` stored. Raises TaughtError when the data is damaged."""
    try:
        strip, about = png_file.decode_png_file(data)
        shown = tuple(
            ShownFace(face, int(go), np.ascontiguousarray(crop), (float(light), float(a), float(b)))
            for (face, go, light, a, b), crop in zip(about["shown"], np.hsplit(strip, len(about["shown"])), strict=True)
        )
        if about.get("view") != CROP_VIEW:
            raise ValueError("it was taught to an earlier Dugout, which saw dice in another way")
        name, kind = str(about["name"]), str(about["kind"])
        known = FACES_BY_KIND.get(kind, ())
        if not shown or any(
            one.crop.shape != (CROP_SIDE_PX, CROP_SIDE_PX, 3) or one.face not in known for one in shown
        ):
            raise ValueError("it holds other faces")
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise TaughtDieError(f"it holds no die: {error}") from error
    return TaughtDie(name, kind, shown)
