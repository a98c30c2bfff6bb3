"""The camera over a drawn tray: where it looks, and where things appear."""

import numpy as np
import pytest

from vision.drawn.paint import Lens


@pytest.mark.parametrize("tilt", [0.0, 20.0, 50.0])
def test_rays_lead_where_spots_are(tilt: float) -> None:
    """The ray of the pixel where a point appears goes through that point."""
    lens = Lens((640, 480), 250, 430, tilt)
    for point in ((0, 0, 0), (60, 20, 0), (-80, -50, 12), (10, 70, 30)):
        x, y = lens.spot(*point)
        ray = lens.rays(np.array([x], np.float32), np.array([y], np.float32))[:, 0]
        way = np.array(point) - lens.eye
        assert np.cross(ray, way / np.linalg.norm(way)) == pytest.approx([0, 0, 0], abs=1e-4)
        assert np.linalg.norm(ray) == pytest.approx(1, abs=1e-5)


def test_from_straight_above_nothing_leans() -> None:
    """From straight above, the felt is true to scale and higher things are larger, around the picture's middle."""
    lens = Lens((640, 480), 250, 430)
    assert lens.spot(100, 50) == pytest.approx((319.5 + 256, 239.5 + 128), abs=0.01)
    assert lens.spot(100, 50, 43) == pytest.approx((319.5 + 256 / 0.9, 239.5 + 128 / 0.9), abs=0.01)
