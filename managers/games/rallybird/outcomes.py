"""Outcomes of each card from each position, as arrays, from the engine's own functions and the odds of two dice.

A position is outs * 8 + bases, with bit 0 of bases for a runner on first, bit 1 for second and bit 2 for third. A
comparison is 0 (the dice show less than the Gloves), 1 (equal) or 2 (more).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.diamond import HOME_BASE, Bases
from engine.games.rallybird.cards import ZONE_LETTERS, AtBatCard, RallybirdBox
from engine.games.rallybird.results import (
    BASE_NAMES,
    ROLL_COMPARISONS,
    CardResult,
    applicable_result,
    apply_result,
    parse_result,
)

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

THIRD_OUT_STATE = 24  # Position after the third out.
MAX_AT_BAT_RUNS = 4  # Maximum of runs in one at-bat.
MAX_TARGET_SUM = 27  # Highest target, three zones of nine.


def compute_comparison_chances() -> FloatArray:
    """Return the chances that two dice are below, equal to and above each target from 0 to `MAX_TARGET_SUM`."""
    found = np.zeros((MAX_TARGET_SUM + 1, 3))
    for target in range(MAX_TARGET_SUM + 1):
        for one in range(1, 7):
            for two in range(1, 7):
                found[target, (one + two > target) - (one + two < target) + 1] += 1 / 36
    return found


COMPARISON_CHANCES = compute_comparison_chances()


@dataclass(frozen=True, slots=True, eq=False)
class CardOutcomes:
    """All cards in use, in the order of the deck. Arrays are by position, card and comparison unless noted."""

    names: tuple[str, ...]
    tests: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """Zones of each card, 0 to 5, with second base empty and occupied."""
    steals: BoolArray
    """By card, True if runners steal with it while the batter stays at bat."""
    twice: BoolArray
    """By card, True if two rolls must succeed."""
    playable: BoolArray
    """By bases and card, True if playable and not without effect. A real card without any could be played forever."""
    after: IntArray
    runs: IntArray
    success: BoolArray
    wears: BoolArray


def card_outcomes(box: RallybirdBox, house: Mapping[str, str]) -> CardOutcomes:
    """Build the outcomes of this box's cards under these house rules. Blank cards are those of `assumed_blank_card`."""
    cards = [assumed_blank_card(card) if card.blank else card for card in box.cards.values()]
    after = np.zeros((THIRD_OUT_STATE, len(cards), 3), dtype=np.int64)
    runs, success, wears = np.zeros_like(after), np.zeros(after.shape, bool), np.zeros(after.shape, bool)
    playable = np.zeros((8, len(cards)), bool)
    for place, card in enumerate(cards):
        for bases in range(8):
            playable[bases, place] = is_playable(card, runner_cubes(bases), house)
        for position in range(THIRD_OUT_STATE):
            for number, compare in enumerate(ROLL_COMPARISONS):
                at = (position, place, number)
                after[at], runs[at], success[at], wears[at] = _comparison_outcome(card, compare, position, house)
    useful = playable & _cards_with_effect(after, runs, wears)
    playable = np.where(useful.any(1, keepdims=True), useful, playable)
    return CardOutcomes(
        names=tuple(box.cards),
        tests=tuple((_zone_numbers(card.tests), _zone_numbers(card.second)) for card in cards),
        steals=np.array([bool(card.stolen_bases) for card in cards], bool),
        twice=np.array([card.twice for card in cards], bool),
        playable=playable,
        after=after,
        runs=runs,
        success=success,
        wears=wears,
    )


def _cards_with_effect(after: IntArray, runs: IntArray, wears: BoolArray) -> BoolArray:
    """Return a mask, by bases and card, of cards that can change bases, outs, score or a Glove with some outs."""
    moved = (after != np.arange(THIRD_OUT_STATE)[:, None, None]) | (runs > 0) | wears
    found: BoolArray = moved.any(2).reshape(THIRD_OUT_STATE // 8, 8, -1).any(0)
    return found


def runner_cubes(bases: int) -> Bases[int]:
    """Return the runners of `bases`, with cube 1 on first, 2 on second, 3 on third."""
    first, second, third = ((base if bases >> (base - 1) & 1 else None) for base in (1, 2, 3))
    return (first, second, third)


def bases_mask(bases: Bases[int]) -> int:
    """Return the mask of these bases, bit 0 for first, bit 1 for second, bit 2 for third."""
    return sum(1 << at for at, runner in enumerate(bases) if runner is not None)


def is_playable(card: AtBatCard, bases: Bases[int], house: Mapping[str, str]) -> bool:
    """True if a card's runner is on base (RB-110) and the base to steal is free (RB-111)."""
    if house["stealIntoOccupied"] == "refuse" and any(
        base < HOME_BASE and bases[base - 1] for base in card.stolen_bases
    ):
        return False
    if house["needsRunner"] == "skip" or not card.requires:
        return True
    return any(bases) if card.requires == "any" else bases[BASE_NAMES.index(card.requires)] is not None


def assumed_blank_card(card: AtBatCard) -> AtBatCard:
    """Return a manager's model of a blank card, which it cannot read: two zones, a single for more, else an out."""
    out, hit = parse_result("batter out"), parse_result("batter to first, runners +1")
    zones = (ZONE_LETTERS[card.number % 6], ZONE_LETTERS[(card.number // 6 + card.number + 1) % 6])
    results: dict[str, CardResult] = {"less": out, "equal": out, "more": hit}
    return AtBatCard(
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


def _comparison_outcome(
    card: AtBatCard, compare: str, position: int, house: Mapping[str, str]
) -> tuple[int, int, bool, bool]:
    """Return the position after a result, its runs, whether it is a success, and whether a Glove changes (RB-058)."""
    outs, bases = divmod(position, 8)
    result = card.results[compare]
    if house["needsRunner"] == "refuse":
        result = applicable_result(result, runner_cubes(bases))
    ran = apply_result(result, runner_cubes(bases), 4, outs, house["runOnThirdOut"] == "true")
    success = ran.moved if card.succeeds is None else ran.outs < 3 and compare in card.succeeds
    after = THIRD_OUT_STATE if ran.outs == 3 else ran.outs * 8 + bases_mask(ran.bases)
    wears = card.wears and (ran.advanced if house["gloveChangeOn"] == "anyAdvance" else success) and ran.outs < 3
    return after, len(ran.home), success, wears


def _zone_numbers(tests: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(ZONE_LETTERS.index(zone) for zone in tests)
