"""Values of the end of a half-inning, for managers of different strength."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Protocol

import numpy as np

from engine.cards import cards_in_decks
from engine.games.small_ball.cards import build_teams
from managers.games.small_ball.half import ValueArray
from managers.games.small_ball.position import SmallBallPosition
from managers.games.small_ball.transitions import MAX_AT_BATS
from managers.games.small_ball.win_table import USED_SET_COUNT, WinTable
from managers.manager import GameSetup

TEAM_COLORS_BY_AWAY = {"red": ("red", "blue"), "blue": ("blue", "red")}
"""Colors of away and home, by the color of away."""
MAX_CACHED_TABLES = 2  # One table for each team that may bat first.

_win_tables: OrderedDict[tuple[object, ...], WinTable] = OrderedDict()


def win_table(setup: GameSetup, away: str) -> WinTable:
    """Return the cached table of these cards with this color away, for the next game and the other seat too."""
    house = sorted((key, value) for key, value in setup.house.items() if key != "awayTeam")
    key = (*(deck.digest for deck in setup.decks), *house, away)
    table = _win_tables.pop(key, None)
    if table is None:
        both = build_teams(cards_in_decks(setup.decks), setup.house)
        table = WinTable([both[colour] for colour in TEAM_COLORS_BY_AWAY[away]], setup.house)
    _win_tables[key] = table
    while len(_win_tables) > MAX_CACHED_TABLES:
        _win_tables.popitem(last=False)
    return table


class HalfEndJudge(Protocol):
    """Objective of a manager."""

    def pregame_probability(self, away: str) -> float:
        """Return away's chance to win before the game, if this color bats first."""

    def half_end_values(self, away: str, now: SmallBallPosition) -> Sequence[ValueArray]:
        """Return the values of the half's end with 0 to 9 runs, by next batter, used set and one column."""

    def win_probability(self, now: SmallBallPosition, worth: float) -> float:
        """Convert a value on this judge's scale to a win probability of the side at bat, 0 to 1."""

    def reactivation_probability(self, away: str, now: SmallBallPosition, side: int, used: int) -> float:
        """Return a side's win probability before an extra inning that it starts with this used set."""


class PerfectJudge:
    """Judge by exact win probabilities under optimal play of both sides, computed on demand."""

    def __init__(self, setup: GameSetup) -> None:
        first = setup.house["awayTeam"]
        self._away_colours = [away for away in TEAM_COLORS_BY_AWAY if first in (away, "ask")]
        self._table = cache(partial(win_table, setup))  # Keeps its tables while other decks are played, too.
        self._innings = int(setup.house["innings"])

    def solve_steps(self) -> Iterator[None]:
        """Solve the game from its last half-inning to its first, in steps of a fraction of a second."""
        for away in self._away_colours:
            for inning in range(self._innings, 0, -1):
                for side in (1, 0):
                    self._table(away).half_start_probabilities(inning, side)
                    yield

    def pregame_probability(self, away: str) -> float:
        return float(self._table(away).half_start_probabilities(1, 0).chances[0, 0, 0, 0, 0])

    def half_end_values(self, away: str, now: SmallBallPosition) -> Sequence[ValueArray]:
        other = 1 - now.side
        return self._table(away).end_values_by_runs(now.inning, now.side, now.lead, (now.due[other], now.used[other]))

    def win_probability(self, now: SmallBallPosition, worth: float) -> float:
        return min(1.0, max(0.0, worth))

    def reactivation_probability(self, away: str, now: SmallBallPosition, side: int, used: int) -> float:
        tied = self._table(away).half_start_probabilities(now.inning, 0).chances[0]
        if side == 1:
            return 1 - float(tied[now.due[0], now.used[0], now.due[1], used])
        return float(
            WinTable.probabilities_before_reactivation(tied, seats=(1,))[now.due[0], used, now.due[1], now.used[1]]
        )


class RunsJudge:
    """Judge by the runs of this half. It ignores the other side except in a bottom half that may be the last."""

    def pregame_probability(self, away: str) -> float:
        return 0.5

    def half_end_values(self, away: str, now: SmallBallPosition) -> Sequence[ValueArray]:
        """A pinch hitter has a value in later halves."""
        used = [bin(one).count("1") for one in range(USED_SET_COUNT)]
        left = max(0, now.regulation - now.inning)
        kept = np.zeros(USED_SET_COUNT) if now.is_last_half else -0.06 * left * np.array(used, float)
        return [np.tile(self._end_value(now, runs) + kept[:, None], (9, 1, 1)) for runs in range(MAX_AT_BATS + 1)]

    def _end_value(self, now: SmallBallPosition, runs: int) -> float:
        if not now.is_last_half:
            return float(runs)
        return 0.5 + 0.5 * ((now.lead + runs > 0) - (now.lead + runs < 0))

    def win_probability(self, now: SmallBallPosition, worth: float) -> float:
        """Estimate the win probability from the lead and the remaining innings."""
        if now.is_last_half:
            return worth
        return 1 / (1 + math.exp(-0.8 * (now.lead + worth) / math.sqrt(max(1, now.regulation + 1 - now.inning))))

    def reactivation_probability(self, away: str, now: SmallBallPosition, side: int, used: int) -> float:
        return 0.5 - 0.01 * bin(used).count("1")
