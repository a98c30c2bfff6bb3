"""Dice left in place from rest to rest, and dice thrown."""

from dataclasses import replace

from tests.vision.tints import row
from vision.reading import DieReading, Face
from vision.tray.at_rest import DiceAtRest

DICE = row(2, 3, 3, 6)


def moved(die: DieReading, by: int, value: int | None = None) -> DieReading:
    """Return the die moved this many pixels to the right, possibly with another value."""
    x, y, wide, tall = die.box
    return replace(die, box=(x + by, y, wide, tall), value=value or die.value)


def asked(*dice: DieReading) -> DiceAtRest:
    """Return a tray with these dice in it, and start counting thrown ones."""
    tray = DiceAtRest()
    tray.update_dice(dice or DICE, touched=False)
    tray.start_counting()
    return tray


def values(dice: list[DieReading]) -> list[Face | None]:
    return [die.value for die in dice]


def test_which_dice_were_left_and_which_thrown() -> None:
    # A reading slightly beside the one before is of the same die; elsewhere, or with another value, it was thrown.
    tray = asked()
    tray.update_dice([moved(DICE[0], 3), moved(DICE[1], 150), moved(DICE[2], 0, 5), DICE[3]], touched=False)
    assert ([2, 6], [3, 5]) == (values(tray.unthrown_dice), values(tray.thrown_dice))
    assert (2, 3, 3, 6) == tray.base
    # Picked up and thrown one by one, all dice thrown since the start count, and no others.
    tray = asked()
    tray.update_dice(DICE[2:])
    assert [] == tray.thrown_dice
    tray.update_dice([*DICE[2:], moved(DICE[0], 300, 1)], touched=False)
    tray.update_dice([*DICE[2:], moved(DICE[0], 300, 1), moved(DICE[1], 400)], touched=False)
    assert ([3, 6], [1, 3]) == (values(tray.unthrown_dice), values(tray.thrown_dice))
    assert (2, 3, 3, 6) == tray.base
    # A reading without the die means that it was picked up, wherever and however it comes to lie.
    tray = asked()
    tray.update_dice(DICE[1:])
    tray.update_dice(DICE, touched=False)
    assert [2] == values(tray.thrown_dice)
    tray.start_counting()
    tray.update_dice([])
    tray.update_dice(DICE, touched=False)
    assert 4 == len(tray.thrown_dice)
    # Seen again in its place with its value, while nothing flew, it was left; elsewhere it was thrown.
    tray = asked()
    tray.update_dice(DICE[1:])
    tray.update_dice(DICE)
    assert [] == tray.thrown_dice
    tray.update_dice(DICE[1:])
    tray.update_dice([*DICE[1:], moved(DICE[0], 300, 1)])
    assert [1] == values(tray.thrown_dice)
    # Of two alike, the nearer is the same die.
    tray, thrown = asked(DICE[1]), moved(DICE[1], 12)
    tray.update_dice([DICE[1], thrown], touched=False)
    tray.update_dice([moved(thrown, 1), DICE[1]])
    assert [moved(thrown, 1)] == tray.thrown_dice


def test_hands_throw_nothing() -> None:
    """A die turned in place or moved aside is still the same, and the dice lay so before the throw."""
    tray = asked()
    tray.update_dice([moved(DICE[0], 0, 1), moved(DICE[1], 200), *DICE[2:]])
    assert ([], (1, 3, 3, 6)) == (tray.thrown_dice, tray.base)
    tray.update_dice([moved(DICE[0], 0, 1), moved(DICE[1], 200), DICE[2], moved(DICE[3], 300, 4)], touched=False)
    assert ([4], (1, 3, 3, 6)) == (values(tray.thrown_dice), tray.base)
    tray.update_dice([moved(DICE[0], 0, 2), moved(DICE[1], 200), DICE[2], moved(DICE[3], 300, 5)])
    assert ([5], (1, 3, 3, 6)) == (values(tray.thrown_dice), tray.base)


def test_unseen_dice_have_no_known_places() -> None:
    # Before the first reading, and after the camera was away, nothing is known; dice that it then sees lying were not
    # thrown.
    tray = DiceAtRest()
    tray.start_counting()
    assert (None, None, []) == (tray.dice, tray.base, tray.thrown_dice)
    tray.update_dice(DICE)
    assert (2, 3, 3, 6) == tray.base
    tray.forget_dice()
    tray.start_counting()
    assert [None] == [tray.base]
    # The camera comes back during a throw: what lies there then, even once touched, does not show how the dice lay
    # before.
    tray = asked()
    tray.forget_dice()
    tray.update_dice(DICE[:3], touched=False)
    assert (None, [2, 3, 3]) == (tray.base, values(tray.thrown_dice))
    tray.update_dice([moved(DICE[0], 20), *DICE[1:3]])
    assert (None, [2, 3, 3]) == (tray.base, values(tray.thrown_dice))
