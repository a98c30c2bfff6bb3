"""Frames, wherever they come from: a Pi camera, a USB camera, a video, a folder, a picture, or drawn by us."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
from cv2.typing import MatLike
from cv2.utils import logging
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Clock = Callable[[], float]

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})
"""Endings of the files that are taken for pictures."""

FILMS = frozenset({".avi", ".mp4", ".mkv", ".mov", ".webm", ".m4v", ".mjpg", ".mjpeg"})
"""Endings of the files that are taken for videos when a folder is searched."""

WARM_UP = 2.0
"""Seconds a camera may adjust exposure, white balance and focus before they are locked."""

Locks = dict[str, tuple[float, ...] | None]
"""What a camera was told to hold, "exposure", "white balance" or "focus": at which values, None where it will not."""


class CameraError(OSError):
    """A camera, video or picture cannot be opened or stopped answering; the message is a sentence for a person."""


class PictureError(CameraError):
    """A picture file is missing, empty or damaged; the message names it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the tray.

    `picture` is what the watcher looks at: (height, width, 3) blue, green, red bytes, or (height, width) grey from
    cameras that give it for less. `when` is in seconds, growing; `number` counts from 0; `name` says where from.
    """

    picture: Image
    when: float
    number: int
    name: str
    _full: Callable[[], Image] | None = None

    def full(self) -> Image:
        """The picture to be read, in colour and full size. Ask before the next frame is read: it may be gone then."""
        return self.picture if self._full is None else self._full()


class Source(Protocol):
    """Where frames come from."""

    def read(self) -> Frame | None:
        """The next frame, or None after the last. Raises CameraError when there should be one and is not."""

    def close(self) -> None:
        """Let go of the device or file. May be called twice."""


@runtime_checkable
class Locking(Protocol):
    """A source that adjusts itself to the light and then holds what it found: a hand over the tray must change nothing.

    `locks` is what it holds, None while it still adjusts itself.
    """

    locks: Locks | None

    def lock(self, kept: Locks | None) -> None:
        """Hold these values from now on; None: adjust anew for two seconds and hold what was found then."""


class Video:
    """The frames of a video file; `when` is the time in the film. Raises CameraError for a file that is none."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        _check_file(Path(path))
        with quietly():
            self._capture = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise CameraError(f"{self.name} is damaged, or no picture or video.")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = rate if math.isfinite(rate) and 0 < rate <= 1000 else 30.0
        self._number = -1

    def read(self) -> Frame | None:
        """The next frame, or None after the last. Raises CameraError when not even one can be shown."""
        with quietly():
            good, picture = self._capture.read()
        if not good:
            if self._number < 0:
                raise CameraError(f"{self.name} is damaged: it has no picture that can be shown.")
            return None
        self._number += 1
        return Frame(eight_bit(picture), self._number / self.fps, self._number, self.name)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class Folder:
    """The pictures in a folder and the folders in it, by name; each counts as one second.

    Other files are passed over. Raises CameraError for a folder that is missing or holds no picture.
    """

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        if not Path(path).is_dir():
            raise CameraError(f"There is no folder {self.name}.")
        self.paths = pictures(Path(path))
        if not self.paths:
            raise CameraError(f"There are no pictures in the folder {self.name}.")
        self._number = -1

    def read(self) -> Frame | None:
        """The next picture, or None. Raises PictureError for a damaged one; the next call goes on after it."""
        self._number += 1
        if self._number >= len(self.paths):
            return None
        path = self.paths[self._number]
        return Frame(picture(path), float(self._number), self._number, str(path))

    def close(self) -> None:
        """Nothing is held open."""


class Picture:
    """One picture file, seen once. Raises PictureError when it is missing, empty or damaged."""

    def __init__(self, path: Path | str) -> None:
        self.name = str(path)
        self._frame: Frame | None = Frame(picture(Path(path)), 0.0, 0, self.name)

    def read(self) -> Frame | None:
        """The picture, then None."""
        frame, self._frame = self._frame, None
        return frame

    def close(self) -> None:
        """Nothing is held open."""


class Scene(Protocol):
    """A drawing of what a camera sees."""

    def frame(self, now: float) -> Image:
        """The picture at `now` seconds. Raises CameraError while the camera is unplugged."""


class DrawnFrames:
    """The frames of a drawn tray or board, `fps` of them a second of `clock`, as a camera would give them.

    Both sides must use one clock: call the drawing's own methods with the same `clock()`.
    """

    name = "drawn"

    def __init__(
        self,
        scene: Scene,
        fps: float = 30,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._scene = scene
        self._every = 1 / fps
        self._clock, self._sleep = clock, sleep
        self._next = clock()
        self._number = -1

    def read(self) -> Frame | None:
        """The next frame, after waiting for its time. Raises CameraError while its camera is unplugged."""
        if (wait := self._next - self._clock()) > 0:
            self._sleep(wait)
        now = self._clock()
        self._next = max(self._next + self._every, now)
        picture = self._scene.frame(now)
        self._number += 1
        return Frame(picture, now, self._number, self.name)

    def close(self) -> None:
        """Nothing is held open."""


def source(where: str | int) -> Source:
    """The source a person means by `where`.

    That is a camera's number (`0`) or device (`/dev/video0`), `picamera2`, or the path of a folder, picture or video.
    Raises CameraError, saying why, when it cannot be opened.
    """
    if where == "picamera2":
        from vision.cameras.picamera import PiCamera

        return PiCamera()
    if isinstance(where, int) or where.isdecimal() or where.startswith("/dev/"):
        from vision.cameras.v4l2 import V4l2Camera

        return V4l2Camera(where if isinstance(where, str) and where.startswith("/dev/") else int(where))
    path = Path(where)
    if path.is_dir():
        return Folder(path)
    return Picture(path) if is_picture(path) else Video(path)


def is_picture(path: Path) -> bool:
    """Whether `path` is named as a picture or its first bytes are those of one."""
    return path.suffix.lower() in PICTURES or (path.is_file() and cv2.haveImageReader(str(path)))


def pictures(folder: Path, endings: frozenset[str] = PICTURES) -> list[Path]:
    """The picture files in `folder` and below, sorted by path; names that begin with a dot are passed over."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def picture(path: Path) -> Image:
    """The picture file as (height, width, 3) blue, green, red bytes, upright as its camera was held.

    Grey, 16-bit and transparent pictures become the same. Raises PictureError, naming the file, when it is missing,
    empty or damaged.
    """
    _check_file(path)
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror}.") from error
    with quietly():
        try:
            found = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
        except cv2.error as error:
            raise PictureError(f"{path} is no picture that can be opened.") from error
    if found is None:
        raise PictureError(f"{path} is damaged, or no picture.")
    return eight_bit(found)


def eight_bit(picture: MatLike) -> Image:
    """The picture with 8 bits a colour: 16-bit ones are scaled down, floating ones taken as 0 to 1."""
    if picture.dtype == np.uint16:
        return cv2.convertScaleAbs(picture, alpha=1 / 257).astype(np.uint8, copy=False)
    if picture.dtype != np.uint8:
        return (np.clip(np.nan_to_num(picture), 0, 1) * 255).astype(np.uint8)
    return picture.astype(np.uint8, copy=False)


def _check_file(path: Path) -> None:
    """Raise PictureError unless there is a file with something in it."""
    if not path.exists():
        raise PictureError(f"There is no file {path}.")
    if not path.is_file():
        raise PictureError(f"{path} is not a file.")
    if path.stat().st_size == 0:
        raise PictureError(f"{path} is empty.")


@contextmanager
def quietly() -> Iterator[None]:
    """Keep OpenCV from writing warnings of its own: what goes wrong is raised, in words."""
    before = logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)
