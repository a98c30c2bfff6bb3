"""Values of answers to the side at bat, given the values of the half's possible ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.games.small_ball.cards import SmallBallTeam
from engine.games.small_ball.state import PINCH_OPTIONS
from managers.games.small_ball.half import TeamHalfInning, ValueArray, ValueLayer
from managers.games.small_ball.position import SmallBallPosition
from managers.games.small_ball.transitions import HIT_AND_RUN_STATES


@dataclass(frozen=True)
class HalfOutlook:
    """One half-inning, solved for one leadoff batter and one outside situation.

    ends: by runs, the values of the half's end by next batter and used set.
    layers: values before each at-bat, 0 to 9.
    """

    half: TeamHalfInning
    team: SmallBallTeam
    ends: Sequence[ValueArray]
    layers: Sequence[ValueLayer]

    def option_value(self, now: SmallBallPosition, why: str, option: str) -> float:
        match why, option:
            case (("decision" | "bank-nothing"), "bank"):
                return self._bank_value(now)
            case "bank-nothing", _:
                layer = self.layers[now.at_bats]
                return self._state_value(layer.stolen if now.stolen else layer.fresh, now.used[now.side], now.state)
            case "pinch-after", _:
                return self._pinch_hit_value(now, option)
            case _, ("steal-second" | "steal-third" | "double-steal"):
                return self._steal_value(now, option)
        return self._at_bat_value(now, option)

    @staticmethod
    def _state_value(worth: ValueArray, used: int, state: int) -> float:
        return float(worth[0, used, state, 0])

    def _bank_value(self, now: SmallBallPosition) -> float:
        return float(self.ends[now.runs_at_stake][now.due[now.side], now.used[now.side], 0])

    def _steal_value(self, now: SmallBallPosition, what: str) -> float:
        (play,) = self.half.steal_options(self.layers[now.at_bats].stolen, what)
        return self._state_value(play.values, now.used[now.side], list(play.states).index(now.state))

    def _at_bat_value(self, now: SmallBallPosition, option: str) -> float:
        """Return the value of the best play that starts with the calls so far and this option."""
        answers = (*(PINCH_OPTIONS[i] for i in now.called), option)
        then = self.layers[now.at_bats + 1].fresh
        found = [
            play.values[0, range(4)[play.used].index(now.used_before_at_bat), list(play.states).index(now.state), 0]
            for play in self.half.at_bat_options(now.at_bats, np.array([now.leadoff_batter]), then)
            if play.answers[: len(answers)] == answers
            and now.used_before_at_bat in range(4)[play.used]
            and now.state in play.states
        ]
        return float(max(found))

    def _pinch_hit_value(self, now: SmallBallPosition, option: str) -> float:
        """Return the value of the best calls after the throw that start with the calls so far and this option."""
        printed = self.team.players[now.due[now.side]].results[now.face - 1]
        then = self.layers[now.at_bats + 1].fresh
        wanted = now.called if option == "no" else (*now.called, PINCH_OPTIONS.index(option))
        found = [
            self._state_value(then, now.used_before_at_bat | used_set(calls), self._next_state(now, printed, calls))
            for calls in self.half.calls
            if (calls == wanted if option == "no" else calls[: len(wanted)] == wanted)
            and not now.used_before_at_bat & used_set(calls)
        ]
        return max(found)

    def _next_state(self, now: SmallBallPosition, printed: str, calls: tuple[int, ...]) -> int:
        result = self.half.result_after_calls(printed, calls, now.hit_and_run)
        states = self.half.next_states(now.at_bats, result, now.hit_and_run)
        return int(states[list(HIT_AND_RUN_STATES[now.at_bats]).index(now.state) if now.hit_and_run else now.state])


def used_set(calls: tuple[int, ...]) -> int:
    return sum(1 << i for i in calls)
