"""A tray is kept whole or not at all, and what is damaged is refused in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn, tray_of
from vision.drift import Drift
from vision.sources import Locks
from vision.tray import Tray, TrayError, folder, forget, load, save


@pytest.fixture
def tray() -> Tray:
    return replace(tray_of(drawn().frame(0)), scale=2.5, focus=0.1, locks={"exposure": (157.0, 2.0), "focus": None})


def test_a_tray_is_kept_and_found_again(tray: Tray, tmp_path: Path) -> None:
    """All of it comes back; keeping it again leaves no rubbish."""
    for light in (60.0, 61.0):
        kept = replace(tray, light=light, empty=np.full_like(tray.empty, light))
        home = save(tmp_path, kept)
        found = load(tmp_path, "drawn", (640, 480))
        assert found is not None
        assert (found.camera, found.size, found.scale, found.focus) == ("drawn", (640, 480), 2.5, 0.1)
        assert (found.light, found.doubt, found.locks) == (light, None, tray.locks)
        assert found.outline.tolist() == tray.outline.tolist()
        assert np.array_equal(found.empty, kept.empty)
    assert home == folder(tmp_path, "drawn", (640, 480)) == tmp_path / "drawn-640x480"
    assert sorted(path.suffix for path in home.iterdir()) == [".json", ".png"]


def test_another_resolution_is_refused_in_words(tray: Tray, tmp_path: Path) -> None:
    """A calibration of another resolution is never used; another camera simply has none."""
    save(tmp_path, tray)
    with pytest.raises(TrayError, match=r"calibrated at 640x480 .* now gives 1280x960: calibrate again"):
        load(tmp_path, "drawn", (1280, 960))
    assert load(tmp_path, "/dev/video0", (640, 480)) is None
    assert load(tmp_path / "nowhere", "drawn", (640, 480)) is None
    with pytest.raises(TrayError, match="320x240"):
        tray.cover(np.zeros((240, 320, 3), np.uint8))
    with pytest.raises(TrayError, match="320x240"):
        Drift(tray).see(np.zeros((240, 320, 3), np.uint8), 0)


@pytest.mark.parametrize("spoil", ["json", "png", "lost", "swapped", "outline"])
def test_damage_is_refused_in_words(tray: Tray, tmp_path: Path, spoil: str) -> None:
    """Half a file, a lost one, or one of another calibration is not used."""
    home = save(tmp_path, tray)
    (png,) = home.glob("*.png")
    about = home / "tray.json"
    match spoil:
        case "json":
            about.write_bytes(about.read_bytes()[:40])
        case "png":
            png.write_bytes(png.read_bytes()[:-400])
        case "lost":
            png.unlink()
        case "swapped":
            png.write_bytes(cv2.imencode(".png", np.zeros((480, 640, 3), np.uint8))[1].tobytes())
        case "outline":
            about.write_text(about.read_text().replace('"outline": [', '"outline": [3, '))
    with pytest.raises(TrayError, match="damaged: calibrate again"):
        load(tmp_path, "drawn", (640, 480))


@pytest.mark.parametrize(
    "locks",
    [
        "[]",
        "3",
        '"exposure"',
        '{"exposure": 100.0}',
        '{"exposure": "12"}',
        '{"exposure": []}',
        '{"exposure": [100.0]}',
        '{"exposure": [100.0, Infinity]}',
        '{"exposure": [100.0, null]}',
        '{"white balance": [1.0, 2.0, 3.0]}',
        '{"zoom": [1.0]}',
    ],
)
def test_locks_that_no_camera_can_hold_are_damage(tray: Tray, tmp_path: Path, locks: str) -> None:
    """What was kept of the camera is looked at before a camera is told to hold it."""
    about = save(tmp_path, replace(tray, locks=None)) / "tray.json"
    about.write_text(about.read_text().replace('"locks": null', f'"locks": {locks}'))
    with pytest.raises(TrayError, match="damaged: calibrate again"):
        load(tmp_path, "drawn", (640, 480))


@pytest.mark.parametrize(
    "locks",
    [
        {},
        {"exposure": (157.0, -1.0), "white balance": (4600.0,), "focus": (30.0,)},
        {"exposure": (20000.0, 1.5), "white balance": (1.8, 1.4)},
        {"exposure": None, "white balance": None, "focus": None},
    ],
)
def test_what_cameras_hold_is_kept(tray: Tray, tmp_path: Path, locks: Locks) -> None:
    """A USB camera's values, a Pi camera's, and none."""
    save(tmp_path, replace(tray, locks=locks))
    found = load(tmp_path, "drawn", (640, 480))
    assert found is not None
    assert found.locks == locks


def test_a_cut_while_keeping_leaves_the_old_tray(tray: Tray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever write fails, what was kept before is still there, whole."""
    import os

    save(tmp_path, tray)
    whole = os.replace
    for fails in (1, 2):
        left = [fails]

        def replaced(old: Path, new: Path, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise OSError("cut")
            whole(old, new)

        monkeypatch.setattr(os, "replace", replaced)
        with pytest.raises(OSError, match="cut"):
            save(tmp_path, replace(tray, scale=9.0, empty=np.full_like(tray.empty, 7)))
        found = load(tmp_path, "drawn", (640, 480))
        assert found is not None
        assert found.scale == 2.5
        assert np.array_equal(found.empty, tray.empty)


def test_forgetting_is_of_one_camera(tray: Tray, tmp_path: Path) -> None:
    """All its resolutions go, and no other camera's."""
    for camera in ("/dev/video0", "/dev/video01", "picamera2"):
        save(tmp_path, replace(tray, camera=camera))
    assert forget(tmp_path, "/dev/video0") == 1
    assert forget(tmp_path, "/dev/video0") == 0
    assert load(tmp_path, "/dev/video01", (640, 480)) is not None
    assert load(tmp_path, "picamera2", (640, 480)) is not None
