"""The floor is found on which dice lie flat."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.perfect_lines import drawn_lines
from vision.dice.dice_finder import FittedDie, fit_die
from vision.dice.floor import CameraPose
from vision.dice.floor_search import FloorSearch
from vision.synthetic.physics import axis_rotation
from vision.synthetic.shapes import lying_rotation

SIZE = (640, 480)
TRUE = CameraPose(250.0, right=0.03, down=0.12, view=66.0)
SPOTS = [(120.0, 90.0), (330.0, 60.0), (540.0, 110.0), (150.0, 380.0), (340.0, 400.0), (560.0, 350.0)]


def dice(seen_over: CameraPose, tip: float = 0.0) -> list[FittedDie]:
    """Return dice that lie at different places of the true floor, as they are fitted over another one. The first is
    tipped by `tip` degrees."""
    true, other = TRUE.floor_for_size(SIZE), seen_over.floor_for_size(SIZE)
    found = []
    for n, spot in enumerate(map(np.array, SPOTS)):
        turn = lying_rotation("d6", 1 + n, 0.4 + n)
        if n == 0:
            turn = axis_rotation((0, 1, 0), math.radians(tip)) @ turn
        lines = drawn_lines("d6", 16.0, turn, true.point_at_height(spot, 8.0), spot, true)
        found.append(fit_die("d6", 16.0, spot, lines, other))
    return found


def off(place: CameraPose) -> float:
    """Return by how many degrees a camera looks another way than the true one."""
    one, other = (np.array([some.right, some.down, 1.0]) for some in (place, TRUE))
    return math.degrees(math.acos(min(1.0, one @ other / np.linalg.norm(one) / np.linalg.norm(other))))


@pytest.mark.parametrize(("tip", "loose"), [(0.0, True), (25.0, True), (0.0, False)])
def test_six_dice_show_where_the_camera_is(tip: float, loose: bool) -> None:
    """Also if one of them leans, and if it is known how large they are seen."""
    start = CameraPose(260.0 if loose else 250.0)
    search = FloorSearch(SIZE, start, loose=loose)
    search.remember_dice(dice(start, tip))
    assert search.is_known
    for _ in range(12):
        search.refine_floor()
    assert off(search.camera_pose) < 2
    assert search.camera_pose.across == pytest.approx(TRUE.across if loose else start.across, rel=0.03)
    assert search.camera_pose.view == pytest.approx(TRUE.view, abs=6)


def test_without_dice_the_camera_stays_where_it_was() -> None:
    search = FloorSearch(SIZE, TRUE)
    search.remember_dice([])
    search.refine_floor()
    assert search.camera_pose == pytest.approx(TRUE)
    assert not search.is_known
