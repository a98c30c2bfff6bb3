"""Detect dice in a settled frame at any scale, as candidates that the classifiers then judge one by one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.weights import WEIGHTS_FOLDER

OUTPUT_STRIDE_PX = 4  # pixels of the net's input per cell of its output
# The die width, in pixels of the net's input, for which the net outputs 0 as the base 2 logarithm of the size.
UNIT_WIDTH_PX = 32.0
# Lengths of the frame's longer edge, in pixels, at which the net sees it. Together they cover dice from a fiftieth to a
# half of that edge, at any camera resolution.
DEFAULT_EDGES_PX = (640, 256, 128)
MIN_HEAT = 0.2  # candidates with less heat (0 to 1) are not worth classifying
# Width, in pixels of the net's input, from which a die is located well. One detected smaller yields to one detected
# larger.
PRECISE_WIDTH_PX = 24.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Where a die may be: its center and width, in pixels of the frame, and the heat (0 to 1) found there. `seen` is
    its width in pixels of the net's input: the wider, the better it is located."""

    x: float
    y: float
    size: float
    heat: float
    seen: float = PRECISE_WIDTH_PX

    @property
    def adjusted_heat(self) -> float:
        """Score that compares two candidates of one die: the heat, reduced where the die was seen small."""
        return float(self.heat * min(1.0, self.seen / PRECISE_WIDTH_PX) ** 0.5)

    def distance_to(self, other: "Candidate") -> float:
        """Return the distance between the centers, in pixels."""
        return float(np.hypot(self.x - other.x, self.y - other.y))

    def overhang_share(self, width: int, height: int) -> float:
        """Return how far it reaches beyond a picture of this size in pixels, as a share of its own width."""
        half = self.size / 2
        return max(half - self.x, half - self.y, self.x + half - width, self.y + half - height, 0.0) / self.size


class OnnxNet:
    """The net in the ONNX file `model`, opened on first use."""

    def __init__(self, model: Path) -> None:
        self._model = model

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        # The older of OpenCV's engines, where there are two, is a third faster on few crops.
        older = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        return cv2.dnn.readNetFromONNX(str(self._model), *(() if older is None else (older,)))

    def run_crops(self, crops: Sequence[MatLike], *outputs: str) -> Sequence[NDArray[np.float32]]:
        """Return these outputs for BGR crops of one size, or the net's only output."""
        return self.run_blob(cv2.dnn.blobFromImages(crops), *outputs)

    def run_blob(self, planes: MatLike, *outputs: str) -> Sequence[NDArray[np.float32]]:
        """Return these outputs for crops as planes (crops, colors, rows, columns), or the net's only output."""
        self._net.setInput(planes)
        answers = self._net.forward(outputs) if outputs else [self._net.forward()]
        return [answer.astype(np.float32, copy=False) for answer in answers]


class Detector:
    """The detector: a small net that marks the centers of dice. `model` is an ONNX file, by default the one that ships.
    `edges` are the lengths of the frame's longer edge, in pixels, at which the net sees it."""

    def __init__(self, model: Path | None = None, edges: Sequence[int] = DEFAULT_EDGES_PX) -> None:
        self._net, self._edges = OnnxNet(model or WEIGHTS_FOLDER / "find.onnx"), edges

    def detect_dice(self, frame: NDArray[np.uint8]) -> list[Candidate]:
        """Return the candidates in a BGR frame (HxWx3), worthiest first, at most one for a place and size."""
        return suppress_duplicates([one for edge in self._edges for one in self._detect_at_scale(frame, edge)])

    def _detect_at_scale(self, frame: NDArray[np.uint8], edge: int) -> list[Candidate]:
        """Return the candidates at one scale."""
        height, width = frame.shape[:2]
        scale = edge / max(height, width)
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(frame, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=way)
        # The net halves its input four times: make both edges fit.
        down, right = -small.shape[0] % 16, -small.shape[1] % 16
        small = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
        answer = self._net.run_crops([small])[0][0]
        heat = 1 / (1 + np.exp(-answer[0]))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > MIN_HEAT)
        found = []
        for row, column in np.argwhere(peak).tolist():
            _, log_size, dx, dy = (float(v) for v in answer[:, row, column])
            seen = UNIT_WIDTH_PX * 2 ** min(max(log_size, -2.0), 2.0)
            x, y = (column + 0.5 + dx) * OUTPUT_STRIDE_PX / scale, (row + 0.5 + dy) * OUTPUT_STRIDE_PX / scale
            found.append(Candidate(x, y, seen / scale, float(heat[row, column]), seen))
        return found


def suppress_duplicates(candidates: list[Candidate]) -> list[Candidate]:
    """Return the worthiest candidate of each place and size, worthiest first. A die's middle pip may be hotter than the
    die around it, so only candidates of similar size displace each other."""
    kept: list[Candidate] = []
    for one in sorted(candidates, key=lambda c: -c.adjusted_heat):
        if not any(_is_same_die(one, other) for other in kept):
            kept.append(one)
    return kept


def _is_same_die(one: Candidate, other: Candidate) -> bool:
    """True if two candidates can only be one die: two dice are never closer than half the smaller one's width."""
    small, large = sorted((one.size, other.size))
    return large < 1.6 * small and one.distance_to(other) < 0.5 * small
