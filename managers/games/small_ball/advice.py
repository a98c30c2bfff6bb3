"""Manager of Small Ball and the policies of its strengths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

import numpy as np

from engine.ask_views import AnyAskView, ChooseView
from engine.cards import cards_in_decks
from engine.games.small_ball.cards import TEAM_COLORS, build_teams
from engine.games.small_ball.state import PINCH_OPTIONS
from engine.seats import SEATS
from engine.views import TableView
from managers.games.small_ball import beginner
from managers.games.small_ball.half import TeamHalfInning
from managers.games.small_ball.judges import HalfEndJudge, PerfectJudge, RunsJudge
from managers.games.small_ball.options import HalfOutlook
from managers.games.small_ball.position import SmallBallPosition, position_from_scoreboard
from managers.games.small_ball.reasons import answer_reason
from managers.manager import ROUNDING_ERROR, GameSetup, Manager, Strength, WeighedAnswer, greedy_policy, softmax_policy

PolicyFunction = Callable[[SmallBallPosition | None, Sequence[WeighedAnswer]], list[WeighedAnswer]]
"""Sets the shares of weighed answers. The position is None before the game."""
REGULAR_TEMPERATURE = 0.005
"""Softmax temperature of a regular. An answer whose chance is lower by this is `e` times less likely."""
COSTLESS_ANSWERS = ("bat", "bank", "bat-on", "no", "none")  # Answers that need neither a pinch hitter nor a play.

HALF_INNING_ASKS = ("decision", "swing", "pinch-after", "bank-nothing")
"""Asks that are answered from the solved half-inning."""


def build_game_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Build a manager of this strength. Until an all-star has solved the game, it plays for runs."""
    if strength == "all-star":
        return SmallBallManager(setup, RunsJudge(), better=PerfectJudge(setup))
    return SmallBallManager(setup, RunsJudge(), beginner.rookie_policy if strength == "rookie" else regular_policy)


def regular_policy(now: SmallBallPosition | None, weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    """Choose like somebody who estimates chances to win with a small error.

    He never gives up an out for nothing: his answers leave out a sacrifice that gains nothing over batting.
    """
    batting = next((one.win for one in weighed if one.value == "bat"), 0.0)
    vain = [one for one in weighed if one.value == "sacrifice" and one.win <= batting + ROUNDING_ERROR]
    shares = softmax_policy([one for one in weighed if one not in vain], REGULAR_TEMPERATURE)
    return [*shares, *vain]


def all_star_policy(now: SmallBallPosition | None, weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    return greedy_policy(weighed)


class SmallBallManager:
    """Solves the half-inning against the judge's values of its end. The policy `shared` sets the shares.

    `better` is the judge once it has solved the game.
    """

    def __init__(
        self,
        setup: GameSetup,
        judge: HalfEndJudge,
        shared: PolicyFunction = all_star_policy,
        better: PerfectJudge | None = None,
    ) -> None:
        self._judge, self._policy, self._better = judge, shared, better
        self._steps = better.solve_steps() if better else iter(())
        self._teams = build_teams(cards_in_decks(setup.decks), setup.house)
        self._halves = {colour: TeamHalfInning(self._teams[colour], setup.house) for colour in TEAM_COLORS}
        self._outlook = lru_cache(maxsize=32)(self._solve_half)

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        assert isinstance(ask, ChooseView)
        options = [option.value for option in ask.options]
        if ask.why == "away-team":
            return self._policy(None, [WeighedAnswer(one, self._pregame_probability(one)) for one in options])
        if ask.why not in (*HALF_INNING_ASKS, "reactivate"):
            return greedy_policy([WeighedAnswer(one, 0.5) for one in options])
        away, now = view.scoreboard.sides["away"].colour, position_from_scoreboard(view.scoreboard)
        if ask.why == "reactivate":
            weighed = [self._weigh_reactivation(away, now, SEATS.index(ask.seat), one) for one in options]
        else:
            # Asked again whether to bank nothing, a manager must not waver, so it takes the last of equal answers.
            ordered = options[::-1] if ask.why == "bank-nothing" else options
            weighed = self._weigh_half_options(away, now, ask.why, ordered)
        return self._policy(now, weighed)

    def study_cards(self, view: TableView | None = None) -> bool:
        for _ in self._steps:
            return True
        if self._better:
            self._judge, self._better = self._better, None
            self._outlook.cache_clear()
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        return COSTLESS_ANSWERS if ask.why in (*HALF_INNING_ASKS, "reactivate") else ()

    def _pregame_probability(self, option: str) -> float:
        """Return away's chance before the game if it plays this color or leaves the color to the die (A17)."""
        if option == "coin-flip":
            return sum(self._judge.pregame_probability(colour) for colour in TEAM_COLORS) / len(TEAM_COLORS)
        return self._judge.pregame_probability(option)

    def _weigh_reactivation(self, away: str, now: SmallBallPosition, side: int, option: str) -> WeighedAnswer:
        used = now.used[side] & ~(1 << PINCH_OPTIONS.index(option) if option in PINCH_OPTIONS else 0)
        return WeighedAnswer(
            option,
            self._judge.reactivation_probability(away, now, side, used),
            reason=answer_reason(now, "reactivate", option),
        )

    def _weigh_half_options(
        self, away: str, now: SmallBallPosition, why: str, options: list[str]
    ) -> list[WeighedAnswer]:
        outlook = self._outlook(away, now.half_start)
        chances = {one: self._judge.win_probability(now, outlook.option_value(now, why, one)) for one in options}
        return [WeighedAnswer(one, chance, reason=answer_reason(now, why, one)) for one, chance in chances.items()]

    def _solve_half(self, away: str, now: SmallBallPosition) -> HalfOutlook:
        colour = away if now.side == 0 else next(one for one in TEAM_COLORS if one != away)
        half, ends = self._halves[colour], self._judge.half_end_values(away, now)
        layers = tuple(half.solve_layers(ends, np.array([now.leadoff_batter])))[::-1]
        return HalfOutlook(half, self._teams[colour], ends, layers)
