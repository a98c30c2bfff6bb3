"""Return of this at-bat's cards to the hand after a pinch hitter or new pitcher (3.9.A, CL-201 to CL-203)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.asks import Choose
from engine.games.clutch.cards.effects import CardEffect
from engine.games.clutch.numbers.conditions import SideView, are_conditions_met
from engine.games.clutch.state import EffectInForce, PlayedCard, State, Step
from engine.games.clutch.strategy_cards import apply, hands
from engine.games.clutch.strategy_cards.playable import tags_for
from engine.seats import Seat

ROLL_VERBS = ("reroll", "twice", "face")  # Their effect may wait for a roll.


def returnable_cards(s: State, side: Seat) -> Mapping[PlayedCard, bool]:
    """Return the cards that the other manager may get back if this side changes the batter or the pitcher now, each
    with whether it applies at present. There are none after the pitch.
    """
    if s.at.pitch_natural is not None or s.at.bunt is not None:
        return {}
    return {one: is_applicable(s, one) for one in s.at.played if one.side != side and has_pending_effect(s, one)}


def return_cards(s: State, before: Mapping[PlayedCard, bool]) -> Step[None]:
    """Return cards after a pinch hitter or a new pitcher. `before` are the earlier `returnable_cards`.

    A card that no longer applies is returned, whatever it has done already. Its owner may take back one that still
    applies, unless it has drawn, looked at or changed anything (AM-04).
    """
    for one, applied in before.items():
        if not has_pending_effect(s, one):
            continue  # It was left on the player who is gone.
        if applied and not is_applicable(s, one):
            return_to_owner(s, one)
        elif is_untouched(s, one):
            facts = {"team": s.team_name(one.side), "card": one.name}
            answer = yield Choose(s.chair(one.side), "take-back", ("leave", "take-back"), facts)
            if answer == "take-back":
                return_to_owner(s, one)


def has_pending_effect(s: State, played: PlayedCard) -> bool:
    """True if part of a card's effect is still to come and the card was not negated."""
    follows = any((one.source, one.side) == (played.name, played.side) for one in s.pending)
    return follows or any(is_from_card(s, played, one) for one in s.standing)


def is_untouched(s: State, played: PlayedCard) -> bool:
    """True if a card of this at-bat has had no effect yet."""
    begun = {one.effect.text for one in s.standing if is_from_card(s, played, one)}

    def is_to_come(effect: CardEffect) -> bool:
        if effect.verb == "if":
            return all(map(is_to_come, (*effect.then, *effect.otherwise)))
        return effect.verb in (*apply.LASTING_VERBS, "immune") or (effect.verb in ROLL_VERBS and effect.text in begun)

    return all(map(is_to_come, s.box.playable_card(played.kind, played.name).play.do))


def is_from_card(s: State, played: PlayedCard, one: EffectInForce) -> bool:
    """True if an effect in force comes from this card, played in this at-bat."""
    return (one.source, one.side, one.number) == (played.name, played.side, s.number)


def is_applicable(s: State, played: PlayedCard) -> bool:
    """True if the conditions of a card and of at least one of its effects hold, as if it were played now."""
    play = s.box.playable_card(played.kind, played.name).play
    sight = SideView(s, played.side, tags_for(s, played.side, played.window, frozenset()), source=played.name)
    used, s.uses = s.uses, hands.without_one(s.uses, (played.name, s.half_number, s.number))
    fits = not play.conditions or are_conditions_met(play.conditions, sight)
    works = not play.do or any(_is_effect_applicable(one, sight) for one in play.do)
    s.uses = used
    return fits and works


def _is_effect_applicable(effect: CardEffect, sight: SideView) -> bool:
    met = not effect.when or are_conditions_met(effect.when, sight)
    if effect.verb == "if":
        return any(_is_effect_applicable(one, sight) for one in (effect.then if met else effect.otherwise))
    return met


def return_to_owner(s: State, played: PlayedCard) -> None:
    """Return a card to the hand, or a coach to the other coaches (AM-42). Its cost stays paid."""
    side, name = played.side, played.name
    if s.house["returnedCardCountsAsPlayed"] == "false":
        s.update_at_bat(played=tuple(one for one in s.at.played if one != played))
    s.standing = tuple(one for one in s.standing if not is_from_card(s, played, one))
    if kept := [one for one in s.kept if (one.name, one.side) == (name, side)]:
        s.kept = tuple(one for one in s.kept if one is not kept[-1])
    s.uses = hands.without_one(s.uses, (name, s.half_number, s.number))
    s.pending = tuple(one for one in s.pending if (one.source, one.side) != (name, side))
    squad = s.squad(side)
    if name in squad.spent:
        s.update_squad(side, coaches=(*squad.coaches, name), spent=hands.without_one(squad.spent, name))
    elif played.kind == "strategy" and kept:
        hands.add_to_hand(s, side, name)
    elif played.kind == "strategy" and name in squad.discard:  # Another card may have recovered it already.
        s.update_squad(side, discard=hands.without_one(squad.discard, name))
        hands.add_to_hand(s, side, name)
    s.emit("taken-back", seat=side, team=s.team_name(side), card=name)
