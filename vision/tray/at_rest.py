"""Track the dice at rest, and which of them were thrown since the last roll was requested."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.reading import DieReading, Face
from vision.tray.tracker import SAME_PLACE_SHARE


@dataclass(frozen=True, slots=True)
class RestingDie:
    """A die at rest. `thrown` is True if it was thrown since `DiceAtRest.start_counting`."""

    die: DieReading
    thrown: bool = False


class DiceAtRest:
    """The dice at rest, updated by each reading. Not thread-safe.

    A die that keeps its place and value was not thrown. Dice that a hand turns or moves, without throwing any, remain
    the same dice.

    dice: None if unknown.
    base: the values at rest before any die was thrown, or None if unknown.
    """

    def __init__(self) -> None:
        self.dice: tuple[RestingDie, ...] | None = None
        self.base: tuple[Face | None, ...] | None = None
        # Dice seen since `start_counting` and now missing. They were picked up or are hidden.
        self._away: list[RestingDie] = []

    @property
    def thrown_dice(self) -> list[DieReading]:
        """The dice that were thrown, in the order of the reading."""
        return [one.die for one in self.dice or () if one.thrown]

    @property
    def unthrown_dice(self) -> list[DieReading]:
        """The dice that were not thrown, in the order of the reading."""
        return [one.die for one in self.dice or () if not one.thrown]

    def start_counting(self) -> None:
        """Start counting: no die at rest now counts as thrown."""
        if self.dice is not None:
            self.dice = tuple(RestingDie(one.die) for one in self.dice)
        self._away = []
        self._reset_base()

    def update_dice(self, dice: Sequence[DieReading], touched: bool = True) -> None:
        """Update from a reading. `touched` means no die flew: dice were turned, moved or picked up by hand."""
        if self.dice is None:
            self.dice = tuple(RestingDie(die, not touched) for die in dice)
            # After a flight it is unknown how the dice lay before.
            self.base = tuple(die.value for die in dice) if touched else None
            return
        still: dict[int, RestingDie] = {}
        _match_resting_dice(still, [*self.dice, *(self._away if touched else ())], dice, _is_unchanged)
        if touched:
            _match_resting_dice(still, self.dice, dice, _is_same_place)
            _match_resting_dice(still, self.dice, dice, lambda one, die: one.value == die.value)
        self._away = [one for one in (*self._away, *self.dice) if not any(one is other for other in still.values())]
        self.dice = tuple(RestingDie(die, still[i].thrown if i in still else True) for i, die in enumerate(dice))
        if touched and not self.thrown_dice and len(dice) == len(self.base or ()):
            self._reset_base()

    def forget_dice(self) -> None:
        """Mark the dice at rest as unknown."""
        self.dice = None

    def _reset_base(self) -> None:
        self.base = None if self.dice is None else tuple(one.die.value for one in self.dice)


def are_unmoved(before: Sequence[DieReading], dice: Sequence[DieReading]) -> bool:
    """True if the same dice with the same values are in the same places, within the precision of detection."""
    pairs = zip(*(sorted(some, key=lambda die: die.box) for some in (before, dice)), strict=False)
    return len(before) == len(dice) and all(
        one.kind == other.kind and _is_unchanged(one, other) for one, other in pairs
    )


def _match_resting_dice(
    still: dict[int, RestingDie],
    before: Sequence[RestingDie],
    dice: Sequence[DieReading],
    alike: Callable[[DieReading, DieReading], bool],
) -> None:
    """Add to `still` the nearest `alike` die of `before`, by index in `dice`."""
    pairs = [(_center_distance(one.die, die), i, n) for i, die in enumerate(dice) for n, one in enumerate(before)]
    for _, i, n in sorted(pairs):
        one = before[n]
        if i not in still and alike(one.die, dice[i]) and not any(one is other for other in still.values()):
            still[i] = one


def _is_unchanged(one: DieReading, other: DieReading) -> bool:
    return one.value == other.value and _is_same_place(one, other)


def _is_same_place(one: DieReading, other: DieReading) -> bool:
    """True if two dice are in the same place, within the precision of detection."""
    return _center_distance(one, other) < SAME_PLACE_SHARE * max(one.box[2:])


def _center_distance(one: DieReading, other: DieReading) -> float:
    return math.dist(one.center, other.center)
