"""Detect candidates for dice in a still image, at any scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.weights import WEIGHTS_FOLDER

OUTPUT_STRIDE_PX = 4  # input pixels per output cell
UNIT_WIDTH_PX = 32.0  # The network outputs log2 of the size relative to this width in input pixels.
# Longer edges, in pixels, to which the image is resized. Together they cover dice from 1/50 to 1/2 of that edge, at any
# camera resolution.
DEFAULT_EDGES_PX = (640, 256, 128)
MIN_SCORE = 0.2  # minimum detector score of a candidate, 0 to 1
# Minimum width in input pixels for precise localization. Smaller detections yield to larger ones.
PRECISE_WIDTH_PX = 24.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate for a die.

    x, y, size: center and width, in pixels of the frame.
    heat: detector score, 0 to 1.
    seen: width in input pixels of the network. Wider is more precise.
    """

    x: float
    y: float
    size: float
    heat: float
    seen: float = PRECISE_WIDTH_PX

    @property
    def suppression_score(self) -> float:
        """Detector score for non-maximum suppression, reduced for small detections."""
        return float(self.heat * min(1.0, self.seen / PRECISE_WIDTH_PX) ** 0.5)

    def distance_to(self, other: "Candidate") -> float:
        return float(np.hypot(self.x - other.x, self.y - other.y))

    def overhang_share(self, width: int, height: int) -> float:
        """Return the share of its width that is outside an image of this size in pixels."""
        half = self.size / 2
        return max(half - self.x, half - self.y, self.x + half - width, self.y + half - height, 0.0) / self.size


class OnnxNet:
    """A network in an ONNX file, loaded on first use."""

    def __init__(self, model: Path) -> None:
        self._model = model

    @cached_property
    def _net(self) -> cv2.dnn.Net:
        # ENGINE_CLASSIC, where it exists, is a third faster on small batches.
        older = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        return cv2.dnn.readNetFromONNX(str(self._model), *(() if older is None else (older,)))

    def run_crops(self, crops: Sequence[MatLike], *outputs: str) -> Sequence[NDArray[np.float32]]:
        """Run the network on BGR crops of one size. Return the named outputs, or the only one."""
        return self.run_blob(cv2.dnn.blobFromImages(crops), *outputs)

    def run_blob(self, planes: MatLike, *outputs: str) -> Sequence[NDArray[np.float32]]:
        """Run the network on a blob (crops, channels, rows, columns). Return the named outputs, or the only one."""
        self._net.setInput(planes)
        answers = self._net.forward(outputs) if outputs else [self._net.forward()]
        return [answer.astype(np.float32, copy=False) for answer in answers]


class Detector:
    """A small network that detects centers of dice. `model` is an ONNX file (default: `find.onnx`), and `edges` are the
    longer edges in pixels to which images are resized."""

    def __init__(self, model: Path | None = None, edges: Sequence[int] = DEFAULT_EDGES_PX) -> None:
        self._net, self._edges = OnnxNet(model or WEIGHTS_FOLDER / "find.onnx"), edges

    def detect_dice(self, frame: NDArray[np.uint8]) -> list[Candidate]:
        """Detect candidates in a BGR image by descending score, at most one per location and size."""
        return suppress_duplicates([one for edge in self._edges for one in self._detect_at_scale(frame, edge)])

    def _detect_at_scale(self, frame: NDArray[np.uint8], edge: int) -> list[Candidate]:
        height, width = frame.shape[:2]
        scale = edge / max(height, width)
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(frame, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=way)
        # Both edges must be multiples of 16, because the network halves its input four times.
        down, right = -small.shape[0] % 16, -small.shape[1] % 16
        small = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
        answer = self._net.run_crops([small])[0][0]
        heat = 1 / (1 + np.exp(-answer[0]))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > MIN_SCORE)
        found = []
        for row, column in np.argwhere(peak).tolist():
            _, log_size, dx, dy = (float(v) for v in answer[:, row, column])
            seen = UNIT_WIDTH_PX * 2 ** min(max(log_size, -2.0), 2.0)
            x, y = (column + 0.5 + dx) * OUTPUT_STRIDE_PX / scale, (row + 0.5 + dy) * OUTPUT_STRIDE_PX / scale
            found.append(Candidate(x, y, seen / scale, float(heat[row, column]), seen))
        return found


def suppress_duplicates(candidates: list[Candidate]) -> list[Candidate]:
    """Apply non-maximum suppression, by descending score. Only candidates of similar size suppress each other, because
    a center pip may score higher than the die around it."""
    kept: list[Candidate] = []
    for one in sorted(candidates, key=lambda c: -c.suppression_score):
        if not any(_is_same_die(one, other) for other in kept):
            kept.append(one)
    return kept


def _is_same_die(one: Candidate, other: Candidate) -> bool:
    """True if two candidates must be the same die, because dice are never closer than half the smaller one's width."""
    small, large = sorted((one.size, other.size))
    return large < 1.6 * small and one.distance_to(other) < 0.5 * small
