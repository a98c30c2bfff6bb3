"""A printed sheet of known size: draw it, and measure the scale from it under the camera."""

import math

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.dice.floor import VIEW, CameraPlace
from vision.tray.outline import TrayError

DPI = 300  # pixels per inch of the drawn sheet
PAGE = (210.0, 297.0)  # width and height of the sheet, A4, in mm
PAGE_CORNERS = np.array([(0, 0), (PAGE[0], 0), PAGE, (0, PAGE[1])], np.float32)
MARK = 30.0  # edge of one marker, in mm
# Upper left corner of each marker on the sheet, in mm from the sheet's upper left.
MARKS = {0: (55.0, 88.0), 1: (125.0, 88.0), 2: (55.0, 158.0), 3: (125.0, 158.0)}
TILT = 1.08  # largest ratio of marker sizes at which the camera counts as looking straight down

_BOOK = cv2.aruco.DICT_4X4_50


def draw_sheet() -> NDArray[np.uint8]:
    """Draw the sheet, gray, at `DPI`: four markers, a line to check the printer with, and instructions."""
    page = np.full((dots(PAGE[1]), dots(PAGE[0])), 255, np.uint8)
    book = cv2.aruco.getPredefinedDictionary(_BOOK)
    side = dots(MARK)
    for number, (x, y) in MARKS.items():
        left, top = dots(x), dots(y)
        page[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(book, number, side)
    write(page, "Dugout: how big is a millimeter?", 25, 30, 1.9)
    write(page, "1. Print at 100 %, without fitting to the page.", 25, 42)
    write(page, "2. Measure the line below: it must be 100 mm long.", 25, 50)
    write(page, "3. If the tray is small, cut along the frame. Lay the sheet flat in the tray.", 25, 58)
    cv2.rectangle(page, (dots(45), dots(78)), (dots(165), dots(198)), 0, 2)
    ruler(page, 55, 215)
    return page


def scale_from_sheet(frame: MatLike) -> float:
    """Return pixels per millimeter on the felt, from the printed sheet lying in the tray. One visible marker is enough.
    Raises TrayError when no marker is visible, or when their sizes differ so much that the camera looks at a slant."""
    # The square root of the area: a slight tilt shortens one side only.
    sides = [float(np.sqrt(cv2.contourArea(one))) for _, one in _markers(frame)]
    if max(sides) > TILT * min(sides):
        raise TrayError("The squares of the sheet look different in size: point the camera straight down.")
    return float(np.median(sides)) / MARK


def place_from_sheet(frame: MatLike) -> CameraPlace:
    """Return where the camera is over the felt, from the printed sheet lying in the tray, for a camera with the usual
    view. Raises TrayError when no marker is visible."""
    known = _markers(frame)
    seen = np.concatenate([corners for _, corners in known])
    paper = np.concatenate(
        [square(x + MARK / 2, y + MARK / 2, MARK) for x, y in (MARKS[number] for number, _ in known)]
    )
    wide, tall = frame.shape[1], frame.shape[0]
    focal = wide / 2 / math.tan(math.radians(VIEW / 2))
    camera = np.array([(focal, 0, (wide - 1) / 2), (0, focal, (tall - 1) / 2), (0, 0, 1)])
    level = np.column_stack([paper, np.zeros(len(paper))])
    _, turned, away = cv2.solvePnP(level, seen.astype(float), camera, None, flags=cv2.SOLVEPNP_IPPE)
    below = cv2.Rodrigues(turned)[0][:, 2]
    # Along the way that the camera looks, to 8 mm above the felt.
    far = (float(below @ away[:, 0]) - 8) / float(below[2])
    return CameraPlace(wide * far / focal, float(below[0] / below[2]), float(below[1] / below[2]))


def _markers(frame: MatLike) -> list[tuple[int, NDArray[np.float32]]]:
    """Return the markers that are seen, each with its corners (4, 2). Raises TrayError if there is none."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_BOOK))
    corners, numbers, _ = detector.detectMarkers(frame)
    pairs = [] if numbers is None else zip(numbers.ravel(), corners, strict=True)
    known = [(int(n), one.reshape(-1, 2).astype(np.float32)) for n, one in pairs if int(n) in MARKS]
    if not known:
        raise TrayError("No sheet found: lay it flat in the tray, black squares up.")
    return known


def square(x: float, y: float, edge: float) -> NDArray[np.float32]:
    """Return the corners, (4, 2), of a square around a place, clockwise from the upper left."""
    left, top, right, low = x - edge / 2, y - edge / 2, x + edge / 2, y + edge / 2
    return np.array([(left, top), (right, top), (right, low), (left, low)], np.float32)


def dots(mm: float) -> int:
    """Return the number of pixels of a drawn page that are `mm` long."""
    return round(mm / 25.4 * DPI)


def write(page: NDArray[np.uint8], words: str, x: float, y: float, size: float = 1.4) -> None:
    """Write one line of plain letters onto a page, in place, starting at `x` on the baseline `y`, in mm."""
    cv2.putText(page, words, (dots(x), dots(y)), cv2.FONT_HERSHEY_DUPLEX, size, 0, 2, cv2.LINE_AA)


def ruler(page: NDArray[np.uint8], x: float, y: float) -> None:
    """Draw a line of 100 mm to check the printer with, from `x` to the right, its label 9 mm below `y`, in mm."""
    left, right, level = dots(x), dots(x + 100), dots(y)
    cv2.line(page, (left, level), (right, level), 0, 4)
    for end in (left, right):
        cv2.line(page, (end, level - dots(3)), (end, level + dots(3)), 0, 4)
    write(page, "100 mm", x + 42, y + 9)
