"""Printable sheets for the board: a page with six areas, and stickers for both sides of each piece.

Board and stickers have 5x5 ArUco markers, the calibration sheet 4x4 (`vision.tray.calibration_sheet`), so they can't be
confused. Any two of the 50 markers differ in at least eight squares, so one or two misread squares are harmless.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.calibration_sheet import PAGE_SIZE_MM, draw_ruler, draw_text, page_pixels

Image = NDArray[np.uint8]

MARKER_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)  # markers of board and stickers
AREA_EDGE_MM = 56.0  # room for a token of 30 mm that is placed carelessly

# Center of each area on the board, from the upper left corner.
AREA_CENTERS_MM = {
    name: (x, y) for name, (y, x) in zip("ABCDEF", product((172.0, 112.0), (45.0, 105.0, 165.0)), strict=True)
}

# An area's marker is so large that a token of 30 mm anywhere in the area occludes part of it.
AREA_MARKER_EDGE_MM = 26.0
CORNER_MARKER_EDGE_MM = 24.0

# Center x, center y and edge of the board's own markers, by number. The corners come first, then the areas.
BOARD_MARKERS_MM: dict[int, tuple[float, float, float]] = {
    **{place: (x, y, CORNER_MARKER_EDGE_MM) for place, (y, x) in enumerate(product((66.0, 218.0), (29.0, 181.0)))},
    **{4 + place: (x, y, AREA_MARKER_EDGE_MM) for place, (x, y) in enumerate(AREA_CENTERS_MM.values())},
}

# The first piece's front has this marker and its back the next one, followed by the second piece.
FIRST_PIECE_MARKER = len(BOARD_MARKERS_MM)
MAX_PIECES = (50 - FIRST_PIECE_MARKER) // 2  # maximum number of pieces, because the dictionary has 50 markers
STICKER_EDGE_MM = 22.0  # edge of a sticker
STICKER_MARKER_EDGE_MM = 16.8  # edge of the marker on a sticker


def printable_pages(
    labels: Sequence[tuple[str, str, str]], title: str = "Board", notes: Mapping[str, str] | None = None
) -> list[Image]:
    """Draw the board and the stickers as two pages, black on white, at `vision.tray.calibration_sheet.PRINT_DPI`.

    labels: name, front text and back text of each piece, by number. Long text is scaled to fit the sticker.
    notes: up to 20 characters to print in an area, by its name.
    Raises ValueError for more than `MAX_PIECES` pieces.
    """
    if len(labels) > MAX_PIECES:
        raise ValueError(f"There are markers for {MAX_PIECES} pieces, not for {len(labels)}.")
    return [_board_page(title, notes or {}), _sticker_page(labels, title)]


def _board_page(title: str, notes: Mapping[str, str]) -> Image:
    page = _page_with_instructions(
        title,
        "1. Print at 100%, without fitting to the page, and lay it flat under the camera.",
        "2. Place each token in an area, well inside its frame, sticker up.",
        "3. Keep the four black corner squares in view.",
    )
    for marker, (x, y, edge) in BOARD_MARKERS_MM.items():
        _draw_marker(page, marker, x, y, edge)
    for name, (x, y) in AREA_CENTERS_MM.items():
        left, top = x - AREA_EDGE_MM / 2, y - AREA_EDGE_MM / 2
        cv2.rectangle(
            page,
            (page_pixels(left), page_pixels(top)),
            (page_pixels(left + AREA_EDGE_MM), page_pixels(top + AREA_EDGE_MM)),
            0,
            4,
        )
        draw_text(page, name, left + 3, top + 9, 2.2)
        draw_text(page, notes.get(name, ""), left + 3, top + AREA_EDGE_MM - 3, 1.1)
    draw_text(page, "Is this line 100 mm long? If not, print again at 100%.", 55, 246)
    draw_ruler(page, 55, 254)
    return page


def _sticker_page(labels: Sequence[tuple[str, str, str]], title: str) -> Image:
    page = _page_with_instructions(
        f"{title}: stickers",
        "1. Print at 100%, without fitting to the page.",
        "2. Cut out each square, from tick to tick; leave its white edge on.",
        "3. Stick each pair on the two sides of one token: left on its front, right on its back.",
    )
    for piece, (name, *sides) in enumerate(labels):
        x, y = 18 + piece % 3 * 62, 58 + piece // 3 * 31
        for back, side in enumerate(sides):
            _draw_sticker(page, marker_number(piece, bool(back)), x + 28 * back, y, f"{name}  {side}")
    draw_ruler(page, 55, 280)
    return page


def _draw_sticker(page: Image, marker: int, left: float, top: float, words: str) -> None:
    right, low = left + STICKER_EDGE_MM, top + STICKER_EDGE_MM
    for x, out in ((left, -1), (right, 1)):
        for y, up in ((top, -1), (low, 1)):
            cv2.line(page, (page_pixels(x + out), page_pixels(y)), (page_pixels(x + 2.6 * out), page_pixels(y)), 0, 2)
            cv2.line(page, (page_pixels(x), page_pixels(y + up)), (page_pixels(x), page_pixels(y + 2.6 * up)), 0, 2)
    patch = sticker_image(marker, words)
    page[page_pixels(top) : page_pixels(top) + len(patch), page_pixels(left) : page_pixels(left) + len(patch)] = patch


def marker_number(piece: int, back: bool) -> int:
    return FIRST_PIECE_MARKER + 2 * piece + back


def sticker_image(marker: int, words: str = "") -> Image:
    """Draw a sticker of `STICKER_EDGE_MM` with this marker and small text below it."""
    edge = page_pixels(STICKER_EDGE_MM)
    page = np.full((edge, edge), 255, np.uint8)
    _draw_marker(page, marker, STICKER_EDGE_MM / 2, 1.8 + STICKER_MARKER_EDGE_MM / 2, STICKER_MARKER_EDGE_MM)
    (wide, tall), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
    size = min(page_pixels(1.7) / max(tall, 1), page_pixels(STICKER_MARKER_EDGE_MM + 2) / max(wide, 1))
    draw_text(page, words, (STICKER_EDGE_MM - wide * size / edge * STICKER_EDGE_MM) / 2, STICKER_EDGE_MM - 0.6, size)
    return page


def _page_with_instructions(title: str, *lines: str) -> Image:
    page = np.full((page_pixels(PAGE_SIZE_MM[1]), page_pixels(PAGE_SIZE_MM[0])), 255, np.uint8)
    draw_text(page, title, 17, 20, 1.9)
    for row, words in enumerate(lines):
        draw_text(page, words, 17, 30 + 7 * row, 1.1)
    return page


def _draw_marker(page: Image, marker: int, x: float, y: float, edge: float) -> None:
    left, top, side = page_pixels(x - edge / 2), page_pixels(y - edge / 2), page_pixels(edge)
    page[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(MARKER_DICTIONARY, marker, side)
