"""The value of one die, with a probability."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import Candidate, open_net

SIDE = 48
"""The edge of the square the net looks at, in pixels."""

CONTEXT = 1.5
"""How much of the scene a crop shows, in widths of the die."""

NOTHING = 0.97
"""What is no face as it lies with this probability is not shown turned."""

CLEAR = 0.99
"""What is clear with this probability after two turns is not shown in the other two."""

SHARPEN = 0.7
"""The answers are divided by this before they become probabilities: chosen on pictures held out, see SOURCE.md."""


class Classifier:
    """Looks at one candidate at a time and says how likely each value is: a die has no upright, so the answers of up to
    four quarter turns are averaged.

    `model` is an ONNX file; without one the weights beside this module are used. They are read on the first look.
    """

    def __init__(self, model: Path | None = None) -> None:
        self._model = model or Path(__file__).with_name("read.onnx")
        self._net: cv2.dnn.Net | None = None

    def look(self, frame: NDArray[np.uint8], candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """A row of 7 probabilities for each candidate in a BGR frame: "not a die's face", then the values 1 to 6."""
        if not candidates:
            return np.zeros((0, 7))
        crops = [crop(frame, one) for one in candidates]
        chances = self._ask(crops)
        unsure = [n for n, row in enumerate(chances) if row[0] < NOTHING]
        self._turn(crops, chances, unsure, (1,))
        unsure = [n for n in unsure if chances[n].max() < CLEAR]
        self._turn(crops, chances, unsure, (2, 3))
        return chances

    def _turn(
        self, crops: Sequence[NDArray[np.uint8]], chances: NDArray[np.float64], which: list[int], turns: tuple[int, ...]
    ) -> None:
        """Average into `chances` how `which` of the crops look in these quarter turns; the turns before are in it."""
        if which:
            turned = [np.ascontiguousarray(np.rot90(crops[n], turn)) for n in which for turn in turns]
            more = self._ask(turned).reshape(len(which), len(turns), 7)
            chances[which] = (chances[which] * turns[0] + more.sum(axis=1)) / (turns[-1] + 1)

    def _ask(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float64]:
        """The net's probabilities for each crop, a row each."""
        if self._net is None:
            self._net = open_net(self._model)
        self._net.setInput(cv2.dnn.blobFromImages(crops))
        logits = self._net.forward().astype(np.float64) / SHARPEN
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        each: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return each


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
