"""Zero-sum games of two simultaneous choices of four, with exact values and strategies for many matrices at once.

By Shapley and Snow (1950) a player always has an optimal strategy that leaves the other indifferent between the columns
of some square submatrix. A 4 x 4 matrix has 69 of these; each gives one row strategy in closed form. All are tried, and
the one with the best worst case is chosen. Both strategies together prove the value: see `exploitability`.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

CHOICE_INDEXES = range(4)  # Indexes of the choices of either player.
CHOICE_PAIRS = np.array(list(combinations(CHOICE_INDEXES, 2)))  # All pairs of choices, (6, 2).
CHOICE_TRIPLES = np.array(list(combinations(CHOICE_INDEXES, 3)))  # All triples of choices, (4, 3).
ROUNDING_TOLERANCE = 1e-12  # Tolerance for rounding. A share this little below 0 counts as 0.


def row_strategies(games: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the optimal strategy of the row player in each matrix, (count, 4), and its worst-case payoff, (count,).

    `games` has the row player's payoffs and the shape (count, 4, 4).
    """
    a = np.ascontiguousarray(np.moveaxis(games, 0, -1))
    mixes = _candidate_strategies(a)
    worst = None
    for column in CHOICE_INDEXES:
        wins = sum(mixes[row] * a[row, column] for row in CHOICE_INDEXES)
        worst = wins if worst is None else np.minimum(worst, wins)
    assert worst is not None
    best, each = worst.argmax(axis=0), np.arange(len(games))
    return mixes[:, best, each].T, worst[best, each]


def solve_matrix_games(games: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the optimal strategies of rows and columns, and the value for the row player, of each game."""
    rows, value = row_strategies(games)
    columns, _ = row_strategies(-games.swapaxes(1, 2))
    return rows, columns, value


def exploitability(games: FloatArray, rows: FloatArray, columns: FloatArray) -> FloatArray:
    """Return the combined gain of both best responses over the given strategies, 0 in equilibrium."""
    best_row = (games @ columns[:, :, None]).max(axis=(1, 2))
    best_column = (rows[:, None, :] @ games).min(axis=(1, 2))
    gap: FloatArray = best_row - best_column
    return gap


def _candidate_strategies(a: FloatArray) -> FloatArray:
    """Return candidate strategies as [row, candidate, game], at least one of them optimal. `a` has games last.

    Between the columns of a submatrix, the strategy makes all differences 0, so it is the cross product of its rows'
    differences. A submatrix without such a strategy gets its first row.
    """
    count = a.shape[2]
    mixes = np.zeros((4, 4 + 36 + 16 + 1, count))
    mixes[CHOICE_INDEXES, CHOICE_INDEXES] = 1.0
    place = 4
    step = a[:, CHOICE_PAIRS[:, 0]] - a[:, CHOICE_PAIRS[:, 1]]
    for rows in CHOICE_PAIRS:
        _fill_strategies(mixes, place, rows, [step[rows[1]], -step[rows[0]]])
        place += 6
    one, two = (a[:, CHOICE_TRIPLES[:, 0]] - a[:, CHOICE_TRIPLES[:, other]] for other in (1, 2))
    for rows in CHOICE_TRIPLES:
        minors = [
            one[rows[i]] * two[rows[j]] - two[rows[i]] * one[rows[j]] for i, j in ((1, 2), (2, 0), (0, 1))
        ]  # fmt: skip
        _fill_strategies(mixes, place, rows, minors)
        place += 4
    d = [a[:, 0] - a[:, column] for column in (1, 2, 3)]
    weights = []
    for row in CHOICE_INDEXES:
        i, j, k = (other for other in CHOICE_INDEXES if other != row)
        minor = (
            d[0][i] * (d[1][j] * d[2][k] - d[2][j] * d[1][k])
            - d[1][i] * (d[0][j] * d[2][k] - d[2][j] * d[0][k])
            + d[2][i] * (d[0][j] * d[1][k] - d[1][j] * d[0][k])
        )
        weights.append((minor if row % 2 == 0 else -minor)[None])
    _fill_strategies(mixes, place, np.arange(4), weights)
    return mixes


def _fill_strategies(mixes: FloatArray, place: int, rows: NDArray[np.int64], weights: list[FloatArray]) -> None:
    """Write strategies over `rows` in proportion to weights, which may all be negative."""
    total = sum(weights)
    share = np.array(weights) / np.where(total == 0, 1.0, total)
    fine = (share.min(axis=0) >= -ROUNDING_TOLERANCE) & (total != 0)
    share = np.where(fine, np.maximum(share, 0.0), 0.0)
    share[0] = np.where(fine, 1 - share[1:].sum(axis=0), 1.0)
    for row, part in zip(rows, share, strict=True):
        mixes[row, place : place + len(part)] = part
