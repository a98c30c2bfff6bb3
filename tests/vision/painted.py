"""A reader whose crops encode the result: the value in a crop's blue, the probability in percent in its green."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice.classify_pips import CLOSE, SIDE, Views
from vision.dice.decide_pips import JudgedPips
from vision.dice.defects import FLAGS
from vision.dice.detect import Candidate
from vision.dice.thresholds import EVEN_HEAT, USUAL
from vision.reader import Reader
from vision.tuning import Sample, SampleView


class Painted(Reader):
    """Reads painted crops. Other weights are `less` sure of each, in percentage points."""

    def __init__(self, less: int = 0) -> None:
        super().__init__()
        self.less, self.asked = less, 0

    def judge_faces(self, places: Sequence[Candidate], seen: Sequence[Views]) -> list[JudgedPips]:
        self.asked += len(places)
        return [JudgedPips(place, self._row(view.whole[0, 0])) for place, view in zip(places, seen, strict=True)]

    def _row(self, pixel: NDArray[np.uint8]) -> NDArray[np.float64]:
        value, percent = int(pixel[0]), int(pixel[1]) - self.less
        row = np.zeros(7)
        row[0], row[value] = 1 - percent / 100, percent / 100
        return row


def painted(*dice: tuple[int, int]) -> SampleView:
    """Return the view of dice, each a value and its confidence in percent, under the usual limits."""
    strip = np.zeros((CLOSE + SIDE, CLOSE * len(dice), 3), np.uint8)
    for place, die in enumerate(dice):
        strip[:, CLOSE * place : CLOSE * (place + 1), :2] = die
    places = tuple(Candidate(100.0 + 100 * place, 200.0, 40.0, EVEN_HEAT) for place in range(len(dice)))
    doubt = None if all(percent / 100 >= USUAL.sure for _, percent in dice) else "unclear"
    flags = np.zeros((len(dice), len(FLAGS)))
    return SampleView(strip, places, flags, 640, 480, tuple(value for value, _ in dice), doubt)


def roll(percent: int, *, right: bool = True) -> Sample:
    """Return a sample of one die read as a 3 with this confidence, correctly or not."""
    return Sample(painted((3, percent)), (3 if right else 5,))
