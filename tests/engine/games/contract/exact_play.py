"""Exact chances of every option of a choice, by playing all that can come after it.

A proof that a moot option is never worse plays to a horizon, such as the end of a half-inning, and rates each position
there at random. If it is never worse for any such rating, it is never worse for any game that goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import combinations, product
from math import inf
from statistics import fmean
from typing import Any

from engine.asks import Choose, Draw, Reroll, Roll
from engine.dice import die_sides
from engine.seats import Seat
from engine.table import Table
from tests.engine.tables import inside


class ExactPlay:
    """Values of positions for `seat`, if both sides know each value and take the best option.

    worth: the value of a position at the horizon, None before it. Every line of play must reach the horizon.
    key: all of a position that matters, and the open ask, for positions that come up more than once.

    Asks of both sides at once are not supported.
    """

    def __init__(self, seat: Seat, worth: Callable[[Table], float | None], key: Callable[[Table], Hashable]) -> None:
        self._seat, self._worth, self._key = seat, worth, key
        self._known = dict[Hashable, float]()

    def option_values(self, table: Table) -> dict[Any, float]:
        """Return the value of each answer to the open ask."""
        return {str(value): self.value(then) for value, then in answered(table)}

    def value(self, table: Table) -> float:
        if (end := self._worth(table)) is not None:
            return end
        ((_, ask),) = table.open_asks()
        if not isinstance(inside(ask), Choose):
            return fmean(self.option_values(table).values())
        if (key := self._key(table)) not in self._known:
            best, sign = (max, 1) if ask.seat == self._seat else (min, -1)
            self._known[key] = -sign * inf  # To come back to the same question gains nothing.
            self._known[key] = best(self.option_values(table).values())
        return self._known[key]


def answered(table: Table) -> Iterator[tuple[Any, Table]]:
    """Yield every answer to the open ask, and the table after it."""
    ((n, ask),) = table.open_asks()
    for value in values(table):
        twin = table.clone()
        twin.answer_ask(ask.seat, n, value)
        yield value, twin


def values(table: Table) -> Iterator[Any]:
    """Yield every answer to the open ask. Of a reroll, only the faces of all free dice."""
    ((_, ask),) = table.open_asks()
    match inside(ask):
        case Choose(options=options) | Draw(options=options):
            yield from options
        case Roll(dice=dice):
            yield from map(list, product(*(die_sides(die.kind, table.house) for die in dice)))
        case Reroll(dice=dice, free=free, most=most):
            for places in combinations(free, most):
                for faces in product(*(die_sides(dice[place].kind, table.house) for place in places)):
                    again = dict(zip(places, faces, strict=True))
                    yield [again.get(place) for place in range(len(dice))]
        case other:
            raise AssertionError(other)


def is_never_worse(found: dict[Any, float], option: str | None) -> bool:
    """True if this option has the highest value, but for rounding."""
    return option is not None and found[option] >= max(found.values()) - 1e-9
