"""What hands of dice meet on a batter's card, and what tokens can make of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.seventh_inning_stretch.cards import Batter
from engine.games.seventh_inning_stretch.dice.conditions import At, Line, dice, line
from engine.games.seventh_inning_stretch.dice.odds import counted, holds
from engine.games.seventh_inning_stretch.innings.outcomes import BEST
from managers.games.seventh_inning_stretch.hands import Floats, _beside, _grown, _smaller, chances, hands

RUNS = {"home-run": 1.45, "triple": 1.05, "double": 0.8, "single": 0.5, "walk": 0.35, "sacrifice": 0.1}
"""About what outcomes are worth in runs; they say which dice to throw again where the position is not known yet."""

ALIKE = 0.1
"""Hands whose worth after a reroll differs by less than about this, in runs, are put together for halves to come."""

Shares = NDArray[np.float32]

UNREAD = Batter("", 1, "", dice(2), 0, 0, (line("highest 6: double"), line("highest 5: single")), False)
"""Stands in for a blank card, which only people can read: two dice, and a hit with about every other throw."""


def open_lines(card: Batter, at: At) -> tuple[Line, ...]:
    """Return the lines of a card whose guards hold."""
    return tuple(one for one in card.lines if all(when.holds(at) for when in one.when))


@lru_cache(maxsize=4096)
def met(lines: tuple[Line, ...], count: int, best: bool) -> NDArray[np.int64]:
    """Return for each hand of `count` dice the outcomes it can be taken for, as bits in the order of BEST.

    Guards are not looked at. With `best` only the best of them counts (A19).
    """
    found = np.zeros(len(hands(count)), dtype=np.int64)
    if not count:
        return found
    shown = [counted(hand) for hand in hands(count)]
    for one in lines:
        bit = 1 << BEST.index(one.outcome)
        found |= np.array([bit if holds(one.ways, counts) else 0 for counts in shown], dtype=np.int64)
    return found & -found if best else found


def beside(bits: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return for each hand the outcomes of all hands one nudge away."""
    reached: NDArray[np.int64] = np.bitwise_or.reduce(bits[_beside(count)], axis=1)
    return reached


@dataclass(frozen=True, slots=True)
class Throw:
    """All throws of a number of dice, put together where they come to the same.

    `sets` are the outcomes as they lie, with one nudge and with two, of each kind of hand; `bits` are all of them, and
    `rows` their places there. `chances` say how often each kind comes up. Hands that a reroll does about the same good
    are together, with their `weights` and `kinds`; `after` are the chances of the kinds after a reroll, with no, one
    and two nudges to come.
    """

    sets: tuple[tuple[int, int, int], ...]
    bits: tuple[int, ...]
    rows: tuple[NDArray[np.intp], ...]
    chances: Shares
    weights: Shares
    kinds: NDArray[np.intp]
    after: tuple[Shares, Shares, Shares]


@lru_cache(maxsize=4096)
def throw(lines: tuple[Line, ...], count: int, best: bool) -> Throw:
    """Return the throws of `count` dice for these lines."""
    zero = met(lines, count, best)
    one = beside(zero, count)
    two = beside(one, count)
    known: dict[tuple[int, int, int], int] = {}
    of = np.array(
        [known.setdefault(key, len(known)) for key in zip(zero.tolist(), one.tolist(), two.tolist(), strict=True)],
        dtype=np.intp,
    )
    sets = tuple(known)
    often = chances(count)
    flags = np.zeros((len(of), len(sets)))
    flags[np.arange(len(of)), of] = 1.0
    worth = np.array([[_worth(key, nudges) for key in sets] for nudges in range(3)])
    again = [_again(flags, worth[nudges], count) for nudges in range(3)]
    groups: dict[tuple[int, bytes], int] = {}
    joined = np.round(np.column_stack([rows @ worth[nudges] for nudges, rows in enumerate(again)]) / ALIKE)
    group = [groups.setdefault((int(kind), row.tobytes()), len(groups)) for kind, row in zip(of, joined, strict=True)]
    first = np.array([group.index(at) for at in range(len(groups))], dtype=np.intp)
    weights = np.bincount(group, weights=often, minlength=len(groups))
    share = np.zeros((len(groups), len(of)))
    share[group, np.arange(len(of))] = often / weights[group]
    none, single, double = ((share @ rows).astype(np.float32) for rows in again)
    kinds = of[first]
    bits = tuple(sorted({one for key in sets for one in key}))
    rows = tuple(np.array([bits.index(key[nudges]) for key in sets], dtype=np.intp) for nudges in range(3))
    return Throw(
        sets, bits, rows, (often @ flags).astype(np.float32), weights.astype(np.float32), kinds, (none, single, double)
    )


def _worth(sets: tuple[int, int, int], nudges: int) -> float:
    """Return about what a kind of hand is worth with this number of nudges."""
    return max(
        (RUNS[outcome] for bits in sets[: nudges + 1] for at, outcome in enumerate(BEST) if bits >> at & 1), default=0.0
    )


def _again(flags: Floats, worth: Floats, count: int) -> Floats:
    """Return for each hand the chances of the kinds after the reroll that is worth most."""
    levels = [np.column_stack([flags @ worth, flags])]
    for size in range(count - 1, -1, -1):
        levels.append(levels[-1][_grown(size)].mean(axis=1))
    levels.reverse()
    best = levels[0]
    for size in range(1, count + 1):
        less = best[_smaller(size)]
        top = less[np.arange(len(less)), less[:, :, 0].argmax(axis=1)]
        if size < count:
            better = levels[size][:, :1] >= top[:, :1]
            top = np.where(better, levels[size], top)
        best = top
    rows: Floats = best[:, 1:]
    return rows
