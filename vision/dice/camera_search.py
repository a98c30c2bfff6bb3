"""Where the camera is and how large the dice are: known from a calibration, guessed, and learned from the dice."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.detect import Candidate
from vision.dice.fitted import FittedDie, not_on
from vision.dice.fitter import DiceFitter
from vision.dice.floor import CameraPlace, Floor
from vision.dice.floor_search import SWEEPS, FloorSearch
from vision.dice.known_table import KnownTable
from vision.dice.polyhedra import Matrix
from vision.dice.pose import frame
from vision.dice.sizes import KnownSizes, Sizes, UsualSizes
from vision.dice.upright import Upright

SCALES = tuple(np.geomspace(0.62, 1.1, 9))  # a d6's width, as a share of what the detector takes for it
# The usual share, how far it varies, as the standard deviation of its log, and how much that counts against how a die
# fits; of 56 rendered tables.
SHARE, VARIES, USUALLY = 0.81, 0.1, 0.1
SEEN = (100.0, 700.0)  # mm that a camera over a tray sees across, from and to
OTHER = 1.5  # ratio of widths from which what is found may be something else
POOR = 0.3  # rank of dice that hardly fit: the floor must be elsewhere, or they lean
LIES = 0.8  # share of outline and mask that agree where a die lies flat
FEW_LOOKED_AT = 4  # places at most that say how the camera hangs where nothing fits
FREELY = -0.5  # score from which a die's pose is known, however the camera hangs
REFITS = 3  # how often the one die of the calibration is fitted again
MOVED = 3.0  # pixels by which a die has moved that was thrown again
NOWHERE = CameraPlace(250.0)  # where a camera is that has seen nothing yet
LIKELY, SURE = 0.5, 0.7  # heat from which a detector may be right that something is a die, and is


class CameraSearch:
    """Finds the dice of one picture after another with `fitter`, and learns from them where the camera is and what they
    measure. `sizes` are what is known of that."""

    def __init__(self, fitter: DiceFitter) -> None:
        self.sizes = Sizes()
        self._fitter = fitter
        self._search: FloorSearch | None = None
        self._given: tuple[CameraPlace | None, KnownSizes] = None, {}
        self._last = self._voted = np.zeros((0, 2))
        self._upright = Upright()

    @property
    def place(self) -> CameraPlace:
        """Where the camera is, as far as it is known."""
        return NOWHERE if self._search is None else self._search.place

    @property
    def limits(self) -> decide.Limits:
        """From where on to ask about dice: the better the floor is known, the sooner."""
        place, sizes = self._given
        if place is None:
            return decide.GUESSED
        known = bool(sizes) or (self._search is not None and self._search.known)
        return decide.KNOWN if known else decide.CALIBRATED

    def floor(self, picture: NDArray[np.uint8]) -> Floor:
        """Return the floor in a picture, as far as it is known."""
        return self.place.floor(_size(picture))

    @property
    def learned(self) -> tuple[CameraPlace, KnownSizes] | None:
        """Where the camera is and what the dice measure, once enough dice were seen; None before, while learning, and
        where no calibration told the scale."""
        if self._search is None or self._given[0] is None:
            return None
        if not (self._search.known and self._search.done and self.sizes.known):
            return None
        return self._search.place, self.sizes.known

    def learn(self) -> None:
        """Learn a little more about the floor from the dice that were read."""
        if self._search is not None:
            self._search.step()

    def dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        shapes: Sequence[str],
        table: KnownTable,
    ) -> list[FittedDie]:
        """Return the dice at these places of a BGR picture of this table. If the place of the camera is not known, it
        is where most fits, if nothing fits where it was."""
        size, place, sizes = _size(picture), table.place, table.sizes
        if self._given != (place, sizes) or (self._search is not None and self._search.size != size):
            self._given, self._search, self.sizes = (place, sizes), None, Sizes(sizes)
        if self._search is None and place is not None:
            self._search = FloorSearch(size, place)
        dice, fit = list[FittedDie](), self._fitter.dice
        if self._search is not None:
            dice = fit(picture, places, self._search.place, shapes, self.sizes)
        if place is None and (_rank(dice) < POOR or missed(places, dice)):
            guess, guessed = self._guessed(picture, places, shapes)
            if missed(places, guessed) < missed(places, dice) or _rank(guessed) > _rank(dice):
                self._search, self.sizes = FloorSearch(size, guess), Sizes()
                self._search.remember(fit(picture, places, guess, shapes, self.sizes))
                for _ in range(SWEEPS):
                    self._search.step()
                dice = fit(picture, places, self._search.place, shapes, self.sizes)
                self._search.forget()
        return dice if place is not None else self._upright_dice(picture, places, shapes, dice)

    def remember(self, dice: Sequence[FittedDie]) -> None:
        """Learn from dice that lie free, unless they lay there in the last picture already. Their gaps must be
        measured."""
        same = self._seen_before(dice, self._last)
        self._last = _spots(dice)
        if self._search is None or same:
            return
        free = [one for one in dice if one.agrees > LIES and not decide.may_lean(one)]
        for one in free:
            if not self.sizes.knows(one.shape, one.size):
                self.sizes.learn(one.shape, one.fit.best_size())
        self._search.remember(free)

    def place_by(self, picture: NDArray[np.uint8], places: Sequence[Candidate]) -> CameraPlace | None:
        """Return where the camera is, by the one d6 of 16 mm that lies flat at one of these places; None if there is
        not just one."""
        place, dice = self._guessed(picture, places, ["d6"], near=True)
        for _ in range(REFITS):
            if len(dice) != 1:
                return None
            search = FloorSearch(_size(picture), place, loose=True)
            search.remember(dice)
            for _ in range(SWEEPS):
                search.step()
            place = search.place
            dice = self._fitter.dice(picture, places, place, ["d6"], UsualSizes())
        return place

    def _upright_dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        shapes: Sequence[str],
        dice: list[FittedDie],
    ) -> list[FittedDie]:
        """Return the dice, or, if the camera seems to look aslant, those that are found then."""
        size, fits = _size(picture), dice
        hot = [one for one in places if one.heat > LIKELY][:FEW_LOOKED_AT]
        around = None if self._search is None else self._search.place
        if not dice and hot:
            tries = [CameraPlace(size[0] / (hot[0].size * share / 16.0)) for share in SCALES[1::2]]
            found = [
                (place, self._fitter.finder.find(picture, hot, place.floor(size), shapes, UsualSizes()))
                for place in tries
            ]
            around, fits = max(found, key=lambda one: sum(die.worth for die in one[1]))
        if around is None or self._seen_before(fits, self._voted):
            return dice
        self._voted, axes = _spots(fits), around.floor(size).axes
        for die in fits:
            free = die.fit.free(die.flat)
            if free.score > FREELY:
                self._upright.remember(frame(die.shape).normals @ free.turn.T @ axes.T)
        if (better := self._upright.better(around)) is None:
            return dice
        self._search, self.sizes = FloorSearch(size, better), Sizes()
        return self._fitter.dice(picture, places, better, shapes, UsualSizes())

    def _guessed(
        self, picture: NDArray[np.uint8], places: Sequence[Candidate], shapes: Sequence[str], *, near: bool = False
    ) -> tuple[CameraPlace, list[FittedDie]]:
        """Return from how far, straight down, dice of usual sizes fit best, and these dice. If the camera is `near`, it
        hangs over a tray, and dice are as wide as the detector usually says."""
        hot = [one for one in places if one.heat > LIKELY] or list(places[:1])
        wides = np.sort([one.size for one in hot])
        # Pips look like dice that are far away: so several distances are tried.
        groups = np.split(wides, np.flatnonzero(wides[1:] > wides[:-1] * OTHER) + 1) if hot else []
        found = []
        for wide in (float(np.median(group)) for group in groups):
            fit = [one for one in hot if 1 / OTHER < one.size / wide < OTHER][:6]
            for share in SCALES:
                place = CameraPlace(picture.shape[1] / (wide * share / 16.0))
                odd = USUALLY * (math.log(share / SHARE) / VARIES) ** 2 if near else 0.0
                if near and not SEEN[0] < place.across < SEEN[1]:
                    continue
                dice = self._fitter.dice(picture, fit, place, shapes, UsualSizes())
                found.append((_rank(dice) - odd, place, dice))
        _, place, dice = max(found, key=lambda one: one[0], default=(0.0, NOWHERE, []))
        return place, dice

    @staticmethod
    def _seen_before(dice: Sequence[FittedDie], last: Matrix) -> bool:
        """True if all dice lie where they lay last."""
        spots = _spots(dice)
        return len(spots) == len(last) and all(np.hypot(*(last - spot).T).min() < MOVED for spot in spots)


def missed(places: Sequence[Candidate], dice: Sequence[FittedDie]) -> int:
    """Return how many places, where a detector is sure of a die, are none of these dice."""
    return sum(one.heat > SURE for one in not_on(places, dice))


def _spots(dice: Sequence[FittedDie]) -> Matrix:
    """Return the middles of dice in the picture (dice, 2)."""
    return np.array([one.outline.mean(axis=0) for one in dice]).reshape(-1, 2)


def _rank(dice: Sequence[FittedDie]) -> float:
    """Return how well solids with clear signs explain what is seen, on average."""
    return float(np.mean([one.rank + math.log(one.clear + 0.05) for one in dice])) if dice else -math.inf


def _size(picture: NDArray[np.uint8]) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]
