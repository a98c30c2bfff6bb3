"""The dice camera says what is wrong with its picture, and focuses again by the dice in sight."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.picture_check import BLUR_ADVICE, FLICKER_ADVICE, PictureCheck
from device.inputs.tray_view import TrayReader
from tests.device.inputs.scenes import WHITE, Filmed, Knowing
from vision.cameras.frames import Frame, Image, LockedSettings
from vision.synthetic.tray import SyntheticTray
from vision.tray.motion import TrayState


class _Notices:
    """A session that only keeps the faults."""

    wanted_dice = None
    kinds = frozenset({"d6"})

    def __init__(self) -> None:
        self.game = self.notices = self.rolls = self.race = self
        self.told: list[tuple[str, str | None]] = []

    def set_fault(self, part: str, words: str | None) -> None:
        if part == "picture" and words != next((told for _, told in self.told[::-1]), None):
            self.told.append((part, words))

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


class _Blurred(Filmed):
    """A camera whose lens is stuck near until it focuses by dice in view."""

    def __init__(self, scene: SyntheticTray, last: int = 700) -> None:
        super().__init__(scene, last)
        self.locks: LockedSettings | None = {"focus": (10.0,)}
        self.advice: str | None = None
        self.sharp_at: int | None = None
        self.asked: list[LockedSettings | None] = []

    def lock_settings(self, kept: LockedSettings | None) -> None:
        self.asked.append(kept)
        if self.scene.ground_truth(self.number * self.pace):
            self.sharp_at = self.number + 30

    def read_frame(self) -> Frame | None:
        frame = super().read_frame()
        if frame is None or (self.sharp_at is not None and self.number >= self.sharp_at):
            return frame
        return Frame(np.asarray(cv2.GaussianBlur(frame.picture, (0, 0), 5), np.uint8), frame.when, frame.number, "near")


def watch(source: Filmed, trays: Path | None) -> _Notices:
    session = _Notices()
    camera = DiceCamera(session, lambda: source, trays=trays)  # type: ignore[arg-type]
    tray = TrayReader(Knowing(source.scene), trays, lambda words: None)
    camera._watch_tray(_FrameFeed(source, camera), tray)
    return session


def test_an_uncalibrated_picture_out_of_focus(tmp_path: Path) -> None:
    """The advice says so until the camera has focused, once, by the die that came to rest."""
    source = _Blurred(SyntheticTray(seed=4))
    source.throw(100, 4)
    session = watch(source, tmp_path)
    assert [("picture", BLUR_ADVICE), ("picture", None)] == session.told
    assert [None] == source.asked


def test_a_lens_without_autofocus_is_only_reported(tmp_path: Path) -> None:
    source = _Blurred(SyntheticTray(seed=4))
    source.throw(100, 4)
    source.locks = {"exposure": (9000.0, 1.0)}
    assert [("picture", BLUR_ADVICE)] == watch(source, tmp_path).told
    assert [] == source.asked


def test_a_focus_that_is_not_found_again_is_tried_once_a_minute() -> None:
    scene = SyntheticTray(seed=4)
    scene.place_die(0, WHITE, 2, 30, 30)
    blurred = np.asarray(cv2.GaussianBlur(scene.render_frame(0.0), (0, 0), 5), np.uint8)
    check, asked = PictureCheck(), []
    for second in range(150):
        frame = Frame(blurred, float(second), second, "near")
        asked += [second] * check.process_frame(frame, TrayState.SETTLED, False, calibrated=False)
        assert BLUR_ADVICE == check.advice
    assert [0, 60, 120] == asked


def test_a_sharp_picture_needs_no_advice(tmp_path: Path) -> None:
    """Nor does a bare felt, on which there is nothing to focus."""
    assert [] == watch(Filmed(SyntheticTray(seed=4), 400).throw(100, 4), tmp_path).told
    check, felt = PictureCheck(), np.full((480, 640, 3), 60, np.uint8)
    for second in range(20):
        check.process_frame(Frame(felt, float(second), second, "felt"), TrayState.EMPTY, False, calibrated=False)
        assert check.advice is None


def test_readings_of_blurred_dice_are_doubted(tmp_path: Path) -> None:
    """With and without a calibration."""
    scene = SyntheticTray(seed=4)
    scene.place_die(0, WHITE, 2, 30, 30)
    tray = TrayReader(Knowing(scene), tmp_path, lambda words: None)
    sharp = scene.render_frame(0.0)
    assert tray.read_dice(sharp).doubt is None
    assert "blur" == tray.read_dice(np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.uint8)).doubt


def advice_after(states: list[tuple[TrayState, bool]], picture: Image) -> list[str | None]:
    """The advice after each tenth of a second with a state of the tray, and whether the lamp flickers."""
    check, seen = PictureCheck(), []
    for number, (state, flickers) in enumerate(states):
        check.process_frame(Frame(picture, number / 10, number, "lamp"), state, flickers, calibrated=True)
        seen.append(check.advice)
    return seen


@pytest.mark.parametrize("state", [TrayState.MOVING, TrayState.HAND, TrayState.UNSURE])
def test_the_lamp_is_named_when_no_throw_comes_to_rest(state: TrayState) -> None:
    """After six seconds without rest under a lamp that flickers; no sooner, not in steady light, and not for longer."""
    felt = np.full((48, 64, 3), 60, np.uint8)
    seen = advice_after([(state, True)] * 80 + [(TrayState.EMPTY, True)] * 5 + [(state, False)] * 90, felt)
    assert [None] * 60 + [FLICKER_ADVICE] * 25 + [None] * 90 == seen
    assert [None] * 99 == advice_after([(TrayState.SETTLED if n % 50 else state, True) for n in range(99)], felt)
