"""Tell a die that spins in place from one at rest, in a single picture.

Fast spinning blurs a die into a disc that looks the same in every frame, so that no motion is seen. Its pips become
rings, and a center pip stays: a 3 or 5 looks like a sharp 1. In a disc, brightness changes only along the radius. The
edges and pips of a die at rest also change it around the center.
"""

from dataclasses import replace

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.reading import DieReading, Reading

MAX_DISC_SHARE = 0.06
"""Largest share of the squared gradient that points around the center of a spinning cube. Synthetic white and red ones
that turn by 140° or more in one exposure have less, at rest 0.13 or more. Of 780 cubes in photographs, 1 % have
less."""
CUBES = ("d6", "pitch")  # Other solids have rounder outlines, and blurred ones are not read for sure.

DIE_WIDTH_PX = 40  # Wider dice are scaled down to this width, so that print and felt have no finer detail in them.
# Radii of the measured ring, as shares of the die's width. A pip in the center is round at rest too.
RING = (0.2, 0.65)
MIN_GRADIENT_SHARE = 0.02  # Squared gradients below this share of the strong ones are noise.


def doubt_spinning_dice(picture: MatLike, reading: Reading) -> Reading:
    """Give the doubt "moving" to each die of a reading that looks as if it spins."""
    return replace(
        reading,
        dice=tuple(
            replace(die, doubt=die.doubt or "moving") if is_blurred_by_spin(picture, die) else die
            for die in reading.dice
        ),
    )


def is_blurred_by_spin(picture: MatLike, die: DieReading) -> bool:
    """True if the die looks like a disc, as a spinning cube does. So do round objects, and few cubes at rest."""
    share = tangential_share(picture, die) if die.kind in CUBES else None
    return share is not None and share < MAX_DISC_SHARE


def tangential_share(picture: MatLike, die: DieReading) -> float | None:
    """Measure the share of a die's squared gradient that points around its center, 0 to 1. None if it has no edges.

    The center is the point that gives the smallest share. picture: BGR or gray bytes, less noisy than a single frame.
    """
    (x, y), width = die.center, max(die.box[2:])
    reach = round(width * RING[1]) + 2
    left, top = max(round(x) - reach, 0), max(round(y) - reach, 0)
    part = picture[top : round(y) + reach + 1, left : round(x) + reach + 1]
    grey: MatLike = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    scale = min(DIE_WIDTH_PX / width, 1.0)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.8)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    rows, columns = np.mgrid[0 : grey.shape[0], 0 : grey.shape[1]].astype(np.float32)
    radius = np.hypot(columns - (x - left) * scale, rows - (y - top) * scale) / (width * scale)
    inside = (radius > RING[0]) & (radius < RING[1])
    squared = across * across + down * down
    if not inside.any() or not (strong := float(np.percentile(squared[inside], 95))):
        return None
    # Unit vectors along the edges, and their weights.
    kept = inside & (squared > MIN_GRADIENT_SHARE * strong)
    weight, length = squared[kept], np.sqrt(squared[kept])
    along = np.column_stack([-down[kept] / length, across[kept] / length]).astype(np.float64)
    spots = np.column_stack([columns[kept], rows[kept]]).astype(np.float64)
    # In a disc the normals of all edges meet in the center.
    center = np.linalg.lstsq(
        along * np.sqrt(weight)[:, None], (along * spots).sum(axis=1) * np.sqrt(weight), rcond=None
    )[0]
    away = spots - center
    distance = np.maximum((away * away).sum(axis=1), (0.075 * width * scale) ** 2)
    return float((weight * (along * away).sum(axis=1) ** 2 / distance).sum() / weight.sum())
