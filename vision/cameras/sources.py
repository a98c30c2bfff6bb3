"""Open a frame source by its name in the settings.

The only module that knows all kinds of cameras. Each is imported when opened, because OpenCV takes seconds to load on a
small Pi and only a Pi has picamera2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.cameras.frames import FrameSource
    from vision.cameras.picamera import PiCamera
    from vision.cameras.v4l2 import V4l2Camera


def open_source(where: str | int, taken: Sequence[str | int] = ()) -> FrameSource:
    """Open the frame source that `where` names.

    where: `auto` (a Pi camera, else the first USB camera), a camera number (`0`) or device (`/dev/video0`),
        `picamera2`, or the path of an image, a video or a folder of images.
    taken: cameras that `auto` does not open, because they have another use.
    Raises CameraError with the reason.
    """
    from vision.cameras.frames import PI_CAMERA_NAME, CameraError

    if where == "auto":
        return _open_first_camera(taken)
    if where == PI_CAMERA_NAME:
        from vision.cameras.picamera import PiCamera

        return PiCamera()
    try:
        return _open_named_source(str(where))
    except CameraError:
        raise
    except OSError as error:  # a path that the system rejects
        raise CameraError(f"{where}: {error.strerror}.") from error


def _open_named_source(where: str) -> FrameSource:
    if is_camera_number(where) or where.startswith("/dev/"):
        from vision.cameras.v4l2 import V4l2Camera

        return V4l2Camera(int(where) if is_camera_number(where) else where)
    from vision.cameras.files import PictureFile, PictureFolder, VideoFile, is_picture_file

    path = Path(where)
    if path.is_dir():
        return PictureFolder(path)
    return PictureFile(path) if is_picture_file(path) else VideoFile(path)


def is_camera_number(where: str) -> bool:
    return where.isascii() and where.isdecimal() and len(where) < 4


def _open_first_camera(taken: Sequence[str | int]) -> PiCamera | V4l2Camera:
    """Open a Pi camera, else the first USB camera, but none in `taken`. Raises CameraError with the reasons."""
    from vision.cameras.frames import PI_CAMERA_NAME, CameraError
    from vision.cameras.v4l2 import usb_camera_names

    used, errors = {_device_path(where) for where in taken}, list[CameraError]()
    for name in (PI_CAMERA_NAME, *(usb_camera_names() or ["/dev/video0"])):
        if _device_path(name) in used:
            continue
        try:
            return _open_camera(name)
        except CameraError as error:
            errors.append(error)
    if not errors:
        raise CameraError("Every camera is set for another use: plug in one more, or change the settings.")
    # Without picamera2, the table most likely has a USB camera, so its reason comes first.
    if isinstance(errors[0].__cause__, ImportError):
        errors.append(errors.pop(0))
    raise CameraError(" ".join(map(str, errors))) from errors[-1]


def _open_camera(name: str) -> PiCamera | V4l2Camera:
    from vision.cameras.frames import PI_CAMERA_NAME
    from vision.cameras.picamera import PiCamera
    from vision.cameras.v4l2 import V4l2Camera

    return PiCamera() if name == PI_CAMERA_NAME else V4l2Camera(name)


def _device_path(where: str | int) -> Path:
    """The device that a camera's number or any of its names leads to now."""
    return Path(f"/dev/video{where}" if is_camera_number(str(where)) else str(where)).resolve()


class CameraChoice:
    """Opens the cameras of one table so that "auto" never opens one that another part has.

    Once "auto" has opened a camera, it waits for this one after it is unplugged, rather than going on with another that
    looks elsewhere.

    wanted: the source of each part, as in `open_source`. Sources that are no cameras do no harm.
    """

    def __init__(self, wanted: Mapping[str, str | int]) -> None:
        self._wanted = dict(wanted)
        self._own: dict[str, str] = {}  # what "auto" opened for each part

    def open_camera(self, part: str) -> FrameSource:
        """Open the camera of a part. Raises CameraError with the reason."""
        from vision.cameras.frames import CameraError

        if self._wanted[part] != "auto":
            return open_source(self._wanted[part])
        if (own := self._own.get(part)) is None:
            sources = {**self._wanted, **self._own}
            source = _open_first_camera([where for other, where in sources.items() if other != part])
            self._own[part] = source.name
            return source
        try:
            return _open_camera(own)
        except CameraError as error:
            raise CameraError(f"{error} To use another camera, turn the table off and on.") from error
