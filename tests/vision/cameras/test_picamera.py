"""The Pi camera, tested with a picamera2 that behaves like the real one, misbehavior included."""

import sys
from collections.abc import Callable, Iterator
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
    assert {"AeEnable": True, "AwbEnable": True, "AeFlickerMode": 0, "AfMode": 2} == pi.controls[-1]
    for _ in range(19):
        camera.read_frame()
    assert not camera.locks
    camera.read_frame()
    assert camera.locks is not None
    camera.close()


HUNTING = {"AfState": 1, "LensPosition": 11.0}  # the lens scans, and is near at the moment
SCAN = {"AfMode": 1, "AfTrigger": 0}


def frames_until_locked(camera: PiCamera) -> int:
    for number in range(1, 300):
        camera.read_frame()
        if camera.locks is not None:
            return number
    raise AssertionError("The camera never locked its settings.")


def trigger_time(world: World) -> float:
    assert world.triggered is not None
    return world.triggered


def test_a_hunting_lens_is_not_locked(world: World) -> None:
    """It is locked where the driver says that it is focused, once it says so."""
    world.lens, world.autofocus = True, lambda now: HUNTING if now < 2.65 else {"AfState": 2, "LensPosition": 2.9}
    camera = world.camera()
    assert 27 == frames_until_locked(camera)
    assert camera.locks is not None
    assert ((2.9,), None) == (camera.locks["focus"], camera.advice)
    camera.close()


def test_a_lens_that_stays_near_is_scanned_once(world: World) -> None:
    """Continuous autofocus that fails, or goes on for three seconds, ends in one triggered scan."""
    for state, begun in ((1, 3.0), (3, 2.0), (0, 3.0)):

        def lens(now: float, state: int = state) -> dict[str, Any]:
            if world.triggered is None:
                return {"AfState": state, "LensPosition": 11.0}
            # The first frames after the trigger are older than it.
            since = now - world.triggered
            return HUNTING | {"AfState": state if since < 0.35 else 1 if since < 1.45 else 2, "LensPosition": 2.2}

        world.now, world.lens, world.autofocus, world.triggered = 0.0, True, lens, None
        camera = world.camera()
        pi = world.open[0]
        assert pytest.approx(10 * begun + 15, abs=1.1) == frames_until_locked(camera)
        assert 1 == pi.controls.count(SCAN)
        assert begun == pytest.approx(trigger_time(world))
        assert camera.locks is not None
        assert ((2.2,), None) == (camera.locks["focus"], camera.advice)
        camera.close()


@pytest.mark.parametrize("state", [1, 3])
def test_a_lens_that_finds_no_focus(world: World, state: int) -> None:
    """After a scan that fails or never ends it is set to 40 cm, and the advice says so until it focuses again."""
    world.lens, world.autofocus = True, lambda now: HUNTING | {"AfState": state}
    camera = world.camera()
    assert frames_until_locked(camera) <= 135
    pi = world.open[0]
    assert (1, 2.5, 0) == (pi.controls.count(SCAN), pi.controls[-1]["LensPosition"], pi.controls[-1]["AfMode"])
    assert (camera.advice or "").startswith("The lens finds nothing to focus on and is set to 40 cm: lay something")
    world.autofocus = lambda now: {}
    camera.lock_settings(None)
    assert camera.advice is None
    frames_until_locked(camera)
    assert camera.advice is None
    camera.close()


def test_a_driver_that_does_not_report_the_focus(world: World) -> None:
    """Its lens is locked where it is."""
    world.lens, world.autofocus = True, lambda now: {"AfState": 2}
    get = picamera2.CompletedRequest.get_metadata

    def silent(request: picamera2.CompletedRequest) -> dict[str, Any]:
        return {key: value for key, value in get(request).items() if key != "AfState"}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picamera2.CompletedRequest, "get_metadata", silent)
        camera = world.camera()
        assert 20 == frames_until_locked(camera)
    assert camera.locks is not None
    assert (2.5,) == camera.locks["focus"]
    camera.close()


def lamp(world: World, hz: float, *, avoided: bool = True) -> Callable[[float], Image]:
    """Return what a camera sees by a lamp on `hz` mains, with bands that its auto exposure can avoid, or can't."""

    def seen(now: float) -> Image:
        period = next((one["AeFlickerPeriod"] for one in world.open[0].controls[::-1] if "AeFlickerPeriod" in one), 0)
        depth = 0.0 if avoided and period == round(5e5 / hz) else 0.4
        rows = 90 * (1 + depth * np.sin(2 * np.pi * (2 * np.arange(48) / 48 + 0.37 * 2 * hz * now)))
        return np.repeat(np.repeat(rows[:, None, None], 64, 1), 3, 2).round().astype(np.uint8)

    return seen


@pytest.mark.parametrize(("hz", "period", "exposure"), [(50, 10_000, 10_000), (60, 8_333, 8_333)])
def test_a_lamp_that_flickers(world: World, hz: float, period: int, exposure: int) -> None:
    """The flicker period that evens out its light is found, and the locked exposure time is a multiple of it."""
    world.picture = lamp(world, hz)
    camera = world.camera(size=(64, 48), watch=(64, 48))
    frames_until_locked(camera)
    pi = world.open[0]
    assert {"AeFlickerMode": 1, "AeFlickerPeriod": period} == pi.controls[-2]
    assert (exposure, None) == (pi.controls[-1]["ExposureTime"], camera.advice)
    # The gain makes up for the change of time.
    assert pytest.approx(2 * 9050, rel=0.01) == pi.controls[-1]["ExposureTime"] * pi.controls[-1]["AnalogueGain"]
    camera.close()


def test_a_lamp_whose_flicker_cannot_be_avoided(world: World) -> None:
    """Such as a dimmed one, at another frequency: both periods are tried, then the advice names the lamp."""
    world.picture = lamp(world, 50, avoided=False)
    camera = world.camera(size=(64, 48), watch=(64, 48))
    assert frames_until_locked(camera) <= 90
    tried = [one["AeFlickerPeriod"] for one in world.open[0].controls if "AeFlickerPeriod" in one]
    assert [10_000, 8_333] == tried[:2]
    assert (camera.advice or "").startswith("The lamp flickers, and no setting of the camera evens it out:")
    camera.close()


def test_a_libcamera_without_flicker_control(world: World) -> None:
    world.flicker_control, world.picture = False, lamp(world, 50)
    camera = world.camera(size=(64, 48), watch=(64, 48))
    assert 20 == frames_until_locked(camera)
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
