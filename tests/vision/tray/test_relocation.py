"""A tray that moved in the picture is found again by its earlier picture, if nothing lies in it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.trays import WHITE, Image, calibrated, drawn, empty, later, warped
from vision.tray.outline import Tray, TrayError
from vision.tray.relocation import find_moved_tray


def off(tray: Tray, found: Tray, **way: float) -> float:
    """Return how far the outline that was found is from where it was moved to, in pixels."""
    line = np.full((*tray.size[::-1], 3), 255, np.uint8)
    cv2.polylines(line, [tray.outline], True, (0, 0, 0), 2)
    away = cv2.distanceTransform((warped(line, **way).min(axis=2) > 128).astype(np.uint8), cv2.DIST_L2, 5)
    return float(max(away[y, x] for x, y in found.outline))


@pytest.mark.parametrize("felt", ["green", "black"])
@pytest.mark.parametrize(
    "way", [{"right": 0.02}, {"right": -0.05, "down": 0.03}, {"turn": 4.0}, {"down": 0.04, "turn": -3.0, "zoom": 0.97}]
)
def test_a_tray_that_moved_is_found(felt: str, way: dict[str, float]) -> None:
    tray, picture = calibrated(felt, 25.0), warped(later(felt, 25.0), **way)
    found = find_moved_tray(tray, picture)
    assert found is not None
    assert off(tray, found, **way) < 2.5
    assert np.array_equal(found.empty, picture)


@pytest.mark.parametrize("light", [0.75, 1.25])
def test_another_light_does_not_matter(light: float) -> None:
    """A lamp that was bumped too does not hide where the tray is."""
    picture = np.clip(warped(later("green", 25.0), 0.03) * light, 0, 255).astype(np.uint8)
    found = find_moved_tray(calibrated("green", 25.0), picture)
    assert found is not None
    assert off(calibrated("green", 25.0), found, right=0.03) < 2.5


def test_a_camera_of_any_size_will_do() -> None:
    """The empty tray is kept smaller than a large picture."""
    way, tray = {"right": 0.03, "turn": 2.0}, calibrated("green", 25.0)
    large, picture = (cv2.resize(one, (1280, 960)) for one in (tray.empty, warped(later("green", 25.0), **way)))
    tray = replace(
        tray, size=(1280, 960), outline=tray.outline * 2, empty=cv2.resize(large, (640, 480)).astype(np.uint8)
    )
    found = find_moved_tray(tray, picture.astype(np.uint8))
    assert found is not None
    assert found.empty.shape == tray.empty.shape
    assert off(tray, found, **way) < 5


def with_a_die() -> Image:
    scene = drawn("green", rim=25.0)
    scene.render_frame(0)
    scene.place_die(0, WHITE, 3, 5, 5)
    return warped(scene.render_frame(1), 0.03)


@pytest.mark.parametrize(
    ("what", "picture"),
    [
        ("a die lies in it", with_a_die()),
        ("it left the picture", warped(later("green", 25.0), 0.15)),
        ("another tray stands there", empty("grey", 9.0)),
        ("it is dark", np.zeros((480, 640, 3), np.uint8)),
    ],
)
def test_a_tray_is_not_found_where(what: str, picture: Image) -> None:
    assert find_moved_tray(calibrated("green", 25.0), picture) is None, what


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(TrayError):
        find_moved_tray(calibrated("green", 25.0), np.zeros((240, 320, 3), np.uint8))
