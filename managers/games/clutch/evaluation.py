"""Win probability of Clutch as a spectator may know it: both hands of cards are hidden, everything else is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from engine.ask_views import AskView, ChooseView
from engine.games.clutch.at_bat.bunting import MISS_COST_SENTENCES
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import PlayedCard, State
from engine.games.clutch.substitutions import bench
from engine.seats import Seat
from engine.views import TableView
from managers.games.clutch import batting, fielding
from managers.games.clutch.ask_context import AskContext, RatedAnswers
from managers.games.clutch.card_prices import CardPrices
from managers.games.clutch.cards import CardJudge
from managers.games.clutch.expectancy import FloatArray, WinExpectancyModel
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.position import can_rebuild_position, position_from_view
from managers.games.clutch.substitutions import with_reliever
from managers.games.clutch.window_judge import WindowJudge

PLAY_ASK_RATERS: Mapping[str, Callable[[AskContext], RatedAnswers]] = {
    "throw-at": fielding.rate_throws,
    "throw-or-batter": fielding.rate_throws,
    "double-play": fielding.rate_double_play,
    "bunt-again": batting.rate_third_bunt,
    **dict.fromkeys(("extra-base", "tag-up", "ground", "send-home"), batting.rate_advances),
}
"""Raters of asks in the middle of a play, where the position counts for as much as the best answer."""

CARD_ASK_PREFIX = "cards-"  # Before the name of the window, in asks for a strategy card.


class EvaluationJudge(PositionJudge):
    """Evaluates positions in which the defense may bring in a reliever before each pitch, as a manager would."""

    def win_probability(self, s: State) -> float:
        win = super().win_probability(s)
        if s.outs >= 3 or s.at.pitch_natural is not None or s.at.result:
            return win
        best = max if self.side == s.defense else min
        return best([win, *(super(EvaluationJudge, self).win_probability(twin) for twin in states_after_relief(s))])

    def _compute_half_probabilities(self, s: State) -> FloatArray:
        best = np.maximum if s.defense == "home" else np.minimum
        found = super()._compute_half_probabilities(s)
        for twin in states_after_relief(s):
            found = best(found, super()._compute_half_probabilities(twin))
        return found


def states_after_relief(s: State) -> list[State]:
    """Return the states after each pitching change that the defense may make."""
    if pitcher_record.reason_to_stay(s.current_record, s.clock.inning, s.house):
        return []
    return [with_reliever(s, s.defense, name) for name in bench.eligible_relievers(s, s.defense)]


class ClutchEvaluator:
    """Evaluates any position of a game or a series. Cards count once they are played."""

    margin = 0.03  # Measured with `benchmarks.win_probability`.

    def __init__(self, model: WinExpectancyModel) -> None:
        self._model = model

    def study_cards(self) -> bool:
        return False

    def home_win_probability(self, view: TableView) -> float | None:
        """See `Evaluator`. None before the first pitch and between the games of a series."""
        if not can_rebuild_position(view):
            return None
        ask = view.asks[0] if view.asks else None
        side: Seat = view.scoreboard.plays.get(ask.seat, "home") if ask else "home"
        # Any seat will do, because the view has nobody's cards.
        position = position_from_view(replace(view, seat="home"), self._model.box, self._model.house)
        position = replace(position, side=side)
        judge, s = EvaluationJudge(self._model, side), position.state
        if ask is None:
            win = judge.win_probability(s)
        elif (card := _waiting_card(ask, s)) is not None:
            play = s.box.playable_card(card.kind, card.name).play
            win = CardJudge(judge, CardPrices(0.0), card.window).effects_value(s, card.side, card.name, play.do, play)
        elif isinstance(ask, ChooseView) and ask.why in PLAY_ASK_RATERS and s.throw is None:
            win = max(win for win, _ in PLAY_ASK_RATERS[ask.why](AskContext(position, judge, ask)).values())
        elif ask.why == "bunt":
            misses = next((at for at, words in enumerate(MISS_COST_SENTENCES) if words in ask.sentence), 0)
            win = batting.bunt_value(judge, s, misses)
        else:
            win = WindowJudge(judge, _current_window(ask.why, s)).win_probability(s)
        return min(1.0, max(0.0, win if side == "home" else 1 - win))


def _waiting_card(ask: AskView, s: State) -> PlayedCard | None:
    """Return the card that takes effect after this ask, for an answer from the other side or a die of the card."""
    asks = ask.why in ("cards-card", "card-die") or ask.why.startswith("again-")
    return s.at.played[-1] if asks and s.at.played and s.at.played[-1].name in ask.sentence else None


def _current_window(why: str, s: State) -> str:
    """Return the window of cards that is open, or one that is like the current ask."""
    if why.startswith(CARD_ASK_PREFIX):
        return why.removeprefix(CARD_ASK_PREFIX)
    if s.throw:
        return "throw"
    return "after" if s.at.outcome else "at-bat"
