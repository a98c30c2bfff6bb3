"""One thread for each test process, as NumPy and OpenCV would take every core; its environment and its garbage."""

from __future__ import annotations

import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

import cv2

cv2.setNumThreads(1)

os.environ.pop("NOTIFY_SOCKET", None)  # of a service that runs the tests: no table of theirs is that service


def pytest_collection_finish() -> None:
    """Spare each later search for garbage the thousands of tests, which live as long as the process."""
    gc.freeze()
