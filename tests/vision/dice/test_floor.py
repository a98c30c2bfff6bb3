"""A floor leads from the picture to millimetres and back."""

from __future__ import annotations

import numpy as np
import pytest

from tests.each import each
from vision.dice.floor import CameraPose, Floor
from vision.synthetic.paint import Lens

LENS = Lens((640, 480), 240.0, 300.0, 12.0)
FLOOR = Floor(
    LENS.size,
    LENS.pixels_per_mm * LENS.height,
    np.asarray(LENS.camera_position, float),
    np.asarray(LENS.camera_axes, float),
)


@each("high", [0.0, 8.0, 30.0])
@each("spot", [(12.0, 460.0), (319.5, 239.5), (600.0, 40.0)])
def test_what_is_seen_at_a_place_lies_there(spot: tuple[float, float], high: float) -> None:
    point = FLOOR.point_at_height(np.array(spot), high)
    assert point[2] == pytest.approx(high)
    assert FLOOR.project_points(point) == pytest.approx(spot, abs=0.001)
    assert LENS.project_points(point[None])[0] == pytest.approx(spot, abs=0.05)


def test_a_die_is_as_wide_as_its_distance_makes_it() -> None:
    """Straight below, a die of 16 mm is 16 times the scale wide; aslant, the nearer one is wider."""
    floor = CameraPose(256.0).floor_for_size((640, 480))
    assert floor.die_width_px(np.array([319.5, 239.5]), 16.0) == pytest.approx(40)
    assert FLOOR.die_width_px(np.array([320.0, 470.0]), 16.0) > FLOOR.die_width_px(np.array([320.0, 10.0]), 16.0)


def test_a_camera_looks_aslant() -> None:
    """What is straight below it is seen to the right of and below the picture's middle; the size of pictures does not
    matter."""
    place = CameraPose(256.0, right=0.1, down=0.2, view=50.0)
    for wide in (640, 1280):
        floor = place.floor_for_size((wide, wide * 3 // 4))
        assert floor.die_width_px((np.array(floor.size) - 1) / 2, 16.0) == pytest.approx(wide / 16)
        below = floor.project_points(np.array([*floor.eye[:2], 0.0])) - (np.array(floor.size) - 1) / 2
        assert below == pytest.approx([0.1 * floor.focal, 0.2 * floor.focal])
