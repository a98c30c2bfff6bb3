"""`dugout calibrate`: the guided steps on the terminal, and its exit status."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.inputs import calibration, corrections, teaching
from device.inputs.calibration import Calibrator
from tests.device.inputs.scenes import WHITE, Filmed, Knowing, shots
from tests.device.inputs.test_corrections import die, met, seen
from vision.cameras.frames import Frame, LockedSettings
from vision.synthetic.tray import SyntheticTray
from vision.tray.outline import Tray
from vision.tray.saved_trays import load_tray


@pytest.fixture
def scene() -> SyntheticTray:
    return SyntheticTray(seed=4)


def dugout(*words: str) -> int:
    return main(["calibrate", *words])


def stored(data: Path) -> Tray:
    tray = load_tray(data / "trays", "drawn", (640, 480))
    assert tray is not None
    return tray


@pytest.fixture
def table(scene: SyntheticTray, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, Any]]:
    """A person at the terminal: what they do before the nth Enter, or what they type."""
    acts: dict[int, Any] = {}
    source = Filmed(scene)
    count = [0]

    def entered(words: str) -> str:
        count[0] += 1
        if count[0] > 6:
            raise EOFError
        print(words)
        done = acts.get(count[0], lambda: None)
        return done if isinstance(done, str) else (done() or "")

    monkeypatch.setattr("builtins.input", entered)
    opened = [0]

    def open_source(where: object, taken: object) -> Filmed:
        opened[0] += 1
        return source

    monkeypatch.setattr("vision.cameras.sources.open_source", open_source)
    monkeypatch.setattr("vision.reader.Reader", lambda *_: Knowing(scene))
    monkeypatch.setattr(calibration, "WARM_UP_S", 0.0)
    monkeypatch.setattr(calibration.capture_pictures, "__defaults__", (0.0, time.monotonic))
    yield acts
    assert source.closed == bool(opened[0]), "where this process opened it at all"


def test_the_guided_way(
    scene: SyntheticTray, table: dict[int, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tray that is not empty is asked for again; then a die gives the scale; both are stored. Then dice are looked at
    until a person says that it is enough."""
    scene.place_die(0, WHITE, 2, 30, 30)
    table[2] = lambda: scene.clear_tray()
    table[3] = lambda: scene.place_die(0, WHITE, 3, 0, 0)
    table[4] = lambda: scene.place_die(0, WHITE, 5, 30, 0)
    table[5] = "s"
    assert dugout("--data", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "drawn gives 640x480 pixels." in said
    assert "FAIL  empty: The tray is not empty: there is a die in it; remove it." in said
    assert "pass  outline: It fills" in said
    assert "pass  scale: A 16 mm die is 4" in said
    assert "pass  die: The white die is read: it shows 5. (" in said
    assert stored(tmp_path).scale is not None


def test_the_camera_adjusts_to_the_tray_once_it_is_empty(
    scene: SyntheticTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It locks with neither dice nor hands in view, and no picture is taken while it still adjusts."""

    class Adjusting(Filmed):
        locks: LockedSettings | None = None
        advice: str | None = None
        since = 0

        def lock_settings(self, kept: LockedSettings | None) -> None:
            self.locks, self.since = kept, 0

        def read_frame(self) -> Frame | None:
            self.since += 1
            if self.locks is None and self.since >= 20:
                self.locks = {"exposure": (float(len(scene.ground_truth(0) or ())), 1.0)}
            scene.light = 0.2 if self.locks is None else 1.0
            return super().read_frame()

    def entered(words: str) -> str:
        scene.clear_tray()
        return "s"

    ticks = iter(range(10**6))
    source = Adjusting(scene)
    monkeypatch.setattr("builtins.input", entered)
    monkeypatch.setattr("vision.cameras.sources.open_source", lambda where, taken: source)
    monkeypatch.setattr("vision.reader.Reader", lambda *_: Knowing(scene))
    monkeypatch.setattr(calibration.capture_pictures, "__defaults__", (0.3, lambda: next(ticks) / 10))
    scene.place_die(0, WHITE, 2, 30, 30)
    assert dugout("--data", str(tmp_path)) == 0
    assert stored(tmp_path).locks == {"exposure": (0.0, 1.0)}


def test_the_scale_may_be_skipped(table: dict[int, Any], tmp_path: Path) -> None:
    table[2] = table[3] = "s"
    assert dugout("--data", str(tmp_path)) == 0
    assert stored(tmp_path).scale is None


def test_a_failed_check_shows_in_the_status(scene: SyntheticTray, table: dict[int, Any], tmp_path: Path) -> None:
    scene.light = 0.2
    table[2] = table[3] = "s"
    assert dugout("--data", str(tmp_path)) == 1


def test_nobody_at_the_terminal(
    scene: SyntheticTray, table: dict[int, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.place_die(0, WHITE, 2, 30, 30)
    assert dugout("--data", str(tmp_path)) == 2
    assert "run it in a terminal, where someone can press Enter" in capsys.readouterr().err


def test_no_camera(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dugout("--data", str(tmp_path), "--camera", "/dev/video77") == 2
    assert "There is no camera at /dev/video77" in capsys.readouterr().err


def test_forgetting(scene: SyntheticTray, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Calibrator(tmp_path / "trays", Knowing(scene))
    for camera in ("/dev/video0", "picamera2", "/dev/video2"):
        bench.store_empty_tray(camera, shots(scene, 1))
    assert dugout("--data", str(tmp_path), "--forget", "--camera", "0") == 0
    assert dugout("--data", str(tmp_path), "--forget") == 0
    assert dugout("--data", str(tmp_path), "--forget") == 0
    said = ["1 calibration deleted.", "2 calibrations deleted.", "0 calibrations deleted."]
    assert capsys.readouterr().out.splitlines() == said
    assert not (tmp_path / "trays").exists()


def test_lessons_are_reported_and_deleted(
    scene: SyntheticTray, table: dict[int, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Storing the tray says what was learned from corrections; forgetting reports what is deleted."""
    trays, size = tmp_path / "trays", (640, 480)
    teaching.save_die(teaching.taught_dice_folder(trays, "drawn", size), die())
    learning, _ = met(corrections.corrections_folder(trays, "drawn", size))
    learning.record_roll(1, 0, [4], seen(3))
    learning.learn_recorded_rolls()
    table[2] = table[3] = "s"
    assert dugout("--data", str(tmp_path)) == 0
    said = capsys.readouterr().out.splitlines()
    assert "Saved. The table loads it when it starts." in said
    assert said[-2:] == ["Learned from 1 correction.", "Taught: mine (as a d6)."]
    assert dugout("--data", str(tmp_path), "--forget", "--camera", "other") == 0
    assert dugout("--data", str(tmp_path), "--forget", "--camera", "drawn") == 0
    said = ["0 calibrations deleted.", "1 calibration deleted. 1 correction is deleted. 1 taught die is deleted."]
    assert capsys.readouterr().out.splitlines() == said


def test_the_sheet_is_a_page_of_a4(tmp_path: Path) -> None:
    """One page, 210 by 297 mm: 595 by 842 points."""
    file = tmp_path / "sheet.pdf"
    assert dugout("--sheet", str(file)) == 0
    data = file.read_bytes()
    assert data.startswith(b"%PDF")
    (box,) = (line for line in data.split(b"\n") if b"/MediaBox" in line)
    left, bottom, right, top = (float(number) for number in box.split(b"[")[1].split(b"]")[0].split())
    assert (left, bottom) == (0, 0)
    assert right == pytest.approx(595.3, abs=1)
    assert top == pytest.approx(841.9, abs=1)
    assert dugout("--sheet", str(tmp_path / "no" / "where.pdf")) == 2
