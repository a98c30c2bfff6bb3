"""Sheets to print so that the camera can recognize pieces: a board of six areas, and stickers for both sides of each
piece.

Board and stickers bear markers of five by five squares. The calibration sheet's have four by four
(`vision.tray.calibration_sheet`), so neither can be read as the other. Any two of these 50 markers differ in at least
eight squares, so none is mistaken for another when a square or two are misread.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.calibration_sheet import PAGE, dots, ruler, write

Image = NDArray[np.uint8]

BOOK = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)  # the markers of board and stickers, by number
CELL = 56.0  # edge of an area, in mm: room for a token of 30 mm that is laid down carelessly

# Middle of each area on the board, in mm from its upper left.
AREAS = {name: (x, y) for name, (y, x) in zip("ABCDEF", product((172.0, 112.0), (45.0, 105.0, 165.0)), strict=True)}

# Edge of the marker in an area's middle, in mm: large enough that a token of 30 mm in the area always hides some of it.
SIGN = 26.0
CORNER = 24.0  # edge of a marker in a corner of the board, in mm

# The board's own markers by number: middle and edge of each, in mm; first the corners', then the areas'.
SPOTS: dict[int, tuple[float, float, float]] = {
    **{place: (x, y, CORNER) for place, (y, x) in enumerate(product((66.0, 218.0), (29.0, 181.0)))},
    **{4 + place: (x, y, SIGN) for place, (x, y) in enumerate(AREAS.values())},
}

# Number of the marker on the first piece's front. Its back has the next number, then comes the second piece.
FIRST = len(SPOTS)
MOST = (50 - FIRST) // 2  # most pieces that there are markers for
STICKER, MARK = 22.0, 16.8  # edge of a sticker and of the marker on it, in mm


def pages(
    labels: Sequence[tuple[str, str, str]], title: str = "Board", notes: Mapping[str, str] | None = None
) -> list[Image]:
    """Return the two pages to print, black on white, at `vision.tray.calibration_sheet.DPI`: the board, and the
    stickers to cut out.

    Each label is a piece's name, front and back, in letters few and plain enough to fit on a sticker (they are shrunk
    if need be). Pieces are numbered in order. `notes` are up to 20 letters to print in an area, by its name. Raises
    ValueError for more than `MOST` pieces.
    """
    if len(labels) > MOST:
        raise ValueError(f"There are markers for {MOST} pieces, not for {len(labels)}.")
    return [_board(title, notes or {}), _stickers(labels, title)]


def _board(title: str, notes: Mapping[str, str]) -> Image:
    page = _blank(
        title,
        "1. Print at 100%, without fitting to the page, and lay it flat under the camera.",
        "2. Place each token in an area, well inside its frame, sticker up.",
        "3. Keep the four black corner squares in view.",
    )
    for marker, (x, y, edge) in SPOTS.items():
        _mark(page, marker, x, y, edge)
    for name, (x, y) in AREAS.items():
        left, top = x - CELL / 2, y - CELL / 2
        cv2.rectangle(page, (dots(left), dots(top)), (dots(left + CELL), dots(top + CELL)), 0, 4)
        write(page, name, left + 3, top + 9, 2.2)
        write(page, notes.get(name, ""), left + 3, top + CELL - 3, 1.1)
    write(page, "Is this line 100 mm long? If not, print again at 100%.", 55, 246)
    ruler(page, 55, 254)
    return page


def _stickers(labels: Sequence[tuple[str, str, str]], title: str) -> Image:
    page = _blank(
        f"{title}: stickers",
        "1. Print at 100 %, without fitting to the page.",
        "2. Cut out each square, from tick to tick; leave its white edge on.",
        "3. Stick each pair on the two sides of one token: left on its front, right on its back.",
    )
    for piece, (name, *sides) in enumerate(labels):
        x, y = 18 + piece % 3 * 62, 58 + piece // 3 * 31
        for back, side in enumerate(sides):
            _cut(page, number(piece, bool(back)), x + 28 * back, y, f"{name}  {side}")
    ruler(page, 55, 280)
    return page


def _cut(page: Image, marker: int, left: float, top: float, words: str) -> None:
    right, low = left + STICKER, top + STICKER
    for x, out in ((left, -1), (right, 1)):
        for y, up in ((top, -1), (low, 1)):
            cv2.line(page, (dots(x + out), dots(y)), (dots(x + 2.6 * out), dots(y)), 0, 2)
            cv2.line(page, (dots(x), dots(y + up)), (dots(x), dots(y + 2.6 * up)), 0, 2)
    patch = sticker(marker, words)
    page[dots(top) : dots(top) + len(patch), dots(left) : dots(left) + len(patch)] = patch


def number(piece: int, back: bool) -> int:
    """Return the number of a piece's marker. The first piece is 0."""
    return FIRST + 2 * piece + back


def sticker(marker: int, words: str = "") -> Image:
    """Return the sticker with this marker, `STICKER` mm along its edges, with small words below the marker."""
    edge = dots(STICKER)
    page = np.full((edge, edge), 255, np.uint8)
    _mark(page, marker, STICKER / 2, 1.8 + MARK / 2, MARK)
    (wide, tall), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
    size = min(dots(1.7) / max(tall, 1), dots(MARK + 2) / max(wide, 1))
    write(page, words, (STICKER - wide * size / edge * STICKER) / 2, STICKER - 0.6, size)
    return page


def _blank(title: str, *lines: str) -> Image:
    page = np.full((dots(PAGE[1]), dots(PAGE[0])), 255, np.uint8)
    write(page, title, 17, 20, 1.9)
    for row, words in enumerate(lines):
        write(page, words, 17, 30 + 7 * row, 1.1)
    return page


def _mark(page: Image, marker: int, x: float, y: float, edge: float) -> None:
    left, top, side = dots(x - edge / 2), dots(y - edge / 2), dots(edge)
    page[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(BOOK, marker, side)
