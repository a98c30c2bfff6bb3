"""Segment the tray's foreground against the reference image: objects other than dice and shadows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.dice.detect import Candidate
from vision.dice.polyhedra import Matrix

Mask = NDArray[np.uint8]

# Minimum difference in any channel between an object and the reference image, in levels. Less in dim light.
MIN_COLOR_DIFFERENCE = 24
# Under a shadow or reflection, each channel keeps a share of its light in this range.
SHADOW_LIGHT_RANGE = (0.25, 1.35)
MAX_SHADOW_COLOR_CAST = 0.13  # These shares differ by at most this much between channels.
DIE_OUTLINE_SCALE = 1.18  # A die's outline is scaled by this factor, and differences inside belong to the die.
MIN_OBJECT_WIDTH = 0.16  # Narrower objects, in widths of a 16 mm die, are rims of shadows or edges of a nudged tray.
WHITE_THRESHOLD = 245  # A slightly blurred pixel with all three channels at or above this is overexposed.
MIN_FOREGROUND_AREA_MM2 = 25.0  # Smaller objects are ignored.
MAX_CANDIDATES = 40  # maximum number of candidates from the foreground
CANDIDATE_HEAT = 0.6  # detector score assigned to each


@dataclass(frozen=True, slots=True, eq=False)
class ForeignObject:
    """A foreign object in the tray: its approximate area in mm², its overexposed share, whether it touches the tray's
    edge, and its distance in mm from the nearest die, or math.inf without dice."""

    area: float
    white: float
    edge: bool
    away: float


class TrayForeground:
    """The foreground mask of a BGR image against the reference image `empty`, of any size, after a correction for
    light. `inside` (corners, 2) is the tray's outline in the image, or None for the full image."""

    def __init__(self, picture: NDArray[np.uint8], empty: NDArray[np.uint8], inside: Matrix | None) -> None:
        size = picture.shape[1], picture.shape[0]
        bare = empty if empty.ndim == 3 else cv2.cvtColor(empty, cv2.COLOR_GRAY2BGR)
        bare = cv2.resize(bare, size, interpolation=cv2.INTER_AREA if bare.shape[1] > size[0] else cv2.INTER_LINEAR)
        now, before = (np.asarray(cv2.GaussianBlur(one, (0, 0), 1.0), np.float32) for one in (picture, bare))
        # Most of the tray is unchanged, so the median ratio is the change of light.
        light = np.median(now.reshape(-1, 3)[::29] / np.maximum(before.reshape(-1, 3)[::29], 1.0), axis=0)
        self._now, self._before = now, np.minimum(before * light.astype(np.float32), 255)
        least, most = _channel_bounds(cv2.divide(self._now + 4, self._before + 4))
        shade = (
            (least > SHADOW_LIGHT_RANGE[0])
            & (most < SHADOW_LIGHT_RANGE[1])
            & (cv2.subtract(most, least) < MAX_SHADOW_COLOR_CAST)
        )
        apart = MIN_COLOR_DIFFERENCE * min(1.0, float(light.mean()))
        far = np.asarray(_channel_bounds(cv2.absdiff(self._now, self._before))[1]) > apart
        self._difference_mask: Mask = far.astype(np.uint8)
        mask: Mask = (far & ~shade).astype(np.uint8)
        plate: Mask = np.ones_like(mask)
        if inside is not None:
            cv2.fillPoly(plate := np.zeros_like(mask), [np.round(inside).astype(np.int32)], 1)
            plate = np.asarray(cv2.dilate(plate, np.ones((9, 9), np.uint8)), np.uint8)
        self._mask = mask * plate
        ringed = cv2.copyMakeBorder(plate, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        self._edge = plate - cv2.erode(ringed, np.ones((5, 5), np.uint8))[1:-1, 1:-1]

    def foreground_share(self, outline: Matrix, *, shade: bool = False) -> float:
        """Return the share of an outline that is foreground, 0 to 1. `shade` counts possible shadows too."""
        mask = self._difference_mask if shade else self._mask
        tall, wide = mask.shape
        corners = np.round(outline).astype(np.int32)
        left, top = np.clip(corners.min(axis=0), 0, (wide - 1, tall - 1))
        right, bottom = np.clip(corners.max(axis=0) + 1, (left + 1, top + 1), (wide, tall))
        part = mask[top:bottom, left:right]
        plate = np.zeros_like(part)
        cv2.fillConvexPoly(plate, corners - (left, top), 1)
        return cv2.countNonZero(part * plate) / max(1, cv2.countNonZero(plate))

    def die_candidates(self, wide: float) -> list[Candidate]:
        """Return the blob centers that may be dice of about this width in pixels."""
        closed = cv2.morphologyEx(self._mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        deep = cv2.distanceTransform(closed, cv2.DIST_L2, 3)
        peaks = (deep >= cv2.dilate(deep, np.ones((9, 9), np.uint8))) & (deep > 0.22 * wide) & (deep < 1.2 * wide)
        spots = sorted(np.argwhere(peaks).tolist(), key=lambda spot: -deep[spot[0], spot[1]])[:MAX_CANDIDATES]
        return [Candidate(float(x), float(y), wide, CANDIDATE_HEAT) for y, x in spots]

    def foreign_objects(self, dice: Sequence[Matrix], scale: float) -> list[ForeignObject]:
        """Return the foreground objects other than `dice`, outlines in the image, largest first. `scale` is in pixels
        per mm."""
        mask = self._mask.copy()
        for outline in dice:
            middle = outline.mean(axis=0)
            cv2.fillConvexPoly(mask, np.round(middle + (outline - middle) * DIE_OUTLINE_SCALE).astype(np.int32), 0)
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (max(3, round(16 * scale * MIN_OBJECT_WIDTH) | 1),) * 2)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, brush), np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        found = []
        for n, (x, y, wide, tall, pixels) in enumerate(stats.tolist()):
            box, area = (slice(y, y + tall), slice(x, x + wide)), pixels / scale**2
            here = labels[box] == n
            if n and area >= MIN_FOREGROUND_AREA_MM2 and not _is_shadow(self._now[box][here], self._before[box][here]):
                white = float((self._now[box][here].min(axis=1) >= WHITE_THRESHOLD).mean())
                edge, away = (
                    bool(self._edge[box][here].any()),
                    _distance_to_dice(np.argwhere(here)[:, ::-1] + (x, y), dice),
                )
                found.append(ForeignObject(area, white, edge, away / scale))
        return sorted(found, key=lambda one: -one.area)


def _is_shadow(now: NDArray[np.float32], before: NDArray[np.float32]) -> bool:
    """True if these pixels (n, 3) are the tray in other light: darker or brighter, with the same colors."""
    kept = (now.mean(axis=0) + 1) / (before.mean(axis=0) + 1)
    return bool(
        SHADOW_LIGHT_RANGE[0] < kept.min()
        and kept.max() < SHADOW_LIGHT_RANGE[1]
        and kept.max() - kept.min() < MAX_SHADOW_COLOR_CAST
    )


def _distance_to_dice(spots: NDArray[np.intp], dice: Sequence[Matrix]) -> float:
    """Return the distance between pixels (n, 2) and the nearest outline."""
    some = spots[:: max(1, len(spots) // 60)].astype(float).tolist()
    rings = [one.astype(np.float32) for one in dice]
    return min((-cv2.pointPolygonTest(ring, (x, y), True) for ring in rings for x, y in some), default=math.inf)


def _channel_bounds(layers: MatLike) -> tuple[MatLike, MatLike]:
    """Return the minimum and maximum over the channels of an image (rows, columns, 3)."""
    one, two, three = cv2.split(layers)
    return cv2.min(cv2.min(one, two), three), cv2.max(cv2.max(one, two), three)
