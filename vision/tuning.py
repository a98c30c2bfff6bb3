"""Tune the limits to one table: choose those that do better on its own rolls than the usual ones, if any do.

A sample is a camera reading whose values were then played. It keeps what every place in the picture looked like, so
that the present weights can judge it again. Limits are not stored but chosen from the samples each time: they cannot
outlive the samples, and different weights choose for themselves.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.dice import png_file
from vision.dice.classify_pips import CLOSE, SIDE, Views, crop_views
from vision.dice.decide_pips import JudgedPips, decide_pips
from vision.dice.defects import FLAGS
from vision.dice.detect import Candidate
from vision.dice.thresholds import USUAL, Limits
from vision.reader import Reader
from vision.reading import Reading
from vision.weights import WEIGHTS

# A place that is a face with less than this probability is not kept; and at most this many, the likeliest, are.
FAINT, LOOKS = 0.05, 24
DECIDED = (None, "unclear", "glare")  # the outcomes that limits decide: a roll is believed, or gets one of these doubts

SURES = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
# All values that a table may choose. `face` decides what is offered, hardly what is asked, and stays as it is.
MAYBES = (0.12, 0.2, 0.28, 0.36, 0.44)

# Every choice, the usual limits first, then the others from near to far.
GRID = tuple(
    sorted(
        (Limits(sure=sure, maybe=maybe) for sure in SURES for maybe in MAYBES),
        key=lambda one: abs(one.sure - USUAL.sure) + abs(one.maybe - USUAL.maybe),
    )
)

# Cost of a roll: nothing if believed and right, one tap if a person is asked, and nearly a ruined game if believed and
# wrong.
RIGHT, ASKED, WRONG = 0, 1, 20
ENOUGH = 30  # least number of rolls before anything is tuned
# To ask less, limits need this many rolls that were asked about, were confirmed and would now be believed, and none
# that was wrong. If one in twenty were wrong, where believing costs as much as asking, that many right ones in a row
# would come by chance at fewer than one table in twenty: 0.95 ** 60 < 0.05.
EARNED = 60


class SampleError(ValueError):
    """The stored data is not a sample, or not one that can still be judged."""


@dataclass(frozen=True, slots=True, eq=False)
class SampleView:
    """What one reading was made from: everything needed to judge it again.

    `strip` is uint8 BGR, (CLOSE + SIDE) x n CLOSE x 3: what the nets saw of each of the n `places`, side by side, the
    close view above the other. `flags`, n x len(FLAGS), are the defects found there; they are not judged again. `width`
    and `height` are the picture's in pixels. `read` are the values read, left to right; `doubt` is one of DECIDED.
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

    view: SampleView
    truth: tuple[int, ...]

    @property
    def confirmed(self) -> bool:
        """True if a person entered the values: those of a roll that counted by itself may be an unnoticed misread."""
        return self.view.doubt is not None or Counter(self.truth) != Counter(self.view.read)


def take_view(reader: Reader, reading: Reading) -> SampleView | None:
    """Return what the reader's last reading was made from, or None where no limits would change it. `reading` is the
    final reading. There is no view if the tray or the light raised its doubt, if dice were left out, or if dice other
    than d6 with pips lie there, to which the limits do not apply."""
    picture = reader.picture
    if picture is None or not reading.dice or reading.doubt not in DECIDED:
        return None
    if any(die.kind != "d6" for die in reading.dice):
        return None
    looks = sorted((one for one in reader.judged if one.face >= FAINT), key=lambda one: -one.face)[:LOOKS]
    height, width = picture.shape[:2]
    dice, doubt = decide_pips(looks, width, height, reader.limits)
    read = tuple(one.value for one in dice)
    if (read, doubt) != (reading.values, reading.doubt):
        return None
    strip = np.hstack([_stack_views(crop_views(picture, one.where)) for one in looks])
    flags = np.stack([one.flags for one in looks])
    return SampleView(strip, tuple(one.where for one in looks), flags, width, height, read, doubt)


def make_sample(seen: SampleView, values: Sequence[object]) -> Sample | None:
    """Return a sample of a reading after which `values` were played, or None unless they clearly belong to the dice
    seen. They do when there are as many of them, each is 1 to 6, and at most one differs: more changes mean another
    throw."""
    truth = tuple(value for value in values if isinstance(value, int) and 1 <= value <= 6)
    if not len(truth) == len(values) == len(seen.read):
        return None
    return Sample(seen, truth) if (Counter(truth) - Counter(seen.read)).total() <= 1 else None


def judge_again(reader: Reader, seen: SampleView) -> list[JudgedPips]:
    """Judge each place of a view again with the reader's present weights."""
    tiles = np.hsplit(seen.strip, len(seen.places))
    faces = reader.judge_faces(seen.places, [Views(tile[CLOSE:, :SIDE], tile[:CLOSE]) for tile in tiles])
    return [replace(face, flags=flags) for face, flags in zip(faces, seen.flags, strict=True)]


def _stack_views(seen: Views) -> NDArray[np.uint8]:
    """Return both views in one tile, the close one above."""
    beside = np.zeros((SIDE, CLOSE - SIDE, 3), np.uint8)
    return np.vstack([seen.close, np.hstack([seen.whole, beside])])


def outcomes(reader: Reader, one: Sample) -> NDArray[np.int64]:
    """Judge a sample again and return its cost under each limits of GRID: RIGHT, ASKED or WRONG."""
    looks = judge_again(reader, one.view)
    return np.array([_cost_of(looks, one, limits) for limits in GRID])


def _cost_of(looks: Sequence[JudgedPips], one: Sample, limits: Limits) -> int:
    dice, doubt = decide_pips(looks, one.view.width, one.view.height, limits)
    if doubt is not None or len(dice) != len(one.truth):
        # A number of dice other than the one called for is always asked about.
        return ASKED
    return RIGHT if Counter(die.value for die in dice) == Counter(one.truth) else WRONG


def choose_limits(confirmed: NDArray[np.bool_], costs: NDArray[np.int64]) -> Limits:
    """Return the limits with the least cost on these samples, of those proven better than the usual ones; else the
    usual.

    `confirmed` is true for each of n samples whose values a person entered; `costs` (n, len(GRID)) are their
    `outcomes`. Proven means: there are at least ENOUGH samples, the limits cost less on them, and still less without
    the one sample that favours them most; and where they ask less, EARNED. A sample that nobody confirmed may count
    against limits, never for them.
    """
    if len(confirmed) < ENOUGH:
        return USUAL
    gains = costs[:, :1] - costs
    gains[~confirmed] = np.minimum(gains[~confirmed], 0)
    total = gains.sum(axis=0)
    proven = total - gains.max(axis=0) > 0
    believed = (costs[:, :1] == ASKED) & (costs != ASKED) & confirmed[:, None]
    for place, limits in enumerate(GRID):
        if asks_less(limits):
            right, wrong = (int((believed[:, place] & (costs[:, place] == cost)).sum()) for cost in (RIGHT, WRONG))
            proven[place] &= right >= EARNED and wrong == 0
    return GRID[int(np.where(proven, total, 0).argmax())]


def asks_less(limits: Limits) -> bool:
    """True if these limits believe anything that the usual ones ask about."""
    return limits.sure < USUAL.sure or limits.maybe > USUAL.maybe


def asks_more(limits: Limits) -> bool:
    """True if these limits ask about anything that the usual ones believe."""
    return limits.sure > USUAL.sure or limits.maybe < USUAL.maybe


# Storing -------------------------------------------------------------------------------------------------------------


@cache
def weights_checksum() -> int:
    """Return a checksum of the weights that find and flag dice, whose output cannot be judged again by others."""
    return zlib.crc32((WEIGHTS / "flag.onnx").read_bytes(), zlib.crc32((WEIGHTS / "find.onnx").read_bytes()))


def pack_sample(one: Sample) -> bytes:
    """Return the sample as a file: its crops, and its other data."""
    seen = one.view
    about = {
        "places": [[place.x, place.y, place.size, place.heat, place.seen] for place in seen.places],
        "flags": seen.flags.round(4).tolist(),
        "size": [seen.width, seen.height],
        "read": seen.read,
        "doubt": seen.doubt,
        "truth": one.truth,
        "finder": weights_checksum(),
    }
    return png_file.pack(seen.strip, about)


def unpack_sample(data: bytes) -> Sample:
    """Return the sample that `pack_sample` stored. Raises SampleError if damaged, or found by other weights."""
    try:
        strip, about = png_file.unpack(data)
        places = tuple(Candidate(*(float(number) for number in row)) for row in about["places"])
        width, height = (int(edge) for edge in about["size"])
        flags, read = np.array(about["flags"], np.float64), tuple(int(value) for value in about["read"])
        sample = make_sample(SampleView(strip, places, flags, width, height, read, about["doubt"]), about["truth"])
        if about["finder"] != weights_checksum():
            raise ValueError("other weights found its dice")
        shapes = (CLOSE + SIDE, CLOSE * len(places), 3), (len(places), len(FLAGS))
        if sample is None or not places or (strip.shape, flags.shape) != shapes:
            raise ValueError("its parts do not fit together")
    except (ValueError, KeyError, TypeError) as error:
        raise SampleError(f"It holds no lesson: {error}.") from error
    return sample
