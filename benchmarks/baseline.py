"""Baseline dice reader of the usual kind. `python -m benchmarks.baseline PICTURE... > baseline.jsonl`

It finds pips by OpenCV's SimpleBlobDetector and groups them by single linkage, as DBSCAN with one point to a core does.
The value of a die is the number of pips in its group. Output is that of `dugout read --json`, so that both are scored
alike. It reports no doubts, as such readers cannot.
"""

import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.files import find_pictures, load_picture
from vision.cameras.frames import PictureError

MAX_PIP_GAP_DIAMETERS = 2.6  # Pips closer than this many pip diameters belong to one die.


def build_detector() -> cv2.SimpleBlobDetector:
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.filterByInertia, wanted.minInertiaRatio = True, 0.6
    wanted.filterByCircularity, wanted.minCircularity = True, 0.7
    wanted.minArea, wanted.maxArea = 12, 4000
    return cv2.SimpleBlobDetector.create(wanted)


def group_spots(spots: NDArray[np.float64], sizes: NDArray[np.float64]) -> list[NDArray[np.intp]]:
    """Return the spot indexes of each group."""
    left, found = set(range(len(spots))), []
    while left:
        group, front = set(), [left.pop()]
        while front:
            one = front.pop()
            group.add(one)
            near = [
                i
                for i in left
                if np.hypot(*(spots[i] - spots[one])) < MAX_PIP_GAP_DIAMETERS * (sizes[i] + sizes[one]) / 2
            ]
            left.difference_update(near)
            front += near
        found.append(np.array(sorted(group)))
    return found


def read_picture(path: Path, blobs: cv2.SimpleBlobDetector) -> dict[str, object]:
    grey = cv2.cvtColor(load_picture(path), cv2.COLOR_BGR2GRAY)
    began = time.perf_counter()
    found = blobs.detect(cv2.medianBlur(grey, 3))
    spots = np.array([point.pt for point in found]).reshape(-1, 2)
    sizes = np.array([point.size for point in found])
    dice = [{"kind": "d6", "value": len(group)} for group in group_spots(spots, sizes)]
    ms = (time.perf_counter() - began) * 1000
    return {"path": str(path), "sure": True, "doubt": None, "ms": ms, "dice": dice}


def main() -> None:
    cv2.setNumThreads(1)
    blobs = build_detector()
    for argument in map(Path, sys.argv[1:]):
        for path in find_pictures(argument) if argument.is_dir() else [argument]:
            try:
                print(json.dumps(read_picture(path, blobs)))
            except PictureError as error:
                print(error, file=sys.stderr)


if __name__ == "__main__":
    main()
