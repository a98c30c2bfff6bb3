"""Win probability of the current game of 7th Inning Stretch, as a spectator may know it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from engine.ask_views import AnyAskView, ChooseView, RerollView, RollView
from engine.games.seventh_inning_stretch.cards import StretchBox
from engine.seats import SEATS, Seat
from engine.views import TableView
from managers.games.seventh_inning_stretch.defense import DefenseOptions
from managers.games.seventh_inning_stretch.game import GameWinTable
from managers.games.seventh_inning_stretch.half import ValueTable
from managers.games.seventh_inning_stretch.hands import FloatArray
from managers.games.seventh_inning_stretch.offense import OffenseOptions
from managers.games.seventh_inning_stretch.outlook import SeasonOpponent, StretchOutlook
from managers.games.seventh_inning_stretch.position import StretchPosition, position_from_view

MAX_RUNS = 60  # Runs in the distributions of a half; more are clipped.
MAX_TABLE_LEAD = 60  # Largest lead in a win table.

SCORING_WEIGHTS = (-1.933, 1.273, 0.722)
"""Log odds that a half brings another run: constant, logarithm of the mean runs, runners on base. The means are
those of the half's table, which has no pitcher and rerolls each throw only once. Fitted on the first 58 building games
of `benchmarks.win_probability`, as are the other weights."""

RUN_COUNT_WEIGHTS = (1.401, 0.338, 0.130, -0.240)
"""Logarithm of the mean number of these runs, if any: constant, logarithm of the mean runs, its square, outs."""

HOME_ADVANTAGE = 0.5
"""Log odds by which home does better in a duel than these weights say, because it bats last and knows what it needs. In
317 building games it was 0.68 with a standard error of 0.13, but the first 107 of them had none."""

MIN_MEAN_RUNS = 0.3  # Smallest mean runs that the weights fit. From it on, the number of runs rises with it.


class StretchEvaluator:
    """Evaluates any position of a game."""

    margin = 0.05  # As far as `benchmarks.win_probability` has shown in duels. Seasons were not measured.

    def __init__(self, box: StretchBox, house: Mapping[str, str]) -> None:
        self._box, self._house = box, house

    def study_cards(self) -> bool:
        return False

    def home_win_probability(self, view: TableView) -> float | None:
        """See `Evaluator`. None in a draft and between games."""
        if not view.scoreboard.panel["playing"] or not view.asks:
            return None
        position = position_from_view(self._box, self._house, view, view.asks[0].seat)
        win = ask_value(position, view.asks[0])
        home = min(1.0, max(0.0, win if position.mine == "home" else 1 - win))
        return home / (home + (1 - home) * math.exp(-HOME_ADVANTAGE)) if position.duel else home


class EvaluationOutlook(StretchOutlook):
    """Win probabilities with the runs that managers score. Their own outlook underrates how much these vary, which
    hardly matters for their choices.
    """

    def __init__(self, position: StretchPosition) -> None:
        super().__init__(position, exact=False)
        away, home = (self._side_scoring(side) for side in SEATS)
        self.game = evaluation_win_table(away, home, self.both)

    def _side_scoring(self, side: Seat) -> float | SeasonOpponent:
        position = self.position
        if not position.duel and side != position.mine:
            return self.season_opponent()
        return round(self.squad_mean_runs(position.squads[side if position.duel else position.seat]), 1)


@lru_cache(maxsize=16)
def evaluation_win_table(away: float | SeasonOpponent, home: float | SeasonOpponent, both: bool) -> GameWinTable:
    """Return the win table of two sides. A side that bats is given by its mean runs in a half."""
    sides: dict[Seat, float | SeasonOpponent] = {"away": away, "home": home}

    def scores(seat: Seat, inning: int, lead: int) -> FloatArray:
        side = sides[seat]
        if isinstance(side, float):
            return more_runs_distribution(side)
        found = side.run_distribution(inning, lead)
        return np.pad(found, (0, MAX_RUNS + 1 - len(found)))

    return GameWinTable(scores, both, MAX_TABLE_LEAD)


class EvaluationOffense(OffenseOptions):
    """Options at bat, rated by the expectation over the half's further runs instead of by their mean."""

    def __init__(self, position: StretchPosition, outlook: StretchOutlook) -> None:
        super().__init__(position, outlook)
        ends = outlook.win_probabilities_by_runs(position.scored + 2 * MAX_RUNS)
        self._wins_by_runs = np.array(ends, dtype=np.float64)

    def _win_probability(self, values: ValueTable, outs: int, bases: int, pool: Sequence[int], more: int = 0) -> float:
        mean = float(values[(self.half.state_rows.state_row(outs, bases, 0), *pool)])
        return self._expected_win(mean, outs, bases, more)

    def _value_as_chance(self, value: float, more: int = 0) -> float:
        return self._expected_win(value, self.position.outs, self.bits, more)

    def _expected_win(self, mean: float, outs: int, bases: int, more: int) -> float:
        runs = self.position.scored + more
        if outs > 2:
            return float(self._wins_by_runs[runs])
        return float(more_runs_distribution(mean, outs, bases.bit_count()) @ self._wins_by_runs[runs:][: MAX_RUNS + 1])


def more_runs_distribution(mean: float, outs: int = 0, runners: int = 0) -> FloatArray:
    """Return the distribution of the further runs in a half, 0 to `MAX_RUNS`, from their mean in its table."""
    log_mean = math.log(max(MIN_MEAN_RUNS, mean))
    base, slope, per_runner = SCORING_WEIGHTS
    scores = 1 / (1 + math.exp(-base - slope * log_mean - per_runner * runners))
    base, slope, curve, per_out = RUN_COUNT_WEIGHTS
    count = math.exp(base + slope * log_mean + curve * log_mean**2 + per_out * outs)
    found = scores / count * (1 - 1 / count) ** (_RUN_NUMBERS - 1)
    found[0] = 1 - scores
    found[-1] += 1 - found.sum()
    return found


_RUN_NUMBERS: FloatArray = np.arange(MAX_RUNS + 1, dtype=np.float64)


def ask_value(position: StretchPosition, ask: AnyAskView) -> float:
    """Return the win probability of the side that an open ask goes to, which gives its best answer."""
    outlook = EvaluationOutlook(position)
    defense = DefenseOptions(position, outlook, EvaluationOffense)
    if not position.duel and position.batting_seat != position.mine:
        return team_half_value(position, outlook, defense, ask)
    if isinstance(ask, RerollView) and ask.why == "ability-reroll":
        return defense.weigh_reroll(ask)[0][1]
    if isinstance(ask, ChooseView) and ask.why == "ability":
        return max(win for _, win in defense.weigh_ability_uses(ask))
    win = turn_value(EvaluationOffense(position, outlook), ask)
    return win if position.batting_seat == position.mine else 1 - win


def turn_value(offense: EvaluationOffense, ask: AnyAskView) -> float:
    """Return the win probability of the side at bat in a batter's turn."""
    if isinstance(ask, RollView):
        return offense.turn_value() if ask.why == "resources" else offense.thrown_dice_value(ask.why, len(ask.dice))
    if isinstance(ask, RerollView):
        return offense.weigh_reroll(ask)[0][1]
    raters = {
        "at-bat": offense.weigh_at_bat,
        "steal-second-dice": offense.weigh_steal,
        "steal-third-dice": offense.weigh_steal,
        "extra-base": offense.weigh_extra_base,
        "outcome": offense.weigh_outcomes,
        "runner-out": offense.weigh_runner_out,
        "tokens": offense.weigh_tokens,
        "batter": offense.weigh_batters,
    }
    if not isinstance(ask, ChooseView) or ask.why not in raters:
        return offense.turn_value()  # Relief, or a blank card, which counts as an out.
    return max(win for _, win in raters[ask.why](ask))


def team_half_value(
    position: StretchPosition, outlook: StretchOutlook, defense: DefenseOptions, ask: AnyAskView
) -> float:
    """Return the manager's win probability in the half of a season's opponent."""
    if isinstance(ask, RollView):
        return defense.win_probability_with_dice(len(ask.dice))
    if isinstance(ask, RerollView):
        return defense.weigh_reroll(ask)[0][1]
    if isinstance(ask, ChooseView) and ask.why in ("before", "ability"):
        rated = defense.weigh_early_use(ask) if ask.why == "before" else defense.weigh_ability_uses(ask)
        return max(win for _, win in rated)
    lead = position.lead if position.mine == "home" else -position.lead
    home = outlook.game.before_half_probability(position.clock, lead)
    return home if position.mine == "home" else 1 - home
