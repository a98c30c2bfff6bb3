"""Rendered dice as training samples: visible facets and occluders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scripts.training.studio.bodies import polygons
from vision.dice.floor import Floor
from vision.dice.polyhedra import Matrix
from vision.dice.pose import wireframe_of_shape
from vision.synthetic.paint import Lens


@dataclass(frozen=True, slots=True, eq=False)
class RenderedDie:
    """A die of a rendered image: its ground truth, the floor, its pose, and its center and width in pixels. `facets`
    are the corners of the visible facets in pixels, `numbers` their indices, and `before` the outlines of dice that may
    occlude it."""

    truth: dict[str, Any]
    floor: Floor
    turn: Matrix
    place: Matrix
    spot: Matrix
    wide: float
    facets: list[Matrix]
    numbers: list[int]
    before: list[Matrix]


def floor_of(row: dict[str, Any]) -> Floor:
    """Return the floor of an image from its ground truth."""
    wide, tall = row["size"]
    lens = Lens((wide, tall), row["view"], row["height"], row["aslant"])
    return Floor(
        lens.size,
        lens.pixels_per_mm * lens.height,
        np.asarray(lens.camera_position, float),
        np.asarray(lens.camera_axes, float),
    )


def rows_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Load the ground truth of a folder by image name. Incomplete lines are skipped."""
    rows = {}
    for line in (folder / "truth.jsonl").read_text().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[row["picture"]] = row
    return rows


def dice_of(row: dict[str, Any]) -> Iterator[RenderedDie]:
    """Yield the dice of an image that are at least partly visible."""
    floor = floor_of(row)
    outlines = [_outline(die, floor) for die in row["dice"]]
    away = [float(np.linalg.norm(np.array(die["place"]) - floor.eye)) for die in row["dice"]]
    for number, die in enumerate(row["dice"]):
        if die["box"] is None:
            continue
        turn, place, half, part = (
            np.array(die["turn"]),
            np.array(die["place"], float),
            die["size"] / 2,
            wireframe_of_shape(die["shape"]),
        )
        seen = np.flatnonzero((part.normals @ turn.T) @ (floor.eye - place) > part.far * half)
        sides = polygons(part.normals, part.far, part.corners)
        facets = [floor.project_points(sides[n] * half @ turn.T + place) for n in seen]
        before = [outlines[n] for n in range(len(outlines)) if away[n] < away[number]]
        spot = floor.project_points(place)
        yield RenderedDie(
            die, floor, turn, place, spot, floor.die_width_px(spot, die["size"]), facets, seen.tolist(), before
        )


def _outline(die: dict[str, Any], floor: Floor) -> Matrix:
    corners = wireframe_of_shape(die["shape"]).corners * (die["size"] / 2) @ np.array(die["turn"]).T + np.array(
        die["place"]
    )
    return np.asarray(cv2.convexHull(floor.project_points(corners).astype(np.float32))[:, 0], float)
