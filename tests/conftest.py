"""One thread for each test process: NumPy and OpenCV would take every core."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

import cv2

cv2.setNumThreads(1)
