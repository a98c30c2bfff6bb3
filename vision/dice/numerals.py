"""Dice with numerals and letters: of what kind each is, which face is on top, and what is printed there."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import d20_layout
from vision.dice.detect import Candidate, Finder, open_net
from vision.dice.top_face import CameraTilts, Faces
from vision.reading import Face
from vision.weights import WEIGHTS

SHAPES = ("none", "cube", "d8", "d10", "d12", "d20", "d24")
"""The shapes that `top.onnx` tells apart, in the order of its answer; none: no die, or one with pips."""

SIGNS = (*(str(number) for number in range(25)), "00", *(str(ten) for ten in range(30, 100, 10)), "B", "S", "C")
"""What `sign.onnx` reads, in the order of its answer; after these: nothing, or no middle of a face."""

Printed = Mapping[Face, tuple[str, ...]]
"""What may be printed on each face of a die."""


def _counted(last: int) -> dict[Face, tuple[str, ...]]:
    return {number: (str(number),) for number in range(1, last + 1)}


SIX: dict[Face, tuple[str, ...]] = {6: ("6", "9")}
LETTERS: Printed = {letter: (letter,) for letter in "BSC"}
TENS: Printed = {10: ("0", "00"), **{number: (str(number), f"{number}0") for number in range(1, 10)}}

FACES: dict[str, tuple[str, Printed]] = {
    "d6": ("cube", _counted(6) | SIX),
    "pitch": ("cube", LETTERS),
    "d8": ("d8", _counted(8) | SIX),
    "d10": ("d10", TENS),
    "d20": ("d20", _counted(20)),
    "d24": ("d24", _counted(24)),
}
"""The shape of every kind that is read, and what may be printed on its faces. What has no 9 may show its 6 upside down;
of a die with tens the ten counts as its first figure."""

SIXES = [SIGNS.index(sign) for sign in SIX[6]]

BEAR = {
    shape: sorted(
        {SIGNS.index(sign) for own, faces in FACES.values() if own == shape for row in faces.values() for sign in row}
    )
    for shape, _ in FACES.values()
}
"""The places in `SIGNS` of all that a die of each shape may show."""

STRANGE = 0.02
"""How likely a die of a kind that is not looked for lies there, beside one that is, before it is seen."""

EDGES, BESIDE, AGAIN = (352,), (480, 192), (640, 480, 320, 192)
"""The lengths of the frame's longer edge, in pixels, at which dice are looked for; where there may be some with pips
as well, which are taken for them when these are missed; and once more in doubt. What is smaller than these show well
has no numerals that could be read."""

SIDE, CONTEXT, CELL = 64, 1.5, 4
"""The edge of the square that `top.onnx` looks at, in pixels, what it shows, in widths of the die, and the pixels to a
cell of its answer."""

VIEWS = ((0.94, 1), (1 / 0.94, -1), (0.94, -1), (1 / 0.94, 1))
"""How wide a die is shown to it, in what is usual, and whether as it is or mirrored: that evens out how a die was
measured."""

CLOSE = 40
"""The edge of the square that `sign.onnx` looks at, in pixels."""

SHARE = {"none": 0.5, "cube": 0.8, "d8": 0.7, "d10": 0.62, "d12": 0.55, "d20": 0.46, "d24": 0.42}
"""How much of a die that square shows, in widths of the die, by its shape."""

EVEN, NEVER = 0.5, 1e-6
"""The detector's heat that speaks neither for nor against a die; and the least probability that is reckoned with."""

TELLS, MOST = 1.5, 10.0
"""What lies there is likelier a die by the odds of what it shows, to this power, and by this factor at most. What was
read with 80 % or more was so 30 times as often on dice as on what was taken for one in pictures of others."""

PEAKS, FAINT = 3, 0.06
"""So many faces at most may be the top one, each with this probability or more."""


SURELY = 0.1
"""What is no die with this probability at most is learned from."""


Spot = tuple[float, float, float, float]
"""Where a face's middle may be, right and down, and the probability that this face is on top, and to a wary eye."""


@dataclass(frozen=True, slots=True)
class Top:
    """A face that may be on top: its middle in pixels of the picture, the probability (0 to 1) that it is, and the
    probabilities of `SIGNS` and of none of them. `turn` is how far its sign is turned clockwise, in radians, and `wary`
    the probability that it is on top if many a camera looks aslant."""

    x: float
    y: float
    chance: float
    signs: NDArray[np.float64]
    turn: float
    wary: float = 1.0


@dataclass(frozen=True, slots=True)
class Numeral:
    """A place where a die without pips may lie, with the probabilities of `SHAPES` and the faces that may be on top."""

    where: Candidate
    shapes: NDArray[np.float64]
    tops: tuple[Top, ...]

    @property
    def die(self) -> float:
        """The probability, 0 to 1, that a die without pips lies there at all, by its looks and the detector's heat."""
        no, heat = (min(max(p, NEVER), 1 - NEVER) for p in (float(self.shapes[0]), self.where.heat))
        odds = (1 - no) / no * heat / (1 - heat) * (1 - EVEN) / EVEN
        return odds / (1 + odds)

    def lies(self, kinds: Collection[str]) -> float:
        """As `die`, where dice of these kinds are looked for: what can be read on it speaks for it as well."""
        much = min(self.chances(kinds)[0][0], 1 - NEVER)
        told = min(max((much / (1 - much)) ** TELLS, 1.0), MOST)
        return float(self.die * told / (self.die * told + 1 - self.die))

    @property
    def legible(self) -> float:
        """The probability, 0 to 1, of the likeliest sign on top, whatever die it may be of; a 6 may be a 9 there."""
        return sum(top.chance * float(max(top.signs[:-1].max(), top.signs[SIXES].sum())) for top in self.tops)

    def sure(self, kinds: Collection[str]) -> float:
        """The probability, 0 to 1, that a taught die of one of these kinds lies there."""
        return 0.0

    def share(self, kinds: Collection[str]) -> float:
        """The probability, 0 to 1, that a die without pips that lies there has the shape of one of these kinds."""
        wanted = {FACES[kind][0] for kind in kinds}
        much = sum(float(p) for shape, p in zip(SHAPES, self.shapes, strict=True) if shape in wanted)
        return much / max(1 - float(self.shapes[0]), NEVER)

    def chances(self, kinds: Collection[str]) -> list[tuple[float, str, Face]]:
        """What a die of one of these `kinds` (of `FACES`) that lies there shows: probability, kind and face, likeliest
        first. They come to less than 1 in all where another die may lie there, or nothing is to be seen on top.

        No die shows what dice of its shape never have.
        """
        wanted = {FACES[kind][0] for kind in kinds}
        shapes = {shape: self._much(shape) * (1 if shape in wanted else STRANGE) for shape in BEAR}
        signs = sum((top.chance * top.signs for top in self.tops), np.zeros(len(SIGNS) + 1))
        whole = sum(much * (float(signs[BEAR[shape]].sum()) + float(signs[-1])) for shape, much in shapes.items())
        found: list[tuple[float, str, Face]] = []
        for kind in sorted(kinds):
            shape, faces = FACES[kind]
            for face, row in faces.items():
                shown = sum(float(signs[SIGNS.index(sign)]) for sign in row)
                found.append((shapes[shape] * shown / max(whole, NEVER), kind, face))
        return sorted(found, key=lambda one: -one[0])

    def _much(self, shape: str) -> float:
        return float(self.shapes[SHAPES.index(shape)])


class Numerals:
    """The nets for dice without pips; `folder` holds `spot.onnx`, `top.onnx` and `sign.onnx`, by default the shipped
    one.

    They are read when first used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or WEIGHTS
        looks: tuple[tuple[int, ...], ...] = (EDGES, BESIDE, AGAIN)
        self._finders = {edges: Finder(self._folder / "spot.onnx", edges) for edges in looks}
        self._nets: dict[str, cv2.dnn.Net] = {}
        self._cameras = CameraTilts()
        self._habit = d20_layout.LayoutHabit()

    def find(self, picture: NDArray[np.uint8], edges: tuple[int, ...] = EDGES) -> list[Candidate]:
        """Where a die without pips may lie in a BGR picture (HxWx3), worthiest first; looked for at these `edges`:
        `EDGES`, `BESIDE` or `AGAIN`."""
        return self._finders[edges].find(picture)

    def look(self, picture: NDArray[np.uint8], places: Sequence[Candidate], *, again: bool = False) -> list[Numeral]:
        """What the nets say of these places; what they say of the tops is learned from, of a picture that is looked at
        `again` once."""
        if not places:
            return []
        views = [
            square(picture, one.x, one.y, CONTEXT * near * one.size, SIDE)[:, ::flip]
            for near, flip in VIEWS
            for one in places
        ]
        maps, kinds = self._run("top", [np.ascontiguousarray(view) for view in views], ("tops", "shapes"))
        shapes = _softmax(kinds).reshape(len(VIEWS), len(places), -1).mean(axis=0)
        merged = _merged(maps.reshape(len(VIEWS), len(places), *maps.shape[1:]))
        dice = [
            Faces(seen, *_from_middle(one, picture), _likeliest(shape), bool(shape[0] < SURELY))
            for one, seen, shape in zip(places, merged, shapes, strict=True)
        ]
        answers = self._cameras.of(picture).weigh(dice, again=again)
        found = []
        for one, shape, answer in zip(places, shapes, answers, strict=True):
            spots = [
                (one.x + right * one.size, one.y + down * one.size, chance, wary)
                for right, down, chance, wary in _peaks(answer)
            ]
            found.append(Numeral(one, shape, tuple(self._tops(picture, one, shape, spots))))
        return found

    def _tops(
        self, picture: NDArray[np.uint8], one: Candidate, shape: NDArray[np.float64], spots: Sequence[Spot]
    ) -> list[Top]:
        """What is printed on the faces that may be on top."""
        side = SHARE[_likeliest(shape)] * one.size
        views = [square(picture, x, y, side * zoom, CLOSE) for x, y, *_ in spots for zoom in ZOOMS]
        crops = [np.ascontiguousarray(np.rot90(view, -turn)) for view in views for turn in QUARTERS]
        (rows,) = self._run("sign", crops, ("signs",))
        tops = []
        for (x, y, chance, wary), some in zip(spots, np.split(rows, len(spots)), strict=True):
            signs = _softmax(some[:, : len(SIGNS) + 1].mean(axis=0))
            ups = some[:, len(SIGNS) + 1 :].reshape(len(ZOOMS), len(QUARTERS), 2)
            right, down = sum(ups[:, n].mean(axis=0) @ _turned(turn) for n, turn in enumerate(QUARTERS))
            if chance > HEARD:
                along = ALONG * side / max(math.hypot(right, down), NEVER)
                beside = [(x - way * along * down, y + way * along * right) for way in (1, -1)]
                signs = self._whole(picture, signs, beside, side, _likeliest(shape))
            if shape[D20] > LIKE and chance > HEARD and chance * signs.max() < PLAIN:
                weight = self._habit.weigh(signs[NUMBERS], self._agreed(picture, one, x, y))
                signs[NUMBERS] *= 1 - shape[D20] + shape[D20] * weight
                signs /= signs.sum()
            tops.append(Top(x, y, chance, signs, math.atan2(right, -down), wary))
        return tops

    def _whole(
        self,
        picture: NDArray[np.uint8],
        signs: NDArray[np.float64],
        beside: Sequence[tuple[float, float]],
        side: float,
        shape: str,
    ) -> NDArray[np.float64]:
        """The signs seen on a face of this shape. Where they are a lone digit, and `beside` it, to the right or the
        left, a number is seen that it is half of, one as much as the other."""
        digit, bear = SIGNS[int(np.argmax(signs[:-1]))], BEAR.get(shape, [])
        numbers = [[place for place in bear if SIGNS[place] != digit and SIGNS[place][end] == digit] for end in (0, -1)]
        if not any(numbers):
            return signs
        views = [square(picture, x, y, side, CLOSE) for x, y in beside]
        crops = [np.ascontiguousarray(np.rot90(view, -turn)) for view in views for turn in QUARTERS]
        (rows,) = self._run("sign", crops, ("signs",))
        others = [_softmax(some[:, : len(SIGNS) + 1].mean(axis=0)) for some in np.split(rows, 2)]
        seen = next((other for other, some in zip(others, numbers, strict=True) if other[some].sum() > HALF), signs)
        return np.asarray((signs + seen) / 2)

    def _agreed(self, picture: NDArray[np.uint8], one: Candidate, x: float, y: float) -> NDArray[np.float64]:
        """What the other faces of a d20 say of the one whose middle this is: see `layout.agree`."""
        spots = d20_layout.around((x - one.x) / one.size, (y - one.y) / one.size)
        seen = np.full((*spots.shape[:2], 20), np.nan)
        clear = spots[..., 2] > FACING
        wide = SHARE["d20"] * one.size
        places = [(one.x + right * one.size, one.y + down * one.size) for right, down, _ in spots[clear].tolist()]
        (rows,) = self._run("sign", [square(picture, *place, wide, CLOSE) for place in places], ("signs",))
        seen[clear] = _softmax(rows[:, : len(SIGNS) + 1])[:, NUMBERS]
        return d20_layout.agree(seen)

    def _run(self, name: str, crops: list[NDArray[np.uint8]], outputs: tuple[str, ...]) -> list[NDArray[np.float64]]:
        if name not in self._nets:
            self._nets[name] = open_net(self._folder / f"{name}.onnx")
        self._nets[name].setInput(cv2.dnn.blobFromImages(crops))
        return [np.asarray(answer, np.float64) for answer in self._nets[name].forward(outputs)]


D20, NUMBERS = SHAPES.index("d20"), slice(SIGNS.index("1"), SIGNS.index("20") + 1)
"""The shape whose faces tell of one another, and where its numbers are in `SIGNS`."""

LIKE, HEARD, PLAIN, FACING = 0.3, 0.15, 0.98, 0.4
"""What is of that shape, and is on top, with such probabilities is checked against the other faces, unless it is the
top one and read with the third; those turned away by more than has this cosine say nothing."""

ALONG, HALF = 0.2, 0.5
"""So far to either side of a lone digit, of what is shown of a face, a number is looked for that it is half of; with
such a probability it is seen."""

ZOOMS, QUARTERS = (0.92, 1.08), (0, 1, 2, 3)
"""How wide a face is shown to `sign.onnx`, in what is usual, and by how many quarters turned clockwise, in turn."""


def square(picture: NDArray[np.uint8], x: float, y: float, wide: float, side: int) -> NDArray[np.uint8]:
    """The square of a picture about (x, y), `wide` pixels of it wide, as `side` x `side` pixels."""
    scale = side / wide
    if scale < 0.7:
        # Shrunk first by whole pixels: to take single ones out of many would leave specks.
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


def _likeliest(shape: NDArray[np.float64]) -> str:
    """The shape of a die, if one lies there."""
    return SHAPES[1 + int(np.argmax(shape[1:]))]


def _from_middle(one: Candidate, picture: NDArray[np.uint8]) -> tuple[float, float]:
    """Where it lies, right and down of the picture's middle, in longer edges of the picture."""
    height, width = picture.shape[:2]
    return (one.x - width / 2) / max(height, width), (one.y - height / 2) / max(height, width)


def _turned(quarters: int) -> NDArray[np.float64]:
    """What turns a vector (right, down) back, counterclockwise by so many quarters."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters]
    return np.array([[cos, -sin], [sin, cos]], np.float64)


def _softmax(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    grown = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True))


def _merged(maps: NDArray[np.float64]) -> NDArray[np.float64]:
    """One answer, as in `Faces`, of those in all `VIEWS` of each place: (places, 3, rows, columns)."""
    rows, columns = np.mgrid[: maps.shape[3], : maps.shape[4]]
    views = []
    for (near, flip), seen in zip(VIEWS, maps, strict=True):
        chance = _softmax(seen[:, 0].reshape(len(seen), -1)).reshape(seen[:, 0].shape)
        right, down = ((v + 0.5) * CELL / SIDE - 0.5 for v in (columns + seen[:, 1], rows + seen[:, 2]))
        views.append(np.stack([chance, flip * near * CONTEXT * right, near * CONTEXT * down], axis=1)[..., ::flip])
    return np.asarray(np.mean(views, axis=0))


def _peaks(answer: NDArray[np.float64]) -> list[Spot]:
    """The faces that may be on top, likeliest first: right and down of the die's middle, in its widths, and
    probability, which together is 1, and that to a wary eye; of an answer of `Slant.weigh`."""
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
