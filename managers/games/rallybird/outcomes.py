"""What each card can do from each position, as arrays: results by the engine's own functions, and the odds of two dice.

A position is outs * 8 + bases, where bases has bit 0 for a runner on first, bit 1 for second and bit 2 for third. The
third out is position `OVER`. A comparison is 0 (the dice show less than the Gloves), 1 (equal) or 2 (more).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.diamond import HOME, Bases
from engine.games.rallybird.cards import ZONES, AtBat, Box
from engine.games.rallybird.results import COMPARES, NAMES, Result, holds, phrase, run

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

OVER = 24
"""The position after the third out."""

MOST_RUNS = 4
"""The most runs that one at-bat can bring in."""

HIGHEST = 27
"""The highest target: three zones of nine."""


def odds() -> Floats:
    """Return the chances that two dice show less than, as much as and more than each target from 0 to `HIGHEST`."""
    found = np.zeros((HIGHEST + 1, 3))
    for target in range(HIGHEST + 1):
        for one in range(1, 7):
            for two in range(1, 7):
                found[target, (one + two > target) - (one + two < target) + 1] += 1 / 36
    return found


ODDS = odds()


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """All cards in use, in the order of the deck. Arrays are by position, card and comparison unless they say other."""

    names: tuple[str, ...]
    tests: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """The zones of each card, 0 to 5: with nobody on second, and with somebody there."""
    steals: Flags
    """By card: runners steal with it while the batter stays at bat."""
    twice: Flags
    """By card: two rolls must succeed."""
    playable: Flags
    """By bases and card: it may be played, and something may come of it. Where real cards are used, a card that only
    leaves everything as it is could be played forever.
    """
    after: Ints
    runs: Ints
    success: Flags
    wears: Flags


def outcomes(box: Box, house: Mapping[str, str]) -> Outcomes:
    """Return what the cards of this box do under these house rules. A blank card does what `as_read` says."""
    cards = [as_read(card) if card.blank else card for card in box.cards.values()]
    after = np.zeros((OVER, len(cards), 3), dtype=np.int64)
    runs, success, wears = np.zeros_like(after), np.zeros(after.shape, bool), np.zeros(after.shape, bool)
    playable = np.zeros((8, len(cards)), bool)
    for place, card in enumerate(cards):
        for bases in range(8):
            playable[bases, place] = fits(card, cubes(bases), house)
        for position in range(OVER):
            for number, compare in enumerate(COMPARES):
                at = (position, place, number)
                after[at], runs[at], success[at], wears[at] = _outcome(card, compare, position, house)
    useful = playable & _changes(after, runs, wears)
    playable = np.where(useful.any(1, keepdims=True), useful, playable)
    return Outcomes(
        names=tuple(box.cards),
        tests=tuple((_zones(card.tests), _zones(card.second)) for card in cards),
        steals=np.array([bool(card.steals) for card in cards], bool),
        twice=np.array([card.twice for card in cards], bool),
        playable=playable,
        after=after,
        runs=runs,
        success=success,
        wears=wears,
    )


def _changes(after: Ints, runs: Ints, wears: Flags) -> Flags:
    """Return by bases and card whether any comparison, with any outs, changes bases, outs, score or a Glove."""
    moved = (after != np.arange(OVER)[:, None, None]) | (runs > 0) | wears
    found: Flags = moved.any(2).reshape(OVER // 8, 8, -1).any(0)
    return found


def cubes(bases: int) -> Bases[int]:
    """Return the runners of `bases`: cube 1 on first, 2 on second, 3 on third."""
    first, second, third = ((base if bases >> (base - 1) & 1 else None) for base in (1, 2, 3))
    return (first, second, third)


def bits(bases: Bases[int]) -> int:
    """Return the number of these bases: bit 0 for first, bit 1 for second, bit 2 for third."""
    return sum(1 << at for at, runner in enumerate(bases) if runner is not None)


def fits(card: AtBat, bases: Bases[int], house: Mapping[str, str]) -> bool:
    """True if a card may be played: its runner is on base (RB-110) and the base to steal is free (RB-111)."""
    if house["stealIntoOccupied"] == "refuse" and any(base < HOME and bases[base - 1] for base in card.steals):
        return False
    if house["needsRunner"] == "skip" or not card.requires:
        return True
    return any(bases) if card.requires == "any" else bases[NAMES.index(card.requires)] is not None


def as_read(card: AtBat) -> AtBat:
    """Return a blank card as a manager reads it, which cannot see it: two zones, a single for more, else an out."""
    out, hit = phrase("batter out"), phrase("batter to first, runners +1")
    zones = (ZONES[card.number % 6], ZONES[(card.number // 6 + card.number + 1) % 6])
    results: dict[str, Result] = {"less": out, "equal": out, "more": hit}
    return AtBat(
        number=card.number,
        name=card.name,
        tests=zones,
        second=zones,
        results=results,
        requires=card.requires,
        twice=card.twice,
        wears=card.wears,
        succeeds=card.succeeds,
        beginner=card.beginner,
        blank=True,
    )


def _outcome(card: AtBat, compare: str, position: int, house: Mapping[str, str]) -> tuple[int, int, bool, bool]:
    """Return the position after a result, its runs, whether it is a success, and whether a Glove changes (RB-058)."""
    outs, bases = divmod(position, 8)
    result = card.results[compare]
    if house["needsRunner"] == "refuse":
        result = holds(result, cubes(bases))
    ran = run(result, cubes(bases), 4, outs, house["runOnThirdOut"] == "true")
    success = ran.moved if card.succeeds is None else ran.outs < 3 and compare in card.succeeds
    after = OVER if ran.outs == 3 else ran.outs * 8 + bits(ran.bases)
    wears = card.wears and (ran.advanced if house["gloveChangeOn"] == "anyAdvance" else success) and ran.outs < 3
    return after, len(ran.home), success, wears


def _zones(tests: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(ZONES.index(zone) for zone in tests)
