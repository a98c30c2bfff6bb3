"""Dice of every kind in the drawn tray: thrown, tossed, placed, turned and refused."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.tiers import first
from vision.synthetic import shapes
from vision.synthetic.tray import RULEBOOK_KINDS, GlareSpot, SyntheticDie, SyntheticTray

WHITE = SyntheticDie()
VALUED = ("d6", *shapes.FACE_MARKS)


@pytest.mark.parametrize("kind", first(VALUED))
def test_every_kind_is_thrown(kind: str) -> None:
    """A die of any kind with values comes to rest flat and readable on each requested value."""
    tray, die, shape = SyntheticTray((64, 48), seed=4), SyntheticDie(kind=kind), shapes.solid_of_kind(kind)
    for value in range(1, shapes.facet_count(kind) + 1):
        done = tray.throw_dice(0.0, [die], [value])
        truth = tray.ground_truth(done) or ()
        said = shapes.FACE_MARKS["pitch"][value - 1] if kind == "pitch" else value
        assert [(die.kind, die.value) for die in truth] == [(RULEBOOK_KINDS.get(kind, kind), said)]
        assert tray.ground_truth_marks(done) == (None,)
        (thing,) = tray._things
        tops = shape.normals @ thing.rest_pose.turn[2]
        assert shape.tile[tops.argmax()] == value - 1
        assert thing.rest_pose.z == pytest.approx(8)


@pytest.mark.slow
def test_mixed_dice_come_to_rest_apart() -> None:
    """Dice of every kind thrown at once stay within the walls, and none overlaps another."""
    for seed in range(8):
        tray = SyntheticTray((64, 48), seed=seed)
        tray.throw_dice(0.0, [SyntheticDie(kind=kind) for kind in VALUED])
        rings = [thing.corners_at(thing.rest_pose)[:, :2].copy() for thing in tray._things]
        assert max(np.abs(ring[:, 0]).max() for ring in rings) < 250 / 2 - 9
        for one, ring in enumerate(rings):
            hull = cv2.convexHull(ring)
            for other in rings[:one]:
                assert max(cv2.pointPolygonTest(hull, (float(x), float(y)), True) for x, y in other) < 0


@pytest.mark.slow
@pytest.mark.parametrize("letter", ["B", "S", "C"])
def test_letters_are_thrown(letter: str) -> None:
    tray, die = SyntheticTray((64, 48), seed=4), SyntheticDie(kind="pitch")
    facets: set[int | None] = set()
    for _ in range(8):
        now = tray.throw_dice(0.0, [die], [letter])
        facets.add(tray._things[0].facet)
        now = tray.throw_die(now, die, letter)
        assert [letter] == [one.value for one in tray.ground_truth(now) or ()]
    assert facets == {value for value in range(1, 7) if shapes.FACE_MARKS["pitch"][value - 1] == letter}
    tray.clear_tray()
    tray.place_die(now, die, letter, 0, 0)
    tray.turn_dice(now, die, [letter])
    now = tray.reroll_dice(now, [(letter, "S")])
    assert [("pitch", "S")] == [(one.kind, one.value) for one in tray.ground_truth(now) or ()]


def test_twenty_sided_dice_are_turned_and_thrown_again() -> None:
    """Dice of twenty at rest are turned and thrown again like dice with pips."""
    tray, die = SyntheticTray(seed=3), SyntheticDie("blue", 18, "white", "d20")
    tray.turn_dice(0.0, die, [20, 7])
    tray.turn_dice(0.0, die, [20, 15])
    assert [15, 20] == sorted(one.value for one in tray.ground_truth(0.0) or () if isinstance(one.value, int))
    done = tray.reroll_dice(0.0, [(15, 1)])
    assert [1, 20] == sorted(one.value for one in tray.ground_truth(done) or () if isinstance(one.value, int))


def test_glare_hides_a_numeral() -> None:
    """A lamp in the middle of a numeral hides it; in the corner of a large facet it hides nothing."""
    tray, die = SyntheticTray(seed=1, noise=0), SyntheticDie("blue", 24, "white", "d8")
    tray.place_die(0.0, die, 5, 0, 0, turn=0.7, glare=GlareSpot(0, 0, wide=9, tall=7))
    assert tray.ground_truth_marks(0.0) == ("glare",)
    tray.clear_tray()
    tray.place_die(0.0, die, 5, 0, 0, turn=0.7, glare=GlareSpot(11, 0, wide=3, tall=2))
    assert tray.ground_truth_marks(0.0) == (None,)
    for kind in VALUED:
        tray.clear_tray()
        tray.place_glaring_die(0.0, SyntheticDie(size=20, kind=kind))
        assert tray.ground_truth_marks(0.0) == ("glare",)


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        ("d20", 21, "A d20 cannot show 21"),
        ("d10", 0, "A d10 cannot show 0"),
        ("d8", "B", "A d8 cannot show B"),
        ("pitch", "X", "A pitch cannot show X"),
        ("coin", 1, "A coin has no value"),
    ],
)
def test_impossible_values_are_refused(kind: str, value: int | str, reason: str) -> None:
    """This holds however the die would get there, and the dice in the tray stay."""
    tray, die = SyntheticTray(seed=1), SyntheticDie("silver", 20, kind=kind)
    tray.place_die(0.0, WHITE, 6, 0, 0)
    acts: list[Callable[[], object]] = [
        lambda: tray.throw_dice(0.0, [die], [value]),
        lambda: tray.throw_die(0.0, die, value),
        lambda: tray.place_die(0.0, die, value, 0, 0),
    ]
    for act in acts:
        with pytest.raises(ValueError, match=reason):
            act()
    assert [6] == [one.value for one in tray.ground_truth(0.0) or ()]
