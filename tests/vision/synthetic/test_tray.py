"""The drawn tray, which the simulator and the tests of watching rely on."""

import math

import cv2
import numpy as np
import pytest

from tests.vision.tiers import first
from vision.cameras.frames import CameraError
from vision.synthetic import shapes, solids
from vision.synthetic.paint import Image, Lens
from vision.synthetic.tray import RULEBOOK_KINDS, GlareSpot, SyntheticDie, SyntheticTray

WHITE = SyntheticDie()
SIX = [WHITE] * 6


def pips(picture: Image, x: int, y: int, reach: int) -> int:
    """Count the dark spots of a white die within `reach` pixels of a point, by plain thresholding."""
    dark = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) < 120).astype(np.uint8)
    dark &= cv2.circle(np.zeros_like(dark), (x, y), reach, 1, -1).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return int((stats[1:count, cv2.CC_STAT_AREA] > 15).sum())


def lumps(picture: Image) -> int:
    bright = (picture.min(axis=2) > 105).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((5, 5))))
    return int((stats[1:count, cv2.CC_STAT_AREA] > 300).sum())


def test_same_seed_same_throw() -> None:
    """The same seed gives the same throw, frame for frame; another seed gives another."""
    one, same, other = SyntheticTray(seed=5), SyntheticTray(seed=5), SyntheticTray(seed=6)
    for tray in (one, same, other):
        tray.throw_dice(0.0, SIX)
    assert np.array_equal(one.render_frame(0.4), same.render_frame(0.4))
    assert np.array_equal(one.render_frame(3.0), same.render_frame(3.0))
    assert one.ground_truth(3.0) == same.ground_truth(3.0) != other.ground_truth(3.0)


def test_value_is_drawn() -> None:
    """A die at rest shows as many pips on top as its value, in any rotation."""
    tray = SyntheticTray(seed=1)
    for value in range(1, 7):
        for turn in (0.0, 0.5, math.pi / 2, 4.0):
            tray.clear_tray()
            tray.place_die(0.0, SyntheticDie(size=24), value, 0, 0, turn=turn)
            assert value == pips(tray.render_frame(0.0), 320, 240, 29), turn


def test_forced_values() -> None:
    """A throw shows the requested values, and its truth reports them."""
    tray = SyntheticTray(seed=2)
    done = tray.throw_dice(0.0, [WHITE, SyntheticDie("red", 16, "white"), SyntheticDie("blue", 16, "white")], [6, 1, 4])
    truth = tray.ground_truth(done) or ()
    assert {("white", 6), ("red", 1), ("blue", 4)} == {(die.colour, die.value) for die in truth}


def test_truth_is_where_the_die_is_drawn() -> None:
    """The true box contains the die and little else."""
    tray = SyntheticTray(seed=3, noise=0)
    before = tray.render_frame(0.0).astype(int)
    tray.place_die(0.0, WHITE, 5, 60, -30, turn=0.4)
    truth = tray.ground_truth(0.0) or ()
    x, y, wide, tall = truth[0].box
    bright = tray.render_frame(0.0).astype(int).sum(axis=2) - before.sum(axis=2) > 100
    rows, columns = np.nonzero(bright)
    seen = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    assert np.abs(np.subtract(seen, (x, y, x + wide, y + tall))).max() <= 2


@pytest.mark.parametrize("seed", first(range(8)))
def test_dice_come_to_rest_apart(seed: int) -> None:
    """Six thrown dice lie within the picture after about a second, and none touches another."""
    tray = SyntheticTray(seed=seed)
    done = tray.throw_dice(10.0, SIX)
    assert 10.7 < done < 11.8
    assert tray.ground_truth(done - 0.05) is None
    truth = tray.ground_truth(done) or ()
    assert [die.box for die in truth] == sorted(die.box for die in truth)
    assert all(
        die.box[0] >= 0 and die.box[1] >= 0 and die.box[0] + die.box[2] <= 640 and die.box[1] + die.box[3] <= 480
        for die in truth
    )
    assert lumps(tray.render_frame(done)) == 6


@pytest.mark.slow
def test_values_are_fair() -> None:
    """Each face comes up about as often as the others."""
    tray = SyntheticTray((64, 48), seed=11)
    seen = np.zeros(7, int)
    for throw in range(75):
        for die in tray.ground_truth(tray.throw_dice(10.0 * throw, [WHITE, WHITE])) or ():
            seen[die.value or 0] += 1
    assert seen[0] == 0
    assert seen.sum() == 150
    assert seen[1:].min() > 10
    assert seen[1:].max() < 42


def test_dice_are_removed_and_replaced() -> None:
    # Picked up.
    tray = SyntheticTray(seed=1)
    tray.throw_dice(0.0, SIX)
    gone = tray.pick_up_dice(3.0)
    assert tray.ground_truth(3.3) is None
    assert tray.ground_truth(gone) == ()
    assert lumps(tray.render_frame(gone)) == 0
    # A die put where another was removed is the one that appears.
    tray = SyntheticTray(seed=1)
    for value in (1, 6, 2):
        tray.clear_tray()
        tray.place_die(0.0, SyntheticDie(size=24), value, 0, 0)
        assert pips(tray.render_frame(0.0), 320, 240, 29) == value
    # A cleared tray is empty at once; so is one into which no dice are thrown.
    tray = SyntheticTray(seed=1)
    tray.place_die(0.0, WHITE, 6, 0, 0)
    tray.clear_tray()
    assert tray.ground_truth(0.0) == ()
    assert tray.throw_dice(1.0, []) == 1.0
    assert tray.ground_truth(1.0) == ()


def test_hand_covers_the_tray() -> None:
    """A hand hides a good part of the tray, and leaves it unchanged."""
    tray = SyntheticTray(seed=1)
    still = tray.render_frame(0.0).astype(int)
    tray.show_hand(1.0, 2.0)
    covered = np.abs(tray.render_frame(2.0).astype(int) - still).max(axis=2) > 40
    assert covered.mean() > 0.2
    assert np.abs(tray.render_frame(3.0).astype(int) - still).max() < 30


def test_dice_that_lean_or_are_stacked() -> None:
    # A die that leans on the wall has no true value and is marked.
    tray = SyntheticTray(seed=1)
    tray.place_cocked_die(0.0)
    truth = tray.ground_truth(0.0) or ()
    assert [die.value for die in truth] == [None]
    assert tray.ground_truth_marks(0.0) == ("cocked",)
    # A stacked die counts, the one under it does not; an empty tray gets both.
    tray = SyntheticTray(seed=1)
    tray.place_stacked_die(0.0, SyntheticDie("red", 16, "white"))
    truth = tray.ground_truth(0.0) or ()
    marks = tray.ground_truth_marks(0.0)
    assert {("stacked", False), ("covered", True)} == {
        (mark, die.value is None) for die, mark in zip(truth, marks, strict=True)
    }


def test_propped_die() -> None:
    """A die that leans on another has no value and touches it; the other one counts."""
    tray = SyntheticTray(seed=1, noise=0)
    for size in range(16, 22):
        tray.clear_tray()
        tray.place_leaning_die(0.0, SyntheticDie(size=size))
        truth = tray.ground_truth(0.0) or ()
        assert sorted(tray.ground_truth_marks(0.0), key=str) == [None, "cocked"]
        assert all(
            (die.value is None) == (mark == "cocked")
            for die, mark in zip(truth, tray.ground_truth_marks(0.0), strict=True)
        )
        (left, top, wide, tall), (x, y, *_) = truth[0].box, truth[1].box
        assert x <= left + wide + 1
        assert y <= top + tall + 1


def test_a_stacked_die_shades_the_one_below() -> None:
    """The die on top casts a shadow on the die beneath, which is visible beside it."""
    tray = SyntheticTray(seed=1, noise=0, height=2000)
    tray.place_die(0.0, SyntheticDie(size=24), 1, 0, 0)
    alone = tray.render_frame(0.0).astype(int)
    tray.place_die(0.0, SyntheticDie(size=12), 1, 0, 0, z=24)
    darker = alone - tray.render_frame(0.0)
    # The lamp is to the upper left: the shadow falls to the lower right, still on the lower die.
    assert darker[258, 338].min() > 15
    assert abs(darker[217, 297]).max() < 6


def test_touching_only_when_asked() -> None:
    """A die laid to touch another forms one lump with it."""
    tray, done = SyntheticTray(seed=1), 0.0
    for _ in range(8):
        done = tray.throw_dice(done, [WHITE, WHITE])
        assert lumps(tray.render_frame(done)) == 2
        tray.place_touching_die(done)
        assert lumps(tray.render_frame(done)) == 2
        assert len(tray.ground_truth(done) or ()) == 3


def test_unplugged() -> None:
    """An unplugged camera gives no frame, and says so; plugged in again it goes on."""
    tray = SyntheticTray(seed=1)
    tray.unplug_camera()
    with pytest.raises(CameraError, match="unplugged"):
        tray.render_frame(0.0)
    tray.plug_in_camera()
    assert tray.render_frame(0.0).shape == (480, 640, 3)


def test_the_light_may_be_dimmed_or_uneven() -> None:
    # The lamp can be dimmed.
    tray = SyntheticTray(seed=1)
    bright = tray.render_frame(0.0).mean()
    tray.light = 0.5
    assert bright / 2 == pytest.approx(tray.render_frame(0.0).mean(), rel=0.05)
    # Uneven light is brighter in the upper left than in the lower right, and nearly unchanged in the middle.
    tray = SyntheticTray(seed=1, rim=0)
    before = tray.render_frame(0.0).astype(float)
    tray.uneven = 0.8
    change = tray.render_frame(0.0).mean(axis=2) / before.mean(axis=2)
    assert change[:60, :80].mean() > 1.1
    assert 0.95 < change[210:270, 280:360].mean() < 1.05
    assert change[-60:, -80:].mean() < 0.5


@pytest.mark.parametrize("warmth", [-1.0, 1.0])
def test_warm_and_cold_light(warmth: float) -> None:
    """A warm lamp makes everything redder and less blue; a cold one does the opposite."""
    tray = SyntheticTray(seed=1, felt=(90, 90, 90))
    white = tray.render_frame(0.0).mean(axis=(0, 1))
    tray.warmth = warmth
    blue, _, red = (tray.render_frame(0.0).mean(axis=(0, 1)) / white - 1) * warmth
    assert blue < -0.2
    assert red > 0.1


def test_blur() -> None:
    """A lens out of focus washes out a small die's pips; slightly out of focus, they remain visible."""
    tray = SyntheticTray(seed=1, noise=0)
    tray.place_die(0.0, WHITE, 5, 0, 0)
    seen = []
    for blur in (0.0, 1.2, 5.0):
        tray.blur = blur
        seen.append(pips(tray.render_frame(0.0), 320, 240, 20))
    assert seen == [5, 5, 0]


@pytest.mark.parametrize("value", range(1, 7))
def test_glare_hides_a_pip(value: int) -> None:
    """A reflection on a die hides a pip or more; small or between the pips, it hides none and leaves no mark."""
    tray = SyntheticTray(seed=1, noise=0)
    big = SyntheticDie(size=24)
    spot = solids.mark_positions("d6", value, 0.7, 24)[-1]
    tray.place_die(0.0, big, value, 0, 0, turn=0.7, glare=GlareSpot(*spot, wide=12, tall=9, turn=1.0))
    truth = tray.ground_truth(0.0) or ()
    assert truth[0].value == value
    assert tray.ground_truth_marks(0.0) == ("glare",)
    assert pips(tray.render_frame(0.0), 320, 240, 29) < value
    tray.clear_tray()
    beside = [(x, y) for x in range(-9, 10, 3) for y in range(-9, 10, 3)]
    x, y = max(
        beside, key=lambda place: min(math.dist(place, pip) for pip in solids.mark_positions("d6", value, 0.7, 24))
    )
    tray.place_die(0.0, big, value, 0, 0, turn=0.7, glare=GlareSpot(x, y, wide=4, tall=2))
    assert tray.ground_truth_marks(0.0) == (None,)
    assert pips(tray.render_frame(0.0), 320, 240, 29) == value


def test_glare_is_on_a_pip() -> None:
    """Dice requested with glare are always marked, whatever their color and size."""
    tray = SyntheticTray(seed=1)
    for _ in range(8):
        tray.clear_tray()
        for die in (WHITE, SyntheticDie("black", 12, "white"), SyntheticDie("red", 22, "white")):
            tray.place_glaring_die(0.0, die)
        assert tray.ground_truth_marks(0.0) == ("glare",) * 3


def test_polish_hides_nothing() -> None:
    """A polished die has small reflections on its edges and in its pips, and is as readable as before."""
    tray = SyntheticTray(seed=1, noise=0)
    tray.place_die(0.0, SyntheticDie(size=24), 5, 0, 0, turn=0.3)
    dull = tray.render_frame(0.0).astype(int)
    tray.clear_tray()
    tray.place_die(0.0, SyntheticDie(size=24, gloss=1.5), 5, 0, 0, turn=0.3)
    assert tray.ground_truth_marks(0.0) == (None,)
    assert (tray.render_frame(0.0).astype(int) - dull > 60).any()
    assert pips(tray.render_frame(0.0), 320, 240, 29) == 5


@pytest.mark.parametrize("kind", [kind for kind in shapes.SYNTHETIC_KINDS if kind != "d6"])
def test_things_that_do_not_count(kind: str) -> None:
    """A coin, a sugar cube and a die without a given value are in the tray with no value, and are marked."""
    tray = SyntheticTray(seed=1, noise=0)
    before = tray.render_frame(0.0).astype(int)
    tray.place_die(0.0, SyntheticDie("silver", 20, "red", kind=kind), None, 20, 10, turn=0.4)
    truth = tray.ground_truth(0.0) or ()
    assert [(die.kind, die.value) for die in truth] == [(RULEBOOK_KINDS.get(kind, kind), None)]
    assert tray.ground_truth_marks(0.0) == ("symbol",)
    x, y, wide, tall = truth[0].box
    assert 48 < wide < 105
    assert 48 < tall < 105
    change = np.abs(tray.render_frame(0.0).astype(int) - before).max(axis=2) > 60
    assert change.sum() < 1.4 * change[y : y + tall, x : x + wide].sum()
    assert change[y : y + tall, x : x + wide].mean() > 0.4


def tones(die: SyntheticDie, x: float = 0.0) -> float:
    """Return how much the color varies over the middle of a die that shows a one, away from its pip."""
    tray = SyntheticTray(seed=1, noise=0)
    tray.place_die(0.0, die, 1, x, 0)
    top = tray.render_frame(0.0)[216:265, 296:345].astype(float).mean(axis=2)
    top[16:33, 16:33] = np.nan
    return float(np.nanstd(top))


def test_bodies() -> None:
    """A marbled die has two tones, and no two are alike; through a clear one the pips beneath are visible."""
    plain = tones(SyntheticDie("blue", 26, "white"))
    assert plain < 8
    assert tones(SyntheticDie("blue", 26, "white", body="marbled")) > 2 * plain
    assert tones(SyntheticDie("blue", 26, "white", body="clear")) > 1.2 * plain
    tray = SyntheticTray(seed=1, noise=0, height=1e6)
    for x in (-40, 40):
        tray.place_die(0.0, SyntheticDie("blue", 26, "white", body="marbled"), 1, x, 0)
    frame = tray.render_frame(0.0).astype(int)
    shift = round(80 * 640 / 250)
    assert np.abs(frame[216:265, 194:243] - frame[216:265, 194 + shift : 243 + shift]).max() > 40


def test_ringed_pips() -> None:
    """A ringed pip is a dot in a ring with the body between them."""
    tray = SyntheticTray(seed=1, noise=0, view=60, height=2000)
    tray.place_die(0.0, SyntheticDie(size=30, ring=True), 1, 0, 0)
    row = tray.render_frame(0.0)[240, 320:400].max(axis=1) < 120
    # From the middle outwards: dark, light, dark, light.
    assert int(np.count_nonzero(np.diff(row.astype(int)))) == 3


# The camera ----------------------------------------------------------------------------------------------------------


def test_oblique_camera() -> None:
    """From the side, farther things are smaller, the tray narrows toward the far end, and die fronts are visible."""
    tray = SyntheticTray(seed=1, tilt=40, noise=0, rim=25)
    tray.place_die(0.0, SyntheticDie("red", 16, "white"), 5, 0, -55)
    tray.place_die(0.0, WHITE, 5, 0, 55)
    near, far = sorted(tray.ground_truth(0.0) or (), key=lambda die: -die.box[1])
    assert (near.colour, far.colour) == ("white", "red")
    assert near.box[2] > 1.15 * far.box[2]
    assert near.box[3] > 1.2 * near.box[2]
    green = tray.render_frame(0.0).argmax(axis=2) == 1
    wide = [int(np.count_nonzero(green[y])) for y in (120, 240, 380)]
    assert wide[0] < wide[1] < wide[2]


def test_a_nearer_die_hides_one_behind_it() -> None:
    """From the side, a die in front covers part of the one behind it, in whatever order they were put down."""
    boxes = []
    for order in (1, -1):
        tray = SyntheticTray(seed=1, tilt=55, noise=0)
        for y, colour in ((0, "red"), (18, "blue"))[::order]:
            tray.place_die(0.0, SyntheticDie(colour, 16, "white"), 1, 0, y)
        boxes.append(tray.render_frame(0.0)[200:280, 280:360].astype(int))
        # The upper edge of the die in front, before the front of the one behind.
        across, along = Lens((640, 480), 250, 430, 55).project_point(0, 11, 15)
        blue, _, red = tray.render_frame(0.0)[round(along), round(across)]
        assert blue > red
    assert np.abs(boxes[0] - boxes[1]).max() < 4


def test_too_many_dice() -> None:
    """More dice than fit apart are refused, and so are impossible values."""
    tray = SyntheticTray(seed=1)
    with pytest.raises(ValueError, match="do not fit"):
        tray.throw_dice(0.0, [SyntheticDie(size=40)] * 8)
    with pytest.raises(ValueError, match="cannot show"):
        tray.throw_dice(0.0, [WHITE], [7])
    with pytest.raises(ValueError, match="cannot show"):
        tray.throw_dice(0.0, [WHITE], [1, 2])
