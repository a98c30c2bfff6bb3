"""Keep track of the dice at rest: which were left lying, and which were thrown since a roll was asked for."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.reading import Die, Face
from vision.tray.tracker import SAME_PLACE


@dataclass(frozen=True, slots=True)
class RestingDie:
    """A die at rest, and whether it was thrown since `DiceAtRest.begin`."""

    die: Die
    thrown: bool = False


class DiceAtRest:
    """The dice at rest, updated with one reading after another.

    A die was left lying if it kept its place and its value. A person's hand that throws nothing may turn dice or move
    them around: they are still the same dice. `dice` is None while it is unknown what lies there. `base` are the values
    that lay there before any die was thrown, or None if unknown. Not thread-safe.
    """

    def __init__(self) -> None:
        self.dice: tuple[RestingDie, ...] | None = None
        self.base: tuple[Face | None, ...] | None = None
        # Dice that were seen since `begin` and are missing now: picked up, or only hidden.
        self._away: list[RestingDie] = []

    @property
    def thrown(self) -> list[Die]:
        """The dice that were thrown, in the order of the reading."""
        return [one.die for one in self.dice or () if one.thrown]

    @property
    def left(self) -> list[Die]:
        """The dice that were left lying, in the order of the reading."""
        return [one.die for one in self.dice or () if not one.thrown]

    def begin(self) -> None:
        """Start counting thrown dice: none of those that lie there now counts as thrown."""
        if self.dice is not None:
            self.dice = tuple(RestingDie(one.die) for one in self.dice)
        self._away = []
        self._rebase()

    def update(self, dice: Sequence[Die], touched: bool = True) -> None:
        """Take in the dice that lie there now. `touched`: nothing flew; the dice were turned, moved by hand or picked
        up."""
        if self.dice is None:
            self.dice = tuple(RestingDie(die, not touched) for die in dice)
            # Nobody saw how the dice lay that flew, or whether any did.
            self.base = tuple(die.value for die in dice) if touched else None
            return
        still: dict[int, RestingDie] = {}
        _match(still, [*self.dice, *(self._away if touched else ())], dice, _is_same)
        if touched:
            _match(still, self.dice, dice, _is_same_place)
            _match(still, self.dice, dice, lambda one, die: one.value == die.value)
        self._away = [one for one in (*self._away, *self.dice) if not any(one is other for other in still.values())]
        self.dice = tuple(RestingDie(die, still[i].thrown if i in still else True) for i, die in enumerate(dice))
        if touched and not self.thrown and len(dice) == len(self.base or ()):
            self._rebase()

    def forget(self) -> None:
        """Forget the dice: what lies there now is unknown."""
        self.dice = None

    def _rebase(self) -> None:
        self.base = None if self.dice is None else tuple(one.die.value for one in self.dice)


def _match(
    still: dict[int, RestingDie], before: Sequence[RestingDie], dice: Sequence[Die], alike: Callable[[Die, Die], bool]
) -> None:
    """Note in `still`, by index in `dice`, the nearest of the dice `before` that are `alike`."""
    pairs = [(_distance(one.die, die), i, n) for i, die in enumerate(dice) for n, one in enumerate(before)]
    for _, i, n in sorted(pairs):
        one = before[n]
        if i not in still and alike(one.die, dice[i]) and not any(one is other for other in still.values()):
            still[i] = one


def _is_same(one: Die, other: Die) -> bool:
    """True if two dice show the same value in the same place."""
    return one.value == other.value and _is_same_place(one, other)


def _is_same_place(one: Die, other: Die) -> bool:
    """True if two dice are in the same place, as precisely as places are known."""
    return _distance(one, other) < SAME_PLACE * max(one.box[2:])


def _distance(one: Die, other: Die) -> float:
    """Return the distance between the middles of two dice, in pixels."""
    return math.dist(one.middle, other.middle)
