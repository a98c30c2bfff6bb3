"""The drawn board shows what was placed on it, as a camera would."""

import numpy as np

from vision.board.read import PlacedPiece, read_board
from vision.synthetic.tokens import SyntheticBoard


def test_the_same_seed_gives_the_same_pictures() -> None:
    """Frame for frame, noise included; another seed gives others, and so does the next frame."""

    def film(seed: int) -> list[np.ndarray]:
        board = SyntheticBoard(seed=seed)
        board.place_token(0, "A")
        return [board.render_frame() for _ in range(2)]

    one, same, other = film(5), film(5), film(6)
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0], one[1])
    assert not np.array_equal(one[0], other[0])
    assert one[0].shape == (480, 640, 3)


def test_tokens_are_seen_where_they_are() -> None:
    # In an area or at a place on the page, front or back up; then the board is empty again.
    board = SyntheticBoard(seed=1)
    board.place_token(2, "D", back=True, turn=1.0, off=9)
    board.place_token(3, (165, 172))
    areas = read_board(board.render_frame(), 7).areas
    assert (areas["D"], areas["C"]) == (PlacedPiece(2, True), PlacedPiece(3, False))
    board.clear_board()
    assert not any(read_board(board.render_frame(), 7).areas.values())
    # From a tilted camera a tall thing hides the area above it; from straight above it does not.
    for tilt, hidden in ((0.0, ["B"]), (45.0, ["B", "E"])):
        board = SyntheticBoard(seed=1, tilt=tilt)
        board.place_cover("B", 15, 75)
        assert hidden == [area for doubt in read_board(board.render_frame(), 7).doubts for area in doubt.areas]


def test_a_compressed_picture_loses_a_little() -> None:
    """A JPEG differs slightly from the original picture, less at higher quality."""
    plain, packed = (SyntheticBoard(seed=1, noise=0) for _ in range(2))
    off = []
    for packed.jpeg in (None, 90, 40):
        off.append(float(np.abs(plain.render_frame().astype(float) - packed.render_frame()).mean()))
    assert 0 == off[0] < off[1] < off[2] < 6
