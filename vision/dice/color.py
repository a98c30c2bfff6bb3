"""Measure the color of a die."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.detect import Candidate
from vision.reading import Tint

SAMPLE_RADIUS_WIDTHS = 0.36  # radius around the center within which the color is sampled
# The color is the mean of this share of the pixels, the most similar ones, because pips cover less than the rest.
BODY_PIXEL_SHARE = 0.45
MAX_SAMPLE_PIXELS = 100  # maximum number of sampled pixels


def measure_tint(frame: NDArray[np.uint8], one: Candidate) -> Tint:
    """Measure the color of a die's body in a BGR frame, as the mean of its most similar pixels. There is no white
    balance, so colored light tints the result."""
    reach = max(1.0, SAMPLE_RADIUS_WIDTHS * one.size)
    height, width = frame.shape[:2]
    x0, y0 = min(max(int(one.x - reach), 0), width - 1), min(max(int(one.y - reach), 0), height - 1)
    seen = frame[y0 : max(y0 + 1, int(one.y + reach) + 1), x0 : max(x0 + 1, int(one.x + reach) + 1)]
    rows, columns = np.mgrid[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]]
    inside = seen[np.hypot(rows - one.y, columns - one.x) <= reach]
    pixels = inside if len(inside) else seen.reshape(-1, 3)
    few = pixels[np.linspace(0, len(pixels) - 1, min(len(pixels), MAX_SAMPLE_PIXELS)).astype(int)]
    shades = cv2.cvtColor((few[None] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0]
    apart = np.linalg.norm(shades[:, None] - shades[None], axis=2)
    crowd = np.partition(apart, int(BODY_PIXEL_SHARE * len(few)), axis=1)[:, int(BODY_PIXEL_SHARE * len(few))]
    middle = int(np.argmin(crowd))
    light, a, b = (float(part) for part in shades[apart[middle] <= crowd[middle]].mean(axis=0))
    return light, a, b
