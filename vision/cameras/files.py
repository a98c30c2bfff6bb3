"""Frame sources that read files: videos, folders of images, and single images."""

import math
from pathlib import Path

import cv2
import numpy as np

from vision import MAX_IMAGE_PIXELS
from vision.cameras.frames import CameraError, Frame, Image, PictureError
from vision.cameras.opencv import eight_bit_picture, silence_opencv

# file name extensions of images
PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})
# file name extensions of videos, when a folder is searched
VIDEO_SUFFIXES = frozenset({".avi", ".mp4", ".mkv", ".mov", ".webm", ".m4v", ".mjpg", ".mjpeg"})

MAX_FILE_BYTES = 64 << 20
"""Maximum size of an image file, in bytes."""

TOO_LARGE_MESSAGE = f"has more than {MAX_IMAGE_PIXELS // 10**6} million pixels: make it smaller."


class VideoFile:
    """A video file as a frame source. `when` is the time in the video. Raises CameraError if the file is not a
    video."""

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
        """Return the next frame, or None after the last. Raises CameraError if no frame can be decoded."""
        with silence_opencv():
            good, picture = self._capture.read()
        if not good:
            if self._number < 0:
                raise CameraError(f"{self.name} is damaged: it has no picture that can be shown.")
            return None
        self._number += 1
        return Frame(eight_bit_picture(picture), self._number / self.fps, self._number, self.name)

    def close(self) -> None:
        self._capture.release()


class PictureFolder:
    """Images in a folder and its subfolders, sorted by path, at one frame per second. Other files are skipped. Raises
    CameraError if the folder is missing or has no images."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        if not Path(path).is_dir():
            raise CameraError(f"There is no folder {self.name}.")
        self.paths = find_pictures(Path(path))
        if not self.paths:
            raise CameraError(f"There are no pictures in the folder {self.name}.")
        self._number = -1

    def read_frame(self) -> Frame | None:
        """Return the next image, or None after the last. Reading may go on after the PictureError of a damaged one."""
        self._number += 1
        if self._number >= len(self.paths):
            return None
        path = self.paths[self._number]
        return Frame(load_picture(path), float(self._number), self._number, str(path))

    def close(self) -> None:
        """No-op: no file is held open."""


class PictureFile:
    """One image file as a single frame. Raises PictureError if it is missing, empty or damaged."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        self._frame: Frame | None = Frame(load_picture(Path(path)), 0.0, 0, self.name)

    def read_frame(self) -> Frame | None:
        """Return the image on the first call, then None."""
        frame, self._frame = self._frame, None
        return frame

    def close(self) -> None:
        """No-op: no file is held open."""


def is_picture_file(path: Path) -> bool:
    """True if `path` has an image extension or an image's magic bytes."""
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return True
    return path.is_file() and _is_utf8(str(path)) and bool(cv2.haveImageReader(str(path)))


def _is_utf8(name: str) -> bool:
    """OpenCV aborts the process on a file name that is not UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def find_pictures(folder: Path, endings: frozenset[str] = PICTURE_SUFFIXES) -> list[Path]:
    """Find image files in `folder` and below, sorted by path. Hidden files and folders are skipped."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def load_picture(path: Path) -> Image:
    """Load an image file as (height, width, 3) BGR bytes, rotated upright by its EXIF orientation. Gray, 16-bit and
    transparent images are converted. Raises PictureError, which names the file, if it is missing, empty, damaged or too
    large."""
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
    """Raise PictureError if the file doesn't exist or is empty."""
    try:
        if not path.exists():
            raise PictureError(f"There is no file {path}.")
        if not path.is_file():
            raise PictureError(f"{path} is not a file.")
        if path.stat().st_size == 0:
            raise PictureError(f"{path} is empty.")
    except PictureError:
        raise
    except OSError as error:  # for example, the path is too long or leads through an inaccessible folder
        raise PictureError(f"{path} cannot be read: {error.strerror}.") from error
