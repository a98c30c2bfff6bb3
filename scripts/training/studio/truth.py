"""Ground truth of an image: the value, pose and visible share of each die."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.studio import bodies
from scripts.training.studio.dice import READ_AS
from scripts.training.studio.placing import Placed, Scene, silhouette
from vision.cameras.frames import Image
from vision.reading import PixelBox

Owners = NDArray[np.int32]

WHITE = 250  # A pixel with all three channels at or above this is overexposed.
COVERED = 0.12  # minimum share of a top covered by glare to be a reason for doubt


def top_facet(placed: Placed) -> int:
    return int((placed.die.shape.normals @ placed.pose.turn[2]).argmax())


def visible_share(seen: int, outline: NDArray[np.floating[Any]]) -> float:
    """Return the share of an outline (corners, 2), in pixels, that `seen` pixels cover, 0 to 1."""
    area = cv2.contourArea(outline.astype(np.float32))
    return min(1.0, seen / area) if area > 0 else 0.0


def box_of(owners: Owners, number: int) -> PixelBox | None:
    """Return the bounding box of a die's visible pixels, or None if there are none."""
    rows, columns = np.nonzero(owners == number)
    if not len(rows):
        return None
    left, top = int(columns.min()), int(rows.min())
    return left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1


def truth_of(scene: Scene, owners: Owners, facets: Owners, picture: Image) -> dict[str, Any]:
    """Return an image's ground truth in JSON form. `owners` and `facets` are the die and its facet at each pixel."""
    found = [die_truth(scene, n, owners, facets, picture) for n in range(len(scene.dice))]
    reason = scene.reason
    if reason == "glare" and max(die["glare"] for die in found) < COVERED:
        reason = None
    if reason == "hand" and min(die["visible"] for die in found) > 0.95:
        reason = None
    return {
        "scene": scene.name, "reason": reason, "size": list(scene.lens.size), "camera": scene.camera.model,
        "view": round(scene.lens.view, 1), "height": round(float(scene.lens.height), 1),
        "aslant": round(scene.lens.tilt, 1), "tray": scene.tray is not None,
        "things": [thing.kind for thing, _ in scene.things], "dice": found,
    }  # fmt: skip


def die_truth(scene: Scene, number: int, owners: Owners, facets: Owners, picture: Image) -> dict[str, Any]:
    """Return one die's ground truth. `docs/evidence/studio.md` describes its fields."""
    one = scene.dice[number]
    die, pose, top = one.die, one.pose, top_facet(one)
    mine = owners == number
    up = mine & (facets == top)
    corners = die.facets[top] @ pose.turn.T + (pose.x, pose.y, pose.z)
    outline = silhouette(scene.lens, bodies.world(die.body, pose))
    x, y, wide, tall = cv2.boundingRect(outline.astype(np.float32))
    white = picture[up].min(axis=1) >= WHITE if up.any() else np.zeros(1)
    return {
        "kind": READ_AS.get(die.kind, die.kind), "shape": die.kind, "value": die.face(top),
        "values": list(die.values), "logo": die.logo, "print_turn": round(die.print.turn, 3), "look": die.name,
        "typeface": die.print.font.rsplit("/", 1)[-1], "size": round(die.size, 2),
        "place": [round(v, 2) for v in (pose.x, pose.y, pose.z)],
        "turn": [[round(float(v), 5) for v in row] for row in pose.turn],
        "tilt": round(one.tilt, 1), "rests": one.rests, "upon": one.below,
        "box": box_of(owners, number), "outline": [x, y, wide, tall],
        "visible": round(visible_share(int(mine.sum()), outline), 3),
        "top_visible": round(visible_share(int(up.sum()), scene.lens.project_points(corners)), 3),
        "glare": round(float(white.mean()), 3),
    }  # fmt: skip
