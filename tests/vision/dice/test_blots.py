"""What the empty tray lacks: a die, a shadow, or something else."""

import cv2
import numpy as np
import pytest

from vision.cameras.frames import Image
from vision.dice.blots import find_unexplained
from vision.dice.detect import Candidate
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader

DIE = Candidate(120.0, 120.0, 50.0, 1.0)


def felt() -> Image:
    grain = np.random.default_rng(3).normal(0, 5, (240, 320, 1))
    return np.clip(np.array((60, 120, 50)) + grain, 0, 255).astype(np.uint8)


def laid(die: tuple[int, int, int] = (20, 20, 190)) -> Image:
    picture = felt()
    cv2.rectangle(picture, (95, 95), (145, 145), die, -1)
    return picture


def test_a_known_die_is_explained_and_another_thing_is_not() -> None:
    picture = laid()
    assert find_unexplained(picture, felt(), [DIE]) == []
    cv2.circle(picture, (240, 60), 22, (40, 160, 200), -1)
    (thing,) = find_unexplained(picture, felt(), [DIE])
    assert (thing.x, thing.y, thing.size) == pytest.approx((240, 60, 44), abs=3)


def test_a_die_that_was_not_found_is_reported() -> None:
    (die,) = find_unexplained(laid(), felt(), [])
    assert (die.x, die.y) == pytest.approx((120, 120), abs=2)


@pytest.mark.parametrize("share", [0.45, 0.7, 1.2])
def test_a_shadow_and_a_reflection_are_explained(share: float) -> None:
    picture = laid()
    picture[30:100, 200:280] = np.clip(picture[30:100, 200:280] * share, 0, 255).astype(np.uint8)
    assert find_unexplained(picture, felt(), [DIE]) == []


def test_other_light_all_over_the_tray_is_explained() -> None:
    picture = np.clip(laid().astype(float) * (0.45, 0.75, 1.0), 0, 255).astype(np.uint8)
    assert find_unexplained(picture, felt(), [DIE]) == []


def test_something_else_in_a_known_tray_raises_a_doubt() -> None:
    tray, reader = DrawnTray(seed=4, view=200), Reader(kinds=frozenset({"d6"}))
    empty = tray.frame(0.0)
    frame = tray.frame(tray.throw(0.0, [DrawnDie()], [5]) + 1)
    reader.empty = empty
    assert (reader.read(frame).values, reader.read(frame).doubt) == ((5,), None)
    (die,) = reader.read(frame).dice
    x = 80 if die.middle[0] > 320 else 560
    # A pale piece of paper, larger than a die.
    cv2.rectangle(frame, (x - 60, 200), (x + 60, 300), (200, 225, 230), -1)
    reading = reader.read(frame)
    assert (reading.values, reading.doubt) == ((5,), "thing")
    reader.empty = None
    assert reader.read(frame).doubt is None
