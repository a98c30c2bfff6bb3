"""Win probabilities of Small Ball, exact if both sides play optimally from here."""

from __future__ import annotations

from engine.ask_views import AnyAskView, ChooseView, Option
from engine.views import TableView
from managers.games.small_ball.advice import SmallBallManager
from managers.games.small_ball.judges import PerfectJudge
from managers.manager import GameSetup


class SmallBallEvaluator:
    """Values each open ask as an all-star that has solved the game does. Small Ball has no secrets."""

    margin = 0.0

    def __init__(self, setup: GameSetup) -> None:
        judge = PerfectJudge(setup)
        self._manager, self._steps, self._is_solved = SmallBallManager(setup, judge), judge.solve_steps(), False

    def study_cards(self) -> bool:
        for _ in self._steps:
            return True
        self._is_solved = True
        return False

    def home_win_probability(self, view: TableView) -> float | None:
        if not self._is_solved or not view.asks:
            return None
        ask = view.asks[0]
        choice = ask if isinstance(ask, ChooseView) else _declared_choice(view, ask)
        win = max(weighed.win for weighed in self._manager.weigh_answers(view, choice))
        return win if ask.seat == "home" else 1 - win


def build_game_evaluator(setup: GameSetup) -> SmallBallEvaluator:
    """Build the evaluator of these cards and house rules. It shares its solution with the managers."""
    return SmallBallEvaluator(setup)


def _declared_choice(view: TableView, ask: AnyAskView) -> ChooseView:
    """Return the choice that led to a roll, with its answer as the only option. Both have the same value."""
    why, option = "swing", ask.why
    if ask.why == "coin-flip":
        why = "away-team"
    elif ask.why == "at-bat":
        option = "hit-and-run" if view.scoreboard.panel["hit_and_run"] else "bat"
    return ChooseView(ask.n, ask.seat, "choose", False, False, why, "", "", (Option(option, ""),))
