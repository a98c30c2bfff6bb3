"""Win probabilities of Bottom of the 9th, from the managers' model of the half-inning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.ask_views import AnyAskView, ChooseView
from engine.cards import cards_in_decks
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.cards import build_draft_pool
from engine.games.bottom_of_the_9th.state import AppliedEffect, State
from engine.views import TableView
from managers.games.bottom_of_the_9th import best_play
from managers.games.bottom_of_the_9th.at_bat import BASES_BY_MASK
from managers.games.bottom_of_the_9th.half_inning import HalfInningModel
from managers.games.bottom_of_the_9th.matrix_game import row_strategies
from managers.games.bottom_of_the_9th.pitch_tree import PitchTree, safe_chance, unopposed_rolls
from managers.games.bottom_of_the_9th.values import NodeDistribution
from managers.games.bottom_of_the_9th.visible_position import NinthPosition, position_from_view
from managers.manager import GameSetup

PHASES_BEFORE_ROLL = {"pitch": "reveal", "swing": "pitch", "bonus": "result"}
"""The phase whose abilities have acted when a roll is open, by the roll's code."""
ROLLS = (*PHASES_BEFORE_ROLL, "reroll", "unopposed", "call-safe", "call-out", "race-roll")
"""Codes of the rolls and calls of a pitch."""


class NinthEvaluator:
    """Values the half-inning from the first pitch on, as the all-star does. The draft has no value.

    It has a model of its own, because that of the managers may be in use by another thread.
    """

    margin = 0.02

    def __init__(self, setup: GameSetup) -> None:
        self._model = HalfInningModel(build_draft_pool(cards_in_decks(setup.decks), setup.house), setup.house)
        self._steps, self._is_studied = _study_steps(self._model), False

    def study_cards(self) -> bool:
        for _ in self._steps:
            return True
        self._is_studied = True
        return False

    def home_win_probability(self, view: TableView) -> float | None:
        if not self._is_studied or not view.asks or "fatigue" not in view.scoreboard.panel:
            return None
        ask, here = view.asks[0], position_from_view(view)
        if isinstance(ask, ChooseView) and ask.why in ("relief", "ability"):
            weighed = (
                best_play.weigh_relief(self._model, here, [option.value for option in ask.options])
                if ask.why == "relief"
                else best_play.weigh_ability(self._model, here, ask)
            )
            if weighed:
                best = max(one.win for one in weighed)
                return best if ask.seat == "home" else 1 - best
        win = None
        if ask.why in ROLLS:
            win = self._win_probability_before_roll(here, ask, view.scoreboard.dice)
        return min(1.0, max(0.0, self._win_probability_before_pitch(here) if win is None else win))

    def _win_probability_before_pitch(self, here: NinthPosition) -> float:
        """Return the value before the next stare-down, or before relief."""
        at_bat = self._model.at_bat_model(here.match)
        at = here.at_bat_positions(at_bat.pair)
        if here.is_at_bat_over:
            spent = int(at.spent[0]) & ((1 << at_bat.pair.game_mark_count) - 1)
            after = at_bat.target_values[at_bat.position_count : -2].reshape(at_bat.after_shape)
            return float(after[here.outs, here.bases, *here.rows, spent])
        return 1 - float(row_strategies(1 - at_bat.payoff_matrices(at))[1][0])

    def _win_probability_before_roll(
        self, here: NinthPosition, ask: AnyAskView, dice: tuple[int | str, ...]
    ) -> float | None:
        """Return the value before a roll or in a race. None if no ability of these cards made this roll."""
        pair = self._model.at_bat_model(here.match).pair
        s = here.pitch_state(pair)
        pair.begin_pitch(s)
        mix: NodeDistribution | None
        if ask.why in PHASES_BEFORE_ROLL:
            late = ask.why == "bonus"
            mix = pair.distribution_after_phase(s, PHASES_BEFORE_ROLL[ask.why])
        elif ask.why == "reroll":
            late = here.pitch.bonus is not None
            mix = _reroll_distribution(pair, here, s)
        else:
            late = True
            s.update_pitch(called=pitch_dice.pitch_result(s))
            mix = pair.race_distribution(s, _safe_chance_now(s, ask, dice))
        return None if mix is None else best_play.win_probabilities_during_pitch(self._model, here, [mix], late)[0]


def build_game_evaluator(setup: GameSetup) -> NinthEvaluator:
    """Build the evaluator of these cards and house rules."""
    return NinthEvaluator(setup)


def _study_steps(model: HalfInningModel) -> Iterator[None]:
    """Compute the pitches of every batter and pitcher in each position that a lookahead distinguishes."""
    for batter, pitcher in product(model.batters, model.pitchers):
        pair, known = model.pitch_tree(batter, pitcher), set[object]()
        counts, spent_sets = product(range(4), range(3)), range(1 << len(pair.marks))
        for outs, bases, count, spent in product(range(3), BASES_BY_MASK, counts, spent_sets):
            key, _ = pair.outcome_plan(pair.state_before_reveal(outs, bases, (0, 0), spent, 0), count, ahead=True)
            if key not in known:
                known.add(key)
                yield


def _reroll_distribution(pair: PitchTree, here: NinthPosition, s: State) -> NodeDistribution | None:
    """Return the outcome distribution before a die is rolled again. None if no ability of these cards fits."""
    *done, last = here.pitch.done
    s.update_pitch(done=tuple(done))
    for phase in best_play.possible_phases(here):
        for place, (seat, slot, _, ability) in enumerate(pair.active_abilities(phase)):
            if AppliedEffect(seat, slot, ability.effect) == last:
                return pair.use_distribution(s, phase, place)
    return None


def _safe_chance_now(s: State, ask: AnyAskView, dice: tuple[int | str, ...]) -> float:
    """Return the chance that the batter is safe, where some may have rolled without an end."""
    if ask.why == "unopposed":
        rolling = unopposed_rolls(s)
        return safe_chance(s, rolling[rolling.index(ask.seat) :])
    race = safe_chance(s, ())
    if ask.why != "race-roll" or ask.seat == "home":
        return race
    away = len(pitch_dice.winning_faces(s, "away")) / 6
    return 1 - away + away * race if dice[0] in pitch_dice.winning_faces(s, "home") else (1 - away) * race
