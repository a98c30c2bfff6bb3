"""A die that spins in place is moving, however calm its blurred picture is."""

import csv
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.spins import Spin, SpinningCamera
from tests.vision.tiers import rows
from vision.cameras.frames import Image
from vision.matching import WantedDie
from vision.reader import Reader
from vision.reading import DieReading, Face, Reading
from vision.synthetic.tray import SyntheticDie
from vision.throws import MAX_SPIN_S, ThrowReading, read_throws
from vision.tray.motion import TrayState, TrayWatcher
from vision.tray.spin import doubt_spinning_dice, is_blurred_by_spin, tangential_share
from vision.tray.tracker import DIE_UNSURE, DiceTracker

PHOTOS = Path(__file__).parents[3].parent / "shared" / "dice"
WHITE = SyntheticDie()
RED = SyntheticDie("red", 16, "white")
BLACK = SyntheticDie("black", 14, "white")


class Knows:
    """A reader that sees a blurred die as the pip in its middle: a certain 1."""

    def __init__(self, camera: SpinningCamera) -> None:
        self.camera, self.read_at = camera, list[float]()

    def read_dice(self, frame: Image) -> Reading:
        now = (self.camera.number - 1) / self.camera.spin.fps
        self.read_at.append(now)
        dice = self.camera.dice_at(now)
        return Reading(dice, None if dice else "none", 1.0)


def watched(camera: SpinningCamera) -> tuple[list[tuple[ThrowReading, float]], list[TrayState]]:
    """Return what is read, with the time, and the state of each frame."""
    states: list[TrayState] = []
    watcher = TrayWatcher(camera.picture(0.0))
    # A throw that has just come to rest is still to be read.
    told = lambda state: states.append(TrayState.MOVING if watcher.throw else state)  # noqa: E731 - used once
    reads = read_throws(camera, Knows(camera), watcher, on_state=told)
    return [(one, camera.number / camera.spin.fps) for one in reads], states


@pytest.mark.parametrize(
    ("spin", "value", "die"),
    rows(
        [
            (Spin(14, 6), 5, WHITE),
            (Spin(9, 3), 3, RED),
            (Spin(12, 5), 6, BLACK),
            (Spin(15, 8, exposure=0.5), 3, WHITE),
            (Spin(6, 4, fps=15), 5, WHITE),
            (Spin(8, 6, fps=10), 2, RED),
            (Spin(1.0, 0.6, exposure=0.2), 4, WHITE),
            (Spin(0.4, 0.4, exposure=0.2), 3, RED),
        ]
    ),
)
def test_a_spinning_die_is_read_after_it_has_stopped(spin: Spin, value: int, die: SyntheticDie) -> None:
    """Once, for sure, soon after it stopped, and until then it is moving: fast or slow, with short and long
    exposures."""
    camera = SpinningCamera(spin, value, die)
    camera.seconds = camera.rests_at + 1.8
    reads, states = watched(camera)
    assert [((value,), None, False)] == [
        (one.reading.dice_values, one.reading.doubt, one.throw.touched) for one, _ in reads
    ]
    assert -0.6 < reads[0][0].throw.end - camera.rests_at < 0.4
    began = round((camera.begins + 0.3) * spin.fps)
    assert {TrayState.MOVING} == set(states[began : round((camera.rests_at - 0.6) * spin.fps)])


def test_a_round_thing_is_read_in_doubt() -> None:
    """What looks like a calm disc for longer than any die spins is read, and a person is asked."""
    camera = SpinningCamera(Spin(12, 0.01), 5, seconds=MAX_SPIN_S + 3.5)
    reads, _ = watched(camera)
    assert [((1,), "moving")] == [(one.reading.dice_values, one.reading.doubt) for one, _ in reads]
    assert reads[0][1] > camera.begins + MAX_SPIN_S


@pytest.mark.parametrize("spot", [(20, 10), (95, 60)])
def test_a_disc_differs_from_dice_at_rest(spot: tuple[float, float]) -> None:
    """In all colors and faces, also where the camera sees a die's side."""
    for die in (WHITE, RED, BLACK):
        for value in (1, 2, 3, 6):
            # A black die on dark felt is a disc without an outline.
            for turns, spins in ((0.0, False), (0.5, True))[: 1 if die is BLACK else 2]:
                camera = SpinningCamera(Spin(turns or 1e-9, 1e-9, fps=1), value, die, spot)
                frames = [camera.picture(camera.begins + 1.8 + 0.01 * k) for k in range(6)]
                (one,) = camera.dice_at(camera.begins)
                picture = np.mean(frames, axis=0).round().astype(np.uint8)
                assert spins == is_blurred_by_spin(picture, one), (die, value, turns, tangential_share(picture, one))


def test_a_disc_wins_no_race() -> None:
    """In a race each frame is read, and two that agree are a die at rest, but not if it is a blurred disc."""
    camera, tracker = SpinningCamera(Spin(9, 3), 5, RED), DiceTracker({"home": WantedDie("d6", "red")})
    camera.seconds = camera.begins + 1.3
    shown: dict[float, object] = {}
    while (frame := camera.read_frame()) is not None:
        dice = Reading(camera.dice_at(frame.when), None, 1.0)
        shown[frame.when] = tracker.process_reading(doubt_spinning_dice(frame.picture, dice), frame.when)["home"]
    fast = [one for when, one in shown.items() if camera.begins + 0.6 < when < camera.begins + 1.2]
    assert (17, {DIE_UNSURE}) == (len(fast), set(fast))


def test_bare_felt_has_no_edges() -> None:
    felt = np.full((90, 90, 3), 80, np.uint8)
    assert tangential_share(felt, DieReading("d6", 1, None, (20, 20, 40, 40), 1.0)) is None


@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.exists(), reason="the photos of dice are not beside the project")
def test_few_real_dice_look_as_if_they_spin() -> None:
    """At most two in a hundred photographed dice are read a little later. Boxes of the webcam set are not of dice."""
    with (PHOTOS / "labels.csv").open() as file:
        labels = [row for row in csv.DictReader(file) if row["w"] and row["source"] != "matteop65"]
    seen = [
        is_blurred_by_spin(picture, DieReading("d6", 1, None, _box(row), 1.0))
        for path in sorted({row["path"] for row in labels})[::12]
        if (picture := cv2.imread(str(PHOTOS / path))) is not None
        for row in labels
        if row["path"] == path
    ]
    assert len(seen) > 150
    assert sum(seen) <= 0.02 * len(seen)


def _box(row: dict[str, str]) -> tuple[int, int, int, int]:
    x, y, wide, tall = (math.floor(float(row[key])) for key in "xywh")
    return x, y, wide, tall


@pytest.mark.slow
@pytest.mark.parametrize(("spin", "value"), [(Spin(12, 5), 5), (Spin(10, 4), 3)])
def test_the_real_reader_never_takes_a_ring_for_a_one(spin: Spin, value: Face) -> None:
    """It reads a blurred 3 or 5 as a certain 1, so what it reads is used only after the die has stopped."""
    camera = SpinningCamera(spin, value, size=(640, 480))
    camera.seconds = camera.rests_at + 1.5
    reader = Reader(frozenset({"d6"}))
    reads = list(read_throws(camera, reader, TrayWatcher(camera.picture(0.0))))
    assert [((value,), None)] == [(one.reading.dice_values, one.reading.doubt) for one in reads]
