"""Watch whether the tray is still where it was calibrated, and lit the same."""

import math
from itertools import combinations, starmap

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.tray.motion import SMALL_WIDTH_PX, GrayImage, block_means, small_gray_image
from vision.tray.outline import Tray

Image = NDArray[np.uint8]

MAX_SHIFT_SHARE = 0.015  # a tray that shifted by more than this share of the picture's width has moved
# A tray turned, tilted or sank if its corners, except the most deviant one, moved differently by more than this share
# of the picture's width.
MAX_TURN_SHARE = 0.0115
# The light changed when the felt is darker or brighter by these factors, or one of its colors by the third against the
# others.
DARKER_FACTOR = 0.68
BRIGHTER_FACTOR = 1.45
COLOR_CAST_FACTOR = 1.12
LOST_EDGE_HOLD_FACTOR = 4  # factor of patience while the tray's edge is out of sight, before the tray counts as moved
MAX_OUTLIER_PERCENT = 20  # percent of the felt that may disagree: dice lie there, or a shadow ends
FELT_SAMPLE_SLICE = np.s_[::2, ::2]  # a quarter of the felt is enough to tell how it is lit
# Half the width of a tracked piece of the tray's edge, and how far to search for it, in small pixels.
_PATCH_RADIUS_PX = 8
_SEARCH_RADIUS_PX = 15


class DriftWatcher:
    """Watches whether the tray is still where it was and lit as it was. Feed it still frames, about one per second.

    `doubt` is "moved-tray", "light" or None. A change must last for `hold` seconds without a break before `doubt`
    follows it. Pieces of the tray's edge are tracked; dice, hands and shadows hide some of them, but never move most of
    them alike. It detects shifts from 2 % of the picture's width, turns from 3 degrees, a camera that came 3 % nearer
    or went as far away, and a tray that tilts in place once its corners have moved as far: at 6 to 15 degrees.
    """

    def __init__(self, tray: Tray, hold: float = 3.0) -> None:
        self.doubt: str | None = None
        self._tray, self._hold = tray, hold
        self._empty = _small_color_image(tray.empty)
        self._grey = small_gray_image(tray.empty)
        self._corners = _edge_patches(tray, self._grey)
        self._felt = (
            cv2.resize(tray.tray_mask, self._grey.shape[::-1], interpolation=cv2.INTER_NEAREST)[FELT_SAMPLE_SLICE] > 0
        )
        self._since: tuple[str | None, float] = (None, -math.inf)

    def process_frame(self, frame: Image, when: float, *, hand: bool = False) -> str | None:
        """Compare a full frame, taken at `when` seconds, and return `doubt`. What seems to be a `hand` may hide the
        edge of the tray, or be the tray elsewhere. Raises TrayError if the size of the frame is wrong."""
        self._tray.validate_size(frame)
        if frame.shape[:2] != self._tray.empty.shape[:2]:
            size = self._tray.empty.shape[1], self._tray.empty.shape[0]
            frame = cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        moved = self._has_moved(frame)
        if hand and not moved:
            return self.doubt
        # Either something lies on the edge, or it moved too far to be tracked. Wait longer to tell.
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
        """True if the tray's edge is elsewhere; None when too little of it is visible."""
        if not self._corners:
            return False
        grey = small_gray_image(frame)
        ways = [way for corner in self._corners if (way := _patch_shift(corner, self._grey, grey)) is not None]
        if 2 * len(ways) < len(self._corners):
            return None
        wide = grey.shape[1]
        far = sorted(math.hypot(*way) for way in ways)
        # A thing on one corner misleads the tracking there; the others then agree, pair by pair, or stayed in place.
        apart, pairs = sorted(starmap(math.dist, combinations(ways, 2))), math.comb(len(ways) - 1, 2)
        turned = pairs > 0 and far[1] > MAX_SHIFT_SHARE * wide / 3 and apart[pairs - 1] > MAX_TURN_SHARE * wide
        return bool(np.median(far) > MAX_SHIFT_SHARE * wide) or turned

    def _has_new_light(self, frame: Image) -> bool:
        """True if most of the felt is lit differently."""
        now = _small_color_image(frame)
        then: MatLike = self._empty
        if now.shape != then.shape:
            now, then = small_gray_image(frame), self._grey
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
    """Return the picture at the size of `motion.small_gray_image`, with its colors."""
    return block_means(picture, max(round(picture.shape[1] / SMALL_WIDTH_PX), 1)).astype(np.float32)


def _edge_patches(tray: Tray, grey: GrayImage) -> list[list[tuple[int, int]]]:
    """Return pieces of the tray's edge worth tracking, in up to four groups with edges in several directions."""
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
    """Return the common shift of these pieces, in small pixels right and down; None when most are hidden or lost."""
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
    # Combine the pieces: a straight edge shows movement in one direction only, and a few that are wrong weigh little.
    likeness = np.mean(np.stack(seen), axis=0)
    best = float(likeness.max())
    if best < 0.5:
        return None
    # An edge looks the same a little farther along: among similar matches take the nearest.
    alike = np.argwhere(likeness > best - 0.01) - _SEARCH_RADIUS_PX
    down, right = alike[np.hypot(*alike.T).argmin()].tolist()
    return right, down
