"""Shapes of drawn things: how they lie, which values are opposite, and how they are printed."""

import math
from random import Random

import numpy as np
import pytest

from vision.synthetic import physics, shapes

POLYHEDRA = ("d8", "d10", "d100", "d12", "d20", "d24", "tetrakis")


@pytest.mark.parametrize("kind", shapes.SYNTHETIC_KINDS)
def test_every_facet_lies_flat(kind: str) -> None:
    """Each value can be on top: its facet then faces straight up, and the thing is as high as it is thick."""
    shape = shapes.solid_of_kind(kind)
    for value in range(1, shapes.facet_count(kind) + 1):
        turn = shapes.lying_rotation(kind, value, 0.3)
        up = shape.normals @ turn[2]
        assert up.max() == pytest.approx(1)
        assert shape.tile[up.argmax()] == value - 1
        assert shapes.center_height(kind, 20.0, turn) == pytest.approx(20 / 2 * shape.far[up.argmax()], rel=1e-4)


@pytest.mark.parametrize("kind", shapes.SYNTHETIC_KINDS)
def test_nothing_is_printed_mirrored(kind: str) -> None:
    """Right, down and outward on a facet are as in the picture from above."""
    shape = shapes.solid_of_kind(kind)
    assert all(np.linalg.det(axes) > 0 for axes in zip(shape.right, shape.down, shape.normals, strict=True))


@pytest.mark.parametrize(("kind", "corners"), [*zip(POLYHEDRA, (6, 12, 12, 20, 12, 26, 14), strict=True)])
def test_solids(kind: str, corners: int) -> None:
    shape = shapes.solid_of_kind(kind)
    assert len(shape.normals) == len(shapes.FACE_MARKS[kind]) == shapes.facet_count(kind)
    assert sorted(shape.tile) == list(range(shapes.facet_count(kind)))
    assert len(shape.corners) == corners
    assert (shape.normals @ shape.corners.T).max() == pytest.approx(1)
    spokes = np.linalg.norm(shape.corners[None] - shape.middle[:, None], axis=2)
    assert np.sort(spokes, axis=1) == pytest.approx(np.sort(spokes, axis=1)[[0] * len(spokes)], abs=1e-5)


@pytest.mark.parametrize("kind", [kind for kind in shapes.FACE_MARKS if kind != "pitch"])
def test_opposite_facets(kind: str) -> None:
    """Opposite facets add up to one more than the highest; on a d10 to 9, on a tens die to 90."""
    shape = shapes.solid_of_kind(kind)
    shown = np.array([int(shapes.FACE_MARKS[kind][tile]) for tile in shape.tile])
    opposite = (shape.normals @ shape.normals.T).argmin(axis=1)
    total = {"d10": 9, "d100": 90}.get(kind, shapes.facet_count(kind) + 1)
    assert set(shown + shown[opposite]) == {total}


def test_known_dice() -> None:
    # Pitching die.
    assert [shapes.FACE_MARKS["pitch"][value - 1] for value in (1, 6, 2, 5, 3, 4)] == list("BBSSCC")
    # Around the 20 are 2, 8 and 14; seen from outside, around the 8 clockwise 20, 16 and 10.
    shape = shapes.solid_of_kind("d20")
    facets = shape.tile.tolist()
    near = (shape.normals @ shape.normals.T).argsort(axis=1)[:, -4:-1]
    assert {2, 8, 14} == {facets[facet] + 1 for facet in near[facets.index(19)]}
    eight = facets.index(7)
    around = shape.normals[near[eight]] @ np.array([shape.right[eight], shape.down[eight]]).T
    clockwise = [facets[near[eight][i]] + 1 for i in np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    assert clockwise[clockwise.index(20) :] + clockwise[: clockwise.index(20)] == [20, 16, 10]
    # The facets of a d10 meet at right angles around its girdle; one half of them is even, and they face the tip.
    shape = shapes.solid_of_kind("d10")
    up = shape.normals[:, 2] > 0
    right = np.isclose(shape.normals @ shape.normals.T, 0, atol=1e-5) & (up[:, None] != up)
    assert right.sum(axis=1).tolist() == [2] * 10
    assert {int(tile + 1) % 2 for tile in shape.tile[up]} == {0}
    assert ((shape.down[:, 2] < 0) == up).all()
    # Three corners of each kite are alike, about 82 degrees, and the numeral's top is at the fourth.
    shape = shapes.solid_of_kind("d24")
    for normal, middle, down in zip(shape.normals, shape.middle, shape.down, strict=True):
        spokes = shape.corners[shape.corners @ normal > 1 - 1e-5] - middle
        away = np.linalg.norm(spokes, axis=1)
        blunt = int(away.argmin())
        assert np.delete(away, blunt) == pytest.approx(away.max(), rel=1e-4)
        half = math.radians(81.579 / 2)
        inner = np.linalg.norm(shape.right[0]) ** -1 * shape.reach
        assert inner / away.max() == pytest.approx(math.sin(half), rel=1e-3)
        assert spokes[blunt] @ down < 0
        assert np.cross(spokes[blunt], down) == pytest.approx([0, 0, 0], abs=1e-5)


@pytest.mark.parametrize("kind", POLYHEDRA)
def test_pictures_are_within_their_facets(kind: str) -> None:
    """The middle of a picture is `reach` from all the facet's sides, in the directions of `sides`."""
    shape = shapes.solid_of_kind(kind)
    for facet, (normal, middle) in enumerate(zip(shape.normals, shape.middle, strict=True)):
        ring = shape.corners[shape.corners @ normal > 1 - 1e-5] - middle
        across = np.array([shape.right[facet], shape.down[facet]]) @ ring.T / (shape.right[facet] @ shape.right[facet])
        across *= np.linalg.norm(shape.right[facet])
        half = 1 / np.linalg.norm(shape.right[facet])
        # Along each direction to a side, the two corners of that side are farthest, at the same distance.
        far = np.sort(shape.sides @ across / half, axis=1)[:, -2:]
        assert far == pytest.approx(np.full(far.shape, shape.reach), abs=1e-4)


VALUED = ("d6", *shapes.FACE_MARKS)


def test_tracks_end_apart_and_inside() -> None:
    """However many dice are thrown, their last places keep clear of each other and of the walls."""
    for seed in range(20):
        sizes = [12.0, 16.0, 16.0, 19.0, 10.0][: 1 + seed % 5]
        bodies = [shapes.rigid_body("d6", size, 1) for size in sizes]
        spots = [track.spots[-1] for track in physics.simulate_throw(bodies, (230, 170), Random(seed))]
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
    shape = shapes.solid_of_kind(kind)
    for value in range(1, shapes.facet_count(kind) + 1):
        (track,) = physics.simulate_throw([shapes.rigid_body(kind, 16, value)], (230, 170), Random(value))
        up = shape.normals @ track.turns[-1].T
        assert shape.tile[up[:, 2].argmax()] == value - 1
        assert up[:, 2].max() == pytest.approx(1)
        assert track.spots[-1, 2] == pytest.approx(8)


@pytest.mark.parametrize("kind", VALUED)
def test_dice_roll_on_the_felt(kind: str) -> None:
    """No corner of a moving die is ever below the felt, and from step to step a die moves no farther than it flies."""
    for track in physics.simulate_throw(
        [shapes.rigid_body(kind, 16, value) for value in (3, 5)], (230, 170), Random(4)
    ):
        low = [
            spot[2] - shapes.center_height(kind, 16, turn) for spot, turn in zip(track.spots, track.turns, strict=True)
        ]
        assert min(low) > -1e-5
        assert np.abs(np.diff(track.spots, axis=0)).max() < 12
