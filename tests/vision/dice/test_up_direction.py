"""How a camera hangs, found by dice that lie on any of their facets."""

import math

import numpy as np
import pytest

from vision.dice.floor import CameraPose
from vision.dice.polyhedra import Matrix
from vision.dice.pose import wireframe_of_shape
from vision.dice.up_direction import UprightSearch
from vision.synthetic.physics import vertical_rotation

STRAIGHT = CameraPose(250.0)


def lying(place: CameraPose, seed: int, shape: str = "d20") -> Matrix:
    """Return the directions of the facets of a die that lies before a camera, off by a degree or two."""
    rng = np.random.default_rng(seed)
    part = wireframe_of_shape(shape)
    on_floor = part.normals @ (vertical_rotation(rng.uniform(0, math.tau)) @ part.flat).T
    seen = on_floor @ place.floor_for_size((640, 480)).axes.T + rng.normal(0, 0.02, part.normals.shape)
    return np.asarray(seen / np.linalg.norm(seen, axis=1)[:, None])


@pytest.mark.parametrize("place", [CameraPose(250.0, -0.1, 0.8), CameraPose(250.0, 0.35, 0.0)])
def test_a_camera_aslant_is_found_after_a_few_dice(place: CameraPose) -> None:
    votes = UprightSearch()
    votes.remember_die(lying(place, 0))
    assert votes.better_camera_pose(STRAIGHT) is None
    for seed in range(1, 6):
        votes.remember_die(lying(place, seed))
    found = votes.better_camera_pose(STRAIGHT)
    assert found is not None
    assert (found.right, found.down) == pytest.approx((place.right, place.down), abs=0.06)
    assert found.across == 250.0
    assert votes.better_camera_pose(found) is None


def test_a_die_that_leans_does_not_tilt_the_camera() -> None:
    votes = UprightSearch()
    for seed in range(5):
        votes.remember_die(lying(STRAIGHT, seed, "d6"))
    votes.remember_die(lying(CameraPose(250.0, 0.5, 0.2), 9, "d6"))
    assert votes.better_camera_pose(STRAIGHT) is None


def test_nothing_seen_is_straight_above() -> None:
    assert UprightSearch().better_camera_pose(STRAIGHT) is None
