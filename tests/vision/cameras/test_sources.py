"""Which camera "auto" opens, among cameras of one make, on different sockets, and with other uses."""

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from tests.pi import picamera2
from tests.pi.webcam import Plug
from vision.cameras import v4l2
from vision.cameras.frames import CameraError, FrameSource
from vision.cameras.sources import CameraChoice, open_source
from vision.cameras.v4l2 import usb_camera_names

C270 = "usb-046d_C270_HD_WEBCAM"


class Sockets:
    """USB sockets with cameras. udev's links to a camera by its make and by its socket come and go with it."""

    def __init__(self, dev: Path) -> None:
        self.dev, self.plug = dev, Plug()
        self.cameras: dict[int, str] = {}
        for folder in ("by-id", "by-path"):
            (dev / folder).mkdir(parents=True)

    def insert(self, socket: int, camera: str, number: int) -> None:
        (self.dev / f"video{number}").touch()
        self.cameras[socket] = camera
        for link in (self.by_id(camera), self.by_path(socket)):
            Path(link).unlink(missing_ok=True)  # the last camera of a make has the link
            Path(link).symlink_to(self.dev / f"video{number}")

    def pull(self, socket: int) -> None:
        device = Path(self.by_path(socket)).resolve()
        for link in (*self.dev.glob("by-*/*"), device):
            if link.resolve() == device:
                link.unlink()
        del self.cameras[socket]

    def by_id(self, camera: str) -> str:
        return str(self.dev / "by-id" / f"{camera}-video-index0")

    def by_path(self, socket: int) -> str:
        return str(self.dev / "by-path" / f"platform-pcie-pci-0000:01:00.0-usb-0:1.{socket}:1.0-video-index0")


@pytest.fixture
def sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sockets]:
    sockets = Sockets(tmp_path / "dev")
    monkeypatch.setattr(v4l2, "CAMERA_ID_FOLDER", sockets.dev / "by-id")
    monkeypatch.setattr(v4l2, "CAMERA_PATH_FOLDER", sockets.dev / "by-path")
    monkeypatch.setattr(cv2, "VideoCapture", sockets.plug.capture)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    yield sockets
    assert sockets.plug.open == []


def opened(source: FrameSource) -> str:
    source.close()
    return str(getattr(source, "name", ""))


def test_cameras_are_named_by_make(sockets: Sockets) -> None:
    """A camera has one name on every socket. The Pi's own devices are none."""
    assert [] == usb_camera_names()
    (sockets.dev / "by-path" / "platform-1f00110000.csi-video-index0").symlink_to("/dev/null")
    sockets.insert(2, C270, 0)
    sockets.insert(1, "usb-Trust_Webcam", 2)
    assert [sockets.by_id(C270), sockets.by_id("usb-Trust_Webcam")] == usb_camera_names()
    sockets.pull(2)
    sockets.insert(4, C270, 5)
    assert [sockets.by_id(C270), sockets.by_id("usb-Trust_Webcam")] == usb_camera_names()


def test_cameras_of_one_make_are_named_by_socket(sockets: Sockets) -> None:
    """Their shared name leads to the one plugged in last; their sockets' names stay right in any order."""
    for order in ((1, 3), (3, 1)):
        for number, socket in enumerate(order):
            sockets.insert(socket, C270, 2 * number)
        assert [sockets.by_path(1), sockets.by_path(3)] == usb_camera_names()
        for socket in order:
            sockets.pull(socket)


@pytest.mark.parametrize("board", ["by-id", "by-path", "device"])
def test_auto_leaves_the_boards_camera_alone(sockets: Sockets, board: str) -> None:
    """However the board's camera is named, the dice get the other; and where there is no other, none."""
    sockets.insert(1, "usb-A4tech", 0)
    sockets.insert(2, C270, 2)
    names = {"by-id": sockets.by_id("usb-A4tech"), "by-path": sockets.by_path(1), "device": str(sockets.dev / "video0")}
    choice = CameraChoice({"dice": "auto", "board": names[board]})
    assert opened(choice.open_camera("dice")) == sockets.by_id(C270)
    sockets.pull(2)
    with pytest.raises(CameraError, match=r"no camera at .*C270.*To use another camera, turn the table off and on"):
        choice.open_camera("dice")
    with pytest.raises(CameraError, match="Every camera is set for another use"):
        open_source("auto", [names[board], "picamera2"])


def test_auto_returns_to_its_own_camera(sockets: Sockets) -> None:
    """Unplugged, it is waited for, although another camera is there; on any socket and number it is used again."""
    sockets.insert(1, C270, 0)
    sockets.insert(2, "usb-Trust_Webcam", 2)
    choice = CameraChoice({"dice": "auto", "board": "none"})
    assert opened(choice.open_camera("dice")) == sockets.by_id(C270)
    sockets.pull(1)
    for _ in range(3):
        with pytest.raises(CameraError, match="C270"):
            choice.open_camera("dice")
    sockets.insert(3, C270, 7)
    assert opened(choice.open_camera("dice")) == sockets.by_id(C270)


def test_two_cameras_of_one_make(sockets: Sockets) -> None:
    """With the board's camera named by its socket, the dice have the other, whatever is plugged in again and when."""
    sockets.insert(1, C270, 0)
    sockets.insert(2, C270, 2)
    choice = CameraChoice({"dice": "auto", "board": sockets.by_path(1)})
    assert opened(choice.open_camera("dice")) == sockets.by_path(2)
    for first, second in ((1, 2), (2, 1)):
        sockets.pull(first)
        sockets.pull(second)
        sockets.insert(first, C270, 2)
        if first == 1:
            with pytest.raises(CameraError, match="no camera at"):
                choice.open_camera("dice")
        sockets.insert(second, C270, 0)
        assert opened(choice.open_camera("dice")) == sockets.by_path(2)


def test_two_parts_on_auto_share_no_camera(sockets: Sockets) -> None:
    """The first to open one has it."""
    sockets.insert(1, C270, 0)
    sockets.insert(2, "usb-Trust_Webcam", 2)
    choice = CameraChoice({"dice": "auto", "board": "auto"})
    assert opened(choice.open_camera("dice")) == sockets.by_id(C270)
    assert opened(choice.open_camera("board")) == sockets.by_id("usb-Trust_Webcam")


def test_the_boards_pi_camera_is_not_auto(sockets: Sockets, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the Pi camera over the board, the dice get the USB camera."""
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setattr(picamera2, "ribbon", picamera2.Ribbon())
    sockets.insert(1, C270, 0)
    assert opened(CameraChoice({"dice": "auto", "board": "none"}).open_camera("dice")) == "picamera2"
    assert opened(CameraChoice({"dice": "auto", "board": "picamera2"}).open_camera("dice")) == sockets.by_id(C270)


def test_a_number_is_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """The board's camera may be set by its number."""
    monkeypatch.setattr(v4l2, "usb_camera_names", lambda: ["/dev/video0"])
    for number in (0, "0", "/dev/video0"):
        with pytest.raises(CameraError, match="Every camera is set for another use"):
            open_source("auto", [number, "picamera2"])
