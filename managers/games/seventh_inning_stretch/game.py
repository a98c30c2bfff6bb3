"""Win probability of a game from the start of any half, from run distributions per half."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from engine.games.seventh_inning_stretch.cards import OpponentTeam
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts
from engine.games.seventh_inning_stretch.state import REGULATION_INNINGS
from engine.innings import Half, InningClock
from engine.seats import Seat
from managers.games.seventh_inning_stretch.hands import FloatArray, all_hands, hand_chances

RUN_DISTRIBUTION_SIZE = 16
"""Length of a run distribution, 0 to 15 runs in a half. The last entry includes more."""

NEXT_RUN_CHANCE = 0.6
"""Chance of another run after a run of the same half, measured in duels between managers with the house-made cards."""

ScoringFunction = Callable[[Seat, int, int], FloatArray]
"""Run distribution of a half by side, inning and lead."""


def run_distribution(mean: float) -> FloatArray:
    """Return the distribution of runs in a half with this mean."""
    some = min(0.97, mean * (1 - NEXT_RUN_CHANCE))
    more = 1 - some / mean if mean > 0 else 0.0
    found = np.array([1 - some, *(some * (1 - more) * more**run for run in range(RUN_DISTRIBUTION_SIZE - 1))])
    found[-1] += 1 - found.sum()
    return found


def relevant_inning_and_lead(team: OpponentTeam, inning: int, lead: int) -> tuple[int, int]:
    """Return a representative inning and lead for which the team's card scores alike."""
    guards = [when for _, guards in team.runs.chains for when in guards] if team.runs else []
    starts = [when.low for when in guards if when.what == "inning" and when.low <= inning]
    sign = (lead > 0) - (lead < 0)
    return max(starts, default=1), sign if any(when.what == "lead" for when in guards) else 0


@lru_cache(maxsize=512)
def team_run_distribution(team: OpponentTeam, count: int, more: int, inning: int, lead: int) -> FloatArray:
    """Return the distribution of a team's runs with `count` dice, without abilities. `more` runs are added.

    A blank card has a mean of one run a half.
    """
    if team.runs is None:
        return run_distribution(1.0 + more)
    at = GuardFacts(inning=inning, lead=lead)
    found = np.zeros(RUN_DISTRIBUTION_SIZE)
    for hand, chance in zip(all_hands(count), hand_chances(count), strict=True):
        found[min(RUN_DISTRIBUTION_SIZE - 1, team.runs(hand, at) + more)] += chance
    return found


MAX_LEAD = 24  # Largest lead in the tables, in runs. Greater ones are clipped.


class GameWinTable:
    """Win probabilities of home before and after half-innings. With `both`, both sides always bat equally often."""

    def __init__(self, scores: ScoringFunction, both: bool = False, max_lead: int = MAX_LEAD) -> None:
        self._scores, self._both, self._max_lead = scores, both, max_lead
        self._known: dict[tuple[int, Half], FloatArray] = {}

    def after_half_probability(self, clock: InningClock, lead: int) -> float:
        """Return home's win probability after this half, with home ahead by `lead`."""
        if clock.is_decided(0, lead, REGULATION_INNINGS, skip_bottom=not self._both):
            return float(lead > 0)
        return self.before_half_probability(clock.next_half(), lead)

    def before_half_probability(self, clock: InningClock, lead: int) -> float:
        """Return home's win probability before this half, with home ahead by `lead`."""
        if clock.inning > REGULATION_INNINGS:
            clock = InningClock(REGULATION_INNINGS + 1, clock.half)
        key = clock.inning, clock.half
        if key not in self._known:
            self._known[key] = self._probabilities_by_lead(clock)
        return float(self._known[key][max(-self._max_lead, min(self._max_lead, lead)) + self._max_lead])

    def _probabilities_by_lead(self, clock: InningClock) -> FloatArray:
        sign = 1 if clock.half == "bottom" else -1
        most = self._max_lead
        leads = range(-most, most + 1)
        if clock.inning > REGULATION_INNINGS and clock.half == "top":
            tied = self._tie_probability(clock.inning)
            return np.array([tied if lead == 0 else float(lead > 0) for lead in leads])
        often = np.stack([self._scores(clock.batting_seat, clock.inning, sign * lead) for lead in leads])
        size = often.shape[1]
        then = np.array([self.after_half_probability(clock, lead) for lead in range(-most - size, most + size + 1)])
        found = np.zeros(len(leads))
        for runs in range(size):
            start = size + sign * runs
            found += often[:, runs] * then[start : start + len(leads)]
        return found

    def _tie_probability(self, inning: int) -> float:
        """Return home's win probability before an extra inning, from its chances to win or lose one."""
        away, home = (self._scores(side, inning, 0) for side in ("away", "home"))
        wins = sum(float(home[runs + 1 :].sum() * chance) for runs, chance in enumerate(away))
        losses = sum(float(away[runs + 1 :].sum() * chance) for runs, chance in enumerate(home))
        return wins / (wins + losses) if wins + losses else 0.5
