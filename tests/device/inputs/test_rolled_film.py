"""From the frame to the score: a roll counts only as long as its dice are seen at rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.table.proposed_roll import MOTION_ADVICE
from device.table.rolls import PICKED_UP_ADVICE
from tests.device.inputs.rolled_film import Moment, Tray, moved_die, spin_moments
from tests.vision.spins import Spin, SpinningCamera
from vision.cameras.frames import Image
from vision.synthetic.tray import SyntheticTray

Act = Callable[[SyntheticTray, float], object]


def becomes(value: int) -> Act:
    return lambda scene, now: moved_die(scene, now, value)


def hand(seconds: float) -> Act:
    return lambda scene, now: scene.show_hand(now, seconds)


def counted(seen: list[Moment]) -> list[int | str]:
    """The dice that count at the end. None must have counted before with another value."""
    assert len({tuple(one.counted) for one in seen} - {()}) <= 1
    return seen[-1].counted


def first_proposal(seen: list[Moment]) -> float:
    return next(one.when for one in seen if one.proposed is not None)


@pytest.mark.parametrize(
    "late", [0.1, pytest.param(0.7, marks=pytest.mark.slow), pytest.param(1.4, marks=pytest.mark.slow)]
)
def test_a_die_that_topples_during_its_countdown(tmp_path: Path, late: float) -> None:
    """Its first value never counts. The new one does, and the table says so."""
    (tmp_path / "before").mkdir()
    begins = first_proposal(Tray({}, 3.0).moments(tmp_path / "before"))
    seen = Tray({begins + late: becomes(5)}, begins + 5).moments(tmp_path)
    assert [5] == counted(seen)
    assert {"", MOTION_ADVICE, "The die moved: 3 became 5."} == {one.words for one in seen}


def test_a_nudged_die_makes_the_table_ask(tmp_path: Path) -> None:
    seen = Tray({2.9: hand(1.2), 3.4: becomes(5)}, 8).moments(tmp_path)
    assert ([], (5,)) == (counted(seen), seen[-1].proposed)
    assert "The die moved: 3 became 5. Confirm, or roll again." == seen[-1].words


def finger(picture: Image, now: float) -> Image:
    """Something as thin as a finger reaches in from the lower edge, too small for a hand."""
    if 2.9 < now < 3.9:
        cv2.line(picture, (150, 330), (150, round(330 - 110 * min(now - 2.9, 3.9 - now) / 0.5)), (120, 150, 205), 9)
    return picture


@pytest.mark.slow
def test_a_finger_counts_as_a_hand(tmp_path: Path) -> None:
    seen = Tray({3.4: becomes(6)}, 8, finger).moments(tmp_path)
    assert ([], (6,)) == (counted(seen), seen[-1].proposed)
    assert "The die moved: 3 became 6. Confirm, or roll again." == seen[-1].words


def bump(picture: Image, now: float) -> Image:
    """Somebody bumps into the table: the picture shakes for half a second."""
    far = 8 * np.sin(40 * now) * (2.8 < now < 3.3)
    way = np.array([[1, 0, far], [0, 1, far / 2]], np.float32)
    return cv2.warpAffine(picture, way, (432, 324), borderMode=cv2.BORDER_REFLECT).astype(np.uint8, copy=False)


@pytest.mark.slow
def test_a_die_that_is_picked_up_makes_the_table_ask(tmp_path: Path) -> None:
    seen = Tray({2.9: lambda scene, now: scene.pick_up_dice(now)}, 6).moments(tmp_path)
    assert ([], (3,), PICKED_UP_ADVICE) == (counted(seen), seen[-1].proposed, seen[-1].words)


@pytest.mark.slow
def test_a_hand_that_only_reaches_across(tmp_path: Path) -> None:
    """Nothing counts under it. Afterwards the untouched die counts, and nobody has to confirm."""
    seen = Tray({2.9: hand(1.2)}, 8).moments(tmp_path)
    assert [3] == counted(seen)
    assert {"", MOTION_ADVICE} == {one.words for one in seen}
    assert 4.1 < next(one.when for one in seen if one.counted) < 7.0


def shadow(picture: Image, now: float) -> Image:
    """A person's soft shadow passes over the tray."""
    x = np.linspace(-1, 2, picture.shape[1], dtype=np.float32)[None, :, None]
    dark = 0.45 / (1 + np.exp(np.clip((np.abs(x - (now - 2.6) / 0.8) - 0.3) * 12, -30, 30))) * (2.6 < now < 3.8)
    darker: Image = (picture * (1 - dark)).astype(np.uint8)
    return darker


def flicker(picture: Image, now: float) -> Image:
    """A lamp that flickers by a tenth, in every frame."""
    lit: Image = np.clip(picture * (1 + 0.1 * np.sin(40 * now)), 0, 255).astype(np.uint8)
    return lit


@pytest.mark.slow
@pytest.mark.parametrize("light", [shadow, flicker, bump])
def test_a_false_alarm_needs_no_person(tmp_path: Path, light: Callable[[Image, float], Image]) -> None:
    seen = Tray({}, 8, light).moments(tmp_path)
    assert [3] == counted(seen)
    assert {"", MOTION_ADVICE} >= {one.words for one in seen}


@pytest.mark.slow
@pytest.mark.parametrize("show", [0, 1.5])
@pytest.mark.parametrize(("spin", "value"), [(Spin(14, 5), 5), (Spin(9, 3), 3), (Spin(5, 3, fps=15), 2)])
def test_a_die_that_spins_on_the_spot(tmp_path: Path, spin: Spin, value: int, show: float) -> None:
    """Its blurred disc is never a 1, with or without a countdown. It counts after it has stopped."""
    camera = SpinningCamera(spin, value)
    camera.seconds = camera.rests_at + 4
    seen = spin_moments(camera, tmp_path, show)
    assert [value] == counted(seen)
    assert {None, (value,)} == {one.proposed and tuple(one.proposed) for one in seen}
