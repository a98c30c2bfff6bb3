"""Relocate an empty tray that moved, by registering its reference image in the new image."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.dice.polyhedra import Matrix
from vision.tray.motion import GrayImage, changed_pixels, small_gray_image
from vision.tray.outline import Image, Tray

MAX_SHIFT_SHARE = 0.2  # maximum shift, as a share of the image width
OUTLINE_MARGIN_PX = 4  # margin around the outline that is compared too, in pixels of the small image
MAX_TURN_RAD = 0.2  # maximum rotation
MAX_SCALE_RATIO = 1.08  # maximum change in scale
# If more of the tray changed, something is in it, or it is another place.
MAX_CHANGED_SHARE = 0.01
ECC_CRITERIA = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)


def find_moved_tray(tray: Tray, picture: Image) -> Tray | None:
    """Relocate the tray in a BGR image of a camera at rest. The image becomes its reference image. Returns None if the
    tray is not fully in the image, shifted by more than `MAX_SHIFT_SHARE`, or not empty. The camera pose is kept: a
    nudge changes it little, and dice correct it. Raises TrayError for an image of another size."""
    tray.validate_size(picture)
    size = tray.empty.shape[1], tray.empty.shape[0]
    empty = picture if picture.shape[1::-1] == size else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    then, now = small_gray_image(tray.empty), small_gray_image(empty)
    scale = np.array(tray.size) / then.shape[::-1]
    corners = (tray.outline + 0.5) / scale - 0.5
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - OUTLINE_MARGIN_PX, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + OUTLINE_MARGIN_PX + 1, then.shape[::-1])
    part = np.ascontiguousarray(then[low[1] : high[1], low[0] : high[0]])
    if (way := _estimate_affine(part, now, low.astype(float))) is None:
        return None
    back = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(now, way, part.shape[::-1], flags=back, borderMode=cv2.BORDER_REPLICATE)
    felt = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(felt, [np.round(corners - low).astype(np.int32)], 1)
    if changed_pixels(part, np.asarray(seen, np.float32))[felt > 0].mean() > MAX_CHANGED_SHARE:
        return None
    moved = ((corners - low) @ way[:, :2].T + way[:, 2] + 0.5) * scale - 0.5
    if (moved < -0.5).any() or (moved > np.array(tray.size) - 0.5).any():
        return None
    outline = np.clip(np.round(moved), 0, np.array(tray.size) - 1).astype(np.int32)
    return replace(tray, outline=outline, empty=np.asarray(empty, np.uint8))


def _estimate_affine(part: GrayImage, now: GrayImage, low: Matrix) -> Matrix | None:
    """Estimate the affine transform (2, 3) from a part of the reference image with its corner at `low` into the new
    image, or return None if it is not found."""
    reach = round(MAX_SHIFT_SHARE * now.shape[1])
    around = cv2.copyMakeBorder(now, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    left, top = np.maximum(low.astype(int), 0)
    window = around[top : top + part.shape[0] + 2 * reach, left : left + part.shape[1] + 2 * reach]
    likeness = cv2.matchTemplate(window, part, cv2.TM_CCOEFF_NORMED)
    down, right = np.unravel_index(int(likeness.argmax()), likeness.shape)
    start = np.array([[1, 0, low[0] + right - reach], [0, 1, low[1] + down - reach]], np.float32)
    try:
        _, way = cv2.findTransformECC(part, now, start, cv2.MOTION_AFFINE, ECC_CRITERIA)
    except cv2.error:  # no convergence
        return None
    turn, grew = np.arctan2(way[1, 0], way[0, 0]), np.sqrt(abs(np.linalg.det(way[:, :2])))
    return np.asarray(way, float) if abs(turn) < MAX_TURN_RAD and 1 / MAX_SCALE_RATIO < grew < MAX_SCALE_RATIO else None
