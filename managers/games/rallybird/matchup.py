"""Value of an at-bat for every card against every layout, given the values after it.

A card's effect depends only on the Gloves under the zones that it tests, at most three. A table by card and those
Gloves is computed once, and layouts look up their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from managers.games.rallybird.gloves import GLOVE_BACK, GLOVE_FRONT, NO_GLOVE, GloveKit, GloveLayouts, GloveStates
from managers.games.rallybird.outcomes import (
    COMPARISON_CHANCES,
    THIRD_OUT_STATE,
    BoolArray,
    CardOutcomes,
    FloatArray,
    IntArray,
)

LaterValues = FloatArray
"""Values for Offense by position, changed Glove (none last) and runs of this at-bat (0 to 4)."""


@dataclass(frozen=True, slots=True)
class RallybirdOption:
    """Values after the RallyBird is used up, and two house rules about it. It exists only where Offense may use it."""

    values_without: LaterValues
    failed_only: bool
    both_rolls: bool


@dataclass(frozen=True, slots=True)
class RolledAtBat:
    """A rolled at-bat. `rolls` is the number of rolls so far. `tested_gloves` has the Gloves on the tested zones."""

    card: int
    target: int
    compare: int
    rolls: int
    tested_gloves: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CardMatchup:
    """Matchups of cards that test equally many zones, by card, position, comparison and the Gloves under those zones.

    `value` is Offense's expected value over all comparisons.
    """

    cards: IntArray
    zones: IntArray
    """Tested zones by card."""
    final: NDArray[np.float32]
    """Chance that each comparison decides the at-bat, without the RallyBird."""
    change: NDArray[np.int8]
    """Glove that Defense changes, or `NO_GLOVE`."""
    value: FloatArray

    def layout_indexes(self, layouts: GloveLayouts) -> IntArray:
        """Return the index of each layout among the Glove combinations, by card and layout."""
        found = np.zeros((len(self.cards), len(layouts)), dtype=np.int64)
        for zones in self.zones.T:
            found = found * (NO_GLOVE + 1) + layouts[:, zones].T
        return found

    def layout_values(self, layouts: GloveLayouts) -> FloatArray:
        found: FloatArray = np.take_along_axis(self.value, self.layout_indexes(layouts)[:, None, :], 2)
        return found


def card_matchups(
    cards: CardOutcomes,
    kit: GloveKit,
    gloves: GloveStates,
    positions: IntArray,
    later: LaterValues,
    bird: RallybirdOption | None = None,
) -> Iterator[CardMatchup]:
    """Yield the matchups of all cards from `positions`, which must all have or all lack a runner on second."""
    second = bool(positions[0] >> 1 & 1)
    for number in (1, 2, 3):
        here = [card for card, tests in enumerate(cards.tests) if len(set(tests[second])) == number]
        if here:
            yield _build_matchup(cards, kit, gloves, np.array(here), second, positions, later, bird)


def _build_matchup(
    cards: CardOutcomes,
    kit: GloveKit,
    gloves: GloveStates,
    here: IntArray,
    second: bool,
    positions: IntArray,
    later: LaterValues,
    bird: RallybirdOption | None,
) -> CardMatchup:
    tests = [cards.tests[card][second] for card in here]
    zones = np.array([sorted(set(one)) for one in tests])
    times = np.array([[one.count(zone) for zone in sorted(set(one))] for one in tests])
    under = _glove_combinations(zones.shape[1])
    worth = kit.zone_values(gloves)
    target = (worth[zones[:, None, :], under] * times[:, None, :]).sum(-1)
    chances = COMPARISON_CHANCES[target].swapaxes(1, 2)[:, None]
    at = np.ix_(positions, here)
    success, wears = cards.success[at].swapaxes(0, 1), cards.wears[at].swapaxes(0, 1)
    change, kept = _best_glove_change(kit, gloves, under, _comparison_values(cards, later, here, positions), wears)
    twice = cards.twice[here]
    good = (chances * success[..., None]).sum(2, keepdims=True)
    two_rolls = np.where(success[..., None], good, 1 + good)
    final = chances * np.where(twice[:, None, None, None], two_rolls, 1)
    small = final.astype(np.float32)
    if bird is None:
        return CardMatchup(here, zones, small, change, (final * kept).sum(2))
    _, lost = _best_glove_change(
        kit, gloves, under, _comparison_values(cards, bird.values_without, here, positions), wears
    )
    return CardMatchup(here, zones, small, change, rallybird_values(chances, success, kept, lost, twice, bird).value)


@dataclass(frozen=True, slots=True, eq=False)
class RallybirdValues:
    """Values with the RallyBird, by card, position and Gloves.

    first_again, last_again: value of rerolling the first of two rolls, and of rerolling the last or only roll.
    last: value before the last or only roll.
    value: value of the whole at-bat, before any roll.
    """

    first_again: FloatArray
    last_again: FloatArray
    last: FloatArray
    value: FloatArray


def rallybird_values(
    chances: FloatArray, success: BoolArray, kept: FloatArray, lost: FloatArray, twice: BoolArray, bird: RallybirdOption
) -> RallybirdValues:
    """Return the values of an at-bat with optimal use of the RallyBird.

    chances: of a roll, by card, position, comparison and Gloves.
    success: the same without Gloves.
    kept, lost: values of each comparison with and without the RallyBird afterward, shaped as `chances`.
    twice: by card.
    """
    good, pair = success[..., None], twice[:, None, None]
    one, two = _values_without_reroll(chances, success, kept, lost)
    sure = (chances * good).sum(2)
    first_again = np.where(pair, two, one)
    last_again = np.where(pair & bird.both_rolls, two, one)
    may = ~good | (not bird.failed_only)
    last = (chances * np.where(may, np.maximum(kept, last_again[:, :, None]), kept)).sum(2)
    failed = (chances * np.where(good, 0, np.maximum(kept, first_again[:, :, None]))).sum(2)
    return RallybirdValues(first_again, last_again, last, np.where(pair, failed + sure * last, last))


def _values_without_reroll(
    chances: FloatArray, success: BoolArray, kept: FloatArray, lost: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the values of one roll, and of two that must succeed. A failure has its value in `lost`."""
    good = success[..., None]
    one = (chances * np.where(good, kept, lost)).sum(2)
    return one, (chances * np.where(good, 0, lost)).sum(2) + (chances * good).sum(2) * one


def keep_and_reroll_values(
    cards: CardOutcomes,
    kit: GloveKit,
    gloves: GloveStates,
    shown: RolledAtBat,
    position: int,
    later: LaterValues,
    bird: RallybirdOption,
) -> tuple[float, float]:
    chances, success, kept, lost, twice = _shown_card(cards, kit, gloves, shown, position, later, bird)
    found = rallybird_values(chances, success, kept, lost, twice, bird)
    first = bool(twice[0]) and shown.rolls == 1
    keep = found.last if first and success[0, 0, shown.compare] else kept[:, :, shown.compare]
    again = found.first_again if first else found.last_again
    return float(keep[0, 0, 0]), float(again[0, 0, 0])


def value_before_roll(
    cards: CardOutcomes,
    kit: GloveKit,
    gloves: GloveStates,
    shown: RolledAtBat,
    position: int,
    later: LaterValues,
    bird: RallybirdOption | None,
    second: bool,
) -> float:
    """Return the value before a roll for a shown card. `second` means the second of two rolls that must succeed."""
    chances, success, kept, lost, twice = _shown_card(cards, kit, gloves, shown, position, later, bird)
    if bird is None or shown.rolls > second:  # The RallyBird cannot be used, or this is the roll for which it was.
        one, two = _values_without_reroll(chances, success, kept, lost)
        found = two if twice[0] and not second else one
    else:
        values = rallybird_values(chances, success, kept, lost, twice, bird)
        found = values.last if second else values.value
    return float(found[0, 0, 0])


def _shown_card(
    cards: CardOutcomes,
    kit: GloveKit,
    gloves: GloveStates,
    shown: RolledAtBat,
    position: int,
    later: LaterValues,
    bird: RallybirdOption | None,
) -> tuple[FloatArray, BoolArray, FloatArray, FloatArray, BoolArray]:
    """Return the first arguments of `rallybird_values` for one card and the Gloves that it tests."""
    at, here = np.array([position]), np.array([shown.card])
    chances = COMPARISON_CHANCES[min(shown.target, len(COMPARISON_CHANCES) - 1)][None, None, :, None]
    under = np.array([shown.tested_gloves], dtype=np.int64)
    wears, success = cards.wears[at, here][:, None], cards.success[at, here][:, None]
    _, kept = _best_glove_change(kit, gloves, under, _comparison_values(cards, later, here, at), wears)
    if bird is None:
        return chances, success, kept, kept, cards.twice[here]
    _, lost = _best_glove_change(kit, gloves, under, _comparison_values(cards, bird.values_without, here, at), wears)
    return chances, success, kept, lost, cards.twice[here]


def positions_by_second_base() -> tuple[IntArray, IntArray]:
    places = np.arange(THIRD_OUT_STATE)
    return places[places >> 1 & 1 == 0], places[places >> 1 & 1 == 1]


@lru_cache(maxsize=3)
def _glove_combinations(zones: int) -> IntArray:
    """Return all combinations of Gloves or none under this many zones, one a row. Repeated Gloves never occur."""
    found: IntArray = np.indices((NO_GLOVE + 1,) * zones).reshape(zones, -1).T
    return found


def _comparison_values(cards: CardOutcomes, later: LaterValues, here: IntArray, positions: IntArray) -> FloatArray:
    """Return the value of each comparison by changed Glove, as [card, position, comparison, Glove]."""
    at = np.ix_(positions, here)
    found: FloatArray = later[cards.after[at], :, cards.runs[at]].swapaxes(0, 1)
    return found


def _best_glove_change(
    kit: GloveKit, gloves: GloveStates, under: IntArray, values: FloatArray, wears: BoolArray
) -> tuple[NDArray[np.int8], FloatArray]:
    """Return Defense's changed Glove and the value, by card, position, comparison and Gloves (RB-058 to RB-074)."""
    state = np.array([*gloves, NO_GLOVE])
    back, front = state == GLOVE_BACK, state == GLOVE_FRONT
    if kit.is_last_glove_safe(gloves):
        back = np.zeros_like(back)
    backs, fronts = back[under], front[under]
    may = np.where(backs.any(1)[:, None], backs, fronts)
    changed = wears[..., None] & may.any(1)
    best, chosen = np.full((*wears.shape, len(under)), np.inf), np.full((*wears.shape, len(under)), NO_GLOVE, np.int8)
    for glove, allowed in zip(under.T.astype(np.int8), may.T, strict=True):
        option = np.where(allowed, values[..., glove], np.inf)
        better = option < best
        best, chosen = np.where(better, option, best), np.where(better, glove, chosen)
    # Small types, because many of these tables exist while a half-inning is solved.
    return np.where(changed, chosen, NO_GLOVE).astype(np.int8), np.where(changed, best, values[..., NO_GLOVE:])
