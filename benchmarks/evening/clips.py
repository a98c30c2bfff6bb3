"""Clips of throws, made of one picture each: frames that differ in noise and exposure, and the moments between them.

There are two kinds of pictures, rendered and drawn. Both are a `Shot`; everything else is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.evening.plan import Given
from engine.dice import Face
from engine.seats import Seat
from vision.cameras.frames import Frame, Image
from vision.synthetic.paint import Lens, draw_hand

Shot = Callable[[int], Image]
"""A still scene: returns a frame (BGR) of it for a seed, which decides about noise and exposure."""

PACE = 0.1  # seconds between frames
# Frames of the empty tray between throws, and of dice at rest: long enough for a sure roll to count.
EMPTY = 9
REST = 28
KEPT = 8  # different frames of each scene; they repeat
FLIGHT = (0.8, 0.6, 0.42, 0.26, 0.12, 0.04)  # how far the dice still are from their places, in picture widths, by frame
REACH = (0.25, 0.6, 1.0, 1.0, 0.6, 0.25)  # how far a hand reaches in as it takes the dice, by frame
STRANGE = 24  # gray levels by which a picture differs from the empty tray where something lies


@dataclass(frozen=True, slots=True)
class Lesson:
    """A face of a die that is taught: what it counts as, and its round from 0."""

    kind: str
    face: Face
    round: int
    shot: Shot


@dataclass(frozen=True, slots=True)
class Clip:
    """A throw that answers ask `n` of the evening's game number `game`, both from 0. `before` are all answers since
    the throw before. `values` are what the dice show in the order of the ask; in `trouble` (one of `plan.TROUBLES`)
    they must not count. `name` is the picture's, and `finishes` are those of its dice, where they are known."""

    name: str
    game: int
    n: int
    seat: Seat
    values: tuple[Face, ...]
    before: tuple[Given, ...]
    trouble: str | None
    shot: Shot
    finishes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening as a camera sees it: the game's key, the empty tray, one die for the calibration, what is taught, and
    the throws in order. A clip in trouble is followed by the same throw without. `felt` are the corners of the felt
    that a person taps, as shares of the picture's width and height."""

    name: str
    game: str
    empty: Shot
    die: Shot
    lessons: Sequence[Lesson]
    clips: Sequence[Clip]
    felt: Sequence[tuple[float, float]] = ()


class Time:
    """Seconds that pass only with frames: the clock of the table and of the camera."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Player:
    """A source that shows pictures, one each `PACE` seconds of `time`. It ends after the last, or when making one
    fails: `failed` is what that raised."""

    def __init__(self, pictures: Iterator[Image], time: Time, name: str = "evening") -> None:
        self.failed: BaseException | None = None
        self._pictures, self._time, self._name, self._number = pictures, time, name, -1

    def read_frame(self) -> Frame | None:
        """Return the next frame, or None after the last."""
        try:
            picture = next(self._pictures, None)
        except BaseException as error:
            self.failed, picture = error, None
        if picture is None:
            return None
        self._time.now += PACE
        self._number += 1
        return Frame(picture, self._time.now, self._number, self._name)

    def close(self) -> None:
        """Do nothing: no file is held open."""


def still(shot: Shot, many: int | None = None) -> Iterator[Image]:
    """Yield `many` frames of a still scene (None: without end), of which `KEPT` differ."""
    kept: list[Image] = []
    for seed in range(KEPT if many is None else min(many, KEPT)):
        kept.append(shot(seed))
        yield kept[-1]
    yield from islice(cycle(kept), None if many is None else max(many - KEPT, 0))


def flying(empty: Image, rest: Image, seed: Any) -> Iterator[Image]:
    """Yield frames in which what differs from the empty tray comes in from a side and slows down."""
    off = cv2.absdiff(rest, empty).max(axis=2) > STRANGE
    mask = cv2.dilate(cv2.morphologyEx(off.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3))), np.ones((9, 9)))
    way = Random(f"{seed}").uniform(-0.6, 0.6)
    size = rest.shape[1], rest.shape[0]
    for far in FLIGHT:
        shift = np.array([[1, 0, far * size[0] * way], [0, 1, far * size[0]]], np.float32)
        there = cv2.warpAffine(mask, shift, size)[..., None] > 0
        yield np.where(there, cv2.warpAffine(rest, shift, size), empty).astype(np.uint8)


def taken(rest: Image, empty: Image) -> Iterator[Image]:
    """Yield frames in which a hand comes in, takes everything out of the tray, and leaves."""
    limb = draw_hand(Lens((rest.shape[1], rest.shape[0]), 250.0, 430.0))
    for number, reach in enumerate(REACH):
        picture = (rest if number < len(REACH) // 2 else empty).copy()
        limb.moved_to(0, round((1 - reach) * rest.shape[0])).paste_onto(picture)
        yield picture
