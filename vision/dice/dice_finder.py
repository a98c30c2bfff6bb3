"""Find dice over a known floor: the location, shape and pose of each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.detect import Candidate
from vision.dice.floor import Floor
from vision.dice.lines import INPUT_DIE_WIDTH_PX, INPUT_SIDE_PX, LineNet
from vision.dice.polyhedra import Matrix
from vision.dice.pose import DieLines, DiePose, PoseFit, wireframe_of_shape
from vision.dice.sizes import MAX_SIZE_RATIO, USUAL_SIZES_MM, DiceSizes, trial_sizes
from vision.reading import Face, Tint

MAX_OVERLAP_SHARE = 0.45  # Two outlines that overlap by more than this share of the smaller one can't both be dice.
RIVAL_RANK_MARGIN = 0.5  # A shape or size within this margin of the best rank is a rival, decided by its sign.
MAX_RIVALS = 4  # maximum number of rivals per die
GOOD_FIT_RANK = 1.1  # minimum rank at which a die of known size explains the image
MIN_WIDTH_RATIO = 0.55  # minimum width of a die relative to the detector's box
MAX_WIDTH_RATIO = 1.3  # maximum, likewise
# the same for a fitted die, because the detector overestimates widths far from its best scale
MIN_FITTED_WIDTH_RATIO = 0.45
DIE_MARGIN_WIDTHS = 0.2  # Candidates within this margin around a die, in units of its width, belong to it.
MIN_OUTLINE_AREA = 0.6  # minimum area of a die's mask, in squares of its size
MAX_OUTLINE_AREA = 2.0  # maximum, likewise
ABSENT_DISTANCE_MM = 99.0  # distance if there is no other die, or no wall


@dataclass(slots=True, eq=False)
class FittedDie:
    """A die fitted in its best flat pose.

    shape, size, flat: polyhedron, size in mm, and pose.
    outline: outline in the image, (corners, 2) in pixels.
    foot: footprint on the floor, (corners, 2) in mm.
    agrees, filled: IoU of outline and mask, and the share of the outline that the mask fills.
    worth: quality of the fit, 0 to 1.
    heat: score of the detector there, 0 to 1.
    top: probabilities of the signs on top, with none last.
    taught, taught_name: probabilities of the taught faces, and the name of the taught die that it resembles most.
    look: crop of the top and tint of the body, if it may be a taught die.
    away, next: distance in mm from the nearest die, negative if they overlap, and that die.
    wall, off: distance in mm from the foot of the wall, and its uncertainty.
    rivals: other shapes and sizes with nearly the same rank.
    """

    shape: str
    size: float
    flat: DiePose
    lines: DieLines
    outline: Matrix
    foot: Matrix
    agrees: float
    filled: float
    worth: float
    fit: PoseFit = field(repr=False)
    heat: float = 0.0
    top: Matrix = field(default_factory=lambda: np.zeros(1))
    taught: Mapping[tuple[str, Face], float] = field(default_factory=dict)
    taught_name: str = ""
    look: tuple[NDArray[np.uint8], Tint] | None = None
    away: float = ABSENT_DISTANCE_MM
    next: FittedDie | None = None
    wall: float = ABSENT_DISTANCE_MM
    off: float = 0.0
    rivals: list[FittedDie] = field(default_factory=list, repr=False)

    @property
    def width_px(self) -> float:
        """Approximate width of its top, in pixels."""
        return math.sqrt(cv2.contourArea(self.outline.astype(np.float32)))

    @property
    def sign_probability(self) -> float:
        """Probability of the likeliest sign on top, or of a taught face."""
        return max(float(self.top[:-1].max(initial=0.0)), sum(self.taught.values()))

    @property
    def blank_probability(self) -> float:
        return float(self.top[-1]) * (1 - sum(self.taught.values()))

    @property
    def fit_rank(self) -> float:
        """Rank for comparing how well different solids explain the image."""
        return self.flat.score + 2 * self.agrees


class DiceFinder:
    """Finds dice over a floor with a line-detection network."""

    def __init__(self, lines: LineNet) -> None:
        self._lines = lines

    def find_dice(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        floor: Floor,
        shapes: Collection[str],
        sizes: DiceSizes,
    ) -> list[FittedDie]:
        """Find dice of these shapes at the candidates, likeliest first."""
        known = {shape: sizes.sizes_of_shape(shape) for shape in shapes}
        found = self._best_fits(picture, places, floor, sorted({one for some in known.values() for one in some}), known)
        if sizes.loose:
            left = [
                one
                for one in places
                if not any(may_be_same_die(one, die) for die in found if die.fit_rank > GOOD_FIT_RANK)
            ]
            found += self._best_fits(picture, left, floor, trial_sizes(shapes), dict.fromkeys(shapes))
        found.sort(key=lambda one: -one.worth)
        kept: list[FittedDie] = []
        for one in found:
            one.heat = max((place.heat for place in places if may_be_same_die(place, one)), default=0.0)
            if all(outline_overlap(one.outline, other.outline) < MAX_OVERLAP_SHARE for other in kept):
                kept.append(one)
        return kept

    def _best_fits(
        self,
        picture: NDArray[np.uint8],
        places: Sequence[Candidate],
        floor: Floor,
        sizes: Sequence[float],
        known: Mapping[str, Sequence[float] | None],
    ) -> list[FittedDie]:
        """Fit the best die at each candidate. `sizes` are trial sizes of the crops, and `known` the sizes of each
        shape, or None for any size. All are in mm."""
        found = defaultdict[int, list[FittedDie]](list)
        for size in sizes:
            for n, spot, lines in self._centered_lines(picture, places, floor, size):
                for shape, only in known.items():
                    if only is not None and size not in only:
                        continue
                    if only is None and not 1 / MAX_SIZE_RATIO < size / USUAL_SIZES_MM[shape] < MAX_SIZE_RATIO:
                        continue
                    tried = PoseFit(shape, size, spot, lines, floor).best_size() if only is None else size
                    found[n].append(fit_die(shape, tried, spot, lines, floor))
        best = []
        for here in found.values():
            first, *others = sorted(here, key=lambda one: -one.fit_rank)
            first.rivals = [one for one in others if one.fit_rank > first.fit_rank - RIVAL_RANK_MARGIN][:MAX_RIVALS]
            best.append(first)
        return best

    def _centered_lines(
        self, picture: NDArray[np.uint8], places: Sequence[Candidate], floor: Floor, size: float
    ) -> Iterator[tuple[int, Matrix, DieLines]]:
        """Crop each candidate for dice of this size in mm and detect its lines, recentered on the mask of the first
        pass. Yield (candidate index, center in the image, lines)."""
        whole = [(n, np.array([place.x, place.y])) for n, place in enumerate(places)]
        fit = [
            (n, spot)
            for n, spot in whole
            if MIN_WIDTH_RATIO < floor.die_width_px(spot, size) / places[n].size < MAX_WIDTH_RATIO
        ]

        def lines_at(some: Sequence[tuple[int, Matrix]], *, twice: bool) -> list[DieLines]:
            spots = [spot for _, spot in some]
            return self._lines.detect_lines(
                picture, spots, [floor.die_width_px(spot, size) for spot in spots], twice=twice
            )

        first = zip(fit, lines_at(fit, twice=False), strict=True)
        better = [(n, middle) for (n, _), lines in first if (middle := _die_center(lines)) is not None]
        yield from ((n, middle, lines) for (n, middle), lines in zip(better, lines_at(better, twice=True), strict=True))


def fit_die(shape: str, size: float, spot: Matrix, lines: DieLines, floor: Floor) -> FittedDie:
    """Fit a flat die of this shape and size at `spot` to the lines."""
    fit = PoseFit(shape, size, spot, lines, floor)
    pose = fit.best_flat_pose()
    corners = wireframe_of_shape(shape).corners * (size / 2) @ pose.turn.T + pose.place
    outline = convex_hull(floor.project_points(corners))
    agrees, filled = outline_agreement(outline, lines)
    worth = agrees * float(lines.die.max()) * math.exp(min(0.0, pose.score + 0.8))
    return FittedDie(shape, size, pose, lines, outline, convex_hull(corners[:, :2]), agrees, filled, worth, fit)


def outline_agreement(outline: Matrix, lines: DieLines) -> tuple[float, float]:
    """Return the IoU of an outline and the network's mask, and the share of the outline that the mask fills."""
    spots = outline @ lines.way[:, :2].T + lines.way[:, 2]
    plate, mask = np.zeros((INPUT_SIDE_PX, INPUT_SIDE_PX), np.uint8), (lines.die > 0.5).astype(np.uint8)
    cv2.fillConvexPoly(plate, np.round(spots * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    both = int(np.minimum(plate, mask).sum())
    return both / max(1, int(np.maximum(plate, mask).sum())), both / max(1, int(plate.sum()))


def measure_gaps(dice: Sequence[FittedDie], foot: Matrix | None, off: float = 0.0) -> None:
    """Set each die's distance from the others and from the wall. `foot` is the wall's foot (corners, 2) in mm, and
    `off` its uncertainty in mm."""
    for one in dice:
        others = [other for other in dice if other is not one]
        one.next = min(others, key=lambda other: outline_gap(one.foot, other.foot), default=None)
        one.away = ABSENT_DISTANCE_MM if one.next is None else outline_gap(one.foot, one.next.foot)
        if foot is not None:
            ring, one.off = foot.astype(np.float32), off
            one.wall = min(cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in one.foot)


def outline_gap(one: Matrix, other: Matrix) -> float:
    """Return the distance between two convex outlines, the negative depth of the overlap if they overlap."""
    best = -math.inf
    for a, b in ((one, other), (other, one)):
        sides = np.roll(a, -1, axis=0) - a
        long = np.hypot(*sides.T)
        normals = np.column_stack([sides[:, 1], -sides[:, 0]])[long > 1e-6] / long[long > 1e-6, None]
        starts = a[long > 1e-6]
        outward = np.where(((a.mean(axis=0) - starts) * normals).sum(axis=1) > 0, -1, 1)[:, None] * normals
        best = max(best, float(((b @ outward.T).min(axis=0) - (starts * outward).sum(axis=1)).max()))
    return best


def outline_overlap(one: Matrix, other: Matrix) -> float:
    """Return the share of the smaller convex outline that is inside the other."""
    one, other = one.astype(np.float32), other.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(one, other)
    return float(area) / max(1e-6, min(cv2.contourArea(one), cv2.contourArea(other)))


def convex_hull(points: Matrix) -> Matrix:
    return np.asarray(cv2.convexHull(np.asarray(points, np.float32))[:, 0], float)


def _die_center(lines: DieLines) -> Matrix | None:
    """Return the center of a crop's mask in pixels of the image, or None if its area doesn't suit the scale."""
    mask = (lines.die > 0.5).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if len(stats) < 2:
        return None
    pick = int(labels[INPUT_SIDE_PX // 2, INPUT_SIDE_PX // 2]) or 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    x, y, wide, tall, area = stats[pick]
    if not MIN_OUTLINE_AREA < area / INPUT_DIE_WIDTH_PX**2 < MAX_OUTLINE_AREA:
        return None
    middle = np.array([x + wide / 2 - 0.5, y + tall / 2 - 0.5])
    return np.asarray((middle - lines.way[:, 2]) / lines.way[0, 0])


def may_be_same_die(place: Candidate, die: FittedDie) -> bool:
    away = -cv2.pointPolygonTest(die.outline.astype(np.float32), (place.x, place.y), True)
    return away <= DIE_MARGIN_WIDTHS * die.width_px and die.width_px > MIN_FITTED_WIDTH_RATIO * place.size


def unmatched_candidates(places: Sequence[Candidate], dice: Sequence[FittedDie]) -> list[Candidate]:
    return [one for one in places if not any(may_be_same_die(one, die) for die in dice)]
