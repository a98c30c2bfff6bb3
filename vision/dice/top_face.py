"""Estimate how far the camera is tilted from what it saw: that tells which visible face of a die is the top one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# The cameras considered: tilted by these degrees, turned by these degrees about their line of sight, with these focal
# lengths, in longer edges of the picture.
TILTS, TURNS, FOCALS = range(0, 64, 4), range(0, 360, 15), (0.8, 1.2, 2.0)
# Share of cameras that hang roughly straight above the tray, as the manual asks; and the share among
# those that `top.onnx` was trained with. The wary prior uses the second.
STRAIGHT, SHOWN = 0.95, 0.4
# By how many degrees the first sway; from how many degrees the others are tilted; by how many degrees these are turned;
# and the share of them that is turned by any angle.
HANGS, AIMED, UPRIGHT, ROLLED = 5.0, 10.0, 15.0, 0.25
# Height of the print on the top face above the die's middle, by shape, in widths of the die as `spot.onnx` measures
# them. From drawn dice.
HIGH = {"none": 0.47, "cube": 0.44, "d8": 0.44, "d10": 0.48, "d12": 0.5, "d20": 0.53, "d24": 0.51}
# Spread of that point to the side, in these widths; numerals of a d10 are far from the middle of the face.
BESIDE, FAR = 0.05, {"d10": 0.11}
LAY = 0.11  # spread of the top faces around the die's middle in training, from where in the picture a die lay
# Offsets from a die's middle are quantized in a square of this many widths of the die, with this many cells per edge.
EXTENT, CELLS = 1.5, 64
LEAK = 0.0003  # probability that a cell has the top face whatever the net says of it
MISLED = 0.03  # share of dice about which the net is wrong, so that they tell nothing of the camera
FORGET = 0.0001  # probability that the camera was moved from one look at a die to the next
# A die still lies where it was seen if the picture there, its longer edge shrunk to `VIEW` pixels, correlates with the
# earlier one by more than `SAME`: frames of one die by 0.998, 95 % of throws to one place by less than 0.83.
VIEW, SAME = 160, 0.95
REMEMBERED = 80  # looks at dice that are remembered
LEANS = 0.0003  # weight of an answer that no camera explains, relative to an answer without a camera estimate
# Until this many looks at other dice agree with the estimated camera, it makes no place likelier than another by more
# than the second factor: enough where the net hesitates, and too little to be certain where the net is clear.
KNOWN, OVERRULE = 6, 500.0
# Two pictures of one camera differ in most places by less than this share of their brightness, whatever dice lie there;
# and the number of cameras that are remembered.
ALIKE, KEPT = 0.02, 8
THUMB = (16, 12)  # width and height at which they are compared, in pixels


@dataclass(frozen=True, slots=True, eq=False)
class TopFaceMap:
    """The output of `top.onnx` for one die.

    `answer` (3, rows, columns): for each cell the probability that the top face is there, and its offset from the die's
    middle to the right and down, in widths of the die. `right` and `down`: where the die lies, from the picture's
    middle, in longer edges of it; `size`: its width in these. `shape`: one of `classify_numerals.SHAPES`. A place that
    is not `sure` to be a die says nothing of the camera.
    """

    answer: NDArray[np.float64]
    right: float
    down: float
    size: float
    shape: str
    sure: bool = True


_TILT, _TURN, _FOCAL = (way.ravel() for way in np.meshgrid(np.radians(TILTS), np.radians(TURNS), FOCALS, indexing="ij"))
# For each camera the direction up: right, down and ahead in its picture.
_UP = np.stack([np.sin(_TILT) * np.sin(_TURN), -np.sin(_TILT) * np.cos(_TURN), -np.cos(_TILT)], axis=1)


def _prior(straight: float) -> NDArray[np.float64]:
    """Return how likely each camera is if this share of them hangs straight above."""
    tilt, aside = np.degrees(_TILT), np.degrees(np.minimum(_TURN, math.tau - _TURN))
    above = np.maximum(tilt, 1) * np.exp(-((tilt / HANGS) ** 2) / 2)
    upright = np.exp(-((aside / UPRIGHT) ** 2) / 2)
    turned = (1 - ROLLED) * upright / upright.mean() + ROLLED
    aslant = turned * (tilt > AIMED)
    return np.asarray(straight * above / above.sum() + (1 - straight) * aslant / aslant.sum())


def _expected(right: float, down: float, high: float) -> NDArray[np.int64]:
    """Return the cell in which each camera sees the top face of a die that lies there."""
    rays = np.stack([right / _FOCAL, down / _FOCAL, np.ones(len(_FOCAL))], axis=1)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    aside = _UP - (_UP * rays).sum(axis=1, keepdims=True) * rays
    return _cell(high * aside[:, 0], high * aside[:, 1])


def _cell(right: NDArray[np.float64], down: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the cells of these offsets, in widths of the die. Offsets outside are moved to the edge."""
    columns, rows = (np.clip(((v / EXTENT + 0.5) * CELLS).astype(np.int64), 0, CELLS - 1) for v in (right, down))
    return rows * CELLS + columns


def _map(cells: NDArray[np.int64], much: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """Return how much there is in and around each cell."""
    sums = np.bincount(cells.ravel(), much.ravel(), CELLS * CELLS).reshape(CELLS, CELLS)
    return np.asarray(cv2.GaussianBlur(sums, (0, 0), spread / EXTENT * CELLS), np.float64).ravel()


_PRIORS = np.stack([_prior(STRAIGHT), _prior(SHOWN)])
# How often the top face was in each cell in training: that much of the net's answer is only habit.
_USUAL = (1 - MISLED) * _map(_expected(0, 0, HIGH["none"]), _prior(SHOWN), LAY) + MISLED / CELLS**2


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What a look at a die told: how well each camera fits. `die`: what was seen, `crop`: its picture, see `_crop`."""

    die: TopFaceMap
    crop: NDArray[np.float64]
    fit: NDArray[np.float64]

    def still_lies(self, view: NDArray[np.float64]) -> bool:
        """True if the die lies in this view as it lay then."""
        now = _crop(view, self.die)
        return now.size == self.crop.size and float(now @ self.crop) > SAME


def _view(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return a BGR picture in gray, as small as looks are compared."""
    scale = VIEW / max(picture.shape[:2])
    size = [max(1, round(edge * scale)) for edge in picture.shape[1::-1]]
    gray = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(gray, np.float64)


def _crop(view: NDArray[np.float64], die: TopFaceMap) -> NDArray[np.float64]:
    """Return the square of a view where a die lies, as a vector; the product of two is their correlation."""
    rows, columns = view.shape
    x, y, half = columns / 2 + die.right * VIEW, rows / 2 + die.down * VIEW, max(die.size * VIEW / 2, 1)
    top, bottom, left, right = (max(0, round(v)) for v in (y - half, y + half, x - half, x + half))
    part = view[top:bottom, left:right].ravel()
    part = part - part.sum() / max(part.size, 1)
    return np.asarray(part / max(math.sqrt(part @ part), 1.0))


def _believe(looks: Sequence[_Look], likely: NDArray[np.float64] = _PRIORS) -> NDArray[np.float64]:
    """Return how likely each camera is, by either prior, after these looks, oldest first; `likely` is that before."""
    for look in looks:
        likely = likely * look.fit
        likely = (1 - FORGET) * likely / likely.sum(axis=1, keepdims=True) + FORGET * _PRIORS
    return likely


def _is_known(likely: NDArray[np.float64], looks: Sequence[_Look]) -> bool:
    """True if enough looks agree with these cameras, that is, fit them better than not knowing any."""
    return sum(bool(look.fit @ likely > likely.sum()) for look in looks) >= KNOWN


class CameraTilt:
    """Estimates the camera from the dice it saw. `top.onnx` may take another face of one die for the top; over many
    dice only the true place repeats. Lenses that bend straight lines, and pictures that are cut out of a larger one,
    are not considered."""

    def __init__(self) -> None:
        self._seen: list[_Look] = []
        self._likely = _PRIORS
        self._before = self._seen, self._likely

    @property
    def tilt(self) -> float:
        """The camera's estimated tilt, in degrees."""
        return float(self._likely[0] @ np.degrees(np.arccos(np.clip(-_UP[:, 2], -1, 1))))

    def weigh(
        self, dice: Sequence[TopFaceMap], picture: NDArray[np.uint8], *, again: bool = False
    ) -> list[NDArray[np.float64]]:
        """Return the answers about the dice of one BGR picture, weighed by what these and earlier dice tell of the
        camera. The dice are learned from. Each counts once: what was learned of a die that still lies there is
        forgotten first, and so is what this picture told when it was classified before (`again`). Each answer is
        (4, rows, columns), as in `TopFaceMap` but with a second plane of probabilities, those of the wary prior."""
        view = _view(picture)
        self._before = seen, before = self._before if again else (self._seen, self._likely)
        earlier = [look for look in seen if not look.still_lies(view)]
        if len(earlier) < len(seen):
            before = _believe(earlier)
        cells = [_cell(one.answer[1], one.answer[2]) for one in dice]
        places = [_expected(one.right, one.down, HIGH[one.shape]) for one in dice]
        fits = [self._fit(*one) for one in zip(dice, cells, places, strict=True)]
        likely = before * np.prod(fits, axis=0)
        known = _is_known(before[0], earlier)
        found = []
        for one, cell, place, fit in zip(dice, cells, places, fits, strict=True):
            chances = []
            for others in likely / fit:
                there = _map(place, others / others.sum(), FAR.get(one.shape, BESIDE))
                weight = there / _USUAL
                weight += LEANS if known else max(LEANS, weight.max() / OVERRULE)
                chance = (one.answer[0] + LEAK) * weight[cell]
                chances.append(chance / chance.sum())
            found.append(np.stack([*chances, *one.answer[1:]]))
        now = [_Look(one, _crop(view, one), fit) for one, fit in zip(dice, fits, strict=True) if one.sure]
        self._seen, self._likely = [*earlier, *now][-REMEMBERED:], _believe(now, before)
        return found

    def _fit(self, one: TopFaceMap, cell: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how well each camera fits the answer about a die."""
        if not one.sure:
            return np.ones(len(place))
        support = _map(cell, (one.answer[0] + LEAK) / _USUAL[cell], FAR.get(one.shape, BESIDE))
        return np.asarray((1 - MISLED) * support[place] + MISLED)


class CameraTilts:
    """The cameras that took the pictures, distinguished by what these show beside the dice."""

    def __init__(self) -> None:
        self._known: list[tuple[NDArray[np.float64], CameraTilt]] = []

    def of(self, picture: NDArray[np.uint8]) -> CameraTilt:
        """Return the tilt of the camera that took a BGR picture: one of the newest `KEPT`, or a new one."""
        small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), THUMB, interpolation=cv2.INTER_AREA)
        seen = np.asarray(small / max(float(np.median(small)), 1.0), np.float64)
        gaps = [float(np.median(np.abs(seen - other))) for other, _ in self._known]
        at = int(np.argmin(gaps)) if gaps and min(gaps) < ALIKE else None
        slant = CameraTilt() if at is None else self._known.pop(at)[1]
        self._known = [*self._known, (seen, slant)][-KEPT:]
        return slant
