"""USB cameras whose drivers refuse, ignore and vanish."""

import logging
import os
import struct
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pi.webcam import Plug
from vision.cameras import v4l2
from vision.cameras.frames import CameraError, LockedSettings
from vision.cameras.opencv import silence_opencv
from vision.cameras.sources import open_source
from vision.cameras.v4l2 import V4l2Camera


class World:
    """A camera that makes a picture every `pace` seconds on a clock of its own."""

    def __init__(self) -> None:
        self.now, self.pace = 0.0, 0.5
        self.plug = Plug(self.tick)

    def tick(self) -> None:
        self.now += self.pace

    def camera(self, fps: float = 10) -> V4l2Camera:
        return V4l2Camera("/dev/null", fps=fps, clock=lambda: self.now)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World()
    monkeypatch.setattr(cv2, "VideoCapture", world.plug.capture)
    yield world
    assert world.plug.open == []


def test_missing_camera() -> None:
    for where in (93, "93", "/dev/video93"):
        with pytest.raises(CameraError, match=r"There is no camera at /dev/video93: is it plugged in\?"):
            open_source(where)


def test_a_camera_that_may_not_be_opened(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to do, and differs from the error for a camera in use by another program."""
    world.plug.plugged = False
    with pytest.raises(CameraError, match="/dev/null cannot be opened: another program may be using it"):
        world.camera()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CameraError, match="No permission to use the camera at /dev/null"):
        world.camera()


def test_pictures_have_the_clocks_time(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """No picture waits, and the camera's actual format is logged."""
    caplog.set_level(logging.INFO)
    world.plug.size = (320, 240)
    camera = world.camera()
    first, second = camera.read_frame(), camera.read_frame()
    assert first is not None
    assert second is not None
    assert [(0.5, 0), (1.0, 1)] == [(frame.when, frame.number) for frame in (first, second)]
    assert 1 == world.plug.wishes[cv2.CAP_PROP_BUFFERSIZE]
    assert "/dev/null gives 320x240 of MJPG, 10 a second." in caplog.text
    camera.close()


@pytest.mark.parametrize(("rate", "often"), [(60, 10), (30, 10), (20, 10), (15, 10), (10, 10), (9, 9), (5, 5)])
def test_frames_of_a_fast_camera_are_skipped_undecoded(world: World, rate: int, often: int) -> None:
    """Ten pictures a second are decoded, evenly spaced; from a slower camera, all."""
    world.pace = 1 / rate
    camera = world.camera()
    seen = []
    while world.now < 10:
        frame = camera.read_frame()
        assert frame is not None
        seen.append(frame.when)
    assert len(seen) == pytest.approx(10 * often, abs=2)
    assert len(seen) == world.plug.calls.count("retrieve")
    assert max(np.diff(seen)) <= 1 / often + 1 / rate
    camera.close()


def test_a_camera_that_is_a_little_late_loses_nothing(world: World) -> None:
    """Its pictures come ten times a second on average, and never exactly on time."""
    camera = world.camera()
    for number in range(100):
        world.pace = 0.1 + (0.015 if number % 2 else -0.015)
        camera.read_frame()
    assert 100 == world.plug.calls.count("grab")
    camera.close()


@pytest.mark.parametrize("where", ["grab", "retrieve"])
def test_a_camera_that_is_unplugged(world: World, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture, an empty one and an OpenCV error all give the same error message."""
    camera = world.camera()
    camera.read_frame()
    world.plug.dies = len(world.plug.calls) + ("grab", "retrieve").index(where)
    with pytest.raises(CameraError, match="/dev/null stopped answering: check its plug"):
        camera.read_frame()
    world.plug.plug()
    world.plug.picture = lambda: np.zeros((0, 0, 3), np.uint8)
    with pytest.raises(CameraError, match="/dev/null stopped answering: check its plug"):
        camera.read_frame()

    def throws() -> None:
        raise cv2.error("torn")

    world.plug.tick = throws
    with pytest.raises(CameraError, match="/dev/null stopped answering: check its plug"):
        camera.read_frame()
    camera.close()


LOCKED: LockedSettings = {"exposure": (157.0, 12.0), "white balance": (4600.0,), "focus": (30.0,)}


@pytest.mark.parametrize(
    ("broken", "locks"),
    [
        ({}, LOCKED),
        ({cv2.CAP_PROP_AUTO_EXPOSURE: "ignored"}, {**LOCKED, "exposure": None}),
        ({cv2.CAP_PROP_AUTO_EXPOSURE: "no"}, {**LOCKED, "exposure": None}),
        ({cv2.CAP_PROP_AUTO_WB: "no"}, {**LOCKED, "white balance": None}),
        ({cv2.CAP_PROP_AUTO_WB: "nought"}, {**LOCKED, "white balance": None}),
        ({cv2.CAP_PROP_GAIN: "no"}, {**LOCKED, "exposure": (157.0, -1.0)}),
        ({cv2.CAP_PROP_AUTOFOCUS: "no"}, {key: LOCKED[key] for key in ("exposure", "white balance")}),
    ],
    ids=["all", "stuck", "no exposure", "no balance", "answers 0", "no gain", "fixed lens"],
)
def test_camera_locks(world: World, broken: dict[int, str], locks: LockedSettings) -> None:
    """After two seconds the automatic settings are off, and those the driver would not switch off are known."""
    world.plug.broken = broken
    camera = world.camera()
    for _ in range(4):
        camera.read_frame()
        assert not camera.locks
    assert 1 == world.plug.wishes[cv2.CAP_PROP_AUTO_WB], "it may have been left locked by another program"
    camera.read_frame()
    assert locks == camera.locks
    camera.lock_settings(None)
    assert not camera.locks
    camera.close()


def test_camera_holds_stored_settings(world: World) -> None:
    """Calibrated values are set again at once; a value that the driver ignores is not reported as held."""
    kept: LockedSettings = {"exposure": (80.0, 3.0), "white balance": (5200.0,), "focus": None}
    world.plug.broken = {cv2.CAP_PROP_WB_TEMPERATURE: "ignored"}
    camera = world.camera()
    camera.lock_settings(kept)
    assert {"exposure": (80.0, 3.0), "white balance": None, "focus": (30.0,)} == camera.locks
    assert 1 == world.plug.wishes[cv2.CAP_PROP_AUTO_WB], "it goes on by itself instead"
    camera.close()


def hunting(world: World, until: float) -> None:
    """Let the lens sweep to and fro until that time, and rest at 40 then. It is sharpest at 40."""
    grain = np.random.default_rng(0).integers(0, 255, (48, 64, 3), np.uint8)

    def picture() -> NDArray[np.uint8]:
        lens = 40.0 if world.now >= until else 40 + 30 * np.sin(4 * world.now)
        world.plug.now[cv2.CAP_PROP_FOCUS] = round(lens)
        return np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.5 + abs(lens - 40) / 10), np.uint8)

    world.pace, world.plug.picture = 0.1, picture


@pytest.mark.parametrize(("until", "locked"), [(0.0, 2.0), (3.1, 4.2)])
def test_a_hunting_lens_is_not_locked(world: World, until: float, locked: float) -> None:
    """It is locked once it rests."""
    hunting(world, until)
    camera = world.camera()
    while camera.locks is None:
        camera.read_frame()
    assert locked == pytest.approx(world.now, abs=0.21)
    assert camera.advice is None
    assert (40.0,) == camera.locks["focus"]
    camera.close()


def test_a_lens_that_never_rests(world: World) -> None:
    """After five seconds it is held where the picture was sharpest, and the advice says so."""
    hunting(world, 1e9)
    camera = world.camera()
    while camera.locks is None:
        camera.read_frame()
    assert world.now < 5.5
    assert camera.locks["focus"] is not None
    assert 40 == pytest.approx(camera.locks["focus"][0], abs=4)
    assert (camera.advice or "").startswith("The lens keeps searching for focus, so it stays where")
    camera.lock_settings(None)
    assert camera.advice is None
    camera.close()


@pytest.mark.parametrize(("hz", "exposure"), [(50, 200.0), (60, 166.66)])
def test_a_lamp_that_flickers(world: World, hz: int, exposure: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver gets the mains frequency that helps, and the exposure time is locked at a multiple of it."""
    told: list[tuple[int, int]] = []

    def control(device: int, request: int, data: bytes) -> None:
        assert v4l2.VIDIOC_S_CTRL == request
        told.append(struct.unpack("Ii", data))

    def picture() -> NDArray[np.uint8]:
        right = told and told[-1][1] == {50: 1, 60: 2}[hz]
        waves = np.sin(2 * np.pi * (2 * np.arange(48) / 48 + 0.37 * 2 * hz * world.now))
        rows = 90 * (1 + (0 if right else 0.4) * waves)
        return np.repeat(np.repeat(rows[:, None, None], 64, 1), 3, 2).round().astype(np.uint8)

    monkeypatch.setattr(v4l2, "ioctl", control)
    world.pace, world.plug.picture = 0.1, picture
    camera = world.camera()
    while camera.locks is None:
        camera.read_frame()
    assert (0x00980918, {50: 1, 60: 2}[hz]) == told[-1]
    assert camera.locks["exposure"] is not None
    assert exposure == pytest.approx(camera.locks["exposure"][0])
    assert camera.advice is None
    camera.close()


def test_a_driver_without_power_line_frequency(world: World) -> None:
    """`/dev/null` has no controls: nothing is raised."""
    v4l2.set_power_line_frequency("/dev/null", 10_000)
    v4l2.set_power_line_frequency("/dev/video93", 8_333)


def damaged_jpeg(kind: str) -> bytes:
    """Return a JPEG with extra bytes before a restart marker, or without one."""
    grain = np.random.default_rng(0).integers(0, 255, (48, 64, 3), np.uint8)
    data = cv2.imencode(".jpg", cv2.GaussianBlur(grain, (0, 0), 3), [cv2.IMWRITE_JPEG_RST_INTERVAL, 1])[1].tobytes()
    at = data.find(b"\xff\xd3")
    broken = {"extra": data[:at] + b"\x12\x34" + data[at:], "scan": data[:at] + data[at + 2 :]}
    return broken[kind]


@pytest.mark.parametrize("kind", ["extra", "scan"])
def test_damaged_frames_are_counted(
    world: World, kind: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """An evening of them is one line in the log at first, then one every ten minutes with their number. libjpeg prints
    nothing."""
    data = np.frombuffer(damaged_jpeg(kind), np.uint8)

    def picture() -> NDArray[np.uint8]:
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    world.pace, world.plug.picture = 1.0, picture
    camera = world.camera()
    for _ in range(3600):
        assert camera.read_frame() is not None
    assert 3600 == camera.damaged_count
    lines = [record.getMessage() for record in caplog.records]
    assert 6 == len(lines)
    assert lines[0].startswith("/dev/null sends damaged pictures, which are read as far as possible: ")
    assert lines[1].startswith("/dev/null sent 600 more damaged pictures in 10 minutes: ")
    assert ("", "") == capfd.readouterr()
    camera.close()


def test_frames_that_cannot_be_decoded_are_skipped(world: World) -> None:
    """A few are; a camera that sends nothing else counts as lost."""
    good, count = world.plug.picture, 0

    def picture() -> NDArray[np.uint8]:
        nonlocal count
        count += 1
        return good() if count % 4 == 0 else np.zeros((0, 0, 3), np.uint8)

    world.plug.picture = picture
    camera = world.camera()
    assert [0, 1, 2] == [frame.number for _ in range(3) if (frame := camera.read_frame()) is not None]
    world.plug.picture = lambda: np.zeros((0, 0, 3), np.uint8)
    with pytest.raises(CameraError, match="stopped answering"):
        camera.read_frame()
    camera.close()


def test_other_threads_may_print_meanwhile(capfd: pytest.CaptureFixture[str]) -> None:
    """What they write to standard error while a damaged picture is decoded comes through."""
    data = np.frombuffer(damaged_jpeg("extra"), np.uint8)
    with silence_opencv() as messages:
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        os.write(2, b"WARNING dugout: another thread\n")
    assert 1 == len(messages)
    assert messages[0].startswith("Corrupt JPEG data: ")
    assert "WARNING dugout: another thread\n" == capfd.readouterr().err
