"""Plain dice for tests: flat squares with round pips, drawn without any of the product's own drawing."""

import cv2
import numpy as np
from numpy.typing import NDArray

SPOTS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}

Ink = tuple[int, int, int]
WHITE: Ink = (235, 238, 240)
DARK: Ink = (25, 25, 25)


def felt(width: int, height: int, ink: Ink = (70, 90, 60)) -> NDArray[np.uint8]:
    """Return an empty table of one color with a little grain, BGR."""
    grain = np.random.default_rng(7).normal(0, 4, (height, width, 1))
    return np.clip(np.array(ink) + grain, 0, 255).astype(np.uint8)


def lay(
    frame: NDArray[np.uint8], value: int, x: float, y: float, size: float, body: Ink = WHITE, pip: Ink = DARK
) -> None:
    """Place a die with its middle at (x, y), slightly rotated, in the frame. `size` is its edge in pixels."""
    turn = 0.4 + value
    across = np.array([np.cos(turn), np.sin(turn)])
    down = np.array([-across[1], across[0]])
    middle = np.array([x, y])
    shift = 4  # In sixteenths of a pixel.

    def fixed(point: NDArray[np.float64]) -> tuple[int, int]:
        return round(point[0] * 2**shift), round(point[1] * 2**shift)

    half = 0.42 * size
    corners = [middle + a * half * across + b * half * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    outline = np.array([fixed(corner) for corner in corners], np.int32)
    cv2.fillPoly(frame, [outline], body, cv2.LINE_AA, shift)
    thick = max(1, round(0.16 * size))
    cv2.polylines(frame, [outline], True, body, thick, cv2.LINE_AA, shift)
    for a, b in SPOTS[value]:
        spot = middle + 0.26 * size * (a * across + b * down)
        cv2.circle(frame, fixed(spot), round(0.09 * size * 2**shift), pip, cv2.FILLED, cv2.LINE_AA, shift)
