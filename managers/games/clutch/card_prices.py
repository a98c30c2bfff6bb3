"""Values of hands of strategy cards, and the least useful card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.games.clutch.cards.card_types import ClutchBox, StrategyCard
from engine.games.clutch.cards.effects import CardEffect
from engine.games.clutch.state import State
from engine.seats import Seat
from managers.games.clutch.ask_context import AskContext, RatedAnswers, rate_equally

HAND_CARD_WEIGHTS = (1.0, 1.0, 1.0, 1.0, 0.9, 0.75, 0.5, 0.15)
"""Value of each further card in a hand, as a share of the first. A full hand must discard what it draws."""

EXTRA_CARD_WEIGHT = 0.05  # Share of each card beyond these.


@dataclass(frozen=True)
class CardPrices:
    """Prices of cards in win probability. `card_price` is the price of an average card."""

    card_price: float

    def current_price(self, s: State) -> float:
        """Return the price of one card in an empty hand. It falls toward the end of the game."""
        halves = max(0, 18 - s.half_number) - s.outs / 3
        return self.card_price * min(1.0, max(0.15, halves / 6)) * self.run_weight(s)

    def run_weight(self, s: State) -> float:
        """Return the weight of a run. It is low in a lopsided game."""
        lead = abs(s.score[0] - s.score[1])
        return 1.0 if lead <= 3 else 0.75 if lead <= 5 else 0.4

    def hand_value(self, s: State, count: int) -> float:
        share = sum(HAND_CARD_WEIGHTS[:count]) + EXTRA_CARD_WEIGHT * max(0, count - len(HAND_CARD_WEIGHTS))
        return self.current_price(s) * share

    def extra_cards_value(self, s: State, side: Seat, count: int, spared: int = 0) -> float:
        """Return the value of `count` more cards (negative for fewer) to a side that has given away `spared` before."""
        held = max(0, s.squad(side).held - spared)
        return self.hand_value(s, max(0, held + count)) - self.hand_value(s, held)


def card_usefulness(box: ClutchBox, name: str) -> float:
    """Return the usefulness of a card, 1 on average. It depends on the effects and on how rarely it can be played."""
    card = box.strategies.get(name)
    if card is None:
        return 1.0
    if card.blank or not card.play.do:
        return 0.8
    worth = sum(_effect_usefulness(one) for one in card.play.do) + 0.15 * len(card.play.success)
    worth -= 0.5 * sum(cost.count for cost in card.play.cost)
    return max(0.1, worth * _opportunity_share(card))


def _opportunity_share(card: StrategyCard) -> float:
    windows = {one.window for one in card.play.when}
    share = 1.0
    if windows and windows <= {"steal", "bunt", "bunt-roll", "try"}:
        share = 0.5
    elif windows and windows <= {"throw", "throw-roll", "throw-result", "check", "check-roll", "check-result"}:
        share = 0.6
    elif windows <= {"card"}:
        share = 0.7
    elif windows <= {"end", "half", "game"}:
        share = 0.9
    if card.play.clutch:
        share *= 0.75
    if card.play.conditions:
        share *= 0.8
    return share


_USEFULNESS_BY_VERB = {
    "reroll": 1.2,
    "twice": 1.3,
    "face": 2.0,
    "change": 1.8,
    "try": 1.2,
    "throw": 1.3,
    "check": 0.8,
    "negate": 1.0,
    "recover": 0.9,
    "search": 1.3,
    "look": 0.1,
    "innings": 0.9,
    "advance": 1.2,
    "out": 1.5,
    "advantage": 1.8,
    "mistake": 0.9,
    "die": 0.9,
}


def _effect_usefulness(effect: CardEffect) -> float:
    match effect.verb:
        case "mod":
            return min(3, abs(effect.amount) or 2) * 0.5
        case "draw":
            return effect.amount * 0.6 if effect.whose in ("", "my", "offense", "defense") else 0.0
        case "if" | "either" | "call":
            return 0.7
    return _USEFULNESS_BY_VERB.get(effect.verb, 0.4)


def rate_spare_cards(turn: AskContext, options: Sequence[str]) -> RatedAnswers:
    """Rate the cards of the hand to give away. The least useful one is best."""
    box = turn.state.box
    if any(name not in box.strategies for name in options):
        return rate_equally(options, turn.baseline_probability)
    held = [one.peek() for one in turn.state.squad(turn.side).hand]
    rated: RatedAnswers = {}
    for name in options:
        again = held.count(name) - 1
        keep = card_usefulness(box, name) * _lateness_factor(turn.state, name) - 0.05 * again
        rated[name] = (min(1.0, max(0.0, turn.baseline_probability - keep * 0.01)), "It's our most expendable card.")
    return rated


def _lateness_factor(s: State, name: str) -> float:
    """Return 0.3 for a card that only draws, from the eighth inning, else 1."""
    late = s.clock.inning >= 8
    draws = all(one.verb in ("draw", "look", "recover", "search") for one in s.box.strategies[name].play.do)
    return 0.3 if late and draws else 1.0


def rate_mulligan(turn: AskContext) -> RatedAnswers:
    held = [one.peek() for one in turn.state.squad(turn.side).hand]
    poor = bool(held) and sum(card_usefulness(turn.state.box, name) for name in held) / len(held) < 0.5
    return {"keep": (0.5, ""), "mulligan": (0.5 + (0.01 if poor else -0.03), "")}
