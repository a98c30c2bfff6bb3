"""Dice that a table was taught: each face was shown to the camera, and is known again by how it looked then.

A face may show anything. It is told by the features of the net that reads signs, never by its classes: what is printed
there need not be a sign that this net knows.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.colour import tint
from vision.dice.decide_numerals import FOREIGN, LIES, ON, SURE
from vision.dice.detect import Candidate, open_net
from vision.dice.numerals import CLOSE, FACES, NEVER, SHARE, Numeral, square
from vision.reading import Face, Tint
from vision.weights import WEIGHTS

Image = NDArray[np.uint8]

GRAIN, ROOM = 72, 1.6
"""The edge of a crop that is kept, in pixels, and how much it shows, in what `sign.onnx` is shown of a face: so it can
be turned."""

TURNS = tuple(range(0, 360, 20))
"""By so many degrees each crop is turned: a die lies as it likes."""

ZOOMS = (0.92, 1.08)
"""How wide a face is shown to the net in turn, in what is usual."""

KEEN, STRANGE = 24.0, 0.66
"""How fast probability falls with likeness, and the likeness, -1 to 1, that speaks neither for a taught face nor for
something else. Chosen on drawn dice."""

WARNED = 2.3
"""By how much likeness misled in the trial, times how keen the bank is, comes to this at most: that is not yet sure."""

PAINTED, SHADE = 30.0, 0.5
"""A die whose body is this far from the taught one's colour is another, in units of CIE Lab; a difference in lightness
counts by the second factor."""

WARY = 0.9
"""What is read as usual of a die of a taught kind, which the bank does not know, counts by this factor: it is asked
about."""

APART, BLOT = 28, 12.0
"""What differs from the empty tray by so many grey levels, and is so many pixels wide, may be a die."""

BATCH = 32
"""So many views are shown to the net at once: more want more memory and are no faster."""


class TaughtError(ValueError):
    """What was shown is not one die, or what was kept is none that was taught; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownFace:
    """A face as it was shown: what it counts as, in which round (from 0), its crop, uint8 BGR, GRAIN x GRAIN x 3, about
    the face's middle, and the colour of the die's body."""

    face: Face
    round: int
    crop: Image
    tint: Tint


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A die that was taught: its name, of which kind (of `reading.KINDS`) it counts, and its faces as shown."""

    name: str
    kind: str
    shown: tuple[ShownFace, ...]


@dataclass(frozen=True, slots=True)
class TeachingTrial:
    """How the faces of each round were read by those of the others: so many, right, and wrong without asking."""

    count: int
    right: int
    sure: int
    wrong: int


class FaceBank:
    """Knows the faces of a taught die again. Cheap to make: its crops are looked at when it is first asked.

    `model` is the ONNX file with the output "looks", by default the one that ships. Use it from one thread.
    """

    def __init__(self, die: Taught, model: Path | None = None) -> None:
        self.die = die
        self._model = model or WEIGHTS / "sign.onnx"

    @property
    def kind(self) -> str:
        """The kind that the die counts as."""
        return self.die.kind

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        return open_net(self._model)

    @cached_property
    def _raw(self) -> NDArray[np.float64]:
        """What the net says of the crops: faces shown, turns, zooms, features."""
        views = [_view(one.crop, turn, zoom) for one in self.die.shown for turn in TURNS for zoom in ZOOMS]
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
        """What the die can show, in the order shown."""
        return tuple(dict.fromkeys(one.face for one in self.die.shown))

    @cached_property
    def _keen(self) -> float:
        """How fast probability falls with likeness: slower where one round misleads about another."""
        misled = 0.0
        for truth, likeness in self._tried(range(len(TURNS))):
            best = likeness.max(axis=1)
            misled = max(misled, float((best - likeness[:, self.faces.index(truth)]).max()))
        return min(KEEN, WARNED / max(misled, NEVER))

    def ask(self, crops: Sequence[Image], body: Tint) -> list[dict[Face, float]]:
        """How likely each face is, 0 to 1, on each crop, which is as `ShownFace.crop`; of a die whose body has this
        colour.

        Together they come to less than 1: the rest is that it is nothing that was shown.
        """
        if not crops or min(_far(body, one.tint) for one in self.die.shown) > PAINTED:
            return [dict.fromkeys(self.faces, 0.0) for _ in crops]
        raw = self._looks([_view(crop, 0, zoom) for crop in crops for zoom in ZOOMS])
        asked = self._even(raw.reshape(len(crops), len(ZOOMS), -1))
        chances = _chances(self._likeness(asked, range(len(self.die.shown))), self._keen)
        return [dict(zip(self.faces, map(float, row), strict=True)) for row in chances]

    def trial(self) -> TeachingTrial:
        """Each face as it was laid, read by the other rounds alone; of one round nothing can be said."""
        count, right, sure, wrong = 0, 0, 0, 0
        for truth, likeness in self._tried((0,)):
            (chances,) = _chances(likeness, self._keen)
            read = self.faces[int(chances.argmax())]
            count, right = count + 1, right + int(read == truth)
            sure += int(chances.max() >= SURE)
            wrong += int(read != truth and chances.max() >= SURE)
        return TeachingTrial(count, right, sure, wrong)

    def _tried(self, turns: Sequence[int]) -> list[tuple[Face, NDArray[np.float64]]]:
        """Each face shown, and the likeness that the other rounds find for its crop, turned so: (turns, faces)."""
        found = []
        for place, one in enumerate(self.die.shown):
            others = [n for n, other in enumerate(self.die.shown) if other.round != one.round]
            if {self.die.shown[n].face for n in others} == set(self.faces):
                found.append((one.face, self._likeness(self._kept[place][list(turns)], others)))
        return found

    def _likeness(self, asked: NDArray[np.float64], among: Sequence[int]) -> NDArray[np.float64]:
        """How like each face of the bank, of the crops `among`, some views are: (asked, faces), -1 to 1.

        `asked` is (asked, zooms, features).
        """
        answers = []
        for face in self.faces:
            rows = self._kept[[n for n in among if self.die.shown[n].face == face]]
            answers.append((asked @ rows.reshape(-1, rows.shape[-1]).T).max(axis=2).mean(axis=1))
        return np.stack(answers, axis=1)

    def _even(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Features made comparable, and each row as long as one."""
        mean, deviation = self._spread
        rows = (raw - mean) / deviation
        return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))

    def _looks(self, views: Sequence[Image]) -> NDArray[np.float64]:
        answers = []
        for first in range(0, len(views), BATCH):
            self._net.setInput(cv2.dnn.blobFromImages(list(views[first : first + BATCH])))
            _, looks = self._net.forward(("signs", "looks"))
            answers.append(np.array(looks, np.float64))
        return np.concatenate(answers)


def _chances(likeness: NDArray[np.float64], keen: float) -> NDArray[np.float64]:
    """The probability of each face by its likeness, (asked, faces); the rest is that it is none."""
    grown = np.exp(keen * (likeness - STRANGE))
    return np.asarray(grown / (1 + grown.sum(axis=1, keepdims=True)))


def _view(crop: Image, turn: float, zoom: float) -> Image:
    """A kept crop as `sign.onnx` is shown it, turned by so many degrees."""
    scale = CLOSE * ROOM / GRAIN / zoom
    way = cv2.getRotationMatrix2D(((GRAIN - 1) / 2,) * 2, turn, scale)
    way = np.asarray(way) + np.array([[0, 0, 1], [0, 0, 1]]) * (CLOSE - GRAIN) / 2
    seen = cv2.warpAffine(crop, way, (CLOSE, CLOSE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.uint8, copy=False)


def _far(one: Tint, other: Tint) -> float:
    """How far two bodies' colours are from each other."""
    return math.hypot(SHADE * (one[0] - other[0]), one[1] - other[1], one[2] - other[2])


# Reading -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known(Numeral):
    """A place of which banks were asked: by kind, how likely each face of the taught die is there."""

    told: Mapping[str, Mapping[Face, float]]

    def sure(self, kinds: Collection[str]) -> float:
        """The probability, 0 to 1, that a taught die of one of these kinds lies there."""
        return max((sum(faces.values()) for kind, faces in self.told.items() if kind in kinds), default=0.0)

    @property
    def die(self) -> float:
        """The probability, 0 to 1, that a die lies there which was taught, or any without pips."""
        return max(super().die, self.sure(self.told))

    @property
    def legible(self) -> float:
        """The probability, 0 to 1, of the likeliest face, taught or not."""
        taught = [p for faces in self.told.values() for p in faces.values()]
        return max(super().legible, *taught)

    def share(self, kinds: Collection[str]) -> float:
        """The probability, 0 to 1, that what lies there is of one of these kinds."""
        return max(super().share(kinds), self.sure(kinds))

    def chances(self, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
        """As `Numeral.chances`: what the bank says first, and for the rest what is read as usual, which is not quite
        believed of a kind that was taught."""
        usual = super().chances(kinds)
        rest = 1 - self.sure(kinds)
        kind = max((kind for kind in self.told if kind in kinds), key=lambda one: self.sure((one,)), default=None)
        found = {(of, face): rest * p * (WARY if of in self.told else 1) for p, of, face in usual}
        for face, p in (self.told[kind] if kind else {}).items():
            found[kind or "", face] = found.get((kind or "", face), 0.0) + p
        return sorted(((p, of, face) for (of, face), p in found.items()), key=lambda one: -one[0])


def known(picture: Image, found: Sequence[Numeral], banks: Sequence[FaceBank]) -> list[Numeral]:
    """What was found in a BGR picture, with what these banks say of it."""
    return [_known(picture, one, banks) for one in found]


def _known(picture: Image, one: Numeral, banks: Sequence[FaceBank]) -> Numeral:
    told: dict[str, dict[Face, float]] = {}
    body = tint(picture, one.where)
    for bank in banks:
        if one.share((bank.kind,)) < FOREIGN:
            continue
        answers = bank.ask([_crop(picture, bank.kind, one, n) for n in range(len(one.tops))], body)
        faces = dict.fromkeys(bank.faces, 0.0)
        for top, row in zip(one.tops, answers, strict=True):
            for face, p in row.items():
                faces[face] += top.chance * p
        if sum(faces.values()) >= sum(told.get(bank.kind, {}).values()):
            told[bank.kind] = faces
    return Known(one.where, one.shapes, one.tops, told) if told else one


def _crop(picture: Image, kind: str, one: Numeral, top: int) -> Image:
    """The square about a face that may be on top, as it is kept."""
    wide = SHARE[FACES[kind][0]] * one.where.size
    return square(picture, one.tops[top].x, one.tops[top].y, ROOM * wide, GRAIN)


# Teaching ------------------------------------------------------------------------------------------------------------


def show(
    picture: Image, kind: str, face: Face, go: int, found: Sequence[Numeral], lain: Sequence[Numeral] = ()
) -> ShownFace:
    """The one die `found` in a BGR picture as this `face` of its `kind`, shown in round `go`.

    Where nothing found is a die by its looks, what has `lain` there is. Raises TaughtError when it is not one.
    """
    dice = _apart([one for one in found if one.die >= LIES]) or list(lain)
    if len(dice) != 1:
        raise TaughtError(
            f"{len(dice)} dice are seen: leave this one alone in the tray."
            if dice
            else "No die is seen: lay it nearer to the middle, away from the wall."
        )
    return ShownFace(face, go, _crop(picture, kind, dice[0], 0), tint(picture, dice[0].where))


def _apart(found: Sequence[Numeral]) -> list[Numeral]:
    """The likeliest of those that lie in one place."""
    kept: list[Numeral] = []
    for one in sorted(found, key=lambda one: -one.die):
        a = one.where
        if all(math.hypot(a.x - b.where.x, a.y - b.where.y) >= ON * max(a.size, b.where.size) for b in kept):
            kept.append(one)
    return kept


def blots(picture: Image, empty: Image) -> list[Candidate]:
    """What lies in a BGR picture that the picture of the empty tray, of any size, does not have, the largest first."""
    size = picture.shape[1], picture.shape[0]
    bare = cv2.resize(empty if empty.ndim == 3 else cv2.cvtColor(empty, cv2.COLOR_GRAY2BGR), size)
    gap = cv2.absdiff(*(cv2.GaussianBlur(one, (0, 0), 1.0) for one in (picture, bare))).max(axis=2)
    thing = cv2.morphologyEx((gap > APART).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, middles = cv2.connectedComponentsWithStats(thing)
    found = [
        Candidate(float(x), float(y), 2 * math.sqrt(area / math.pi), LIES)
        for (x, y), area in zip(middles[1:], stats[1:, cv2.CC_STAT_AREA], strict=True)
    ]
    return sorted((one for one in found if one.size >= BLOT), key=lambda one: -one.size)


def apart(some: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """Those of `some` that lie where none of the others does."""
    return [a for a in some if all(math.hypot(a.x - b.x, a.y - b.y) >= ON * max(a.size, b.size) for b in others)]


# Keeping -------------------------------------------------------------------------------------------------------------


def pack(die: Taught) -> bytes:
    """The die as a file: a PNG of its crops, with what else is known of them behind."""
    about = {
        "name": die.name,
        "kind": die.kind,
        "shown": [[one.face, one.round, *(round(part, 2) for part in one.tint)] for one in die.shown],
    }
    strip = np.hstack([one.crop for one in die.shown])
    body = cv2.imencode(".png", strip)[1].tobytes() + b"\n" + json.dumps(about).encode()
    return body + b"\n%08x" % zlib.crc32(body)


def unpack(data: bytes) -> Taught:
    """The die that `pack` made this of. Raises TaughtError when it is damaged."""
    body, _, check = data.rpartition(b"\n")
    if check != b"%08x" % zlib.crc32(body):
        raise TaughtError("it is not what was kept")
    png, _, tail = body.rpartition(b"\n")
    try:
        about = json.loads(tail)
        strip = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        crops = np.hsplit(np.asarray(strip, np.uint8), len(about["shown"]))
        shown = tuple(
            ShownFace(face, int(go), np.ascontiguousarray(crop), (float(light), float(a), float(b)))
            for (face, go, light, a, b), crop in zip(about["shown"], crops, strict=True)
        )
        name, kind = str(about["name"]), str(about["kind"])
    except (ValueError, KeyError, TypeError, cv2.error) as error:
        raise TaughtError(f"it holds no die: {error}") from error
    known = FACES.get(kind, ("", {}))[1]
    if not shown or any(one.crop.shape != (GRAIN, GRAIN, 3) or one.face not in known for one in shown):
        raise TaughtError("it holds no die")
    return Taught(name, kind, shown)
