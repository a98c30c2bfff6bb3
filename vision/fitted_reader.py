"""Read the dice of a picture by fitting the solids that may lie there to their lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.colour import measure_tint
from vision.dice.decide import Doubt, FittedFace
from vision.dice.detect import Candidate, Detector
from vision.dice.facets import SignNet, corners_of, facets_in_sight, head_on, joined, numberings
from vision.dice.fitted import Finder, FittedDie, is_on, measure_gaps
from vision.dice.floor import CameraPlace, Floor
from vision.dice.floor_search import SWEEPS, FloorSearch
from vision.dice.lines import LineNet
from vision.dice.polyhedra import Matrix
from vision.dice.pose import frame
from vision.dice.sizes import SOLIDS, USUAL, Sizes, UsualSizes, shapes_of
from vision.dice.strange import Strange
from vision.dice.taught import GRAIN, ROOM, FaceBank, ShownFace, TaughtError, ask
from vision.dice.upright import Upright
from vision.reading import Face, Tint
from vision.weights import WEIGHTS

EDGES = (640, 352, 192)  # lengths of the picture's longer edge at which dice with numerals are looked for
FEW = 32  # most places that are looked at
SCALES = tuple(np.geomspace(0.62, 1.1, 9))  # a d6's width, as a share of what the detector takes for it
AS_USUAL = 0.8  # probability that a die is numbered as most are
OTHER = 1.5  # ratio of widths from which what is found may be something else
POOR = 0.3  # rank of dice that hardly fit: the floor must be elsewhere, or they lean
LIES = 0.8  # share of outline and mask that agree where a die lies flat
FEW_LOOKED_AT = 4  # places at most that say how the camera hangs where nothing fits
FREELY = -0.5  # score from which a die's pose is known, however the camera hangs
FREER, OTHER_TOP = 0.15, 0.8  # how much better a free pose fits, from which another facet may be on top, and its chance
REFITS = 3  # how often the one die of the calibration is fitted again
MOVED = 3.0  # pixels by which a die has moved that was thrown again
NOWHERE = CameraPlace(250.0)  # where a camera is that has seen nothing yet
HOT = 0.7  # heat from which a detector is sure of a die
WARM = 0.45  # heat from which what the picture's edge cuts off is a die
BEYOND = 0.24  # share of a die's width beyond the picture's edge from which to ask; of one that does not fit, half
NEW = 0.15  # share of a die's outline that differs from the empty tray
LAIN = 0.5  # the same share of a die that is to be taught, whatever it looks like
RIM = 20.0  # mm from the floor to the tray's outline, about
WHITE = 250  # from this value of all three colors on, a pixel shows nothing but light


class FittedReader:
    """Finds and reads dice over a floor. Where the floor is, and how large the dice are, it learns from them. `taught`
    are the banks of the dice that this table was taught."""

    def __init__(self) -> None:
        self._pips, self._numerals = Detector(), Detector(WEIGHTS / "spot.onnx", EDGES)
        self._finder, self._signs = Finder(LineNet()), SignNet()
        self._search: FloorSearch | None = None
        self._sizes = Sizes()
        self._given: CameraPlace | None = None
        self._last = self._voted = np.zeros((0, 2))
        self._upright = Upright()
        self.taught: Sequence[FaceBank] = ()

    def read(
        self,
        picture: NDArray[np.uint8],
        kinds: Collection[str],
        place: CameraPlace | None = None,
        wall: Matrix | None = None,
        empty: NDArray[np.uint8] | None = None,
        keep: Callable[[list[Candidate]], list[Candidate]] = list,
    ) -> tuple[list[FittedFace], list[Doubt | None], Doubt | None]:
        """Return the dice of these kinds in a BGR picture, the doubt about each alone, or None, and the one most worth
        acting on.

        `place` is where the camera was when it was calibrated, None if unknown; `wall` the tray's outline in the
        picture (corners, 2), in pixels. `empty` is the picture of the empty tray. Of the places that may be dice only
        those that `keep` returns count.
        """
        strange = None if empty is None else Strange(picture, empty, wall)
        places = keep(self._places(picture, kinds, place, strange))
        dice = self._settled(picture, places, shapes_of(kinds), place)
        if strange is not None:
            dice = [one for one in dice if strange.share(one.outline) > NEW]
        floor = (self.place or NOWHERE).floor((picture.shape[1], picture.shape[0]))
        foot = None if wall is None else np.array([floor.down(corner, RIM)[:2] for corner in wall])
        measure_gaps(dice, foot)
        seen = [self._face(picture, one, floor, kinds) for one in dice]
        self._remember(dice)
        things = [] if strange is None else strange.things([one.outline for one in dice], floor.scale)
        lost = [one for one in places if strange is None or strange.share(_box(one)) > NEW]
        missed = _missed(lost, dice) > 0
        limits = decide.KNOWN if self._search is not None and self._search.known else decide.CALIBRATED
        limits = decide.GUESSED if place is None else limits
        doubts = [decide.doubt_about_die(one, limits) or _cut(one.die, picture) for one in seen]
        least = 0.6 * min((one.wide for one in dice), default=0.0)
        left = [one for one in _not_on(lost, dice) if one.heat > WARM and one.size > least]
        beyond = [Doubt("edge")] * any(_beyond(one, picture) > BEYOND / 2 for one in left)
        return seen, doubts, decide.doubt_about([*doubts, *beyond], things, missed=missed)

    def show(
        self,
        picture: NDArray[np.uint8],
        kind: str,
        face: Face,
        go: int,
        place: CameraPlace | None = None,
        empty: NDArray[np.uint8] | None = None,
        keep: Callable[[list[Candidate]], list[Candidate]] = list,
    ) -> ShownFace:
        """Return the one die of a BGR picture as a face to teach: of this `kind`, with this `face` on top, in round
        `go`. The rest is as for `read`. Raises TaughtError when there is not exactly one die."""
        strange, shapes = None if empty is None else Strange(picture, empty, None), shapes_of({kind})
        places = keep(self._places(picture, {kind, "d6"}, place, strange))
        dice = self._settled(picture, places, shapes, place)
        if not dice:
            found = self.fit(picture, places, self.place or NOWHERE, shapes, self._sizes)
            lain = [strange is not None and strange.share(one.outline) > LAIN for one in found]
            dice = [one for one, lies in zip(found, lain, strict=True) if lies or decide.fits_well(one)]
        if len(dice) != 1:
            raise TaughtError(
                f"{len(dice)} dice are seen: leave this one alone in the tray."
                if dice
                else "No die is seen: lay it nearer to the middle, away from the wall."
            )
        floor = (self.place or NOWHERE).floor((picture.shape[1], picture.shape[0]))
        return ShownFace(face, go, *_top_of(picture, dice[0], floor))

    def _places(
        self, picture: NDArray[np.uint8], kinds: Collection[str], place: CameraPlace | None, strange: Strange | None
    ) -> list[Candidate]:
        """Return where dice of these kinds may be, the likeliest first."""
        found = [
            *(self._pips.detect(picture) if "d6" in kinds else ()),
            *(self._numerals.detect(picture) if set(kinds) != {"d6"} else ()),
        ]
        if strange is not None and place is not None:
            found += strange.places(16 * picture.shape[1] / place.across)
        return sorted(found, key=lambda one: -one.heat)

    @property
    def place(self) -> CameraPlace | None:
        """Where the camera is, as far as it is known."""
        return None if self._search is None else self._search.place

    def learn(self) -> None:
        """Learn a little more about the floor from the dice that were read."""
        if self._search is not None:
            self._search.step()

    def place_by(
        self, picture: NDArray[np.uint8], keep: Callable[[list[Candidate]], list[Candidate]]
    ) -> CameraPlace | None:
        """Return where the camera is, by one d6 of 16 mm that lies flat; None if there is not just one."""
        places = keep(sorted(self._pips.detect(picture), key=lambda one: -one.heat))
        place, dice = self._guessed(picture, places, ["d6"])
        for _ in range(REFITS):
            if len(dice) != 1:
                return None
            search = FloorSearch((picture.shape[1], picture.shape[0]), place, loose=True)
            search.remember(dice)
            for _ in range(SWEEPS):
                search.step()
            place = search.place
            dice = self._dice(picture, places, place, ["d6"], UsualSizes())
        return place

    def _settled(
        self, picture: NDArray[np.uint8], places: Sequence[Candidate], shapes: Sequence[str], place: CameraPlace | None
    ) -> list[FittedDie]:
        """Return the dice. If the camera's place is not known, it is where most fits, if nothing fits where it was."""
        size = picture.shape[1], picture.shape[0]
        if self._given != place or (self._search is not None and self._search.size != size):
            self._given, self._search, self._sizes = place, None, Sizes()
        if self._search is None and place is not None:
            self._search = FloorSearch(size, place)
        dice = [] if self._search is None else self._dice(picture, places, self._search.place, shapes, self._sizes)
        if place is None and (_rank(dice) < POOR or _missed(places, dice)):
            guess, guessed = self._guessed(picture, places, shapes)
            if _missed(places, guessed) < _missed(places, dice) or _rank(guessed) > _rank(dice):
                self._search, self._sizes = FloorSearch(size, guess), Sizes()
                self._search.remember(self._dice(picture, places, guess, shapes, self._sizes))
                for _ in range(SWEEPS):
                    self._search.step()
                dice = self._dice(picture, places, self._search.place, shapes, self._sizes)
                self._search.forget()
        return dice if place is not None else self._upright_dice(picture, places, shapes, dice)

    def _upright_dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        shapes: Sequence[str],
        dice: list[FittedDie],
    ) -> list[FittedDie]:
        """Return the dice, or, if the camera seems to look aslant, those that are found then."""
        size, fits = (picture.shape[1], picture.shape[0]), dice
        hot = [one for one in places if one.heat > 0.5][:FEW_LOOKED_AT]
        around = self.place
        if not dice and hot:
            tries = [CameraPlace(size[0] / (hot[0].size * share / 16.0)) for share in SCALES[1::2]]
            found = [
                (place, self._finder.find(picture, hot, place.floor(size), shapes, UsualSizes())) for place in tries
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
        self._search, self._sizes = FloorSearch(size, better), Sizes()
        return self._dice(picture, places, better, shapes, UsualSizes())

    def _guessed(
        self, picture: NDArray[np.uint8], places: Sequence[Candidate], shapes: Sequence[str]
    ) -> tuple[CameraPlace, list[FittedDie]]:
        """Return from how far, straight down, dice of usual sizes fit best, and these dice."""
        hot = [one for one in places if one.heat > 0.5] or list(places[:1])
        wides = np.sort([one.size for one in hot])
        # Pips look like dice that are far away: so several distances are tried.
        groups = np.split(wides, np.flatnonzero(wides[1:] > wides[:-1] * OTHER) + 1) if hot else []
        found = []
        for wide in (float(np.median(group)) for group in groups):
            fit = [one for one in hot if 1 / OTHER < one.size / wide < OTHER][:6]
            for share in SCALES:
                place = CameraPlace(picture.shape[1] / (wide * share / 16.0))
                found.append((place, self._dice(picture, fit, place, shapes, UsualSizes())))
        return max(found, key=lambda one: _rank(one[1]), default=(NOWHERE, []))

    def _dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        place: CameraPlace,
        shapes: Sequence[str],
        sizes: Sizes,
    ) -> list[FittedDie]:
        """Return the dice at these places, the likeliest first."""
        return [die for die in self.fit(picture, places, place, shapes, sizes) if decide.is_die(die)]

    def fit(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        place: CameraPlace,
        shapes: Sequence[str],
        sizes: Sizes,
    ) -> list[FittedDie]:
        """Return what fits best at each of these places of a BGR picture, be it a die or not, the likeliest first."""
        floor = place.floor((picture.shape[1], picture.shape[0]))
        low, high = (floor.wide(np.array(floor.size) / 2, pick(USUAL[one] for one in shapes)) for pick in (min, max))
        fit, kept = [one for one in places if 0.5 * low < one.size < 1.9 * high], list[Candidate]()
        for one in fit:
            if all(one.distance(other) > 0.4 * low for other in kept):
                kept.append(one)
        dice = self._finder.find(picture, kept[:FEW], floor, shapes, sizes)
        for die in dice:
            facets = facets_in_sight(die.shape, die.size, die.flat, floor)
            (die.top,) = self._signs.read(picture, die.shape, die.size, die.flat, floor, facets[:1], (1.0,))
            if banks := [one for one in self.taught if die.shape in SOLIDS[one.kind]]:
                die.look = _top_of(picture, die, floor)
                die.taught = ask(banks, *die.look)
        return dice

    def _remember(self, dice: Sequence[FittedDie]) -> None:
        """Learn from dice that lie free, unless they lay there in the last picture already."""
        same = self._seen_before(dice, self._last)
        self._last = _spots(dice)
        if self._search is None or same:
            return
        free = [one for one in dice if one.agrees > LIES and not decide.may_lean(one)]
        for one in free:
            if not self._sizes.knows(one.shape, one.size):
                self._sizes.learn(one.shape, one.fit.best_size())
        self._search.remember(free)

    @staticmethod
    def _seen_before(dice: Sequence[FittedDie], last: Matrix) -> bool:
        """True if all dice lie where they lay last."""
        spots = _spots(dice)
        return len(spots) == len(last) and all(np.hypot(*(last - spot).T).min() < MOVED for spot in spots)

    def _face(self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor, kinds: Collection[str]) -> FittedFace:
        """Return what a die shows."""
        facets = facets_in_sight(die.shape, die.size, die.flat, floor)
        found = decide.with_taught(decide.faces(die.shape, die.top, kinds), die.taught, kinds)
        if found[0][0] < decide.SURE:
            chances = self._signs.read(picture, die.shape, die.size, die.flat, floor, facets)
            ways = numberings(die.shape, die.top)
            found = decide.faces(die.shape, joined(die.shape, facets, chances, ways, AS_USUAL), kinds)
            found = decide.with_taught(found, die.taught, kinds)
        free, leans, tilt, lift = die.flat, 0.0, 0.0, 0.0
        aslant = self._given is None and die.shape != "d6"
        if aslant or decide.may_lean(die):
            free = die.fit.free(die.flat)
        if decide.may_lean(die):
            leans = decide.leaning(die, (free.score, free.tilt, free.lift))
            tilt, lift = free.tilt, free.lift * die.size
        corners = corners_of(die.shape, facets[0], 0.0, 0.8) * (die.size / 2)
        view = head_on(picture, floor.spots(corners @ die.flat.turn.T + die.flat.place))
        (chance, kind, value), *others = found
        if aslant and free.score > die.flat.score + FREER:
            chance *= OTHER_TOP
        likely = tuple(face for p, other, face in others if other == kind and p >= decide.LIKELY)
        x, y = floor.spots(corners.mean(axis=0) @ die.flat.turn.T + die.flat.place)
        white = float((view.min(axis=2) >= WHITE).mean())
        blank = decide.no_sign(die, kinds)
        foot = floor.spots(np.column_stack([die.foot, np.zeros(len(die.foot))]))
        return FittedFace(die, (float(x), float(y)), foot, kind, value, chance, likely, leans, tilt, lift, blank, white)


def _top_of(picture: NDArray[np.uint8], die: FittedDie, floor: Floor) -> tuple[NDArray[np.uint8], Tint]:
    """Return what is on top of a die, as `ShownFace.crop`, and the colour of its body."""
    top = facets_in_sight(die.shape, die.size, die.flat, floor)[0]
    square = corners_of(die.shape, top, 0.0, ROOM) * (die.size / 2) @ die.flat.turn.T + die.flat.place
    x, y = floor.spots(square.mean(axis=0))
    return head_on(picture, floor.spots(square), GRAIN), measure_tint(picture, Candidate(x, y, die.wide, die.worth))


def _spots(dice: Sequence[FittedDie]) -> Matrix:
    """Return the middles of dice in the picture (dice, 2)."""
    return np.array([one.outline.mean(axis=0) for one in dice]).reshape(-1, 2)


def _rank(dice: Sequence[FittedDie]) -> float:
    """Return how well solids with clear signs explain what is seen, on average."""
    return float(np.mean([one.rank + math.log(one.clear + 0.05) for one in dice])) if dice else -math.inf


def _missed(places: Sequence[Candidate], dice: Sequence[FittedDie]) -> int:
    """Return how many places, where a detector is sure of a die, are none of these dice."""
    return sum(one.heat > HOT for one in _not_on(places, dice))


def _not_on(places: Sequence[Candidate], dice: Sequence[FittedDie]) -> list[Candidate]:
    """Return the places that are none of these dice."""
    return [one for one in places if not any(is_on(one, die) for die in dice)]


def _cut(die: FittedDie, picture: NDArray[np.uint8]) -> Doubt | None:
    """Return the doubt about a die that the picture's edge cuts off, or None."""
    low, high = die.outline.min(axis=0), die.outline.max(axis=0)
    x, y = ((low + high) / 2).tolist()
    whole = Candidate(x, y, float((high - low).max()), die.worth)
    return Doubt("edge", die) if _beyond(whole, picture) > BEYOND else None


def _beyond(place: Candidate, picture: NDArray[np.uint8]) -> float:
    """Return how far a place reaches beyond the picture, as a share of its own width."""
    return place.share_beyond(picture.shape[1], picture.shape[0])


def _box(place: Candidate) -> Matrix:
    """Return the corners (4, 2) of a place in the picture."""
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.array([place.x, place.y]) + ends * place.size / 3
