"""The cards that a manager may play in a window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.games.clutch.cards import blank_cards
from engine.games.clutch.cards.card_types import ClutchBox, CoachCard, StrategyCard
from engine.games.clutch.cards.effects import RESULT_GROUPS, WINDOW_TAGS, CardEffect, CardTrigger
from engine.games.clutch.numbers.conditions import SideView, are_conditions_met
from engine.games.clutch.numbers.modifiers import is_allowed
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards import card_effects, hands, play_effects
from engine.identity_cache import cache_by_identity
from engine.seats import Seat
from engine.secrets import SealedValue

PLAYABLE_AT_BAT = {"offense": (True,), "defense": (False,), "hitting": (True,), "pitching": (False,)}
"""Whether cards of a side and coaches of a kind are playable at bat (True) or in the field. Others always are."""


def card_by_name(s: State, side: Seat, name: str) -> StrategyCard | CoachCard:
    return s.box.coaches[name] if name in s.squad(side).coaches else s.box.strategies[name]


def playable_cards(s: State, side: Seat, name: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the cards that a manager may play in a window, by side, trigger, conditions, costs and limits."""
    squad = s.squads[side == "home"]
    hand = squad.hand if s.dealt else hands.possible_hand(s, side)
    found = _cards_by_window(hand, squad.coaches, s.box).get((name, s.offense == side))
    if not found:
        return ()
    seen = tags_for(s, side, name, current_tags(s, name, tags))
    return tuple([card.name for card in found if is_playable(s, side, card, name, seen)])


@cache_by_identity
def _cards_by_window(
    hand: tuple[SealedValue[str] | str, ...], coaches: tuple[str, ...], box: ClutchBox
) -> Mapping[tuple[str, bool], list[StrategyCard | CoachCard]]:
    """Index the distinct cards of a hand and the coaches by window and by whether the side is at bat (True)."""
    names = dict.fromkeys([one.peek() if isinstance(one, SealedValue) else one for one in hand])
    cards: list[StrategyCard | CoachCard] = [box.strategies[one] for one in names]
    cards += [box.coaches[one] for one in coaches]
    found: dict[tuple[str, bool], list[StrategyCard | CoachCard]] = {}
    for card in cards:
        windows = card.play.windows or (WINDOW_TAGS if isinstance(card, StrategyCard) and card.blank else ())
        for bats in PLAYABLE_AT_BAT.get(card.side if isinstance(card, StrategyCard) else card.kind, (True, False)):
            for window in windows:
                found.setdefault((window, bats), []).append(card)
    return found


def is_playable(s: State, side: Seat, card: StrategyCard | CoachCard, name: str, tags: frozenset[str]) -> bool:
    """True if a card of `_cards_by_window` may be played now. `tags` are the window's as its manager sees them."""
    play, blank_card = card.play, isinstance(card, StrategyCard) and card.blank
    if not has_matching_trigger(play.when, name, tags) and not (blank_card and not play.when):
        return False
    if (card.name, side) in [(one.name, one.side) for one in s.at.played] or (play.clutch and not s.is_clutch_moment):
        return False
    if isinstance(card, StrategyCard) and not is_allowed(s, "cards", side, card.side):
        return False
    if not can_pay(s, side, card):
        return False
    if blank_card:
        return bool(blank_cards.possible_phrases(name, tags, s.offense == side))
    sight = SideView(s, side, tags, source=card.name)
    return (not play.conditions or are_conditions_met(play.conditions, sight)) and all(
        is_possible(s, side, one) for one in play.do
    )


def has_matching_trigger(when: tuple[CardTrigger, ...], name: str, tags: frozenset[str]) -> bool:
    """True if a trigger matches this window (CL-026)."""
    return any(one.is_met_in(name, tags) for one in when if one.window == name)


def can_pay(s: State, side: Seat, card: StrategyCard | CoachCard) -> bool:
    """True if the manager can pay the card's costs with his other cards (CL-217)."""
    if not card.play.cost:
        return True
    held = hands.possible_hand(s, side)
    free = s.hand_size(side)
    if isinstance(card, StrategyCard):
        held, free = hands.without_one(held, card.name), free - 1
    for cost in card_effects.ordered_costs(card.play):
        if cost.verb == "discard":
            free -= cost.count
            will_do = hands.cards_of_side(s, held, cost.side)[: cost.count]
            if free < 0 or (s.dealt and len(will_do) < cost.count):
                return False
            for name in will_do:
                held = hands.without_one(held, name)
        if cost.verb == "mill" and s.cards_left(side) < cost.count:
            return False
    return True


def is_possible(s: State, side: Seat, effect: CardEffect) -> bool:
    """True if an effect may be tried now. A manager changes a result once (CL-186, CL-232), only from what the card
    names, and not after it is the Outcome (CL-188). Only the other manager negates a card.
    """
    trial = effect.trial
    if trial and trial.call == "throw" and not play_effects.runner_name(s, trial.runner):
        return False
    match effect.verb:
        case "change" | "try":
            return play_effects.can_effect_change_result(s, side, effect)
        case "advance" | "out" if effect.what == "batter" and s.at.result and not s.at.outcome:
            return play_effects.may_change_result(s, side)
        case "throw" | "check":
            settled = s.throw is not None and s.throw.made is not None and s.throw.roll_kind == effect.verb
            return settled and (s.house["changeLimitScope"] == "atBatResult" or play_effects.may_change_result(s, side))
        case "negate":
            return s.playing not in (None, side) and not s.negated
    return True


def result_tags(s: State, code: str) -> frozenset[str]:
    """Return a result and its groups. A hit batter counts as walked too, unless a house rule says no (CL-289)."""
    walked = code == "HBP" and s.house["hbpIsWalk"] == "true"
    return frozenset(
        {code, *(("BB",) if walked else ()), *(name for name, codes in RESULT_GROUPS.items() if code in codes)}
    )


def current_tags(s: State, name: str, tags: Iterable[str]) -> frozenset[str]:
    """Return the current tags of a window, in which cards may have changed a result."""
    throw = s.throw
    if name == "result":
        return result_tags(s, s.at.result)
    if throw and name in ("throw-result", "check-result"):
        made, failed = ("out", "safe") if name == "throw-result" else ("made", "failed")
        return frozenset(tags) | {made if throw.made else failed}
    return frozenset(tags)


def tags_for(s: State, side: Seat, name: str, tags: frozenset[str]) -> frozenset[str]:
    """Return the tags as a manager sees them, with "mine" if his side acts, or else "theirs"."""
    acting = s.defense if name == "enter" and tags & {"pitcher", "fielder"} else s.offense
    if name == "card" and s.playing:
        acting = s.playing
    return tags | {"mine" if acting == side else "theirs"}
