"""Find what else may be wrong with a die: it leans, lies in a pile, shows no pips, or is washed out by light."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.dice.classify_pips import crop_place
from vision.dice.detect import Candidate, Net
from vision.weights import WEIGHTS

FLAGS = ("cocked", "stacked", "symbol", "glare")  # the defects, each estimated independently
# Edge of the square the net sees, in pixels, and how much it shows, in widths of the die: enough to include what the
# die lies or leans on.
SIDE, CONTEXT = 64, 2.0


class DefectNet:
    """Estimates how likely each of FLAGS is. `model` is an ONNX file, by default the one that ships."""

    def __init__(self, model: Path | None = None) -> None:
        self._net = Net(model or WEIGHTS / "flag.onnx")

    def classify(self, frame: NDArray[np.uint8], candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Return a row of probabilities, one for each of FLAGS, for each candidate in a BGR frame."""
        if not candidates:
            return np.zeros((0, len(FLAGS)))
        (answer,) = self._net.run([crop_place(frame, one, SIDE, CONTEXT) for one in candidates])
        return np.asarray(1 / (1 + np.exp(-answer.astype(np.float64))))
