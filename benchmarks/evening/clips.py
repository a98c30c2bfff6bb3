"""Clips of throws, made of one picture each: frames with varying noise and exposure, and transitions between them.

Pictures are rendered or synthetic. Both are a `Shot`; the rest is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.evening.plan import PlannedAnswer
from engine.dice import Face
from engine.seats import Seat
from vision.cameras.frames import Frame, Image
from vision.synthetic.paint import Lens, draw_hand

Shot = Callable[[int], Image]
"""Still scene. It returns a BGR frame for a seed, which determines noise and exposure."""

FRAME_INTERVAL_S = 0.1  # Seconds between frames.
# Frames of the empty tray between throws.
EMPTY_FRAMES = 9
REST_FRAMES = 28  # Frames of dice at rest, long enough for a sure roll to count.
VARIANT_COUNT = 8  # Number of different frames of each scene, which are repeated.
# Distance of the dice from their places in each frame of a throw, in picture widths.
THROW_DISTANCES = (0.8, 0.6, 0.42, 0.26, 0.12, 0.04)
HAND_REACHES = (0.25, 0.6, 1.0, 1.0, 0.6, 0.25)  # Reach of a hand by frame, as a share of the picture's height.
MIN_DIFFERENCE_LEVELS = 24  # Minimum difference from the empty tray, in gray levels, where something is in the tray.


@dataclass(frozen=True, slots=True)
class TaughtFaceShot:
    """One shown face of a die that is taught. `round` counts from 0."""

    kind: str
    face: Face
    round: int
    shot: Shot


@dataclass(frozen=True, slots=True)
class Clip:
    """One throw, as the answer to ask `n` of the evening's game number `game`, both from 0.

    name: of the picture.
    values: shown by the dice, in the order of the ask. In trouble they must not count.
    before: all answers since the previous throw.
    trouble: one of `plan.TROUBLES`, or None.
    finishes: of the dice, where known.
    """

    name: str
    game: int
    n: int
    seat: Seat
    values: tuple[Face, ...]
    before: tuple[PlannedAnswer, ...]
    trouble: str | None
    shot: Shot
    finishes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening as a camera sees it, with clips in order. A clip in trouble is followed by the same throw without.

    game: key of the rulebook.
    empty, die: the empty tray, and one die for the calibration.
    felt: the felt's corners that a person taps, as shares of the picture's width and height.
    """

    name: str
    game: str
    empty: Shot
    die: Shot
    lessons: Sequence[TaughtFaceShot]
    clips: Sequence[Clip]
    felt: Sequence[tuple[float, float]] = ()


class SimulatedClock:
    """Simulated clock of table and camera, in seconds. It advances only with frames."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class PictureSource:
    """Frame source that shows a picture every `FRAME_INTERVAL_S` seconds of `time`.

    It ends after the last picture, or if making one raises. `failed` is that exception, or None.
    """

    def __init__(self, pictures: Iterator[Image], time: SimulatedClock, name: str = "evening") -> None:
        self.failed: BaseException | None = None
        self._pictures, self._time, self._name, self._number = pictures, time, name, -1

    def read_frame(self) -> Frame | None:
        try:
            picture = next(self._pictures, None)
        except BaseException as error:
            self.failed, picture = error, None
        if picture is None:
            return None
        self._time.now += FRAME_INTERVAL_S
        self._number += 1
        return Frame(picture, self._time.now, self._number, self._name)

    def close(self) -> None:
        """Do nothing, because no file is open."""


def still_frames(shot: Shot, many: int | None = None) -> Iterator[Image]:
    """Yield `many` frames of a still scene (None for endless), of which `VARIANT_COUNT` differ."""
    kept: list[Image] = []
    for seed in range(VARIANT_COUNT if many is None else min(many, VARIANT_COUNT)):
        kept.append(shot(seed))
        yield kept[-1]
    yield from islice(cycle(kept), None if many is None else max(many - VARIANT_COUNT, 0))


def throw_frames(empty: Image, rest: Image, seed: Any) -> Iterator[Image]:
    """Yield frames in which the dice come in from a side and slow down. All that differs from `empty` is dice."""
    off = cv2.absdiff(rest, empty).max(axis=2) > MIN_DIFFERENCE_LEVELS
    mask = cv2.dilate(cv2.morphologyEx(off.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3))), np.ones((9, 9)))
    way = Random(f"{seed}").uniform(-0.6, 0.6)
    size = rest.shape[1], rest.shape[0]
    for far in THROW_DISTANCES:
        shift = np.array([[1, 0, far * size[0] * way], [0, 1, far * size[0]]], np.float32)
        there = cv2.warpAffine(mask, shift, size)[..., None] > 0
        yield np.where(there, cv2.warpAffine(rest, shift, size), empty).astype(np.uint8)


def pickup_frames(rest: Image, empty: Image) -> Iterator[Image]:
    """Yield frames in which a hand takes everything out of the tray."""
    limb = draw_hand(Lens((rest.shape[1], rest.shape[0]), 250.0, 430.0))
    for number, reach in enumerate(HAND_REACHES):
        picture = (rest if number < len(HAND_REACHES) // 2 else empty).copy()
        limb.moved_to(0, round((1 - reach) * rest.shape[0])).paste_onto(picture)
        yield picture
