"""What lies in the tray from rest to rest: which dice were left lying, and which were thrown since somebody asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.reading import Die, Face
from vision.tray.tracker import LIES


@dataclass(frozen=True, slots=True)
class RestingDie:
    """A die at rest, and whether it was thrown since `DiceAtRest.begin`."""

    die: Die
    thrown: bool = False


class DiceAtRest:
    """The dice at rest, as they are told by readings one after the other.

    A die was left lying where it kept its place and its value. A hand that throws nothing may turn dice or move them
    about: they are still the same ones. `dice` is None where nobody knows what lies there, and `base`, the values that
    lay there before any was thrown, where nobody knew it. Not thread-safe.
    """

    def __init__(self) -> None:
        self.dice: tuple[RestingDie, ...] | None = None
        self.base: tuple[Face | None, ...] | None = None
        self._away: list[RestingDie] = []
        """Dice that were seen since `begin` and are not now: picked up, or only hidden."""

    @property
    def thrown(self) -> list[Die]:
        """The dice that were thrown, in the order of the reading."""
        return [one.die for one in self.dice or () if one.thrown]

    @property
    def left(self) -> list[Die]:
        """The dice that were left lying, in the order of the reading."""
        return [one.die for one in self.dice or () if not one.thrown]

    def begin(self) -> None:
        """From here on it counts which dice are thrown: those that lie there were not yet."""
        if self.dice is not None:
            self.dice = tuple(RestingDie(one.die) for one in self.dice)
        self._away = []
        self._rebase()

    def see(self, dice: Sequence[Die], touched: bool = True) -> None:
        """These dice lie there now; `touched`: nothing flew, they were turned or moved by hand, or picked up."""
        if self.dice is None:
            self.dice = tuple(RestingDie(die, not touched) for die in dice)
            # How those lay that flew, or whether they did, nobody saw.
            self.base = tuple(die.value for die in dice) if touched else None
            return
        still: dict[int, RestingDie] = {}
        _match(still, [*self.dice, *(self._away if touched else ())], dice, _left)
        if touched:
            _match(still, self.dice, dice, _here)
            _match(still, self.dice, dice, lambda one, die: one.value == die.value)
        self._away = [one for one in (*self._away, *self.dice) if not any(one is other for other in still.values())]
        self.dice = tuple(RestingDie(die, still[i].thrown if i in still else True) for i, die in enumerate(dice))
        if touched and not self.thrown and len(dice) == len(self.base or ()):
            self._rebase()

    def forget(self) -> None:
        """Nobody saw what lies there since."""
        self.dice = None

    def _rebase(self) -> None:
        self.base = None if self.dice is None else tuple(one.die.value for one in self.dice)


def _match(
    still: dict[int, RestingDie], before: Sequence[RestingDie], dice: Sequence[Die], alike: Callable[[Die, Die], bool]
) -> None:
    """Note in `still`, by their index in `dice`, which are the same ones as some `before`: those that are `alike`, the
    nearest first."""
    pairs = [(_gap(one.die, die), i, n) for i, die in enumerate(dice) for n, one in enumerate(before)]
    for _, i, n in sorted(pairs):
        one = before[n]
        if i not in still and alike(one.die, dice[i]) and not any(one is other for other in still.values()):
            still[i] = one


def _left(one: Die, other: Die) -> bool:
    """Whether two dice show the same at one place."""
    return one.value == other.value and _here(one, other)


def _here(one: Die, other: Die) -> bool:
    """Whether two dice are at one place, as near as it is known."""
    return _gap(one, other) < LIES * max(one.box[2:])


def _gap(one: Die, other: Die) -> float:
    """How far apart the middles of two dice are, in pixels."""
    return math.dist(_middle(one), _middle(other))


def _middle(die: Die) -> tuple[float, float]:
    x, y, wide, tall = die.box
    return x + wide / 2, y + tall / 2
