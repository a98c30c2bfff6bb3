"""The lines of dice as a perfect net would draw them."""

import cv2
import numpy as np

from vision.dice.floor import Floor
from vision.dice.lines import INPUT_DIE_WIDTH_PX, INPUT_SIDE_PX
from vision.dice.polyhedra import Matrix
from vision.dice.pose import DieLines, wireframe_of_shape


def drawn_lines(shape: str, size: float, turn: Matrix, place: Matrix, spot: Matrix, floor: Floor) -> DieLines:
    """Return the lines of a die in this pose as a perfect net would draw them in a crop around `spot`."""
    k = INPUT_DIE_WIDTH_PX / floor.die_width_px(spot, size)
    way = np.array([[k, 0, (INPUT_SIDE_PX - 1) / 2 - k * spot[0]], [0, k, (INPUT_SIDE_PX - 1) / 2 - k * spot[1]]])
    part, half = wireframe_of_shape(shape), size / 2
    corners = floor.project_points(part.corners * half @ turn.T + place) @ way[:, :2].T + way[:, 2]
    seen = (part.normals @ turn.T) @ (floor.eye - place) > part.far * half
    die, rim, creases = np.zeros((3, INPUT_SIDE_PX, INPUT_SIDE_PX), np.uint8)
    fine = np.round(corners * 16).astype(np.int32)
    cv2.fillConvexPoly(die, cv2.convexHull(fine), 255, cv2.LINE_8, 4)
    for (a, b), sides in zip(part.ends, part.sides, strict=True):
        if seen[sides].any():
            plate = creases if seen[sides].all() else rim
            cv2.line(plate, tuple(fine[a].tolist()), tuple(fine[b].tolist()), 255, 2, cv2.LINE_AA, 4)
    soft = [
        np.asarray(cv2.GaussianBlur(one.astype(np.float32) / 255, (0, 0), 0.8), np.float32)
        for one in (die, rim, creases)
    ]
    return DieLines(soft[0], soft[1], soft[2], way)
