"""Cards of this at-bat that come back to the hand after a pinch hitter or a new pitcher (3.9.A, CL-201 to CL-203)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.asks import Choose
from engine.games.clutch.cards.effects import Effect
from engine.games.clutch.numbers.conditions import Sight, holds
from engine.games.clutch.state import Played, Standing, State, Step
from engine.games.clutch.strategy_cards import apply, hands
from engine.games.clutch.strategy_cards.playable import tags_for
from engine.seats import Seat

OF_ROLL = ("reroll", "twice", "face")  # Verbs whose effect may wait for a roll.


def at_stake(s: State, side: Seat) -> Mapping[Played, bool]:
    """Return the cards that the other manager may get back if this side changes the batter or the pitcher now, each
    with whether it applies as things stand. There are none once the pitch is thrown.
    """
    if s.at.pitch_natural is not None or s.at.bunt is not None:
        return {}
    return {one: applies(s, one) for one in s.at.played if one.side != side and waits(s, one)}


def settle(s: State, before: Mapping[Played, bool]) -> Step[None]:
    """Return cards after a pinch hitter or a new pitcher; `before` are those that were `at_stake`.

    One that no longer applies comes back by itself, whatever it has done already; one that still does if its owner
    likes, unless it has drawn, looked at or changed anything (AM-04).
    """
    for one, applied in before.items():
        if not waits(s, one):
            continue  # It was left on the player who is gone.
        if applied and not applies(s, one):
            give_back(s, one)
        elif untouched(s, one):
            facts = {"team": s.team(one.side), "card": one.name}
            answer = yield Choose(s.chair(one.side), "take-back", ("leave", "take-back"), facts)
            if answer == "take-back":
                give_back(s, one)


def waits(s: State, played: Played) -> bool:
    """True if something that a card of this at-bat does is still to come. It is not if the card was negated."""
    follows = any((one.source, one.side) == (played.name, played.side) for one in s.pending)
    return follows or any(began(s, played, one) for one in s.standing)


def untouched(s: State, played: Played) -> bool:
    """True if everything that a card of this at-bat does is still to come."""
    begun = {one.effect.text for one in s.standing if began(s, played, one)}

    def to_come(effect: Effect) -> bool:
        if effect.verb == "if":
            return all(map(to_come, (*effect.then, *effect.otherwise)))
        return effect.verb in (*apply.STANDS, "immune") or (effect.verb in OF_ROLL and effect.text in begun)

    return all(map(to_come, s.box.card(played.kind, played.name).play.do))


def began(s: State, played: Played, one: Standing) -> bool:
    """True if an effect in force comes from this card, played in this at-bat."""
    return (one.source, one.side, one.number) == (played.name, played.side, s.number)


def applies(s: State, played: Played) -> bool:
    """True if the conditions of a card hold now, and those of at least one of its effects, as if it were played now."""
    play = s.box.card(played.kind, played.name).play
    sight = Sight(s, played.side, tags_for(s, played.side, played.window, frozenset()), source=played.name)
    used, s.uses = s.uses, hands.without(s.uses, (played.name, s.half, s.number))
    fits = not play.conditions or holds(play.conditions, sight)
    works = not play.do or any(_works(one, sight) for one in play.do)
    s.uses = used
    return fits and works


def _works(effect: Effect, sight: Sight) -> bool:
    met = not effect.when or holds(effect.when, sight)
    if effect.verb == "if":
        return any(_works(one, sight) for one in (effect.then if met else effect.otherwise))
    return met


def give_back(s: State, played: Played) -> None:
    """Return a card to the hand, and a coach to the other coaches (AM-42); what it cost stays paid."""
    side, name = played.side, played.name
    if s.house["returnedCardCountsAsPlayed"] == "false":
        s.now(played=tuple(one for one in s.at.played if one != played))
    s.standing = tuple(one for one in s.standing if not began(s, played, one))
    if kept := [one for one in s.kept if (one.name, one.side) == (name, side)]:
        s.kept = tuple(one for one in s.kept if one is not kept[-1])
    s.uses = hands.without(s.uses, (name, s.half, s.number))
    s.pending = tuple(one for one in s.pending if (one.source, one.side) != (name, side))
    squad = s.squad(side)
    if name in squad.spent:
        s.change(side, coaches=(*squad.coaches, name), spent=hands.without(squad.spent, name))
    elif played.kind == "strategy" and kept:
        hands.give(s, side, name)
    elif played.kind == "strategy" and name in squad.discard:  # Another card may have recovered it already.
        s.change(side, discard=hands.without(squad.discard, name))
        hands.give(s, side, name)
    s.tell("taken-back", seat=side, team=s.team(side), card=name)
