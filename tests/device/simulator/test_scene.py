"""The demo's tray and board: dice are thrown and Gloves laid as asked for, and the real readers see them."""

from __future__ import annotations

import pytest

from device.simulator.scene import REACH, TURNED, SimulatedBoard, SimulatedTray
from device.table.board import LayoutAsk
from device.table.throw_match import match_roll
from engine.asks import Reroll, Roll
from engine.dice import Die
from tests.device.gloves_game import NAMES, WELL
from vision.board.read import LaidPiece, Layout, read_board
from vision.drawn.tray import DrawnDie
from vision.reader import Reader


@pytest.mark.parametrize("colours", [("red", "white"), ("yellow", "blue", "green"), ("black", "red", None)])
def test_dice_of_the_colours_asked_for_are_thrown(colours: tuple[str | None, ...]) -> None:
    """A roll of several colours plays by itself in the demo: each die counts in its place."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    dice = tuple(Die(colour=colour) for colour in colours)
    tray.throw(dice)
    now = 5.0
    reading = Reader(frozenset({"d6"})).read(tray.frame(now))
    faces, doubt, *_ = match_roll(reading, Roll("home", "why", dice))
    assert doubt is None
    seen = {die.colour: die.value for die in reading.dice}
    assert [seen[colour or "white"] for colour in colours] == list(faces)
    assert tuple(die.value for die in reading.dice) == tray.truth()


def test_one_die_of_a_race_is_tossed_while_the_other_lies() -> None:
    """Each die is tossed alone, its colour's last one is gone; the real reader sees both show the right values."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    red, white = Die(colour="red", owner="home"), Die(colour="white", owner="away")
    tray.toss(red)
    assert tray.truth() is None
    now = 5.0
    (lay,) = tray.truth() or ()
    tray.toss(white)
    now = 10.0
    tray.toss(white)
    assert tray.truth() is None
    now = 15.0
    reader, picture = Reader(frozenset({"d6"})), tray.frame(now)
    read = reader.read(picture).dice
    assert tuple(one.value for one in read) == tray.truth()
    assert {"red", "white"} == {one.colour for one in read}
    assert [lay] == [one.value for one in read if one.colour == "red"]
    tray.do("pick-up")
    now = 20.0
    assert () == tray.truth()


def test_some_dice_are_thrown_again_while_the_others_lie() -> None:
    """The chosen dice come to show what was drawn for them; the others neither move nor turn."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    dice = (Die(),) * 6
    tray.throw(dice)
    now = 5.0
    faces = tray.truth() or ()
    before = tray._tray.truth(now) or ()
    value = [int(faces[0]) % 6 + 1, None, int(faces[2]) % 6 + 1, None, None, None]
    tray.reroll(Reroll("home", "why", faces, (0, 1, 2), 3, dice), value)
    now = 6.0
    assert None is tray.truth()
    now = 10.0
    expected = sorted(old if new is None else new for old, new in zip(faces, value, strict=True))
    assert expected == sorted(tray.truth() or ())
    after = tray._tray.truth(now) or ()
    assert 4 == len(set(before) & set(after))


@pytest.mark.parametrize("thrown", [3, 2])
def test_dice_that_lie_otherwise_are_first_turned(thrown: int) -> None:
    """After a token turned a die, or values were typed, the dice lie as the rules say for a moment; then some are
    thrown."""
    now = 0.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    dice = (Die(),) * 3
    tray.throw(dice[:thrown])
    now = 5.0
    tray.reroll(Reroll("home", "why", (6, 6, 6), (0, 1, 2), 3, dice), [None, 1, None])
    assert (6, 6, 6) == tray.truth()
    now = 5.0 + TURNED - 0.1
    tray.frame(now)
    assert (6, 6, 6) == tray.truth()
    now += 0.2
    tray.frame(now)
    now += 5
    assert [1, 6, 6] == sorted(tray.truth() or ())


def test_into_an_empty_tray_all_are_thrown() -> None:
    """Once picked up, no die comes to rest as before: each is thrown once, and shows the answer's value."""
    now = 5.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    tray.reroll(Reroll("home", "why", (6, 6, 5), (0, 1, 2), 3, (Die(),) * 3), [None, 1, 2])
    assert None is tray.truth()
    for now in (9.0, 20.0):
        tray.frame(now)
        assert [1, 2, 6] == sorted(tray.truth() or ())


def test_what_is_done_meanwhile_calls_it_off() -> None:
    """Picked up at that moment, nothing more is thrown; asked again, the dice are thrown once."""
    now = 5.0
    tray = SimulatedTray(seed=2, clock=lambda: now)
    tray._tray.lay(now, DrawnDie(), 1, 0.0, 0.0)
    ask = Reroll("home", "why", (6,), (0,), 1, (Die(),))
    tray.reroll(ask, [1])
    assert (6,) == tray.truth()
    now = 6.0
    tray.reroll(ask, [2])
    now = 5.0 + TURNED
    tray.frame(now)
    now = 15.0
    assert (2,) == tray.truth()
    tray.reroll(ask, [1])
    tray.do("pick-up")
    now = 25.0
    tray.frame(now)
    assert () == tray.truth()


WANTED = {i: name == "3/2" for i, name in enumerate(NAMES) if name != "4/6"}
LAYING = LayoutAsk(1, "home", tuple(WELL), NAMES, WANTED, 6, 0.0)


def test_gloves_are_laid_by_a_hand_and_read_as_they_were_laid() -> None:
    """A hand comes over the board first; when it is gone the Gloves lie there, each with the proper side up."""
    now = 0.0
    ground = SimulatedBoard(seed=4, clock=lambda: now)

    def seen() -> Layout:
        return read_board(ground.frame(now), len(NAMES))

    assert (dict.fromkeys(WELL), ()) == (seen().areas, seen().doubts)
    ground.lay(LAYING, WELL)
    now = 0.4 * REACH
    assert not seen().sure
    now = 0.6 * REACH
    assert not seen().sure
    now = REACH
    expected = {area: LaidPiece(NAMES.index(name), name == "3/2") for area, name in WELL.items()}
    assert (expected, ()) == (seen().areas, seen().doubts)
    ground.lay(LAYING, {"A": "6/1"})
    now = 2 * REACH
    assert dict.fromkeys(WELL) | {"A": LaidPiece(4, False)} == seen().areas


def test_a_cup_stays_until_gloves_are_laid() -> None:
    """Under a cup nobody can see what lies there."""
    now = 0.0
    ground = SimulatedBoard(seed=4, clock=lambda: now)
    ground.lay(LAYING, WELL)
    now = REACH
    ground.frame(now)
    ground.cover()
    for now in (2 * REACH, 50.0):
        assert "covered" in {doubt.code for doubt in read_board(ground.frame(now), len(NAMES)).doubts}
    ground.lay(LAYING, WELL)
    now += REACH
    assert read_board(ground.frame(now), len(NAMES)).sure
