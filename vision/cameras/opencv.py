"""Helpers for frame sources that use OpenCV."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock

import cv2
import numpy as np
from cv2.typing import MatLike
from cv2.utils import logging

from vision.cameras.frames import Image

# Messages that libjpeg and libpng print about damaged pictures, which they decode as far as possible.
DECODER_MESSAGE_PATTERN = re.compile(
    rb"Corrupt JPEG data|Premature end of JPEG|Invalid SOS parameters|Inconsistent progression|Unknown Adobe|"
    rb"Warning: unknown JFIF|Application transferred too|Unsupported marker|lib(png|jpeg) "
)
STDERR = 2  # file descriptor of the standard error stream

_stderr_lock = RLock()  # The stream belongs to the process, so only one thread at a time may redirect it.


def eight_bit_picture(picture: MatLike) -> Image:
    """Convert an image to 8 bits per channel. 16-bit images are scaled down, and floats are scaled from 0 to 1."""
    if picture.dtype == np.uint16:
        return cv2.convertScaleAbs(picture, alpha=1 / 257).astype(np.uint8, copy=False)
    if picture.dtype != np.uint8:
        return (np.clip(np.nan_to_num(picture), 0, 1) * 255).astype(np.uint8)
    return picture.astype(np.uint8, copy=False)


@contextmanager
def silence_opencv_log() -> Iterator[None]:
    """Silence OpenCV's warnings. Failures are raised as errors instead."""
    before = logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)


@contextmanager
def silence_opencv() -> Iterator[list[str]]:
    """Silence OpenCV and its decoders, whose messages are in the returned list at the end.

    The decoders write to standard error by themselves. What other threads write there meanwhile comes through at the
    end, so use this for decoding, not to wait for a camera.
    """
    messages: list[str] = []
    with silence_opencv_log(), _stderr_lock:
        try:
            kept = os.dup(STDERR)
        except OSError:  # The process has no such stream.
            yield messages
            return
        caught = os.memfd_create("stderr")
        try:
            os.dup2(caught, STDERR)
            yield messages
        finally:
            os.dup2(kept, STDERR)
            os.lseek(caught, 0, os.SEEK_SET)
            with open(caught, "rb") as lines:
                for line in lines:
                    if DECODER_MESSAGE_PATTERN.match(line):
                        messages.append(line.decode(errors="replace").strip())
                    else:
                        with suppress(OSError):
                            os.write(kept, line)
            os.close(kept)
