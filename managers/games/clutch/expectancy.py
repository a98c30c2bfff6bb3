"""Win expectancy: the home side's chance to win, from an average half-inning to the at-bat under way.

A half-inning is a Markov chain over batter, outs and bases; its odds are those of the batters' and the pitcher's cards.
Later half-innings are worked out from the last to the next, with the pitchers whom a sensible manager would use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.games.clutch.cards.card_types import Batter, Box, Pitcher
from engine.games.clutch.numbers.fielding import squad_rating
from engine.games.clutch.squad import Squad
from managers.games.clutch.odds import CODES, Odds, usual
from managers.games.clutch.plays import Field, ends

LEAD = 15  # Leads beyond this many runs count as this many.
LEADS = 2 * LEAD + 1
MOST = 5  # One play brings four runs at most: 0 to 4.
RUNS = 13  # Runs in a half-inning are counted up to 12.

Array = NDArray[np.float64]

T = TypeVar("T")

RUN_VALUES = np.array([-0.27, -0.30, -0.26, -0.28, 0.31, 0.45, 0.76, 1.05, 1.40, 0.33, 0.45])
"""What each of `CODES` is worth in runs on average."""


@lru_cache(maxsize=24)
def moves(field: Field, speed: int) -> Array:
    """Return where each result leads, as [code, state, runs, next state]; state is outs * 8 + bases, 24 for the end.
    All runners have this `speed`.
    """
    table = np.zeros((len(CODES), 24, MOST, 25))
    for at, code in enumerate(CODES):
        for state in range(24):
            outs, bases = divmod(state, 8)
            first, second, third = (speed if bases >> base & 1 else None for base in range(3))
            for (after, on, runs), chance in ends(code, outs, (first, second, third), speed, field).items():
                table[at, state, runs, 24 if after >= 3 else after * 8 + on] += chance
    return table


@dataclass(frozen=True, slots=True)
class Staff:
    """A pitcher as he pitches one half-inning: how far he is past his limit at each number of outs in it."""

    name: str
    tired: tuple[tuple[int, bool], tuple[int, bool], tuple[int, bool]] = ((0, False),) * 3


class Study:
    """The cards and house rules of a game, and what was worked out from them and can be worked out again."""

    def __init__(self, box: Box, house: Mapping[str, str]) -> None:
        self.box, self.house = box, house
        self._chains: dict[tuple[object, ...], Array] = {}
        self._innings: dict[tuple[object, ...], Array] = {}
        self._ahead: dict[tuple[object, ...], Array] = {}
        self._halves: dict[tuple[object, ...], Array] = {}
        self._quality: dict[tuple[object, ...], float] = {}
        self._fields: dict[tuple[object, ...], Field] = {}
        self.results: dict[tuple[object, ...], Array] = {}
        """What each result of an at-bat is worth, by all that it depends on."""
        self.plans: dict[tuple[object, ...], tuple[tuple[int, Staff], ...]] = {}
        """Who pitches in which later inning, by who may."""

    def field(self, squad: Squad) -> Field:
        """Return the printed ratings of a side in the field, and the rules."""
        key = (squad.order, squad.spots, squad.pitcher)
        if key not in self._fields:
            names = ("battery", "infield", "outfield")
            rated = self.ruled(*(squad_rating(squad, self.box, self.house, unit) for unit in names))
            keep(self._fields, key, rated, 500)
        return self._fields[key]

    def quality(self, pitcher: str, order: tuple[str, ...], tired: bool = False) -> float:
        """Return the runs per batter that a pitcher gives up to a batting order, beyond the average."""
        key = (pitcher, order, tired)
        if key not in self._quality:
            odds = [self.usual(name, pitcher, int(tired), tired) for name in order]
            keep(self._quality, key, float(np.mean(odds, axis=0) @ RUN_VALUES), 3000)
        return self._quality[key]

    def ruled(self, battery: int, infield: int, outfield: int) -> Field:
        """Return a field with these ratings under the house rules."""
        house = self.house
        return Field(
            battery,
            infield,
            outfield,
            third_out_runs=house["thirdOutRuns"] == "timePlay",
            ground_runs=house["gbThirdOutScores"] == "true",
            home_bonus=int(house["infieldInHomeBonus"]),
            concede_safe=house["infieldInConcede"] == "batterSafe",
        )

    def speed(self, order: Sequence[str]) -> int:
        """Return the usual baserunning of a batting order."""
        return round(sum(self.box.batters[name].baserunning for name in order) / len(order))

    def chain(self, order: tuple[str, ...], staff: Staff, field: Field) -> Array:
        """Return the chain of a half-inning, [batter, state, runs * 25 + next state]."""
        key = (order, staff, field)
        if key not in self._chains:
            table = moves(_rough(field), self.speed(order))
            found = np.empty((len(order), 24, MOST * 25))
            for outs, (penalty, tired) in enumerate(staff.tired):
                odds = np.array([self.usual(name, staff.name, penalty, tired) for name in order])
                some = table[:, outs * 8 : outs * 8 + 8].reshape(len(CODES), -1)
                found[:, outs * 8 : outs * 8 + 8] = (odds @ some).reshape(len(order), 8, -1)
            keep(self._chains, key, found, 60)
        return self._chains[key]

    def usual(self, batter: str, pitcher: str, penalty: int = 0, tired: bool = False) -> Odds:
        """Return the odds of a batter against a pitcher without cards."""
        return _usual(self.box.batters[batter], self.box.pitchers[pitcher], penalty, tired)

    # A half-inning ---------------------------------------------------------------------------------------------------

    def runs(self, order: tuple[str, ...], staff: Staff, field: Field, start: int = 0) -> Array:
        """Return the odds of each number of runs in a half-inning that begins with state `start`."""
        key = (order, staff, _rough(field), start)
        if key not in self._innings:
            mean = self.chain(order, staff, field).mean(axis=0)
            there = np.zeros((RUNS, 24))
            there[0, start] = 1.0
            over = np.zeros(RUNS)
            for _ in range(25):
                came = (there @ mean).reshape(RUNS, MOST, 25)
                step = np.zeros((RUNS + MOST, 25))
                for scored in range(MOST):
                    step[scored : scored + RUNS] += came[:, scored]
                step[RUNS - 1] += step[RUNS:].sum(axis=0)
                over += step[:RUNS, 24]
                there = step[:RUNS, :24]
                if there.sum() < 1e-3:
                    break
            keep(self._innings, key, over / over.sum(), 4000)
        return self._innings[key]

    def half(
        self, order: tuple[str, ...], staff: Staff, field: Field, batting: str, after: Array, walk_off: bool
    ) -> Array:
        """Return the home side's chance to win by [batter, state, lead]. `after` is that chance by lead once the half
        is over. `walk_off` is True if a lead of the home side ends the game.
        """
        key = (order, staff, _rough(field), batting, walk_off, after.tobytes())
        if key not in self._halves:
            chain = self.chain(order, staff, field)
            count, shift = len(order), _SHIFT[batting]
            worth = np.empty((count, 24, LEADS))
            worth[:] = after
            ahead = np.empty((25, LEADS))
            ahead[24] = after
            for turn in range(4 * count - 1, -1, -1):
                ahead[:24] = worth[(turn + 1) % count]
                if walk_off:
                    ahead[:, LEAD + 1 :] = 1.0
                worth[turn % count] = chain[turn % count] @ ahead.take(shift)
            if walk_off:
                worth[:, :, LEAD + 1 :] = 1.0
            keep(self._halves, key, worth, 120)
        return self._halves[key]

    # Later half-innings ----------------------------------------------------------------------------------------------

    def ahead(self, away: Side, home: Side, inning: int, half: str) -> Array:
        """Return the home side's chance to win by its lead, as this half-inning is about to begin. `away` and `home`
        say who bats and who pitches from then on. After nine innings a lead has won.
        """
        key = (away, home, inning, half)
        if key not in self._ahead:
            if half == "bottom":
                found = self._bottom(away, home, inning, self.ahead(away, home, inning + 1, "top"))
            elif inning > 9:
                found = self._extra(away, home, inning)
            else:
                found = self._top(away, home, inning, self.ahead(away, home, inning, "bottom"))
            keep(self._ahead, key, found, 3000)
        return self._ahead[key]

    def _bottom(self, away: Side, home: Side, inning: int, after: Array) -> Array:
        odds = self.runs(home.order, away.pitches(inning), away.field, self._start(inning))
        worth = _shifted(odds, after, 1)
        if inning >= 9:
            worth[LEAD + 1 :] = 1.0
        return worth

    def _top(self, away: Side, home: Side, inning: int, after: Array) -> Array:
        odds = self.runs(away.order, home.pitches(inning), home.field, self._start(inning))
        return _shifted(odds, after, -1)

    def _start(self, inning: int) -> int:
        """Return the state in which a half-inning begins: with a runner on second in extra innings (AM-78)."""
        extra = int(self.house["autoRunnerFromInning"])
        return 2 if extra and inning >= extra else 0

    def _extra(self, away: Side, home: Side, inning: int) -> Array:
        """Return the chances as extra innings begin: a lead has won, and a tie goes on until somebody leads."""
        start = self._start(inning)
        theirs = self.runs(away.order, home.pitches(inning), home.field, start)
        ours = self.runs(home.order, away.pitches(inning), away.field, start)
        joint = np.outer(theirs, ours)
        more, tie = np.triu(joint, 1).sum(), np.trace(joint)
        worth = np.zeros(LEADS)
        worth[LEAD + 1 :] = 1.0
        worth[LEAD] = more / max(1e-9, 1 - tie)
        return worth


@dataclass(frozen=True, slots=True)
class Side:
    """A side from the next half-inning on: its batting order, its fielders, and who pitches in which inning."""

    order: tuple[str, ...]
    field: Field
    plan: tuple[tuple[int, Staff], ...]

    def pitches(self, inning: int) -> Staff:
        """Return who pitches in an inning; after the plan ends the last one goes on."""
        found = self.plan[0][1]
        for since, staff in self.plan:
            if since <= inning:
                found = staff
        return found


def _shifted(odds: Array, after: Array, sign: int) -> Array:
    """Return what `after` is worth by lead before a half-inning with these odds of runs."""
    return np.asarray(odds @ after[_LEADS_AFTER[sign]])


_LEADS_AFTER = {
    sign: np.clip(np.arange(LEADS)[None, :] + sign * np.arange(RUNS)[:, None], 0, LEADS - 1) for sign in (1, -1)
}
"""The place of the lead after each number of runs, for the home side (1) and the away side (-1)."""


def _shift(sign: int) -> NDArray[np.intp]:
    """Return where to find what runs and a next state lead to, in a table by next state and lead."""
    leads = np.clip(np.arange(LEADS)[None, :] + sign * np.arange(MOST)[:, None], 0, LEADS - 1)
    places = leads[:, None, :] + np.arange(25)[None, :, None] * LEADS
    return np.asarray(places.reshape(MOST * 25, LEADS), dtype=np.intp)


_SHIFT = {"home": _shift(1), "away": _shift(-1)}


def _rough(field: Field) -> Field:
    """Return a field without what belongs to one at-bat, for tables that are kept."""
    return replace(field, battery=0, drawn_in=False)


def keep(kept: dict[tuple[object, ...], T], key: tuple[object, ...], value: T, most: int) -> None:
    """Keep a table; the oldest goes once there are too many."""
    if len(kept) >= most:
        kept.pop(next(iter(kept)))
    kept[key] = value


_ODDS: dict[tuple[int, int, int, bool], tuple[Batter, Pitcher, Odds]] = {}


def _usual(batter: Batter, pitcher: Pitcher, penalty: int, tired: bool) -> Odds:
    key = (id(batter), id(pitcher), penalty, tired)
    if key not in _ODDS:
        if len(_ODDS) > 20000:
            _ODDS.clear()
        _ODDS[key] = (batter, pitcher, usual(batter, pitcher, penalty, tired))
    return _ODDS[key][2]
