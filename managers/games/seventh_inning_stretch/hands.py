"""Exact odds of dice after a throw, rerolls and nudges, for all hands of a number of dice at once.

A hand is a multiset of dice. Arrays of values have a row for each hand of `all_hands(count)` and may have more axes,
such as one for each position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from engine.games.seventh_inning_stretch.dice.odds import DIE_FACES

DiceHand = tuple[int, ...]  # Faces in ascending order.

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]


@cache
def all_hands(count: int) -> tuple[DiceHand, ...]:
    """Return every hand of `count` dice (0 to 12)."""
    return tuple(combinations_with_replacement(DIE_FACES, count))


@cache
def hand_rows(count: int) -> dict[DiceHand, int]:
    return {hand: place for place, hand in enumerate(all_hands(count))}


def hand_row(faces: Sequence[int]) -> int:
    return hand_rows(len(faces))[tuple(sorted(faces))]


@cache
def hand_chances(count: int) -> FloatArray:
    ways = [factorial(count) // prod(factorial(hand.count(face)) for face in DIE_FACES) for hand in all_hands(count)]
    return np.array(ways, dtype=np.float64) / 6.0**count


@cache
def _hand_extensions(count: int) -> IndexArray:
    """Return, for each hand of `count` dice, the rows of its six hands with one die more."""
    rows = hand_rows(count + 1)
    return np.array(
        [[rows[tuple(sorted((*hand, face)))] for face in DIE_FACES] for hand in all_hands(count)], dtype=np.intp
    )


@cache
def _hand_reductions(count: int) -> IndexArray:
    """Return, for each hand of `count` dice, the rows of the hands with one die less, padded to six."""
    rows = hand_rows(count - 1)
    found = []
    for hand in all_hands(count):
        less = [rows[(*hand[:at], *hand[at + 1 :])] for at in range(count)]
        less = list(dict.fromkeys(less))
        found.append([*less, *less[:1] * (6 - len(less))][:6])
    return np.array(found, dtype=np.intp)


@cache
def _neighboring_hands(count: int) -> IndexArray:
    """Return, for each hand of `count` dice, the rows of the hands one nudge away, padded."""
    rows = hand_rows(count)
    found = []
    for hand in all_hands(count):
        moved = {
            tuple(sorted((*hand[:at], face + by, *hand[at + 1 :])))
            for at, face in enumerate(hand)
            for by in (-1, 1)
            if face + by in DIE_FACES
        }
        near = sorted(rows[one] for one in moved)
        found.append((near + near[:1] * 10)[:12])
    width = max(map(len, found), default=0)
    return np.array([(one + one[:1] * width)[:width] for one in found], dtype=np.intp)


def values_after_nudge(values: FloatArray, count: int) -> FloatArray:
    """Return, for each hand, the value of the best hand one nudge away."""
    near = _neighboring_hands(count)
    best: FloatArray = values[near[:, 0]]
    for at in range(1, near.shape[1]):
        best = np.maximum(best, values[near[:, at]])
    return best


def values_by_kept_dice(values: FloatArray, count: int) -> list[FloatArray]:
    """Return, for each size from 0 to `count`, the value of keeping each hand of that size and throwing the others."""
    levels = [values]
    for size in range(count - 1, -1, -1):
        more = _hand_extensions(size)
        total = values[more[:, 0]].copy()
        for at in range(1, 6):
            total += values[more[:, at]]
        values = total / 6
        levels.append(values)
    return levels[::-1]


def values_after_reroll(values: FloatArray, count: int) -> FloatArray:
    """Return, for each hand, the value of the best reroll of at least one die."""
    levels = values_by_kept_dice(values, count)
    best = levels[0]
    for size in range(1, count + 1):
        less = _hand_reductions(size)
        top = best[less[:, 0]]
        for at in range(1, min(6, size)):
            top = np.maximum(top, best[less[:, at]])
        best = top if size == count else np.maximum(levels[size], top)
    return best


def values_with_tokens(
    keep: Callable[[int, int], FloatArray], count: int, rerolls: int, nudges: int
) -> dict[tuple[int, int], FloatArray]:
    """Return the value of each hand by rerolls and nudges that may be spent, up to these numbers.

    `keep` returns the values of the hands after that many rerolls and nudges were spent.
    """
    found: dict[tuple[int, int], FloatArray] = {}
    for again in range(rerolls + 1):
        for turns in range(nudges + 1):
            best = keep(rerolls - again, nudges - turns)
            if turns:
                best = np.maximum(best, values_after_nudge(found[again, turns - 1], count))
            if again:
                best = np.maximum(best, values_after_reroll(found[again - 1, turns], count))
            found[again, turns] = best
    return found


def reroll_options(values: FloatArray, faces: Sequence[int]) -> list[tuple[float, tuple[int, ...]]]:
    """Return the values and dice indexes of all distinct rerolls, best first. `values` are those of the final hands."""
    count = len(faces)
    levels = values_by_kept_dice(values, count)
    order = sorted(range(count), key=lambda at: faces[at])
    found: dict[DiceHand, tuple[float, tuple[int, ...]]] = {}
    for mask in range(2**count - 1):
        stay = [at for bit, at in enumerate(order) if mask >> bit & 1]
        hand = tuple(faces[at] for at in stay)
        if hand not in found:
            again = tuple(sorted(set(range(count)) - set(stay)))
            found[hand] = (float(levels[len(hand)][hand_rows(len(hand))[hand]]), again)
    return sorted(found.values(), key=lambda one: -one[0])
