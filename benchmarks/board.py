"""Accuracy of reading a printed board: `python -m benchmarks.board` prints the table of docs/evidence/board.md.

All boards are synthetic (`tests.vision.boards`). Times are CPU times of one thread; close other programs first.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from random import Random

import cv2
import numpy as np

from tests.vision.boards import PIECES, Truth, laid, looked_at
from tests.vision.photos import PHOTOS
from vision.board.read import BoardLayout, BoardWatcher, read_board
from vision.board.sheets import AREA_CENTERS_MM
from vision.cameras.frames import Image
from vision.synthetic.tokens import SyntheticBoard

SMALL_SIZE_PX = (320, 240)
LARGE_SIZE_PX = (1280, 960)


def unchanged_frame(frame: Image, rng: Random) -> Image:
    return frame


def distort_frame(frame: Image, rng: Random) -> Image:
    """Apply the distortion of a cheap wide lens, which moves corners in by up to 8 % of the half diagonal."""
    tall, wide = frame.shape[:2]
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    half = np.hypot(tall, wide) / 2
    x, y = (x - wide / 2) / half, (y - tall / 2) / half
    out = half * (1 + rng.uniform(0.02, 0.08) * (x * x + y * y))
    across, along = (x * out + wide / 2).astype(np.float32), (y * out + tall / 2).astype(np.float32)
    return np.asarray(cv2.remap(frame, across, along, cv2.INTER_LINEAR), np.uint8)


def add_glare(frame: Image, rng: Random) -> Image:
    """Add a lamp's reflection, white in the center, with a radius of a tenth of the width."""
    tall, wide = frame.shape[:2]
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    away = np.hypot(x - rng.uniform(0.2, 0.8) * wide, y - rng.uniform(0.2, 0.8) * tall) / (
        rng.uniform(0.05, 0.1) * wide
    )
    lamp = 260 * np.exp(-0.5 * away * away)
    return np.clip(frame + lamp[..., None], 0, 255).astype(np.uint8)


def leave_uncovered(board: SyntheticBoard, truth: Truth, rng: Random) -> set[str]:
    return set()


def cover_areas(board: SyntheticBoard, truth: Truth, rng: Random) -> set[str]:
    """Cover some empty areas with unstickered tokens, and place a cup and a hand anywhere. Return the hidden areas."""
    hidden = {area for area, piece in truth.items() if piece is None and rng.random() < 0.3}
    for area in hidden:
        x, y = AREA_CENTERS_MM[area]
        board.place_cover((x + rng.uniform(-15, 15), y + rng.uniform(-15, 15)))
    if rng.random() < 0.5:
        board.place_cover((rng.uniform(20, 190), rng.uniform(80, 200)), rng.uniform(20, 35), rng.uniform(20, 70))
    if rng.random() < 0.5:
        board.hand = rng.uniform(-0.5, 0.5), rng.uniform(0, 0.8)
    return hidden


def is_silently_wrong(layout: BoardLayout, truth: Truth, hidden: set[str]) -> bool:
    """True if a piece is a false positive, or an area without a doubt is falsely empty."""
    named = {area for doubt in layout.doubts for area in doubt.areas}
    for area, piece in layout.areas.items():
        if piece is not None and piece != truth[area]:
            return True
        believed = layout.outline is not None and area not in named
        if piece is None and believed and (truth[area] is not None or area in hidden):
            return True
    return False


def print_row(
    name: str,
    count: int,
    size: tuple[int, int] = (640, 480),
    soft: tuple[float, float] | None = None,
    marred: Callable[[Image, Random], Image] = unchanged_frame,
    strewn: Callable[[SyntheticBoard, Truth, Random], set[str]] = leave_uncovered,
) -> None:
    exact = asked = silent = 0
    took = []
    for seed in range(count):
        rng = Random(10_000 + seed)
        board = looked_at(rng, size)
        truth = laid(board, rng)
        board.blur = (board.blur if soft is None else rng.uniform(*soft)) * size[0] / 640
        hidden = strewn(board, truth, rng)
        frame = marred(board.render_frame(), rng)
        began = time.process_time()
        layout = read_board(frame, PIECES)
        took.append((time.process_time() - began) * 1000)
        exact += layout.is_sure and layout.areas == truth
        asked += not layout.is_sure
        silent += is_silently_wrong(layout, truth, hidden)
    shares = " | ".join(f"{100 * part / count:.1f} %" for part in (exact, asked, silent))
    print(f"| {name} | {count} | {shares} | {statistics.median(took):.1f} |", flush=True)


def frame_time_ms() -> float:
    """Return the median CPU time for one frame of a film, at 640x480, in ms."""
    board = SyntheticBoard(seed=1)
    laid(board, Random(1), 6)
    watcher, took = BoardWatcher(PIECES), []
    for place in range(100):
        frame = board.render_frame()
        began = time.process_time()
        watcher.process_frame(frame, place / 10)
        took.append((time.process_time() - began) * 1000)
    return statistics.median(took)


def false_board_sentence() -> str:
    """Return a sentence with the number of boards found in photographs of dice, which have none."""
    files = sorted(PHOTOS.rglob("*.jpg"))
    boards = sum(read_board(np.asarray(cv2.imread(str(file)), np.uint8), PIECES).outline is not None for file in files)
    return f"{len(files)} photographs without a board: {boards} boards seen."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--count", type=int, default=2000, help="boards in the first row; a quarter of it in the others"
    )
    count = parser.parse_args().count
    cv2.setNumThreads(1)
    print("| boards | count | exact | asked | silent | ms |\n|---|---|---|---|---|---|")
    print_row("any view, 640x480", count)
    few = max(count // 8, 1)
    print_row("– at 320x240", few, SMALL_SIZE_PX)
    print_row("– at 1280x960", few, LARGE_SIZE_PX)
    print_row("– far out of focus (1.2 to 2.5 pixels)", few, soft=(1.2, 2.5))
    print_row("– through a wide lens that bends lines", few, marred=distort_frame)
    print_row("– a lamp shines back from the paper", few, marred=add_glare)
    print_row("– a cup, a hand, tokens without their stickers", few, strewn=cover_areas)
    print(f"\nWatching costs {frame_time_ms():.1f} ms a frame at 640x480.")
    print(false_board_sentence())


if __name__ == "__main__":
    main()
