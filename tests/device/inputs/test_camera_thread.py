"""The outage of a camera: the log's sentences, and those that people read."""

import sys
from typing import Any

import pytest

from device.inputs.dice_camera import DiceCamera
from tests.device.inputs.scenes import Filmed
from vision.cameras.frames import CameraError
from vision.cameras.sources import open_source
from vision.drawn.tray import DrawnTray


class _FakeSession:
    """Hears nothing, while no race is on."""

    racing = None
    kinds = frozenset({"d6"})

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def test_the_log_has_each_loss_once_and_that_it_is_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has each sentence once, however often the camera is tried. A camera that works from the start is not
    back.
    """
    caplog.set_level("INFO", "dugout.camera")
    monkeypatch.setattr("device.inputs.camera_thread.FIRST_WAIT", 0.01)
    opened: list[str] = []
    now = [0.0]

    def late() -> None:
        now[0] += 2.1
        camera.look()
        camera.look()

    def opens() -> Filmed:
        opened.append("")
        if 1 < len(opened) < 5:
            raise CameraError("There is no camera at /dev/video0: is it plugged in?")
        source = Filmed(DrawnTray(seed=4), 6)
        if len(opened) == 5:
            source.acts[3] = late
        if len(opened) == 6:
            camera._done.set()
        return source

    camera = DiceCamera(_FakeSession(), opens, patience=0.02, clock=lambda: now[0])  # type: ignore[arg-type]
    camera.run()
    told = [(one.levelname, one.getMessage()) for one in caplog.records if one.name == "dugout.camera"]
    over = "No camera: type the dice with the buttons or a phone. The film is over."
    none = "No camera: type the dice with the buttons or a phone. There is no camera at /dev/video0: is it plugged in?"
    back = ("INFO", "The camera is back.")
    assert told[:6] == [
        ("WARNING", over),
        ("WARNING", none),
        back,
        ("WARNING", DiceCamera.silent_advice),
        back,
        ("WARNING", over),
    ]


@pytest.mark.parametrize("here", [False, True])
def test_who_has_no_picamera2_reads_of_the_usb_camera_first(monkeypatch: pytest.MonkeyPatch, here: bool) -> None:
    """It was pulled out, most likely; on a Pi with both the ribbon comes first."""
    usb, ribbon = "There is no camera at /dev/video9: is it plugged in?", "picamera2 "
    monkeypatch.setattr("vision.cameras.v4l2.first_camera", lambda: "/dev/video9")
    if here:

        def none(*_: object, **__: object) -> None:
            raise CameraError("picamera2 finds no camera.")

        monkeypatch.setattr("vision.cameras.picamera.PiCamera.__init__", none)
    else:
        monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError) as told:
        open_source("auto")
    words = str(told.value)
    assert usb in words
    assert ribbon in words
    assert words.startswith(ribbon if here else usb)
