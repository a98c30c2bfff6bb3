"""Effects of cards on cards (draw, discard, look, recover, search, shuffle), and payment for a card."""

from __future__ import annotations

from collections.abc import Mapping

from engine.asks import Choose, Draw, Secret, ask_secretly, choose
from engine.games.clutch.cards.effects import CardCost, CardEffect, CardRules
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import hands
from engine.seats import Seat, opposite_seat
from engine.secrets import SealedValue


def affected_sides(s: State, side: Seat | None, whose: str) -> tuple[Seat, ...]:
    me = side or s.offense
    found: Mapping[str, tuple[Seat, ...]] = {
        "their": (opposite_seat(me),),
        "offense": (s.offense,),
        "defense": (s.defense,),
        "both": (s.defense, s.offense),
    }
    return found.get(whose, (me,))


def draw_cards(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> Step[None]:
    """Draw cards, even with a full hand (CL-077)."""
    for whose in affected_sides(s, side, effect.whose):
        yield from hands.draw_from_deck(s, whose, effect.amount)


def discard_cards(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    """Discard `amount` cards (0 for all), or all there are (CL-219, AM-47)."""
    for whose in affected_sides(s, side, effect.whose):
        count = min(effect.amount or s.hand_size(whose), s.hand_size(whose))
        for left in range(count, 0, -1):
            if s.dealt and not hands.cards_of_side(s, hands.possible_hand(s, whose), effect.what):
                break
            if effect.of == "random":
                yield from hands.discard_at_random(s, whose, effect.what)
            else:
                yield from hands.discard_by_choice(s, whose, "discard", left, effect.what, card=source)


def look_at_cards(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    me = side or s.offense
    chair = s.chair(me)
    (whose,) = affected_sides(s, side, effect.whose)
    s.emit("looks", seat=me, team=s.team_name(me), what=effect.what, whose=s.team_name(whose))
    if not s.dealt:
        return
    if effect.what == "hand":
        seen = hands.possible_hand(s, whose)
    else:
        while len(s.squad(whose).top) < effect.amount and s.squad(whose).deck:
            squad = s.squad(whose)
            card = yield from ask_secretly(Draw(chair, "draw", squad.deck, {"team": s.team_name(whose)}))
            s.update_squad(whose, deck=hands.without_one(squad.deck, card.peek()), top=(*squad.top, card))
        seen = tuple(card.peek() for card in s.squad(whose).top[: effect.amount])
    facts = {
        "cards": SealedValue(chair, list(seen), -1),
        "what": effect.what,
        "team": s.team_name(me),
        "whose": s.team_name(whose),
    }
    yield Secret(Choose(chair, "looked", ("seen",), facts))


def recover_cards(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    """Return cards from the owner's discard pile to his hand, but never coaches (CL-054)."""
    me = side or s.offense
    for _ in range(effect.amount):
        pile = s.squad(me).discard
        names = hands.cards_of_side(s, tuple(dict.fromkeys(pile)), effect.what)
        if not names:
            return
        name = yield from choose(s.chair(me), "recover", names, team=s.team_name(me), card=source)
        s.update_squad(me, discard=hands.without_one(pile, name))
        hands.add_to_hand(s, me, name)
        s.emit("recovers", seat=me, team=s.team_name(me), card=name)


def search_deck(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> Step[None]:
    """Take cards of the owner's choice from his deck. Only he knows which real cards he took."""
    me = side or s.offense
    count = min(effect.amount, s.cards_left(me))
    for _ in range(count if s.dealt else 0):
        deck = s.squad(me).deck
        names = hands.cards_of_side(s, tuple(sorted(set(deck))), effect.what)
        if not names:
            break
        card = yield from ask_secretly(Choose(s.chair(me), "search", names, {"team": s.team_name(me), "card": source}))
        s.update_squad(me, deck=hands.without_one(deck, card.peek()), hand=(*s.squad(me).hand, card))
    if not s.dealt:
        s.update_squad(me, held=s.squad(me).held + count)
    s.emit("searches", seat=me, team=s.team_name(me), count=count)


def put_under_deck(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    for whose in affected_sides(s, side, effect.whose):
        yield from hands.put_on_bottom(s, whose, effect.amount)


def shuffle_deck(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Shuffle a deck, so that nobody knows its top or bottom cards."""
    for whose in affected_sides(s, side, effect.whose):
        squad = s.squad(whose)
        known = tuple(card.peek() for card in (*squad.top, *squad.bottom))
        s.update_squad(whose, deck=(*squad.deck, *known), top=(), bottom=())


def ordered_costs(of: CardRules) -> list[CardCost]:
    """Return the costs of a card. Those that only some cards can pay come first, so that others do not use these up."""
    return sorted(of.cost, key=lambda cost: not cost.side)


def pay_costs(s: State, side: Seat, of: CardRules) -> Step[list[tuple[str, str]]]:
    """Pay the costs of a card (CL-217). Returns the verb of each cost, and the card that it took or ""."""
    paid = []
    for cost in ordered_costs(of):
        for left in range(cost.count, 0, -1):
            name = ""
            match cost.verb:
                case "discard" if cost.how == "random":
                    name = yield from hands.discard_at_random(s, side, cost.side)
                case "discard":
                    name = yield from hands.discard_by_choice(
                        s, side, "pay", left, cost.side, card=s.at.played[-1].name
                    )
                case "mill":
                    name = yield from hands.discard_top_card(s, side)
                case "skip":
                    s.update_squad(side, skips=s.squad(side).skips + 1)
            paid.append((cost.verb, name))
    return paid


def return_costs(s: State, side: Seat, paid: list[tuple[str, str]]) -> None:
    """Return the costs of a negated card: cards to the hand, or to the top of the deck they came from (AM-46).

    A card that is no longer on the discard pile stays where it is.
    """
    for verb, name in reversed(paid):
        squad = s.squad(side)
        if verb == "skip":
            s.update_squad(side, skips=max(0, squad.skips - 1))
        elif name in squad.discard:
            s.update_squad(side, discard=hands.without_one(squad.discard, name))
            if verb == "discard":
                hands.add_to_hand(s, side, name)
            elif s.dealt:
                s.update_squad(side, top=(SealedValue(s.chair(side), name, -1), *squad.top))
            s.emit("taken-back", seat=side, team=s.team_name(side), card=name)
