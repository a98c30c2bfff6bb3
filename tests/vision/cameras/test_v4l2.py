"""USB cameras whose drivers refuse, ignore and vanish."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.pi.webcam import Plug
from vision.cameras.frames import CameraError, LockedSettings
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
