"""The value of one die, with a probability."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.detect import Candidate, open_net
from vision.weights import WEIGHTS

SIDE, CLOSE = 48, 64
"""The edges of the squares that the two nets look at, in pixels: the second looks closely, at what is in doubt."""

CONTEXT = 1.5
"""How much of the scene a crop shows, in widths of the die."""

NOTHING = 0.97
"""What is no face as it lies with this probability is not shown turned."""

CLEAR = 0.99
"""What is clear with this probability after two turns is not shown in the other two; after these it is not looked at
closely."""

SHARPEN = 0.7
"""The answers are divided by this before they become probabilities: chosen on pictures held out, see SOURCE.md."""

Crop = NDArray[np.uint8]


class Views(NamedTuple):
    """A place as the nets are shown it, BGR: SIDE x SIDE x 3 pixels, and CLOSE x CLOSE x 3."""

    whole: Crop
    close: Crop


class Classifier:
    """Looks at one candidate at a time and says how likely each value is: a die has no upright, so the answers of up to
    four quarter turns are averaged. Where they leave a doubt, a larger net that sees more pixels says as much: the
    geometric mean is taken.

    The weights beside this module are used, and read when they are first needed.
    """

    def __init__(self) -> None:
        self._net, self._close = Net(WEIGHTS / "read.onnx"), Net(WEIGHTS / "close.onnx")

    def look(self, views: Sequence[Views], on: Sequence[int | None] | None = None) -> NDArray[np.float64]:
        """A row of 7 probabilities for each place: "not a die's face", then the values 1 to 6.

        `on` tells by its index on which far wider place each lies, if on any: where that is a clear face, what is in
        doubt is a pip of it, and not worth a close look.
        """
        if not views:
            return np.zeros((0, 7))
        chances = self._net.ask([view.whole for view in views])
        unsure = [n for n, row in enumerate(chances) if row[0] < NOTHING]
        self._turn(views, chances, unsure, (1,))
        unsure = [n for n in unsure if chances[n].max() < CLEAR]
        self._turn(views, chances, unsure, (2, 3))
        wide = on or [None] * len(views)
        doubtful = [n for n in unsure if chances[n].max() < CLEAR and not _clear(chances, wide[n])]
        if doubtful:
            closely = self._close.turned([views[n].close for n in doubtful], range(4)).mean(axis=1)
            both = np.sqrt(chances[doubtful] * closely)
            chances[doubtful] = both / both.sum(axis=1, keepdims=True)
        return chances

    def _turn(
        self, views: Sequence[Views], chances: NDArray[np.float64], which: list[int], turns: tuple[int, ...]
    ) -> None:
        """Average into `chances` how `which` of the places look in these quarter turns; the turns before are in it."""
        if which:
            more = self._net.turned([views[n].whole for n in which], turns)
            chances[which] = (chances[which] * turns[0] + more.sum(axis=1)) / (turns[-1] + 1)


class Net:
    """The net in the ONNX file `model`, which is read on the first `ask`."""

    def __init__(self, model: Path) -> None:
        self._model = model
        self._net: cv2.dnn.Net | None = None

    def ask(self, crops: Sequence[Crop]) -> NDArray[np.float64]:
        """The probabilities of each crop, a row each."""
        if self._net is None:
            self._net = open_net(self._model)
        self._net.setInput(cv2.dnn.blobFromImages(crops))
        logits = self._net.forward().astype(np.float64) / SHARPEN
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        each: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return each

    def turned(self, crops: Sequence[Crop], turns: Sequence[int]) -> NDArray[np.float64]:
        """The probabilities of each crop in each of these quarter turns: len(crops) x len(turns) x 7."""
        each = self.ask([np.ascontiguousarray(np.rot90(one, turn)) for one in crops for turn in turns])
        return each.reshape(len(crops), len(turns), -1)


def _clear(chances: NDArray[np.float64], place: int | None) -> bool:
    """Whether there is such a place, and it is a clear face."""
    return place is not None and float(chances[place, 1:].max()) >= CLEAR


def views(frame: NDArray[np.uint8], one: Candidate) -> Views:
    """What the nets are shown of a candidate in a BGR frame."""
    return Views(crop(frame, one), crop(frame, one, CLOSE))


def crop(frame: NDArray[np.uint8], one: Candidate, side: int = SIDE, context: float = CONTEXT) -> NDArray[np.uint8]:
    """The candidate and its surroundings, `context` of its widths in all, as side x side x 3 pixels; beyond the frame
    its edge is repeated."""
    half = context * one.size / 2
    height, width = frame.shape[:2]
    left, top = round(one.x - half), round(one.y - half)
    edge = max(1, round(2 * half))
    x0, y0 = min(max(left, 0), width - 1), min(max(top, 0), height - 1)
    x1, y1 = max(min(left + edge, width), x0 + 1), max(min(top + edge, height), y0 + 1)
    seen = frame[y0:y1, x0:x1]
    above, below, before, after = (max(0, n) for n in (y0 - top, top + edge - y1, x0 - left, left + edge - x1))
    if above or below or before or after:
        seen = cv2.copyMakeBorder(seen, above, below, before, after, cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)
    way = cv2.INTER_AREA if edge > side else cv2.INTER_LINEAR
    return cv2.resize(seen, (side, side), interpolation=way).astype(np.uint8, copy=False)
