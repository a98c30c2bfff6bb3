"""The sizes of a table's dice are learned."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vision.dice.sizes import (
    MAX_SIZE_RATIO,
    MIN_SIZE_OBSERVATIONS,
    SIZE_STEP_RATIO,
    USUAL_SIZES_MM,
    DiceSizes,
    shapes_for_kinds,
    trial_sizes,
)


def test_a_size_is_known_after_a_few_dice() -> None:
    sizes = DiceSizes()
    for _ in range(MIN_SIZE_OBSERVATIONS - 1):
        sizes.learn_size("d6", 13.5)
    assert sizes.sizes_of_shape("d6") == ()
    sizes.learn_size("d6", 13.7)
    assert sizes.sizes_of_shape("d6") == pytest.approx((13.5,), rel=0.01)
    assert sizes.sizes_of_shape("d20") == ()


def test_one_shape_may_have_two_sizes() -> None:
    sizes = DiceSizes()
    for size in (13.4, 17.2, 13.6, 17.4, 13.5, 17.3) * MIN_SIZE_OBSERVATIONS:
        sizes.learn_size("d6", size)
    assert sizes.sizes_of_shape("d6") == pytest.approx((13.5, 17.3), rel=0.01)


def test_what_was_learned_before_is_known_at_once() -> None:
    sizes = DiceSizes()
    for size in (13.44, 17.2) * MIN_SIZE_OBSERVATIONS:
        sizes.learn_size("d6", size)
    sizes.learn_size("d20", 20.0)
    assert sizes.known_sizes == {"d6": (13.4, 17.2)}
    assert DiceSizes(sizes.known_sizes).known_sizes == sizes.known_sizes


def test_any_size_is_near_one_that_is_tried() -> None:
    shapes = shapes_for_kinds({"d6", "pitch", "d24"})
    assert shapes == ["d6", "d24", "tetrakis"]
    steps = trial_sizes(shapes)
    assert steps[0] <= USUAL_SIZES_MM["d6"] / MAX_SIZE_RATIO + 0.01
    assert steps[-1] >= USUAL_SIZES_MM["tetrakis"] * MAX_SIZE_RATIO - 0.01
    assert all(b / a <= SIZE_STEP_RATIO for a, b in pairwise(steps))
