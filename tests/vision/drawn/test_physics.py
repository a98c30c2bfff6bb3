"""How thrown dice roll and come to rest."""

import math
from random import Random

import numpy as np
import pytest

from vision.drawn import physics, shapes

VALUED = ("d6", *shapes.MARKS)


@pytest.mark.parametrize("seed", range(20))
def test_tracks_end_apart_and_inside(seed: int) -> None:
    """However many dice are thrown, their last places keep the gap and the walls."""
    sizes = [12.0, 16.0, 16.0, 19.0, 10.0][: 1 + seed % 5]
    bodies = [shapes.body("d6", size, 1) for size in sizes]
    spots = [track.spots[-1] for track in physics.throw(bodies, (230, 170), Random(seed))]
    for one, (spot, size) in enumerate(zip(spots, sizes, strict=True)):
        assert abs(spot[0]) <= 115 - size / 2 <= 115
        assert abs(spot[1]) <= 85 - size / 2
        assert size / 2 == pytest.approx(spot[2])
        for other in range(one):
            least = (size + sizes[other]) * math.sqrt(0.5)
            assert math.hypot(*(spot - spots[other])[:2]) > least


@pytest.mark.parametrize("kind", VALUED)
def test_tracks_end_on_their_value(kind: str) -> None:
    """A rolling die comes to lie flat on the felt with the facet of its value up."""
    shape = shapes.solid(kind)
    for value in range(1, shapes.faces(kind) + 1):
        (track,) = physics.throw([shapes.body(kind, 16, value)], (230, 170), Random(value))
        up = shape.normals @ track.turns[-1].T
        assert shape.tile[up[:, 2].argmax()] == value - 1
        assert up[:, 2].max() == pytest.approx(1)
        assert track.spots[-1, 2] == pytest.approx(8)


@pytest.mark.parametrize("kind", VALUED)
def test_dice_roll_on_the_felt(kind: str) -> None:
    """No corner of a moving die is ever under the felt, and from step to step a die jumps no more than it flies."""
    for track in physics.throw([shapes.body(kind, 16, value) for value in (3, 5)], (230, 170), Random(4)):
        low = [spot[2] - shapes.height(kind, 16, turn) for spot, turn in zip(track.spots, track.turns, strict=True)]
        assert min(low) > -1e-5
        assert np.abs(np.diff(track.spots, axis=0)).max() < 12
