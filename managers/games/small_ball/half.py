"""Optimal play in one half-inning, given the values of its possible ends.

A value is a number that the side at bat maximizes, such as its chance to win. Arrays cover many situations at once. A
"column" is a situation outside this half, such as a score and the other side's next batter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.small_ball.cards import SmallBallTeam
from engine.games.small_ball.state import PINCH_OPTIONS
from managers.games.small_ball.transitions import (
    BUST_STATE,
    HIT_AND_RUN_STATES,
    MAX_AT_BATS,
    NEXT_STATES,
    OUTS_BY_STATE,
    REACHABLE_STATE_COUNTS,
    RESULT_INDEXES,
    RUNNERS_BY_STATE,
    STATE_COUNT,
    THROW_RESULTS,
    IndexArray,
    final_result,
    runs_at_stake,
    steal_transitions,
)

ValueArray = NDArray[np.floating[Any]]

PINCH_HITTER_CALLS: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (0, 1), (1, 0))
"""Possible calls of pinch hitters for one at-bat, by index and in order."""
USED_SETS_BY_CALL: Mapping[tuple[int, ...], tuple[slice, slice]] = {
    (): (slice(0, 4), slice(0, 4)),
    (0,): (slice(0, 4, 2), slice(1, 4, 2)),
    (1,): (slice(0, 2), slice(2, 4)),
    (0, 1): (slice(0, 1), slice(3, 4)),
    (1, 0): (slice(0, 1), slice(3, 4)),
}
"""Used sets of pinch hitters before and after each call. A used set has bit 1 for the first, 2 for the second."""

SAFE_ROLL_CHANCE = 2 / 3  # Chance that a steal or a sacrifice succeeds, 1 to 4 on one die (SB-056, SB-070).


class PlayOption(NamedTuple):
    """A play from a stable state, given as answers in order.

    states, used: the states and the used sets of pinch hitters in which the play is possible.
    worth: its value by leadoff batter, used set, state and column. A forbidden sacrifice has that of batting.
    """

    answers: tuple[str, ...]
    states: IndexArray
    used: slice
    values: ValueArray


class ValueLayer(NamedTuple):
    """Values before one at-bat, by leadoff batter, used set, state (`BUST_STATE` last) and column.

    `stolen` applies if a steal was tried since the last at-bat, else `fresh` (SB-067). Unreachable states have 0.
    """

    fresh: ValueArray
    stolen: ValueArray


class TeamHalfInning:
    """Solver of one team's half-innings under these house rules."""

    def __init__(self, team: SmallBallTeam, house: Mapping[str, str]) -> None:
        self._team, self._house = team, house
        self._calls_before_throw = house["pinchTiming"] == "beforeRoll"
        self.calls = PINCH_HITTER_CALLS if house["pinchStack"] == "allow" else PINCH_HITTER_CALLS[:3]
        """Calls of pinch hitters that the house rules allow for one at-bat."""
        self._codes = [one for one in THROW_RESULTS if any(one in player.results for player in team.players)]
        self._cards = np.array([[player.results.count(one) / 6 for one in THROW_RESULTS] for player in team.players])
        self._moves = [self._next_states_by_result(at_bats) for at_bats in range(MAX_AT_BATS)]
        self._charts = [
            {calls: self._transition_matrix(at_bats, calls) for calls in self.calls} for at_bats in range(MAX_AT_BATS)
        ]
        self._steals = steal_transitions(loaded=house["doubleStealLoaded"] == "allow")
        self._stakes = [
            [runs_at_stake(at_bats, state) for state in range(reached)]
            for at_bats, reached in enumerate(REACHABLE_STATE_COUNTS)
        ]

    # Transitions of an at-bat --------------------------------------------------------------------------------------

    def result_after_calls(self, printed: str, calls: Sequence[int], running: bool) -> str:
        """Return the result after these pinch hitters change a printed one. `running` means in a hit-and-run."""
        called = [self._team.pinch[i] for i in calls]
        return final_result(printed, called, running, self._house["pinchOrder"] == "playFirst")

    def next_states(self, at_bats: int, result: str, running: bool) -> IndexArray:
        """Return the state after a result, from every reachable state or, if `running`, from those of a hit-and-run."""
        place = RESULT_INDEXES[result]
        states: IndexArray = (
            NEXT_STATES[1][place, HIT_AND_RUN_STATES[at_bats]] if running else self._moves[at_bats][place]
        )
        return states

    def _next_states_by_result(self, at_bats: int) -> IndexArray:
        """Return the state after each result. With two outs and runs at stake, runners go on contact (SB-046)."""
        contact = (OUTS_BY_STATE == 2) & (at_bats - OUTS_BY_STATE - RUNNERS_BY_STATE > 0)
        moved: IndexArray = np.where(contact, NEXT_STATES[1], NEXT_STATES[0])[:, : REACHABLE_STATE_COUNTS[at_bats]]
        return moved

    def _transition_matrix(self, at_bats: int, calls: tuple[int, ...]) -> ValueArray:
        """Return the probability of each next state, by batter, row and next state.

        The rows are batting from each state, then the hit-and-runs, then a sacrifice from each state.
        """
        onto, moves, reached = np.eye(STATE_COUNT + 1), self._moves[at_bats], REACHABLE_STATE_COUNTS[at_bats]
        running = HIT_AND_RUN_STATES[at_bats]
        bat = np.einsum("br,rsn->bsn", self._result_chances(calls, running=False), onto[moves])
        run = np.einsum("br,rsn->bsn", self._result_chances(calls, running=True), onto[NEXT_STATES[1][:, running]])
        failed = moves[RESULT_INDEXES[self.result_after_calls("SO", calls, running=False)]]
        bunt = SAFE_ROLL_CHANCE * onto[moves[RESULT_INDEXES["sacrifice"]]] + (1 - SAFE_ROLL_CHANCE) * onto[failed]
        return np.concatenate([bat, run, np.where(self._bunt_mask()[:reached, None], bunt, bat)], axis=1)

    def _result_chances(self, calls: Sequence[int], running: bool) -> ValueArray:
        chances = np.zeros_like(self._cards)
        for printed in self._codes:
            chances[:, RESULT_INDEXES[self.result_after_calls(printed, calls, running)]] += self._cards[
                :, RESULT_INDEXES[printed]
            ]
        return chances

    def _bunt_mask(self) -> NDArray[np.bool_]:
        """Return the states in which a batter may sacrifice, as a mask (SB-114, A7)."""
        empty, two_outs = (self._house[key] == "allow" for key in ("sacrificeEmpty", "sacrificeTwoOuts"))
        fits: NDArray[np.bool_] = ((RUNNERS_BY_STATE > 0) | empty) & ((OUTS_BY_STATE < 2) | two_outs)
        return fits

    # Plays -----------------------------------------------------------------------------------------------------------

    def at_bat_options(self, at_bats: int, starts: IndexArray, then: ValueArray) -> Iterator[PlayOption]:
        """Yield the plays of this at-bat. `starts` are leadoff batters, 0 to 8. `then` has the values after it."""
        batters, reached = (starts + at_bats) % 9, REACHABLE_STATE_COUNTS[at_bats]
        every, running = np.arange(reached), HIT_AND_RUN_STATES[at_bats]
        bunts = reached + len(running)
        for calls in self.calls if self._calls_before_throw else PINCH_HITTER_CALLS[:1]:
            old, new = USED_SETS_BY_CALL[calls]
            names = tuple(PINCH_OPTIONS[i] for i in calls)
            bunted = not calls or self._house["pinchWithSacrifice"] == "allow"
            chart = self._charts[at_bats][calls][batters, : None if bunted else bunts]
            worth = np.matmul(chart[:, None].astype(then.dtype), then[:, new])
            if self._calls_before_throw:
                yield PlayOption((*names, "bat"), every, old, worth[:, :, :reached])
                yield PlayOption((*names, "hit-and-run"), running, old, worth[:, :, reached:bunts])
            if bunted:
                yield PlayOption((*names, "sacrifice"), every, old, worth[:, :, bunts:])
        if not self._calls_before_throw:
            yield PlayOption(("bat",), every, slice(0, 4), self._throw_values(at_bats, batters, then, running=False))
            yield PlayOption(
                ("hit-and-run",), running, slice(0, 4), self._throw_values(at_bats, batters, then, running=True)
            )

    def _throw_values(self, at_bats: int, batters: IndexArray, then: ValueArray, running: bool) -> ValueArray:
        """Return the values of a throw after which pinch hitters may be called (A11)."""
        total: ValueArray | None = None
        for printed in self._codes:
            share = self._values_after_throw(at_bats, then, printed, running)
            share *= self._cards[batters, RESULT_INDEXES[printed]].astype(then.dtype)[:, None, None, None]
            total = share if total is None else np.add(total, share, out=total)
        assert total is not None
        return total

    def _values_after_throw(self, at_bats: int, then: ValueArray, printed: str, running: bool) -> ValueArray:
        """Return the values with the best calls after the die showed `printed`, by the used set before them.

        Calls that change nothing are skipped, because an unused pinch hitter never has a lower value than a used one.
        """
        best: ValueArray | None = None
        for calls in self.calls:
            result = self.result_after_calls(printed, calls, running)
            if best is not None and result == self.result_after_calls(printed, (), running):
                continue
            old, new = USED_SETS_BY_CALL[calls]
            worth = then[:, new][:, :, self.next_states(at_bats, result, running)]
            if best is None:
                best = worth
            else:
                np.maximum(best[:, old], worth, out=best[:, old])
        assert best is not None
        return best

    def steal_options(self, worth: ValueArray, *what: str) -> Iterator[PlayOption]:
        """Yield the steals, or only those in `what`. `values` has the values of the states after them."""
        for name, (states, safe, caught) in self._steals.items():
            if not what or name in what:
                yield PlayOption(
                    (name,),
                    states,
                    slice(0, 4),
                    SAFE_ROLL_CHANCE * worth[:, :, safe] + (1 - SAFE_ROLL_CHANCE) * worth[:, :, caught],
                )

    def may_bank(self, at_bats: int, runs: int, stole: bool) -> bool:
        """True if the manager may bank (A1, A2)."""
        if not runs and self._house["bankWithZero"] == "refuse":
            return False
        return self._house["bankTiming"] == "betweenRolls" or (at_bats > 0 and not stole)

    # Backward induction ----------------------------------------------------------------------------------------------

    def solve_layers(self, ends: Sequence[ValueArray], starts: IndexArray) -> Iterator[ValueLayer]:
        """Yield the values before each at-bat, from the one after the ninth back to the first.

        ends: by runs, 0 to 9, the values of the half's end, by next batter (0 to 8), used set and column.
        starts: indexes of the leadoff batters.
        """
        shape = (len(starts), 4, STATE_COUNT + 1, ends[0].shape[-1])
        layer = np.zeros(shape, ends[0].dtype)
        self._apply_banking(layer, ends, starts, MAX_AT_BATS, stole=False)
        yield ValueLayer(layer, layer)
        for at_bats in reversed(range(MAX_AT_BATS)):
            best = np.zeros(shape, layer.dtype)
            for play in self.at_bat_options(at_bats, starts, layer):
                improve_by_play(best, play)
            layer, again = best, best.copy() if at_bats else best
            self._apply_banking(layer, ends, starts, at_bats, stole=False)
            if at_bats:
                self._apply_banking(again, ends, starts, at_bats, stole=True)
                for play in self.steal_options(again):
                    improve_by_play(layer, play)
            yield ValueLayer(layer, again)

    def _apply_banking(
        self, worth: ValueArray, ends: Sequence[ValueArray], starts: IndexArray, at_bats: int, stole: bool
    ) -> None:
        """Set the value of a bust, and raise each state to the value of banking where that is allowed.

        After the ninth at-bat the runs are banked automatically (SB-041).
        """
        due = (starts + at_bats) % 9
        end = [one[due] for one in ends[: at_bats + 1]]
        worth[:, :, BUST_STATE] = end[0]
        for state, runs in enumerate(self._stakes[at_bats]):
            if at_bats == MAX_AT_BATS or self.may_bank(at_bats, runs, stole):
                np.maximum(worth[:, :, state], end[runs], out=worth[:, :, state])


def improve_by_play(worth: ValueArray, play: PlayOption) -> None:
    part, count = worth[:, play.used], len(play.states)
    if count and play.states[-1] == count - 1:
        np.maximum(part[:, :, :count], play.values, out=part[:, :, :count])
    else:
        part[:, :, play.states] = np.maximum(part[:, :, play.states], play.values)
