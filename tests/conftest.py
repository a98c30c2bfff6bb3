"""One thread for each test process: NumPy and OpenCV would take every core; and its garbage collector's rest."""

from __future__ import annotations

import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

import cv2

cv2.setNumThreads(1)


def pytest_collection_finish() -> None:
    """Spare each later search for garbage the thousands of tests, which live as long as the process."""
    gc.freeze()
