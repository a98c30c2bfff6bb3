"""Computer manager of Clutch, which sends each ask to the function that rates its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.ask_views import AnyAskView, ArrangeView, ChooseView
from engine.games.clutch.running.stealing import STEAL_TRIES
from engine.views import TableView
from managers.games.clutch import batting, card_decisions, card_prices, fielding, pregame, substitutions
from managers.games.clutch.ask_context import ASK_PREFERENCE_ANSWERS, AskContext, RatedAnswers, rate_equally
from managers.games.clutch.card_prices import CardPrices
from managers.games.clutch.expectancy import WinExpectancyModel
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.position import can_rebuild_position, position_from_view
from managers.manager import Strength, WeighedAnswer, greedy_policy

PREGAME_ASKS = ("roster", "rotation", "starter", "opener", "line-up", "lay", "two-way", "field", "strays", "order")
"""Asks before the first pitch."""

DEFAULT_ANSWERS = ("pitch", "swing", "no-change")  # Answers to a menu that change nothing.


@dataclass(frozen=True)
class PlayStyle:
    """Style of a strength, as differences of win probability.

    margin: minimum gain for an answer in a menu that changes something. A weaker manager prefers to change nothing.
    blur: softmax temperature, 0 for a greedy choice.
    cut: an answer worse than the best by this is never chosen.
    card: value of a strategy card in the hand. A weaker manager saves none.
    """

    min_menu_gain: float
    temperature: float
    max_loss: float
    card_price: float


STYLES_BY_STRENGTH: Mapping[Strength, PlayStyle] = {
    "rookie": PlayStyle(0.12, 0.05, 0.16, 0.0),
    "regular": PlayStyle(0.020, 0.018, 0.050, 0.002),
    "all-star": PlayStyle(0.0, 0.0, 0.0, 0.006),
}
"""All strengths, with a smaller error for a stronger one."""

RATERS_BY_ASK: Mapping[str, Callable[[AskContext], RatedAnswers]] = {
    "walk": fielding.rate_walk,
    "infield": fielding.rate_infield,
    "throw-at": fielding.rate_throws,
    "throw-or-batter": fielding.rate_throws,
    "double-play": fielding.rate_double_play,
    "bunt-again": batting.rate_third_bunt,
    "extra-base": batting.rate_advances,
    "tag-up": batting.rate_advances,
    "ground": batting.rate_advances,
    "send-home": batting.rate_advances,
    "reliever": substitutions.rate_relievers,
    "pinch-hitter": substitutions.rate_pinch_hitters,
    "pinch-run-for": substitutions.rate_replaceable_runners,
    "pinch-runner": substitutions.rate_pinch_runners,
    "replaced": substitutions.rate_replaceable_fielders,
    "replacement": substitutions.rate_replacements,
    "replacement-plays": substitutions.rate_positions,
    "elsewhere": substitutions.rate_positions,
    "moves": substitutions.rate_trading_fielders,
    "moves-to": substitutions.rate_new_positions,
    "removed": substitutions.rate_forced_substitutes,
    "mulligan": card_prices.rate_mulligan,
    "to-bottom": card_decisions.rate_discards,
    "over-limit": card_decisions.rate_discards,
    "discard": card_decisions.rate_discards,
    "pay": card_decisions.rate_discards,
    "recover": card_decisions.rate_recovered_cards,
    "search": card_decisions.rate_recovered_cards,
    "which-runner": card_decisions.rate_helped_runners,
}
"""Raters by the code of an ask. Menus and cards are handled in `rate_answers`."""


USUAL_ANSWERS: Mapping[str, str] = {
    "defence": "pitch",
    "walk": "pitch",
    "infield": "back",
    "offence": "swing",
    "changes": "no-change",
    **dict.fromkeys(("extra-base", "tag-up", "ground", "send-home"), "stay"),
    "take-back": "leave",
    "bunt-again": "swing",
}
"""Answers that use up nothing, by ask. Of substitutes and cards to give away only the order is known."""

THROW_ASKS = ("throw-at", "throw-or-batter", "double-play")  # Asks whose answers all use up nothing.


class ClutchManager:
    """Manager of either seat in a game or a series."""

    def __init__(self, study: WinExpectancyModel, strength: Strength) -> None:
        self.model, self.style = study, STYLES_BY_STRENGTH[strength]
        self.prices = CardPrices(self.style.card_price)

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        if isinstance(ask, ArrangeView):
            return [WeighedAnswer(pregame.choose_arrangement(self.model, ask), pregame.EVEN_CHANCE, 1.0)]
        assert isinstance(ask, ChooseView), ask
        rated = self.rate_answers(view, ask)
        legal = {one.value for one in ask.options}
        rated = {code: worth for code, worth in rated.items() if code in legal}
        if not rated:
            rated = rate_equally((ask.options[0].value,), pregame.EVEN_CHANCE)
        weighed = [WeighedAnswer(code, min(1.0, max(0.0, win)), 0.0, why) for code, (win, why) in rated.items()]
        return self.with_shares(with_fitting_reasons(weighed))

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        """See `Manager`. A hand of real cards is not known: only a dealt one is secret."""
        if not isinstance(ask, ChooseView) or not can_rebuild_position(view):
            return ()
        if ask.why in THROW_ASKS:
            return [one.value for one in ask.options]
        if ask.why.startswith("cards-"):
            return ("pass",) if ask.secret else ()
        return [USUAL_ANSWERS[ask.why]] if ask.why in USUAL_ANSWERS else ()

    def with_shares(self, weighed: Sequence[WeighedAnswer]) -> Sequence[WeighedAnswer]:
        style = self.style
        if not style.temperature or len(weighed) < 2:
            return greedy_policy(weighed)
        usual = any(one.value in DEFAULT_ANSWERS for one in weighed)
        seen = [one.win - style.min_menu_gain * (usual and one.value not in DEFAULT_ANSWERS) for one in weighed]
        top = max(seen)
        weights = [math.exp((win - top) / style.temperature) if win > top - style.max_loss else 0.0 for win in seen]
        return [replace(one, share=weight / sum(weights)) for one, weight in zip(weighed, weights, strict=True)]

    def rate_answers(self, view: TableView, ask: ChooseView) -> RatedAnswers:
        if ask.why in PREGAME_ASKS:
            return pregame.rate_pregame_choice(self.model, ask)
        options = [one.value for one in ask.options]
        if not can_rebuild_position(view):
            return rate_first_hand(self.model, view, ask, options)
        found = position_from_view(view, self.model.box, self.model.house)
        turn = AskContext(found, PositionJudge(self.model, found.side), ask)
        if ask.why in RATERS_BY_ASK:
            return RATERS_BY_ASK[ask.why](turn)
        if ask.why.startswith("cards-"):
            return card_decisions.rate_playable_cards(turn, self.prices)
        match ask.why:
            case "defence":
                return rate_defense_menu(turn)
            case "changes":
                return with_offense_substitutions(turn, {"no-change": (turn.baseline_probability, "")})
            case "offence":
                return rate_offense_menu(turn)
            case "take-back":
                return card_decisions.rate_taking_back(turn, self.prices)
            case "either":
                return card_decisions.rate_either_effect(turn, self.prices)
            case "blank":
                return card_decisions.rate_blank_card(turn)
        return rate_equally((one for one in options if one not in ASK_PREFERENCE_ANSWERS), turn.baseline_probability)


def with_fitting_reasons(weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    """Remove reasons that fit only a better answer: only one starter is the best rested."""
    top: dict[str, float] = {}
    for one in weighed:
        top[one.reason] = max(one.win, top.get(one.reason, 0.0))
    return [one if one.win == top[one.reason] else replace(one, reason="") for one in weighed]


def rate_first_hand(
    study: WinExpectancyModel, view: TableView, ask: ChooseView, options: Sequence[str]
) -> RatedAnswers:
    if ask.why == "mulligan":
        cards = view.scoreboard.panel["hands"] or {}
        held = cards[ask.seat]["cards"] if ask.seat in cards else []
        names = [card["name"] for card in held] if isinstance(held, list) else []
        poor = bool(names) and sum(card_prices.card_usefulness(study.box, name) for name in names) / len(names) < 0.5
        return {"keep": (0.5, ""), "mulligan": (0.51 if poor else 0.47, "")}
    if all(name in study.box.strategies for name in options):
        return {name: (0.5 - card_prices.card_usefulness(study.box, name) / 100, "") for name in options}
    return rate_equally((one for one in options if one not in ASK_PREFERENCE_ANSWERS), pregame.EVEN_CHANCE)


def rate_defense_menu(turn: AskContext) -> RatedAnswers:
    rated: RatedAnswers = {"pitch": (turn.baseline_probability, "")}
    kinds = {
        "new-pitcher": substitutions.rate_pitching_change,
        "replace": substitutions.rate_fielder_change,
        "positions": substitutions.rate_position_trade,
    }
    for code, kind in kinds.items():
        if code in turn.answer_codes:
            rated[code] = kind(turn)
    if "walk" in turn.answer_codes:
        rated["walk"] = (fielding.walk_value(turn), fielding.walk_reason(turn.state))
    return {code: worth for code, worth in rated.items() if worth[0] > -1}


def with_offense_substitutions(turn: AskContext, rated: RatedAnswers) -> RatedAnswers:
    for code, kind in (
        ("pinch-hitter", substitutions.rate_pinch_hitting),
        ("pinch-runner", substitutions.rate_pinch_running),
    ):
        if code in turn.answer_codes:
            rated[code] = kind(turn)
    return {code: worth for code, worth in rated.items() if worth[0] > -1}


def rate_offense_menu(turn: AskContext) -> RatedAnswers:
    rated: RatedAnswers = {"swing": (turn.baseline_probability, "")}
    if any(code in turn.answer_codes for code in STEAL_TRIES):
        rated |= batting.rate_steals(turn)
    if "bunt" in turn.answer_codes:
        rated["bunt"] = (batting.bunt_value(turn.judge, turn.state) - batting.MIN_PLAY_GAIN, "Move the runner up.")
    return with_offense_substitutions(turn, rated)
