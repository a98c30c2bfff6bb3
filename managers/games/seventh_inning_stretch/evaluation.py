"""Win probability of the current game of 7th Inning Stretch, as a spectator may know it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from engine.ask_views import AnyAskView, ChooseView, RerollView, RollView
from engine.games.seventh_inning_stretch.cards import StretchBox
from engine.views import TableView
from managers.games.seventh_inning_stretch.defense import DefenseOptions
from managers.games.seventh_inning_stretch.game import RUN_DISTRIBUTION_SIZE, run_distribution
from managers.games.seventh_inning_stretch.hands import FloatArray
from managers.games.seventh_inning_stretch.offense import OffenseOptions
from managers.games.seventh_inning_stretch.outlook import DUEL_PITCHING_FACTOR, StretchOutlook
from managers.games.seventh_inning_stretch.position import StretchPosition, position_from_view

MEAN_RUNS_STEP = 0.05  # Distance of mean runs for which a distribution is computed. Others are interpolated.
MAX_MEAN_RUNS = 6.0  # Greatest mean of the remaining runs in a half; greater ones are clipped.


class StretchEvaluator:
    """Evaluates any position of a game."""

    margin = 0.03  # Measured with `benchmarks.win_probability`.

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
        return min(1.0, max(0.0, win if position.mine == "home" else 1 - win))


class ExpectedOffense(OffenseOptions):
    """Options at bat, rated by the expectation over the half's further runs, of which a duel's pitchers prevent some.

    The managers' rating by the mean of these runs is as good to compare options, but too certain of the winner.
    """

    def __init__(self, position: StretchPosition, outlook: StretchOutlook) -> None:
        super().__init__(position, outlook)
        self._factor = DUEL_PITCHING_FACTOR if position.duel else 1.0
        ends = np.array(self._ends)
        runs = np.arange(len(ends))[:, None] + np.arange(RUN_DISTRIBUTION_SIZE)
        self._expected = ends[np.minimum(runs, len(ends) - 1)] @ _run_distributions().T if self.half.linear else ends

    def _value_as_chance(self, value: float, more: int = 0) -> float:
        if not self.half.linear:
            return value
        at = min(value * self._factor, MAX_MEAN_RUNS) / MEAN_RUNS_STEP
        low = min(int(at), self._expected.shape[1] - 2)
        row = self._expected[min(self.position.scored + more, len(self._expected) - 1)]
        return float(row[low] + (row[low + 1] - row[low]) * (at - low))


@cache
def _run_distributions() -> FloatArray:
    """Return the distributions of remaining runs in a half, a row for each mean from 0 on."""
    return np.array([run_distribution(mean) for mean in np.arange(0, MAX_MEAN_RUNS + 1e-9, MEAN_RUNS_STEP)])


def ask_value(position: StretchPosition, ask: AnyAskView) -> float:
    """Return the win probability of the side that an open ask goes to, which gives its best answer."""
    outlook = StretchOutlook(position)
    defense = DefenseOptions(position, outlook, ExpectedOffense)
    if ask.seat == position.seat and not position.duel and position.batting_seat != position.mine:
        return team_half_value(position, outlook, defense, ask)
    if isinstance(ask, RerollView) and ask.why == "ability-reroll":
        return defense.weigh_reroll(ask)[0][1]
    if isinstance(ask, ChooseView) and ask.why == "ability":
        return max(win for _, win in defense.weigh_ability_uses(ask))
    win = turn_value(ExpectedOffense(position, outlook), ask)
    return win if position.batting_seat == position.mine else 1 - win


def turn_value(offense: ExpectedOffense, ask: AnyAskView) -> float:
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
