"""Detect that the tray or camera moved since calibration, or that the light changed."""

import math
from itertools import combinations, starmap

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.tray.motion import SMALL_WIDTH_PX, GrayImage, block_means, small_gray_image
from vision.tray.outline import Tray

Image = NDArray[np.uint8]

MAX_SHIFT_SHARE = 0.015  # A larger shift, as a share of the image width, means that the tray moved.
# The tray turned, tilted or sank if the shifts of its corners, without the largest outlier, differ by more than this
# share of the image width.
MAX_TURN_SHARE = 0.0115
DARKER_FACTOR = 0.68  # The light changed if the felt's brightness falls below this factor.
BRIGHTER_FACTOR = 1.45  # It changed if the brightness rises above this factor.
COLOR_CAST_FACTOR = 1.12  # It changed if one channel differs from the others by this factor.
LOST_EDGE_HOLD_FACTOR = 4  # longer hold while the tray's edge is out of sight, before the tray counts as moved
MAX_OUTLIER_PERCENT = 20  # outliers allowed on the felt, because dice or a shadow may cover part of it
FELT_SAMPLE_SLICE = np.s_[::2, ::2]  # Every second pixel in both directions is enough to measure the light.
_PATCH_RADIUS_PX = 8  # half the width of a tracked patch, in pixels of the small image
_SEARCH_RADIUS_PX = 15  # search range, likewise


class DriftWatcher:
    """Detects drift of the tray and the light. Give it still frames, about one per second.

    Patches of the tray's edge are tracked. Dice, hands and shadows hide some of them but never move most of them alike.
    It detects shifts from 2 % of the image width, turns from 3 degrees, a camera that is 3 % nearer or farther, and
    tilts of 6 to 15 degrees when they shift the corners by that much.

    hold: seconds for which a change must last without a break.
    doubt: "moved-tray", "light" or None.
    """

    def __init__(self, tray: Tray, hold: float = 3.0) -> None:
        self.doubt: str | None = None
        self._tray, self._hold = tray, hold
        self._reference_color = _small_color_image(tray.empty)
        self._reference_gray = small_gray_image(tray.empty)
        self._patch_groups = _edge_patches(tray, self._reference_gray)
        self._felt = (
            cv2.resize(tray.tray_mask, self._reference_gray.shape[::-1], interpolation=cv2.INTER_NEAREST)[
                FELT_SAMPLE_SLICE
            ]
            > 0
        )
        self._since: tuple[str | None, float] = (None, -math.inf)

    def process_frame(self, frame: Image, when: float, *, hand: bool = False) -> str | None:
        """Compare a full frame, taken at `when` seconds, with the calibration and return `doubt`. What seems a `hand`
        may hide the tray's edge, or be the displaced tray. Raises TrayError if the frame has another size than the
        tray."""
        self._tray.validate_size(frame)
        if frame.shape[:2] != self._tray.empty.shape[:2]:
            size = self._tray.empty.shape[1], self._tray.empty.shape[0]
            frame = cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        moved = self._has_moved(frame)
        if hand and not moved:
            return self.doubt
        # The edge is hidden, or shifted beyond the search range. Hold longer to find out.
        hold = self._hold * (LOST_EDGE_HOLD_FACTOR if moved is None else 1)
        now = (
            "moved-tray"
            if moved
            else "light"
            if self._has_new_light(frame)
            else "moved-tray"
            if moved is None
            else None
        )
        if now != self._since[0]:
            self._since = now, when
        if when - self._since[1] >= hold:
            self.doubt = now
        return self.doubt

    def _has_moved(self, frame: Image) -> bool | None:
        """True if the tray's edge shifted. None if too little of it is visible."""
        if not self._patch_groups:
            return False
        grey = small_gray_image(frame)
        ways = [
            way
            for corner in self._patch_groups
            if (way := _patch_shift(corner, self._reference_gray, grey)) is not None
        ]
        if 2 * len(ways) < len(self._patch_groups):
            return None
        wide = grey.shape[1]
        far = sorted(math.hypot(*way) for way in ways)
        # An object on one corner misleads its tracking. The others then agree in pairs, or have not moved.
        apart, pairs = sorted(starmap(math.dist, combinations(ways, 2))), math.comb(len(ways) - 1, 2)
        turned = pairs > 0 and far[1] > MAX_SHIFT_SHARE * wide / 3 and apart[pairs - 1] > MAX_TURN_SHARE * wide
        return bool(np.median(far) > MAX_SHIFT_SHARE * wide) or turned

    def _has_new_light(self, frame: Image) -> bool:
        now = _small_color_image(frame)
        then: MatLike = self._reference_color
        if now.shape != then.shape:
            now, then = small_gray_image(frame), self._reference_gray
        gains = (now[FELT_SAMPLE_SLICE][self._felt] + 3) / (then[FELT_SAMPLE_SLICE][self._felt] + 3)
        gains = gains.reshape(len(gains), -1)
        level = gains.mean(axis=1)
        low, high = np.percentile(level, MAX_OUTLIER_PERCENT), np.percentile(level, 100 - MAX_OUTLIER_PERCENT)
        tint = np.percentile(gains / level[:, None], (MAX_OUTLIER_PERCENT, 100 - MAX_OUTLIER_PERCENT), axis=0)
        return bool(
            high < DARKER_FACTOR
            or low > BRIGHTER_FACTOR
            or tint[0].max() > COLOR_CAST_FACTOR
            or tint[1].min() < 1 / COLOR_CAST_FACTOR
        )


def _small_color_image(picture: MatLike) -> MatLike:
    """Shrink an image like `motion.small_gray_image`, in color."""
    return block_means(picture, max(round(picture.shape[1] / SMALL_WIDTH_PX), 1)).astype(np.float32)


def _edge_patches(tray: Tray, grey: GrayImage) -> list[list[tuple[int, int]]]:
    """Select patches with texture along the tray's edge, in up to four groups by quadrant."""
    tall, wide = grey.shape
    points = tray.outline * (wide / tray.size[0], tall / tray.size[1])
    if tray.is_full_frame:
        spots = [(x, y) for x in np.linspace(0.1, 0.9, 7) * wide for y in np.linspace(0.1, 0.9, 7) * tall]
    else:
        ring = np.concatenate([points, points[:1]])
        steps = np.hypot(*np.diff(ring, axis=0).T)
        along = np.concatenate([[0], np.cumsum(steps)])
        places = np.linspace(0, along[-1], 32, endpoint=False)
        spots = list(zip(np.interp(places, along, ring[:, 0]), np.interp(places, along, ring[:, 1]), strict=True))
    middle = points.mean(axis=0)
    groups: dict[tuple[bool, bool], list[tuple[int, int]]] = {}
    for x, y in spots:
        if not (3 <= x < wide - 3 and 3 <= y < tall - 3):
            continue
        column = min(max(round(float(x)), _PATCH_RADIUS_PX), wide - _PATCH_RADIUS_PX - 1)
        row = min(max(round(float(y)), _PATCH_RADIUS_PX), tall - _PATCH_RADIUS_PX - 1)
        piece = grey[
            row - _PATCH_RADIUS_PX : row + _PATCH_RADIUS_PX + 1,
            column - _PATCH_RADIUS_PX : column + _PATCH_RADIUS_PX + 1,
        ]
        if piece.std() > 3:
            groups.setdefault((bool(x > middle[0]), bool(y > middle[1])), []).append((column, row))
    return [group for group in groups.values() if len(group) >= 3]


def _patch_shift(spots: list[tuple[int, int]], then: GrayImage, now: GrayImage) -> tuple[int, int] | None:
    """Estimate the common shift (right, down) of a group of patches in pixels, or None if most are hidden."""
    padded = cv2.copyMakeBorder(
        now, _SEARCH_RADIUS_PX, _SEARCH_RADIUS_PX, _SEARCH_RADIUS_PX, _SEARCH_RADIUS_PX, cv2.BORDER_REPLICATE
    )
    maps = []
    for x, y in spots:
        piece = then[y - _PATCH_RADIUS_PX : y + _PATCH_RADIUS_PX + 1, x - _PATCH_RADIUS_PX : x + _PATCH_RADIUS_PX + 1]
        around = padded[
            y - _PATCH_RADIUS_PX : y + _PATCH_RADIUS_PX + 1 + 2 * _SEARCH_RADIUS_PX,
            x - _PATCH_RADIUS_PX : x + _PATCH_RADIUS_PX + 1 + 2 * _SEARCH_RADIUS_PX,
        ]
        maps.append(cv2.matchTemplate(around, piece, cv2.TM_CCOEFF_NORMED))
    seen = [one for one in maps if one.max() > 0.6]
    if 2 * len(seen) < len(maps):
        return None
    # Average the correlation maps: a straight edge constrains one direction only, and a few wrong patches have little
    # weight.
    likeness = np.mean(np.stack(seen), axis=0)
    best = float(likeness.max())
    if best < 0.5:
        return None
    # Along an edge the match is ambiguous, so take the shortest shift among similar matches.
    alike = np.argwhere(likeness > best - 0.01) - _SEARCH_RADIUS_PX
    down, right = alike[np.hypot(*alike.T).argmin()].tolist()
    return right, down
