"""Transitions of outs and bases for each result of an at-bat, as index tables.

A half-inning has 24 states between two throws: 0 to 2 outs and the occupied bases. Each player who has batted is out,
on base, or in (SB-024 to SB-026, SB-038), so the runs at stake follow from the state and the number of at-bats. States
are sorted by the fewest at-bats before them. State 24 is three outs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.diamond import Bases, advance_on_hit, advance_runners, force_runners, place_runner, runners_on_base
from engine.games.small_ball.cards import PinchHitter
from engine.games.small_ball.rules import HIT_BASES, hit_and_run_result, pinch_hit_result

IndexArray = NDArray[np.intp]

STATE_COUNT = 24  # Number of states with fewer than three outs.
BUST_STATE = 24  # State of three outs.
MAX_AT_BATS = 9  # Maximum number of at-bats in a half (SB-044).
THROW_RESULTS = (*HIT_BASES, "BB", "SO", "FO", "GO", "line-double-play", "strike-double-play", "sacrifice")
"""Results of a throw at bat, after pinch hitters and the declared play."""
RESULT_INDEXES = {result: i for i, result in enumerate(THROW_RESULTS)}

_BASE_VALUES = (None, 1)
_ALL_STATES: list[tuple[int, Bases[int]]] = sorted(
    (
        (outs, (first, second, third))
        for outs in range(3)
        for third in _BASE_VALUES
        for second in _BASE_VALUES
        for first in _BASE_VALUES
    ),
    key=lambda state: state[0] + len(runners_on_base(state[1])),
)
_STATE_INDEXES = {state: i for i, state in enumerate(_ALL_STATES)}

OUTS_BY_STATE = np.array([outs for outs, _ in _ALL_STATES])
RUNNERS_BY_STATE = np.array([len(runners_on_base(bases)) for _, bases in _ALL_STATES])
REACHABLE_STATE_COUNTS = [
    sum(outs + len(runners_on_base(bases)) <= at_bats for outs, bases in _ALL_STATES)
    for at_bats in range(MAX_AT_BATS + 1)
]
"""Number of states that can be reached after 0 to 9 at-bats. They come first in the order."""
HIT_AND_RUN_STATES = [
    np.array(
        [i for i, (outs, bases) in enumerate(_ALL_STATES[:reached]) if outs < 2 and bases == (1, None, None)], np.intp
    )
    for reached in REACHABLE_STATE_COUNTS
]
"""States that allow a hit-and-run, by at-bats (SB-074, SB-075)."""


def state_index(outs: int, bases: Bases[Any]) -> int:
    first, second, third = (None if runner is None else 1 for runner in bases)
    return _STATE_INDEXES[outs, (first, second, third)]


def runs_at_stake(at_bats: int, state: int) -> int:
    """Return the runs at stake in a state after that many at-bats, below 0 if it is unreachable."""
    return int(at_bats - OUTS_BY_STATE[state] - RUNNERS_BY_STATE[state])


def next_state(state: int, result: str, extra: int) -> int:
    """Return the state after a result (SB-014 to SB-026). On a hit, runners advance `extra` more bases."""
    outs, bases = _ALL_STATES[state]
    first, second, _ = bases
    match result:
        case "1B" | "2B" | "3B" | "HR":
            bases, _ = advance_on_hit(bases, 1, HIT_BASES[result], extra)
        case "BB":
            bases, _ = force_runners(bases, 1)
        case "FO":
            outs, bases = outs + 1, (first, second, None)
        case "GO" | "sacrifice":
            out = first if result == "GO" else None
            outs += 2 if out else 1
            bases, _ = advance_runners(place_runner(bases, None, 1) if out else bases, 1)
        case "line-double-play" | "strike-double-play":
            outs, bases = outs + 2, place_runner(bases, None, 1)
        case _:
            outs += 1
    return BUST_STATE if outs > 2 else state_index(outs, bases)


NEXT_STATES = np.array(
    [[[next_state(state, one, extra) for state in range(STATE_COUNT)] for one in THROW_RESULTS] for extra in (0, 1)]
)
"""State after each result, by extra base on a hit (0 or 1), result, and previous state."""


STEAL_CODES = ("steal-second", "steal-third", "double-steal")


def states_after_steal(what: str, state: int) -> tuple[int, int] | None:
    """Return the states after a successful and a failed steal (SB-056 to SB-066), or None if nobody can go.

    A double steal with the bases loaded pushes the runner on third home. Whether that is allowed is not checked.
    """
    outs, (first, second, third) = _ALL_STATES[state]
    safe: Bases[int]
    left: Bases[int]
    match what:
        case "steal-second" if first and not second:
            safe, left = (None, first, third), (None, None, third)
        case "steal-third" if second and not third:
            safe, left = (first, None, second), (first, None, None)
        case "double-steal" if first and second:
            safe, left = (None, first, second), (None, first, third)
        case _:
            return None
    return state_index(outs, safe), state_index(outs + 1, left) if outs < 2 else BUST_STATE


def steal_transitions(loaded: bool) -> dict[str, tuple[IndexArray, IndexArray, IndexArray]]:
    """Return, for each steal, the states that allow it, and those after success and after failure.

    With `loaded`, a double steal may push the runner on third home (A6).
    """
    found = {}
    for what in STEAL_CODES:
        ways = [(state, states_after_steal(what, state)) for state in range(STATE_COUNT)]
        ways = [
            (state, way) for state, way in ways if loaded or what != "double-steal" or None in _ALL_STATES[state][1]
        ]
        rows = [(state, *way) for state, way in ways if way]
        states, safe, caught = (np.array(column) for column in zip(*rows, strict=True))
        found[what] = (states, safe, caught)
    return found


def final_result(printed: str, called: Sequence[PinchHitter], hit_and_run: bool, play_first: bool) -> str:
    """Apply pinch hitters and a hit-and-run to a result (A10), the play first if `play_first`."""
    if hit_and_run and play_first:
        return pinch_hit_result(hit_and_run_result(printed), list(called))
    result = pinch_hit_result(printed, list(called))
    return hit_and_run_result(result) if hit_and_run else result
