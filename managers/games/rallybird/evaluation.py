"""Win probabilities of RallyBird, from the managers' model and what lies open on the table."""

from __future__ import annotations

import math

from engine.ask_views import AnyAskView, ChooseView
from engine.views import TableView
from managers.games.rallybird.decisions import RallybirdManager
from managers.games.rallybird.innings import MAX_LEAD
from managers.games.rallybird.matchup import value_before_roll
from managers.games.rallybird.model import RallybirdModel, model_steps
from managers.games.rallybird.situation import RallybirdPosition, position_from_view
from managers.manager import GameSetup

BEFORE_HALF = ("visitor", "visitor-die", "removed", "set-aside")
"""Asks before a half-inning, of which Defense has not yet left out a Glove."""
ROLLS = ("hit", "hit-again", "hit-blank", "hit-blank-again")
WEIGHED_CHOICES = ("leave-out", "flip", "remove", "rallybird", "rallybird-anyway")
"""Open choices that decide by win probability alone."""

COMEBACK_CHANCE = 0.12
"""Home's chance below which the model, in which both sides play for runs, misses late comebacks."""
COMEBACK_SLOPE = 0.5
"""Share of the log odds below `COMEBACK_CHANCE` that counts. In 694 games of `benchmarks.win_probability --building`,
home won 7.0 % where the model gave 3.5 %; the likeliest share was 0.44."""


class RallybirdEvaluator:
    """Values the at-bat as a game of mixed strategies. Spectators don't know the removed card."""

    margin = 0.03

    def __init__(self, setup: GameSetup) -> None:
        self._steps = model_steps(setup)
        self._model: RallybirdModel | None = None

    def study_cards(self) -> bool:
        if self._model is None:
            try:
                next(self._steps)
            except StopIteration as end:
                self._model = end.value
        return self._model is None

    def home_win_probability(self, view: TableView) -> float | None:
        if self._model is None or not view.asks:
            return None
        ask, now = view.asks[0], position_from_view(view, self._model.cards, self._model.kit)
        if isinstance(ask, ChooseView) and ask.why in WEIGHED_CHOICES:
            weighed = RallybirdManager(self._model, "all-star").weigh_answers(view, ask)
            seat, win = ask.seat, max(one.win for one in weighed)
        else:
            seat, win = now.batting, min(1.0, max(0.0, _offense_win_probability(self._model, now, ask)))
        return _with_comebacks(win if seat == "home" else 1 - win)


def build_game_evaluator(setup: GameSetup) -> RallybirdEvaluator:
    """Build the evaluator of these decks and house rules. It shares its model with the managers."""
    return RallybirdEvaluator(setup)


def _with_comebacks(home: float) -> float:
    if not 0 < home < COMEBACK_CHANCE:
        return home
    least = COMEBACK_CHANCE / (1 - COMEBACK_CHANCE)
    odds = least * math.pow(home / (1 - home) / least, COMEBACK_SLOPE)
    return odds / (1 + odds)


def _offense_win_probability(model: RallybirdModel, now: RallybirdPosition, ask: AnyAskView) -> float:
    innings = model.innings
    if ask.why in BEFORE_HALF:
        lead = min(MAX_LEAD, max(-MAX_LEAD, now.lead))
        return float(innings.half_start_probabilities(now.inning, now.side, now.rallybird_holders)[lead + MAX_LEAD])
    if ask.why in ROLLS and now.shown is not None:
        later, bird = innings.later_values(*now.inning_key), innings.usable_rallybird(*now.inning_key)
        second = ask.why.endswith("again")
        return value_before_roll(model.cards, model.kit, now.gloves, now.shown, now.base_out_state, later, bird, second)
    return model.at_bat_game(now).optimal_strategies.value
