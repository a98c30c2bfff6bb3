"""Read the dice of a picture by fitting the solids that may lie there to their lines."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import decide
from vision.dice.camera_search import CameraSearch, missed
from vision.dice.decide import Doubt, FittedFace
from vision.dice.detect import Candidate, Detector
from vision.dice.facets import corners_of, facets_in_sight, head_on, joined, numberings
from vision.dice.fitted import FittedDie, measure_gaps, not_on
from vision.dice.fitter import DiceFitter, top_of
from vision.dice.floor import CameraPlace, Floor
from vision.dice.known_table import KnownTable
from vision.dice.polyhedra import Matrix
from vision.dice.sizes import KnownSizes, shapes_of
from vision.dice.strange import Strange
from vision.dice.taught import ShownFace, TaughtError
from vision.reading import Face, Figure
from vision.weights import WEIGHTS

EDGES = (640, 352, 192)  # lengths of the picture's longer edge at which dice with numerals are looked for
AS_USUAL = 0.8  # probability that a die is numbered as most are
FREER, OTHER_TOP = 0.15, 0.8  # how much better a free pose fits, from which another facet may be on top, and its chance
WARM = 0.45  # heat from which what the picture's edge cuts off is a die
BEYOND = 0.24  # share of a die's width beyond the picture's edge from which to ask; of one that does not fit, half
NEW, FAINT = 0.3, 0.1  # share of a die's outline that differs from the empty tray; and of one that fits well
LAIN = 0.5  # the same share of a die that is to be taught, whatever it looks like
LIT, BRIGHT = 150, 0.88  # light of the brightest pixels of a facet, and its share from which others belong to a spot
WHITE = 250  # from this value of all three colors on, a pixel shows nothing but light


class FittedReading(NamedTuple):
    """The dice of a picture, the doubt about each alone, or None, the one most worth acting on, and whether one of them
    may hide another."""

    faces: list[FittedFace]
    doubts: list[Doubt | None]
    doubt: Doubt | None
    hides: bool


class FittedReader:
    """Finds and reads dice over a floor. Where the floor is, and how large the dice are, it learns from them. `fitter`
    knows the dice that this table was taught."""

    def __init__(self) -> None:
        self._pips, self._numerals = Detector(), Detector(WEIGHTS / "spot.onnx", EDGES)
        self.fitter = DiceFitter()
        self._camera = CameraSearch(self.fitter)

    def read(
        self,
        picture: NDArray[np.uint8],
        kinds: Collection[str],
        table: KnownTable,
        keep: Callable[[list[Candidate]], list[Candidate]],
    ) -> FittedReading:
        """Return the dice of these kinds in a BGR picture of this table. Of the places that may be dice only those that
        `keep` returns count."""
        place, wall, empty, _ = table
        strange = None if empty is None else Strange(picture, empty, None if wall is None else wall.corners)
        places = keep(self._places(picture, kinds, place, strange))
        dice = self._camera.dice(picture, places, shapes_of(kinds), table)
        if strange is not None:
            dice = [one for one in dice if _lies_there(one, strange)]
        floor = self._camera.floor(picture)
        if wall is None:
            measure_gaps(dice, None)
        else:
            measure_gaps(dice, wall.foot(floor), wall.off)
        seen = [self._face(picture, one, floor, kinds, aslant=place is None) for one in dice]
        self._camera.remember(dice)
        things = [] if strange is None else strange.things([one.outline for one in dice], floor.scale)
        lost = [one for one in places if strange is None or strange.share(_box(one)) > NEW]
        doubts = [decide.doubt_about_die(one, self._camera.limits) or _cut(one.die, picture) for one in seen]
        least = 0.6 * min((one.wide for one in dice), default=0.0)
        left = [one for one in not_on(lost, dice) if one.heat > WARM and one.size > least]
        beyond = [Doubt("edge", figures=_past(one, picture, BEYOND / 2)) for one in left]
        beyond = [one for one in beyond if one.figures]
        doubt = decide.doubt_about([*doubts, *beyond], things, missed(lost, dice))
        return FittedReading(seen, doubts, doubt, decide.hides_another(things))

    def show(
        self,
        picture: NDArray[np.uint8],
        kind: str,
        face: Face,
        go: int,
        table: KnownTable,
        keep: Callable[[list[Candidate]], list[Candidate]],
    ) -> ShownFace:
        """Return the one die of a BGR picture as a face to teach: of this `kind`, with this `face` on top, in round
        `go`. The rest is as for `read`. Raises TaughtError when there is not exactly one die."""
        strange, shapes = None if table.empty is None else Strange(picture, table.empty, None), shapes_of({kind})
        places = keep(self._places(picture, {kind, "d6"}, table.place, strange))
        dice = self._camera.dice(picture, places, shapes, table)
        if not dice:
            found = self.fitter.fit(picture, places, self._camera.place, shapes, self._camera.sizes)
            lain = [strange is not None and strange.share(one.outline) > LAIN for one in found]
            dice = [one for one, lies in zip(found, lain, strict=True) if lies or decide.fits_well(one)]
        if len(dice) != 1:
            raise TaughtError(
                f"{len(dice)} dice found: leave only this one in the tray."
                if dice
                else "No die found: put it closer to the middle, away from the wall."
            )
        return ShownFace(face, go, *top_of(picture, dice[0], self._camera.floor(picture)))

    @property
    def learned(self) -> tuple[CameraPlace, KnownSizes] | None:
        """As `CameraSearch.learned`."""
        return self._camera.learned

    def learn(self) -> None:
        """Learn a little more about the floor from the dice that were read."""
        self._camera.learn()

    def place_by(
        self, picture: NDArray[np.uint8], keep: Callable[[list[Candidate]], list[Candidate]]
    ) -> CameraPlace | None:
        """Return where the camera is, by one d6 of 16 mm that lies flat; None if there is not just one."""
        places = sorted(self._pips.detect(picture), key=lambda one: -one.heat)
        return self._camera.place_by(picture, keep(places))

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

    def _face(
        self, picture: NDArray[np.uint8], die: FittedDie, floor: Floor, kinds: Collection[str], *, aslant: bool
    ) -> FittedFace:
        """Return what a die shows. The camera may look `aslant` where it is not calibrated."""
        facets = facets_in_sight(die.shape, die.size, die.flat, floor)
        found = decide.with_taught(decide.faces(die.shape, die.top, kinds), die.taught, kinds)
        if found[0][0] < decide.SURE:
            chances = self.fitter.signs.read(picture, die.shape, die.size, die.flat, floor, facets)
            ways = numberings(die.shape, die.top)
            found = decide.faces(die.shape, joined(die.shape, facets, chances, ways, AS_USUAL), kinds)
            found = decide.with_taught(found, die.taught, kinds)
        free, leans, tilt, lift = die.flat, 0.0, 0.0, 0.0
        aslant = aslant and die.shape != "d6"
        if aslant or decide.may_lean(die):
            free = die.fit.free(die.flat)
        if decide.may_lean(die):
            leans = decide.leaning(die, free.score, free.tilt)
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
        lies, shows = (leans, tilt, lift), (blank, white, largest_spot(view))
        return FittedFace(die, (float(x), float(y)), foot, kind, value, chance, likely, *lies, *shows)


def largest_spot(view: NDArray[np.uint8]) -> float:
    """Return the share of a facet's BGR picture that the largest of its brightest spots takes; 0 in little light."""
    light = view.min(axis=2)
    bright = float(np.percentile(light, 99))
    if bright < LIT:
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats((light > BRIGHT * bright).astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / float(light.size)


def _lies_there(die: FittedDie, strange: Strange) -> bool:
    """True if a die was not there when the tray was empty. One of the felt's color, or as dark as a shadow, differs
    little; then it must fit well and show a clear sign."""
    if strange.share(die.outline) > NEW:
        return True
    return decide.fits_and_shows(die) and strange.share(die.outline, shade=True) > FAINT


def _cut(die: FittedDie, picture: NDArray[np.uint8]) -> Doubt | None:
    """Return the doubt about a die that the picture's edge cuts off, or None."""
    low, high = die.outline.min(axis=0), die.outline.max(axis=0)
    x, y = ((low + high) / 2).tolist()
    whole = Candidate(x, y, float((high - low).max()), die.worth)
    figures = _past(whole, picture, BEYOND)
    return Doubt("edge", die, figures=figures) if figures else None


def _past(place: Candidate, picture: NDArray[np.uint8], most: float) -> tuple[Figure, ...]:
    """Return which share of a place's width lies beyond the picture, if that is more than `most`; else nothing."""
    share = place.share_beyond(picture.shape[1], picture.shape[0])
    return (Figure("beyond the edge", share, most=most),) if share > most else ()


def _box(place: Candidate) -> Matrix:
    """Return the corners (4, 2) of a place in the picture."""
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.array([place.x, place.y]) + ends * place.size / 3
