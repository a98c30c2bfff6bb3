"""How the faces of a d20 support one another."""

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tiers import first
from vision.dice import d20_layout
from vision.drawn import shapes, solids
from vision.drawn.paint import Lens
from vision.drawn.physics import Pose
from vision.drawn.solids import DrawnDie, Facet

DIE = DrawnDie("blue", 20, "white", "d20")


@cache
def facets(value: int, yaw: float, tilt: float) -> tuple[list[Facet], tuple[float, float, float]]:
    """Return the facets of a die in the tray's middle, and its middle and width in the picture."""
    lens = Lens((400, 400), 40, 4000, tilt)
    turn = shapes.lying("d20", value, yaw)
    pose = Pose(0, 0, shapes.height("d20", DIE.size, turn), turn)
    patch = solids.draw(lens, pose, DIE)
    cover = patch.clear.max(axis=2) < 128
    ys, xs = np.nonzero(cover)
    middle = patch.left + (xs.min() + xs.max()) / 2, patch.top + (ys.min() + ys.max()) / 2
    return solids.visible_facets(lens, pose, DIE), (*middle, 2 * math.sqrt(cover.sum() / math.pi))


def looked(value: int, yaw: float, tilt: float, misread: float = 0.0) -> NDArray[np.float64]:
    """Return the neighbors' probabilities from a reader of the nearest facets that errs with probability `misread`."""
    (top, *others), (x, y, size) = facets(value, yaw, tilt)
    places = d20_layout.neighbour_places((top.x - x) / size, (top.y - y) / size)
    seen = np.full((*places.shape[:2], 20), np.nan)
    for ring, step in np.ndindex(*places.shape[:2]):
        right, down, facing = places[ring, step]
        if facing < 0.5:
            continue
        seen[ring, step] = misread / 20
        for facet in others:
            if math.hypot((facet.x - x) / size - right, (facet.y - y) / size - down) < 0.06:
                seen[ring, step, facet.value - 1] += 1 - misread
    return seen


@pytest.mark.parametrize("tilt", first([25.0, 0.0, 45.0]))
def test_the_other_faces_are_where_expected(tilt: float) -> None:
    """Each clearly visible facet is near one of the places around the top one, however the die is turned."""
    for value, yaw in ((20, 0.3), (7, 1.9), (12, 4.4)):
        (top, *others), (x, y, size) = facets(value, yaw, tilt)
        places = d20_layout.neighbour_places((top.x - x) / size, (top.y - y) / size)[..., :2]
        for facet in others:
            if facet.facing > 0.5:
                here = np.array(((facet.x - x) / size, (facet.y - y) / size))
                assert np.linalg.norm(places - here, axis=-1).min() < 0.06


@pytest.mark.slow
@pytest.mark.parametrize("tilt", [0.0, 45.0])
def test_neighbors_identify_every_value(tilt: float) -> None:
    """Read well, the faces around it make the top value far likelier than any other."""
    for value in range(1, 21):
        much = d20_layout.agreement(looked(value, 0.7 * value, tilt, misread=0.3))
        assert np.argmax(much) == value - 1
        assert much[value - 1] > 20 * np.sort(much)[-2]


@pytest.mark.slow
def test_another_numbering_is_learned() -> None:
    """If the other faces show nothing, no value gets likelier.

    If they are numbered differently they soon count for little, and otherwise for more.
    """
    habit, even = d20_layout.LayoutHabit(), np.full(20, 0.05)
    assert habit.weigh(even, d20_layout.agreement(np.full((2, d20_layout.STEPS, 20), np.nan))) == pytest.approx(1)
    assert habit.alike == pytest.approx(d20_layout.ALIKE)
    other = np.random.default_rng(3).permutation(20)
    foreign, usual = d20_layout.LayoutHabit(), d20_layout.LayoutHabit()
    for value in range(1, 21):
        signs, seen = np.eye(20)[value - 1], looked(value, 0.5 * value, 45, misread=0.2)
        usual.weigh(signs, d20_layout.agreement(seen))
        foreign.weigh(signs, d20_layout.agreement(seen[..., other]))
    assert foreign.alike < 0.2
    assert usual.alike == d20_layout.NEARLY
