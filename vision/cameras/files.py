"""Sources of frames from files: videos, folders of pictures, and single pictures."""

import math
from pathlib import Path

import cv2
import numpy as np

from vision import MAX_IMAGE_PIXELS
from vision.cameras.frames import CameraError, Frame, Image, PictureError
from vision.cameras.opencv import eight_bit_picture, silence_opencv

# File name endings that mean a picture.
PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})
# File name endings that mean a video, when a folder is searched.
VIDEO_SUFFIXES = frozenset({".avi", ".mp4", ".mkv", ".mov", ".webm", ".m4v", ".mjpg", ".mjpeg"})

MAX_FILE_BYTES = 64 << 20
"""Bytes that a picture's file may have."""

TOO_LARGE_MESSAGE = f"has more than {MAX_IMAGE_PIXELS // 10**6} million pixels: make it smaller."


class VideoFile:
    """The frames of a video file; `when` is the time in it. Raises CameraError for a file that is not a video."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        _validate_file(Path(path))
        if not _is_utf8(self.name):
            raise CameraError(f"The name of {self.name} is not UTF-8: rename it.")
        with silence_opencv():
            self._capture = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise CameraError(f"{self.name} is damaged, or not a picture or video.")
        if (
            self._capture.get(cv2.CAP_PROP_FRAME_WIDTH) * self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
            > MAX_IMAGE_PIXELS
        ):
            self.close()
            raise CameraError(f"{self.name} {TOO_LARGE_MESSAGE}")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = rate if math.isfinite(rate) and 0 < rate <= 1000 else 30.0
        self._number = -1

    def read_frame(self) -> Frame | None:
        """Return the next frame, or None after the last. Raises CameraError when not a single frame can be decoded."""
        with silence_opencv():
            good, picture = self._capture.read()
        if not good:
            if self._number < 0:
                raise CameraError(f"{self.name} is damaged: it has no picture that can be shown.")
            return None
        self._number += 1
        return Frame(eight_bit_picture(picture), self._number / self.fps, self._number, self.name)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class PictureFolder:
    """Pictures in a folder and its subfolders, sorted by path. Each counts as one second. Other files are skipped.
    Raises CameraError for a folder that is missing or holds no pictures."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        if not Path(path).is_dir():
            raise CameraError(f"There is no folder {self.name}.")
        self.paths = find_pictures(Path(path))
        if not self.paths:
            raise CameraError(f"There are no pictures in the folder {self.name}.")
        self._number = -1

    def read_frame(self) -> Frame | None:
        """Return the next picture, None after the last. After a PictureError for a damaged one, reading may go on."""
        self._number += 1
        if self._number >= len(self.paths):
            return None
        path = self.paths[self._number]
        return Frame(load_picture(path), float(self._number), self._number, str(path))

    def close(self) -> None:
        """Do nothing: no file is held open."""


class PictureFile:
    """One picture file, shown once. Raises PictureError when it is missing, empty or damaged."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        self._frame: Frame | None = Frame(load_picture(Path(path)), 0.0, 0, self.name)

    def read_frame(self) -> Frame | None:
        """Return the picture, then None."""
        frame, self._frame = self._frame, None
        return frame

    def close(self) -> None:
        """Do nothing: no file is held open."""


def is_picture_file(path: Path) -> bool:
    """True if `path` has a picture's ending, or its first bytes are those of a picture."""
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return True
    return path.is_file() and _is_utf8(str(path)) and bool(cv2.haveImageReader(str(path)))


def _is_utf8(name: str) -> bool:
    """True if OpenCV can be given this name: one with other bytes ends the whole program."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def find_pictures(folder: Path, endings: frozenset[str] = PICTURE_SUFFIXES) -> list[Path]:
    """Return the picture files in `folder` and below, sorted by path. Names that begin with a dot are skipped."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def load_picture(path: Path) -> Image:
    """Return the picture file as (height, width, 3) blue, green, red bytes, upright as the camera was held. Gray,
    16-bit and transparent pictures are converted to the same form. Raises PictureError, which names the file, when it
    is missing, empty, damaged or too large."""
    _validate_file(path)
    if path.stat().st_size > MAX_FILE_BYTES:
        raise PictureError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB: make it smaller.")
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror}.") from error
    with silence_opencv():
        try:
            found = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
        except cv2.error as error:
            if "MAX_IMAGE_PIXELS" in error.err:
                raise PictureError(f"{path} {TOO_LARGE_MESSAGE}") from error
            raise PictureError(f"{path} is not a picture that can be opened.") from error
    if found is None:
        raise PictureError(f"{path} is damaged, or not a picture.")
    return eight_bit_picture(found)


def _validate_file(path: Path) -> None:
    """Raise PictureError unless the file exists and is not empty."""
    try:
        if not path.exists():
            raise PictureError(f"There is no file {path}.")
        if not path.is_file():
            raise PictureError(f"{path} is not a file.")
        if path.stat().st_size == 0:
            raise PictureError(f"{path} is empty.")
    except PictureError:
        raise
    except OSError as error:  # its path is too long, say, or leads through a folder of others
        raise PictureError(f"{path} cannot be read: {error.strerror}.") from error
