"""Where frames come from, and what is said when they do not."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision import sources
from vision.drawn import DrawnDie, DrawnTray
from vision.sources import CameraError, Drawn, Folder, Frame, PiCamera, Picture, PictureError, Source, Video, source


def frames(opened: Source) -> list[Frame]:
    """All frames of a source, which is then closed."""
    found = list(iter(opened.read, None))
    opened.close()
    return [frame for frame in found if frame is not None]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Six frames at 20 a second, each brighter than the one before."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for step in range(6):
        writer.write(np.full((48, 64, 3), 40 * step, np.uint8))
    writer.release()
    return path


def test_video(film: Path) -> None:
    """A video gives its frames in order, at the times of the film, then None for ever."""
    seen = frames(source(str(film)))
    assert [frame.number for frame in seen] == [0, 1, 2, 3, 4, 5]
    assert [frame.when for frame in seen] == pytest.approx([0, 0.05, 0.1, 0.15, 0.2, 0.25])
    assert [float(frame.full().mean()) for frame in seen] == pytest.approx([0, 40, 80, 120, 160, 200], abs=3)
    video = Video(film)
    assert len(frames(video)) == 6
    assert video.read() is None


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "none.avi", "none.avi is empty"),
        (b"RIFF" + bytes(200), "torn.avi", "torn.avi is damaged"),
        (b"", "none.png", "none.png is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "torn.png", "torn.png is damaged"),
        (b"words", "words.jpg", "words.jpg is damaged, or no picture"),
        (b"words", "words", "words is damaged, or no picture or video"),
    ],
)
def test_damaged_file(tmp_path: Path, data: bytes, name: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    """An empty or damaged file is an error that names it, in one sentence, and OpenCV adds no words of its own."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CameraError, match=reason):
        frames(source(str(tmp_path / name)))
    assert "WARN" not in capfd.readouterr().err


def test_torn_film(film: Path) -> None:
    """A video cut short gives the frames it still has."""
    data = film.read_bytes()
    film.write_bytes(data[: data.rindex(b"\xff\xd8") - 8])
    assert len(frames(source(str(film)))) == 5


def test_torn_picture(tmp_path: Path) -> None:
    """A picture file cut in half is damaged, not half a picture."""
    path = tmp_path / "half.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(PictureError, match=r"half\.jpg is damaged"):
        source(str(path))


def test_missing_files(tmp_path: Path) -> None:
    """What is not there is named, whatever it should have been."""
    for name in ("no.jpg", "no.avi"):
        with pytest.raises(PictureError, match=f"There is no file .*{name}"):
            source(str(tmp_path / name))
    with pytest.raises(CameraError, match="There is no folder"):
        Folder(tmp_path / "no")
    with pytest.raises(CameraError, match="There are no pictures in the folder"):
        source(str(tmp_path))


def test_missing_camera() -> None:
    """A camera that is not plugged in is named by its device."""
    with pytest.raises(CameraError, match=r"There is no camera at /dev/video93"):
        source(93)
    with pytest.raises(CameraError, match=r"There is no camera at /dev/video93"):
        source("/dev/video93")


class _FakeCapture:
    """Stands in for cv2.VideoCapture: two frames, then the plug is pulled."""

    last: _FakeCapture

    def __init__(self, *_: object) -> None:
        _FakeCapture.last = self
        self.left = 2
        self.wishes: dict[int, float] = {}
        self.released = False

    def set(self, key: int, value: float) -> None:
        self.wishes[key] = value

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def read(self) -> tuple[bool, Any]:
        self.left -= 1
        return (True, np.zeros((48, 64, 3), np.uint8)) if self.left >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


def test_camera_unplugged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera gives frames at the clock's time; once it stops answering, that is an error and no frame."""
    monkeypatch.setattr(cv2, "VideoCapture", _FakeCapture)
    ticks = iter([1.0, 1.5])
    camera = sources.Camera("/dev/null", clock=lambda: next(ticks))
    assert [camera.read().when, camera.read().when] == [1.0, 1.5]  # type: ignore[union-attr]
    with pytest.raises(CameraError, match="/dev/null stopped answering"):
        camera.read()
    camera.close()
    assert _FakeCapture.last.released
    assert _FakeCapture.last.wishes[cv2.CAP_PROP_BUFFERSIZE] == 1


class _Driver(_FakeCapture):
    """A camera's driver: `broken` says which switch it refuses, ignores, or has not ("no"); others work."""

    broken: ClassVar[dict[int, str]] = {}

    def __init__(self, *_: object) -> None:
        super().__init__()
        self.left = 10**6
        self.now = {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0, cv2.CAP_PROP_AUTOFOCUS: 0.0}
        self.now |= {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_GAIN: 12.0}
        self.now |= {cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_FOCUS: 30.0}

    def set(self, key: int, value: float) -> None:
        super().set(key, value)
        if key in self.now and key not in self.broken:
            self.now[key] = value

    def get(self, key: int) -> float:
        return {"no": -1.0, "nought": 0.0}.get(self.broken.get(key, ""), self.now.get(key, -1.0))


def driven(monkeypatch: pytest.MonkeyPatch, broken: dict[int, str]) -> sources.Camera:
    """A camera with such a driver, 0.5 seconds a frame."""
    monkeypatch.setattr(cv2, "VideoCapture", _Driver)
    monkeypatch.setattr(_Driver, "broken", broken)
    ticks = iter(range(100))
    return sources.Camera("/dev/null", clock=lambda: next(ticks) / 2)


LOCKED: sources.Locks = {"exposure": (157.0, 12.0), "white balance": (4600.0,), "focus": (30.0,)}


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
def test_camera_locks(monkeypatch: pytest.MonkeyPatch, broken: dict[int, str], locks: sources.Locks) -> None:
    """After two seconds the automatics are off, and it is known which of them the driver would not switch off."""
    camera = driven(monkeypatch, broken)
    for _ in range(4):
        camera.read()
        assert camera.locks is None
    assert _Driver.last.wishes[cv2.CAP_PROP_AUTO_WB] == 1, "it may have been left locked by another program"
    camera.read()
    assert camera.locks == locks
    camera.lock(None)
    assert camera.locks is None


def test_camera_holds_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was calibrated is set again at once; a value that the driver ignores is not said to be held."""
    kept: sources.Locks = {"exposure": (80.0, 3.0), "white balance": (5200.0,), "focus": None}
    camera = driven(monkeypatch, {cv2.CAP_PROP_WB_TEMPERATURE: "ignored"})
    camera.lock(kept)
    assert camera.locks == {"exposure": (80.0, 3.0), "white balance": None, "focus": (30.0,)}
    assert _Driver.last.wishes[cv2.CAP_PROP_AUTO_WB] == 1, "it goes on by itself instead"


class _FakeRequest:
    """One captured moment, as picamera2 hands it out."""

    def __init__(self, camera: _FakePicamera2, number: int) -> None:
        self.camera, self.number, self.released = camera, number, False

    def make_array(self, name: str) -> np.ndarray[Any, Any]:
        assert not self.released
        self.camera.copied.append((self.number, name))
        if name == "lores":
            # 32 wide, rows padded to 40; 24 rows of brightness, then 12 of colour.
            array = np.zeros((36, 40), np.uint8)
            array[:24, :32] = self.number + 1
            return array
        return np.full((48, 64, 3), self.number + 1, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 9000 + self.number, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9), "Lux": 80}

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.held -= 1


class _FakePicamera2:
    """The part of picamera2's Picamera2 that is used; fails when buffers are kept or calls come out of order."""

    broken: str | None = None
    last: _FakePicamera2

    def __init__(self) -> None:
        if self.broken == "missing":
            raise IndexError("list index out of range")
        _FakePicamera2.last = self
        self.did: list[str] = []
        self.copied: list[tuple[int, str]] = []
        self.controls: list[dict[str, Any]] = []
        self.held = self.count = 0

    def create_video_configuration(self, **wishes: Any) -> dict[str, Any]:
        return wishes

    def configure(self, wishes: dict[str, Any]) -> None:
        assert wishes["main"] == {"size": (64, 48), "format": "RGB888"}
        assert wishes["lores"] == {"size": (32, 24), "format": "YUV420"}
        self.did.append("configure")

    def start(self) -> None:
        if self.broken == "busy":
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.did.append("start")

    def capture_request(self, wait: float) -> _FakeRequest:
        assert self.held == 0, "a buffer was kept"
        if self.broken == "silent":
            raise TimeoutError
        self.held += 1
        self.count += 1
        return _FakeRequest(self, self.count - 1)

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls.append(controls)

    def stop(self) -> None:
        self.did.append("stop")

    def close(self) -> None:
        self.did.append("close")


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[_FakePicamera2]:
    """A picamera2 module with a camera in it."""
    module = types.ModuleType("picamera2")
    module.Picamera2 = _FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(_FakePicamera2, "broken", None)
    return _FakePicamera2


def pi_camera(ticks: list[float]) -> PiCamera:
    """A small Pi camera on a clock that shows these times."""
    clock = iter(ticks)
    return PiCamera((64, 48), (32, 24), clock=lambda: next(clock))


def test_pi_camera(picamera2: type[_FakePicamera2]) -> None:
    """Watching copies only the brightness plane, without its padding; the full frame is of the same moment."""
    camera = pi_camera([0.0, 0.1, 0.2])
    first = camera.read()
    assert first is not None
    assert first.picture.shape == (24, 32)
    assert first.picture.min() == 1
    assert picamera2.last.copied == [(0, "lores")]
    second = camera.read()
    assert second is not None
    assert second.full().shape == (48, 64, 3)
    assert second.full().max() == second.picture.max() == 2
    with pytest.raises(CameraError, match="too late"):
        first.full()
    camera.close()
    assert picamera2.last.held == 0
    assert picamera2.last.did == ["configure", "start", "stop", "close"]


def test_pi_camera_locks_the_light(picamera2: type[_FakePicamera2]) -> None:
    """After two seconds, and only once, exposure and white balance stay as the camera found them."""
    camera = pi_camera([0.0, 0.5, 1.9, 2.0, 2.1])
    for _ in range(4):
        camera.read()
    assert picamera2.last.controls == [
        {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": 9002,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.9),
        }
    ]


def test_pi_camera_holds_what_was_kept(picamera2: type[_FakePicamera2]) -> None:
    """What was calibrated is set again at once; asked to, it adjusts itself anew for two seconds and holds that."""
    camera = pi_camera([0.0, 3.0, 3.0, 4.9, 5.0])
    camera.lock({"exposure": (8000.0, 1.5), "white balance": (1.2, 2.0)})
    held = {"AeEnable": False, "AwbEnable": False, "ExposureTime": 8000, "AnalogueGain": 1.5, "ColourGains": (1.2, 2.0)}
    assert picamera2.last.controls == [held]
    camera.read()
    camera.lock(None)
    camera.read()
    assert camera.locks is None
    camera.read()
    assert camera.locks == {"exposure": (9002.0, 2.0), "white balance": (1.5, 1.9)}


@pytest.mark.parametrize(
    ("broken", "reason"), [("missing", "No Pi camera answers"), ("busy", "another program"), ("silent", "ribbon cable")]
)
def test_pi_camera_fails(
    picamera2: type[_FakePicamera2], monkeypatch: pytest.MonkeyPatch, broken: str, reason: str
) -> None:
    """A Pi camera that is missing, busy or falls silent is an error in words."""
    monkeypatch.setattr(picamera2, "broken", broken)
    with pytest.raises(CameraError, match=reason):
        pi_camera([0.0, 0.1]).read()


def test_no_picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where picamera2 is not installed, it is said how to install it."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        source("picamera2")


@pytest.mark.parametrize(
    "picture",
    [
        np.full((20, 30), 128, np.uint8),
        np.full((20, 30), 128 * 257, np.uint16),
        np.full((20, 30, 3), 128 * 257, np.uint16),
        np.full((20, 30, 4), 128, np.uint8),
        np.full((20, 30, 4), 128 * 257, np.uint16),
    ],
    ids=["grey", "grey 16", "colour 16", "alpha", "alpha 16"],
)
def test_odd_pictures(tmp_path: Path, picture: np.ndarray[Any, Any]) -> None:
    """Grey, 16-bit and transparent pictures come as colour bytes."""
    cv2.imwrite(str(tmp_path / "odd.png"), picture)
    (frame,) = frames(Picture(tmp_path / "odd.png"))
    assert frame.picture.dtype == np.uint8
    assert frame.picture.shape == (20, 30, 3)
    assert {128} == set(frame.picture.ravel().tolist())


def test_folder(tmp_path: Path) -> None:
    """A folder gives its pictures by path, those in folders too; a damaged one is named, then passed."""
    (tmp_path / "more").mkdir()
    for name in ("b.png", "a.JPG", "more/c.png", ".hidden.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "aa.png").write_bytes(b"torn")
    folder = Folder(tmp_path)
    seen: list[str | None] = []
    for _ in range(5):
        try:
            frame = folder.read()
        except PictureError as error:
            seen.append(str(error))
        else:
            seen.append(None if frame is None else Path(frame.name).name)
    assert seen == ["a.JPG", f"{tmp_path / 'aa.png'} is damaged, or no picture.", "b.png", "c.png", None]


def test_picture_by_its_bytes(tmp_path: Path) -> None:
    """A picture without an ending is known by its first bytes."""
    cv2.imwrite(str(tmp_path / "photo.png"), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "photo.png").rename(tmp_path / "photo")
    assert isinstance(source(str(tmp_path / "photo")), Picture)


def test_drawn() -> None:
    """A drawn tray gives frames at the rate of a camera, of its clock's moment, until it is unplugged."""
    now = 5.0
    naps = []

    def sleep(seconds: float) -> None:
        nonlocal now
        naps.append(seconds)
        now += seconds

    tray = DrawnTray((64, 48), seed=1)
    camera = Drawn(tray, fps=10, clock=lambda: now, sleep=sleep)
    seen = [frame for frame in (camera.read() for _ in range(4)) if frame is not None]
    assert [frame.when for frame in seen] == pytest.approx([5.0, 5.1, 5.2, 5.3])
    assert naps == pytest.approx([0.1] * 3)
    now += 1.0
    late = camera.read()
    assert late is not None
    assert late.when == pytest.approx(6.3)
    after = camera.read()
    assert after is not None
    assert after.when == pytest.approx(6.3), "one frame is due at once"
    assert camera.read() is not None
    assert now == pytest.approx(6.4), "but what was missed is not made up for"
    tray.unplug()
    with pytest.raises(CameraError):
        camera.read()
    tray.plug()
    tray.lay(now, DrawnDie(), 1, 0, 0)
    assert camera.read() is not None


def test_opencv_is_imported_late() -> None:
    """The command line, the web and the engine start without OpenCV: it takes seconds on a Pi."""
    code = "import sys, engine, web, device.read; sys.exit('cv2' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2]).returncode == 0
