"""Helpers for frame sources that use OpenCV."""

from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np
from cv2.typing import MatLike
from cv2.utils import logging

from vision.cameras.frames import Image


def eight_bit_picture(picture: MatLike) -> Image:
    """Convert an image to 8 bits per channel. 16-bit images are scaled down, and floats are scaled from 0 to 1."""
    if picture.dtype == np.uint16:
        return cv2.convertScaleAbs(picture, alpha=1 / 257).astype(np.uint8, copy=False)
    if picture.dtype != np.uint8:
        return (np.clip(np.nan_to_num(picture), 0, 1) * 255).astype(np.uint8)
    return picture.astype(np.uint8, copy=False)


@contextmanager
def silence_opencv() -> Iterator[None]:
    """Silence OpenCV's warnings. Failures are raised as errors instead."""
    before = logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)
