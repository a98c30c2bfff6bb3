"""Zero-sum game of an at-bat. Offense plays a card and Defense lays its Gloves, both in secret."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from managers.games.rallybird.outcomes import FloatArray

INITIAL_LAYOUT_COUNT = 40  # Number of layouts in the first linear program.
ADDED_LAYOUT_COUNT = 25  # Number of layouts added per iteration.
OPTIMALITY_TOLERANCE = 1e-6  # Stop when no layout improves Defense's win probability by more.


@dataclass(frozen=True, slots=True, eq=False)
class MixedStrategies:
    """Optimal strategies over cards and layouts. That of the cards is averaged over what Defense cannot know."""

    cards: FloatArray
    layouts: FloatArray
    value: float


def solve_at_bat(payoffs: FloatArray, out: FloatArray) -> MixedStrategies:
    """Return optimal mixed strategies.

    payoffs: Offense's win probability by playable card and layout.
    out: probability for Defense that each card is the removed one. Offense cannot play that card, so no card's
        probability may exceed 1 - out; any such strategy can be played (see `strategy_without_card`).

    Defense's linear program starts with some layouts. The best others are added until none improves it.
    """
    chosen = np.unique(np.concatenate([payoffs[card].argsort()[:2] for card in range(len(payoffs))]))
    chosen = np.union1d(chosen, payoffs.mean(0).argsort()[:INITIAL_LAYOUT_COUNT])
    while True:
        cards, layouts, value = _solve_linear_program(payoffs[:, chosen], 1 - out)
        against = cards @ payoffs
        if against.min() >= cards @ payoffs[:, chosen] @ layouts - OPTIMALITY_TOLERANCE:
            break
        better = against.argsort()[:ADDED_LAYOUT_COUNT]
        chosen = np.union1d(chosen, better)
    found = np.zeros(payoffs.shape[1])
    found[chosen] = layouts
    return MixedStrategies(cards, found, value)


def _solve_linear_program(payoffs: FloatArray, most: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Solve the game with these layouts: minimize v + sum(most * extra) such that each card wins at most v + extra."""
    from highspy import (
        HighsLp,
        MatrixFormat,
        _core,
        kHighsInf,
    )  # The import is slow, and only a deciding manager needs it.

    count, width = payoffs.shape
    model = HighsLp()
    model.num_col_, model.num_row_ = width + count + 1, count + 1
    model.col_cost_ = np.concatenate([np.zeros(width), most, [1.0]])
    model.col_lower_ = np.concatenate([np.zeros(width + count), [-kHighsInf]])
    model.col_upper_ = np.full(width + count + 1, kHighsInf)
    model.row_lower_ = np.concatenate([np.zeros(count), [1.0]])
    model.row_upper_ = np.concatenate([np.full(count, kHighsInf), [1.0]])
    dense = np.zeros((count + 1, width + count + 1))
    dense[:count, :width], dense[:count, width:-1], dense[:count, -1] = -payoffs, np.eye(count), 1
    dense[count, :width] = 1
    rows, columns = np.nonzero(dense.T)[::-1]
    model.a_matrix_.format_ = MatrixFormat.kColwise
    model.a_matrix_.start_ = np.searchsorted(columns, np.arange(width + count + 2))
    model.a_matrix_.index_, model.a_matrix_.value_ = rows, dense[rows, columns]
    program = _core._Highs()  # The public wrapper class prints a banner.
    program.setOptionValue("output_flag", False)
    program.setOptionValue("threads", 1)
    program.passModel(model)
    program.run()
    solution = program.getSolution()
    cards = np.clip(np.array(solution.row_dual[:count]), 0, None)
    layouts = np.clip(np.array(solution.col_value[:width]), 0, None)
    return cards / cards.sum(), layouts / layouts.sum(), float(program.getInfo().objective_function_value)


def strategy_without_card(cards: FloatArray, out: FloatArray, mine: int | None) -> FloatArray:
    """Return Offense's strategy when it knows that card `mine` is removed, None for one that is not playable.

    Averaged over all possibly removed cards it equals `cards` (matrix scaling, with a zero diagonal).
    """
    kinds = [place for place in range(len(cards)) if out[place] > 0 or place == mine]
    weight = np.array([max(out[place], 1e-9) for place in kinds])
    weight = np.append(weight, max(1e-9, 1 - weight.sum()))
    plan = np.tile(np.maximum(cards, 1e-15), (len(weight), 1))
    for row, place in enumerate(kinds):
        plan[row, place] = 0
    for _ in range(200):
        rows = plan.sum(1)
        if np.abs(rows - weight).max() < 1e-7:
            break
        plan *= (weight / rows)[:, None]
        plan *= cards / np.maximum(plan.sum(0), 1e-300)
    row = kinds.index(mine) if mine in kinds else len(kinds)
    found: FloatArray = plan[row] / plan[row].sum()
    return found
