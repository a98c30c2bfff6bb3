"""Find what lies in the tray by comparing it with the picture of the empty tray: a blot is where they differ."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.cameras.frames import Image
from vision.dice import thresholds
from vision.dice.detect import Candidate

# A difference of more than this many grey levels, and at least this many pixels wide, may be a die.
APART, BLOT = 28, 12.0
# Longest edge, in pixels, at which anything but dice is looked for: a fifth of the time of a usual picture.
SMALL = 320
# How far around a die, in its widths, a blot belongs to it: its side faces, and what it mirrors.
AROUND = 0.8
# Least width of anything else, in widths of the smallest die.
LEAST = 0.4
# Where a shadow or a reflection falls, all colors keep this share of their light, and one color at most this much more
# of it than another.
SHADE, CAST = (0.3, 1.3), 0.16


def find_blots(picture: Image, empty: Image) -> list[Candidate]:
    """Return the things in a BGR picture that the picture of the empty tray, of any size, lacks, the largest first."""
    found = [_candidate(blot) for blot in _blots(_differs(picture, _bare(picture, empty)))]
    return sorted(found, key=lambda one: -one.size)


def not_among(some: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """Return those of `some` that do not lie where one of the others does."""
    return [one for one in some if not any(one.is_on(other) for other in others)]


def find_unexplained(picture: Image, empty: Image, dice: Sequence[Candidate]) -> list[Candidate]:
    """Return the things in a BGR picture that the empty tray lacks and that are neither these dice nor their shadows,
    the largest first. Light that changed all over the tray is evened out."""
    scale = min(1.0, SMALL / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    bare = _bare(small, empty).astype(np.float32)
    # Most of the tray is as it was, so the median tells how the light has changed.
    light = np.median(small.reshape(-1, 3)[::7] / np.maximum(bare.reshape(-1, 3)[::7], 1.0), axis=0)
    bare = np.clip(bare * light, 0, 255).astype(np.uint8)
    differs = _differs(small, bare)
    least = scale * max(BLOT, LEAST * min((die.size for die in dice), default=0.0))
    for die in dice:
        cv2.circle(differs, (round(scale * die.x), round(scale * die.y)), round(scale * AROUND * die.size), 0, -1)
    # What is thinner than half of the least width is the rim of a shadow, or the tray's edge after a nudge.
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (max(3, round(least / 2)),) * 2)
    differs = cv2.morphologyEx(differs, cv2.MORPH_OPEN, brush)
    found = [_candidate(blot, scale) for blot in _blots(differs, least) if not _is_shade(small, bare, blot)]
    return sorted(found, key=lambda one: -one.size)


def _bare(picture: MatLike, empty: Image) -> MatLike:
    """Return the picture of the empty tray, in BGR, as large as the picture."""
    bare = empty if empty.ndim == 3 else cv2.cvtColor(empty, cv2.COLOR_GRAY2BGR)
    size = picture.shape[1], picture.shape[0]
    return cv2.resize(bare, size, interpolation=cv2.INTER_AREA if bare.shape[1] > size[0] else cv2.INTER_LINEAR)


def _differs(picture: MatLike, bare: MatLike) -> MatLike:
    """Return 1 where the picture differs from the empty tray, else 0, without specks."""
    gap = cv2.absdiff(*(cv2.GaussianBlur(one, (0, 0), 1.0) for one in (picture, bare))).max(axis=2)
    return cv2.morphologyEx((gap > APART).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


def _blots(differs: MatLike, wide: float = BLOT) -> list[NDArray[np.bool_]]:
    """Return each connected part as a mask of the picture, if it covers a disc this wide, in pixels."""
    count, labels = cv2.connectedComponents(differs)
    sizes = np.bincount(labels.ravel(), minlength=count)
    least = math.pi * (wide / 2) ** 2
    return [labels == one for one in range(1, count) if sizes[one] >= least]


def _candidate(blot: NDArray[np.bool_], scale: float = 1.0) -> Candidate:
    """Return the middle of a blot, and the width of a disc that covers as many pixels, in a picture seen at `scale`."""
    rows, columns = np.nonzero(blot)
    wide = 2 * math.sqrt(len(rows) / math.pi)
    x, y = float(columns.mean()) / scale, float(rows.mean()) / scale
    return Candidate(x, y, wide / scale, thresholds.NUMERAL_DIE)


def _is_shade(picture: MatLike, bare: MatLike, blot: NDArray[np.bool_]) -> bool:
    """True if a blot is the tray itself in another light: its colors are as before, only darker or lighter."""
    kept = (picture[blot].mean(axis=0) + 1) / (bare[blot].mean(axis=0) + 1)
    return bool(SHADE[0] < kept.min() and kept.max() < SHADE[1] and kept.max() - kept.min() < CAST)
