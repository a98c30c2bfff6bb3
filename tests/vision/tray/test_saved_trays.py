"""A tray is stored completely or not at all, and a damaged file is refused with a reason."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.trays import calibrated, drawn, tray_of
from vision.cameras.frames import LockedSettings
from vision.dice.floor import CameraPose
from vision.tray.drift import DriftWatcher
from vision.tray.outline import Tray, TrayError
from vision.tray.saved_trays import delete_trays, load_tray, save_tray, tray_folder


@pytest.fixture
def tray() -> Tray:
    locks: LockedSettings = {"exposure": (157.0, 2.0), "focus": None}
    place, sizes = CameraPose(250.5, 0.01, -0.1, 62.5), {"d6": (15.9, 19.0), "d20": (20.3,)}
    return replace(calibrated(), scale=2.5, focus=0.1, locks=locks, place=place, tapped=True, sizes=sizes)


def test_a_tray_is_stored_and_loaded(tray: Tray, tmp_path: Path) -> None:
    """Everything comes back; storing it again leaves no leftovers."""
    for light in (60.0, 61.0):
        kept = replace(tray, light=light, empty=np.full_like(tray.empty, light))
        home = save_tray(tmp_path, kept)
        found = load_tray(tmp_path, "drawn", (640, 480))
        assert found is not None
        assert (found.camera, found.size, found.scale, found.focus) == ("drawn", (640, 480), 2.5, 0.1)
        assert (found.light, found.doubt, found.locks, found.place) == (light, None, tray.locks, tray.place)
        assert (found.tapped, found.sizes) == (True, tray.sizes)
        assert found.outline.tolist() == tray.outline.tolist()
        assert np.array_equal(found.empty, kept.empty)
    assert home == tray_folder(tmp_path, "drawn", (640, 480)) == tmp_path / "drawn-640x480"
    assert sorted(path.suffix for path in home.iterdir()) == [".json", ".png"]


def test_another_resolution_is_refused_in_words(tray: Tray, tmp_path: Path) -> None:
    """A calibration of another resolution is never used; another camera simply has none."""
    save_tray(tmp_path, tray)
    with pytest.raises(TrayError, match=r"calibrated at 640x480 .* now gives 1280x960: calibrate again"):
        load_tray(tmp_path, "drawn", (1280, 960))
    assert load_tray(tmp_path, "/dev/video0", (640, 480)) is None
    assert load_tray(tmp_path / "nowhere", "drawn", (640, 480)) is None
    with pytest.raises(TrayError, match="320x240"):
        tray.paint_surroundings(np.zeros((240, 320, 3), np.uint8))
    with pytest.raises(TrayError, match="320x240"):
        DriftWatcher(tray).process_frame(np.zeros((240, 320, 3), np.uint8), 0)


@pytest.mark.parametrize("spoil", ["json", "png", "lost", "swapped", "outline"])
def test_damage_is_refused_in_words(tray: Tray, tmp_path: Path, spoil: str) -> None:
    """Half a file, a missing one, or one from another calibration is not used."""
    home = save_tray(tmp_path, tray)
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
        load_tray(tmp_path, "drawn", (640, 480))


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
        '{"white balance": [1.0, 2.0]}',
        '{"zoom": [1.0]}',
    ],
)
def test_impossible_locks_are_damage(tray: Tray, tmp_path: Path, locks: str) -> None:
    """Stored locks are checked before a camera gets them."""
    about = save_tray(tmp_path, replace(tray, locks=None)) / "tray.json"
    about.write_text(about.read_text().replace('"locks": null', f'"locks": {locks}'))
    with pytest.raises(TrayError, match="damaged: calibrate again"):
        load_tray(tmp_path, "drawn", (640, 480))


@pytest.mark.parametrize(
    "place", ["[1]", '"here"', "[250.5, 0.1, 0.1, 500]", '[250.5, 0.1, "0", 60]', "[-1, 0, 0, 60]"]
)
def test_an_impossible_place_of_the_camera_is_damage(tray: Tray, tmp_path: Path, place: str) -> None:
    about = save_tray(tmp_path, replace(tray, place=None)) / "tray.json"
    found = load_tray(tmp_path, "drawn", (640, 480))
    assert found is not None
    assert found.place is None
    about.write_text(about.read_text().replace('"place": null', f'"place": {place}'))
    with pytest.raises(TrayError, match="damaged: calibrate again"):
        load_tray(tmp_path, "drawn", (640, 480))


@pytest.mark.parametrize(
    ("camera", "locks"),
    [
        ("drawn", {}),
        ("/dev/video0", {"exposure": (157.0, -1.0), "white balance": (4600.0,), "focus": (30.0,)}),
        ("picamera2", {"exposure": (20000.0, 1.5), "white balance": (1.8, 1.4)}),
        ("picamera2", {"exposure": None, "white balance": None, "focus": None}),
    ],
)
def test_camera_settings_are_stored(tray: Tray, tmp_path: Path, camera: str, locks: LockedSettings) -> None:
    """A USB camera's values, a Pi camera's, and none."""
    save_tray(tmp_path, replace(tray, camera=camera, locks=locks))
    found = load_tray(tmp_path, camera, (640, 480))
    assert found is not None
    assert found.locks == locks


def test_a_pi_camera_needs_both_gains(tray: Tray, tmp_path: Path) -> None:
    """A single white balance value belongs to a USB camera: the tray is refused before the camera gets it."""
    home = save_tray(tmp_path, replace(tray, camera="picamera2", locks={"white balance": (4600.0,)}))
    with pytest.raises(TrayError, match="damaged: calibrate again") as refused:
        load_tray(tmp_path, "picamera2", (640, 480))
    assert str(refused.value).startswith(f"The calibration in {home / 'tray.json'} is")
    assert "this camera cannot lock 'white balance' at [4600.0]" in str(refused.value)


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from(
        [0, -1, 1e-300, 1e300, 10**400, 2**31, 2**63, math.nan, math.inf, -math.inf, "", "640", "no-tray"]
    )
    | st.integers()
    | st.floats()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Return every place of a JSON value, as its container and key."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [spot for key in keys for spot in spots(value[key])]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    trays = tmp_path_factory.mktemp("trays")
    locks: LockedSettings = {"exposure": (157.0, 2.0), "white balance": (1.8, 1.4), "focus": None}
    small = tray_of(drawn(size=(160, 120)).render_frame(0))
    save_tray(trays, replace(small, camera="picamera2", scale=0.6, focus=0.1, locks=locks))
    return trays


def used_or_refused(trays: Path, data: bytes) -> None:
    """Check that these bytes give a usable tray, or are refused with the file's name and a reason."""
    file = trays / "picamera2-160x120" / "tray.json"
    whole = file.read_bytes()
    file.write_bytes(data)
    try:
        tray, words = load_tray(trays, "picamera2", (160, 120)), ""
    except TrayError as refused:
        tray, words = None, str(refused)
    finally:
        file.write_bytes(whole)
    if tray is None:
        begin = f"The calibration in {file} is damaged: calibrate again. ("
        assert words.startswith(begin)
        assert len(words) > len(begin) + 5
        return
    frame = drawn(size=(160, 120)).render_frame(0)
    assert DriftWatcher(tray).process_frame(tray.paint_surroundings(frame), 0.0) is None
    assert tray.scale is None or 100 / tray.scale > 0
    assert 0 <= tray.light <= 255
    for name, values in (tray.locks or {}).items():
        assert values is None or len(values) == {"exposure": 2, "white balance": 2, "focus": 1}[name]


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("size", [math.inf, 120], "it is from another camera or resolution"),
        ("camera", "drawn", "it is from another camera or resolution"),
        ("scale", 0, "its scale cannot be 0"),
        ("light", 300, "its light cannot be 300"),
        ("focus", "sharp", "its focus cannot be 'sharp'"),
        ("outline", [[0, 0], [159, 0], [159, 120]], "its outline extends beyond the picture"),
        ("outline", [[-1, 0], [159, 0], [159, 119]], "its outline extends beyond the picture"),
        ("outline", [[0, 0], [9, 0], [9, 9]], "its outline encloses no tray"),
        ("outline", [[0, 0, 0]], "its outline is not a list of corners"),
        ("doubt", "cocked", "there is no warning 'cocked'"),
        ("sizes", {"d7": [16]}, "its die sizes cannot be read"),
        ("sizes", {"d6": 16}, "its die sizes cannot be read"),
        ("sizes", {"d6": [160]}, "its size of a die cannot be 160"),
    ],
)
def test_faults_in_the_file_are_named(kept: Path, key: str, value: Any, why: str) -> None:
    file = kept / "picamera2-160x120" / "tray.json"
    whole = file.read_text()
    file.write_text(json.dumps(json.loads(whole) | {key: value}))
    with pytest.raises(TrayError, match=re.escape(f"{file} is damaged: calibrate again. ({why})")):
        load_tray(kept, "picamera2", (160, 120))
    file.write_text(whole)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.data())
def test_a_file_with_anything_in_it_is_used_or_refused(kept: Path, data: st.DataObject) -> None:
    """Whatever replaces a value, and whatever is missing, there is never an error without a message."""
    about = json.loads((kept / "picamera2-160x120" / "tray.json").read_text())
    holder, key = data.draw(st.sampled_from(spots(about)))
    if data.draw(st.integers(0, 4)) == 0:
        del holder[key]
    else:
        holder[key] = data.draw(ODD)
    used_or_refused(kept, json.dumps(about).encode())


@given(st.data())
def test_a_file_with_torn_bytes_is_used_or_refused(kept: Path, data: st.DataObject) -> None:
    whole = (kept / "picamera2-160x120" / "tray.json").read_bytes()
    begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    used_or_refused(kept, whole[:begin] + data.draw(st.binary(max_size=6)) + whole[end:])


@pytest.mark.parametrize("text", ["", "3", "[]", "null", "[" * 5000, '{"size": [Infinity]}', '{"size": "640x480"}'])
def test_a_file_that_is_not_a_tray_is_refused(kept: Path, text: str) -> None:
    """Empty, of another shape, or nested endlessly."""
    used_or_refused(kept, text.encode())


def test_an_interrupted_save_keeps_the_old_tray(tray: Tray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever write fails, the old tray is still complete."""
    import os

    save_tray(tmp_path, tray)
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
            save_tray(tmp_path, replace(tray, scale=9.0, empty=np.full_like(tray.empty, 7)))
        found = load_tray(tmp_path, "drawn", (640, 480))
        assert found is not None
        assert found.scale == 2.5
        assert np.array_equal(found.empty, tray.empty)


def test_only_one_camera_is_forgotten(tray: Tray, tmp_path: Path) -> None:
    for camera in ("/dev/video0", "/dev/video01", "picamera2"):
        save_tray(tmp_path, replace(tray, camera=camera))
    assert delete_trays(tmp_path, "/dev/video0") == 1
    assert delete_trays(tmp_path, "/dev/video0") == 0
    assert load_tray(tmp_path, "/dev/video01", (640, 480)) is not None
    assert load_tray(tmp_path, "picamera2", (640, 480)) is not None
