"""The solid that is fitted to perfect lines lies as the die does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.perfect_lines import drawn_lines
from vision.dice.floor import CameraPose
from vision.dice.polyhedra import Matrix
from vision.dice.pose import DiePose, PoseFit, wireframe_of_shape
from vision.synthetic.physics import axis_rotation, vertical_rotation
from vision.synthetic.shapes import lying_rotation

FLOOR = CameraPose(246.0).floor_for_size((640, 480))
SPOT = np.array([430.0, 150.0])
SIZES = {"d6": 16.0, "d8": 15.0, "d10": 16.0, "d20": 20.0, "d24": 23.0, "tetrakis": 24.0}


def fitted(shape: str, turn: Matrix, lift: float = 0.0) -> tuple[PoseFit, Matrix, Matrix]:
    """Return a fit to such lines, and the corners and the middle of the die that they show, in mm."""
    size = SIZES[shape]
    corners = wireframe_of_shape(shape).corners * (size / 2) @ turn.T
    place = FLOOR.point_at_height(SPOT + np.array([3, -2]), size / 2)
    place[2] = lift * size - corners[:, 2].min()
    return PoseFit(shape, size, SPOT, drawn_lines(shape, size, turn, place, SPOT, FLOOR), FLOOR), corners + place, place


def off(shape: str, pose: DiePose, corners: Matrix) -> float:
    """Return how far the corners of a pose in sight are from the true ones, on average, in pixels."""
    made = wireframe_of_shape(shape).corners * (SIZES[shape] / 2) @ pose.turn.T + pose.place
    one, other = (FLOOR.project_points(some[some[:, 2] > some[:, 2].mean()]) for some in (made, corners))
    return float(np.mean([np.hypot(*(other - spot).T).min() for spot in one]))


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("turn", [0.3, 2.1])
def test_a_flat_die_is_found_as_it_lies(shape: str, turn: float) -> None:
    fit, corners, place = fitted(shape, lying_rotation(shape, 2, turn))
    pose = fit.best_flat_pose()
    assert off(shape, pose, corners) < 0.8
    assert pose.place == pytest.approx(place, abs=0.6)
    assert pose.score > -0.7


@pytest.mark.parametrize("shape", ["d6", "d20"])
def test_a_flat_pose_explains_a_leaning_die_worse(shape: str) -> None:
    """The free pose explains it, and says by how much it is tilted."""
    flat, _, _ = fitted(shape, lying_rotation(shape, 2, 0.5))
    tipped = vertical_rotation(0.8) @ axis_rotation((0, 1, 0), math.radians(18)) @ lying_rotation(shape, 2, 0.5)
    fit, corners, _ = fitted(shape, tipped)
    best = fit.best_flat_pose()
    assert best.score < flat.best_flat_pose().score - 0.2
    free = fit.best_free_pose(best)
    assert free.score > best.score + 0.2
    assert free.tilt == pytest.approx(18, abs=6)
    assert off(shape, free, corners) < 2


@pytest.mark.parametrize("shape", ["d6", "d20"])
@pytest.mark.parametrize("share", [0.93, 1.06])
def test_the_size_of_a_flat_die_is_found(shape: str, share: float) -> None:
    fit, _, _ = fitted(shape, lying_rotation(shape, 2, 0.7))
    wrong = fit.with_floor(FLOOR, SIZES[shape] * share)
    assert wrong.best_size() == pytest.approx(SIZES[shape], rel=0.025)


def test_a_lifted_die_is_lifted() -> None:
    """It seems larger than a flat one of its size."""
    fit, _, _ = fitted("d6", lying_rotation("d6", 3, 0.4), lift=0.9)
    free = fit.best_free_pose(fit.best_flat_pose())
    assert free.lift == pytest.approx(0.9, abs=0.3)
    assert free.tilt < 12
