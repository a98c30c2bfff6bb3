"""Conversion of evenings rendered by `scripts/training/evening` to clips."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.evening.clips import Clip, Evening, Shot, TaughtFaceShot
from scripts.training.studio import cameras
from scripts.training.studio.evenings import Table
from vision.cameras.frames import Image
from vision.dice.polyhedra import Floats

LIGHT_MASK = 0xFFF8  # Mask of the kept bits of stored light, eight of its eleven significant ones.
TAP_DEVIATION_MM = 1.5  # Standard deviation of a person's taps on corners, in mm.
MAX_EXPOSURE_CHANGE = 0.015  # Maximum change of a frame's exposure from the locked one, as a share.


def picture_rows(folder: Path) -> list[dict[str, Any]]:
    """Return the metadata of a folder's pictures in order, [] if there are none.

    Incomplete lines, as after a power cut, and lines whose picture is missing are skipped.
    """
    file = folder / "evening.jsonl"
    rows = []
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return [row for row in rows if (folder / f"{row['picture']}.npz").exists()]


def load_evening(folder: Path) -> Evening:
    """Load the rendered part of an evening. Raises OSError or ValueError if there is none."""
    data = json.loads((folder / "table.json").read_text())
    camera, locks = cameras.restored(data)
    rows = {row["picture"]: row for row in picture_rows(folder)}

    def shot(name: str) -> Shot:
        return RenderedPicture(folder / f"{name}.npz", camera, locks).frame

    if not {"empty", "die"} <= rows.keys():
        raise ValueError(f"{folder} has no pictures for a calibration yet.")
    taught = [row for name, row in rows.items() if name.startswith("teach-")]
    lessons = [TaughtFaceShot(row["kind"], row["face"], row["round"], shot(row["picture"])) for row in taught]
    clips = [
        Clip(
            name, row["game"], row["n"], row["seat"], tuple(row["values"]),
            tuple((n, seat, value) for n, seat, value in row["before"]), row["trouble"], shot(name),
            frozenset(die["look"].split(" ")[0] for die in row["dice"]),
        ) for name, row in rows.items() if name.startswith("throw-")
    ]  # fmt: skip
    # The throw in trouble comes first.
    clips.sort(key=lambda clip: (rows[clip.name]["number"], clip.trouble is None))
    while clips and clips[-1].trouble is not None:
        clips.pop()
    felt = tapped_corners(Table(data["seed"], (), data["relight"]))
    return Evening(folder.name, data["game"], shot("empty"), shot("die"), lessons, clips, felt)


def tapped_corners(table: Table) -> list[tuple[float, float]]:
    """Return a person's taps on the felt's corners, as shares of the picture's width and height."""
    rng, lens = Random(f"{table.seed} taps"), table.camera.lens
    corners = [
        (x + rng.gauss(0, TAP_DEVIATION_MM), y + rng.gauss(0, TAP_DEVIATION_MM), 0.0) for x, y in table.tray.corners
    ]
    shares = lens.project_points(np.array(corners)) / (np.array(lens.size) - 1)
    return [(float(x), float(y)) for x, y in np.clip(shares, 0, 1)]


class RenderedPicture:
    """A picture stored as light on the sensor, with the camera's locked settings."""

    def __init__(self, file: Path, camera: cameras.Camera, locks: cameras.Locks) -> None:
        self._file, self._camera, self._locks = file, camera, locks

    def frame(self, seed: int) -> Image:
        """Return a BGR frame with noise and exposure by seed."""
        rng = Random(f"{self._file.name} {seed}")
        locks = replace(
            self._locks, gain=self._locks.gain * (1 + rng.uniform(-MAX_EXPOSURE_CHANGE, MAX_EXPOSURE_CHANGE))
        )
        return cameras.shoot(self._camera, load_light(self._file), rng.randrange(1 << 30), locks)


@lru_cache(maxsize=2)
def load_light(file: Path) -> Floats:
    """Return the linear light stored in a file, (rows, columns, 3), red first."""
    with np.load(file) as stored:
        return np.asarray(stored["light"], np.float32)
