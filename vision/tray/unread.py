"""Find objects that came to rest in the tray and that no reader saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.cameras.frames import Frame
from vision.reading import DOUBT_ADVICE, Evidence, Figure, PixelBox, Reading
from vision.tray.motion import (
    KERNEL_3X3,
    MIN_OUTLINE_STRENGTH,
    GrayImage,
    TrayState,
    added_edge_strength,
    changed_pixels,
    light_gain,
    outline_strength,
    small_gray_image,
)

MIN_OBJECT_SHARE = 0.0005  # minimum area of an object, as a share of the image. A die has about 0.005.
MAX_CROSSING_SHARE = 0.01  # A larger object across the image edge may be a hand at rest.
MAX_SHIFT_PX = 4  # A nudged tray shifts by up to this many pixels of the small image, and nothing arrived.
MIN_ARRIVAL_S = 0.15  # A faster change is a lamp that was switched. An object takes longer to come to rest.
# Minimum correlation with the texture of the tray's floor, so that what changed is only the light on it. In real
# pictures of one tray it is 0.9 (median), and between different parts of a tray below 0.6 (p99).
MIN_TEXTURE_CORRELATION = 0.6
TEXTURE_SCALE_PX = 1.5  # standard deviation of the blur that is divided out to get the texture
MIN_TEXTURE_AREA_PX = 50  # With less area, nothing is known about the texture.
MIN_EDGE_STRENGTH = 6.0  # minimum strength of an edge that a moved tray takes along, in gray levels per pixel
MIN_EDGE_COUNT = 60  # With fewer pixels on such edges, nothing is known about a move.
MIN_KEPT_EDGES = 0.6  # If less than this share of the old edges is left, the tray or the camera moved.


class RestingTray:
    """The tray when it last was at rest, which tells what came to rest in it since. Give it every frame.

    in_tray: whether an object with this box, in pixels of the full frame, is in the tray.
    """

    def __init__(self, in_tray: Callable[[PixelBox], bool] = lambda box: True) -> None:
        self._in_tray = in_tray
        # The last frame of the empty tray, and the last at rest, with all that lay in the tray then.
        self._empty: MatLike | None = None
        self._calm: MatLike | None = None
        self._is_still = False
        self._stirred_since = 0.0

    def process_frame(self, frame: Frame, state: TrayState) -> None:
        """Follow the tray. The first frame at rest is left out, because nobody has decided yet what lies there."""
        still = state not in (TrayState.MOVING, TrayState.HAND)
        if self._is_still and not still:
            self._stirred_since = frame.when
        elif self._is_still and state is not TrayState.UNSURE:
            self._calm = frame.picture
            if state is TrayState.EMPTY:
                self._empty = frame.picture
        self._is_still = still

    def explained_reading(
        self, picture: MatLike, reading: Reading, end: float, wide: int, *, hand: bool = False
    ) -> Reading:
        """Return a reading of no dice, with the doubt "unread" if an object came to rest in the tray at `end` seconds.

        `picture` shows it, in the size of the frames, of which the full ones are `wide` pixels wide. `hand` as in
        `arrived_objects`.
        """
        before = self._calm if self._empty is None else self._empty
        if before is None or end - self._stirred_since < MIN_ARRIVAL_S:
            return reading
        for shares in arrived_objects(before, picture, hand=hand):
            x, y, across, down = (round(share * wide) for share in shares)
            if self._in_tray((x, y, across, down)):
                corners = ((x, y), (x + across, y), (x + across, y + down), (x, y + down))
                size = Figure("percent of the picture's width", 100 * max(across, down) / wide)
                words = DOUBT_ADVICE["unread"].partition(":")[0]
                return replace(reading, doubt="unread", evidence=Evidence(words, (size,), corners))
        return reading

    def has_news(self, picture: MatLike) -> bool:
        """True if the picture shows an object that was not there at the last rest. It becomes the last rest."""
        before, self._calm = self._calm, picture
        return before is not None and bool(arrived_objects(before, picture))


def arrived_objects(before: MatLike, now: MatLike, *, hand: bool = False) -> list[tuple[float, float, float, float]]:
    """Return the boxes of objects that an image has and an earlier one hasn't: x, y, width and height as shares of its
    width, the largest object first.

    Light, shadows and small shifts are no objects, nor is anything if the tray or the camera moved. `hand` leaves out
    what may be a hand at the image edge.
    """
    was, grey = small_gray_image(before), small_gray_image(now)
    if was.shape != grey.shape:
        return []
    off = changed_pixels(was, grey, MAX_SHIFT_PX)
    if not off.any() or _has_moved(was, grey):
        return []
    gained, (tall, wide) = added_edge_strength(was, grey), grey.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(off.astype(np.uint8))
    found = []
    for label in range(1, count):
        x, y, across, down, area = stats[label].tolist()
        crosses = x == 0 or y == 0 or x + across == wide or y + down == tall
        if area < MIN_OBJECT_SHARE * grey.size or (hand and crosses and area > MAX_CROSSING_SHARE * grey.size):
            continue
        one = labels == label
        if outline_strength(one, gained) > MIN_OUTLINE_STRENGTH and not _shows_floor(was, grey, one):
            found.append((area, (x / wide, y / wide, across / wide, down / wide)))
    return [box for _, box in sorted(found, reverse=True)]


def _has_moved(was: GrayImage, grey: GrayImage) -> bool:
    """True if most upright or most level edges are gone. An object hides only those under it, a shift all of them."""
    lit = was * light_gain(was, grey)
    for way in ((1, 0), (0, 1)):
        before, now = (np.abs(cv2.Sobel(one, cv2.CV_32F, *way, ksize=3, scale=1 / 8)) for one in (lit, grey))
        strong = before > MIN_EDGE_STRENGTH
        kept = cv2.dilate(now, np.ones((5, 5), np.uint8))[strong] > before[strong] / 2
        if kept.size >= MIN_EDGE_COUNT and float(kept.mean()) < MIN_KEPT_EDGES:
            return True
    return False


def _shows_floor(was: GrayImage, grey: GrayImage, shape: NDArray[np.bool_]) -> bool:
    """True if the floor's texture is still visible there, as in a shadow or a patch of sun."""
    inside = cv2.erode(shape.astype(np.uint8), KERNEL_3X3, iterations=3) > 0
    if int(inside.sum()) < MIN_TEXTURE_AREA_PX:
        return False
    before, now = ((one / cv2.GaussianBlur(one, (0, 0), TEXTURE_SCALE_PX))[inside] for one in (was + 8, grey + 8))
    return float(np.corrcoef(before, now)[0, 1]) > MIN_TEXTURE_CORRELATION
