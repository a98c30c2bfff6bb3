"""What the end of a half-inning is worth, to managers who know more or less."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from engine.cards import cards_of
from engine.games.small_ball.cards import teams
from managers.games.small_ball.half import Values
from managers.games.small_ball.moves import AT_BATS
from managers.games.small_ball.position import INNINGS, Position
from managers.games.small_ball.table import SETS, WinTable
from managers.manager import Setup

COLOURS = {"red": ("red", "blue"), "blue": ("blue", "red")}
"""The colors of away and home, by the color of away."""
KEPT = 2
"""How many tables are kept: one for each team that may bat first."""

_tables: OrderedDict[tuple[object, ...], WinTable] = OrderedDict()


def win_table(setup: Setup, away: str) -> WinTable:
    """Return the table of these cards with this color away. It is kept, for the next game and for the other seat."""
    house = sorted((key, value) for key, value in setup.house.items() if key != "awayTeam")
    key = (*(deck.digest for deck in setup.decks), *house, away)
    if key not in _tables:
        both = teams(cards_of(setup.decks), setup.house)
        _tables[key] = WinTable([both[colour] for colour in COLOURS[away]], setup.house)
    _tables.move_to_end(key)
    while len(_tables) > KEPT:
        _tables.popitem(last=False)
    return _tables[key]


class Judge(Protocol):
    """Says what a manager plays for."""

    def before(self, away: str) -> float:
        """Return the chance of away to win, before the game, if this color bats first."""

    def ends(self, away: str, now: Position) -> Sequence[Values]:
        """Return the worth of the half's end with 0 to 9 runs, by next batter's place, used set and one column."""

    def chance(self, now: Position, worth: float) -> float:
        """Return the chance to win of the side at bat, from 0 to 1, with something of this worth."""

    def back(self, away: str, now: Position, side: int, used: int) -> float:
        """Return the chance of a side to win before an extra inning, if it goes on with this used set."""


class Perfect:
    """Knows the chance to win of both sides in every position, if both play as well as possible.

    It works out a half-inning, and all that can follow it, once it is asked about it.
    """

    def __init__(self, setup: Setup) -> None:
        first = setup.house["awayTeam"]
        self._tables = {away: win_table(setup, away) for away in COLOURS if first in (away, "ask")}

    def study(self) -> None:
        """Work out the whole game now, which takes some seconds, and not at its first decision."""
        for table in self._tables.values():
            table.before(1, 0)

    def before(self, away: str) -> float:
        """See `Judge`."""
        return float(self._tables[away].before(1, 0).chances[0, 0, 0, 0, 0])

    def ends(self, away: str, now: Position) -> Sequence[Values]:
        """See `Judge`."""
        other = 1 - now.side
        return self._tables[away].ends_of(now.inning, now.side, now.lead, (now.due[other], now.used[other]))

    def chance(self, now: Position, worth: float) -> float:
        """See `Judge`."""
        return min(1.0, max(0.0, worth))

    def back(self, away: str, now: Position, side: int, used: int) -> float:
        """See `Judge`."""
        tied = self._tables[away].before(now.inning, 0).chances[0]
        if side == 1:
            return 1 - float(tied[now.due[0], now.used[0], now.due[1], used])
        return float(WinTable.taken_back(tied, seats=(1,))[now.due[0], used, now.due[1], now.used[1]])


class Runs:
    """Plays for runs in this half and forgets the other side, except in a bottom half that may be the last."""

    def before(self, away: str) -> float:
        """See `Judge`."""
        return 0.5

    def ends(self, away: str, now: Position) -> Sequence[Values]:
        """See `Judge`. A pinch hitter is worth some runs later on."""
        used = [bin(one).count("1") for one in range(SETS)]
        left = max(0, INNINGS - now.inning)
        kept = np.zeros(SETS) if now.last else -0.06 * left * np.array(used, float)
        return [np.tile(self._end(now, runs) + kept[:, None], (9, 1, 1)) for runs in range(AT_BATS + 1)]

    def _end(self, now: Position, runs: int) -> float:
        if not now.last:
            return float(runs)
        return 0.5 + 0.5 * ((now.lead + runs > 0) - (now.lead + runs < 0))

    def chance(self, now: Position, worth: float) -> float:
        """See `Judge`: a guess from the lead and the innings left."""
        if now.last:
            return worth
        return 1 / (1 + math.exp(-0.8 * (now.lead + worth) / math.sqrt(max(1, INNINGS + 1 - now.inning))))

    def back(self, away: str, now: Position, side: int, used: int) -> float:
        """See `Judge`."""
        return 0.5 - 0.01 * bin(used).count("1")
