"""The demo's tray: it throws the dice that are asked for, and the real reader tells them apart."""

from __future__ import annotations

import pytest

from device.seen import Seen, told
from device.sim import Simulator
from engine.asks import Roll
from engine.dice import Die
from vision.reader import Reader


@pytest.mark.parametrize("colours", [("red", "white"), ("yellow", "blue", "green"), ("black", "red", None)])
def test_dice_of_the_colours_asked_for_are_thrown(colours: tuple[str | None, ...]) -> None:
    """A roll of several colours plays by itself in the demo: each die counts in its place."""
    now = 0.0
    tray = Simulator(seed=2, clock=lambda: now)
    dice = tuple(Die(colour=colour) for colour in colours)
    tray.throw(dice)
    now = 5.0
    reading = Reader().read(tray.frame(now))
    faces, doubt, _ = told(Seen(reading.dice, 0.0, reading.doubt, reading.advice), Roll("home", "why", dice))
    assert doubt is None
    seen = {die.colour: die.value for die in reading.dice}
    assert [seen[colour or "white"] for colour in colours] == list(faces)
    assert tuple(die.value for die in reading.dice) == tray.truth()
