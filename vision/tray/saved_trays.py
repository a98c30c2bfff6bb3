"""Load and save tray calibrations. Files are replaced atomically, and damaged ones are rejected with advice."""

import json
import os
import re
import shutil
import zlib
from pathlib import Path
from typing import Any, TypeGuard

import cv2
import numpy as np

from vision.cameras.frames import PI_CAMERA_NAME, LockedSettings
from vision.dice.floor import CameraPose
from vision.dice.sizes import USUAL_SIZES_MM, KnownSizes
from vision.tray.outline import Outline, Tray, TrayError, wrong_size_message

# Number of locked values by camera setting. White balance is a temperature, except for a Pi camera (`PI_GAIN_COUNT`).
LOCKED_VALUE_COUNTS = {"exposure": 2, "white balance": 1, "focus": 1}
# bounds of each field of a camera pose
CAMERA_POSE_BOUNDS = {
    "width": (10.0, 10000.0),
    "slant to the right": (-3.0, 3.0),
    "slant down": (-3.0, 3.0),
    "view": (5.0, 160.0),
}
PI_GAIN_COUNT = 2  # the red and the blue gain of a Pi camera


def tray_folder(trays: Path, camera: str, size: tuple[int, int]) -> Path:
    return trays / f"{_camera_folder_name(camera)}-{size[0]}x{size[1]}"


def save_tray(trays: Path, tray: Tray) -> Path:
    """Save the calibration and return its folder. A power cut leaves either the old or the new one. Raises OSError."""
    home = tray_folder(trays, tray.camera, tray.size)
    for made in (one for one in (trays.parent, trays, home) if not one.exists()):
        made.mkdir(parents=True, exist_ok=True)
        _sync_folder(made.parent)
    _, png = cv2.imencode(".png", tray.empty)
    data = png.tobytes()
    picture = f"empty-{zlib.crc32(data):08x}.png"
    _replace_file(home / picture, data)
    about = {
        "camera": tray.camera,
        "size": list(tray.size),
        "outline": tray.outline.tolist(),
        "empty": picture,
        "light": tray.light,
        "scale": tray.scale,
        "focus": tray.focus,
        "doubt": tray.doubt,
        "locks": tray.locks,
        "place": tray.place,
        "tapped": tray.tapped,
        "sizes": tray.sizes,
    }
    _replace_file(home / "tray.json", json.dumps(about, indent=1).encode())
    for old in home.glob("empty-*"):
        if old.name != picture:
            old.unlink(missing_ok=True)
    return home


def load_tray(trays: Path, camera: str, size: tuple[int, int]) -> Tray | None:
    """Load the calibration of this camera and resolution, or return None if this camera has none. Raises TrayError if
    there is only one for another resolution, or if the file is damaged. The message names the file and the fault."""
    home = tray_folder(trays, camera, size)
    if not (home / "tray.json").is_file():
        for other in sorted(trays.glob(f"{_camera_folder_name(camera)}-*x*/tray.json")):
            if found := re.fullmatch(re.escape(_camera_folder_name(camera)) + r"-([0-9]+)x([0-9]+)", other.parent.name):
                raise TrayError(wrong_size_message((int(found[1]), int(found[2])), size))
        return None
    try:
        return _parse_tray(home, camera, size)
    except (OSError, ValueError, KeyError, RecursionError, cv2.error) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else error
        raise TrayError(f"The calibration in {home / 'tray.json'} is damaged: calibrate again. ({why})") from error


def delete_trays(trays: Path, camera: str) -> int:
    """Delete the calibrations of this camera at every resolution and return their number."""
    ours = re.compile(re.escape(_camera_folder_name(camera)) + r"-[0-9]+x[0-9]+")
    homes = [one for one in trays.glob("*") if ours.fullmatch(one.name)]
    for home in homes:
        shutil.rmtree(home)
    return len(homes)


def _parse_tray(home: Path, camera: str, size: tuple[int, int]) -> Tray:
    about = json.loads((home / "tray.json").read_bytes())
    if not isinstance(about, dict):
        raise ValueError("it contains no tray")
    if (about["camera"], about["size"]) != (camera, list(size)):
        raise ValueError("it is from another camera or resolution")
    name = str(about["empty"])
    data = (home / Path(name).name).read_bytes()
    if name != f"empty-{zlib.crc32(data):08x}.png":
        raise ValueError(f"{name} has changed since it was saved")
    empty = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if empty is None:
        raise ValueError(f"{name} is not a picture")
    if about["doubt"] not in (None, "no-tray"):
        raise ValueError(f"there is no warning {about['doubt']!r:.40}")
    return Tray(
        camera,
        size,
        _parse_outline(about["outline"], size),
        empty.astype(np.uint8, copy=False),
        _parse_number("light", about["light"], 0, 255),
        None if about["scale"] is None else _parse_number("scale", about["scale"], 0.01, 1000),
        None if about["focus"] is None else _parse_number("focus", about["focus"], 0, 1000),
        about["doubt"],
        _parse_locked_settings(about.get("locks"), camera),
        _parse_camera_pose(about.get("place")),
        about.get("tapped") is True,
        _parse_sizes(about.get("sizes", {})),
    )


def _parse_number(what: str, value: object, low: float, high: float) -> float:
    if not (_is_number(value) and low <= value <= high):
        raise ValueError(f"its {what} cannot be {value!r:.40}")
    return float(value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9


def _parse_outline(corners: Any, size: tuple[int, int]) -> Outline:
    outline = np.array(corners)
    if outline.dtype.kind != "i" or outline.ndim != 2 or outline.shape[1] != 2:
        raise ValueError("its outline is not a list of corners")
    if (outline < 0).any() or (outline >= size).any():
        raise ValueError("its outline extends beyond the picture")
    outline = outline.astype(np.int32)
    if cv2.contourArea(outline) < 0.01 * size[0] * size[1]:
        raise ValueError("its outline encloses no tray")
    return outline


def _parse_locked_settings(kept: Any, camera: str) -> LockedSettings | None:
    if kept is None:
        return None
    if not isinstance(kept, dict):
        raise ValueError("its locked camera settings cannot be read")
    held = LOCKED_VALUE_COUNTS | ({"white balance": PI_GAIN_COUNT} if camera == PI_CAMERA_NAME else {})
    for name, values in kept.items():
        known = values is None or (isinstance(values, list) and len(values) == held.get(name))
        if not known or not all(map(_is_number, values or ())):
            raise ValueError(f"this camera cannot lock {name!r:.40} at {values!r:.40}")
    return {name: None if values is None else tuple(map(float, values)) for name, values in kept.items()}


def _parse_camera_pose(kept: Any) -> CameraPose | None:
    if kept is None:
        return None
    if not isinstance(kept, list) or len(kept) != len(CAMERA_POSE_BOUNDS):
        raise ValueError("its camera position cannot be read")
    return CameraPose(
        *(
            _parse_number(what, one, *CAMERA_POSE_BOUNDS[what])
            for what, one in zip(CAMERA_POSE_BOUNDS, kept, strict=True)
        )
    )


def _parse_sizes(kept: Any) -> KnownSizes:
    if not isinstance(kept, dict) or not all(
        shape in USUAL_SIZES_MM and isinstance(some, list) for shape, some in kept.items()
    ):
        raise ValueError("its die sizes cannot be read")
    return {shape: tuple(_parse_number("size of a die", one, 5, 60) for one in some) for shape, some in kept.items()}


def _camera_folder_name(camera: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", camera.lower()).strip("-")[-60:] or "camera"


def _replace_file(path: Path, data: bytes) -> None:
    """Replace a file atomically and durably."""
    new = path.with_name(f".{path.name}.new")
    with new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    _sync_folder(path.parent)


def _sync_folder(home: Path) -> None:
    handle = os.open(home, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
