"""Dice in a settled frame, at any scale: where they may be, as candidates that `read` then judges one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.weights import WEIGHTS

STRIDE = 4
"""Pixels of the net's input to one cell of its answer."""

UNIT = 32.0
"""The die size, in pixels of the net's input, at which the net answers 0 for the (base 2) logarithm of the size."""

EDGES = (640, 256, 128)
"""The frame is shown to the net with its longer edge at each of these lengths: together they cover dice from a
fiftieth to a half of that edge, whatever the camera's resolution."""

DOUBTFUL = 0.2
"""Candidates whose heat (0 to 1) is lower are not worth a look by `read`."""


FINE = 24.0
"""A die seen this wide, in pixels of the net's input, or wider is placed well; what was seen smaller gives way."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Where a die may be: its centre and its width, in pixels of the frame, and the heat (0 to 1) found there.

    `seen` is its width as the net saw it, in pixels of the net's input: the wider, the better placed.
    """

    x: float
    y: float
    size: float
    heat: float
    seen: float = FINE

    @property
    def worth(self) -> float:
        """What two candidates of one die are compared by: the heat, less where the die was seen small."""
        return float(self.heat * min(1.0, self.seen / FINE) ** 0.5)


def open_net(model: Path) -> cv2.dnn.Net:
    """The net in an ONNX file, run by OpenCV's older engine where there are two: it is a third faster on few crops."""
    older = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return cv2.dnn.readNetFromONNX(str(model)) if older is None else cv2.dnn.readNetFromONNX(str(model), older)


class Finder:
    """The detector: a small net that marks the centres of dice, run at several scales.

    `model` is an ONNX file; without one the weights beside this module are used. They are read on the first `find`.
    `edges` are the lengths of the frame's longer edge, in pixels, that the net is shown.
    """

    def __init__(self, model: Path | None = None, edges: Sequence[int] = EDGES) -> None:
        self._model, self._edges = model or WEIGHTS / "find.onnx", edges
        self._net: cv2.dnn.Net | None = None

    def find(self, frame: NDArray[np.uint8]) -> list[Candidate]:
        """The candidates in a BGR frame (HxWx3), worthiest first, at most one to a place and size."""
        if self._net is None:
            self._net = open_net(self._model)
        found: list[Candidate] = []
        for edge in self._edges:
            found += self._look(frame, edge)
        return separate(found)

    def _look(self, frame: NDArray[np.uint8], edge: int) -> list[Candidate]:
        """The candidates at one scale."""
        assert self._net is not None
        height, width = frame.shape[:2]
        scale = edge / max(height, width)
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(frame, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=way)
        # The net halves its input four times: make both edges fit.
        down, right = -small.shape[0] % 16, -small.shape[1] % 16
        small = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
        self._net.setInput(cv2.dnn.blobFromImage(small))
        answer = self._net.forward()[0]
        heat = 1 / (1 + np.exp(-answer[0]))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > DOUBTFUL)
        found = []
        for row, column in np.argwhere(peak).tolist():
            _, log_size, dx, dy = (float(v) for v in answer[:, row, column])
            seen = UNIT * 2 ** min(max(log_size, -2.0), 2.0)
            found.append(
                Candidate(
                    x=(column + 0.5 + dx) * STRIDE / scale,
                    y=(row + 0.5 + dy) * STRIDE / scale,
                    size=seen / scale,
                    heat=float(heat[row, column]),
                    seen=seen,
                )
            )
        return found


def separate(candidates: list[Candidate]) -> list[Candidate]:
    """The worthiest candidate of each place and size, worthiest first.

    A die's middle pip may be hotter than the die around it, so only candidates of like size displace each other.
    """
    kept: list[Candidate] = []
    for one in sorted(candidates, key=lambda c: -c.worth):
        if not any(_same(one, other) for other in kept):
            kept.append(one)
    return kept


def _same(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates can only be one die: two dice are never closer than half the smaller one's width."""
    small, large = sorted((one.size, other.size))
    return large < 1.6 * small and bool(np.hypot(one.x - other.x, one.y - other.y) < 0.5 * small)
