"""Dice that a table was taught: each face was shown to the camera and is recognized by its embedding.

A face may show anything. It is recognized by embeddings of the sign network and not by its classes, so the print need
not be a sign that the network knows.
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
from vision.dice.pose import SYMMETRY_BY_SHAPE
from vision.dice.sizes import SHAPES_BY_KIND
from vision.reading import FACES_BY_KIND, Face, Tint

Image = NDArray[np.uint8]

CROP_SIDE_PX = 72  # edge of a stored crop
CROP_SCALE = 1.6  # Its extent relative to the network's view of a facet, with room for rotations.
TURN_OFFSETS_DEG = (-8, 0, 8)  # rotation augmentation, in addition to the die's rotational symmetry
VIEW_ZOOMS = (0.92, 1.08)  # zoom augmentation
MAX_SIMILARITY_SCALE = 24.0  # Softmax scale of similarities. Chosen on synthetic dice, like the neutral value.
NEUTRAL_SIMILARITY = 0.66  # similarity, -1 to 1, with a likelihood ratio of 1 between a taught face and something else
# Limit for the product of the scale and the largest margin of a wrong face in cross-validation. At this limit nothing
# is sure.
MAX_MISLEADING_PRODUCT = 2.3
MAX_TINT_DISTANCE = 30.0  # Maximum distance in CIE Lab between the body colors of the same die.
LIGHTNESS_WEIGHT = 0.5  # weight of lightness in that distance
CROP_VIEW = "head-on"  # view of a stored crop; an older format is rejected
BATCH_SIZE = 32  # views per batch; more need more memory and are no faster


class TaughtDieError(ValueError):
    """The image doesn't show exactly one die, or the data is not a taught die. The message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownFace:
    """A training example of a face.

    face: the face that it counts as.
    round: round of teaching, from 0.
    crop: rectified facet and its surroundings, `CROP_SIDE_PX` square, BGR bytes.
    tint: color of the body.
    """

    face: Face
    round: int
    crop: Image
    tint: Tint


@dataclass(frozen=True, slots=True, eq=False)
class TaughtDie:
    """A taught die: its name, the kind it counts as (of `reading.READABLE_KINDS`), and its training examples."""

    name: str
    kind: str
    shown: tuple[ShownFace, ...]


@dataclass(frozen=True, slots=True)
class TeachingTrial:
    """Result of a cross-validation over rounds: number of faces, correct ones, sure ones, and wrong yet sure ones."""

    count: int
    right: int
    sure: int
    wrong: int


class FaceBank:
    """Recognizes the faces of a taught die. Cheap to construct: embeddings are computed on first use. Not
    thread-safe."""

    def __init__(self, die: TaughtDie) -> None:
        self.die, self._net = die, SignNet()
        alike = SYMMETRY_BY_SHAPE.get(SHAPES_BY_KIND[die.kind][0], 1)
        self._turns = [360 * n / alike + off for n in range(alike) for off in TURN_OFFSETS_DEG]

    @property
    def die_kind(self) -> str:
        return self.die.kind

    @cached_property
    def _raw_embeddings(self) -> NDArray[np.float64]:
        """Embeddings of the training examples: (faces shown, rotations, zooms, features)."""
        views = [
            _rotated_view(one.crop, turn, zoom) for one in self.die.shown for turn in self._turns for zoom in VIEW_ZOOMS
        ]
        return self._embed_views(views).reshape(len(self.die.shown), len(self._turns), len(VIEW_ZOOMS), -1)

    @cached_property
    def _embedding_statistics(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rows = self._raw_embeddings.reshape(-1, self._raw_embeddings.shape[-1])
        return rows.mean(axis=0), rows.std(axis=0) + 1e-3

    @cached_property
    def _normalized_embeddings(self) -> NDArray[np.float64]:
        return self._normalize_embeddings(self._raw_embeddings)

    @cached_property
    def known_faces(self) -> tuple[Face, ...]:
        """The faces that the die can show, in the order shown."""
        return tuple(dict.fromkeys(one.face for one in self.die.shown))

    @cached_property
    def _similarity_scale(self) -> float:
        """Softmax scale, lower if one round misleads about another."""
        misled = 0.0
        for truth, likeness in self._held_out_similarities(range(len(self._turns))):
            best = likeness.max(axis=1)
            misled = max(misled, float((best - likeness[:, self.known_faces.index(truth)]).max()))
        return min(MAX_SIMILARITY_SCALE, MAX_MISLEADING_PRODUCT / max(misled, 1e-6))

    def face_probabilities(self, crop: Image, body: Tint) -> dict[Face, float]:
        """Return the probability of each face, 0 to 1, for the rectified top of a die (`ShownFace.crop`) and the tint
        of its body. They add up to less than 1, and the rest is for something never shown."""
        if min(_tint_distance(body, one.tint) for one in self.die.shown) > MAX_TINT_DISTANCE:
            return dict.fromkeys(self.known_faces, 0.0)
        asked = self._normalize_embeddings(self._embed_views([_rotated_view(crop, 0, zoom) for zoom in VIEW_ZOOMS]))
        (chances,) = _face_probabilities(
            self._face_similarities(asked[None], range(len(self.die.shown))), self._similarity_scale
        )
        return dict(zip(self.known_faces, map(float, chances), strict=True))

    def cross_validate(self) -> TeachingTrial:
        """Read each face with the other rounds' examples. With one round there is nothing to compare."""
        count, right, sure, wrong = 0, 0, 0, 0
        for truth, likeness in self._held_out_similarities((TURN_OFFSETS_DEG.index(0),)):
            (chances,) = _face_probabilities(likeness, self._similarity_scale)
            read = self.known_faces[int(chances.argmax())]
            count, right = count + 1, right + int(read == truth)
            sure += int(chances.max() >= MIN_SURE_PROBABILITY)
            wrong += int(read != truth and chances.max() >= MIN_SURE_PROBABILITY)
        return TeachingTrial(count, right, sure, wrong)

    def _held_out_similarities(self, turns: Sequence[int]) -> list[tuple[Face, NDArray[np.float64]]]:
        """Return each face shown and its similarities (rotations, faces) to the other rounds' examples."""
        found = []
        for place, one in enumerate(self.die.shown):
            others = [n for n, other in enumerate(self.die.shown) if other.round != one.round]
            if {self.die.shown[n].face for n in others} == set(self.known_faces):
                found.append(
                    (one.face, self._face_similarities(self._normalized_embeddings[place][list(turns)], others))
                )
        return found

    def _face_similarities(self, asked: NDArray[np.float64], among: Sequence[int]) -> NDArray[np.float64]:
        """Return similarities (asked, faces), -1 to 1, of views (asked, zooms, features) with these examples."""
        answers = []
        for face in self.known_faces:
            rows = self._normalized_embeddings[[n for n in among if self.die.shown[n].face == face]]
            answers.append((asked @ rows.reshape(-1, rows.shape[-1]).T).max(axis=2).mean(axis=1))
        return np.stack(answers, axis=1)

    def _normalize_embeddings(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Standardize the features and normalize each row to unit length."""
        mean, deviation = self._embedding_statistics
        rows = (raw - mean) / deviation
        return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))

    def _embed_views(self, views: Sequence[Image]) -> NDArray[np.float64]:
        parts = [views[first : first + BATCH_SIZE] for first in range(0, len(views), BATCH_SIZE)]
        return np.concatenate([self._net.facet_embeddings(part) for part in parts])


def _face_probabilities(likeness: NDArray[np.float64], keen: float) -> NDArray[np.float64]:
    """Convert similarities to probabilities (asked, faces). The rest up to 1 is that of an unknown face."""
    grown = np.exp(keen * (likeness - NEUTRAL_SIMILARITY))
    return np.asarray(grown / (1 + grown.sum(axis=1, keepdims=True)))


def _rotated_view(crop: Image, turn: float, zoom: float) -> Image:
    """Rotate a stored crop by degrees and resize it to the network's input."""
    scale = INPUT_SIDE_PX * CROP_SCALE / CROP_SIDE_PX / zoom
    way = cv2.getRotationMatrix2D(((CROP_SIDE_PX - 1) / 2,) * 2, turn, scale)
    way = np.asarray(way) + np.array([[0, 0, 1], [0, 0, 1]]) * (INPUT_SIDE_PX - CROP_SIDE_PX) / 2
    seen = cv2.warpAffine(
        crop, way, (INPUT_SIDE_PX, INPUT_SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return seen.astype(np.uint8, copy=False)


def _tint_distance(one: Tint, other: Tint) -> float:
    return math.hypot(LIGHTNESS_WEIGHT * (one[0] - other[0]), one[1] - other[1], one[2] - other[2])


def best_bank_faces(banks: Sequence[FaceBank], crop: Image, body: Tint) -> tuple[dict[tuple[str, Face], float], str]:
    """Return the probability of each (kind, face) by the bank that recognizes the crop best, 0 for other banks, and the
    name of its die."""
    answers = [{(bank.die_kind, face): p for face, p in bank.face_probabilities(crop, body).items()} for bank in banks]
    best = max(range(len(banks)), key=lambda place: sum(answers[place].values()))
    return {face: 0.0 for faces in answers for face in faces} | answers[best], banks[best].die.name


# Corrections ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """The reading of a throw, for corrections. `read` has all faces, `looks` kind and appearance of dice that may be
    taught ones."""

    read: tuple[Face, ...]
    looks: tuple[tuple[str, ShownFace], ...]


def find_misread_die(seen: Glimpse, played: Sequence[object]) -> tuple[str, ShownFace] | None:
    """Return kind and training example of the one die that was misread, according to the faces `played`, or None unless
    exactly one differs and it is clear which."""
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
    """Return the taught die that matches this kind and color best, or None."""
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
    """Encode a die as a file: its crops side by side, and its other data."""
    shown = [[one.face, one.round, *(round(part, 2) for part in one.tint)] for one in die.shown]
    about = {"view": CROP_VIEW, "name": die.name, "kind": die.kind, "shown": shown}
    return png_file.encode_png_file(np.hstack([one.crop for one in die.shown]), about)


def decode_die(data: bytes) -> TaughtDie:
    """Decode a die of `encode_die`. Raises TaughtDieError if the data is damaged."""
    try:
        strip, about = png_file.decode_png_file(data)
        shown = tuple(
            ShownFace(face, int(go), np.ascontiguousarray(crop), (float(light), float(a), float(b)))
            for (face, go, light, a, b), crop in zip(about["shown"], np.hsplit(strip, len(about["shown"])), strict=True)
        )
        if about.get("view") != CROP_VIEW:
            raise ValueError("it was taught to an older version of Dugout, which read dice differently")
        name, kind = str(about["name"]), str(about["kind"])
        known = FACES_BY_KIND.get(kind, ())
        if not shown or any(
            one.crop.shape != (CROP_SIDE_PX, CROP_SIDE_PX, 3) or one.face not in known for one in shown
        ):
            raise ValueError("it has different faces")
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise TaughtDieError(f"it contains no die: {error}") from error
    return TaughtDie(name, kind, shown)
