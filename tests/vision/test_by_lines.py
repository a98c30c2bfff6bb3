"""Dice are read by their lines, of every kind and at any distance; those that lie on another are asked about."""

from __future__ import annotations

import pytest

from tests.vision.trays import at_table, drawn
from vision.dice.floor_search import SWEEPS_PER_THROW
from vision.reader import Reader
from vision.reading import Face
from vision.synthetic.tray import SyntheticDie, SyntheticTray

Laid = tuple[str, Face, float, float]  # kind, face, and place in mm


def tray(*dice: Laid, view: float = 250.0, size: tuple[int, int] = (640, 480)) -> SyntheticTray:
    """Return a drawn tray with dice: white ones with pips, blue ones with white print."""
    made = SyntheticTray(size, seed=1, noise=1.5, view=view)
    for kind, value, x, y in dice:
        wide = 20 if kind in ("d20", "d24") else 16
        colors = ("white", "black") if kind == "d6" else ("blue", "white")
        made.place_die(0.0, SyntheticDie(colors[0], wide, colors[1], kind), value, x, y, turn=1.4)
    return made


@pytest.mark.parametrize(
    "dice",
    [
        (("d6", 4, -40, -20), ("d6", 2, 30, 30), ("d6", 6, 40, -40)),
        (("d20", 17, -30, 0), ("d20", 6, 40, 30)),
        pytest.param((("d8", 7, 0, 10),), marks=pytest.mark.slow),
        pytest.param((("d10", 3, 0, 10),), marks=pytest.mark.slow),
        pytest.param((("d24", 11, 0, 10),), marks=pytest.mark.slow),
        pytest.param((("pitch", "S", 20, 10),), marks=pytest.mark.slow),
    ],
)
def test_each_kind_is_read(dice: tuple[Laid, ...]) -> None:
    """No die tells how far the camera is: what fits best does."""
    reader = Reader(kinds=frozenset(kind for kind, *_ in dice))
    reading = reader.read_dice(tray(*dice).render_frame(0.0))
    assert sorted((kind, value) for kind, value, *_ in dice) == sorted((die.kind, die.value) for die in reading.dice)
    assert reading.doubt is None
    assert [die.box[0] for die in reading.dice] == sorted(die.box[0] for die in reading.dice)


@pytest.mark.slow
def test_the_distance_is_found_again_when_the_camera_moved() -> None:
    """Dice half as wide as before are read too, and those of a picture of another size."""
    reader = Reader(kinds=frozenset({"d6"}))
    dice = (("d6", 4, -20.0, -20.0), ("d6", 2, 20.0, 10.0))
    for view, size in ((150.0, (640, 480)), (290.0, (640, 480)), (250.0, (960, 720))):
        scene = tray(*dice, view=view, size=size)
        assert [4, 2] == [die.value for die in reader.read_dice(scene.render_frame(0.0)).dice]


def test_an_empty_tray_has_no_dice() -> None:
    scene = tray()
    reader = Reader(kinds=frozenset({"d6"}))
    reading = reader.read_dice(scene.render_frame(0.0))
    assert (reading.dice, reading.doubt) == ((), "none")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_die_on_another_is_not_believed(seed: int) -> None:
    scene = SyntheticTray(seed=seed, noise=1.5)
    scene.place_stacked_die(0.0)
    reader = Reader(kinds=frozenset({"d6"}))
    reader.read_dice(tray(("d6", 4, -40, -20), ("d6", 2, 30, 30)).render_frame(0.0))
    reading = reader.read_dice(scene.render_frame(0.0))
    assert reading.doubt is not None or len(reading.dice) != 2


def test_what_the_dice_teach_serves_the_next_evening() -> None:
    """Once enough dice were seen, and what they teach is taken in: how large they are, and where the camera is."""
    reader, guessing, scene = at_table(tray()), Reader(kinds=frozenset({"d6"})), tray()
    for number in range(5):
        scene.clear_tray()
        for value, x in ((4, -30), (2, 30)):
            scene.place_die(
                0.0, SyntheticDie("white", 19, "black"), value, x + 8 * number, 10 * number - 20, turn=0.3 + number
            )
        for one in (reader, guessing):
            one.read_dice(scene.render_frame(0.0))
            assert one.learned_geometry is None
    for _ in range(SWEEPS_PER_THROW):
        reader.learn_floor()
        guessing.learn_floor()
    assert guessing.learned_geometry is None, "without a calibration nothing tells how far the camera is"
    assert reader.learned_geometry is not None
    place, sizes = reader.learned_geometry
    assert {shape: list(some) for shape, some in sizes.items()} == {"d6": pytest.approx([19], abs=0.6)}
    assert [place.right, place.down] == pytest.approx([0, 0], abs=0.06)
    later = at_table(tray())
    later.table = later.table._replace(place=place, sizes=sizes)
    assert [4, 2] == [die.value for die in later.read_dice(scene.render_frame(0.0)).dice]


def test_a_die_of_the_felts_color_is_read() -> None:
    """It differs from the empty tray no more than a shadow does, but it fits, and its sign is clear."""
    scene = drawn("grey", rim=25.0)
    reader = at_table(scene)
    scene.place_die(0, SyntheticDie("grey", 16.0, "white"), 4, 5, 5, turn=0.4)
    assert reader.read_dice(scene.render_frame(1)).dice_values == (4,)


def test_large_dice_of_a_known_size_are_looked_for() -> None:
    """Though a detector takes them for something much larger than a die."""
    scene = drawn("green", rim=25.0)
    reader = at_table(scene)
    reader.table = reader.table._replace(sizes={"d6": (30.0,)})
    scene.place_die(0, SyntheticDie(size=30.0), 4, 5, 5, turn=0.4)
    assert reader.read_dice(scene.render_frame(1)).dice_values == (4,)
