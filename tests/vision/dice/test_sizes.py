"""The sizes of a table's dice are learned."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vision.dice.sizes import RANGE, SETTLED, STEP, USUAL, Sizes, shapes_of, size_steps


def test_a_size_is_known_after_a_few_dice() -> None:
    sizes = Sizes()
    for _ in range(SETTLED - 1):
        sizes.learn("d6", 13.5)
    assert sizes.of("d6") == ()
    sizes.learn("d6", 13.7)
    assert sizes.of("d6") == pytest.approx((13.5,), rel=0.01)
    assert sizes.of("d20") == ()


def test_one_shape_may_have_two_sizes() -> None:
    sizes = Sizes()
    for size in (13.4, 17.2, 13.6, 17.4, 13.5, 17.3) * SETTLED:
        sizes.learn("d6", size)
    assert sizes.of("d6") == pytest.approx((13.5, 17.3), rel=0.01)


def test_what_was_learned_before_is_known_at_once() -> None:
    sizes = Sizes()
    for size in (13.44, 17.2) * SETTLED:
        sizes.learn("d6", size)
    sizes.learn("d20", 20.0)
    assert sizes.known == {"d6": (13.4, 17.2)}
    assert Sizes(sizes.known).known == sizes.known


def test_any_size_is_near_one_that_is_tried() -> None:
    shapes = shapes_of({"d6", "pitch", "d24"})
    assert shapes == ["d6", "d24", "tetrakis"]
    steps = size_steps(shapes)
    assert steps[0] <= USUAL["d6"] / RANGE + 0.01
    assert steps[-1] >= USUAL["tetrakis"] * RANGE - 0.01
    assert all(b / a <= STEP for a, b in pairwise(steps))
