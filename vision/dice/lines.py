"""Detect the outlines and creases of dice, as if their edges were sharp."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.detect import OnnxNet
from vision.dice.polyhedra import Matrix
from vision.dice.pose import DieLines
from vision.weights import WEIGHTS_FOLDER

INPUT_SIDE_PX = 80  # edge of the network's input
INPUT_DIE_WIDTH_PX = 42.0  # width of a die in it
PADDING_BGR = (114, 114, 114)  # padding beyond the image edge


class LineNet:
    """The network that detects lines. `model` is an ONNX file (default: `lines.onnx`)."""

    def __init__(self, model: Path | None = None) -> None:
        self._net = OnnxNet(model or WEIGHTS_FOLDER / "lines.onnx")

    def detect_lines(
        self, picture: NDArray[np.uint8], spots: Sequence[Matrix], wides: Sequence[float], *, twice: bool = True
    ) -> list[DieLines]:
        """Detect the lines of the die at each of these points (2) in a BGR image. `wides` are the dice's widths in
        pixels. `twice` averages with the mirrored crop."""
        if not spots:
            return []
        ways = [self._crop_transform(spot, wide) for spot, wide in zip(spots, wides, strict=True)]
        crops = [self._crop_die(picture, way) for way in ways]
        views = [*crops, *((crop[:, ::-1] for crop in crops) if twice else ())]
        planes = np.stack(views).transpose(0, 3, 1, 2)
        (answer,) = self._net.run_blob(planes.astype(np.float32) / 127.5 - 1, "lines")
        maps = 1 / (1 + np.exp(-answer))
        maps = (maps[: len(crops)] + maps[len(crops) :, :, :, ::-1]) / 2 if twice else maps
        found = []
        for layers, way in zip(maps, ways, strict=True):
            die, rim, creases = (
                cv2.resize(one, (INPUT_SIDE_PX, INPUT_SIDE_PX), interpolation=cv2.INTER_LINEAR) for one in layers
            )
            found.append(DieLines(die, rim, creases, way))
        return found

    def _crop_transform(self, spot: Matrix, wide: float) -> Matrix:
        k = INPUT_DIE_WIDTH_PX / wide
        return np.array([[k, 0, (INPUT_SIDE_PX - 1) / 2 - k * spot[0]], [0, k, (INPUT_SIDE_PX - 1) / 2 - k * spot[1]]])

    def _crop_die(self, picture: NDArray[np.uint8], way: Matrix) -> NDArray[np.uint8]:
        k = way[0, 0]
        reach = INPUT_SIDE_PX / 2 / k + 8
        middle = (np.array([(INPUT_SIDE_PX - 1) / 2] * 2) - way[:, 2]) / k
        tall, wide = picture.shape[:2]
        left, top = (int(np.clip(middle[n] - reach, 0, (wide, tall)[n] - 1)) for n in (0, 1))
        part = picture[top : max(top + 1, int(middle[1] + reach)), left : max(left + 1, int(middle[0] + reach))]
        if k < 0.8:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.35 / k), np.uint8)
        shifted = way.copy()
        shifted[:, 2] += k * np.array([left, top])
        crop = cv2.warpAffine(
            part,
            shifted,
            (INPUT_SIDE_PX, INPUT_SIDE_PX),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=PADDING_BGR,
        )
        return np.asarray(crop, np.uint8)
