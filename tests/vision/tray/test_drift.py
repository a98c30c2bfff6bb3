"""A moved tray is distinguished from one hidden by dice, hands and shadows, and another lamp from a cloud."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision import photos
from tests.vision.trays import WHITE, Image, drawn, tray_of, warped
from vision.tray.drift import Drift
from vision.tray.outline import Tray

pytestmark = pytest.mark.slow


def verdict(tray: Tray, frame: Image, seconds: int = 6) -> str | None:
    """Return the verdict after some seconds of this picture."""
    drift = Drift(tray)
    assert drift.update(tray.empty, 0) is None
    for second in range(1, seconds + 1):
        drift.update(frame, second)
    return drift.doubt


@pytest.mark.parametrize("felt", ["green", "black", "grey"])
@pytest.mark.parametrize("rim", [9.0, 25.0])
@pytest.mark.parametrize("far", [0.005, 0.01, 0.02, 0.03, 0.04, 0.05])
def test_a_moved_tray_is_noticed(felt: str, rim: float, far: float) -> None:
    """A shift of 2 to 5 % of the width in any direction is reported; 1 % or less is harmless and is not."""
    tray = tray_of(drawn(felt, rim=rim).frame(0))
    for right, down in ((far, 0), (0, far), (-far * 0.75, far * 0.75)):
        moved = warped(drawn(felt, rim=rim).frame(1), right, down)
        assert verdict(tray, moved) == ("moved-tray" if far > 0.015 else None), (right, down)


def test_a_large_frame_is_watched_by_a_small_picture() -> None:
    """The empty picture is stored smaller than the camera's frames."""
    frame = drawn(size=(1280, 960)).frame(0)
    less = cv2.resize(frame, (640, 480), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    drift = Drift(replace(tray_of(frame), empty=less), hold=1)
    assert [drift.update(frame, 0), drift.update(frame, 2)] == [None, None]
    moved = warped(frame, 0.03)
    assert [drift.update(moved, 3), drift.update(moved, 5)] == [None, "moved-tray"]


@pytest.mark.parametrize("felt", ["green", "black", "grey"])
@pytest.mark.parametrize("rim", [9.0, 25.0])
@pytest.mark.parametrize("turn", [-3, -1, 1, 3, 5])
def test_a_turned_tray_is_noticed(felt: str, rim: float, turn: int) -> None:
    """A turn in place by 3 degrees or more is reported; one degree is harmless and is not."""
    tray = tray_of(drawn(felt, rim=rim).frame(0))
    moved = warped(drawn(felt, rim=rim).frame(1), turn=turn)
    assert verdict(tray, moved) == ("moved-tray" if abs(turn) > 1 else None)


def tilted(picture: Image, degrees: float, back: bool) -> Image:
    """Return the picture of a tray lifted at one side, under a camera 1.1 widths away."""
    tall, wide = picture.shape[:2]
    corners = np.array([(-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)]) / 2
    across, along = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    lifted = corners * ((1, across) if back else (across, 1))
    nearer = 1 + corners[:, int(back)] * along / (1.1 * wide)
    middle = np.array([wide, tall]) / 2
    seen = (lifted / nearer[:, None] + middle).astype(np.float32)
    way = cv2.getPerspectiveTransform((corners + middle).astype(np.float32), seen)
    return cv2.warpPerspective(picture, way, (wide, tall), borderMode=cv2.BORDER_REFLECT).astype(np.uint8, copy=False)


@pytest.mark.parametrize("felt", ["green", "black", "grey"])
@pytest.mark.parametrize("rim", [9.0, 25.0])
@pytest.mark.parametrize("back", [True, False])
@pytest.mark.parametrize(("degrees", "doubt"), [(-15, "moved-tray"), (-4, None), (4, None), (15, "moved-tray")])
def test_a_tilted_tray_is_noticed(felt: str, rim: float, back: bool, degrees: float, doubt: str | None) -> None:
    """A tray with something under one side is reported once its edge is elsewhere in the picture, and not before."""
    tray = tray_of(drawn(felt, rim=rim).frame(0))
    assert verdict(tray, tilted(drawn(felt, rim=rim).frame(1), degrees, back)) == doubt


@pytest.mark.parametrize("corner", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_a_thing_on_one_corner_is_not_a_turn(corner: tuple[int, int]) -> None:
    """A thing on one corner with an edge like the tray's misleads that corner only; two others agree."""
    tray = tray_of(drawn().frame(0))
    picture = drawn().frame(1)
    whole = warped(picture, 0.03, 0.03)
    part = np.s_[240 * corner[1] : 240 * corner[1] + 240, 320 * corner[0] : 320 * corner[0] + 320]
    picture[part] = whole[part]
    assert verdict(tray, picture) is None


def test_things_on_two_corners_are_not_a_turn() -> None:
    """Two misled corners, each wrong in its own way, leave two that agree."""
    tray = tray_of(drawn(rim=25).frame(0))
    picture = drawn(rim=25).frame(1)
    for part, down in ((np.s_[:240, :320], 0.014), (np.s_[240:, 320:], -0.014)):
        picture[part] = warped(drawn(rim=25).frame(1), 0.014, down)[part]
    assert verdict(tray, picture) is None


@pytest.mark.parametrize("zoom", [0.94, 0.97, 1.03, 1.06])
def test_a_camera_that_sank_is_noticed(zoom: float) -> None:
    tray = tray_of(drawn().frame(0))
    assert verdict(tray, warped(drawn().frame(1), zoom=zoom)) == "moved-tray"


@pytest.mark.parametrize("felt", ["green", "black", "grey"])
def test_dice_hands_and_shadows_are_not_drift(felt: str) -> None:
    """Many dice, dice at the wall, a hand that stays, a shadow over most of the tray: no movement, same lamp."""
    scene = drawn(felt)
    tray = tray_of(scene.frame(0))
    scene.throw(1, [WHITE] * 8)
    assert verdict(tray, scene.frame(9)) is None
    for _ in range(4):
        scene.cock(10)
    assert verdict(tray, scene.frame(10)) is None
    scene.clear()
    scene.hand(11, 9)
    assert verdict(tray, scene.frame(14)) is None
    shadow = drawn(felt).frame(1)
    shadow[:, :430] = shadow[:, :430] // 2
    assert verdict(tray, shadow) is None


def lit(felt: str, light: float) -> Image:
    scene = drawn(felt)
    scene.light = light
    return scene.frame(1)


@pytest.mark.parametrize("felt", ["green", "red", "grey"])
@pytest.mark.parametrize(("light", "doubt"), [(0.4, "light"), (0.8, None), (1.2, None), (1.65, "light")])
def test_changed_light_is_noticed(felt: str, light: float, doubt: str | None) -> None:
    """Half the light, or much more, is reported; a cloud's effect is not."""
    if felt == "grey" and light > 1.5:
        pytest.skip("a grey felt cannot get much lighter than white")
    assert verdict(tray_of(lit(felt, 1.0)), lit(felt, light)) == doubt


@pytest.mark.parametrize(("gains", "doubt"), [((1.3, 1, 0.85), "light"), ((1.04, 1, 0.97), None)])
def test_another_color_of_light_is_noticed(gains: tuple[float, float, float], doubt: str | None) -> None:
    """A lamp of another color is reported; slight warmth is not."""
    picture = drawn("grey").frame(1)
    tray = tray_of(drawn("grey").frame(0))
    assert verdict(tray, np.clip(picture * np.array(gains) * 0.9, 0, 255).astype(np.uint8)) == doubt


def test_drift_must_last_and_can_be_corrected() -> None:
    """A moment is not drift; a lasting change is reported, and withdrawn once corrected."""
    tray = tray_of(drawn().frame(0))
    well, moved = drawn().frame(1), warped(drawn().frame(1), 0.04)
    drift = Drift(tray, hold=3)
    told = [drift.update(moved if 2 <= second < 4 else well, second) for second in range(8)]
    assert told == [None] * 8
    told = [drift.update(moved, second) for second in range(8, 13)]
    assert told == [None, None, None, "moved-tray", "moved-tray"]
    told = [drift.update(well, second) for second in range(13, 18)]
    assert told == ["moved-tray"] * 3 + [None, None]


def test_edges_and_colors_out_of_sight() -> None:
    # Out of reach it cannot be tracked: the report takes longer. In the dark it is the light.
    tray = tray_of(drawn(rim=25).frame(0))
    away = warped(drawn(rim=25).frame(1), 0.16, 0.1)
    assert verdict(tray, away, 6) is None
    assert verdict(tray, away, 14) == "moved-tray"
    assert verdict(tray, np.full_like(away, 3), 14) == "light"
    # Without edges only the light is watched.
    tray = tray_of(drawn(rim=0).frame(0))
    assert tray.whole
    assert verdict(tray, drawn(rim=0).frame(1)) is None
    # Gray frames are watched too.
    grey = cv2.cvtColor(drawn().frame(0), cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    tray = tray_of(grey)
    assert verdict(tray, warped(grey, 0.04)) == "moved-tray"
    assert verdict(tray, cv2.convertScaleAbs(grey, alpha=0.4).astype(np.uint8, copy=False)) == "light"


@photos.needed
def test_a_real_tray_with_other_dice_has_not_moved() -> None:
    """Pictures of the round tray, each with its dice, agree on where it is; a shifted one does not."""
    paths = list(photos.measured("kingjacker"))
    tray = tray_of(photos.picture(paths[0], 640))
    for path in paths[1:]:
        picture = photos.picture(path, 640)
        assert verdict(tray, picture) is None
        assert verdict(tray, warped(picture, 0.03, 0.01)) == "moved-tray"
