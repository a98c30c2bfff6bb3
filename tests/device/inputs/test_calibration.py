"""`dugout calibrate`, step by step and as a command: from drawn trays, read by a stand-in."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.inputs import calibration
from device.inputs.calibration import Calibrator, mean
from device.inputs.roll_samples import RollSamples
from tests.device.inputs.scenes import WHITE, Filmed, Knowing, shots
from tests.vision.painted import Painted, painted
from vision.cameras.frames import Frame, Locks
from vision.drawn.tray import DrawnTray
from vision.tray.saved import load


@pytest.fixture
def scene() -> DrawnTray:
    return DrawnTray(seed=4)


def outcome(checks: list[Any]) -> dict[str, bool]:
    return {check.name: check.ok for check in checks}


# The steps -----------------------------------------------------------------------------------------------------------


def test_an_empty_tray_is_taken(scene: DrawnTray, tmp_path: Path) -> None:
    """All is well: the tray is found, lit and kept; its noise is averaged away."""
    tray, checks = Calibrator(tmp_path, Knowing(scene)).empty("drawn", shots(scene))
    assert outcome(checks) == dict.fromkeys(("still", "empty", "outline", "light", "focus"), True)
    kept = load(tmp_path, "drawn", (640, 480))
    assert tray is not None
    assert kept is not None
    assert np.array_equal(kept.empty, tray.empty)
    assert kept.light == pytest.approx(55, abs=15)


def test_the_mean_loses_noise() -> None:
    """Eight noisy pictures make one with a third of the noise."""
    rng = np.random.default_rng(1)
    noisy = [np.clip(rng.normal(100, 12, (50, 50, 3)), 0, 255).astype(np.uint8) for _ in range(8)]
    assert mean(noisy).std() < 0.45 * noisy[0].std()
    assert mean(noisy[:1]) is noisy[0]


def test_a_tray_with_dice_is_not_taken(scene: DrawnTray, tmp_path: Path) -> None:
    """What is not empty is not kept, and says why."""
    scene.throw(-9, [WHITE, WHITE])
    tray, checks = Calibrator(tmp_path, Knowing(scene)).empty("drawn", shots(scene))
    assert tray is None
    assert not outcome(checks)["empty"]
    assert any("2 dice lie in it" in check.words for check in checks)
    assert load(tmp_path, "drawn", (640, 480)) is None


def test_a_tray_under_a_moving_hand_is_not_taken(scene: DrawnTray, tmp_path: Path) -> None:
    """Movement between the pictures is told."""
    bare = shots(scene, 4)
    scene.hand(0, 5)
    tray, checks = Calibrator(tmp_path, Knowing(DrawnTray(seed=1))).empty(
        "drawn", [*bare, scene.frame(1), scene.frame(2)]
    )
    assert tray is None
    assert not outcome(checks)["still"]


@pytest.mark.parametrize(("light", "words"), [(0.2, "too dark"), (7.0, "shines back")])
def test_bad_light_is_told_and_yet_kept(scene: DrawnTray, tmp_path: Path, light: float, words: str) -> None:
    """A dark or burnt-out tray fails the check; it is kept, for there may be no other lamp."""
    scene.light = light
    tray, checks = Calibrator(tmp_path, Knowing(scene)).empty("drawn", shots(scene))
    assert tray is not None
    (check,) = (check for check in checks if check.name == "light")
    assert not check.ok
    assert words in check.words


def test_a_soft_lens_is_told(scene: DrawnTray, tmp_path: Path) -> None:
    """A die without sharp edges fails the check; as it came from the drawn camera it passes."""
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.empty("drawn", shots(scene))
    assert tray is not None
    scene.lay(0, WHITE, 3, 5, 5, turn=0.5)
    soft = [cv2.GaussianBlur(one, (0, 0), 3).astype(np.uint8, copy=False) for one in shots(scene)]
    assert [outcome(bench.die(tray, pictures)[1])["focus"] for pictures in (shots(scene), soft)] == [True, False]


def test_a_tray_without_an_edge_is_kept_with_its_doubt(tmp_path: Path) -> None:
    """The whole picture serves, and the check says so."""
    scene = DrawnTray(seed=4, rim=0)
    tray, checks = Calibrator(tmp_path, Knowing(scene)).empty("drawn", shots(scene))
    assert tray is not None
    assert tray.whole
    assert not outcome(checks)["outline"]


def test_one_die_gives_the_scale(scene: DrawnTray, tmp_path: Path) -> None:
    """The die's size is told and kept; no die, or two, are refused."""
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.empty("drawn", shots(scene))
    assert tray is not None
    same, checks = bench.die(tray, shots(scene))
    assert same is tray
    assert outcome(checks) == {"scale": False}
    scene.lay(0, WHITE, 3, 5, 5, turn=0.5)
    measured, checks = bench.die(tray, shots(scene))
    assert outcome(checks) == {"scale": True, "focus": True}
    assert measured.scale == pytest.approx(2.56, rel=0.1)
    kept = load(tmp_path, "drawn", (640, 480))
    assert kept is not None
    assert kept.scale == measured.scale
    scene.lay(0, WHITE, 3, 60, 5)
    _, checks = bench.die(tray, shots(scene))
    assert "2 dice are seen" in checks[0].words


def test_a_camera_that_hangs_too_high_is_told(tmp_path: Path) -> None:
    """Dice of few pixels fail the check."""
    scene = DrawnTray(seed=4, view=640, height=1200)
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.empty("drawn", shots(scene))
    assert tray is not None
    scene.lay(0, WHITE, 3, 0, 0)
    _, checks = bench.die(tray, shots(scene))
    assert "bring the camera nearer" in checks[0].words
    assert not checks[0].ok


# The command ---------------------------------------------------------------------------------------------------------


def dugout(*words: str) -> int:
    """Run `dugout calibrate` with these words; gives its exit status."""
    top = argparse.ArgumentParser()
    calibration.add(top.add_subparsers(required=True))
    args = top.parse_args(["calibrate", *words])
    return int(args.run(args))


@pytest.fixture
def table(scene: DrawnTray, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, Any]]:
    """A person at the terminal: what they do before each Enter, or what they type."""
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
    monkeypatch.setattr("vision.cameras.sources.open_source", lambda where: source)
    monkeypatch.setattr("vision.reader.Reader", lambda: Knowing(scene))
    monkeypatch.setattr(calibration, "WARM", 0.0)
    monkeypatch.setattr(calibration.take, "__defaults__", (0.0, time.monotonic))
    yield acts
    assert source.closed


def test_the_guided_way(
    scene: DrawnTray, table: dict[int, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tray that is not empty is asked for again; then a die tells the scale; all is kept."""
    scene.lay(0, WHITE, 2, 30, 30)
    table[2] = lambda: scene.clear()
    table[3] = lambda: scene.lay(0, WHITE, 3, 0, 0)
    assert dugout("--data", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "drawn gives 640x480 pixels." in said
    assert "FAIL  empty: This is not an empty tray: a die lies in it; take it out." in said
    assert "pass  outline: It fills" in said
    assert "pass  scale: A die of 16 mm is 4" in said
    kept = load(tmp_path / "trays", "drawn", (640, 480))
    assert kept is not None
    assert kept.scale is not None


def test_the_camera_adjusts_to_the_tray_once_it_is_empty(
    scene: DrawnTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is locked with neither dice nor hands in view, and no picture is taken while it still adjusts."""

    class Adjusting(Filmed):
        locks: Locks | None = None
        since = 0

        def lock(self, kept: Locks | None) -> None:
            self.locks, self.since = kept, 0

        def read(self) -> Frame | None:
            self.since += 1
            if self.locks is None and self.since >= 20:
                self.locks = {"exposure": (float(len(scene.truth(0) or ())), 1.0)}
            scene.light = 0.2 if self.locks is None else 1.0
            return super().read()

    def entered(words: str) -> str:
        scene.clear()
        return "s"

    ticks = iter(range(10**6))
    source = Adjusting(scene)
    monkeypatch.setattr("builtins.input", entered)
    monkeypatch.setattr("vision.cameras.sources.open_source", lambda where: source)
    monkeypatch.setattr("vision.reader.Reader", lambda: Knowing(scene))
    monkeypatch.setattr(calibration.take, "__defaults__", (0.3, lambda: next(ticks) / 10))
    scene.lay(0, WHITE, 2, 30, 30)
    assert dugout("--data", str(tmp_path)) == 0
    kept = load(tmp_path / "trays", "drawn", (640, 480))
    assert kept is not None
    assert kept.locks == {"exposure": (0.0, 1.0)}


def test_the_scale_may_be_skipped(table: dict[int, Any], tmp_path: Path) -> None:
    """Without a die of 16 mm the tray is kept without a scale."""
    table[2] = "s"
    assert dugout("--data", str(tmp_path)) == 0
    kept = load(tmp_path / "trays", "drawn", (640, 480))
    assert kept is not None
    assert kept.scale is None


def test_a_failed_check_shows_in_the_status(scene: DrawnTray, table: dict[int, Any], tmp_path: Path) -> None:
    """Scripts learn of a failure too."""
    scene.light = 0.2
    table[2] = "s"
    assert dugout("--data", str(tmp_path)) == 1


def test_nobody_at_the_terminal(
    scene: DrawnTray, table: dict[int, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal it ends in words."""
    scene.lay(0, WHITE, 2, 30, 30)
    assert dugout("--data", str(tmp_path)) == 2
    assert "nobody is there to press Enter" in capsys.readouterr().err


def test_no_camera(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A camera that is not there is said in a sentence."""
    assert dugout("--data", str(tmp_path), "--camera", "/dev/video77") == 2
    assert "There is no camera at /dev/video77" in capsys.readouterr().err


def test_forgetting(scene: DrawnTray, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One camera's calibration goes, or all."""
    bench = Calibrator(tmp_path / "trays", Knowing(scene))
    for camera in ("/dev/video0", "picamera2", "/dev/video2"):
        bench.empty(camera, shots(scene, 1))
    assert dugout("--data", str(tmp_path), "--forget", "--camera", "0") == 0
    assert dugout("--data", str(tmp_path), "--forget") == 0
    assert dugout("--data", str(tmp_path), "--forget") == 0
    said = ["1 calibration deleted.", "2 calibrations deleted.", "0 calibrations deleted."]
    assert capsys.readouterr().out.splitlines() == said
    assert not (tmp_path / "trays").exists()


def test_what_was_learned_is_said_and_forgotten(
    scene: DrawnTray,
    table: dict[int, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rolls of this camera are judged again when the tray is kept, and that is said first; forgetting says what is
    gone."""
    reader = Painted()
    monkeypatch.setattr(reader, "read", Knowing(scene).read)
    monkeypatch.setattr("vision.reader.Reader", lambda: reader)
    learning = RollSamples(tmp_path / "trays")
    learning.meet("drawn", (640, 480), reader)
    for place in range(60):
        learning.hear(1, place, [3], painted((3, 82)))
        learning.attend()
    table[2] = "s"
    assert dugout("--data", str(tmp_path)) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "Kept. The table takes it up when it starts.",
        "60 rolls are judged again.",
        "Learned from 60 rolls: asks a little less often.",
    ]
    assert dugout("--data", str(tmp_path), "--forget", "--camera", "other") == 0
    assert dugout("--data", str(tmp_path), "--forget", "--camera", "drawn") == 0
    said = ["0 calibrations deleted.", "1 calibration deleted. What 60 rolls taught is forgotten."]
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
