"""The printed calibration sheet: draw it, and measure the scale and the camera pose with it."""

import math

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.dice.floor import DEFAULT_VIEW_DEG, CameraPose
from vision.tray.outline import TrayError

PRINT_DPI = 300
PAGE_SIZE_MM = (210.0, 297.0)  # A4, width and height
PAGE_CORNERS_MM = np.array([(0, 0), (PAGE_SIZE_MM[0], 0), PAGE_SIZE_MM, (0, PAGE_SIZE_MM[1])], np.float32)
MARKER_EDGE_MM = 30.0
# Upper left corner of each marker, from the upper left corner of the sheet.
MARKER_ORIGINS_MM = {0: (55.0, 88.0), 1: (125.0, 88.0), 2: (55.0, 158.0), 3: (125.0, 158.0)}
MAX_MARKER_RATIO = 1.08  # maximum ratio of marker sizes at which the camera is considered perpendicular to the sheet

_MARKER_DICTIONARY = cv2.aruco.DICT_4X4_50


def draw_sheet() -> NDArray[np.uint8]:
    """Draw the gray sheet at `PRINT_DPI`: four markers, a line to check the print scale, and instructions."""
    page = np.full((page_pixels(PAGE_SIZE_MM[1]), page_pixels(PAGE_SIZE_MM[0])), 255, np.uint8)
    book = cv2.aruco.getPredefinedDictionary(_MARKER_DICTIONARY)
    side = page_pixels(MARKER_EDGE_MM)
    for number, (x, y) in MARKER_ORIGINS_MM.items():
        left, top = page_pixels(x), page_pixels(y)
        page[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(book, number, side)
    draw_text(page, "Dugout: how big is a millimeter?", 25, 30, 1.9)
    draw_text(page, "1. Print at 100%, without fitting to the page.", 25, 42)
    draw_text(page, "2. Measure the line below: it must be 100 mm long.", 25, 50)
    draw_text(page, "3. If the tray is small, cut along the frame. Lay the sheet flat in the tray.", 25, 58)
    cv2.rectangle(page, (page_pixels(45), page_pixels(78)), (page_pixels(165), page_pixels(198)), 0, 2)
    draw_ruler(page, 55, 215)
    return page


def scale_from_sheet(frame: MatLike) -> float:
    """Measure pixels per millimeter on the felt with the printed sheet in the tray. One visible marker is enough.
    Raises TrayError if there is none, or if their sizes differ so much that the camera must be slanted."""
    # The square root of the area, because a slight tilt shortens only one side.
    sides = [float(np.sqrt(cv2.contourArea(one))) for _, one in _detect_markers(frame)]
    if max(sides) > MAX_MARKER_RATIO * min(sides):
        raise TrayError("The squares of the sheet look different in size: point the camera straight down.")
    return float(np.median(sides)) / MARKER_EDGE_MM


def camera_pose_from_sheet(frame: MatLike) -> CameraPose:
    """Estimate the camera pose over the felt with the printed sheet in the tray. Assumes the default field of view.
    Raises TrayError if no marker is visible."""
    known = _detect_markers(frame)
    seen = np.concatenate([corners for _, corners in known])
    paper = np.concatenate(
        [
            square_corners(x + MARKER_EDGE_MM / 2, y + MARKER_EDGE_MM / 2, MARKER_EDGE_MM)
            for x, y in (MARKER_ORIGINS_MM[number] for number, _ in known)
        ]
    )
    wide, tall = frame.shape[1], frame.shape[0]
    focal = wide / 2 / math.tan(math.radians(DEFAULT_VIEW_DEG / 2))
    camera = np.array([(focal, 0, (wide - 1) / 2), (0, focal, (tall - 1) / 2), (0, 0, 1)])
    level = np.column_stack([paper, np.zeros(len(paper))])
    _, turned, away = cv2.solvePnP(level, seen.astype(float), camera, None, flags=cv2.SOLVEPNP_IPPE)
    below = cv2.Rodrigues(turned)[0][:, 2]
    # Move along the optical axis to 8 mm above the felt.
    far = (float(below @ away[:, 0]) - 8) / float(below[2])
    return CameraPose(wide * far / focal, float(below[0] / below[2]), float(below[1] / below[2]))


def _detect_markers(frame: MatLike) -> list[tuple[int, NDArray[np.float32]]]:
    """Detect the sheet's markers. Return (number, corners) pairs, corners (4, 2). Raises TrayError if there is none."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_MARKER_DICTIONARY))
    corners, numbers, _ = detector.detectMarkers(frame)
    pairs = [] if numbers is None else zip(numbers.ravel(), corners, strict=True)
    known = [(int(n), one.reshape(-1, 2).astype(np.float32)) for n, one in pairs if int(n) in MARKER_ORIGINS_MM]
    if not known:
        raise TrayError("No sheet found: lay it flat in the tray, black squares up.")
    return known


def square_corners(x: float, y: float, edge: float) -> NDArray[np.float32]:
    """Return the corners (4, 2) of a square centered at (x, y), clockwise from the upper left."""
    left, top, right, low = x - edge / 2, y - edge / 2, x + edge / 2, y + edge / 2
    return np.array([(left, top), (right, top), (right, low), (left, low)], np.float32)


def page_pixels(mm: float) -> int:
    return round(mm / 25.4 * PRINT_DPI)


def draw_text(page: NDArray[np.uint8], words: str, x: float, y: float, size: float = 1.4) -> None:
    """Draw a line of text in place, starting at `x` on the baseline `y`, in mm."""
    cv2.putText(page, words, (page_pixels(x), page_pixels(y)), cv2.FONT_HERSHEY_DUPLEX, size, 0, 2, cv2.LINE_AA)


def draw_ruler(page: NDArray[np.uint8], x: float, y: float) -> None:
    """Draw a 100 mm line to check the print scale, from (x, y) to the right, and its label 9 mm below. Units are mm."""
    left, right, level = page_pixels(x), page_pixels(x + 100), page_pixels(y)
    cv2.line(page, (left, level), (right, level), 0, 4)
    for end in (left, right):
        cv2.line(page, (end, level - page_pixels(3)), (end, level + page_pixels(3)), 0, 4)
    draw_text(page, "100 mm", x + 42, y + 9)
