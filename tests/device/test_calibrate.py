"""`dugout calibrate`, and the same steps while the table plays: from drawn trays, read by a stand-in."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device import calibrate
from device.calibrate import Bench, mean
from device.hands.camera import Camera, _Tap, _Task
from device.hands.sight import Sight
from device.lessons import Lessons
from tests.device.process import Program
from tests.vision.painted import Painted, painted
from vision.drawn import DrawnDie, DrawnTray
from vision.reading import Box, Reading
from vision.settle import State
from vision.sources import Frame, Image, Locks
from vision.tray import load

WHITE = DrawnDie()


class _Reader:
    """Knows what lies in the drawn tray."""

    def __init__(self, scene: DrawnTray) -> None:
        self.scene, self.now = scene, 0.0

    def read(self, frame: Image, inside: Callable[[Box], bool] | None = None) -> Reading:
        dice = self.scene.truth(self.now) or ()
        return Reading(dice, None if dice else "none", 1.0)


class _Source:
    """A drawn tray as a camera that never waits; `acts` happen when so many frames were read. Ends after `last`."""

    def __init__(self, scene: DrawnTray, last: int = 10**6, pace: float = 0.04) -> None:
        self.scene, self.last, self.pace, self.number = scene, last, pace, 0
        self.acts: dict[int, Callable[[], None]] = {}
        self.closed = False

    def read(self) -> Frame | None:
        if self.number >= self.last:
            return None
        self.acts.get(self.number, lambda: None)()
        frame = Frame(self.scene.frame(self.number * self.pace), self.number * self.pace, self.number, "drawn")
        self.number += 1
        return frame

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def scene() -> DrawnTray:
    return DrawnTray(seed=4)


def shots(scene: DrawnTray, count: int = 8) -> list[Image]:
    return [scene.frame(0.0) for _ in range(count)]


def outcome(checks: list[Any]) -> dict[str, bool]:
    return {check.name: check.ok for check in checks}


# The steps -----------------------------------------------------------------------------------------------------------


def test_an_empty_tray_is_taken(scene: DrawnTray, tmp_path: Path) -> None:
    """All is well: the tray is found, lit and kept; its noise is averaged away."""
    tray, checks = Bench(tmp_path, _Reader(scene)).empty("drawn", shots(scene))
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
    tray, checks = Bench(tmp_path, _Reader(scene)).empty("drawn", shots(scene))
    assert tray is None
    assert not outcome(checks)["empty"]
    assert any("2 dice lie in it" in check.words for check in checks)
    assert load(tmp_path, "drawn", (640, 480)) is None


def test_a_tray_under_a_moving_hand_is_not_taken(scene: DrawnTray, tmp_path: Path) -> None:
    """Movement between the pictures is told."""
    bare = shots(scene, 4)
    scene.hand(0, 5)
    tray, checks = Bench(tmp_path, _Reader(DrawnTray(seed=1))).empty("drawn", [*bare, scene.frame(1), scene.frame(2)])
    assert tray is None
    assert not outcome(checks)["still"]


@pytest.mark.parametrize(("light", "words"), [(0.2, "too dark"), (7.0, "shines back")])
def test_bad_light_is_told_and_yet_kept(scene: DrawnTray, tmp_path: Path, light: float, words: str) -> None:
    """A dark or burnt-out tray fails the check; it is kept, for there may be no other lamp."""
    scene.light = light
    tray, checks = Bench(tmp_path, _Reader(scene)).empty("drawn", shots(scene))
    assert tray is not None
    (check,) = (check for check in checks if check.name == "light")
    assert not check.ok
    assert words in check.words


def test_a_soft_lens_is_told(scene: DrawnTray, tmp_path: Path) -> None:
    """A die without sharp edges fails the check; as it came from the drawn camera it passes."""
    bench = Bench(tmp_path, _Reader(scene))
    tray, _ = bench.empty("drawn", shots(scene))
    assert tray is not None
    scene.lay(0, WHITE, 3, 5, 5, turn=0.5)
    soft = [cv2.GaussianBlur(one, (0, 0), 3).astype(np.uint8, copy=False) for one in shots(scene)]
    assert [outcome(bench.die(tray, pictures)[1])["focus"] for pictures in (shots(scene), soft)] == [True, False]


def test_a_tray_without_an_edge_is_kept_with_its_doubt(tmp_path: Path) -> None:
    """The whole picture serves, and the check says so."""
    scene = DrawnTray(seed=4, rim=0)
    tray, checks = Bench(tmp_path, _Reader(scene)).empty("drawn", shots(scene))
    assert tray is not None
    assert tray.whole
    assert not outcome(checks)["outline"]


def test_one_die_gives_the_scale(scene: DrawnTray, tmp_path: Path) -> None:
    """The die's size is told and kept; no die, or two, are refused."""
    bench = Bench(tmp_path, _Reader(scene))
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
    bench = Bench(tmp_path, _Reader(scene))
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
    calibrate.add(top.add_subparsers(required=True))
    args = top.parse_args(["calibrate", *words])
    return int(args.run(args))


@pytest.fixture
def table(scene: DrawnTray, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, Any]]:
    """A person at the terminal: what they do before each Enter, or what they type."""
    acts: dict[int, Any] = {}
    source = _Source(scene)
    count = [0]

    def entered(words: str) -> str:
        count[0] += 1
        if count[0] > 6:
            raise EOFError
        print(words)
        done = acts.get(count[0], lambda: None)
        return done if isinstance(done, str) else (done() or "")

    monkeypatch.setattr("builtins.input", entered)
    monkeypatch.setattr("device.hands.camera.camera_of", lambda where: source)
    monkeypatch.setattr("vision.reader.Reader", lambda: _Reader(scene))
    monkeypatch.setattr(calibrate, "WARM", 0.0)
    monkeypatch.setattr(calibrate.take, "__defaults__", (0.0, time.monotonic))
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

    class Adjusting(_Source):
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
    monkeypatch.setattr("device.hands.camera.camera_of", lambda where: source)
    monkeypatch.setattr("vision.reader.Reader", lambda: _Reader(scene))
    monkeypatch.setattr(calibrate.take, "__defaults__", (0.3, lambda: next(ticks) / 10))
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
    bench = Bench(tmp_path / "trays", _Reader(scene))
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
    monkeypatch.setattr(reader, "read", _Reader(scene).read)
    monkeypatch.setattr("vision.reader.Reader", lambda: reader)
    learning = Lessons(tmp_path / "trays")
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


# At the table --------------------------------------------------------------------------------------------------------


class _Keeper:
    """Hears what the camera hand says."""

    def __init__(self) -> None:
        self.missing: dict[str, str | None] = {}
        self.told: list[str | None] = []
        self.seen: list[Any] = []
        self.states: list[str] = []

    def miss(self, part: str, words: str | None) -> None:
        if part == "tray" and words != self.missing.get("tray"):
            self.told.append(words)
        self.missing[part] = words

    def saw(self, seen: Any) -> None:
        self.seen.append(seen)

    def watch(self, state: str, words: str) -> None:
        self.states.append(state)


def play(source: _Source, trays: Path | None) -> tuple[_Keeper, Camera]:
    """Let the camera hand watch the source to its end."""
    keeper = _Keeper()
    camera = Camera(keeper, lambda: source, trays=trays)  # type: ignore[arg-type]
    reader = _Reader(source.scene)

    def read(frame: Image, inside: Callable[[Box], bool] | None = None) -> Reading:
        reader.now = source.number * source.pace
        return _Reader.read(reader, frame)

    tap = Sight(type("Reads", (), {"read": staticmethod(read)})(), trays, lambda words: keeper.miss("tray", words))
    camera._sight = tap
    camera._watch(_Tap(source, camera), tap)
    return keeper, camera


@pytest.fixture
def trays(scene: DrawnTray, tmp_path: Path) -> Path:
    """Where the scene's tray is kept."""
    Bench(tmp_path, _Reader(scene)).empty("drawn", shots(scene))
    return tmp_path


def test_a_calibrated_table_reads_at_once(scene: DrawnTray, trays: Path) -> None:
    """With the tray known a throw is read once, and nothing is wrong with the tray."""
    source = _Source(scene, 160)
    source.acts[20] = lambda: scene.throw(20 * source.pace, [WHITE], [5])  # type: ignore[assignment]
    keeper, camera = play(source, trays)
    assert [[die.value for die in seen.dice] for seen in keeper.seen] == [[5]]
    assert [seen.doubt for seen in keeper.seen] == [None]
    assert keeper.told == []
    assert keeper.states.index("empty") < 12
    assert camera.jpeg() is not None


def test_a_die_turned_by_hand_is_told_as_turned(scene: DrawnTray, trays: Path) -> None:
    """A hand that turns the die is heard of, as no throw, and with the doubt; a hand that only passes is not."""
    source = _Source(scene, 380)

    def turn() -> None:
        (thing,) = scene._things
        pose = thing.track.pose(np.inf)
        scene.clear()
        scene.lay(270 * source.pace, WHITE, 6, pose.x, pose.y)

    source.acts[20] = lambda: scene.throw(20 * source.pace, [WHITE], [5])  # type: ignore[assignment]
    source.acts[140] = lambda: scene.hand(140 * source.pace, 1.0)
    source.acts[260] = lambda: scene.hand(260 * source.pace, 1.0)
    source.acts[270] = turn
    keeper, _ = play(source, trays)
    seen = [([die.value for die in seen.dice], seen.doubt, seen.touched) for seen in keeper.seen]
    assert seen == [([5], None, False), ([6], "turned", True)]


def test_without_a_calibration_nothing_is_missed(scene: DrawnTray, tmp_path: Path) -> None:
    """Who never calibrated is not told off, and plays."""
    source = _Source(scene, 160)
    source.acts[20] = lambda: scene.throw(20 * source.pace, [WHITE], [5])  # type: ignore[assignment]
    keeper, _ = play(source, tmp_path)
    assert [[die.value for die in seen.dice] for seen in keeper.seen] == [[5]]
    assert keeper.told == []


def test_another_resolution_is_said_at_the_table(trays: Path) -> None:
    """The tray of another resolution is not used, and the table says what to do."""
    keeper, _ = play(_Source(DrawnTray((320, 240), seed=4), 20), trays)
    assert keeper.told == [
        "The tray was calibrated at 640x480 pixels and the camera now gives 320x240: calibrate again."
    ]


def test_a_moved_tray_is_said_and_doubted(scene: DrawnTray, trays: Path) -> None:
    """The table says that the tray moved, doubts what it reads then, and takes it back when it is put right."""
    source = _Source(scene, 420)
    plain = scene.frame

    def pushed(now: float) -> Image:
        way = np.array([[1, 0, 24], [0, 1, 0]], np.float32)
        size = (640, 480)
        moved = cv2.warpAffine(plain(now), way, size, borderMode=cv2.BORDER_REFLECT)
        return moved.astype(np.uint8, copy=False)

    def push() -> None:
        scene.frame = pushed  # type: ignore[method-assign]

    def back() -> None:
        scene.frame = plain  # type: ignore[method-assign]

    source.acts = {20: push, 250: back}
    source.acts[200] = lambda: scene.throw(200 * source.pace, [WHITE], [5])  # type: ignore[assignment]
    keeper, _ = play(source, trays)
    assert keeper.told == ["The tray or the camera moved: put it back, or calibrate again.", None]
    assert keeper.seen[0].doubt == "moved-tray"


def test_changed_light_is_said(scene: DrawnTray, trays: Path) -> None:
    """The lamp goes out and on again."""
    source = _Source(scene, 420)

    def lamp(light: float) -> Callable[[], None]:
        return lambda: setattr(scene, "light", light)

    source.acts = {20: lamp(0.4), 220: lamp(1.0)}
    keeper, _ = play(source, trays)
    assert keeper.told == ["The light changed: put it back, or calibrate again.", None]


def test_what_happens_beside_the_tray_is_no_throw(tmp_path: Path) -> None:
    """A cup put down beside the tray while dice lie in it does not make them thrown again."""
    scene = DrawnTray(seed=4, rim=30)
    Bench(tmp_path, _Reader(scene)).empty("drawn", shots(scene))
    plain = scene.frame

    def with_cup(now: float) -> Image:
        picture = plain(now)
        cv2.circle(picture, (22, 240), 18, (240, 240, 240), -1)
        return picture

    def put() -> None:
        scene.frame = with_cup  # type: ignore[method-assign]

    source = _Source(scene, 220)
    source.acts = {140: put}
    source.acts[20] = lambda: scene.throw(20 * source.pace, [WHITE], [5])  # type: ignore[assignment]
    keeper, _ = play(source, tmp_path)
    assert [[die.value for die in seen.dice] for seen in keeper.seen] == [[5]]


@pytest.fixture
def live(scene: DrawnTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Camera, _Keeper]]:
    """A camera hand at work on its own thread."""
    monkeypatch.setattr("vision.reader.Reader", lambda: _Reader(scene))
    source = _Source(scene)
    read = source.read

    def slow() -> Frame | None:
        time.sleep(0.004)
        return read()

    source.read = slow  # type: ignore[method-assign]
    keeper = _Keeper()
    camera = Camera(keeper, lambda: source, trays=tmp_path)  # type: ignore[arg-type]
    camera.start()
    until = time.monotonic() + 20
    while camera.jpeg() is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    yield camera, keeper
    camera.stop()


def test_a_camera_that_was_never_met_is_not_called_uncalibrated(
    scene: DrawnTray, trays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unplugged at the start, its tray is not known; once it is there and was shown none, that is said."""
    monkeypatch.setattr("vision.reader.Reader", lambda: _Reader(scene))

    def unplugged() -> _Source:
        raise OSError("There is no camera.")

    keeper = _Keeper()
    camera = Camera(keeper, unplugged, trays=trays)  # type: ignore[arg-type]
    assert not camera.uncalibrated
    camera.start()
    until = time.monotonic() + 20
    while "camera" not in keeper.missing:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not camera.uncalibrated
    camera.stop()
    _, shown = play(_Source(scene, 2), trays)
    assert not shown.uncalibrated
    _, never = play(_Source(scene, 2), trays / "none")
    assert never.uncalibrated


def test_calibrating_while_the_table_plays(live: tuple[Camera, _Keeper], scene: DrawnTray, tmp_path: Path) -> None:
    """Empty tray, die, forget: each step answers with its checks, and the outline is drawn on the live picture."""
    camera, _ = live
    first = camera.calibrate("die")
    assert (first["ok"], first["checks"][0]["words"]) == (False, "First take the empty tray.")
    taken = camera.calibrate("empty")
    assert (taken["step"], taken["ok"]) == ("empty", True)
    assert load(tmp_path, "drawn", (640, 480)) is not None
    shown = cv2.imdecode(np.frombuffer(camera.jpeg() or b"", np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    cyan = (shown[..., 0] > 170) & (shown[..., 1] > 150) & (shown[..., 2] < 130)
    assert cyan.sum() > 500
    scene.lay(0, WHITE, 3, 0, 0)
    assert camera.calibrate("die")["ok"]
    kept = load(tmp_path, "drawn", (640, 480))
    assert kept is not None
    assert kept.scale is not None
    assert camera.calibrate("forget")["ok"]
    assert load(tmp_path, "drawn", (640, 480)) is None
    with pytest.raises(ValueError, match="no step 'dance'"):
        camera.calibrate("dance")


def test_the_camera_is_locked_anew_for_the_empty_tray(scene: DrawnTray, tmp_path: Path) -> None:
    """A calibration lets the camera adjust itself to the light first, and keeps what it holds for the next start."""

    class Locked(_Source):
        def __init__(self) -> None:
            super().__init__(scene, 60)
            self.locks: Locks | None = {"exposure": (10.0, 1.0)}
            self.told: list[Locks | None] = []

        def lock(self, kept: Locks | None) -> None:
            self.told.append(kept)
            self.locks = kept
            self.acts[self.number + 20] = lambda: setattr(self, "locks", {"exposure": (90.0, 2.0), "focus": None})

    source = Locked()
    camera = Camera(_Keeper(), lambda: source, trays=tmp_path)  # type: ignore[arg-type]
    sight = Sight(_Reader(scene), tmp_path, lambda words: None)
    task = _Task("empty")
    source.acts[10] = lambda: setattr(camera, "_task", task)
    camera._watch(_Tap(source, camera), sight)
    assert source.told == [None]
    assert task.result is not None
    held = {check["name"]: check["ok"] for check in task.result["checks"]}
    assert (held["exposure"], held["focus"]) == (True, False)
    again = Locked()
    camera._watch(_Tap(again, camera), sight)
    assert again.told == [{"exposure": (90.0, 2.0), "focus": None}]


def test_a_tray_that_is_not_taken_leaves_the_camera_as_it_was(scene: DrawnTray, trays: Path) -> None:
    """What the camera found with a die in view is not held: the tray that stays was seen with other values."""

    class Locked(_Source):
        def __init__(self) -> None:
            super().__init__(scene, 60)
            self.locks: Locks | None = None
            self.told: list[Locks | None] = []

        def lock(self, kept: Locks | None) -> None:
            self.told.append(kept)
            self.locks = {"exposure": (90.0, 2.0)} if kept is None else kept

    held: Locks = {"exposure": (10.0, 1.0)}
    Bench(trays, _Reader(scene)).empty("drawn", shots(scene), held)
    scene.lay(0, WHITE, 2, 30, 30)
    source = Locked()
    camera = Camera(_Keeper(), lambda: source, trays=trays)  # type: ignore[arg-type]
    task = _Task("empty")
    source.acts[10] = lambda: setattr(camera, "_task", task)
    camera._watch(_Tap(source, camera), Sight(_Reader(scene), trays, lambda words: None))
    assert task.result is not None
    assert not task.result["ok"]
    assert source.told == [held, None, held]


def test_a_lost_camera_ends_the_step(live: tuple[Camera, _Keeper], scene: DrawnTray) -> None:
    """Who waits for a step is told that the camera went."""
    camera, keeper = live
    scene.unplug()
    until = time.monotonic() + 20
    while "camera" not in keeper.missing or keeper.missing["camera"] is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert camera.calibrate("empty")["checks"][0]["words"] == "There is no camera picture."


def test_the_drift_watch_is_left_alone_while_things_move(scene: DrawnTray, trays: Path) -> None:
    """Only still frames are compared, and not more than one a second."""
    looks: list[float] = []
    sight = Sight(_Reader(scene), trays, lambda words: None)
    frame = Frame(scene.frame(0), 0.0, 0, "drawn")
    sight.meet(frame)

    class Seen:
        def see(self, picture: Image, when: float) -> None:
            looks.append(when)

    sight._drift = Seen()  # type: ignore[assignment]
    for number in range(100):
        state = State.MOVING if number < 50 else State.SETTLED
        sight.look(Frame(frame.picture, number / 25, number, "drawn"), state)
    assert looks == [2.0, 3.0]


def test_the_demo_calibrates_from_the_page(tmp_path: Path) -> None:
    """The whole way: the operator's page asks, the running table looks, and the data folder keeps it."""
    with Program(tmp_path, command="demo") as program:
        until = time.monotonic() + 40
        while program.view()["watching"]["state"] not in ("empty", "unsure"):
            assert time.monotonic() < until
            time.sleep(0.1)
        health = {part["part"]: part["words"] for part in program.client.get("/api/health").json()}
        assert health["tray"].startswith("Not calibrated yet: the whole picture counts as the tray.")
        assert health["learning"] == "Nothing learned yet."
        assert program.view()["missing"] == [], "nobody who plays is told off"
        taken = program.post("calibrate", step="empty").json()
        assert taken["ok"], taken
        assert next(tmp_path.rglob("tray.json")).parent.name == "drawn-640x480"
        health = {part["part"]: part["ok"] for part in program.client.get("/api/health").json()}
        assert health["tray"]
        forgotten = program.post("calibrate", step="forget").json()
        assert [check["words"] for check in forgotten["checks"]] == [
            "The calibration is deleted.",
            "There was nothing learned.",
        ]
        assert not list(tmp_path.rglob("tray.json"))
