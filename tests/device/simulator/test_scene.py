"""The demo's tray and board: dice are thrown and Gloves laid as asked for, and the real readers see them."""

from __future__ import annotations

import pytest

from device.simulator.scene import HAND_REACH_S, TURNED_DICE_S, SimulatedBoard, SimulatedTray
from device.table.board import LayoutAsk
from device.table.throw_match import match_roll
from engine.asks import Reroll, Roll
from engine.dice import Die
from tests.device.gloves_game import NAMES, WELL
from vision.board.read import BoardLayout, PlacedPiece, read_board
from vision.reader import Reader
from vision.synthetic.tray import SyntheticDie


@pytest.mark.parametrize("colours", [("red", "white"), ("yellow", "blue", "green"), ("black", "red", None)])
def test_dice_of_the_colours_asked_for_are_thrown(colours: tuple[str | None, ...]) -> None:
    """A roll of several colours plays by itself in the demo: each die counts in its place."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    dice = tuple(Die(colour=colour) for colour in colours)
    tray.throw_dice(dice)
    now = 5.0
    reading = Reader(frozenset({"d6"})).read_dice(tray.render_frame(now))
    faces, doubt, *_ = match_roll(reading, Roll("home", "why", dice))
    assert doubt is None
    seen = {die.colour: die.value for die in reading.dice}
    assert [seen[colour or "white"] for colour in colours] == list(faces)
    assert tuple(die.value for die in reading.dice) == tray.true_faces()


def test_one_die_of_a_race_is_tossed_while_the_other_lies() -> None:
    """Each die is tossed alone, its colour's last one is gone; the real reader sees both show the right values."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    red, white = Die(colour="red", owner="home"), Die(colour="white", owner="away")
    tray.throw_die(red)
    assert tray.true_faces() is None
    now = 5.0
    (lay,) = tray.true_faces() or ()
    tray.throw_die(white)
    now = 10.0
    tray.throw_die(white)
    assert tray.true_faces() is None
    now = 15.0
    reader, picture = Reader(frozenset({"d6"})), tray.render_frame(now)
    read = reader.read_dice(picture).dice
    assert tuple(one.value for one in read) == tray.true_faces()
    assert {"red", "white"} == {one.colour for one in read}
    assert [lay] == [one.value for one in read if one.colour == "red"]
    tray.perform_action("pick-up")
    now = 20.0
    assert () == tray.true_faces()


def test_some_dice_are_thrown_again_while_the_others_lie() -> None:
    """The chosen dice come to show what was drawn for them; the others neither move nor turn."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    dice = (Die(),) * 6
    tray.throw_dice(dice)
    now = 5.0
    faces = tray.true_faces() or ()
    before = tray._tray.ground_truth(now) or ()
    value = [int(faces[0]) % 6 + 1, None, int(faces[2]) % 6 + 1, None, None, None]
    tray.reroll_dice(Reroll("home", "why", faces, (0, 1, 2), 3, dice), value)
    now = 6.0
    assert None is tray.true_faces()
    now = 10.0
    expected = sorted(old if new is None else new for old, new in zip(faces, value, strict=True))
    assert expected == sorted(tray.true_faces() or ())
    after = tray._tray.ground_truth(now) or ()
    assert 4 == len(set(before) & set(after))


@pytest.mark.parametrize("thrown", [3, 2])
def test_dice_that_lie_otherwise_are_first_turned(thrown: int) -> None:
    """After a token turned a die, or values were typed, the dice lie as the rules say for a moment; then some are
    thrown."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    dice = (Die(),) * 3
    tray.throw_dice(dice[:thrown])
    now = 5.0
    tray.reroll_dice(Reroll("home", "why", (6, 6, 6), (0, 1, 2), 3, dice), [None, 1, None])
    assert (6, 6, 6) == tray.true_faces()
    now = 5.0 + TURNED_DICE_S - 0.1
    tray.render_frame(now)
    assert (6, 6, 6) == tray.true_faces()
    now += 0.2
    tray.render_frame(now)
    now += 5
    assert [1, 6, 6] == sorted(tray.true_faces() or ())


def test_into_an_empty_tray_all_are_thrown() -> None:
    """Once picked up, no die comes to rest as before: each is thrown once, and shows the answer's value."""
    now = 5.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    tray.reroll_dice(Reroll("home", "why", (6, 6, 5), (0, 1, 2), 3, (Die(),) * 3), [None, 1, 2])
    assert None is tray.true_faces()
    for now in (9.0, 20.0):
        tray.render_frame(now)
        assert [1, 2, 6] == sorted(tray.true_faces() or ())


def test_what_is_done_meanwhile_calls_it_off() -> None:
    """Picked up at that moment, nothing more is thrown; asked again, the dice are thrown once."""
    now = 5.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    tray._tray.place_die(now, SyntheticDie(), 1, 0.0, 0.0)
    ask = Reroll("home", "why", (6,), (0,), 1, (Die(),))
    tray.reroll_dice(ask, [1])
    assert (6,) == tray.true_faces()
    now = 6.0
    tray.reroll_dice(ask, [2])
    now = 5.0 + TURNED_DICE_S
    tray.render_frame(now)
    now = 15.0
    assert (2,) == tray.true_faces()
    tray.reroll_dice(ask, [1])
    tray.perform_action("pick-up")
    now = 25.0
    tray.render_frame(now)
    assert () == tray.true_faces()


WANTED = {i: name == "3/2" for i, name in enumerate(NAMES) if name != "4/6"}
LAYING = LayoutAsk(1, "home", tuple(WELL), NAMES, WANTED, 6, 0.0)


def test_gloves_are_laid_by_a_hand_and_read_as_they_were_laid() -> None:
    """A hand comes over the board first; when it is gone the Gloves lie there, each with the proper side up."""
    now = 0.0
    ground = SimulatedBoard(seed=4, clock=lambda: now)

    def seen() -> BoardLayout:
        return read_board(ground.render_frame(now), len(NAMES))

    assert (dict.fromkeys(WELL), ()) == (seen().areas, seen().doubts)
    ground.place_gloves(LAYING, WELL)
    now = 0.4 * HAND_REACH_S
    assert not seen().is_sure
    now = 0.6 * HAND_REACH_S
    assert not seen().is_sure
    now = HAND_REACH_S
    expected = {area: PlacedPiece(NAMES.index(name), name == "3/2") for area, name in WELL.items()}
    assert (expected, ()) == (seen().areas, seen().doubts)
    ground.place_gloves(LAYING, {"A": "6/1"})
    now = 2 * HAND_REACH_S
    assert dict.fromkeys(WELL) | {"A": PlacedPiece(4, False)} == seen().areas


def test_a_cup_stays_until_gloves_are_laid() -> None:
    """Under a cup nobody can see what lies there."""
    now = 0.0
    ground = SimulatedBoard(seed=4, clock=lambda: now)
    ground.place_gloves(LAYING, WELL)
    now = HAND_REACH_S
    ground.render_frame(now)
    ground.cover_area()
    for now in (2 * HAND_REACH_S, 50.0):
        assert "covered" in {doubt.code for doubt in read_board(ground.render_frame(now), len(NAMES)).doubts}
    ground.place_gloves(LAYING, WELL)
    now += HAND_REACH_S
    assert read_board(ground.render_frame(now), len(NAMES)).is_sure
