"""What else may be the matter with a die: it leans, lies in a pile, shows no pips, or is washed out by light."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.classify import crop
from vision.dice.detect import Candidate, open_net
from vision.weights import WEIGHTS

FLAGS = ("cocked", "stacked", "symbol", "glare")
"""What is asked of each crop, each for itself."""

SIDE, CONTEXT = 64, 2.0
"""The edge of the square the net looks at, in pixels, and how much that shows, in widths of the die: also what the die
lies or leans on."""


class Flagger:
    """Looks at one candidate at a time and says how likely each of FLAGS is.

    `model` is an ONNX file; without one the weights that ship are used. They are read on the first look.
    """

    def __init__(self, model: Path | None = None) -> None:
        self._model = model or WEIGHTS / "flag.onnx"
        self._net: cv2.dnn.Net | None = None

    def look(self, frame: NDArray[np.uint8], candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """A row of probabilities, one for each of FLAGS, for each candidate in a BGR frame."""
        if not candidates:
            return np.zeros((0, len(FLAGS)))
        if self._net is None:
            self._net = open_net(self._model)
        self._net.setInput(cv2.dnn.blobFromImages([crop(frame, one, SIDE, CONTEXT) for one in candidates]))
        return np.asarray(1 / (1 + np.exp(-self._net.forward().astype(np.float64))))
