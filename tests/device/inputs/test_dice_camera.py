"""The dice camera at the table, and its calibration during a game, with drawn trays and a fake reader."""

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.inputs.calibration import Calibrator, PicturePoint
from device.inputs.dice_camera import DiceCamera, _CalibrationTask, _FrameFeed
from device.inputs.tray_view import TrayReader
from device.storage.roll_pictures import jpeg_comment
from engine.views import json_data
from tests.device.inputs.scenes import WHITE, Filmed, Knowing, StandIn, shots
from tests.device.process import Program
from vision.cameras.frames import Frame, Image, LockedSettings
from vision.dice.floor import CameraPose
from vision.reading import PixelBox, Reading
from vision.synthetic.tray import SyntheticTray
from vision.tray.motion import TrayState
from vision.tray.saved_trays import load_tray


@pytest.fixture
def scene() -> SyntheticTray:
    return SyntheticTray(seed=4)


class _FakeSession:
    """Records the calls of the dice camera; there is no race."""

    wanted_dice = None
    kinds = frozenset({"d6"})

    def __init__(self) -> None:
        self.game = self.notices = self.rolls = self.race = self
        self.missing: dict[str, str | None] = {}
        self.told: list[str | None] = []
        self.seen: list[Any] = []
        self.states: list[str] = []
        self.until: list[str] = []

    def set_fault(self, part: str, words: str | None) -> None:
        if part == "tray" and words != self.missing.get("tray"):
            self.told.append(words)
        self.missing[part] = words

    def set_resting_dice(self, dice: Any) -> None:
        pass

    def handle_resting_dice(self, reading: Any) -> None:
        pass

    def handle_throw(self, seen: Any) -> None:
        self.seen.append(seen)
        self.until.append(self.states[-1])

    def set_camera_state(self, state: str, words: str, when: float = 0.0) -> None:
        self.states.append(state)


def play(source: Filmed, trays: Path | None) -> tuple[_FakeSession, DiceCamera]:
    session = _FakeSession()
    camera = DiceCamera(session, lambda: source, trays=trays)  # type: ignore[arg-type]
    reader = Knowing(source.scene)

    def read(frame: Image, inside: Callable[[PixelBox], bool] | None = None) -> Reading:
        reader.now = source.number * source.pace
        return Knowing.read_dice(reader, frame)

    tap = TrayReader(
        type("Reads", (StandIn,), {"read_dice": staticmethod(read)})(),
        trays,
        lambda words: session.set_fault("tray", words),
    )
    camera._view = tap
    camera._watch_tray(_FrameFeed(source, camera), tap)
    return session, camera


@pytest.fixture
def trays(scene: SyntheticTray, tmp_path: Path) -> Path:
    Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    return tmp_path


def test_a_calibrated_table_reads_at_once(scene: SyntheticTray, trays: Path) -> None:
    """With a known tray a throw is read once, and nothing is wrong with the tray."""
    source = Filmed(scene, 160).throw(20, 5)
    session, camera = play(source, trays)
    assert [[die.value for die in seen.reading.dice] for seen in session.seen] == [[5]]
    (one,) = session.seen
    assert one.reading.as_json() == json.loads(jpeg_comment(one.picture) or "")
    assert [seen.reading.doubt for seen in session.seen] == [None]
    assert session.told == []
    assert session.states.index("empty") < 12
    assert camera.newest_jpeg() is not None


def test_what_the_dice_taught_is_stored(scene: SyntheticTray, trays: Path) -> None:
    """For the next evening; again when another size is known, and whatever the disk says."""
    reader = StandIn()
    view = TrayReader(reader, trays, lambda words: None)
    source = Filmed(scene)

    def stored() -> Any:
        tray = load_tray(trays, "drawn", (640, 480))
        assert tray is not None
        return tray.place, tray.sizes

    def learn() -> None:
        frame = source.read_frame()
        assert frame is not None
        view._learned = -9.0
        view.learn_if_still(frame, TrayState.SETTLED)

    first = source.read_frame()
    assert first is not None
    view.load_camera_data(first)
    learn()
    assert stored() == (None, {})
    for sizes in ({"d6": (16.1,)}, {"d6": (16.1,), "d20": (20.2,)}):
        reader.learned_geometry = CameraPose(250.0, 0.1), sizes
        learn()
        assert stored() == reader.learned_geometry
    reader.learned_geometry = CameraPose(200.0), {"d6": (16.1,), "d20": (20.2,)}
    learn()
    assert stored() != reader.learned_geometry
    shutil.rmtree(trays)
    trays.write_text("no folder")
    reader.learned_geometry = CameraPose(200.0), {"d6": (19.0,)}
    learn()


@pytest.mark.slow
def test_dice_move_until_they_are_read(scene: SyntheticTray, trays: Path) -> None:
    """Reading takes a moment; "Roll the die" must not come back in it."""
    session, _ = play(Filmed(scene, 160).throw(20, 5), trays)
    assert ["moving"] == session.until
    assert "settled" == session.states[-1]


@pytest.mark.slow
def test_a_die_turned_by_hand_is_reported_as_turned(scene: SyntheticTray, trays: Path) -> None:
    """It is a doubt, not a throw; a hand that only passes is not reported."""
    source = Filmed(scene, 380)

    def turn() -> None:
        (thing,) = scene._things
        pose = thing.track.pose_after(np.inf)
        scene.clear_tray()
        scene.place_die(270 * source.pace, WHITE, 6, pose.x, pose.y)

    source.throw(20, 5)
    source.acts[140] = lambda: scene.show_hand(140 * source.pace, 1.0)
    source.acts[260] = lambda: scene.show_hand(260 * source.pace, 1.0)
    source.acts[270] = turn
    session, _ = play(source, trays)
    seen = [([die.value for die in seen.reading.dice], seen.reading.doubt, seen.touched) for seen in session.seen]
    assert seen == [([5], None, False), ([6], "turned", True)]


@pytest.mark.slow
def test_without_a_calibration_nothing_is_reported_missing(scene: SyntheticTray, tmp_path: Path) -> None:
    source = Filmed(scene, 160).throw(20, 5)
    session, _ = play(source, tmp_path)
    assert [[die.value for die in seen.reading.dice] for seen in session.seen] == [[5]]
    assert session.told == []


def test_another_resolution_is_reported(trays: Path) -> None:
    session, _ = play(Filmed(SyntheticTray((320, 240), seed=4), 20), trays)
    assert session.told == [
        "The tray was calibrated at 640x480 pixels and the camera now gives 320x240: calibrate again."
    ]


def test_a_damaged_calibration_is_ignored(scene: SyntheticTray, trays: Path) -> None:
    """The table names the damaged file and says what to do; dice are read as without a calibration."""
    file = trays / "drawn-640x480" / "tray.json"
    file.write_text('{"camera": "drawn", "size": [Infinity]}')
    source = Filmed(scene, 160).throw(20, 5)
    session, camera = play(source, trays)
    (told,) = session.told
    assert (told or "").startswith(f"The calibration in {file} is damaged: calibrate again.")
    assert camera.is_uncalibrated
    assert [[die.value for die in seen.reading.dice] for seen in session.seen] == [[5]]


def pushed(plain: Callable[[float], Image], far: float) -> Callable[[float], Image]:
    """Return what a camera sees whose picture has shifted by `far` pixels."""

    def frame(now: float) -> Image:
        way = np.array([[1, 0, far], [0, 1, 0]], np.float32)
        moved = cv2.warpAffine(plain(now), way, (640, 480), borderMode=cv2.BORDER_REFLECT)
        return moved.astype(np.uint8, copy=False)

    return frame


@pytest.mark.slow
def test_a_moved_tray_is_reported_and_its_readings_doubted(scene: SyntheticTray, trays: Path) -> None:
    """Part of it is out of sight; the table recovers when it is moved back."""
    source = Filmed(scene, 420)
    plain = scene.render_frame

    def move(frame: Callable[[float], Image]) -> Callable[[], None]:
        return lambda: setattr(scene, "render_frame", frame)

    source.acts = {20: move(pushed(plain, 40)), 250: move(plain)}
    source.throw(200, 5)
    session, _ = play(source, trays)
    assert session.told == ["The tray or the camera moved: put it back, or recalibrate.", None]
    assert session.seen[0].reading.doubt == "moved-tray"


@pytest.mark.slow
def test_a_tray_that_moved_is_found_again(tmp_path: Path) -> None:
    """The warning ends once it is found, what is thrown then counts, and the next evening knows."""
    scene = SyntheticTray(seed=4, rim=30)
    Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    before = load_tray(tmp_path, "drawn", (640, 480))
    source, moved = Filmed(scene, 420), pushed(scene.render_frame, 24)
    source.acts = {20: lambda: setattr(scene, "render_frame", moved)}
    source.throw(280, 5)
    session, _ = play(source, tmp_path)
    assert session.told == ["The tray or the camera moved: put it back, or recalibrate.", None]
    assert [(seen.reading.doubt, [die.value for die in seen.reading.dice]) for seen in session.seen] == [(None, [5])]
    after = load_tray(tmp_path, "drawn", (640, 480))
    assert before is not None
    assert after is not None
    assert np.abs(after.outline.mean(axis=0) - before.outline.mean(axis=0) - (24, 0)).max() < 3


@pytest.mark.slow
def test_changed_light_is_reported(scene: SyntheticTray, trays: Path) -> None:
    source = Filmed(scene, 420)

    def lamp(light: float) -> Callable[[], None]:
        return lambda: setattr(scene, "light", light)

    source.acts = {20: lamp(0.4), 220: lamp(1.0)}
    session, _ = play(source, trays)
    assert session.told == ["The light changed: change it back, or recalibrate.", None]


@pytest.mark.slow
def test_movement_beside_the_tray_is_not_a_throw(tmp_path: Path) -> None:
    """After a cup is put down beside the tray, the dice in it do not count as thrown again."""
    scene = SyntheticTray(seed=4, rim=30)
    Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    plain = scene.render_frame

    def with_cup(now: float) -> Image:
        picture = plain(now)
        cv2.circle(picture, (22, 240), 18, (240, 240, 240), -1)
        return picture

    def put() -> None:
        scene.render_frame = with_cup  # type: ignore[method-assign]

    source = Filmed(scene, 220)
    source.acts = {140: put}
    source.throw(20, 5)
    session, _ = play(source, tmp_path)
    assert [[die.value for die in seen.reading.dice] for seen in session.seen] == [[5]]


def unreadable(scene: SyntheticTray, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no reader see any of the scene's dice."""
    monkeypatch.setattr(Knowing, "read_dice", lambda *_: Reading((), "none", 1.0))


@pytest.mark.parametrize("calibrated", [True, False])
def test_dice_that_nobody_reads_are_offered_with_their_picture(
    scene: SyntheticTray,
    trays: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    calibrated: bool,
) -> None:
    """The session hears of the throw with its doubt, the log too, and the tray does not count as empty."""
    unreadable(scene, monkeypatch)
    caplog.set_level("INFO", "dugout.camera")
    session, camera = play(Filmed(scene, 160).throw(20, 5), trays if calibrated else trays / "none")
    (one,) = session.seen
    assert (one.reading.doubt, one.reading.dice, one.touched) == ("unread", (), False)
    assert one.reading.as_json() == json.loads(jpeg_comment(one.picture) or "")
    assert "A throw is asked about: unread" in caplog.text
    assert camera._last_reading is one.reading
    assert session.states[-1] == "settled"


@pytest.mark.slow
@pytest.mark.parametrize("light", [0.6, 1.5])
def test_switched_light_is_not_offered(
    scene: SyntheticTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, light: float
) -> None:
    unreadable(scene, monkeypatch)
    source = Filmed(scene, 120)
    source.acts[40] = lambda: setattr(scene, "light", light)
    session, _ = play(source, tmp_path)
    assert (session.seen, session.states[-1]) == ([], "empty")


@pytest.mark.slow
def test_a_cup_beside_the_empty_tray_is_not_offered(tmp_path: Path) -> None:
    """What lies outside the calibrated tray is nobody's roll."""
    scene = SyntheticTray(seed=4, rim=30)
    Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    plain = scene.render_frame

    def with_cup(now: float) -> Image:
        picture = plain(now)
        if now > 2:
            cv2.circle(picture, (round(min(30, 400 * (now - 2) - 40)), 240), 25, (240, 240, 240), -1)
        return picture

    scene.render_frame = with_cup  # type: ignore[method-assign]
    session, _ = play(Filmed(scene, 120), tmp_path)
    assert (session.seen, session.states[-1]) == ([], "empty")


@pytest.fixture
def live(
    scene: SyntheticTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[DiceCamera, _FakeSession]]:
    monkeypatch.setattr("vision.reader.Reader", lambda: Knowing(scene))
    source = Filmed(scene)
    read = source.read_frame

    def slow() -> Frame | None:
        time.sleep(0.004)
        return read()

    source.read_frame = slow  # type: ignore[method-assign]
    session = _FakeSession()
    camera = DiceCamera(session, lambda: source, trays=tmp_path)  # type: ignore[arg-type]
    camera.start()
    until = time.monotonic() + 120
    while camera.newest_jpeg() is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    yield camera, session
    camera.stop()


def test_a_camera_that_never_opened_is_not_reported_as_uncalibrated(
    scene: SyntheticTray, trays: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera that is unplugged at the start has an unknown tray; once plugged in without a calibration, it is
    reported.
    """
    monkeypatch.setattr("vision.reader.Reader", lambda: Knowing(scene))

    def unplugged() -> Filmed:
        raise OSError("There is no camera.")

    session = _FakeSession()
    camera = DiceCamera(session, unplugged, trays=trays)  # type: ignore[arg-type]
    assert not camera.is_uncalibrated
    camera.start()
    until = time.monotonic() + 120
    while "camera" not in session.missing:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not camera.is_uncalibrated
    camera.stop()
    _, shown = play(Filmed(scene, 2), trays)
    assert not shown.is_uncalibrated
    _, never = play(Filmed(scene, 2), trays / "none")
    assert never.is_uncalibrated


def test_calibrating_during_a_game(live: tuple[DiceCamera, _FakeSession], scene: SyntheticTray, tmp_path: Path) -> None:
    """Empty tray, die, forget: each step returns its checks, and the live picture shows the outline."""
    camera, _ = live
    assert json_data(camera.run_calibration_step("dice"))["checks"][0]["words"] == "Capture the empty tray first."
    first = camera.run_calibration_step("die")
    assert (json_data(first)["ok"], json_data(first)["checks"][0]["words"]) == (False, "Capture the empty tray first.")
    taken = camera.run_calibration_step("empty")
    assert (json_data(taken)["step"], json_data(taken)["ok"]) == ("empty", True)
    assert load_tray(tmp_path, "drawn", (640, 480)) is not None
    shown = cv2.imdecode(np.frombuffer(camera.newest_jpeg() or b"", np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    cyan = (shown[..., 0] > 170) & (shown[..., 1] > 150) & (shown[..., 2] < 130)
    assert cyan.sum() > 500
    scene.place_die(0, WHITE, 3, 0, 0)
    assert json_data(camera.run_calibration_step("corners", [(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)]))["ok"]
    assert json_data(camera.run_calibration_step("die"))["ok"]
    assert [check["name"] for check in json_data(camera.run_calibration_step("dice"))["checks"]] == ["die"]
    kept = load_tray(tmp_path, "drawn", (640, 480))
    assert kept is not None
    assert kept.scale is not None
    assert json_data(camera.run_calibration_step("forget"))["ok"]
    assert load_tray(tmp_path, "drawn", (640, 480)) is None
    with pytest.raises(ValueError, match="no step 'dance'"):
        camera.run_calibration_step("dance")


HELD: LockedSettings = {"exposure": (10.0, 1.0)}
FOUND: LockedSettings = {"exposure": (90.0, 2.0), "focus": None}


class _Locked(Filmed):
    """A drawn tray as a camera that keeps its locks; if it has none, it adjusts for 20 frames."""

    def __init__(self, scene: SyntheticTray, last: int = 80) -> None:
        super().__init__(scene, last)
        self.locks: LockedSettings | None = HELD
        self.advice: str | None = None
        self.told: list[LockedSettings | None] = []

    def lock_settings(self, kept: LockedSettings | None) -> None:
        self.told.append(kept)
        self.locks = kept
        if kept is None:
            self.acts[self.number + 20] = lambda: setattr(self, "locks", FOUND)


def test_calibration_locks_the_camera_again(scene: SyntheticTray, tmp_path: Path) -> None:
    """It first lets the camera adjust to the light, and stores the new locks for the next start."""
    source = _Locked(scene)
    camera = DiceCamera(_FakeSession(), lambda: source, trays=tmp_path)  # type: ignore[arg-type]
    sight = TrayReader(Knowing(scene), tmp_path, lambda words: None)
    task = _CalibrationTask("empty")
    source.acts[10] = lambda: setattr(camera, "_task", task)
    camera._watch_tray(_FrameFeed(source, camera), sight)
    assert source.told == [None]
    assert task.result is not None
    held = {check["name"]: check["ok"] for check in json_data(task.result)["checks"]}
    assert (held["exposure"], held["focus"]) == (True, False)
    again = _Locked(scene)
    camera._watch_tray(_FrameFeed(again, camera), sight)
    assert again.told == [FOUND]


@pytest.mark.parametrize("calibrated", [True, False])
def test_a_refused_calibration_leaves_the_camera_unchanged(
    scene: SyntheticTray, tmp_path: Path, calibrated: bool
) -> None:
    """Locks found with a die in view are dropped, because readings use other values."""
    if calibrated:
        Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene), HELD)
    scene.place_die(0, WHITE, 2, 30, 30)
    source = _Locked(scene)
    camera = DiceCamera(_FakeSession(), lambda: source, trays=tmp_path)  # type: ignore[arg-type]
    task = _CalibrationTask("empty")
    source.acts[10] = lambda: setattr(camera, "_task", task)
    camera._watch_tray(_FrameFeed(source, camera), TrayReader(Knowing(scene), tmp_path, lambda words: None))
    assert task.result is not None
    assert not json_data(task.result)["ok"]
    assert source.told == [*([HELD] if calibrated else []), None, HELD]


def test_a_step_that_times_out_leaves_the_camera_unchanged(
    scene: SyntheticTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller gives up before the camera has found its locks; the next step can use it."""
    source = _Locked(scene)
    camera = DiceCamera(_FakeSession(), lambda: source, trays=tmp_path)  # type: ignore[arg-type]
    waiting, gone = threading.Event(), threading.Event()

    class Late(_CalibrationTask):
        def __init__(self, step: str, corners: Sequence[PicturePoint]) -> None:
            super().__init__(step, corners)
            monkeypatch.setattr(self.done, "wait", self.wait)

        def wait(self, seconds: float) -> bool:
            waiting.set()
            gone.wait(120)
            return False

    said: list[Any] = []
    asker = threading.Thread(target=lambda: said.append(camera.run_calibration_step("empty")))
    monkeypatch.setattr("device.inputs.dice_camera._CalibrationTask", Late)

    def ask() -> None:
        asker.start()
        waiting.wait(120)

    def leave() -> None:
        gone.set()
        asker.join(120)

    source.acts = {10: ask, 15: leave}
    camera._watch_tray(_FrameFeed(source, camera), TrayReader(Knowing(scene), tmp_path, lambda words: None))
    assert said[0].checks[0].words == "The camera gave no picture in time."
    assert (source.told, camera._task) == ([None, HELD], None)
    assert load_tray(tmp_path, "drawn", (640, 480)) is None


@pytest.mark.slow
def test_light_that_changes_during_locking_is_not_a_throw(scene: SyntheticTray, tmp_path: Path) -> None:
    """A camera opened over old dice gets its stored locks without a throw; later throws count."""
    Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene), HELD)
    scene.place_die(0, WHITE, 2, 30, 30)
    scene.light = 0.5
    source = _Locked(scene, 240)
    source.acts[5] = lambda: setattr(scene, "light", 1.0)
    source.acts[60] = lambda: scene.pick_up_dice(60 * source.pace)
    source.throw(120, 5)
    session, _ = play(source, tmp_path)
    assert [([die.value for die in seen.reading.dice], seen.touched) for seen in session.seen] == [([5], False)]


def test_a_lost_camera_ends_the_step(live: tuple[DiceCamera, _FakeSession], scene: SyntheticTray) -> None:
    camera, session = live
    scene.unplug_camera()
    until = time.monotonic() + 120
    while "camera" not in session.missing or session.missing["camera"] is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert (
        json_data(camera.run_calibration_step("empty"))["checks"][0]["words"] == "There is no picture from the camera."
    )


def test_a_second_reader_shares_the_camera(scene: SyntheticTray, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets each frame once, the newest one if it was slow, and an error when no more come."""
    monkeypatch.setattr("device.inputs.dice_camera.FRAME_TIMEOUT_S", 0.01)
    camera = DiceCamera(_FakeSession(), lambda: Filmed(scene))  # type: ignore[arg-type]
    tap, beside = _FrameFeed(Filmed(scene), camera), camera.shared_source()
    for frames in (1, 3):
        for _ in range(frames):
            tap.read_frame()
        assert tap.last is beside.read_frame()
        with pytest.raises(OSError, match="No picture from the tray camera"):
            beside.read_frame()
    tap.read_frame()
    camera._handle_loss("It was unplugged.")
    with pytest.raises(OSError, match="No picture from the tray camera"):
        beside.read_frame()


def test_drift_is_checked_only_on_still_frames(scene: SyntheticTray, trays: Path) -> None:
    """At most one frame a second is compared."""
    looks: list[float] = []
    sight = TrayReader(Knowing(scene), trays, lambda words: None)
    frame = Frame(scene.render_frame(0), 0.0, 0, "drawn")
    sight.load_camera_data(frame)

    class Seen:
        def process_frame(self, picture: Image, when: float, hand: bool) -> None:
            looks.append(when)

    sight._drift = Seen()  # type: ignore[assignment]
    for number in range(100):
        state = TrayState.MOVING if number < 50 else TrayState.SETTLED
        sight.check_tray(Frame(frame.picture, number / 25, number, "drawn"), state)
    assert looks == [2.0, 3.0]


@pytest.mark.slow
def test_the_demo_is_calibrated_from_the_page(tmp_path: Path) -> None:
    """End to end: the operator's page starts it, the running table calibrates, and the data folder stores it."""
    with Program(tmp_path, command="demo") as program:
        until = time.monotonic() + 120
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
            "There was nothing to forget.",
        ]
        assert not list(tmp_path.rglob("tray.json"))
