"""Win expectancy of home, from an average half-inning to the current at-bat.

A half-inning is a Markov chain over batter, outs and bases, with transitions from the batters' and the pitcher's cards.
Later half-innings are solved backward, with the pitchers whom a sensible manager would use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.games.clutch.cards.card_types import ClutchBatter, ClutchBox, ClutchPitcher
from engine.games.clutch.numbers.fielding import squad_rating
from engine.games.clutch.squad import ClutchSquad
from managers.games.clutch.baserunning import FieldRatings, end_distribution
from managers.games.clutch.odds import OUTCOME_CODES, OutcomeDistribution, matchup_distribution

MAX_LEAD = 15  # Runs. Greater leads are clipped.
LEAD_COUNT = 2 * MAX_LEAD + 1  # Number of leads, -15 to 15.
PLAY_RUNS_COUNT = 5  # One play scores 0 to 4 runs.
HALF_RUNS_COUNT = 13  # 0 to 12 runs in a half-inning. More are clipped.

FloatArray = NDArray[np.float64]

T = TypeVar("T")

RUN_VALUES = np.array([-0.27, -0.30, -0.26, -0.28, 0.31, 0.45, 0.76, 1.05, 1.40, 0.33, 0.45])
"""Average run value (linear weight) of each of `OUTCOME_CODES`."""


@lru_cache(maxsize=24)
def transition_table(field: FieldRatings, speed: int) -> FloatArray:
    """Return transition probabilities as [code, state, runs, next state], with the baserunning `speed` for all runners.

    A state is outs * 8 + bases, or 24 at the half's end.
    """
    table = np.zeros((len(OUTCOME_CODES), 24, PLAY_RUNS_COUNT, 25))
    for at, code in enumerate(OUTCOME_CODES):
        for state in range(24):
            outs, bases = divmod(state, 8)
            first, second, third = (speed if bases >> base & 1 else None for base in range(3))
            for (after, on, runs), chance in end_distribution(code, outs, (first, second, third), speed, field).items():
                table[at, state, runs, 24 if after >= 3 else after * 8 + on] += chance
    return table


@dataclass(frozen=True, slots=True)
class PitchingStint:
    """A pitcher in one half-inning. `fatigue_by_outs` has his penalty and whether he is tired, at 0, 1 and 2 outs."""

    name: str
    fatigue_by_outs: tuple[tuple[int, bool], tuple[int, bool], tuple[int, bool]] = ((0, False),) * 3


class WinExpectancyModel:
    """Run distributions and win probabilities from the cards and house rules of a game. Caches all it computes."""

    def __init__(self, box: ClutchBox, house: Mapping[str, str]) -> None:
        self.box, self.house = box, house
        self._chains: dict[tuple[object, ...], FloatArray] = {}
        self._innings: dict[tuple[object, ...], FloatArray] = {}
        self._ahead: dict[tuple[object, ...], FloatArray] = {}
        self._halves: dict[tuple[object, ...], FloatArray] = {}
        self._quality: dict[tuple[object, ...], float] = {}
        self._fields: dict[tuple[object, ...], FieldRatings] = {}
        self.result_probabilities: dict[tuple[object, ...], FloatArray] = {}
        """Win probabilities of home by result of an at-bat, cached by all that they depend on."""
        self.pitching_plans: dict[tuple[object, ...], tuple[tuple[int, PitchingStint], ...]] = {}
        """Pitchers of later innings, cached by the available ones."""

    def printed_field(self, squad: ClutchSquad) -> FieldRatings:
        """Return a side's printed fielding ratings and the house rules."""
        key = (squad.order, squad.spots, squad.pitcher)
        if key not in self._fields:
            names = ("battery", "infield", "outfield")
            rated = self.field_with_house_rules(*(squad_rating(squad, self.box, self.house, unit) for unit in names))
            store_in_cache(self._fields, key, rated, 500)
        return self._fields[key]

    def pitcher_quality(self, pitcher: str, order: tuple[str, ...], tired: bool = False) -> float:
        """Return the runs per batter that a pitcher allows to a batting order, compared with the average."""
        key = (pitcher, order, tired)
        if key not in self._quality:
            odds = [self.matchup_distribution(name, pitcher, int(tired), tired) for name in order]
            store_in_cache(self._quality, key, float(np.mean(odds, axis=0) @ RUN_VALUES), 3000)
        return self._quality[key]

    def field_with_house_rules(self, battery: int, infield: int, outfield: int) -> FieldRatings:
        house = self.house
        return FieldRatings(
            battery,
            infield,
            outfield,
            third_out_runs=house["thirdOutRuns"] == "timePlay",
            ground_runs=house["gbThirdOutScores"] == "true",
            home_bonus=int(house["infieldInHomeBonus"]),
            concede_safe=house["infieldInConcede"] == "batterSafe",
        )

    def average_speed(self, order: Sequence[str]) -> int:
        """Return the mean baserunning of a batting order, rounded."""
        return round(sum(self.box.batters[name].baserunning for name in order) / len(order))

    def transition_matrix(self, order: tuple[str, ...], staff: PitchingStint, field: FieldRatings) -> FloatArray:
        """Return the transition matrix of a half-inning, [batter, state, runs * 25 + next state]."""
        key = (order, staff, field)
        if key not in self._chains:
            table = transition_table(_cacheable_field(field), self.average_speed(order))
            found = np.empty((len(order), 24, PLAY_RUNS_COUNT * 25))
            for outs, (penalty, tired) in enumerate(staff.fatigue_by_outs):
                odds = np.array([self.matchup_distribution(name, staff.name, penalty, tired) for name in order])
                some = table[:, outs * 8 : outs * 8 + 8].reshape(len(OUTCOME_CODES), -1)
                found[:, outs * 8 : outs * 8 + 8] = (odds @ some).reshape(len(order), 8, -1)
            store_in_cache(self._chains, key, found, 60)
        return self._chains[key]

    def matchup_distribution(
        self, batter: str, pitcher: str, penalty: int = 0, tired: bool = False
    ) -> OutcomeDistribution:
        """Return the outcome distribution of a batter against a pitcher, without strategy cards."""
        return _cached_distribution(self.box.batters[batter], self.box.pitchers[pitcher], penalty, tired)

    # Half-innings ----------------------------------------------------------------------------------------------------

    def run_distribution(
        self, order: tuple[str, ...], staff: PitchingStint, field: FieldRatings, start: int = 0
    ) -> FloatArray:
        """Return the distribution of runs in a half-inning that starts in state `start`, for an average batter."""
        key = (order, staff, _cacheable_field(field), start)
        if key not in self._innings:
            mean = self.transition_matrix(order, staff, field).mean(axis=0)
            there = np.zeros((HALF_RUNS_COUNT, 24))
            there[0, start] = 1.0
            over = np.zeros(HALF_RUNS_COUNT)
            for _ in range(25):
                came = (there @ mean).reshape(HALF_RUNS_COUNT, PLAY_RUNS_COUNT, 25)
                step = np.zeros((HALF_RUNS_COUNT + PLAY_RUNS_COUNT, 25))
                for scored in range(PLAY_RUNS_COUNT):
                    step[scored : scored + HALF_RUNS_COUNT] += came[:, scored]
                step[HALF_RUNS_COUNT - 1] += step[HALF_RUNS_COUNT:].sum(axis=0)
                over += step[:HALF_RUNS_COUNT, 24]
                there = step[:HALF_RUNS_COUNT, :24]
                if there.sum() < 1e-3:
                    break
            store_in_cache(self._innings, key, over / over.sum(), 4000)
        return self._innings[key]

    def half_win_probabilities(
        self,
        order: tuple[str, ...],
        staff: PitchingStint,
        field: FieldRatings,
        batting: str,
        after: FloatArray,
        walk_off: bool,
    ) -> FloatArray:
        """Return home's win probability by [batter, state, lead].

        `after` has it by lead after the half. With `walk_off`, a lead of home ends the game.
        """
        key = (order, staff, _cacheable_field(field), batting, walk_off, after.tobytes())
        if key not in self._halves:
            chain = self.transition_matrix(order, staff, field)
            count, shift = len(order), _NEXT_STATE_INDEXES[batting]
            worth = np.empty((count, 24, LEAD_COUNT))
            worth[:] = after
            ahead = np.empty((25, LEAD_COUNT))
            ahead[24] = after
            for turn in range(4 * count - 1, -1, -1):
                ahead[:24] = worth[(turn + 1) % count]
                if walk_off:
                    ahead[:, MAX_LEAD + 1 :] = 1.0
                worth[turn % count] = chain[turn % count] @ ahead.take(shift)
            if walk_off:
                worth[:, :, MAX_LEAD + 1 :] = 1.0
            store_in_cache(self._halves, key, worth, 120)
        return self._halves[key]

    # Later half-innings ----------------------------------------------------------------------------------------------

    def later_win_probabilities(self, away: SidePlan, home: SidePlan, inning: int, half: str) -> FloatArray:
        """Return home's win probability by lead before a half-inning. After nine innings a lead wins."""
        key = (away, home, inning, half)
        if key not in self._ahead:
            if half == "bottom":
                found = self._bottom_half_win_probabilities(
                    away, home, inning, self.later_win_probabilities(away, home, inning + 1, "top")
                )
            elif inning > 9:
                found = self._extra_inning_win_probabilities(away, home, inning)
            else:
                found = self._top_half_win_probabilities(
                    away, home, inning, self.later_win_probabilities(away, home, inning, "bottom")
                )
            store_in_cache(self._ahead, key, found, 3000)
        return self._ahead[key]

    def _bottom_half_win_probabilities(
        self, away: SidePlan, home: SidePlan, inning: int, after: FloatArray
    ) -> FloatArray:
        odds = self.run_distribution(home.order, away.pitcher_in_inning(inning), away.field, self._start_state(inning))
        worth = _expected_after_runs(odds, after, 1)
        if inning >= 9:
            worth[MAX_LEAD + 1 :] = 1.0
        return worth

    def _top_half_win_probabilities(self, away: SidePlan, home: SidePlan, inning: int, after: FloatArray) -> FloatArray:
        odds = self.run_distribution(away.order, home.pitcher_in_inning(inning), home.field, self._start_state(inning))
        return _expected_after_runs(odds, after, -1)

    def _start_state(self, inning: int) -> int:
        """Return the initial state of a half-inning. In extra innings a runner starts on second (AM-78)."""
        extra = int(self.house["autoRunnerFromInning"])
        return 2 if extra and inning >= extra else 0

    def _extra_inning_win_probabilities(self, away: SidePlan, home: SidePlan, inning: int) -> FloatArray:
        """Return home's win probability by lead before an extra inning. A lead wins, and a tie repeats the inning."""
        start = self._start_state(inning)
        theirs = self.run_distribution(away.order, home.pitcher_in_inning(inning), home.field, start)
        ours = self.run_distribution(home.order, away.pitcher_in_inning(inning), away.field, start)
        joint = np.outer(theirs, ours)
        more, tie = np.triu(joint, 1).sum(), np.trace(joint)
        worth = np.zeros(LEAD_COUNT)
        worth[MAX_LEAD + 1 :] = 1.0
        worth[MAX_LEAD] = more / max(1e-9, 1 - tie)
        return worth


@dataclass(frozen=True, slots=True)
class SidePlan:
    """Plan of a side from the next half-inning on, with the pitchers by first inning."""

    order: tuple[str, ...]
    field: FieldRatings
    pitching_plan: tuple[tuple[int, PitchingStint], ...]

    def pitcher_in_inning(self, inning: int) -> PitchingStint:
        """Return the pitcher of an inning. After the plan's end, the last one continues."""
        found = self.pitching_plan[0][1]
        for since, staff in self.pitching_plan:
            if since <= inning:
                found = staff
        return found


def _expected_after_runs(odds: FloatArray, after: FloatArray, sign: int) -> FloatArray:
    """Return the expectation of `after` by lead before a half-inning, over its runs."""
    return np.asarray(odds @ after[_LEAD_INDEXES_AFTER_RUNS[sign]])


_LEAD_INDEXES_AFTER_RUNS = {
    sign: np.clip(np.arange(LEAD_COUNT)[None, :] + sign * np.arange(HALF_RUNS_COUNT)[:, None], 0, LEAD_COUNT - 1)
    for sign in (1, -1)
}
"""Lead index by runs and previous lead, for home (1) and away (-1)."""


def _next_state_indexes(sign: int) -> NDArray[np.intp]:
    """Return flat indexes into a table by next state and lead, for each number of runs and next state."""
    leads = np.clip(np.arange(LEAD_COUNT)[None, :] + sign * np.arange(PLAY_RUNS_COUNT)[:, None], 0, LEAD_COUNT - 1)
    places = leads[:, None, :] + np.arange(25)[None, :, None] * LEAD_COUNT
    return np.asarray(places.reshape(PLAY_RUNS_COUNT * 25, LEAD_COUNT), dtype=np.intp)


_NEXT_STATE_INDEXES = {"home": _next_state_indexes(1), "away": _next_state_indexes(-1)}


def _cacheable_field(field: FieldRatings) -> FieldRatings:
    """Return a field without the parts that change within a half-inning, as a cache key."""
    return replace(field, battery=0, drawn_in=False)


def store_in_cache(kept: dict[tuple[object, ...], T], key: tuple[object, ...], value: T, most: int) -> None:
    """Store a value, and evict the oldest one if there are `most`."""
    if len(kept) >= most:
        kept.pop(next(iter(kept)))
    kept[key] = value


MAX_CACHED_DISTRIBUTIONS = 20000

_DISTRIBUTION_CACHE: dict[tuple[int, int, int, bool], tuple[ClutchBatter, ClutchPitcher, OutcomeDistribution]] = {}
"""Entries keep their cards alive, so that no `id` is reused."""


def _cached_distribution(
    batter: ClutchBatter, pitcher: ClutchPitcher, penalty: int, tired: bool
) -> OutcomeDistribution:
    key = (id(batter), id(pitcher), penalty, tired)
    found = _DISTRIBUTION_CACHE.get(key)
    if found is None:
        if len(_DISTRIBUTION_CACHE) > MAX_CACHED_DISTRIBUTIONS:
            _DISTRIBUTION_CACHE.clear()  # Perhaps while another model, in another thread, looks for its own.
        found = _DISTRIBUTION_CACHE[key] = batter, pitcher, matchup_distribution(batter, pitcher, penalty, tired)
    return found[2]
