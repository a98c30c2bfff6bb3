"""Decisions about strategy cards: play or pass, take back, and choices that a card offers."""

from __future__ import annotations

from engine.games.clutch.cards.effects import CardEffect
from engine.games.clutch.state import State
from managers.games.clutch import substitutions
from managers.games.clutch.ask_context import (
    ASK_PREFERENCE_ANSWERS,
    AskContext,
    RatedAnswers,
    prefer_first,
    rate_equally,
)
from managers.games.clutch.card_prices import CardPrices, card_usefulness, rate_spare_cards
from managers.games.clutch.cards import CardJudge


def rate_playable_cards(turn: AskContext, prices: CardPrices) -> RatedAnswers:
    s, window = turn.state, turn.ask.why.removeprefix("cards-")
    play = CardJudge(turn.judge, prices, window)
    rated: RatedAnswers = {"pass": (_pass_value(turn, play, window), "")}
    if turn.position.panel["cards"] is None or turn.position.panel["hands"][turn.ask.seat]["real"] is not None:
        return rated  # The seat's real cards are unknown.
    for name in turn.answer_codes:
        if name in ASK_PREFERENCE_ANSWERS or name == "pass":
            continue
        if name == "new-pitcher" and name not in s.box.strategies:
            rated[name] = substitutions.rate_pitching_change(turn)
        elif name == "pinch-hitter" and name not in s.box.strategies:
            rated[name] = substitutions.rate_pinch_hitting(turn)
        else:
            kind = "coach" if name in s.squad(turn.side).coaches else "strategy"
            if name not in (s.box.coaches if kind == "coach" else s.box.strategies):
                continue
            card = s.box.playable_card(kind, name)
            if window == "card":
                rated[name] = (_negation_value(turn, play, name), "That card would hurt.")
            else:
                rated[name] = (play.card_value(s, turn.side, card), _card_reason(s, window, card.play.do))
    return rated


def _pass_value(turn: AskContext, play: CardJudge, window: str) -> float:
    """Return the win probability without a card. A pending card of the other side takes effect."""
    s = turn.state
    if window == "card" and s.at.played and s.at.played[-1].side != turn.side:
        one = s.at.played[-1]
        card = s.box.playable_card(one.kind, one.name)
        play.window = one.window
        return play.effects_value(s, one.side, one.name, card.play.do, card.play)
    return play.win_probability(s)


def _negation_value(turn: AskContext, play: CardJudge, name: str) -> float:
    """Return the win probability after a response that negates the last card."""
    s = turn.state
    card = s.box.playable_card("coach" if name in s.squad(turn.side).coaches else "strategy", name)
    price = play.card_price(s, turn.side, name) + play.playing_cost(s, turn.side, card.play)
    if any(one.verb == "negate" for one in card.play.do):
        if s.house["negatedCostReturned"] == "true" and s.at.played:
            last = s.at.played[-1]
            costs = s.box.playable_card(last.kind, last.name).play.cost
            back = sum(cost.count for cost in costs if cost.verb != "mill")
            price += play.prices.extra_cards_value(s, last.side, back)
        return play.win_probability(s) - price
    return _pass_value(turn, play, "card") - price * 0.5


def _card_reason(s: State, window: str, effects: tuple[CardEffect, ...]) -> str:
    verbs = {one.verb for one in effects}
    if verbs and verbs <= {"draw", "recover", "search", "look", "discard"}:
        return "A good moment for new cards."
    if window in ("result", "throw-result"):
        return "We have to change that play."
    if s.is_clutch_moment:
        return "This is the moment for it."
    return "It helps here."


def rate_taking_back(turn: AskContext, prices: CardPrices) -> RatedAnswers:
    s = turn.state
    names = turn.mentioned_names(one.name for one in s.at.played if one.side == turn.side)
    if not names:
        return {"leave": (turn.baseline_probability, ""), "take-back": (turn.baseline_probability - 0.001, "")}
    without = s.copy()
    without.standing = tuple(one for one in s.standing if (one.source, one.side) != (names[0], turn.side))
    price = CardJudge(turn.judge, prices, "before-pitch").card_price(s, turn.side, names[0])
    return {
        "leave": (turn.baseline_probability, "It still helps."),
        "take-back": (turn.judge.win_probability(without) + price, "It is worth more later."),
    }


def rate_either_effect(turn: AskContext, prices: CardPrices) -> RatedAnswers:
    s = turn.state
    play = CardJudge(turn.judge, prices, _last_card_window(turn))
    for name in turn.mentioned_names((*s.box.strategies, *s.box.coaches)):
        card = s.box.strategies.get(name) or s.box.coaches[name]
        for effect in (*card.play.do, *card.play.success, *card.play.failure):
            if effect.verb == "either":
                ways = {"first": effect.then, "second": effect.otherwise}
                return {
                    code: (play.effects_value(s, turn.side, name, way, card.play), "") for code, way in ways.items()
                }
    return rate_equally(turn.answer_codes, turn.baseline_probability)


def _last_card_window(turn: AskContext) -> str:
    """Return the window of the seat's last card in this at-bat, or "half"."""
    mine = [one.window for one in turn.state.at.played if one.side == turn.side]
    return mine[-1] if mine else "half"


def rate_blank_card(turn: AskContext) -> RatedAnswers:
    """Rate the effects to claim for a blank card. The manager claims only small ones."""
    return prefer_first(sorted(turn.answer_codes, key=lambda one: one != "nothing"), turn.baseline_probability)


def rate_recovered_cards(turn: AskContext) -> RatedAnswers:
    return {
        name: (
            min(1.0, turn.baseline_probability + card_usefulness(turn.state.box, name) / 50),
            "The most useful of them.",
        )
        for name in turn.answer_codes
    }


def rate_helped_runners(turn: AskContext) -> RatedAnswers:
    """Rate the runners whom a card may help. The lead runner is best."""
    s = turn.state
    on = {one.name: at for at, one in enumerate(s.bases) if one}
    return {
        name: (turn.baseline_probability + on.get(name, 0) / 10000, "He is the one who would run.")
        for name in turn.answer_codes
    }


def rate_discards(turn: AskContext) -> RatedAnswers:
    return rate_spare_cards(turn, turn.answer_codes)
