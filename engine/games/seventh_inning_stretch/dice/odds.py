"""The exact chances of dice: thrown once, or lying there with a second throw of some and a nudge or two to come.

A nudge moves one die by one, never beyond 1 or 6. All of it is counted over hands: dice without their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, product
from math import factorial, prod

from engine.games.seventh_inning_stretch.dice.measures import FACES, MEASURES, Counts, Need, Ways, counted, holds

MOST = 7
"""Up to so many dice a second throw is weighed; with more a phone would have to wait for it."""


@lru_cache(maxsize=4096)
def chance(wanted: Ways, count: int) -> Fraction:
    """That `count` dice (0 to 12), thrown once, meet one of these ways."""
    weights = _weights(count)
    return Fraction(sum(weights[place] for place in _meeting(wanted, count)), FACES[-1] ** count)


def hope(wanted: Ways, counts: Counts, reroll: bool, nudges: int) -> Fraction | None:
    """That this hand can still meet one of these ways: with all `nudges`, and any dice thrown again once if `reroll`.

    None: it can, after a second throw, but of more than MOST dice.
    """
    count = sum(counts)
    if not _meeting(wanted, count):
        return Fraction(0)
    if _within(wanted, counts, nudges):
        return Fraction(1)
    return again(wanted, counts, nudges) if reroll else Fraction(0)


def again(wanted: Ways, counts: Counts, nudges: int) -> Fraction | None:
    """That this hand meets one of these ways after one die of it or more is thrown again, and then with all `nudges`.

    None: it can, but it is more than MOST dice.
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
    """Whether so many nudges make this hand one that is met: sorted dice go to sorted dice the shortest way."""
    if not nudges:
        return holds(wanted, counts)
    hands, below = _hands(sum(counts)), tuple(accumulate(counts))
    return any(
        sum([abs(ours - theirs) for ours, theirs in zip(below, accumulate(hands[place]), strict=True)]) <= nudges
        for place in _meeting(wanted, sum(counts))
    )


@lru_cache(maxsize=64)
def _kept(wanted: Ways, count: int, nudges: int) -> dict[Counts, int]:
    """For all dice that can be left lying of `count`, in how many falls of the others the hand is met, or nudged so."""
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
    """The hands that are one nudge away."""
    for low in range(5):
        for here, there in ((low, low + 1), (low + 1, low)):
            if hand[here]:
                moved = list(hand)
                moved[here] -= 1
                moved[there] += 1
                yield tuple(moved)


@cache
def _grown(count: int) -> tuple[tuple[Counts, tuple[Counts, ...]], ...]:
    """Every hand of `count` dice, and the six that it can be with one die more."""
    return tuple(
        (hand, tuple([(*hand[:at], hand[at] + 1, *hand[at + 1 :]) for at in range(6)])) for hand in _hands(count)
    )


@cache
def _hands(count: int) -> tuple[Counts, ...]:
    """Every hand of `count` dice."""
    return tuple(map(counted, combinations_with_replacement(FACES, count)))


@cache
def _weights(count: int) -> tuple[int, ...]:
    """In how many of the 6**count ways each of them falls."""
    orders = [factorial(one) for one in range(count + 1)]
    return tuple(orders[count] // prod([orders[one] for one in hand]) for hand in _hands(count))


@lru_cache(maxsize=4096)
def _meeting(wanted: Ways, count: int) -> frozenset[int]:
    """The hands of `count` dice that meet one of these, by their place."""
    met_by = (frozenset.intersection(*(_passing(need, count) for need in way)) for way in wanted if count)
    return frozenset[int]().union(*met_by)


@lru_cache(maxsize=4096)
def _passing(need: Need, count: int) -> frozenset[int]:
    of, values, low, high = MEASURES[need.what], need.values, need.low, need.high
    return frozenset([place for place, hand in enumerate(_hands(count)) if low <= of(hand, values) <= high])
