"""Does the tray still lie where it lay, lit as it was?"""

from __future__ import annotations

import math
from itertools import combinations, starmap

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.tray.motion import WIDTH, Grey, blocks, small
from vision.tray.outline import Tray

Image = NDArray[np.uint8]

MOVED = 0.015
"""A tray that shifted by more than this share of the picture's width has moved."""

TURNED = 0.0115
"""A tray whose corners, all but the oddest one, did not go the same way to within this share turned, tilted or sank."""

DARKER, BRIGHTER, TINTED = 0.68, 1.45, 1.12
"""The light changed when the felt is so much darker or brighter, or one colour of it is so much against the others."""

LOST = 4
"""So many times longer than a shift must the tray's edge be out of sight until the tray counts as moved."""

FEW = 20
"""So many percent of the felt may tell otherwise: there lie dice, or a shadow ends."""

SPARSE = np.s_[::2, ::2]
"""A quarter of the felt tells as well how it is lit."""

_PATCH, _REACH = 8, 15
"""Half the width of a followed piece of the tray's edge, and how far it is looked for; in small pixels."""


class Drift:
    """Watches whether the tray still is where it was and lit as it was. Look about once a second, at still frames.

    `doubt` is "moved-tray", "light" or None. Either must be seen for `hold` seconds without a break before it is said
    or taken back. Pieces of the tray's edge are followed; dice, hands and shadows hide some, never most of them alike.
    Seen are shifts from 2 % of the picture's width, turns from 3 degrees, a camera that came 3 % nearer or went as far
    away, and a tray that tilts in its place once its corners have gone as far: at 6 to 15 degrees.
    """

    def __init__(self, tray: Tray, hold: float = 3.0) -> None:
        self.doubt: str | None = None
        self._tray, self._hold = tray, hold
        self._empty = _little(tray.empty)
        self._grey = small(tray.empty)
        self._corners = _corners(tray, self._grey)
        self._felt = cv2.resize(tray.mask, self._grey.shape[::-1], interpolation=cv2.INTER_NEAREST)[SPARSE] > 0
        self._since: tuple[str | None, float] = (None, -math.inf)

    def see(self, frame: Image, when: float) -> str | None:
        """Look at a full frame, taken at `when` seconds; gives `doubt`. Raises TrayError for another size."""
        self._tray.fits(frame)
        if frame.shape[:2] != self._tray.empty.shape[:2]:
            size = self._tray.empty.shape[1], self._tray.empty.shape[0]
            frame = cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        moved = self._moved(frame)
        # With its edge out of sight something lies on it, or it went too far to be followed: time will tell.
        hold = self._hold * (LOST if moved is None else 1)
        now = "moved-tray" if moved else "light" if self._relit(frame) else "moved-tray" if moved is None else None
        if now != self._since[0]:
            self._since = now, when
        if when - self._since[1] >= hold:
            self.doubt = now
        return self.doubt

    def _moved(self, frame: Image) -> bool | None:
        """Whether the tray's edge is elsewhere; None when too little of it is seen."""
        if not self._corners:
            return False
        grey = small(frame)
        ways = [way for corner in self._corners if (way := _shift(corner, self._grey, grey)) is not None]
        if 2 * len(ways) < len(self._corners):
            return None
        wide = grey.shape[1]
        far = sorted(math.hypot(*way) for way in ways)
        # What lies on one corner leads it astray; the others then agree, pair by pair, or stay where they were.
        apart, pairs = sorted(starmap(math.dist, combinations(ways, 2))), math.comb(len(ways) - 1, 2)
        turned = pairs > 0 and far[1] > MOVED * wide / 3 and apart[pairs - 1] > TURNED * wide
        return bool(np.median(far) > MOVED * wide) or turned

    def _relit(self, frame: Image) -> bool:
        """Whether most of the felt is lit otherwise."""
        now = _little(frame)
        then: MatLike = self._empty
        if now.shape != then.shape:
            now, then = small(frame), self._grey
        gains = (now[SPARSE][self._felt] + 3) / (then[SPARSE][self._felt] + 3)
        gains = gains.reshape(len(gains), -1)
        level = gains.mean(axis=1)
        low, high = np.percentile(level, FEW), np.percentile(level, 100 - FEW)
        tint = np.percentile(gains / level[:, None], (FEW, 100 - FEW), axis=0)
        return bool(high < DARKER or low > BRIGHTER or tint[0].max() > TINTED or tint[1].min() < 1 / TINTED)


def _little(picture: MatLike) -> MatLike:
    """The picture at `settle.small`'s size, colours kept."""
    return blocks(picture, max(round(picture.shape[1] / WIDTH), 1)).astype(np.float32)


def _corners(tray: Tray, grey: Grey) -> list[list[tuple[int, int]]]:
    """Pieces of the tray's edge worth following, in up to four groups around its middle, each with several ways."""
    tall, wide = grey.shape
    points = tray.outline * (wide / tray.size[0], tall / tray.size[1])
    if tray.whole:
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
        column = min(max(round(float(x)), _PATCH), wide - _PATCH - 1)
        row = min(max(round(float(y)), _PATCH), tall - _PATCH - 1)
        piece = grey[row - _PATCH : row + _PATCH + 1, column - _PATCH : column + _PATCH + 1]
        if piece.std() > 3:
            groups.setdefault((bool(x > middle[0]), bool(y > middle[1])), []).append((column, row))
    return [group for group in groups.values() if len(group) >= 3]


def _shift(spots: list[tuple[int, int]], then: Grey, now: Grey) -> tuple[int, int] | None:
    """Where these pieces moved together, in small pixels right and down, within reach; None when most are hidden."""
    padded = cv2.copyMakeBorder(now, _REACH, _REACH, _REACH, _REACH, cv2.BORDER_REPLICATE)
    maps = []
    for x, y in spots:
        piece = then[y - _PATCH : y + _PATCH + 1, x - _PATCH : x + _PATCH + 1]
        around = padded[y - _PATCH : y + _PATCH + 1 + 2 * _REACH, x - _PATCH : x + _PATCH + 1 + 2 * _REACH]
        maps.append(cv2.matchTemplate(around, piece, cv2.TM_CCOEFF_NORMED))
    seen = [one for one in maps if one.max() > 0.6]
    if 2 * len(seen) < len(maps):
        return None
    # Together, for an edge that runs straight tells of one way only; a few that follow something else weigh little.
    likeness = np.mean(np.stack(seen), axis=0)
    best = float(likeness.max())
    if best < 0.5:
        return None
    # An edge looks the same a little farther along: of what is as like, the nearest counts.
    alike = np.argwhere(likeness > best - 0.01) - _REACH
    down, right = alike[np.hypot(*alike.T).argmin()].tolist()
    return right, down
