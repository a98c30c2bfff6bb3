"""Effects of cards on cards: draw, discard, look, recover, search and shuffle; and paying for a card."""

from __future__ import annotations

from collections.abc import Mapping

from engine.asks import Choose, Draw, Secret, choose, secret
from engine.games.clutch.cards.effects import Cost, Effect, Play
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import hands
from engine.seats import Seat, other
from engine.secrets import Sealed


def sides(s: State, side: Seat | None, whose: str) -> tuple[Seat, ...]:
    """Return the managers that an effect is for."""
    me = side or s.offence
    found: Mapping[str, tuple[Seat, ...]] = {
        "their": (other(me),),
        "offense": (s.offence,),
        "defense": (s.defence,),
        "both": (s.defence, s.offence),
    }
    return found.get(whose, (me,))


def draw(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Draw cards, even with a full hand (CL-077)."""
    for whose in sides(s, side, effect.whose):
        yield from hands.draw(s, whose, effect.amount)


def discard(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Discard `amount` cards (0: all), or as many as there are (CL-219, AM-47)."""
    for whose in sides(s, side, effect.whose):
        count = min(effect.amount or s.holds(whose), s.holds(whose))
        for left in range(count, 0, -1):
            if s.dealt and not hands.of_side(s, hands.names(s, whose), effect.what):
                break
            if effect.of == "random":
                yield from hands.lose(s, whose, effect.what)
            else:
                yield from hands.discard(s, whose, "discard", left, effect.what, card=source)


def look(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Look at a hand, or at the next cards of a deck."""
    me = side or s.offence
    chair = s.chair(me)
    (whose,) = sides(s, side, effect.whose)
    s.tell("looks", seat=me, team=s.team(me), what=effect.what, whose=s.team(whose))
    if not s.dealt:
        return
    if effect.what == "hand":
        seen = hands.names(s, whose)
    else:
        while len(s.squad(whose).top) < effect.amount and s.squad(whose).deck:
            squad = s.squad(whose)
            card = yield from secret(Draw(chair, "draw", squad.deck, {"team": s.team(whose)}))
            s.change(whose, deck=hands.without(squad.deck, card.peek()), top=(*squad.top, card))
        seen = tuple(card.peek() for card in s.squad(whose).top[: effect.amount])
    facts = {"cards": Sealed(chair, list(seen), -1), "what": effect.what, "team": s.team(me), "whose": s.team(whose)}
    yield Secret(Choose(chair, "looked", ("seen",), facts))


def recover(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Return cards from the owner's discard pile to his hand; never coaches (CL-054)."""
    me = side or s.offence
    for _ in range(effect.amount):
        pile = s.squad(me).discard
        names = hands.of_side(s, tuple(dict.fromkeys(pile)), effect.what)
        if not names:
            return
        name = yield from choose(s.chair(me), "recover", names, team=s.team(me), card=source)
        s.change(me, discard=hands.without(pile, name))
        hands.give(s, me, name)
        s.tell("recovers", seat=me, team=s.team(me), card=name)


def search(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Take cards of the owner's choice from his deck; only he knows which real cards he took."""
    me = side or s.offence
    count = min(effect.amount, s.left(me))
    for _ in range(count if s.dealt else 0):
        deck = s.squad(me).deck
        names = hands.of_side(s, tuple(sorted(set(deck))), effect.what)
        if not names:
            break
        card = yield from secret(Choose(s.chair(me), "search", names, {"team": s.team(me), "card": source}))
        s.change(me, deck=hands.without(deck, card.peek()), hand=(*s.squad(me).hand, card))
    if not s.dealt:
        s.change(me, held=s.squad(me).held + count)
    s.tell("searches", seat=me, team=s.team(me), count=count)


def to_bottom(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Put cards of the hand under the deck."""
    for whose in sides(s, side, effect.whose):
        yield from hands.to_bottom(s, whose, effect.amount)


def shuffle(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Shuffle a deck: nobody knows its top or bottom cards any longer."""
    for whose in sides(s, side, effect.whose):
        squad = s.squad(whose)
        known = tuple(card.peek() for card in (*squad.top, *squad.bottom))
        s.change(whose, deck=(*squad.deck, *known), top=(), bottom=())


def ordered(of: Play) -> list[Cost]:
    """Return the costs of a card; first those that only some cards can pay, so that these are not spent on others."""
    return sorted(of.cost, key=lambda cost: not cost.side)


def pay(s: State, side: Seat, of: Play) -> Step[None]:
    """Pay what a card costs (CL-217)."""
    for cost in ordered(of):
        for left in range(cost.count, 0, -1):
            match cost.verb:
                case "discard" if cost.how == "random":
                    yield from hands.lose(s, side, cost.side)
                case "discard":
                    yield from hands.discard(s, side, "pay", left, cost.side, card=s.at.played[-1].name)
                case "mill":
                    yield from hands.mill(s, side)
                case "skip":
                    s.change(side, skips=s.squad(side).skips + 1)
