"""Drawn boards in random layouts and light, by seed."""

import math
from random import Random

from vision.board.read import PlacedPiece
from vision.board.sheets import AREA_CENTERS_MM
from vision.synthetic.tokens import SyntheticBoard

PIECES = 7

Truth = dict[str, PlacedPiece | None]


def looked_at(rng: Random, size: tuple[int, int] = (640, 480)) -> SyntheticBoard:
    """Return an empty board under a camera tilted up to 35 degrees, in any rotation, at least half the frame wide."""
    board = SyntheticBoard(
        size,
        seed=rng.getrandbits(32),
        share=rng.uniform(0.5, 0.6),
        height=rng.uniform(400, 650),
        tilt=rng.uniform(0, 35),
        turn=rng.uniform(0, math.tau),
        aside=(rng.uniform(-6, 6), rng.uniform(-6, 6)),
        white=rng.randint(150, 240),
        noise=rng.uniform(1, 5),
    )
    board.light, board.warmth = rng.uniform(0.5, 1.15), rng.uniform(-0.6, 0.6)
    board.uneven, board.blur = rng.uniform(0, 0.6), rng.uniform(0, 1.2)
    board.jpeg = rng.choice([None, rng.randint(50, 95)])
    return board


def laid(board: SyntheticBoard, rng: Random, least: int = 0) -> Truth:
    """Place some of the pieces in areas, each up to 8 mm from the middle, and return which are where."""
    truth: Truth = dict.fromkeys(AREA_CENTERS_MM)
    count = rng.randint(least, len(AREA_CENTERS_MM))
    for area, piece in zip(rng.sample(list(AREA_CENTERS_MM), count), rng.sample(range(PIECES), count), strict=True):
        back = rng.random() < 0.5
        board.place_token(piece, area, back=back, turn=rng.uniform(0, math.tau), off=rng.uniform(0, 8))
        truth[area] = PlacedPiece(piece, back)
    return truth
