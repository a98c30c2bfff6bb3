"""Classify the pips of one die: a probability for each value."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.detect import Candidate, Net, softmax
from vision.weights import WEIGHTS

# Edges of the squares that the two nets see, in pixels. The second takes a close look at whatever is in doubt.
SIDE, CLOSE = 48, 64
CONTEXT = 1.5  # how much of the scene a crop shows, in widths of the die
NOTHING = 0.97  # probability of "not a face" from which a place is not shown again in other turns
# Probability from which an answer is clear. After two turns the other two are skipped; after four, the close look.
CLEAR = 0.99
# The outputs are divided by this before they become probabilities. Chosen on held-out pictures, see SOURCE.md.
SHARPEN = 0.7

Crop = NDArray[np.uint8]


class Views(NamedTuple):
    """A place as the nets see it, BGR: SIDE x SIDE x 3 pixels, and CLOSE x CLOSE x 3."""

    whole: Crop
    close: Crop


class PipClassifier:
    """Estimates how likely each value is, one candidate at a time. A die has no upright, so the answers of up to four
    quarter turns are averaged. Where they leave a doubt, a larger net that sees more pixels gives a second opinion, and
    the geometric mean is used."""

    def __init__(self) -> None:
        self._net, self._close = CropNet(WEIGHTS / "read.onnx"), CropNet(WEIGHTS / "close.onnx")

    def classify(self, views: Sequence[Views], on: Sequence[int | None] | None = None) -> NDArray[np.float64]:
        """Return a row of 7 probabilities for each place: "not a die's face", then the values 1 to 6. `on` gives for
        each place the index of a far wider place that it lies on, or None. On a clear face a doubtful place is a pip,
        which is not worth a close look."""
        if not views:
            return np.zeros((0, 7))
        chances = self._net.classify([view.whole for view in views])
        unsure = [n for n, row in enumerate(chances) if row[0] < NOTHING]
        self._turn(views, chances, unsure, (1,))
        unsure = [n for n in unsure if chances[n].max() < CLEAR]
        self._turn(views, chances, unsure, (2, 3))
        wide = on or [None] * len(views)
        doubtful = [n for n in unsure if chances[n].max() < CLEAR and not _is_clear(chances, wide[n])]
        if doubtful:
            closely = self._close.classify_turned([views[n].close for n in doubtful], range(4)).mean(axis=1)
            both = np.sqrt(chances[doubtful] * closely)
            chances[doubtful] = both / both.sum(axis=1, keepdims=True)
        return chances

    def _turn(
        self, views: Sequence[Views], chances: NDArray[np.float64], which: list[int], turns: tuple[int, ...]
    ) -> None:
        """Average these quarter turns of the places `which` into `chances`, which already hold the turns before."""
        if which:
            more = self._net.classify_turned([views[n].whole for n in which], turns)
            chances[which] = (chances[which] * turns[0] + more.sum(axis=1)) / (turns[-1] + 1)


class CropNet:
    """The net in the ONNX file `model`, which reads pips."""

    def __init__(self, model: Path) -> None:
        self._net = Net(model)

    def classify(self, crops: Sequence[Crop]) -> NDArray[np.float64]:
        """Return the probabilities of each crop, one row each."""
        (answer,) = self._net.run(crops)
        return softmax(answer.astype(np.float64) / SHARPEN)

    def classify_turned(self, crops: Sequence[Crop], turns: Sequence[int]) -> NDArray[np.float64]:
        """Return the probabilities of each crop in each of these quarter turns: len(crops) x len(turns) x 7."""
        each = self.classify([np.ascontiguousarray(np.rot90(one, turn)) for one in crops for turn in turns])
        return each.reshape(len(crops), len(turns), -1)


def _is_clear(chances: NDArray[np.float64], place: int | None) -> bool:
    """True if there is such a place and it is clearly a face."""
    return place is not None and float(chances[place, 1:].max()) >= CLEAR


def crop_views(frame: NDArray[np.uint8], one: Candidate) -> Views:
    """Return what the nets see of a candidate in a BGR frame."""
    return Views(crop_place(frame, one), crop_place(frame, one, CLOSE))


def crop_place(
    frame: NDArray[np.uint8], one: Candidate, side: int = SIDE, context: float = CONTEXT
) -> NDArray[np.uint8]:
    """Return `context` widths of the scene around a candidate, (side, side, 3); beyond the frame its edge repeats."""
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
