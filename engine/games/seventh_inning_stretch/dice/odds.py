"""Measures of rolled dice, and the exact odds of needs on them.

Dice are rolled once, or are on the table with one reroll and some nudges left. A nudge moves one die by one, never
beyond 1 or 6. Odds are counted over hands, which are dice without their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, product
from math import factorial, prod

DIE_FACES = (1, 2, 3, 4, 5, 6)

FaceCounts = tuple[int, ...]
"""Dice as six counts, of those that show 1, 2 and so on to 6."""


def face_counts(faces: Iterable[int]) -> FaceCounts:
    shown = tuple(faces)
    return tuple([shown.count(face) for face in DIE_FACES])


def _dice_sum(counts: FaceCounts, _: tuple[int, ...]) -> int:
    ones, twos, threes, fours, fives, sixes = counts
    return ones + 2 * twos + 3 * threes + 4 * fours + 5 * fives + 6 * sixes


def _highest_face(counts: FaceCounts, _: tuple[int, ...]) -> int:
    return max([face for face in DIE_FACES if counts[face - 1]])


def _lowest_face(counts: FaceCounts, _: tuple[int, ...]) -> int:
    return min([face for face in DIE_FACES if counts[face - 1]])


def _longest_straight(counts: FaceCounts, _: tuple[int, ...]) -> int:
    return max(accumulate(counts, lambda row, count: row + 1 if count else 0, initial=0))


DICE_MEASURES: Mapping[str, Callable[[FaceCounts, tuple[int, ...]], int]] = {
    "sum": _dice_sum,
    "highest": _highest_face,
    "lowest": _lowest_face,
    "spread": lambda counts, values: _highest_face(counts, values) - _lowest_face(counts, values),
    "straight": _longest_straight,
    "pairs": lambda counts, _: sum([count // 2 for count in counts]),
    "faces": lambda counts, _: 6 - counts.count(0),
    "dice": lambda counts, values: sum([counts[value - 1] for value in values]),
    "alike": lambda counts, values: max([counts[value - 1] for value in values]),
}
"""Measures of one or more dice. `straight` is the longest run of values, `faces` the number of different ones.

`dice` counts the dice with any of the values, `alike` those with the most frequent of them. The others ignore values.
"""


@dataclass(frozen=True, slots=True)
class Need:
    """A measure of the dice (see `DICE_MEASURES`) that must be from `low` to `high`."""

    what: str
    low: int
    high: int
    values: tuple[int, ...] = DIE_FACES

    def is_met(self, counts: FaceCounts) -> bool:
        """True if these dice, at least one, meet the need."""
        return self.low <= DICE_MEASURES[self.what](counts, self.values) <= self.high


NeedAlternatives = tuple[tuple[Need, ...], ...]
"""Alternatives, of which one must hold with all its needs."""


def is_any_way_met(ways: NeedAlternatives, counts: FaceCounts) -> bool:
    """True if all needs of one of these ways hold with these dice, at least one."""
    return any(all(need.is_met(counts) for need in way) for way in ways)


# Odds ---------------------------------------------------------------------------------------------------------------

MAX_REROLL_DICE = 7
"""The most dice for which a reroll is computed. More would keep a phone waiting."""


@lru_cache(maxsize=4096)
def roll_chance(wanted: NeedAlternatives, count: int) -> Fraction:
    """Return the chance that one roll of `count` dice, 0 to 12, meets one of these ways."""
    weights = _hand_weights(count)
    return Fraction(sum(weights[place] for place in _matching_hand_indexes(wanted, count)), DIE_FACES[-1] ** count)


def best_chance(wanted: NeedAlternatives, counts: FaceCounts, reroll: bool, nudges: int) -> Fraction | None:
    """Return the chance that this hand meets one of these ways with all `nudges`, after one reroll if `reroll`.

    None if only a reroll can, in a hand of more than `MAX_REROLL_DICE` dice.
    """
    count = sum(counts)
    if not _matching_hand_indexes(wanted, count):
        return Fraction(0)
    if _is_within_nudges(wanted, counts, nudges):
        return Fraction(1)
    return reroll_chance(wanted, counts, nudges) if reroll else Fraction(0)


def can_meet(wanted: NeedAlternatives, counts: FaceCounts, reroll: bool, nudges: int) -> bool:
    """True if this hand can meet one of these ways with `nudges`, after any reroll if `reroll`."""
    return bool(_matching_hand_indexes(wanted, sum(counts))) if reroll else _is_within_nudges(wanted, counts, nudges)


def can_miss(wanted: NeedAlternatives, counts: FaceCounts, reroll: bool, nudges: int) -> bool:
    """True if this hand can miss all of these ways with `nudges`, after any reroll if `reroll`."""
    if reroll:
        return len(_matching_hand_indexes(wanted, sum(counts))) < len(_all_hands(sum(counts)))
    near = edge = {counts}
    for _ in range(nudges):
        edge = {other for hand in edge for other in _neighboring_hands(hand)} - near
        near = near | edge
    return not all(is_any_way_met(wanted, hand) for hand in near)


def reroll_chance(wanted: NeedAlternatives, counts: FaceCounts, nudges: int) -> Fraction | None:
    """Return the chance that this hand meets one of these ways after a reroll of some dice and then all `nudges`.

    None if it can, in a hand of more than `MAX_REROLL_DICE` dice.
    """
    count = sum(counts)
    if not _matching_hand_indexes(wanted, count):
        return Fraction(0)
    if count > MAX_REROLL_DICE:
        return None
    ways = _matching_roll_counts(wanted, count, nudges)
    some = (left for left in product(*(range(one + 1) for one in counts)) if left != counts)
    return max(Fraction(ways[left], 6 ** (count - sum(left))) for left in some)


def _is_within_nudges(wanted: NeedAlternatives, counts: FaceCounts, nudges: int) -> bool:
    """True if at most `nudges` changes of a die by one can make this hand meet one of the ways."""
    if not nudges:
        return is_any_way_met(wanted, counts)
    # Two hands differ by the fewest nudges if their dice are paired in sorted order.
    hands, below = _all_hands(sum(counts)), tuple(accumulate(counts))
    return any(
        sum([abs(ours - theirs) for ours, theirs in zip(below, accumulate(hands[place]), strict=True)]) <= nudges
        for place in _matching_hand_indexes(wanted, sum(counts))
    )


@lru_cache(maxsize=64)
def _matching_roll_counts(wanted: NeedAlternatives, count: int, nudges: int) -> dict[FaceCounts, int]:
    """Return the number of rolls of the other dice that meet the ways, by the dice kept. Nudges come last."""
    hands = _all_hands(count)
    edge = near = {hands[place] for place in _matching_hand_indexes(wanted, count)}
    for _ in range(nudges):
        edge = {other for hand in edge for other in _neighboring_hands(hand)} - near
        near = near | edge
    ways = {hand: int(hand in near) for hand in hands}
    for left in range(count - 1, -1, -1):
        ways |= {hand: sum([ways[more] for more in grown]) for hand, grown in _hand_extensions(left)}
    return ways


def _neighboring_hands(hand: FaceCounts) -> Iterator[FaceCounts]:
    """Yield the hands one nudge away."""
    for low in range(5):
        for here, there in ((low, low + 1), (low + 1, low)):
            if hand[here]:
                moved = list(hand)
                moved[here] -= 1
                moved[there] += 1
                yield tuple(moved)


@cache
def _hand_extensions(count: int) -> tuple[tuple[FaceCounts, tuple[FaceCounts, ...]], ...]:
    """Return every hand of `count` dice, with the six hands of one more die."""
    return tuple(
        (hand, tuple([(*hand[:at], hand[at] + 1, *hand[at + 1 :]) for at in range(6)])) for hand in _all_hands(count)
    )


@cache
def _all_hands(count: int) -> tuple[FaceCounts, ...]:
    return tuple(map(face_counts, combinations_with_replacement(DIE_FACES, count)))


@cache
def _hand_weights(count: int) -> tuple[int, ...]:
    """Return the number of the 6**count rolls that give each hand."""
    orders = [factorial(one) for one in range(count + 1)]
    return tuple(orders[count] // prod([orders[one] for one in hand]) for hand in _all_hands(count))


@lru_cache(maxsize=4096)
def _matching_hand_indexes(wanted: NeedAlternatives, count: int) -> frozenset[int]:
    """Return the indexes of the hands of `count` dice that meet one of these ways."""
    met_by = (frozenset.intersection(*(_need_indexes(need, count) for need in way)) for way in wanted if count)
    return frozenset[int]().union(*met_by)


@lru_cache(maxsize=4096)
def _need_indexes(need: Need, count: int) -> frozenset[int]:
    of, values, low, high = DICE_MEASURES[need.what], need.values, need.low, need.high
    return frozenset([place for place, hand in enumerate(_all_hands(count)) if low <= of(hand, values) <= high])
