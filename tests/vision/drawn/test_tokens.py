"""The drawn board shows what was placed on it, as a camera would."""

import numpy as np

from vision.board.read import LaidPiece, read_board
from vision.drawn.tokens import DrawnBoard


def test_the_same_seed_gives_the_same_pictures() -> None:
    """Frame for frame, noise included; another seed gives others, and so does the next frame."""

    def film(seed: int) -> list[np.ndarray]:
        board = DrawnBoard(seed=seed)
        board.lay(0, "A")
        return [board.frame() for _ in range(2)]

    one, same, other = film(5), film(5), film(6)
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0], one[1])
    assert not np.array_equal(one[0], other[0])
    assert one[0].shape == (480, 640, 3)


def test_tokens_are_seen_where_they_are() -> None:
    # In an area or at a place on the page, front or back up; then the board is empty again.
    board = DrawnBoard(seed=1)
    board.lay(2, "D", back=True, turn=1.0, off=9)
    board.lay(3, (165, 172))
    areas = read_board(board.frame(), 7).areas
    assert (areas["D"], areas["C"]) == (LaidPiece(2, True), LaidPiece(3, False))
    board.clear()
    assert not any(read_board(board.frame(), 7).areas.values())
    # From a tilted camera a tall thing hides the area above it; from straight above it does not.
    for tilt, hidden in ((0.0, ["B"]), (45.0, ["B", "E"])):
        board = DrawnBoard(seed=1, tilt=tilt)
        board.cover("B", 15, 75)
        assert hidden == [area for doubt in read_board(board.frame(), 7).doubts for area in doubt.areas]


def test_a_compressed_picture_loses_a_little() -> None:
    """A JPEG differs slightly from the original picture, less at higher quality."""
    plain, packed = (DrawnBoard(seed=1, noise=0) for _ in range(2))
    off = []
    for packed.jpeg in (None, 90, 40):
        off.append(float(np.abs(plain.frame().astype(float) - packed.frame()).mean()))
    assert 0 == off[0] < off[1] < off[2] < 6
