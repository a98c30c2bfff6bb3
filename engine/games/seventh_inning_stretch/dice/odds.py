"""Exact odds of dice: rolled once, or on the table with a reroll of some and a nudge or two to come.

A nudge moves one die by one, never beyond 1 or 6. All is counted over hands, which are dice without their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, product
from math import factorial, prod

from engine.games.seventh_inning_stretch.dice.measures import FACES, MEASURES, Counts, Need, Ways, counted, holds

MOST = 7
"""The most dice for which a reroll is computed; with more, a phone would have to wait."""


@lru_cache(maxsize=4096)
def chance(wanted: Ways, count: int) -> Fraction:
    """Return the chance that `count` dice (0 to 12), rolled once, meet one of these ways."""
    weights = _weights(count)
    return Fraction(sum(weights[place] for place in _meeting(wanted, count)), FACES[-1] ** count)


def hope(wanted: Ways, counts: Counts, reroll: bool, nudges: int) -> Fraction | None:
    """Return the chance that this hand meets one of these ways with all `nudges`, after one reroll if `reroll`.

    None if it can after a reroll, but there are more than MOST dice.
    """
    count = sum(counts)
    if not _meeting(wanted, count):
        return Fraction(0)
    if _within(wanted, counts, nudges):
        return Fraction(1)
    return again(wanted, counts, nudges) if reroll else Fraction(0)


def again(wanted: Ways, counts: Counts, nudges: int) -> Fraction | None:
    """Return the chance that this hand meets one of these ways after a reroll of some dice and then all `nudges`.

    None if it can, but there are more than MOST dice.
    """
    count = sum(counts)
    if not _meeting(wanted, count):
        return Fraction(0)
    if count > MOST:
        return None
    ways = _kept(wanted, count, nudges)
    some = (left for left in product(*(range(one + 1) for one in counts)) if left != counts)
    return max(Fraction(ways[left], 6 ** (count - sum(left))) for left in some)


def _within(wanted: Ways, counts: Counts, nudges: int) -> bool:
    """True if `nudges` can turn this hand into one that meets the ways; sorted dice take the shortest way."""
    if not nudges:
        return holds(wanted, counts)
    hands, below = _hands(sum(counts)), tuple(accumulate(counts))
    return any(
        sum([abs(ours - theirs) for ours, theirs in zip(below, accumulate(hands[place]), strict=True)]) <= nudges
        for place in _meeting(wanted, sum(counts))
    )


@lru_cache(maxsize=64)
def _kept(wanted: Ways, count: int, nudges: int) -> dict[Counts, int]:
    """Return for each set of dice that can be kept of `count`: in how many rolls of the others the hand is met.

    Nudges after the roll count.
    """
    hands = _hands(count)
    edge = near = {hands[place] for place in _meeting(wanted, count)}
    for _ in range(nudges):
        edge = {other for hand in edge for other in _beside(hand)} - near
        near = near | edge
    ways = {hand: int(hand in near) for hand in hands}
    for left in range(count - 1, -1, -1):
        ways |= {hand: sum([ways[more] for more in grown]) for hand, grown in _grown(left)}
    return ways


def _beside(hand: Counts) -> Iterator[Counts]:
    """Yield the hands that are one nudge away."""
    for low in range(5):
        for here, there in ((low, low + 1), (low + 1, low)):
            if hand[here]:
                moved = list(hand)
                moved[here] -= 1
                moved[there] += 1
                yield tuple(moved)


@cache
def _grown(count: int) -> tuple[tuple[Counts, tuple[Counts, ...]], ...]:
    """Return every hand of `count` dice, with the six hands that one more die makes of it."""
    return tuple(
        (hand, tuple([(*hand[:at], hand[at] + 1, *hand[at + 1 :]) for at in range(6)])) for hand in _hands(count)
    )


@cache
def _hands(count: int) -> tuple[Counts, ...]:
    """Return every hand of `count` dice."""
    return tuple(map(counted, combinations_with_replacement(FACES, count)))


@cache
def _weights(count: int) -> tuple[int, ...]:
    """Return for each hand in how many of the 6**count rolls it comes up."""
    orders = [factorial(one) for one in range(count + 1)]
    return tuple(orders[count] // prod([orders[one] for one in hand]) for hand in _hands(count))


@lru_cache(maxsize=4096)
def _meeting(wanted: Ways, count: int) -> frozenset[int]:
    """Return the places of the hands of `count` dice that meet one of these ways."""
    met_by = (frozenset.intersection(*(_passing(need, count) for need in way)) for way in wanted if count)
    return frozenset[int]().union(*met_by)


@lru_cache(maxsize=4096)
def _passing(need: Need, count: int) -> frozenset[int]:
    of, values, low, high = MEASURES[need.what], need.values, need.low, need.high
    return frozenset([place for place, hand in enumerate(_hands(count)) if low <= of(hand, values) <= high])
