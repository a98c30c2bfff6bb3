"""The reader: a frame in, a reading out."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import thresholds
from vision.dice.blots import find_blots, find_unexplained, not_among
from vision.dice.classify_numerals import AGAIN, BESIDE, EDGES, NumeralClassifier
from vision.dice.classify_pips import PipClassifier, Views, crop_views
from vision.dice.colour import measure_tint
from vision.dice.colour_names import name_colour
from vision.dice.decide_numerals import JudgedNumeral, decide_numerals
from vision.dice.decide_pips import JudgedPips, decide_pips, lies_upon, remeasure
from vision.dice.defects import FLAGS, DefectNet
from vision.dice.detect import Candidate, Detector, separate
from vision.dice.taught import FaceBank, ShownFace, recognize, take_face
from vision.dice.thresholds import USUAL, Limits
from vision.reading import KINDS, Box, Die, Face, Reading

SMALLEST = 32  # Shortest edge of a frame, in pixels. No die could be read in a smaller one.
# A place that is a face with less than this probability, and has little heat, raises no doubt whatever its flags.
FAINT = 0.05
# Where only such dice are looked for, numerals are looked for only if the pips are in doubt, or a die with pips shows a
# symbol with at least this probability.
PIPS, SIGNED = frozenset({"d6"}), 0.3
LONGEST = 1280  # Longest edge of a frame, in pixels. A larger frame is shrunk first: more pixels show no more of a die.


_Seen = tuple[str, Face | None, Candidate, float, tuple[Face, ...], float | None]


class FrameError(ValueError):
    """The frame is not a picture that dice could be read in."""


class Reader:
    """Reads the dice of a settled picture.

    Making one is cheap: the nets are loaded on the first `read`. Use one reader from one thread only. `limits` decide
    what is believed of dice with pips; `kinds`, of `reading.KINDS`, are the dice to look for. Both may be changed
    between two readings, and so may `taught`, the banks of dice that this table was taught, and `empty`, the picture of
    the empty tray: comparing with it finds dice that no net finds. `picture` and `judged` belong to the last reading:
    the frame as the nets saw it (BGR), and every place in it that may be a die with pips.
    """

    def __init__(self, limits: Limits = USUAL, kinds: frozenset[str] = KINDS) -> None:
        self.limits, self.kinds = limits, kinds
        self.taught: tuple[FaceBank, ...] = ()
        self.empty: NDArray[np.uint8] | None = None
        self.picture: NDArray[np.uint8] | None = None
        self.judged: list[JudgedPips] = []
        self._finder = Detector()
        self._classifier = PipClassifier()
        self._flagger = DefectNet()
        self._numerals = NumeralClassifier()

    def read(self, frame: NDArray[np.uint8], inside: Callable[[Box], bool] | None = None) -> Reading:
        """Read the dice in `frame`: uint8, HxWx3 in BGR or HxW in grey, of any size from 32 pixels per edge. A place
        whose box `inside` rejects is ignored and raises no doubt; None accepts every place. Raises FrameError for any
        other frame. Whether the dice have settled is not checked here: see `vision.tray.motion`."""
        begin = time.perf_counter()
        picture, scale = _shrink(frame)
        height, width = picture.shape[:2]

        def keep_inside(places: list[Candidate]) -> list[Candidate]:
            return [one for one in places if inside is None or inside(_box(one, frame.shape, scale))]

        self.picture, self.judged = picture, []
        dice: list[JudgedPips] = []
        doubt: str | None = "none"
        if "d6" in self.kinds:
            self.judged = self.judge_places(picture, keep_inside(self._finder.detect(picture)))
            dice, doubt = decide_pips(self.judged, width, height, self.limits)
        others: list[JudgedNumeral] = []
        banks = [bank for bank in self.taught if bank.kind in self.kinds]
        if self.kinds != PIPS or banks or doubt is not None or any(_may_have_numeral(look, len(dice)) for look in dice):
            places = keep_inside(self._numerals.detect(picture, BESIDE if self.kinds > PIPS else EDGES))
            if banks and self.empty is not None:
                places += keep_inside(not_among(find_blots(picture, self.empty), places))
            pips_sure = doubt is None

            def judge_numerals(
                places: list[Candidate], *, again: bool
            ) -> tuple[list[JudgedNumeral], list[JudgedPips], str | None]:
                found = recognize(picture, self._numerals.classify(picture, places, again=again), banks)
                return decide_numerals(found, self.judged, self.kinds, width, height, sure=pips_sure)

            others, left, numeral_doubt = first = judge_numerals(places, again=False)
            if numeral_doubt is not None or not (others or dice):
                places = separate(places + keep_inside(self._numerals.detect(picture, AGAIN)))
                others, left, numeral_doubt = min(judge_numerals(places, again=True), first, key=_doubt_rank)
                if _values(first[0]) not in ((), _values(others)):
                    numeral_doubt = numeral_doubt or "unclear"
            self.judged = left
            if doubt == "symbol" and numeral_doubt == "unclear" and self.kinds == PIPS:
                numeral_doubt = doubt
            if others:
                dice, doubt = decide_pips(self.judged, width, height, self.limits)
            doubt = numeral_doubt if doubt is None or (doubt == "none" and (others or numeral_doubt)) else doubt
        if doubt in (None, "none") and self.empty is not None:
            explained = [one.where for one in dice] + [one.numeral.where for one in others]
            if keep_inside(find_unexplained(picture, self.empty, explained)):
                doubt = "thing"
        seen: list[_Seen] = [("d6", one.value, one.where, one.confidence, one.likely, None) for one in dice]
        seen += [(one.kind, one.value, one.numeral.where, one.confidence, one.likely, one.turn) for one in others]
        read = []
        for kind, value, where, confidence, likely, turn in sorted(seen, key=lambda one: one[2].x):
            body, box = measure_tint(picture, where), _box(where, frame.shape, scale)
            read.append(Die(kind, value, name_colour(body), box, confidence, body, likely, turn))
        return Reading(tuple(read), doubt, (time.perf_counter() - begin) * 1000)

    def take_face(
        self, frame: NDArray[np.uint8], kind: str, face: Face, go: int, inside: Callable[[Box], bool] | None = None
    ) -> ShownFace:
        """Return the one die in `frame` as a face to teach: of this `kind`, with this `face` on top, in round `go`.
        `frame` and `inside` are as in `read`. Raises TaughtError when there is not exactly one die, and FrameError as
        `read`."""
        picture, scale = _shrink(frame)
        places = [self._numerals.detect(picture, BESIDE), [] if self.empty is None else find_blots(picture, self.empty)]
        kept = [[one for one in some if inside is None or inside(_box(one, frame.shape, scale))] for some in places]
        return take_face(picture, kind, face, go, *(self._numerals.classify(picture, some) for some in kept))

    def judge_places(self, picture: NDArray[np.uint8], places: Sequence[Candidate]) -> list[JudgedPips]:
        """Classify each place of a BGR picture; a place that is neither face nor die gets no flags. A look that seems
        measured badly is measured again, as wide as the other dice, and replaced where that is clearer."""
        looks = self.judge_faces(places, [crop_views(picture, one) for one in places])
        dice, _ = decide_pips(looks, picture.shape[1], picture.shape[0], self.limits)
        again = remeasure(looks, dice, self.limits)
        sized = list(again.values())
        for n, look in zip(again, self.judge_faces(sized, [crop_views(picture, one) for one in sized]), strict=True):
            if look.confidence > max(looks[n].confidence, self.limits.maybe):
                looks[n] = look
        worth = [n for n, look in enumerate(looks) if look.face >= FAINT or look.where.heat >= thresholds.DIE_HEAT]
        flags = self._flagger.classify(picture, [places[n] for n in worth])
        for n, row in zip(worth, flags, strict=True):
            looks[n] = replace(looks[n], flags=row)
        return looks

    def judge_faces(self, places: Sequence[Candidate], seen: Sequence[Views]) -> list[JudgedPips]:
        """Classify the pips of each place, which the nets see as `seen`."""
        wide = [next((n for n, die in enumerate(places) if lies_upon(one, die)), None) for one in places]
        chances = self._classifier.classify(seen, wide)
        return [JudgedPips(place, row) for place, row in zip(places, chances, strict=True)]


def as_bgr(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the frame as HxWx3 BGR. Raises FrameError when it is not a picture, or too small to hold a die."""
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


def _shrink(frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """Return the frame in BGR as the nets will see it, and its scale."""
    picture = as_bgr(frame)
    scale = min(1.0, LONGEST / max(picture.shape[:2]))
    if scale < 1:
        size = [max(SMALLEST, round(edge * scale)) for edge in picture.shape[1::-1]]
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return picture, scale


def _values(dice: list[JudgedNumeral]) -> tuple[Face, ...]:
    """Return the values these dice offer, from left to right."""
    return tuple(die.value for die in sorted(dice, key=lambda one: one.numeral.where.x) if die.value is not None)


def _doubt_rank(judged: tuple[list[JudgedNumeral], list[JudgedPips], str | None]) -> tuple[bool, float]:
    """Rank a judgement, lowest best: certain before in doubt, then likely dice before unlikely ones."""
    dice, _, doubt = judged
    return doubt is not None or not dice, -sum(die.confidence for die in dice if die.value is not None)


def _may_have_numeral(look: JudgedPips, count: int) -> bool:
    """True if a die read by its pips, among `count`, may have a sign: a 6 or 9 contains what looks like a pip."""
    return float(look.flags[FLAGS.index("symbol")]) >= SIGNED or (look.value == 1 and count <= thresholds.FEW_PIPS)


def _box(where: Candidate, shape: tuple[int, ...], scale: float) -> Box:
    """Return a candidate's box in a frame of that shape, clipped to it. It was found at `scale` of the frame."""
    x, y, half = where.x / scale, where.y / scale, where.size / scale / 2
    left, top = max(0, round(x - half)), max(0, round(y - half))
    right, bottom = min(shape[1], round(x + half)), min(shape[0], round(y + half))
    return left, top, max(1, right - left), max(1, bottom - top)
