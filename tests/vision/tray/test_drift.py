"""A moved tray is distinguished from one hidden by dice, hands and shadows, and another lamp from a cloud."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision import photos
from tests.vision.tiers import first, rows
from tests.vision.trays import WHITE, Image, calibrated, drawn, empty, later, tray_of, warped
from vision.tray.drift import DriftWatcher
from vision.tray.outline import Tray


def verdict(tray: Tray, frame: Image, seconds: int = 6) -> str | None:
    """Return the verdict after some seconds of this picture."""
    drift = DriftWatcher(tray)
    assert drift.process_frame(tray.empty, 0) is None
    for second in (1, seconds):
        drift.process_frame(frame, second)
    return drift.doubt


TRAYS = pytest.mark.parametrize(
    ("felt", "rim"), rows((felt, rim) for felt in ("green", "black", "grey") for rim in (9.0, 25.0))
)


@TRAYS
def test_a_moved_tray_is_noticed(felt: str, rim: float) -> None:
    """A shift of 2 to 5 % of the width in any direction is reported; 1 % or less is harmless and is not."""
    tray, now = calibrated(felt, rim), later(felt, rim)
    for far in (0.005, 0.01, 0.02, 0.03, 0.04, 0.05):
        for right, down in ((far, 0), (0, far), (-far * 0.75, far * 0.75)):
            assert verdict(tray, warped(now, right, down)) == ("moved-tray" if far > 0.015 else None), (right, down)


@TRAYS
def test_a_turned_or_tilted_tray_is_noticed(felt: str, rim: float) -> None:
    """A turn in place by 3 degrees or more is reported, as is a tray with something under one side once its edge is
    elsewhere in the picture; a turn by one degree or a tilt by four is harmless and is not.
    """
    tray, now = calibrated(felt, rim), later(felt, rim)
    for turn in (-3, -1, 1, 3, 5):
        assert verdict(tray, warped(now, turn=turn)) == ("moved-tray" if abs(turn) > 1 else None), turn
    for back in (True, False):
        for degrees in (-15, -4, 4, 15):
            doubt = "moved-tray" if abs(degrees) > 4 else None
            assert verdict(tray, tilted(now, degrees, back)) == doubt, (degrees, back)


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


def test_a_camera_that_sank_or_rose_is_noticed() -> None:
    for zoom in (0.94, 0.97, 1.03, 1.06):
        assert verdict(calibrated(), warped(later(), zoom=zoom)) == "moved-tray", zoom


def test_things_on_one_or_two_corners_are_not_a_turn() -> None:
    """A thing with an edge like the tray's misleads its corner only; two others agree."""
    for across, along in ((0, 0), (1, 0), (0, 1), (1, 1)):
        picture = later().copy()
        part = np.s_[240 * along : 240 * along + 240, 320 * across : 320 * across + 320]
        picture[part] = warped(later(), 0.03, 0.03)[part]
        assert verdict(calibrated(), picture) is None, (across, along)
    # Two misled corners, each wrong in its own way, leave two that agree.
    picture = later("green", 25).copy()
    for half, down in ((np.s_[:240, :320], 0.014), (np.s_[240:, 320:], -0.014)):
        picture[half] = warped(later("green", 25), 0.014, down)[half]
    assert verdict(calibrated("green", 25), picture) is None


@pytest.mark.slow
def test_a_large_frame_is_watched_by_a_small_picture() -> None:
    """The empty picture is stored smaller than the camera's frames."""
    frame = drawn(size=(1280, 960)).render_frame(0)
    less = cv2.resize(frame, (640, 480), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    drift = DriftWatcher(replace(tray_of(frame), empty=less), hold=1)
    assert [drift.process_frame(frame, 0), drift.process_frame(frame, 2)] == [None, None]
    moved = warped(frame, 0.03)
    assert [drift.process_frame(moved, 3), drift.process_frame(moved, 5)] == [None, "moved-tray"]


@pytest.mark.parametrize("felt", first(["green", "black", "grey"]))
def test_dice_hands_and_shadows_are_not_drift(felt: str) -> None:
    """Many dice, dice at the wall, a hand that stays, a shadow over most of the tray: no movement, same lamp."""
    scene = drawn(felt)
    tray = calibrated(felt)
    scene.throw_dice(1, [WHITE] * 8)
    assert verdict(tray, scene.render_frame(9)) is None
    for _ in range(4):
        scene.place_cocked_die(10)
    assert verdict(tray, scene.render_frame(10)) is None
    scene.clear_tray()
    scene.show_hand(11, 9)
    assert verdict(tray, scene.render_frame(14)) is None
    shadow = later(felt).copy()
    shadow[:, :430] = shadow[:, :430] // 2
    assert verdict(tray, shadow) is None


@pytest.mark.parametrize("felt", first(["green", "red", "grey"]))
def test_changed_light_is_noticed(felt: str) -> None:
    """Half the light, or much more, is reported; a cloud's effect is not. A gray felt cannot get much lighter."""
    scene = drawn(felt)
    for scene.light in (0.4, 0.8, 1.2, 1.65)[: 3 if felt == "grey" else 4]:
        doubt = None if 0.5 < scene.light < 1.5 else "light"
        assert verdict(calibrated(felt), scene.render_frame(1)) == doubt, scene.light


@pytest.mark.parametrize(("gains", "doubt"), [((1.3, 1, 0.85), "light"), ((1.04, 1, 0.97), None)])
def test_another_color_of_light_is_noticed(gains: tuple[float, float, float], doubt: str | None) -> None:
    """A lamp of another color is reported; slight warmth is not."""
    lit = np.clip(later("grey") * np.array(gains) * 0.9, 0, 255).astype(np.uint8)
    assert verdict(calibrated("grey"), lit) == doubt


def test_drift_must_last_and_can_be_corrected() -> None:
    """A moment is not drift; a lasting change is reported, and withdrawn once corrected."""
    well, moved = later(), warped(later(), 0.04)
    drift = DriftWatcher(calibrated(), hold=3)
    told = [drift.process_frame(moved if 2 <= second < 4 else well, second) for second in range(8)]
    assert told == [None] * 8
    told = [drift.process_frame(moved, second) for second in range(8, 13)]
    assert told == [None, None, None, "moved-tray", "moved-tray"]
    told = [drift.process_frame(well, second) for second in range(13, 18)]
    assert told == ["moved-tray"] * 3 + [None, None]


def test_edges_and_colors_out_of_sight() -> None:
    # Out of reach it cannot be tracked: the report takes longer. In the dark it is the light.
    tray, away = calibrated("green", 25), warped(later("green", 25), 0.16, 0.1)
    assert verdict(tray, away, 6) is None
    assert verdict(tray, away, 14) == "moved-tray"
    assert verdict(tray, np.full_like(away, 3), 14) == "light"
    # Without edges only the light is watched.
    assert calibrated("green", 0).is_full_frame
    assert verdict(calibrated("green", 0), later("green", 0)) is None
    # Gray frames are watched too.
    grey = cv2.cvtColor(empty(), cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    tray = tray_of(grey)
    assert verdict(tray, warped(grey, 0.04)) == "moved-tray"
    assert verdict(tray, cv2.convertScaleAbs(grey, alpha=0.4).astype(np.uint8, copy=False)) == "light"


@photos.needed
@pytest.mark.slow
def test_a_real_tray_with_other_dice_has_not_moved() -> None:
    """Pictures of the round tray, each with its dice, agree on where it is; a shifted one does not."""
    paths = list(photos.measured("kingjacker"))
    tray = tray_of(photos.picture(paths[0], 640))
    for path in paths[1:]:
        picture = photos.picture(path, 640)
        assert verdict(tray, picture) is None
        assert verdict(tray, warped(picture, 0.03, 0.01)) == "moved-tray"
