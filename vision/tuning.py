"""What the rolls at one table teach: limits that do better on them than the usual ones, or none.

A camera's reading that was then played is a lesson. Each keeps what every place in the picture looked like, so that
the present weights can judge it again. What is learned is not kept but chosen from the lessons anew: it cannot
outlive them, and weights that read otherwise choose otherwise.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.classify import CLOSE, SIDE, Views, views
from vision.dice.decide import USUAL, Judged, Limits, judge
from vision.dice.defects import FLAGS
from vision.dice.detect import Candidate
from vision.reader import Reader
from vision.reading import Reading
from vision.weights import WEIGHTS

FAINT, LOOKS = 0.05, 24
"""A place that is a die with less than this probability is not kept, nor are more of the likeliest than so many."""

DECIDED = (None, "unclear", "glare")
"""What limits decide about: to believe a roll, or to doubt it so."""

SURES = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
MAYBES = (0.12, 0.2, 0.28, 0.36, 0.44)
"""All that a table may learn. `face` says what is offered, hardly what is asked: it stays."""

GRID = tuple(
    sorted(
        (Limits(sure=sure, maybe=maybe) for sure in SURES for maybe in MAYBES),
        key=lambda one: abs(one.sure - USUAL.sure) + abs(one.maybe - USUAL.maybe),
    )
)
"""Every choice, the usual limits first, the others by how near they are."""

RIGHT, ASKED, WRONG = 0, 1, 20
"""What a roll costs: nothing where it is believed and right, a tap where a person is asked, and a ruined game, nearly,
where it is believed and wrong."""

ENOUGH = 30
"""From fewer rolls nothing is learned."""

EARNED = 60
"""Asking less takes so many rolls that were asked about, were confirmed and would be believed, and none that was wrong.
Were one in twenty wrong, where believing costs as much as asking, so many right ones in a row would come by chance at
fewer than one table of twenty: 0.95 ** 60 < 0.05."""


class SampleError(ValueError):
    """What was kept is no lesson, or none that can still be judged."""


@dataclass(frozen=True, slots=True, eq=False)
class SampleView:
    """What one reading came of: all that is needed to judge it again.

    `strip` is uint8 BGR, (CLOSE + SIDE) x n CLOSE x 3: what the nets were shown of each of the n `places`, side by
    side, the close view above the other.
    `flags` are what else was seen there, n x len(FLAGS): they are not judged again. `width` and `height` are the
    picture's in pixels. `read` are the values read, left to right, `doubt` is one of DECIDED.
    """

    strip: NDArray[np.uint8]
    places: tuple[Candidate, ...]
    flags: NDArray[np.float64]
    width: int
    height: int
    read: tuple[int, ...]
    doubt: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A reading and the values, 1 to 6, that were then played, in any order."""

    glimpse: SampleView
    truth: tuple[int, ...]

    @property
    def told(self) -> bool:
        """Whether a person said what the dice show. What counted by itself may be a misread that nobody saw."""
        return self.glimpse.doubt is not None or Counter(self.truth) != Counter(self.glimpse.read)


def glimpse(reader: Reader, reading: Reading) -> SampleView | None:
    """What the reader's last reading came of; None where no limits would change it.

    `reading` is what was made of it: where the tray or the light raised the doubt, or dice were left out, it is none;
    nor where other dice lie there than those with pips, of which the limits say nothing.
    """
    picture = reader.picture
    if picture is None or not reading.dice or reading.doubt not in DECIDED:
        return None
    if any(die.kind != "d6" for die in reading.dice):
        return None
    looks = sorted((one for one in reader.looks if one.face >= FAINT), key=lambda one: -one.face)[:LOOKS]
    height, width = picture.shape[:2]
    dice, doubt = judge(looks, width, height, reader.limits)
    read = tuple(one.value for one in dice)
    if (read, doubt) != (reading.values, reading.doubt):
        return None
    strip = np.hstack([_stacked(views(picture, one.where)) for one in looks])
    flags = np.stack([one.flags for one in looks])
    return SampleView(strip, tuple(one.where for one in looks), flags, width, height, read, doubt)


def lesson(seen: SampleView, values: Sequence[object]) -> Sample | None:
    """What it teaches that `values` were played; None where it is not plain that they are of the very dice seen.

    They are when they are as many, each 1 to 6, and at most one differs: who changes more has thrown again.
    """
    truth = tuple(value for value in values if isinstance(value, int) and 1 <= value <= 6)
    if not len(truth) == len(values) == len(seen.read):
        return None
    return Sample(seen, truth) if (Counter(truth) - Counter(seen.read)).total() <= 1 else None


def again(reader: Reader, seen: SampleView) -> list[Judged]:
    """What the reader's weights say now of each place that was seen."""
    tiles = np.hsplit(seen.strip, len(seen.places))
    faces = reader.faces(seen.places, [Views(tile[CLOSE:, :SIDE], tile[:CLOSE]) for tile in tiles])
    return [replace(face, flags=flags) for face, flags in zip(faces, seen.flags, strict=True)]


def _stacked(seen: Views) -> NDArray[np.uint8]:
    """Both views in one tile, the close one above."""
    beside = np.zeros((SIDE, CLOSE - SIDE, 3), np.uint8)
    return np.vstack([seen.close, np.hstack([seen.whole, beside])])


def outcomes(reader: Reader, one: Sample) -> NDArray[np.int64]:
    """What the lesson costs under each limits of GRID, judged again by the reader's weights: RIGHT, ASKED or WRONG."""
    looks = again(reader, one.glimpse)
    return np.array([_cost(looks, one, limits) for limits in GRID])


def _cost(looks: Sequence[Judged], one: Sample, limits: Limits) -> int:
    dice, doubt = judge(looks, one.glimpse.width, one.glimpse.height, limits)
    if doubt is not None or len(dice) != len(one.truth):
        # Another count than was called for is always asked about.
        return ASKED
    return RIGHT if Counter(die.value for die in dice) == Counter(one.truth) else WRONG


def choose(told: NDArray[np.bool_], costs: NDArray[np.int64]) -> Limits:
    """The limits that cost least on some lessons, of those proven to be better than the usual; else the usual.

    `told` says of each of n lessons whether a person told its values, `costs` (n, len(GRID)) are its `outcomes`.
    Proven means: it is better on ENOUGH lessons, and still without the one that speaks for it most; and where it asks
    less, that is EARNED. A lesson that nobody told may speak against limits, never for them.
    """
    if len(told) < ENOUGH:
        return USUAL
    gains = costs[:, :1] - costs
    gains[~told] = np.minimum(gains[~told], 0)
    total = gains.sum(axis=0)
    proven = total - gains.max(axis=0) > 0
    believed = (costs[:, :1] == ASKED) & (costs != ASKED) & told[:, None]
    for place, limits in enumerate(GRID):
        if bolder(limits):
            right, wrong = (int((believed[:, place] & (costs[:, place] == cost)).sum()) for cost in (RIGHT, WRONG))
            proven[place] &= right >= EARNED and wrong == 0
    return GRID[int(np.where(proven, total, 0).argmax())]


def bolder(limits: Limits) -> bool:
    """Whether these limits believe anything that the usual ones ask about."""
    return limits.sure < USUAL.sure or limits.maybe > USUAL.maybe


def warier(limits: Limits) -> bool:
    """Whether these limits ask about anything that the usual ones believe."""
    return limits.sure > USUAL.sure or limits.maybe < USUAL.maybe


# Keeping -------------------------------------------------------------------------------------------------------------


@cache
def finder() -> int:
    """A checksum of the weights that find dice and flag them: what they said cannot be judged again by others."""
    return zlib.crc32((WEIGHTS / "flag.onnx").read_bytes(), zlib.crc32((WEIGHTS / "find.onnx").read_bytes()))


def pack(one: Sample) -> bytes:
    """The lesson as a file: a PNG of its crops, with what else is known of it behind."""
    seen = one.glimpse
    about = {
        "places": [[place.x, place.y, place.size, place.heat, place.seen] for place in seen.places],
        "flags": seen.flags.round(4).tolist(),
        "size": [seen.width, seen.height],
        "read": seen.read,
        "doubt": seen.doubt,
        "truth": one.truth,
        "finder": finder(),
    }
    body = cv2.imencode(".png", seen.strip)[1].tobytes() + b"\n" + json.dumps(about).encode()
    return body + b"\n%08x" % zlib.crc32(body)


def unpack(data: bytes) -> Sample:
    """The lesson that `pack` made this of. Raises LessonError when it is damaged or other weights found its dice."""
    body, _, check = data.rpartition(b"\n")
    if check != b"%08x" % zlib.crc32(body):
        raise SampleError("It is not what was kept.")
    png, _, tail = body.rpartition(b"\n")
    try:
        about = json.loads(tail)
        strip = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        places = tuple(Candidate(*(float(number) for number in row)) for row in about["places"])
        width, height = (int(edge) for edge in about["size"])
        seen = SampleView(
            np.asarray(strip, np.uint8),
            places,
            np.array(about["flags"], np.float64),
            width,
            height,
            tuple(int(value) for value in about["read"]),
            about["doubt"],
        )
        found = lesson(seen, about["truth"])
    except (ValueError, KeyError, TypeError, cv2.error) as error:
        raise SampleError(f"It holds no lesson: {error}") from error
    if about["finder"] != finder():
        raise SampleError("Other weights found its dice.")
    shapes = seen.strip.shape, seen.flags.shape
    if found is None or not places or shapes != ((CLOSE + SIDE, CLOSE * len(places), 3), (len(places), len(FLAGS))):
        raise SampleError("It holds no lesson.")
    return found
