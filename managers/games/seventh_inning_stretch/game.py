"""The chance to win a game from the start of any half, from the runs that each side scores in a half."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from engine.clock import Clock, Half
from engine.games.seventh_inning_stretch.cards import Team
from engine.games.seventh_inning_stretch.dice.conditions import At
from engine.games.seventh_inning_stretch.state import REGULATION
from engine.seats import Seat
from managers.games.seventh_inning_stretch.hands import Floats, chances, hands

RUNS = 16
"""The size of a run distribution: 0 to 15 runs in a half; the last one stands for more, too."""

MORE = 0.6
"""How often another run follows a run of the same half, in duels between managers with the house-made cards."""

Scores = Callable[[Seat, int, int], Floats]
"""Returns how often a side (its place, "away" or "home") scores 0 runs, 1 and so on in a half, by inning and lead."""


def spread(mean: float) -> Floats:
    """Return how often a side scores 0 runs, 1 and so on in a half in which it scores `mean` runs on average."""
    some = min(0.97, mean * (1 - MORE))
    more = 1 - some / mean if mean > 0 else 0.0
    found = np.array([1 - some, *(some * (1 - more) * more**run for run in range(RUNS - 1))])
    found[-1] += 1 - found.sum()
    return found


def looked_at(team: Team, inning: int, lead: int) -> tuple[int, int]:
    """Return an inning and a lead for which the team's card scores as for these: one of each kind it tells apart."""
    guards = [when for _, guards in team.runs.chains for when in guards] if team.runs else []
    starts = [when.low for when in guards if when.what == "inning" and when.low <= inning]
    sign = (lead > 0) - (lead < 0)
    return max(starts, default=1), sign if any(when.what == "lead" for when in guards) else 0


@lru_cache(maxsize=512)
def team_runs(team: Team, count: int, more: int, inning: int, lead: int) -> Floats:
    """Return how often a team scores 0 runs, 1 and so on with `count` dice, without abilities, `more` runs included.

    A blank card counts as one run a half on average.
    """
    if team.runs is None:
        return spread(1.0 + more)
    at = At(inning=inning, lead=lead)
    found = np.zeros(RUNS)
    for hand, chance in zip(hands(count), chances(count), strict=True):
        found[min(RUNS - 1, team.runs(hand, at) + more)] += chance
    return found


LEADS = 24
"""The largest lead in the tables, for either side; a larger one counts as this."""


class Game:
    """Chances of the home side at half-innings, if both sides score as `scores` says.

    With `both`, both sides always bat equally often.
    """

    def __init__(self, scores: Scores, both: bool = False) -> None:
        self._scores, self._both = scores, both
        self._known: dict[tuple[int, Half], Floats] = {}

    def after(self, clock: Clock, lead: int) -> float:
        """Return home's chance once this half is over with home ahead by `lead`."""
        if clock.decided(0, lead, REGULATION, skip_bottom=not self._both):
            return float(lead > 0)
        return self.before(clock.next(), lead)

    def before(self, clock: Clock, lead: int) -> float:
        """Return home's chance as this half begins with home ahead by `lead`."""
        if clock.inning > REGULATION:
            # All extra innings are alike.
            clock = Clock(REGULATION + 1, clock.half)
        key = clock.inning, clock.half
        if key not in self._known:
            self._known[key] = self._table(clock)
        return float(self._known[key][max(-LEADS, min(LEADS, lead)) + LEADS])

    def _table(self, clock: Clock) -> Floats:
        """Return home's chance as this half begins, by home's lead."""
        sign = 1 if clock.half == "bottom" else -1
        leads = range(-LEADS, LEADS + 1)
        if clock.inning > REGULATION and clock.half == "top":
            tied = self._tied(clock.inning)
            return np.array([tied if lead == 0 else float(lead > 0) for lead in leads])
        then = np.array([self.after(clock, lead) for lead in range(-LEADS - RUNS, LEADS + RUNS + 1)])
        often = np.stack([self._scores(clock.batting, clock.inning, sign * lead) for lead in leads])
        found = np.zeros(len(leads))
        for runs in range(RUNS):
            start = RUNS + sign * runs
            found += often[:, runs] * then[start : start + len(leads)]
        return found

    def _tied(self, inning: int) -> float:
        """Return home's chance before an extra inning: as often as home wins one, rather than loses it."""
        away, home = (self._scores(side, inning, 0) for side in ("away", "home"))
        wins = sum(float(home[runs + 1 :].sum() * chance) for runs, chance in enumerate(away))
        losses = sum(float(away[runs + 1 :].sum() * chance) for runs, chance in enumerate(home))
        return wins / (wins + losses) if wins + losses else 0.5
