"""The Pi camera, tested with a picamera2 that behaves like the real one, misbehavior included."""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.pi import picamera2
from tests.pi.picamera2 import Ribbon
from vision.cameras.frames import CameraError, Image, LockedSettings
from vision.cameras.picamera import PiCamera
from vision.cameras.sources import open_source

SMALL: dict[str, Any] = {"size": (64, 48), "watch": (32, 24)}
FOUND: LockedSettings = {"exposure": (9020.0, 2.0), "white balance": (1.5, 1.9)}


class World(Ribbon):
    """A camera on its ribbon cable, with a clock that advances by one frame time with each picture.

    Its pictures have a bright rim, and each is one level brighter than the last.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.clock, self.sleep = lambda: self.now, self.wait
        self.picture = self.seen

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def seen(self, now: float) -> Image:
        return np.full((48, 64, 3), round(10 * now), np.uint8)

    def camera(self, **wishes: Any) -> PiCamera:
        return PiCamera(**(SMALL | wishes), clock=self.clock)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World()
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setattr(picamera2, "ribbon", world)
    yield world
    assert (world.wrong, world.kept, world.open) == ([], [], [])


def test_the_brightness_plane_is_watched(world: World) -> None:
    """The plane comes without its padding and the colors below it, ten times a second; nothing else is copied."""
    camera = world.camera()
    seen = [camera.read_frame() for _ in range(3)]
    camera.close()
    for number, frame in enumerate(seen):
        assert frame is not None
        assert ((24, 32), number) == (frame.picture.shape, frame.number)
        assert {number + 1} == set(frame.picture.ravel().tolist())
        assert frame.when == pytest.approx((number + 1) / 10)
    assert ["make_array lores"] * 3 == [call for call in world.calls if call.startswith("make_array")]


def test_the_full_frame_is_of_the_same_moment(world: World) -> None:
    """The full frame is in color until the next one is read; after that its buffer is released."""
    camera = world.camera()
    first = camera.read_frame()
    assert first is not None
    assert (48, 64, 3) == first.full_picture().shape
    assert {1} == set(first.full_picture().ravel().tolist())
    camera.read_frame()
    with pytest.raises(CameraError, match="too late"):
        first.full_picture()
    assert 1 == len(world.kept)
    camera.close()


def test_smaller_frames_from_the_camera_are_accepted(world: World) -> None:
    world.most = (30, 20)
    camera = world.camera()
    frame = camera.read_frame()
    assert frame is not None
    assert ((20, 30), (20, 30, 3)) == (frame.picture.shape, frame.full_picture().shape)
    camera.close()


@pytest.mark.parametrize("lens", [False, True])
def test_after_two_seconds_settings_are_held(world: World, lens: bool) -> None:
    """Exposure, white balance and, if the lens moves, focus are held, and only once."""
    world.lens = lens
    camera = world.camera()
    pi = world.open[0]
    for _ in range(19):
        camera.read_frame()
    assert not camera.locks
    for _ in range(10):
        camera.read_frame()
    assert camera.locks == FOUND | ({"focus": (2.5,)} if lens else {}) | {"exposure": (9019.0, 2.0)}
    held: dict[str, Any] = {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9019, "AnalogueGain": 2.0}
    held |= {"ColourGains": (1.5, 1.9)} | ({"AfMode": 0, "LensPosition": 2.5} if lens else {})
    assert pi.controls == [{"FrameRate": 10}, *([{"AfMode": 2}] if lens else []), held]
    camera.close()


def test_stored_settings_are_held_at_once(world: World) -> None:
    """On request it adjusts again for two seconds and holds the result."""
    world.lens = True
    camera = world.camera()
    pi = world.open[0]
    kept: LockedSettings = {"exposure": (8000.0, 1.5), "white balance": (1.2, 2.0), "focus": (4.0,)}
    camera.lock_settings(kept)
    assert kept == camera.locks
    held: dict[str, Any] = {"AeEnable": False, "AwbEnable": False, "ExposureTime": 8000, "AnalogueGain": 1.5}
    assert held | {"ColourGains": (1.2, 2.0), "AfMode": 0, "LensPosition": 4.0} == pi.controls[-1]
    camera.lock_settings(None)
    assert {"AeEnable": True, "AwbEnable": True, "AfMode": 2} == pi.controls[-1]
    for _ in range(19):
        camera.read_frame()
    assert not camera.locks
    camera.read_frame()
    assert camera.locks is not None
    camera.close()


@pytest.mark.parametrize(
    ("dies", "words"),
    [
        ("Picamera2", "No Pi camera found: check both ends of its ribbon cable. (list index out of range)"),
        ("configure", "The Pi camera does not start: another program may be using it. (configure: Input/output error)"),
        ("start", "The Pi camera does not start: another program may be using it. (Failed to start camera"),
        ("capture_request", "The Pi camera stopped answering: check its ribbon cable. (TimeoutError)"),
        ("make_array lores", "The Pi camera stopped answering: check its ribbon cable. (make_array lores"),
        ("make_array main", "The Pi camera gave no full frame: check its ribbon cable. (make_array main"),
        ("release", "The Pi camera stopped answering: check its ribbon cable. (release: Input/output error)"),
        ("get_metadata", "The Pi camera stopped answering: check its ribbon cable. (get_metadata"),
        (
            "set_controls",
            "The Pi camera doesn't respond to commands: check its ribbon cable. (set_controls: Input/output error)",
        ),
    ],
)
def test_a_camera_that_is_disconnected(world: World, dies: str, words: str) -> None:
    """The error is one sentence wherever it happens, and the camera is closed; reconnected, it opens again."""
    world.lens = dies == "set_controls"
    call = world.call

    def dying(name: str, error: Exception | None = None) -> None:
        world.dies = len(world.calls) if name == dies else world.dies
        call(name, error)

    world.call = dying  # type: ignore[method-assign]
    opened: list[PiCamera] = []

    def look() -> None:
        opened.append(world.camera())
        for _ in range(30):
            frame = opened[0].read_frame()
            assert frame is not None
            frame.full_picture()

    with pytest.raises(CameraError) as caught:
        look()
    # With a movable lens, the first settings are given as the camera starts.
    expected = (
        words if dies != "set_controls" else "The Pi camera does not start: another program may be using it. (set"
    )
    assert str(caught.value).startswith(expected)
    for camera in opened:
        camera.close()
    world.call = call  # type: ignore[method-assign]
    world.plug()
    again = world.camera()
    assert again.read_frame() is not None
    again.close()


def test_a_camera_that_is_disconnected_while_closing(world: World) -> None:
    camera = world.camera()
    camera.read_frame()
    world.plugged = False
    camera.close()
    camera.close()


def test_a_camera_in_use_by_another_program(world: World) -> None:
    """The error says so, with picamera2's own words."""
    world.busy = True
    with pytest.raises(CameraError, match=r"No Pi camera found: .* \(Camera __init__ sequence did not complete\.\)"):
        world.camera()


def test_no_picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_source("picamera2")
