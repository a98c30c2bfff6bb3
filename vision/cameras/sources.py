"""Open a frame source by its name in the settings.

The only module that knows all kinds of cameras. Each is imported when opened, because OpenCV takes seconds to load on a
small Pi and only a Pi has picamera2.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.cameras.frames import FrameSource


def open_source(where: str | int) -> FrameSource:
    """Open the frame source that `where` names.

    where: `auto` (a Pi camera, else the first USB camera), a camera number (`0`) or device (`/dev/video0`),
        `picamera2`, or the path of an image, a video or a folder of images.
    Raises CameraError with the reason.
    """
    from vision.cameras.frames import PI_CAMERA_NAME, CameraError

    if where == "auto":
        return _open_first_camera()
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


def _open_first_camera() -> FrameSource:
    """Open a Pi camera, else the first USB camera. Raises CameraError with both reasons."""
    from vision.cameras.frames import PI_CAMERA_NAME, CameraError

    try:
        return open_source(PI_CAMERA_NAME)
    except CameraError as no_pi_camera:
        from vision.cameras.v4l2 import first_camera_name

        try:
            return open_source(first_camera_name())
        except CameraError as no_usb_camera:
            # Without picamera2, the table most likely has a USB camera, so its reason comes first.
            no_picamera2 = isinstance(no_pi_camera.__cause__, ImportError)
            reasons = (no_usb_camera, no_pi_camera) if no_picamera2 else (no_pi_camera, no_usb_camera)
            raise CameraError(" ".join(map(str, reasons))) from no_usb_camera
