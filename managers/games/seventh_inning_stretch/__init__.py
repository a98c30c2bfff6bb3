"""Manager and evaluator of 7th Inning Stretch. The manager is for either seat of a duel and for the coach of a season.

It solves a half-inning by backward induction over batters, bases, outs, dice and tokens, with exact odds of the dice.
The run distributions of both sides' halves give the chance to win the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.cards import cards_in_decks
from engine.games.seventh_inning_stretch.cards import StretchBox, build_box
from engine.views import TableView
from managers.games.seventh_inning_stretch import between_games
from managers.games.seventh_inning_stretch.defense import DefenseOptions
from managers.games.seventh_inning_stretch.evaluation import StretchEvaluator
from managers.games.seventh_inning_stretch.offense import OffenseOptions
from managers.games.seventh_inning_stretch.outlook import StretchOutlook
from managers.games.seventh_inning_stretch.position import StretchPosition, position_from_view
from managers.games.seventh_inning_stretch.reasons import answer_reason
from managers.manager import GameSetup, Manager, Strength, WeighedAnswer, greedy_policy, softmax_policy

RUN_TEMPERATURES_BY_STRENGTH: Mapping[Strength, float] = {"rookie": 0.7, "regular": 0.15, "all-star": 0.0}
"""Softmax temperature of each strength, in runs; see `softmax_policy`."""

BETWEEN_GAMES_RUN_VALUE = 0.08  # Value of a run between games, in win probability.
MIN_RUN_VALUE = 0.0001  # Minimum value of a run during a game, so that the temperature stays above 0.

CHANCE_DIGITS = 4
"""Decimal digits of a chance. When a game is nearly decided, answers tie, and the simplest one is chosen."""

GAME_ASKS = (
    *("at-bat", "tokens", "steal-second-dice", "steal-third-dice", "outcome", "runner-out", "extra-base"),
    *("batter", "relief", "before", "ability"),
)
"""Asks of a half-inning, whose answers are rated by the chance to win. Those between games are only ranked."""

SPECIAL_PLAYS = ("steal-second", "steal-third", "veteran")  # Answers at bat other than a number of dice.

BLANK_CARD_ANSWERS: Mapping[str, str] = {"blank-dice": "2", "blank-outcome": "no-outcome"}
"""Answers for blank cards, which a manager cannot read. For other asks about them, it takes the first option."""

ValuedAnswers = Sequence[tuple[Any, float]]  # Answers with their win probabilities.


class StretchManager:
    """Manager of one seat.

    In a season `win` is the chance to win the current game. Between games it only ranks the answers.
    """

    def __init__(self, box: StretchBox, house: Mapping[str, str], strength: Strength) -> None:
        self._box, self._house, self._strength = box, house, strength

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        position = position_from_view(self._box, self._house, view, ask.seat)
        weighed = [
            WeighedAnswer(
                value, round(min(1.0, max(0.0, win)), CHANCE_DIGITS), reason=answer_reason(position, ask, value)
            )
            for value, win in self._valued_answers(position, ask)
        ]
        blur = RUN_TEMPERATURES_BY_STRENGTH[self._strength]
        if not blur:
            return greedy_policy(weighed)
        run = (
            max(MIN_RUN_VALUE, self._build_outlook(position).run_value())
            if position.panel["playing"]
            else BETWEEN_GAMES_RUN_VALUE
        )
        return softmax_policy(weighed, blur * run)

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        """See `Manager`. A blank card is only guessed."""
        if ask.why not in GAME_ASKS or not isinstance(ask, ChooseView):
            return ()
        position = position_from_view(self._box, self._house, view, ask.seat)
        batter = self._box.batters.get(position.batter)
        if not position.panel["playing"] or (batter and batter.blank):
            return ()
        return [one.value for one in ask.options if one.value not in SPECIAL_PLAYS]

    def _valued_answers(self, position: StretchPosition, ask: AnyAskView) -> ValuedAnswers:
        if isinstance(ask, RerollView):
            if ask.why == "ability-reroll":
                return DefenseOptions(position, self._build_outlook(position)).weigh_reroll(ask)[:8]
            return self._build_offense(position).weigh_reroll(ask)[:8]
        if isinstance(ask, ArrangeView):
            return between_games.weigh_lineups(position, ask, self._strength == "all-star")
        assert isinstance(ask, ChooseView)
        return self._weigh_choice(position, ask)

    def _build_outlook(self, position: StretchPosition) -> StretchOutlook:
        return StretchOutlook(position, self._strength == "all-star")

    def _build_offense(self, position: StretchPosition) -> OffenseOptions:
        return OffenseOptions(position, self._build_outlook(position))

    def _weigh_choice(self, position: StretchPosition, ask: ChooseView) -> ValuedAnswers:
        match ask.why:
            case "at-bat":
                return self._build_offense(position).weigh_at_bat(ask)
            case "steal-second-dice" | "steal-third-dice":
                return self._build_offense(position).weigh_steal(ask)
            case "extra-base":
                return self._build_offense(position).weigh_extra_base(ask)
            case "outcome":
                return self._build_offense(position).weigh_outcomes(ask)
            case "runner-out":
                return self._build_offense(position).weigh_runner_out(ask)
            case "tokens":
                if position.box.batters[position.batter].blank and not ask.sentence.startswith(("Steal", "Extra")):
                    return [("keep", 0.5)]
                return self._build_offense(position).weigh_tokens(ask)
            case "batter":
                return self._build_offense(position).weigh_batters(ask)
            case "relief":
                return DefenseOptions(position, self._build_outlook(position)).weigh_relief(ask)
            case "before":
                return DefenseOptions(position, self._build_outlook(position)).weigh_early_use(ask)
            case "ability":
                return DefenseOptions(position, self._build_outlook(position)).weigh_ability_uses(ask)
            case "pitcher":
                return DefenseOptions(position, self._build_outlook(position)).weigh_starters(ask)
            case "draft":
                return between_games.weigh_draft_cards(position, ask)
            case "pick" | "kept" | "recover" | "duel-pitcher":
                return between_games.weigh_kept_players(position, ask)
            case "recover-more":
                return between_games.weigh_more_recovery(position, ask)
            case "opponent":
                return between_games.weigh_opponents(position, ask)
            case "team-bought":
                return between_games.weigh_bought_teams(position, ask)
            case "spend":
                return between_games.weigh_purchases(ask)
            case "line-up-again":
                return between_games.weigh_lineup_change(position, ask)
            case "lead-off":
                return between_games.weigh_leadoff_batters(position, ask)
            case "pitching-coach" | "pitching-coach-again":
                return between_games.weigh_rested_pitchers(position, ask)
        value = BLANK_CARD_ANSWERS.get(ask.why)
        first = ask.options[0].value
        return [(value if any(one.value == value for one in ask.options) else first, 0.5)]


def build_game_manager(setup: GameSetup, strength: Strength) -> Manager:
    return StretchManager(build_box(cards_in_decks(setup.decks)), setup.house, strength)


def build_game_evaluator(setup: GameSetup) -> StretchEvaluator:
    return StretchEvaluator(build_box(cards_in_decks(setup.decks)), setup.house)
