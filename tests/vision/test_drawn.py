"""The drawn tray: what a simulator and the tests of watching lean on."""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
import pytest

from vision import tumble
from vision.drawn import DrawnDie, DrawnTray
from vision.paint import Image
from vision.sources import CameraError

WHITE = DrawnDie()
SIX = [WHITE] * 6


def pips(picture: Image, x: int, y: int, reach: int) -> int:
    """The dark spots of a white die within `reach` pixels of a point, counted by plain thresholding."""
    dark = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) < 120).astype(np.uint8)
    dark &= cv2.circle(np.zeros_like(dark), (x, y), reach, 1, -1).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return int((stats[1:count, cv2.CC_STAT_AREA] > 15).sum())


def lumps(picture: Image) -> int:
    """How many separate white things lie on the felt."""
    bright = (picture.min(axis=2) > 105).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((5, 5))))
    return int((stats[1:count, cv2.CC_STAT_AREA] > 300).sum())


def test_same_seed_same_throw() -> None:
    """The same seed gives the same throw, frame for frame; another seed gives another."""
    one, same, other = DrawnTray(seed=5), DrawnTray(seed=5), DrawnTray(seed=6)
    for tray in (one, same, other):
        tray.throw(0.0, SIX)
    assert np.array_equal(one.frame(0.4), same.frame(0.4))
    assert np.array_equal(one.frame(3.0), same.frame(3.0))
    assert one.truth(3.0) == same.truth(3.0) != other.truth(3.0)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("turn", [0.0, 0.5, math.pi / 2, 4.0])
def test_value_is_drawn(value: int, turn: float) -> None:
    """A lying die shows as many pips on top as its value, however it is turned."""
    tray = DrawnTray(seed=1)
    tray.lay(0.0, DrawnDie(size=24), value, 0, 0, turn=turn)
    assert value == pips(tray.frame(0.0), 320, 240, 29)


def test_forced_values() -> None:
    """A throw shows the values it is told, and its truth says so."""
    tray = DrawnTray(seed=2)
    done = tray.throw(0.0, [WHITE, DrawnDie("red", 16, "white"), DrawnDie("blue", 16, "white")], [6, 1, 4])
    truth = tray.truth(done)
    assert truth is not None
    assert {("white", 6), ("red", 1), ("blue", 4)} == {(die.colour, die.value) for die in truth}


def test_truth_is_where_the_die_is_drawn() -> None:
    """The true box holds the die and little else."""
    tray = DrawnTray(seed=3, noise=0)
    before = tray.frame(0.0).astype(int)
    tray.lay(0.0, WHITE, 5, 60, -30, turn=0.4)
    truth = tray.truth(0.0)
    assert truth is not None
    x, y, wide, tall = truth[0].box
    bright = tray.frame(0.0).astype(int).sum(axis=2) - before.sum(axis=2) > 100
    rows, columns = np.nonzero(bright)
    seen = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    assert np.abs(np.subtract(seen, (x, y, x + wide, y + tall))).max() <= 2


@pytest.mark.parametrize("seed", range(8))
def test_dice_come_to_rest_apart(seed: int) -> None:
    """Six thrown dice lie within the picture after about a second, and none touches another."""
    tray = DrawnTray(seed=seed)
    done = tray.throw(10.0, SIX)
    assert 10.7 < done < 11.8
    assert tray.truth(done - 0.05) is None
    truth = tray.truth(done)
    assert truth is not None
    assert [die.box for die in truth] == sorted(die.box for die in truth)
    assert all(
        die.box[0] >= 0 and die.box[1] >= 0 and die.box[0] + die.box[2] <= 640 and die.box[1] + die.box[3] <= 480
        for die in truth
    )
    assert lumps(tray.frame(done)) == 6


@pytest.mark.parametrize("seed", range(20))
def test_tracks_end_apart_and_inside(seed: int) -> None:
    """However many dice are thrown, their last places keep the gap and the walls."""
    sizes = [12.0, 16.0, 16.0, 19.0, 10.0][: 1 + seed % 5]
    spots = [track.spots[-1] for track in tumble.throw(sizes, [1] * len(sizes), (230, 170), Random(seed))]
    for one, (spot, size) in enumerate(zip(spots, sizes, strict=True)):
        assert abs(spot[0]) <= 115 - size / 2 <= 115
        assert abs(spot[1]) <= 85 - size / 2
        assert size / 2 == pytest.approx(spot[2])
        for other in range(one):
            least = (size + sizes[other]) * math.sqrt(0.5)
            assert math.hypot(*(spot - spots[other])[:2]) > least


@pytest.mark.parametrize("value", range(1, 7))
def test_tracks_end_on_their_value(value: int) -> None:
    """A rolling die comes to lie with the face of its value up."""
    (track,) = tumble.throw([16], [value], (230, 170), Random(value))
    assert track.turns[-1] @ tumble.UP[value] == pytest.approx([0, 0, 1])


def test_dice_roll_on_the_felt() -> None:
    """No corner of a moving die is ever under the felt, and from step to step a die jumps no more than it flies."""
    for track in tumble.throw([16, 16], [3, 5], (230, 170), Random(4)):
        low = [spot[2] - tumble.height(turn, 16) for spot, turn in zip(track.spots, track.turns, strict=True)]
        assert min(low) > -1e-6
        assert np.abs(np.diff(track.spots, axis=0)).max() < 12


def test_values_are_fair() -> None:
    """Each face comes up about as often as the others."""
    tray = DrawnTray((64, 48), seed=11)
    seen = np.zeros(7, int)
    for throw in range(75):
        for die in tray.truth(tray.throw(10.0 * throw, [WHITE, WHITE])) or ():
            seen[die.value or 0] += 1
    assert seen[0] == 0
    assert seen.sum() == 150
    assert seen[1:].min() > 10
    assert seen[1:].max() < 42


def test_picked_up() -> None:
    """A hand takes the dice: there is no truth while it is in, and then the tray is empty."""
    tray = DrawnTray(seed=1)
    tray.throw(0.0, SIX)
    gone = tray.pick_up(3.0)
    assert tray.truth(3.3) is None
    assert tray.truth(gone) == ()
    assert lumps(tray.frame(gone)) == 0


def test_replaced() -> None:
    """A die that is put where another was taken away is the one that is seen."""
    tray = DrawnTray(seed=1)
    for value in (1, 6, 2):
        tray.clear()
        tray.lay(0.0, DrawnDie(size=24), value, 0, 0)
        assert pips(tray.frame(0.0), 320, 240, 29) == value


def test_cleared() -> None:
    """A cleared tray is empty at once; so is one into which no dice are thrown."""
    tray = DrawnTray(seed=1)
    tray.lay(0.0, WHITE, 6, 0, 0)
    tray.clear()
    assert tray.truth(0.0) == ()
    assert tray.throw(1.0, []) == 1.0
    assert tray.truth(1.0) == ()


def test_hand_covers_the_tray() -> None:
    """A hand hides a good part of the tray, and leaves it as it was."""
    tray = DrawnTray(seed=1)
    still = tray.frame(0.0).astype(int)
    tray.hand(1.0, 2.0)
    covered = np.abs(tray.frame(2.0).astype(int) - still).max(axis=2) > 40
    assert covered.mean() > 0.2
    assert np.abs(tray.frame(3.0).astype(int) - still).max() < 30


def test_leaning_die_has_no_value() -> None:
    """A cocked die has no true value, and no face of it is seen straight."""
    tray = DrawnTray(seed=1)
    tray.cock(0.0)
    truth = tray.truth(0.0)
    assert truth is not None
    assert [die.value for die in truth] == [None]


def test_stacked_die_hides_one() -> None:
    """A stacked die counts, the one under it does not; an empty tray gets both."""
    tray = DrawnTray(seed=1)
    tray.stack(0.0, DrawnDie("red", 16, "white"))
    truth = tray.truth(0.0)
    assert truth is not None
    assert sum(die.value is None for die in truth) == 1
    assert len(truth) == 2


@pytest.mark.parametrize("seed", range(8))
def test_touching_only_when_asked(seed: int) -> None:
    """A die laid to touch another makes one lump with it."""
    tray = DrawnTray(seed=seed)
    done = tray.throw(0.0, [WHITE, WHITE])
    assert lumps(tray.frame(done)) == 2
    tray.touch(done)
    assert lumps(tray.frame(done)) == 2
    assert len(tray.truth(done) or ()) == 3


def test_unplugged() -> None:
    """Without its plug the camera gives no frame, and says so; plugged in again it goes on."""
    tray = DrawnTray(seed=1)
    tray.unplug()
    with pytest.raises(CameraError, match="unplugged"):
        tray.frame(0.0)
    tray.plug()
    assert tray.frame(0.0).shape == (480, 640, 3)


def test_light() -> None:
    """The lamp can be dimmed."""
    tray = DrawnTray(seed=1)
    bright = tray.frame(0.0).mean()
    tray.light = 0.5
    assert bright / 2 == pytest.approx(tray.frame(0.0).mean(), rel=0.05)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"kind": "d20"}, "d20"),
        ({"colour": "mauve"}, "mauve"),
        ({"pips": "mauve"}, "mauve"),
        ({"size": 90.0}, "90"),
    ],
)
def test_undrawable_die(wrong: dict[str, str], reason: str) -> None:
    """A die that cannot be drawn is refused with what is wrong with it."""
    with pytest.raises(ValueError, match=reason):
        DrawnDie(**wrong)  # type: ignore[arg-type]


def test_too_many_dice() -> None:
    """More dice than fit apart are refused, and so are values that no die has."""
    tray = DrawnTray(seed=1)
    with pytest.raises(ValueError, match="do not fit"):
        tray.throw(0.0, [DrawnDie(size=40)] * 8)
    with pytest.raises(ValueError, match="cannot show"):
        tray.throw(0.0, [WHITE], [7])
    with pytest.raises(ValueError, match="cannot show"):
        tray.throw(0.0, [WHITE], [1, 2])
