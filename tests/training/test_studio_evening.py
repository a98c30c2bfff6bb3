"""The table of a rendered evening stays the same from throw to throw, and its dice lie as they should."""

from dataclasses import replace

import numpy as np
import pytest

from scripts.training.studio import cameras, dice
from scripts.training.studio.evenings import ASLANT, LARGE, LEAN, SORTS, Seen, Table
from scripts.training.studio.truth import top_facet
from vision.synthetic.paint import Lens

D6: Seen = ("d6", None)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(5, ())


def test_a_seed_names_one_table(table: Table) -> None:
    """Camera, tray and dice are the same each time; another seed gives another table."""
    again, other = Table(5, ()), Table(6, ())
    assert (table.camera, table.tray, table.look(D6)) == (again.camera, again.tray, again.look(D6))
    assert table.tray != other.tray


def test_the_camera_points_down_and_sees_the_whole_tray() -> None:
    """As the manual asks: nearly straight, with the tray's rim in the picture."""
    for seed in range(8):
        table = Table(seed, ())
        lens: Lens = table.camera.lens
        assert 0 <= lens.tilt <= ASLANT
        spots = lens.project_points(table.tray.rim)
        assert spots.min() >= 0
        assert (spots < lens.size).all()


def test_the_same_dice_are_thrown_each_time(table: Table) -> None:
    """Two throws show the same dice in other places; dice of a kind differ in nothing but their swirls."""
    (one, order), (other, again) = (table.thrown(name, [D6, D6], None) for name in ("first", "second"))
    dice = [[scene.dice[n.index(place)] for place in (0, 1)] for scene, n in ((one, order), (other, again))]
    assert [die.die for die in dice[0]] == [die.die for die in dice[1]]
    assert dice[0][0].die.colors == dice[0][1].die.colors
    assert dice[0][0].pose.x != dice[1][0].pose.x
    assert all(die.tilt < 0.2 for pair in dice for die in pair)


def test_dice_have_the_colors_that_a_game_prescribes(table: Table) -> None:
    for color in ("red", "white"):
        assert f" {color}, " in table.look(("d6", color)).name


def test_a_die_shows_the_face_that_is_taught(table: Table) -> None:
    """Each letter of the pitching die in both rounds, on two different facets."""
    for face in "BSC":
        tops = set()
        for turn in (0, 1):
            (die,) = table.showing(("pitch", None), face, turn).dice
            tops.add(top_facet(die))
            assert face == die.die.face(top_facet(die))
        assert len(tops) == 2


@pytest.mark.parametrize(("trouble", "reason"), [("cocked", "cocked"), ("stacked", "stacked"), ("covered", "hand")])
def test_trouble_is_what_was_asked_for(table: Table, trouble: str, reason: str) -> None:
    """A cocked die leans, a stacked one lies on another, and a hand covers one; all dice asked for are there."""
    scene, order = table.thrown("third", [D6, D6, D6], trouble)
    assert reason == scene.reason
    assert [0, 1, 2] == sorted(order)
    leaning = [one.tilt for one in scene.dice if one.tilt > 1]
    assert (trouble == "cocked") == (len(leaning) == 1)
    assert all(LEAN[0] - 0.6 <= tilt <= LEAN[1] + 0.6 for tilt in leaning)
    assert (trouble == "stacked") == any(one.below is not None for one in scene.dice)
    assert (trouble == "covered") == (scene.hand is not None)


def test_a_stored_camera_is_restored(table: Table) -> None:
    """What is stored beside the pictures develops them later."""
    locks = cameras.Locks((1.0, 0.9, 1.1), 2.5)
    data = table.data(locks)
    assert (table.camera, locks) == cameras.restored(data)


def test_owners_have_dice_of_several_sorts(table: Table) -> None:
    """Of metal, large, or with a logo in place of the highest value; otherwise they are this table's dice."""
    usual, metal, large, logo = (replace(table, sort=sort, _looks={}).look(D6) for sort in SORTS[:4])
    assert metal.name.startswith("metal ")
    assert LARGE[0] < large.size / usual.size < LARGE[1]
    assert large.edge / usual.edge == pytest.approx(large.size / usual.size)
    assert (usual.logo, logo.logo) == (0, 6)
    assert replace(logo, logo=0, art=usual.art) == usual
    changed = np.abs(dice.ink_sheet(logo) - dice.ink_sheet(usual)).max(axis=0).reshape(6, -1).max(axis=1)
    assert changed.tolist()[:5] == [0] * 5
    assert changed[5] == 1
