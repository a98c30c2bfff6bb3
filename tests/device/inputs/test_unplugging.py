"""A camera unplugged at any moment: the game goes on, the camera comes back, and no resource leaks.

`python -m tests.device.inputs.unplugging` tries each driver call of an evening; here are some of them.
"""

import sys
import threading
from typing import Any

import numpy as np
import pytest

from device.inputs.camera_thread import FRAME_TIMEOUT_S, STABLE_AFTER_S
from device.inputs.dice_camera import DiceCamera
from tests.device.inputs import unplugging
from tests.device.inputs.scenes import Filmed
from tests.device.inputs.unplugging import FakeSession
from tests.device.stored_games import Clock
from tests.pi.webcam import Plug
from vision.cameras.frames import CameraError, Frame
from vision.cameras.sources import open_source
from vision.synthetic.tray import SyntheticTray

STEP = 47


@pytest.mark.parametrize("kind", unplugging.KINDS)
def test_nothing_fails_while_plugged_in(kind: str) -> None:
    calls = unplugging.calls(kind)
    assert len(calls) > 100
    assert unplugging.wrong(kind, None) is None


@pytest.mark.parametrize("kind", unplugging.KINDS)
def test_unplugged_at_any_call(kind: str) -> None:
    """While it opens, warms up, is calibrated, sees a throw or returns a full frame."""
    found = [said for dies in range(0, len(unplugging.calls(kind)), STEP) if (said := unplugging.wrong(kind, dies))]
    assert [] == found


def test_a_silent_camera_is_reported(clock: Clock) -> None:
    """Once, after two seconds while its thread waits; the report is withdrawn when a frame arrives."""

    class Mute:
        """A camera without a frame for `silence` seconds."""

        def read_frame(self) -> None:
            for seconds in (FRAME_TIMEOUT_S, 0.1, 5.0):
                clock.now += seconds
                hand.update()
                told.append(session.missing)

        def close(self) -> None:
            """Do nothing: there is nothing to close."""

    session, told = FakeSession(Plug()), list[str | None]()
    hand = DiceCamera(session, Mute, clock=clock)  # type: ignore[arg-type]
    hand.next_frame(Mute())
    assert ([None, DiceCamera.silent_advice, DiceCamera.silent_advice], [DiceCamera.silent_advice]) == (
        told,
        session.lost,
    )
    assert session.missing is None
    clock.now += 100
    hand.update()
    assert session.missing is None, "nobody waits for it"


class _Film:
    """A camera with a number of pictures at ten a second, the last one of another size; then none."""

    def __init__(self, many: int, odd: bool = False) -> None:
        self._many, self._odd, self._number = many, odd, -1

    def read_frame(self) -> Frame | None:
        self._number += 1
        if self._number >= self._many:
            return None
        shape = (24, 32) if self._odd and self._number == self._many - 1 else (48, 64)
        return Frame(np.zeros((*shape, 3), np.uint8), self._number / 10, self._number, "film")

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class _Waits(threading.Event):
    """An event that records how long the thread waits, and is set after a number of waits."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self.noted = most, list[float | None]()

    def wait(self, timeout: float | None = None) -> bool:
        self.noted.append(timeout)
        if len(self.noted) == self.most:
            self.set()
        return True


@pytest.mark.parametrize(("many", "waits"), [(3, [0.5, 1, 2, 4, 8, 8]), (round(STABLE_AFTER_S * 10) + 2, [0.5] * 6)])
def test_a_camera_that_fails_at_once_is_retried_more_slowly(many: int, waits: list[float]) -> None:
    """Until one works for a while."""
    hand = DiceCamera(FakeSession(Plug()), lambda: _Film(many))  # type: ignore[arg-type]
    hand._done = noted = _Waits(len(waits))
    hand.run()
    assert waits == noted.noted


def test_pictures_of_another_size_are_another_camera() -> None:
    """The camera is reopened, so that its tray is looked up again."""
    session = FakeSession(Plug())
    hand = DiceCamera(session, lambda: _Film(4, odd=True))  # type: ignore[arg-type]
    hand._done = _Waits(1)
    hand.run()
    assert "camera's picture size changed" in session.lost[0]


class _FakeSession:
    """A session that ignores all reports; there is no race."""

    wanted_dice = None
    kinds = frozenset({"d6"})

    def __init__(self) -> None:
        self.game = self.notices = self.rolls = self.race = self

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def test_the_log_reports_each_loss_and_recovery_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However often the camera is tried. A camera that works from the start is not reported as back."""
    caplog.set_level("INFO", "dugout.camera")
    monkeypatch.setattr("device.inputs.camera_thread.FIRST_RETRY_DELAY_S", 0.01)
    opened: list[str] = []
    now = [0.0]

    def late() -> None:
        now[0] += 2.1
        camera.update()
        camera.update()

    def opens() -> Filmed:
        opened.append("")
        if 1 < len(opened) < 5:
            raise CameraError("There is no camera at /dev/video0: is it plugged in?")
        source = Filmed(SyntheticTray(seed=4), 6)
        if len(opened) == 5:
            source.acts[3] = late
        if len(opened) == 6:
            camera._done.set()
        return source

    camera = DiceCamera(_FakeSession(), opens, patience=0.02, clock=lambda: now[0])  # type: ignore[arg-type]
    camera.run()
    told = [(one.levelname, one.getMessage()) for one in caplog.records if one.name == "dugout.camera"]
    over = "No camera: enter the dice with the buttons or a phone. The video has ended."
    none = "No camera: enter the dice with the buttons or a phone. There is no camera at /dev/video0: is it plugged in?"
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
def test_without_picamera2_the_usb_camera_is_reported_first(monkeypatch: pytest.MonkeyPatch, here: bool) -> None:
    """It was probably pulled out; on a Pi with both, the ribbon camera comes first."""
    usb, ribbon = "There is no camera at /dev/video9: is it plugged in?", "picamera2 "
    monkeypatch.setattr("vision.cameras.v4l2.usb_camera_names", lambda: ["/dev/video9"])
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
