"""A drawn tray as a camera: its frames come at the right times, until it is unplugged."""

import pytest

from vision.cameras.frames import CameraError
from vision.synthetic.camera import SyntheticCamera
from vision.synthetic.tray import SyntheticDie, SyntheticTray


def test_drawn() -> None:
    """A drawn tray gives frames at a camera's rate, each of its clock's moment, until it is unplugged."""
    now = 5.0
    naps = []

    def sleep(seconds: float) -> None:
        nonlocal now
        naps.append(seconds)
        now += seconds

    tray = SyntheticTray((64, 48), seed=1)
    camera = SyntheticCamera(tray, fps=10, clock=lambda: now, sleep=sleep)
    seen = [frame for frame in (camera.read_frame() for _ in range(4)) if frame is not None]
    assert [frame.when for frame in seen] == pytest.approx([5.0, 5.1, 5.2, 5.3])
    assert naps == pytest.approx([0.1] * 3)
    now += 1.0
    late = camera.read_frame()
    assert late is not None
    assert late.when == pytest.approx(6.3)
    after = camera.read_frame()
    assert after is not None
    assert after.when == pytest.approx(6.3), "one frame is due at once"
    assert camera.read_frame() is not None
    assert now == pytest.approx(6.4), "but what was missed is not made up for"
    tray.unplug_camera()
    with pytest.raises(CameraError):
        camera.read_frame()
    tray.plug_in_camera()
    tray.place_die(now, SyntheticDie(), 1, 0, 0)
    assert camera.read_frame() is not None
