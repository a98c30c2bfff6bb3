"""Read the facets of a die from rectified views, and infer the sign on top from all visible facets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.detect import OnnxNet
from vision.dice.floor import Floor
from vision.dice.polyhedra import Matrix, solid_of_shape
from vision.dice.pose import SYMMETRY_BY_SHAPE, DiePose
from vision.weights import WEIGHTS_FOLDER

# Classes of the network in the order of its output: pips, numerals, tens, letters. A last output means none of these.
SIGN_NAMES = (*(f"{n} pips" for n in range(1, 7)), *map(str, range(25)), "00", *(f"{n}0" for n in range(3, 10)), *"BSC")
NO_SIGN_INDEX = len(SIGN_NAMES)
INPUT_SIDE_PX = 40  # edge of the network's input
# Half the edge of a rectified view, in half sizes of the die. It shows the facet and a margin. Cubes have 1.
FACET_REACH = {"d8": 0.8, "d10": 0.72, "d20": 0.5, "d24": 0.46, "tetrakis": 0.46}  # cubes: 1
READ_ZOOMS = (0.94, 1.06)  # zooms over which predictions are averaged
MIN_FACING_COSINE = 0.35  # minimum cosine between a facet's normal and the direction to the camera
MAX_FACETS = 10  # maximum number of facets that are read
TOP_BASE_PROBABILITY = 0.002  # additive smoothing of the sign probabilities on top
FACET_BASE_PROBABILITY = 0.04  # the same on other facets

_CUBE_SIGNS = [*(f"{n} pips" for n in range(1, 7)), *map(str, range(1, 7)), *"BSC"]
_TENS_SIGNS = ["00", *(f"{n}0" for n in range(1, 10))]
# the possible signs of each shape
SIGNS_BY_SHAPE: dict[str, list[str]] = {
    "d6": _CUBE_SIGNS, "d8": [str(n) for n in range(1, 9)], "d10": [*map(str, range(10)), *_TENS_SIGNS],
    "d20": [str(n) for n in range(1, 21)], "d24": [str(n) for n in range(1, 25)],
    "tetrakis": [str(n) for n in range(1, 25)],
}  # fmt: skip


@cache
def facet_axes(shape: str) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return the facets' normals, sign centers, and unit vectors right and down, each (facets, 3), in half sizes."""
    made = solid_of_shape(shape)
    right, down = (np.asarray(rows, float) / np.linalg.norm(rows, axis=1)[:, None] for rows in (made.right, made.down))
    return np.asarray(made.normals, float), np.asarray(made.middle, float), right, down


def facets_in_sight(shape: str, size: float, pose: DiePose, floor: Floor) -> list[int]:
    """Return the index of the top facet, then those that face the camera, most direct first."""
    normals, middles, _, _ = facet_axes(shape)
    rays = floor.eye - (middles * (size / 2)) @ pose.turn.T - pose.place
    facing = ((normals @ pose.turn.T) * rays).sum(axis=1) / np.linalg.norm(rays, axis=1)
    top = int((normals @ pose.turn[2]).argmax())
    others = [int(n) for n in np.argsort(-facing) if n != top and facing[n] > MIN_FACING_COSINE]
    return [top, *others][:MAX_FACETS]


def facet_corners(shape: str, facet: int, turn: float, zoom: float) -> Matrix:
    """Return the corners (4, 3) of a facet's view, in half sizes of the die, rotated clockwise by `turn` radians."""
    _, middles, rights, downs = facet_axes(shape)
    cos, sin = math.cos(turn), math.sin(turn)
    right, down = rights[facet], downs[facet]
    right, down = cos * right + sin * down, cos * down - sin * right
    wide = FACET_REACH.get(shape, 1.0) * zoom
    ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([middles[facet] + (x * right + y * down) * wide for x, y in ends])


def warp_to_square(picture: NDArray[np.uint8], spots: Matrix, side: int = INPUT_SIDE_PX) -> NDArray[np.uint8]:
    """Warp a quadrilateral (4, 2) of an image to a square."""
    scale = math.sqrt(max(1e-6, cv2.contourArea(spots.astype(np.float32)))) / side
    size = np.array(picture.shape[1::-1])
    low = np.clip(np.floor(spots.min(axis=0)).astype(int) - 6, 0, size - 2)
    high = np.clip(np.ceil(spots.max(axis=0)).astype(int) + 7, low + 2, size)
    part = picture[low[1] : high[1], low[0] : high[0]]
    if scale > 1.4:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.3 * scale), np.uint8)
    ends = np.array([(-0.5, -0.5), (side - 0.5, -0.5), (side - 0.5, side - 0.5), (-0.5, side - 0.5)], np.float32)
    way = cv2.getPerspectiveTransform((spots - low).astype(np.float32), ends)
    found = cv2.warpPerspective(part, way, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.uint8)


class SignNet:
    """The network that classifies the signs on facets. `model` is an ONNX file (default: `facets.onnx`)."""

    def __init__(self, model: Path | None = None) -> None:
        self._net = OnnxNet(model or WEIGHTS_FOLDER / "facets.onnx")

    def read_signs(
        self,
        picture: NDArray[np.uint8],
        shape: str,
        size: float,
        pose: DiePose,
        floor: Floor,
        facets: Sequence[int],
        zooms: Sequence[float] = READ_ZOOMS,
    ) -> Matrix:
        """Classify these facets. Return probabilities (facets, signs) as in `SIGNS_BY_SHAPE`, with none last."""
        many = SYMMETRY_BY_SHAPE.get(shape, 1)
        squares = [
            facet_corners(shape, facet, math.tau * n / many, zoom) * (size / 2)
            for facet in facets for n in range(many) for zoom in zooms
        ]  # fmt: skip
        views = [warp_to_square(picture, floor.project_points(square @ pose.turn.T + pose.place)) for square in squares]
        (answer,) = self._net.run_blob(_input_blob(views), "signs")
        logits = answer.astype(float).reshape(len(facets), -1, answer.shape[1]).mean(axis=1)
        logits = logits[:, [*(SIGN_NAMES.index(sign) for sign in SIGNS_BY_SHAPE[shape]), NO_SIGN_INDEX]]
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def facet_embeddings(self, views: Sequence[NDArray[np.uint8]]) -> Matrix:
        """Return embeddings (views, features) of rectified views, whatever they show."""
        (answer,) = self._net.run_blob(_input_blob(views), "looks")
        return answer.astype(float)


def _input_blob(views: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    return np.stack(views).transpose(0, 3, 1, 2).astype(np.float32) / 127.5 - 1


# The numbering --------------------------------------------------------------------------------------------------------


@cache
def symmetry_permutations(shape: str) -> NDArray[np.intp]:
    """Return all rotations that map a solid onto itself, as permutations of its facets (rotations, facets)."""
    normals, _, rights, downs = facet_axes(shape)

    def facet_basis(facet: int, turn: float) -> Matrix:
        cos, sin = math.cos(turn), math.sin(turn)
        right, down = rights[facet], downs[facet]
        return np.column_stack([cos * right + sin * down, cos * down - sin * right, normals[facet]])

    found, one, many = [], facet_basis(0, 0.0), SYMMETRY_BY_SHAPE.get(shape, 1)
    for facet in range(len(normals)):
        for n in range(many):
            near = (normals @ (facet_basis(facet, math.tau * n / many) @ np.linalg.inv(one)).T) @ normals.T
            if near.max(axis=1).min() > 0.999:
                found.append(near.argmax(axis=1))
    return np.unique(np.array(found), axis=0)


def standard_numberings(shape: str, top: Matrix) -> list[NDArray[np.intp]]:
    """Return the standard numberings of a die, as the index in `SIGNS_BY_SHAPE` by facet.

    top: probabilities of the signs on top, which decide between digits and tens, or pips and numerals.
    Cubes with pips or numerals have two numberings, mirror images of each other. Those with letters have no standard.
    """
    tiles, signs = solid_of_shape(shape).tile, SIGNS_BY_SHAPE[shape]
    if shape == "d10":
        # Digits precede tens, both from 0. The tiles begin with 1.
        return [(tiles + 1) % 10 + 10 * (top[10:-1].sum() > top[:10].sum())]
    if shape != "d6":
        return [tiles]
    first = 6 * int(top[:-1].argmax() // 6)
    mirrored = np.array([0, 1, 3, 2, 4, 5])[tiles]
    return [tiles + first, mirrored + first] if first + 6 <= signs.index("B") else []


def combine_sign_probabilities(
    shape: str, facets: Sequence[int], chances: Matrix, ways: Sequence[NDArray[np.intp]], known: float
) -> Matrix:
    """Combine the visible facets to probabilities of the signs on top, with none last.

    facets: the visible facets, the top first.
    chances: result of `SignNet.read_signs`.
    ways: result of `standard_numberings`.
    known: prior that the die has one of these. Otherwise the other facets are not informative.
    """
    top, many, turns = chances[0], chances.shape[1] - 1, symmetry_permutations(shape)
    free = (
        np.log(top[:-1] + TOP_BASE_PROBABILITY)
        - math.log(many)
        + (len(facets) - 1) * math.log(1 / many + FACET_BASE_PROBABILITY)
    )
    found = (1 - known if ways else 1.0) * np.exp(free - free.max())
    for number in ways:
        logs = np.full(len(turns), -free.max())
        for place, (facet, row) in enumerate(zip(facets, chances, strict=True)):
            logs += np.log(row[number[turns[:, facet]]] + (FACET_BASE_PROBABILITY if place else TOP_BASE_PROBABILITY))
        np.add.at(found, number[turns[:, facets[0]]], np.exp(logs) * known / len(turns) / len(ways))
    return np.append(found / max(1e-12, found.sum()), top[-1])
