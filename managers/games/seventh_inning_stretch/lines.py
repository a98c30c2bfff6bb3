"""Outcomes that hands of dice reach on a batter's card, with and without tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.seventh_inning_stretch.cards import StretchBatter
from engine.games.seventh_inning_stretch.dice.conditions import CardLine, GuardFacts, parse_dice, parse_line
from engine.games.seventh_inning_stretch.dice.odds import face_counts, is_any_way_met
from engine.games.seventh_inning_stretch.innings.outcomes import OUTCOMES_BEST_FIRST
from managers.games.seventh_inning_stretch.hands import (
    FloatArray,
    _hand_extensions,
    _hand_reductions,
    _neighboring_hands,
    all_hands,
    hand_chances,
)

RUN_VALUES_BY_OUTCOME = {"home-run": 1.45, "triple": 1.05, "double": 0.8, "single": 0.5, "walk": 0.35, "sacrifice": 0.1}
"""Approximate run values of outcomes. They rank rerolls where the position is unknown."""

GROUPING_TOLERANCE_RUNS = 0.1
"""Grouping resolution of hands in later halves, by value after a reroll, in runs."""

ChanceArray = NDArray[np.float32]

BLANK_CARD_BATTER = StretchBatter(
    "", 1, "", parse_dice(2), 0, 0, (parse_line("highest 6: double"), parse_line("highest 5: single")), False
)
"""Model of a blank card, which only people can read: two dice, and a hit with about every other throw."""


def open_lines(card: StretchBatter, at: GuardFacts) -> tuple[CardLine, ...]:
    return tuple(one for one in card.lines if all(when.is_met(at) for when in one.when))


@lru_cache(maxsize=4096)
def met_outcome_bits(lines: tuple[CardLine, ...], count: int, best: bool) -> NDArray[np.int64]:
    """Return the outcomes of each hand of `count` dice, as bits in the order of `OUTCOMES_BEST_FIRST`.

    Guards are ignored. With `best` only the best outcome counts (A19).
    """
    found = np.zeros(len(all_hands(count)), dtype=np.int64)
    if not count:
        return found
    shown = [face_counts(hand) for hand in all_hands(count)]
    for one in lines:
        bit = 1 << OUTCOMES_BEST_FIRST.index(one.outcome)
        found |= np.array([bit if is_any_way_met(one.ways, counts) else 0 for counts in shown], dtype=np.int64)
    return found & -found if best else found


def outcome_bits_after_nudge(bits: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return, for each hand, the outcomes of all hands one nudge away."""
    reached: NDArray[np.int64] = np.bitwise_or.reduce(bits[_neighboring_hands(count)], axis=1)
    return reached


@dataclass(frozen=True, slots=True)
class ThrowDistribution:
    """All throws of a number of dice, grouped into kinds with equal outcomes.

    sets: outcomes of each kind with no, one and two nudges, as bits.
    bits: all distinct values in `sets`.
    rows: indexes into `bits` by kind, with no, one and two nudges.
    chances: of each kind.
    weights, kinds: chance and kind of each group of hands with similar values after a reroll.
    after: chances of the kinds after a reroll by group, with no, one and two nudges left.
    """

    sets: tuple[tuple[int, int, int], ...]
    bits: tuple[int, ...]
    rows: tuple[NDArray[np.intp], ...]
    chances: ChanceArray
    weights: ChanceArray
    kinds: NDArray[np.intp]
    after: tuple[ChanceArray, ChanceArray, ChanceArray]


@lru_cache(maxsize=4096)
def throw_distribution(lines: tuple[CardLine, ...], count: int, best: bool) -> ThrowDistribution:
    zero = met_outcome_bits(lines, count, best)
    one = outcome_bits_after_nudge(zero, count)
    two = outcome_bits_after_nudge(one, count)
    known: dict[tuple[int, int, int], int] = {}
    of = np.array(
        [known.setdefault(key, len(known)) for key in zip(zero.tolist(), one.tolist(), two.tolist(), strict=True)],
        dtype=np.intp,
    )
    sets = tuple(known)
    often = hand_chances(count)
    flags = np.zeros((len(of), len(sets)))
    flags[np.arange(len(of)), of] = 1.0
    worth = np.array([[_hand_kind_value(key, nudges) for key in sets] for nudges in range(3)])
    again = [_reroll_distribution(flags, worth[nudges], count) for nudges in range(3)]
    groups: dict[tuple[int, bytes], int] = {}
    joined = np.round(
        np.column_stack([rows @ worth[nudges] for nudges, rows in enumerate(again)]) / GROUPING_TOLERANCE_RUNS
    )
    group = [groups.setdefault((int(kind), row.tobytes()), len(groups)) for kind, row in zip(of, joined, strict=True)]
    first = np.array([group.index(at) for at in range(len(groups))], dtype=np.intp)
    weights = np.bincount(group, weights=often, minlength=len(groups))
    share = np.zeros((len(groups), len(of)))
    share[group, np.arange(len(of))] = often / weights[group]
    none, single, double = ((share @ rows).astype(np.float32) for rows in again)
    kinds = of[first]
    bits = tuple(sorted({one for key in sets for one in key}))
    rows = tuple(np.array([bits.index(key[nudges]) for key in sets], dtype=np.intp) for nudges in range(3))
    return ThrowDistribution(
        sets, bits, rows, (often @ flags).astype(np.float32), weights.astype(np.float32), kinds, (none, single, double)
    )


def _hand_kind_value(sets: tuple[int, int, int], nudges: int) -> float:
    """Return the approximate value of a kind of hand with this number of nudges, in runs."""
    return max(
        (
            RUN_VALUES_BY_OUTCOME[outcome]
            for bits in sets[: nudges + 1]
            for at, outcome in enumerate(OUTCOMES_BEST_FIRST)
            if bits >> at & 1
        ),
        default=0.0,
    )


def _reroll_distribution(flags: FloatArray, worth: FloatArray, count: int) -> FloatArray:
    """Return, for each hand, the chances of the kinds after the best reroll."""
    levels = [np.column_stack([flags @ worth, flags])]
    for size in range(count - 1, -1, -1):
        levels.append(levels[-1][_hand_extensions(size)].mean(axis=1))
    levels.reverse()
    best = levels[0]
    for size in range(1, count + 1):
        less = best[_hand_reductions(size)]
        top = less[np.arange(len(less)), less[:, :, 0].argmax(axis=1)]
        if size < count:
            better = levels[size][:, :1] >= top[:, :1]
            top = np.where(better, levels[size], top)
        best = top
    rows: FloatArray = best[:, 1:]
    return rows
