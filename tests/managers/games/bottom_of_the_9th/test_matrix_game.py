"""The solver of stare-downs against linear programming, and against the best answers to its mixes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from managers.games.bottom_of_the_9th.matrix_game import exploitability, solve_matrix_games
from managers.games.rallybird import mixing

CHANCES = arrays(float, (4, 4), elements=st.floats(0, 1))
TIES = arrays(float, (4, 4), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0]))
"""Matrices in which rows are alike, columns are dominated, and many mixes are best."""


@given(CHANCES | TIES)
def test_the_value_is_that_of_linear_programming(payoffs: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    """HiGHS solves the same game by another method, with nothing of ours in between."""
    rows, columns, value = solve_matrix_games(payoffs[None])
    assert abs(value[0] - mixing.solve_at_bat(payoffs, np.zeros(4)).value) < 1e-6
    assert exploitability(payoffs[None], rows, columns)[0] < 1e-6


@given(CHANCES | TIES)
def test_mixes_are_chances(payoffs: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    rows, columns, value = solve_matrix_games(payoffs[None])
    for mix in (rows[0], columns[0]):
        assert mix.min() >= 0
        assert abs(mix.sum() - 1) < 1e-9
    assert payoffs.min() - 1e-9 <= value[0] <= payoffs.max() + 1e-9
