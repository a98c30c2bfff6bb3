"""Frames in, readings out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.classify import Classifier, Views, views
from vision.dice.colour import tint
from vision.dice.colour_names import word
from vision.dice.decide import DIE, USUAL, Judged, Limits, judge, remeasured, upon
from vision.dice.decide_numerals import FEW, JudgedNumeral, verdicts
from vision.dice.defects import FLAGS, Flagger
from vision.dice.detect import Candidate, Finder, separate
from vision.dice.numerals import AGAIN, BESIDE, EDGES, Numerals
from vision.dice.taught import FaceBank, ShownFace, apart, blots, known, show
from vision.reading import KINDS, Box, Die, Face, Reading

SMALLEST = 32
"""Frames with an edge shorter than this, in pixels, are refused: no die could be read in them."""

FAINT = 0.05
"""What is a face with less than this probability, and cold, raises no doubt whatever its flags."""

PIPS, SIGNED = frozenset({"d6"}), 0.3
"""Where only such dice are looked for, numerals are only where the pips are in doubt, or show a sign with this
probability or more."""

LONGEST = 1280
"""A longer edge, in pixels, is shrunk to this before anything is looked at: more pixels show no more of a die."""


_Seen = tuple[str, Face | None, Candidate, float, tuple[Face, ...], float | None]


class FrameError(ValueError):
    """The frame is not a picture that dice could be read in."""


class Reader:
    """Reads the dice of a settled picture.

    Making one is cheap: the nets are loaded on the first `read`. Use one reader from one thread. `limits` say what is
    believed of dice with pips and `kinds`, of `reading.KINDS`, what dice are looked for; both may be set between two
    readings, as may `taught`, the banks of dice that this table was taught, and `empty`, the picture of the tray
    without dice, by which these are found where no net finds them. `picture` and `looks` are what the last reading
    came of: the frame as it was looked at (BGR), and every place in it that may be a die with pips.
    """

    def __init__(self, limits: Limits = USUAL, kinds: frozenset[str] = KINDS) -> None:
        self.limits, self.kinds = limits, kinds
        self.taught: tuple[FaceBank, ...] = ()
        self.empty: NDArray[np.uint8] | None = None
        self.picture: NDArray[np.uint8] | None = None
        self.looks: list[Judged] = []
        self._finder = Finder()
        self._classifier = Classifier()
        self._flagger = Flagger()
        self._numerals = Numerals()

    def read(self, frame: NDArray[np.uint8], inside: Callable[[Box], bool] | None = None) -> Reading:
        """Read the dice in `frame`: uint8, HxWx3 in BGR or HxW in grey, of any size from 32 pixels an edge.

        What `inside` says no to, by its box, is not looked at and is the reason of no doubt; None looks at all.
        Raises FrameError for anything else. Whether the dice have settled is not checked here: ask `settle` first.
        """
        begin = time.perf_counter()
        picture, scale = _shrunk(frame)
        height, width = picture.shape[:2]

        def heeded(places: list[Candidate]) -> list[Candidate]:
            return [one for one in places if inside is None or inside(_box(one, frame.shape, scale))]

        self.picture, self.looks = picture, []
        dice: list[Judged] = []
        doubt: str | None = "none"
        if "d6" in self.kinds:
            self.looks = self.look(picture, heeded(self._finder.find(picture)))
            dice, doubt = judge(self.looks, width, height, self.limits)
        others: list[JudgedNumeral] = []
        banks = [bank for bank in self.taught if bank.kind in self.kinds]
        if self.kinds != PIPS or banks or doubt is not None or any(_signed(look, len(dice)) for look in dice):
            places = heeded(self._numerals.find(picture, BESIDE if self.kinds > PIPS else EDGES))
            if banks and self.empty is not None:
                places += heeded(apart(blots(picture, self.empty), places))
            calm = doubt is None

            def judged(places: list[Candidate], *, again: bool) -> tuple[list[JudgedNumeral], list[Judged], str | None]:
                found = known(picture, self._numerals.look(picture, places, again=again), banks)
                return verdicts(found, self.looks, self.kinds, width, height, sure=calm)

            others, left, odd = first = judged(places, again=False)
            if odd is not None or not (others or dice):
                places = separate(places + heeded(self._numerals.find(picture, AGAIN)))
                others, left, odd = min(judged(places, again=True), first, key=_shaky)
                if _values(first[0]) not in ((), _values(others)):
                    odd = odd or "unclear"
            self.looks = left
            if doubt == "symbol" and odd == "unclear" and self.kinds == PIPS:
                odd = doubt
            if others:
                dice, doubt = judge(self.looks, width, height, self.limits)
            doubt = odd if doubt is None or (doubt == "none" and (others or odd)) else doubt
        seen: list[_Seen] = [("d6", one.value, one.where, one.confidence, one.others, None) for one in dice]
        seen += [(one.kind, one.value, one.numeral.where, one.confidence, one.likely, one.turn) for one in others]
        read = []
        for kind, value, where, confidence, likely, turn in sorted(seen, key=lambda one: one[2].x):
            body, box = tint(picture, where), _box(where, frame.shape, scale)
            read.append(Die(kind, value, word(body), box, confidence, body, likely, turn))
        return Reading(tuple(read), doubt, (time.perf_counter() - begin) * 1000)

    def show(
        self,
        frame: NDArray[np.uint8],
        kind: str,
        face: Face,
        go: int,
        inside: Callable[[Box], bool] | None = None,
    ) -> ShownFace:
        """The one die in `frame`, to be taught: of this `kind`, with this `face` on top, in round `go`.

        Raises TaughtError when not one die is seen, and as `read`, whose `frame` and `inside` these are.
        """
        picture, scale = _shrunk(frame)
        places = [self._numerals.find(picture, BESIDE), [] if self.empty is None else blots(picture, self.empty)]
        heeded = [[one for one in some if inside is None or inside(_box(one, frame.shape, scale))] for some in places]
        return show(picture, kind, face, go, *(self._numerals.look(picture, some) for some in heeded))

    def look(self, picture: NDArray[np.uint8], places: Sequence[Candidate]) -> list[Judged]:
        """What the nets say of each place of a BGR picture; what is neither face nor die has no flags.

        What seems measured badly is looked at once more, as wide as the other dice, and taken so where that is clearer.
        """
        looks = self.faces(places, [views(picture, one) for one in places])
        dice, _ = judge(looks, picture.shape[1], picture.shape[0], self.limits)
        again = remeasured(looks, dice, self.limits)
        sized = list(again.values())
        for n, look in zip(again, self.faces(sized, [views(picture, one) for one in sized]), strict=True):
            if look.confidence > max(looks[n].confidence, self.limits.maybe):
                looks[n] = look
        worth = [n for n, look in enumerate(looks) if look.face >= FAINT or look.where.heat >= DIE]
        flags = self._flagger.look(picture, [places[n] for n in worth])
        for n, row in zip(worth, flags, strict=True):
            looks[n] = replace(looks[n], flags=row)
        return looks

    def faces(self, places: Sequence[Candidate], seen: Sequence[Views]) -> list[Judged]:
        """What the classifier alone says of each place, which looks so."""
        wide = [next((n for n, die in enumerate(places) if upon(one, die)), None) for one in places]
        chances = self._classifier.look(seen, wide)
        return [Judged(place, row) for place, row in zip(places, chances, strict=True)]


def as_bgr(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The frame as HxWx3 BGR; raises FrameError when it is no picture, or one too small to hold a die."""
    if not isinstance(frame, np.ndarray):
        raise FrameError(f"A frame is an array of pixels, not {type(frame).__name__}: was the picture opened?")
    if frame.dtype != np.uint8:
        raise FrameError(f"A frame's pixels are bytes (uint8), not {frame.dtype}.")
    if not (frame.ndim == 2 or (frame.ndim == 3 and frame.shape[2] == 3)):
        raise FrameError(f"A frame is height x width (grey) or height x width x 3 (BGR), not {frame.shape}.")
    if min(frame.shape[:2]) < SMALLEST:
        raise FrameError(f"A frame of {frame.shape[1]}x{frame.shape[0]} pixels is too small to read dice in.")
    if frame.ndim == 2:
        return cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)
    return frame


def _shrunk(frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """The frame as it is looked at, in BGR, and its scale."""
    picture = as_bgr(frame)
    scale = min(1.0, LONGEST / max(picture.shape[:2]))
    if scale < 1:
        size = [max(SMALLEST, round(edge * scale)) for edge in picture.shape[1::-1]]
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return picture, scale


def _values(dice: list[JudgedNumeral]) -> tuple[Face, ...]:
    """What these dice offer, from left to right."""
    return tuple(die.value for die in sorted(dice, key=lambda one: one.numeral.where.x) if die.value is not None)


def _shaky(judged: tuple[list[JudgedNumeral], list[Judged], str | None]) -> tuple[bool, float]:
    """How little may be believed of what was judged: certain is better than in doubt, likely dice than others."""
    dice, _, doubt = judged
    return doubt is not None or not dice, -sum(die.confidence for die in dice if die.value is not None)


def _signed(look: Judged, count: int) -> bool:
    """Whether a die among so many that was read by its pips may have a numeral or a letter instead: a 6 or a 9 has
    what looks like one pip."""
    return float(look.flags[FLAGS.index("symbol")]) >= SIGNED or (look.value == 1 and count <= FEW)


def _box(where: Candidate, shape: tuple[int, ...], scale: float) -> Box:
    """The candidate's box in a frame of that shape, cut to it; it was found at `scale` of the frame."""
    x, y, half = where.x / scale, where.y / scale, where.size / scale / 2
    left, top = max(0, round(x - half)), max(0, round(y - half))
    right, bottom = min(shape[1], round(x + half)), min(shape[0], round(y + half))
    return left, top, max(1, right - left), max(1, bottom - top)
