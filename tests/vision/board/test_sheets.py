"""The printed pages are true to size, carry the right markers, and cannot be mistaken for the calibration sheet."""

from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.boards import looked_at
from vision.board.read import read_board
from vision.board.sheets import (
    AREA_CENTERS_MM,
    AREA_MARKER_EDGE_MM,
    BOARD_MARKERS_MM,
    CORNER_MARKER_EDGE_MM,
    FIRST_PIECE_MARKER,
    MARKER_DICTIONARY,
    MAX_PIECES,
    STICKER_EDGE_MM,
    STICKER_MARKER_EDGE_MM,
    marker_number,
    printable_pages,
    sticker_image,
)
from vision.synthetic.tokens import SyntheticBoard
from vision.tray.calibration_sheet import PAGE_SIZE_MM, PRINT_DPI, draw_sheet, page_pixels, scale_from_sheet
from vision.tray.outline import TrayError

LABELS = [(f"No {piece}", f"front {piece}", f"back {piece}") for piece in range(7)]


def marks(page: np.ndarray) -> dict[int, np.ndarray]:
    """Return the corners, in mm, of each marker on a page, by number."""
    corners, numbers, _ = cv2.aruco.ArucoDetector(MARKER_DICTIONARY).detectMarkers(page)
    return {int(n): one.reshape(4, 2) / PRINT_DPI * 25.4 for n, one in zip(numbers.ravel(), corners, strict=True)}


def test_the_pages_are_true_to_size() -> None:
    """Two A4 pages: the line is 100 mm long on both, and every marker of the board has its place and size."""
    board, cut = printable_pages(LABELS, "Pieces")
    for page, level in ((board, 254), (cut, 280)):
        assert (page.shape[1] / PRINT_DPI * 25.4, page.shape[0] / PRINT_DPI * 25.4) == pytest.approx(
            PAGE_SIZE_MM, abs=0.1
        )
        dark = np.flatnonzero(page[page_pixels(level)] < 128)
        assert (dark[-1] - dark[0]) / PRINT_DPI * 25.4 == pytest.approx(100, abs=0.5)
    seen = marks(board)
    assert set(BOARD_MARKERS_MM) == set(seen)
    for mark, (x, y, edge) in BOARD_MARKERS_MM.items():
        assert (x, y) == pytest.approx(seen[mark].mean(axis=0), abs=0.2)
        assert edge == pytest.approx(np.linalg.norm(seen[mark][1] - seen[mark][0]), abs=0.3)
    assert {edge for _, _, edge in BOARD_MARKERS_MM.values()} == {AREA_MARKER_EDGE_MM, CORNER_MARKER_EDGE_MM}
    assert list(AREA_CENTERS_MM.values()) == [BOARD_MARKERS_MM[4 + place][:2] for place in range(6)]


def test_notes_are_in_their_areas_and_clear_of_all_marks() -> None:
    """An area's note is printed in it, and even the longest hides nothing."""
    plain, noted = printable_pages(LABELS)[0], printable_pages(LABELS, notes={"B": "W" * 20})[0]
    rows, columns = np.nonzero(plain != noted)
    (x, y), half = AREA_CENTERS_MM["B"], (AREA_CENTERS_MM["B"][0] - AREA_CENTERS_MM["A"][0]) / 2
    assert page_pixels(x - half) < columns.min() < columns.max() < page_pixels(x + half)
    assert page_pixels(y + AREA_MARKER_EDGE_MM / 2) < rows.min() < rows.max() < page_pixels(y + half)
    assert marks(plain).keys() == marks(noted).keys()


def test_each_piece_has_its_stickers() -> None:
    # Each piece's markers appear once, as a pair side by side on one level, in the right size.
    seen = marks(printable_pages(LABELS)[1])
    assert {marker_number(piece, back) for piece in range(7) for back in (False, True)} == set(seen)
    for piece in range(7):
        front, back = (seen[marker_number(piece, side)] for side in (False, True))
        assert tuple(back[0] - front[0]) == pytest.approx((28, 0), abs=0.3)
        assert np.linalg.norm(front[1] - front[0]) == pytest.approx(STICKER_MARKER_EDGE_MM, abs=0.3)
    # There is room for as many pieces as there are markers; one more is refused.
    most = [("x", "a", "b")] * MAX_PIECES
    assert set(range(FIRST_PIECE_MARKER, FIRST_PIECE_MARKER + 2 * MAX_PIECES)) == set(marks(printable_pages(most)[1]))
    with pytest.raises(ValueError, match="markers for 20 pieces, not for 21"):
        printable_pages([*most, ("x", "a", "b")])


@pytest.mark.parametrize("words", ["1  a", "First base  double play", "W" * 40])
def test_words_stay_below_the_marker_of_a_sticker(words: str) -> None:
    """However long the words are, there is white between them and the marker, and around them."""
    patch = sticker_image(FIRST_PIECE_MARKER, words)
    assert patch.shape[0] == page_pixels(STICKER_EDGE_MM)
    dark = patch < 128
    rows = (
        np.flatnonzero(dark[page_pixels(1.8 + STICKER_MARKER_EDGE_MM) + 2 :].any(axis=1))
        + page_pixels(1.8 + STICKER_MARKER_EDGE_MM)
        + 2
    )
    assert len(rows) > 0
    assert rows[0] >= page_pixels(1.8 + STICKER_MARKER_EDGE_MM + 0.8)
    assert rows[-1] < page_pixels(STICKER_EDGE_MM) - 2
    low = np.flatnonzero(dark[page_pixels(1.8 + STICKER_MARKER_EDGE_MM + 0.8) :].any(axis=0))
    assert (low[0] > page_pixels(1), low[-1] < page_pixels(STICKER_EDGE_MM - 1)) == (True, True)
    assert not dark[:, : page_pixels(0.9)].any()


def test_a_black_and_white_printer_loses_nothing() -> None:
    """Printed with one bit per pixel, the board can still be read, and frames and ticks remain visible."""
    board, cut = printable_pages(LABELS)
    for page in (board, cut):
        assert ((page > 60) & (page < 195)).mean() < 0.002
    hard = np.where(board > 127, 255, 0).astype(np.uint8)
    assert read_board(SyntheticBoard(seed=1, page=hard).render_frame(), 7).is_sure


@pytest.mark.slow
def test_board_and_calibration_sheet_are_never_confused() -> None:
    """In no view is a board seen in the sheet, or a sheet in the board with its tokens."""
    for seed in range(5):
        view = looked_at(Random(seed))
        for piece, area in enumerate(AREA_CENTERS_MM):
            view.place_token(piece, area)
        with pytest.raises(TrayError, match="No sheet found"):
            scale_from_sheet(view.render_frame())
    for turn in range(5):
        other = SyntheticBoard(seed=turn, share=0.5, tilt=7 * turn, turn=turn, page=draw_sheet())
        layout = read_board(other.render_frame(), 7)
        assert [doubt.code for doubt in layout.doubts] == ["no-board"]
    assert scale_from_sheet(SyntheticBoard(seed=1, page=draw_sheet()).render_frame()) > 0
