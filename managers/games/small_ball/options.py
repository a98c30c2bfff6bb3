"""What each answer is worth to the side at bat, given the worth of every way its half may end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.games.small_ball.cards import Team
from engine.games.small_ball.state import PINCH
from managers.games.small_ball.half import Half, Layer, Values
from managers.games.small_ball.moves import RUNNING
from managers.games.small_ball.position import Position


@dataclass(frozen=True)
class Outlook:
    """One half-inning, solved for one lead-off batter and one situation outside it.

    `ends[runs]` is the worth once the half has ended with that many runs, by next batter and used set; `layers` are the
    worth before each at-bat, 0 to 9.
    """

    half: Half
    team: Team
    ends: Sequence[Values]
    layers: Sequence[Layer]

    def worth(self, now: Position, why: str, option: str) -> float:
        """Return the worth of an option of one of the asks within a half."""
        match why, option:
            case (("decision" | "bank-nothing"), "bank"):
                return self._bank(now)
            case "bank-nothing", _:
                layer = self.layers[now.at_bats]
                return self._at(layer.stolen if now.stolen else layer.fresh, now.used[now.side], now.state)
            case "pinch-after", _:
                return self._after_throw(now, option)
            case _, ("steal-second" | "steal-third" | "double-steal"):
                return self._steal(now, option)
        return self._at_bat(now, option)

    @staticmethod
    def _at(worth: Values, used: int, state: int) -> float:
        return float(worth[0, used, state, 0])

    def _bank(self, now: Position) -> float:
        return float(self.ends[now.runs][now.due[now.side], now.used[now.side], 0])

    def _steal(self, now: Position, what: str) -> float:
        (play,) = self.half.steals(self.layers[now.at_bats].stolen, what)
        return self._at(play.worth, now.used[now.side], list(play.states).index(now.state))

    def _at_bat(self, now: Position, option: str) -> float:
        """Return the worth of the best way to take this at-bat that begins with the calls so far and this option."""
        answers = (*(PINCH[i] for i in now.called), option)
        then = self.layers[now.at_bats + 1].fresh
        found = [
            play.worth[0, range(4)[play.used].index(now.unused), list(play.states).index(now.state), 0]
            for play in self.half.at_bat(now.at_bats, np.array([now.first]), then)
            if play.answers[: len(answers)] == answers
            and now.unused in range(4)[play.used]
            and now.state in play.states
        ]
        return float(max(found))

    def _after_throw(self, now: Position, option: str) -> float:
        """Return the worth of the best calls after the die that begin with the calls so far and this option."""
        printed = self.team.players[now.due[now.side]].results[now.face - 1]
        then = self.layers[now.at_bats + 1].fresh
        wanted = now.called if option == "no" else (*now.called, PINCH.index(option))
        found = [
            self._at(then, now.unused | used_by(calls), self._next(now, printed, calls))
            for calls in self.half.calls
            if (calls == wanted if option == "no" else calls[: len(wanted)] == wanted)
            and not now.unused & used_by(calls)
        ]
        return max(found)

    def _next(self, now: Position, printed: str, calls: tuple[int, ...]) -> int:
        """Return the state after this throw with these pinch hitters."""
        result = self.half.becomes(printed, calls, now.hit_and_run)
        states = self.half.next_states(now.at_bats, result, now.hit_and_run)
        return int(states[list(RUNNING[now.at_bats]).index(now.state) if now.hit_and_run else now.state])


def used_by(calls: tuple[int, ...]) -> int:
    """Return the used set of these pinch hitters alone."""
    return sum(1 << i for i in calls)
