"""Limits that a table's rolls justify, and those they do not."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.painted import Painted, painted, roll
from vision.dice.thresholds import USUAL, Limits
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader
from vision.reading import Die
from vision.tuning import (
    EARNED,
    ENOUGH,
    GRID,
    Sample,
    SampleError,
    SampleView,
    asks_less,
    asks_more,
    choose_limits,
    judge_again,
    make_sample,
    outcomes,
    pack_sample,
    take_view,
    unpack_sample,
    weights_checksum,
)

CLEAR = roll(99)
"""A roll that counted by itself, as most do."""


def weighed(lessons: Sequence[Sample], less: int = 0) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return the input of `choose_limits` for some samples, each judged by weights that are `less` sure."""
    known = {one: outcomes(Painted(less), one) for one in set(lessons)}
    rows = [known[one] for one in lessons]
    return np.array([one.confirmed for one in lessons], bool), np.array(rows, np.int64).reshape(-1, len(GRID))


def chosen(*groups: tuple[int, Sample], less: int = 0) -> Limits:
    return choose_limits(*weighed([one for count, lesson in groups for one in repeat(lesson, count)], less))


# What is chosen ------------------------------------------------------------------------------------------------------


def test_when_to_ask_a_table_less() -> None:
    # Sixty confirmed doubts without a wrong one are enough to ask less; fewer are not.
    assert chosen((EARNED - 1, roll(82)), (100, CLEAR)) == USUAL
    assert chosen((EARNED, roll(82)), (100, CLEAR)) == Limits(sure=0.8)
    # If one of the doubts was a misread, no limits are chosen that would have believed it.
    assert chosen((300, roll(82)), (1, roll(81, right=False)), (50, CLEAR)) == USUAL
    assert chosen((300, roll(82)), (1, roll(74, right=False)), (50, CLEAR)) == Limits(sure=0.8)
    # Rolls that counted without a question while less was asked do not prove that less may be asked.
    quiet = Sample(replace(painted((3, 82)), doubt=None), (3,))
    assert not quiet.confirmed
    assert chosen((300, quiet), (100, CLEAR)) == USUAL
    assert chosen((EARNED, roll(82)), (40, quiet)) == Limits(sure=0.8)


def test_when_to_ask_a_table_more() -> None:
    # Two corrected misreads raise the limits; one may be a slip of the finger, and few rolls prove nothing.
    misread = roll(88, right=False)
    assert chosen((1, misread), (100, CLEAR)) == USUAL
    assert chosen((2, misread), (100, CLEAR)) == Limits(sure=0.9)
    assert chosen((2, misread), (ENOUGH - 3, CLEAR)) == USUAL
    # More questions are weighed against the taps they cost.
    assert chosen((2, roll(88, right=False)), (15, roll(88)), (40, CLEAR)) == Limits(sure=0.9)
    assert chosen((2, roll(88, right=False)), (60, roll(88)), (40, CLEAR)) == USUAL
    # A speck beside the die, always taken for a third of a die, is asked about less in the end.
    speck = Sample(replace(painted((3, 99), (1, 31)), read=(3,)), (3,))
    assert chosen((EARNED, speck), (50, CLEAR)) == Limits(maybe=0.36)


def test_other_weights_are_judged_again() -> None:
    """What the rolls proved for one net they do not prove for another."""
    rolls = (80, roll(82)), (100, roll(95))
    assert chosen(*rolls) == Limits(sure=0.8)
    assert chosen(*rolls, less=-10) == USUAL
    assert chosen(*rolls, less=5) == Limits(sure=0.75)


LESSONS = st.lists(
    st.tuples(st.integers(0, 90), st.sampled_from([72, 77, 82, 87, 92, 99]), st.booleans()), min_size=1, max_size=6
)


@given(LESSONS)
@example([(80, 82, True), (1, 72, False), (60, 99, True)])
@example([(5, 87, False), (60, 99, True)])
@example([(5, 87, False), (70, 82, True), (60, 99, True)])
def test_chosen_limits_are_better_and_within_bounds(groups: list[tuple[int, int, bool]]) -> None:
    """Limits other than the usual cost less on the stored rolls, whichever roll is left out, and stay within bounds."""
    told, costs = weighed([one for n, percent, right in groups for one in repeat(roll(percent, right=right), n)])
    limits = choose_limits(told, costs)
    assert 0.7 <= limits.sure <= 0.95
    assert 0.1 < limits.maybe < limits.face == USUAL.face
    if limits != USUAL:
        usual, now = costs[:, 0], costs[:, GRID.index(limits)]
        assert len(told) >= ENOUGH
        assert all(usual.sum() - usual[i] > now.sum() - now[i] for i in range(len(told)))
    if asks_less(limits):
        believed = told & (usual == 1) & (now != 1)
        assert believed.sum() >= EARNED
        assert (now[believed] == 0).all()


@given(LESSONS)
def test_without_feedback_limits_stay_as_usual(groups: list[tuple[int, int, bool]]) -> None:
    told, costs = weighed([one for n, percent, right in groups for one in repeat(roll(percent, right=right), n)])
    assert choose_limits(np.zeros_like(told), costs) == USUAL


def test_candidates_are_near_the_usual_limits() -> None:
    """The usual limits come first; each other candidate asks more, less, or both."""
    assert GRID[0] == USUAL
    assert len(set(GRID)) == len(GRID) == 30
    assert all(asks_less(limits) or asks_more(limits) for limits in GRID[1:])
    assert not asks_less(USUAL)
    assert not asks_more(USUAL)


# What counts as a sample ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "told"),
    [((3, 5), False), ((5, 3), False), ((3, 4), True), ((3,), None), ((3, 5, 1), None), ((1, 2), None), ((3, 9), None)],
)
def test_rolls_played_become_samples_if_they_fit_the_dice(values: tuple[int, ...], told: bool | None) -> None:
    """A sample needs as many dice, at most one misread, in any order. Sure and unchanged, it is not confirmed."""
    found = make_sample(painted((3, 99), (5, 99)), values)
    assert (None if found is None else found.confirmed) == told


def test_a_confirmed_doubt_is_recorded() -> None:
    assert (roll(82).confirmed, roll(99).confirmed) == (True, False)


@pytest.fixture(scope="module")
def read() -> tuple[Reader, SampleView]:
    scene = DrawnTray(seed=3)
    for x, y, value in ((-60, -30, 2), (10, 20, 5), (70, 5, 6)):
        scene.lay(0, DrawnDie(), value, x, y, turn=0.4)
    reader = Reader()
    seen = take_view(reader, reader.read(scene.frame(1)))
    assert seen is not None
    return reader, seen


def test_a_sample_is_judged_again_exactly(read: tuple[Reader, SampleView]) -> None:
    # A stored sample gives the net exactly the pixels it was shown.
    reader, seen = read
    before = {one.where: one.chances for one in reader.judged}
    assert seen.read == (2, 5, 6)
    for look in judge_again(reader, seen):
        assert look.chances == pytest.approx(before[look.where], abs=1e-5)
    # A stored sample comes back complete, to the last bit, and is judged the same.
    reader, seen = read
    one = Sample(seen, (2, 5, 5))
    back = unpack_sample(pack_sample(one))
    assert np.array_equal(one.view.strip, back.view.strip)
    assert (one.truth, one.view.places, one.confirmed) == (back.truth, back.view.places, back.confirmed)
    assert np.array_equal(outcomes(reader, one), outcomes(reader, back))
    assert outcomes(reader, one)[0] == 20
    assert outcomes(reader, Sample(seen, (6, 5, 2)))[0] == 0
    assert outcomes(reader, Sample(seen, (6, 5)))[0] == 1


def test_a_doubt_about_the_tray_is_not_a_sample(read: tuple[Reader, SampleView]) -> None:
    """There is no sample if no limits would change anything, or if dice were left out."""
    reader, _ = read
    scene = DrawnTray(seed=3)
    scene.lay(0, DrawnDie(), 2, 0, 0)
    reading = reader.read(scene.frame(1))
    assert take_view(reader, reading) is not None
    assert take_view(reader, replace(reading, doubt="outside")) is None
    assert take_view(reader, replace(reading, doubt="unclear")) is None
    assert take_view(reader, replace(reading, dice=())) is None
    assert take_view(Reader(), reading) is None
    twenty = Die("d20", 2, "white", (400, 90, 40, 40), 0.9)
    assert take_view(reader, replace(reading, dice=(*reading.dice, twenty))) is None
    assert take_view(reader, replace(reading, dice=(twenty,))) is None
    reader.judged = [replace(one, where=replace(one.where, x=4.0)) for one in reader.judged]
    assert take_view(reader, replace(reading, doubt="edge")) is None


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_damaged_sample_is_refused(place: float) -> None:
    data = pack_sample(roll(82))
    at = int(len(data) * place)
    with pytest.raises(SampleError, match="not what was kept"):
        unpack_sample(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
    with pytest.raises(SampleError, match="not what was kept"):
        unpack_sample(data[:at])


def test_dice_found_by_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The heat of another detector says nothing about this one."""
    data = pack_sample(roll(82))
    monkeypatch.setattr("vision.tuning.weights_checksum", lambda: weights_checksum() + 1)
    with pytest.raises(SampleError, match="other weights"):
        unpack_sample(data)
