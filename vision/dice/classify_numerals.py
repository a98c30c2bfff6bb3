"""Classify dice with numerals and letters: which kind each is, which face is on top, and what is printed there."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import d20_layout, thresholds
from vision.dice.detect import Candidate, Detector, Net, softmax
from vision.dice.top_face import CameraTilts, TopFaceMap
from vision.reading import Face
from vision.weights import WEIGHTS

# Shapes that `top.onnx` distinguishes, in the order of its output. "none" means not a die, or one with pips.
SHAPES = ("none", "cube", "d8", "d10", "d12", "d20", "d24")
# Signs that `sign.onnx` reads, in the order of its output; after these comes nothing, or not the middle of a face.
SIGNS = (*(str(number) for number in range(25)), "00", *(str(ten) for ten in range(30, 100, 10)), "B", "S", "C")
Printed = Mapping[Face, tuple[str, ...]]  # the signs that may be printed on each face of a die


def _counted(last: int) -> dict[Face, tuple[str, ...]]:
    return {number: (str(number),) for number in range(1, last + 1)}


SIX: dict[Face, tuple[str, ...]] = {6: ("6", "9")}
LETTERS: Printed = {letter: (letter,) for letter in "BSC"}
TENS: Printed = {10: ("0", "00"), **{number: (str(number), f"{number}0") for number in range(1, 10)}}

# The shape of every kind that is read, and what may be printed on its faces. A die without a 9 may show its 6 upside
# down; on a die of tens a face counts as its first figure.
FACES: dict[str, tuple[str, Printed]] = {
    "d6": ("cube", _counted(6) | SIX),
    "pitch": ("cube", LETTERS),
    "d8": ("d8", _counted(8) | SIX),
    "d10": ("d10", TENS),
    "d20": ("d20", _counted(20)),
    "d24": ("d24", _counted(24)),
}

SIXES = [SIGNS.index(sign) for sign in SIX[6]]

# For each shape, the indices in `SIGNS` of everything that a die of that shape may show.
BEAR = {
    shape: sorted(
        {SIGNS.index(sign) for own, faces in FACES.values() if own == shape for row in faces.values() for sign in row}
    )
    for shape, _ in FACES.values()
}

STRANGE = 0.02  # prior probability that a die is of a kind not looked for, relative to one that is
# Lengths of the frame's longer edge, in pixels, at which dice are detected: usually; where there may also be dice with
# pips, which are mistaken for numerals when these are missed; and for the second try when in doubt. Dice too small for
# these sizes have no numerals that could be read.
EDGES, BESIDE, AGAIN = (352,), (480, 192), (640, 480, 320, 192)
# Edge of the square that `top.onnx` sees, in pixels; how much it shows, in widths of the die; and pixels per cell of
# the output.
SIDE, CONTEXT, CELL = 64, 1.5, 4
# Zoom relative to the usual width, and whether the view is mirrored (-1). `top.onnx` sees all of these views, to even
# out errors in measuring the die.
VIEWS = ((0.94, 1), (1 / 0.94, -1), (0.94, -1), (1 / 0.94, 1))
CLOSE = 40  # edge of the square that `sign.onnx` sees, in pixels
# How much of a die that square shows, by shape, in widths of the die.
SHARE = {"none": 0.5, "cube": 0.8, "d8": 0.7, "d10": 0.62, "d12": 0.55, "d20": 0.46, "d24": 0.42}
EVEN = 0.5  # heat of the detector that speaks neither for nor against a die
# The odds of what a place shows, to this power and by this factor at most, make it likelier to be a die. In pictures of
# other things a sign was read with 80 % or more 30 times as often on dice as on false places.
TELLS, MOST = 1.5, 10.0
PEAKS, FAINT = 3, 0.06  # number of faces, at most, that may be the top one, and the least probability of each
SURELY = 0.1  # places that are no die with at most this probability are learned from
# Where a face's middle may be, right and down, the probability that this face is on top, and the same for a wary prior.
Spot = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Top:
    """A face that may be on top. `x`, `y`: its middle in pixels of the picture. `chance`: the probability, 0 to 1, that
    it is on top. `signs`: the probabilities of `SIGNS` and of none of them. `turn`: how far its sign is turned
    clockwise, in radians. `wary`: the probability that it is on top if many cameras look at a slant."""

    x: float
    y: float
    chance: float
    signs: NDArray[np.float64]
    turn: float
    wary: float = 1.0


@dataclass(frozen=True, slots=True)
class Numeral:
    """A place that may hold a die without pips: the probabilities of `SHAPES`, and the faces that may be on top."""

    where: Candidate
    shapes: NDArray[np.float64]
    tops: tuple[Top, ...]

    @property
    def die_chance(self) -> float:
        """The probability, 0 to 1, that a die without pips lies here at all, by its shape and the detector's heat."""
        return thresholds.die_probability(float(self.shapes[0]), self.where.heat, EVEN)

    def die_chance_of(self, kinds: Collection[str]) -> float:
        """Return `die_chance` where dice of these kinds are looked for: a readable sign makes a die likelier."""
        much = min(self.face_chances(kinds)[0][0], 1 - thresholds.NEVER)
        factor = min(max((much / (1 - much)) ** TELLS, 1.0), MOST)
        return float(self.die_chance * factor / (self.die_chance * factor + 1 - self.die_chance))

    @property
    def legible(self) -> float:
        """The probability, 0 to 1, of the likeliest sign on top, on a die of any kind. A 6 may be a 9 there."""
        return sum(top.chance * float(max(top.signs[:-1].max(), top.signs[SIXES].sum())) for top in self.tops)

    def taught_chance(self, kinds: Collection[str]) -> float:
        """Return the probability, 0 to 1, that a taught die of one of these kinds lies here."""
        return 0.0

    def kind_chance(self, kinds: Collection[str]) -> float:
        """Return the probability, 0 to 1, that the die here, if it has no pips, has the shape of one of these kinds."""
        much = sum(self._much(shape) for shape in SHAPES if shape in {FACES[kind][0] for kind in kinds})
        return much / max(1 - float(self.shapes[0]), thresholds.NEVER)

    def face_chances(self, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
        """Return what a die of one of these `kinds` (of `FACES`) here shows: probability, kind and face, likeliest
        first. The probabilities add up to less than 1 where another die may lie here, or no sign is seen on top. No die
        shows what dice of its shape never have."""
        wanted = {FACES[kind][0] for kind in kinds}
        shapes = {shape: self._much(shape) * (1 if shape in wanted else STRANGE) for shape in BEAR}
        signs = sum((top.chance * top.signs for top in self.tops), np.zeros(len(SIGNS) + 1))
        whole = sum(much * (float(signs[BEAR[shape]].sum()) + float(signs[-1])) for shape, much in shapes.items())
        found: list[tuple[float, str, Face]] = []
        for kind in sorted(kinds):
            shape, faces = FACES[kind]
            for face, row in faces.items():
                shown = sum(float(signs[SIGNS.index(sign)]) for sign in row)
                found.append((shapes[shape] * shown / max(whole, thresholds.NEVER), kind, face))
        return sorted(found, key=lambda one: -one[0])

    def _much(self, shape: str) -> float:
        return float(self.shapes[SHAPES.index(shape)])


class NumeralClassifier:
    """The nets for dice without pips: `spot.onnx`, `top.onnx` and `sign.onnx` in `folder`, by default the shipped."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or WEIGHTS
        sizes: tuple[tuple[int, ...], ...] = (EDGES, BESIDE, AGAIN)
        self._finders = {edges: Detector(folder / "spot.onnx", edges) for edges in sizes}
        self._tops, self._signs = Net(folder / "top.onnx"), Net(folder / "sign.onnx")
        self._cameras = CameraTilts()
        self._habit = d20_layout.LayoutHabit()

    def detect(self, picture: NDArray[np.uint8], edges: tuple[int, ...] = EDGES) -> list[Candidate]:
        """Return where dice without pips may lie in a BGR picture, worthiest first. `edges`: EDGES, BESIDE or AGAIN."""
        return self._finders[edges].detect(picture)

    def classify(
        self, picture: NDArray[np.uint8], places: Sequence[Candidate], *, again: bool = False
    ) -> list[Numeral]:
        """Classify these places of a BGR picture. The positions of the top faces teach the camera's tilt. A picture
        that is classified a second time (`again`) counts once."""
        if not places:
            return []
        views = [
            crop_square(picture, one.x, one.y, CONTEXT * near * one.size, SIDE)[:, ::flip]
            for near, flip in VIEWS
            for one in places
        ]
        outputs = self._tops.run([np.ascontiguousarray(view) for view in views], "tops", "shapes")
        maps, kinds = (answer.astype(np.float64) for answer in outputs)
        shapes = softmax(kinds).reshape(len(VIEWS), len(places), -1).mean(axis=0)
        merged = _merge_views(maps.reshape(len(VIEWS), len(places), *maps.shape[1:]))
        height, width = picture.shape[:2]
        longer = max(height, width)
        dice = [
            TopFaceMap(
                seen,
                (one.x - width / 2) / longer,
                (one.y - height / 2) / longer,
                one.size / longer,
                _likeliest_shape(shape),
                bool(shape[0] < SURELY),
            )
            for one, seen, shape in zip(places, merged, shapes, strict=True)
        ]
        answers = self._cameras.of(picture).weigh(dice, picture, again=again)
        found = []
        for one, shape, answer in zip(places, shapes, answers, strict=True):
            spots = [
                (one.x + right * one.size, one.y + down * one.size, chance, wary)
                for right, down, chance, wary in _find_tops(answer)
            ]
            found.append(Numeral(one, shape, tuple(self._read_tops(picture, one, shape, spots))))
        return found

    def _read_tops(
        self, picture: NDArray[np.uint8], one: Candidate, shape: NDArray[np.float64], spots: Sequence[Spot]
    ) -> list[Top]:
        """Read what is printed on the faces that may be on top."""
        side = SHARE[_likeliest_shape(shape)] * one.size
        views = [crop_square(picture, x, y, side * zoom, CLOSE) for x, y, *_ in spots for zoom in ZOOMS]
        crops = [np.ascontiguousarray(np.rot90(view, -turn)) for view in views for turn in QUARTERS]
        rows = self._read_signs(crops)
        tops = []
        for (x, y, chance, wary), some in zip(spots, np.split(rows, len(spots)), strict=True):
            signs = softmax(some[:, : len(SIGNS) + 1].mean(axis=0))
            ups = some[:, len(SIGNS) + 1 :].reshape(len(ZOOMS), len(QUARTERS), 2)
            right, down = sum(ups[:, n].mean(axis=0) @ TURNS_BACK[turn] for n, turn in enumerate(QUARTERS))
            if chance > HEARD:
                along = ALONG * side / max(math.hypot(right, down), thresholds.NEVER)
                beside = [(x - way * along * down, y + way * along * right) for way in (1, -1)]
                signs = self._complete_number(picture, signs, beside, side, _likeliest_shape(shape))
            if shape[D20] > LIKE and chance > HEARD and chance * signs.max() < PLAIN:
                weight = self._habit.weigh(signs[NUMBERS], self._ask_neighbours(picture, one, x, y))
                signs[NUMBERS] *= 1 - shape[D20] + shape[D20] * weight
                signs /= signs.sum()
            tops.append(Top(x, y, chance, signs, math.atan2(right, -down), wary))
        return tops

    def _complete_number(
        self,
        picture: NDArray[np.uint8],
        signs: NDArray[np.float64],
        beside: Sequence[tuple[float, float]],
        side: float,
        shape: str,
    ) -> NDArray[np.float64]:
        """Return the signs on a face of this shape, completed where they are half of a number. If the likeliest sign is
        a lone digit, and at `beside`, to its right or left, a number is seen that contains it, both count equally."""
        digit, bear = SIGNS[int(np.argmax(signs[:-1]))], BEAR.get(shape, [])
        numbers = [[place for place in bear if SIGNS[place] != digit and SIGNS[place][end] == digit] for end in (0, -1)]
        if not any(numbers):
            return signs
        views = [crop_square(picture, x, y, side, CLOSE) for x, y in beside]
        crops = [np.ascontiguousarray(np.rot90(view, -turn)) for view in views for turn in QUARTERS]
        rows = self._read_signs(crops)
        others = [softmax(some[:, : len(SIGNS) + 1].mean(axis=0)) for some in np.split(rows, 2)]
        seen = next((other for other, some in zip(others, numbers, strict=True) if other[some].sum() > HALF), signs)
        return np.asarray((signs + seen) / 2)

    def _ask_neighbours(self, picture: NDArray[np.uint8], one: Candidate, x: float, y: float) -> NDArray[np.float64]:
        """Return how much the other faces of a d20 support each number on the face whose middle this is."""
        spots = d20_layout.neighbour_places((x - one.x) / one.size, (y - one.y) / one.size)
        seen = np.full((*spots.shape[:2], 20), np.nan)
        clear = spots[..., 2] > FACING
        wide = SHARE["d20"] * one.size
        places = [(one.x + right * one.size, one.y + down * one.size) for right, down, _ in spots[clear].tolist()]
        rows = self._read_signs([crop_square(picture, *place, wide, CLOSE) for place in places])
        seen[clear] = softmax(rows[:, : len(SIGNS) + 1])[:, NUMBERS]
        return d20_layout.agreement(seen)

    def _read_signs(self, crops: list[NDArray[np.uint8]]) -> NDArray[np.float64]:
        """Return the outputs of `sign.onnx`, one row for each crop."""
        (rows,) = self._signs.run(crops, "signs")
        return rows.astype(np.float64)


# The shape whose faces support one another, and where its numbers are in `SIGNS`.
D20, NUMBERS = SHAPES.index("d20"), slice(SIGNS.index("1"), SIGNS.index("20") + 1)
# A face is checked against its neighbours when it is of that shape and on top with the first two probabilities, unless
# it was read with the third. Neighbours turned away beyond the cosine of the fourth say nothing.
LIKE, HEARD, PLAIN, FACING = 0.3, 0.15, 0.98, 0.4
# How far to either side of a lone digit, in widths of the view, to look for a number that contains it; and the
# probability from which that number counts as seen.
ALONG, HALF = 0.2, 0.5
# Zooms, relative to the usual width, and clockwise quarter turns in which a face is shown to `sign.onnx`.
ZOOMS, QUARTERS = (0.92, 1.08), (0, 1, 2, 3)
# The matrices that turn a vector (right, down) back by that many quarters, counterclockwise.
TURNS_BACK = [np.array([[cos, -sin], [sin, cos]], np.float64) for cos, sin in ((1, 0), (0, 1), (-1, 0), (0, -1))]


def crop_square(picture: NDArray[np.uint8], x: float, y: float, wide: float, side: int) -> NDArray[np.uint8]:
    """Return the square of a picture around (x, y), `wide` pixels wide, as `side` x `side` pixels."""
    scale = side / wide
    if scale < 0.7:
        # Shrink by whole pixels first: sampling single pixels would leave specks.
        half = wide * 0.6
        left, top = max(0, math.floor(x - half)), max(0, math.floor(y - half))
        part = picture[top : math.ceil(y + half) + 1, left : math.ceil(x + half) + 1]
        if part.size:
            small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            grow = small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]
            x, y = (x + 0.5 - left) * grow[0] - 0.5, (y + 0.5 - top) * grow[1] - 0.5
            picture, scale = small.astype(np.uint8, copy=False), 1.0
    middle = side / 2 - 0.5
    shift = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]])
    view = cv2.warpAffine(picture, shift, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return view.astype(np.uint8, copy=False)


def _likeliest_shape(shape: NDArray[np.float64]) -> str:
    """Return the likeliest shape, assuming that a die lies there."""
    return SHAPES[1 + int(np.argmax(shape[1:]))]


def _merge_views(maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the outputs of all `VIEWS` of each place into one as in `TopFaceMap`: (places, 3, rows, columns)."""
    rows, columns = np.mgrid[: maps.shape[3], : maps.shape[4]]
    views = []
    for (near, flip), seen in zip(VIEWS, maps, strict=True):
        chance = softmax(seen[:, 0].reshape(len(seen), -1)).reshape(seen[:, 0].shape)
        right, down = ((v + 0.5) * CELL / SIDE - 0.5 for v in (columns + seen[:, 1], rows + seen[:, 2]))
        views.append(np.stack([chance, flip * near * CONTEXT * right, near * CONTEXT * down], axis=1)[..., ::flip])
    return np.asarray(np.mean(views, axis=0))


def _find_tops(answer: NDArray[np.float64]) -> list[Spot]:
    """Return the faces that may be on top, likeliest first, from an answer of `CameraTilt.weigh`. Each is right and
    down of the die's middle, in its widths, the probability, normalized to a sum of 1, and the wary probability."""
    chance, wary, xs, ys = answer
    left = chance.copy()
    peaks: list[Spot] = []
    while len(peaks) < PEAKS:
        row, column = divmod(int(np.argmax(left)), left.shape[1])
        near = np.s_[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        much = float(left[near].sum())
        if peaks and much < FAINT:
            break
        weight = left[near] / max(much, 1e-9)
        place = float((xs[near] * weight).sum()), float((ys[near] * weight).sum())
        peaks.append((*place, much, float(wary[near].sum())))
        left[near] = 0
    total = sum(peak[2] for peak in peaks)
    return [(x, y, much / total, wary) for x, y, much, wary in peaks]
