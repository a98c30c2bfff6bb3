"""Decks, hands and discard piles of strategy cards (3.2.D, Gl. DRAW, DISCARD, HAND). Dealt hands are sealed for their
owners. Of real hands only the size is known. A real card is named when it is played or discarded.
"""

from __future__ import annotations

from typing import Any

from engine.asks import Choose, Draw, Secret, ask_secretly, ask_together, choose
from engine.games.clutch.numbers.modifiers import card_bonus
from engine.games.clutch.state import CardInPlay, State, Step, T
from engine.identity_cache import cache_by_identity
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue

# A real card that is not in the deck file. It can be drawn and discarded, but not played.
ANOTHER_CARD = "another-card"

OPENING_HAND_SIZE = 5  # Cards (CL-070).
HAND_LIMIT = 7  # Cards that may be held at a pitch (CL-076).


def draw_from_deck(s: State, side: Seat, count: int) -> Step[int]:
    """Draw cards from the top of the deck, and return their number (CL-079, CL-080)."""
    if skipped := min(count, s.squad(side).skips):
        s.update_squad(side, skips=s.squad(side).skips - skipped)
    drawn = min(count - skipped, s.cards_left(side))
    if not s.dealt:
        s.update_squad(side, held=s.squad(side).held + drawn)
    for _ in range(drawn if s.dealt else 0):
        yield from _draw_top_card(s, side, keeps=True)
    if drawn:
        s.emit("draws", seat=side, team=s.team_name(side), count=drawn)
    return drawn


def _draw_top_card(s: State, side: Seat, keeps: bool = False) -> Step[SealedValue[str]]:
    """Draw the top card, first of those looked at, then of the deck, then of its bottom. It is kept if `keeps`."""
    squad, chair = s.squad(side), s.chair(side)
    left: dict[str, tuple[str | SealedValue[str], ...]] = {"top": squad.top[1:]}
    if squad.top:
        card = SealedValue(chair, squad.top[0].peek(), -1)
    else:
        pile = squad.deck or tuple(one.peek() for one in squad.bottom)
        card = yield from ask_secretly(Draw(chair, "draw", pile, {"team": s.team_name(side)}))
        name = card.peek()
        left = {"deck": without_one(squad.deck, name)} if squad.deck else {"bottom": _cards_without(squad.bottom, name)}
    s.update_squad(side, **left, hand=(*squad.hand, card) if keeps else squad.hand)
    return card


def without_one(names: tuple[T, ...], name: T) -> tuple[T, ...]:
    """Return the names without one copy of `name`."""
    at = names.index(name)
    return names[:at] + names[at + 1 :]


def _cards_without(cards: tuple[SealedValue[str], ...], name: str) -> tuple[SealedValue[str], ...]:
    at = next(i for i, card in enumerate(cards) if card.peek() == name)
    return (*cards[:at], *cards[at + 1 :])


def possible_hand(s: State, side: Seat) -> tuple[str, ...]:
    """Return the cards that may be in a hand. With real cards these are all of the deck that are not in sight."""
    squad = s.squads[side == "home"]
    if s.dealt:
        return tuple([card.peek() for card in squad.hand])
    return _unseen_cards(squad.deck, squad.discard, s.kept, side) if squad.held else ()


@cache_by_identity
def _unseen_cards(
    deck: tuple[str, ...], discard: tuple[str, ...], kept: tuple[CardInPlay, ...], side: Seat
) -> tuple[str, ...]:
    """Return the cards of a real deck that are in the hand or still to be drawn, since they are not in sight."""
    left = deck
    for name in (*discard, *(one.name for one in kept if one.side == side and one.kind == "strategy")):
        left = without_one(left, name) if name in left else left
    return left


def cards_of_side(s: State, names: tuple[str, ...], side: str) -> tuple[str, ...]:
    """Return the strategy cards of "offense", "defense" or "neutral" among `names`, or all of them for ""."""
    cards = s.box.strategies
    return tuple(name for name in names if not side or (name in cards and cards[name].side == side))


def card_texts(s: State, names: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of these strategy cards, for a manager who has to give one up."""
    return {name: s.box.reads["strategy", name] for name in names if ("strategy", name) in s.box.reads}


def remove_from_hand(s: State, side: Seat, name: str) -> None:
    squad = s.squad(side)
    if s.dealt:
        s.update_squad(side, hand=_cards_without(squad.hand, name))
    else:
        s.update_squad(side, held=squad.held - 1)


def add_to_hand(s: State, side: Seat, name: str) -> None:
    """Add a card that everybody knows to the hand (CL-201)."""
    squad = s.squad(side)
    if s.dealt:
        s.update_squad(side, hand=(*squad.hand, SealedValue(s.chair(side), name, -1)))
    else:
        s.update_squad(side, held=squad.held + 1)


def deal_hands(s: State) -> Step[None]:
    """Deal the opening hands, with the mulligans of both managers at once (CL-070 to CL-074)."""
    for side in SEATS:
        yield from draw_from_deck(s, side, OPENING_HAND_SIZE)
    taken = dict.fromkeys(SEATS, 0)
    open_sides = list(SEATS)
    most = int(s.house["maxMulligans"])
    if not most:
        return
    while open_sides:
        asks = [_mulligan_ask(s, side, taken[side]) for side in open_sides]
        given = yield from ask_together(*asks)
        for side in tuple(open_sides):
            answer = given[s.chair(side)]
            if (answer.peek() if isinstance(answer, SealedValue) else answer) == "keep":
                open_sides.remove(side)
                continue
            taken[side] += 1
            s.emit("mulligan", seat=side, team=s.team_name(side), count=taken[side])
            squad = s.squad(side)
            if s.dealt:
                s.update_squad(side, deck=(*squad.deck, *possible_hand(s, side)), hand=())
                yield from draw_from_deck(s, side, OPENING_HAND_SIZE)
            if taken[side] == most:
                open_sides.remove(side)
    for side in SEATS:
        yield from put_on_bottom(s, side, taken[side])


def _mulligan_ask(s: State, side: Seat, taken: int) -> Choose | Secret:
    ask = Choose(
        s.chair(side),
        "mulligan",
        ("keep", "mulligan"),
        {"team": s.team_name(side), "taken": taken, "hand": visible_hand(s, side)},
    )
    return Secret(ask) if s.dealt else ask


def visible_hand(s: State, side: Seat) -> Any:
    """Return a hand as its owner may see it (sealed cards, or the number of real ones)."""
    squad = s.squad(side)
    return squad.hand if s.dealt else squad.held


def put_on_bottom(s: State, side: Seat, count: int) -> Step[None]:
    """Have a manager put cards of his choice on the bottom of his deck, in random order (CL-072, AM-18)."""
    count = min(count, s.hand_size(side))
    if not s.dealt:
        s.update_squad(side, held=s.squad(side).held - count)
        return
    for left in range(count, 0, -1):
        mine = tuple(dict.fromkeys(possible_hand(s, side)))
        facts = {"team": s.team_name(side), "count": left, "notes": card_texts(s, mine)}
        ask = Choose(s.chair(side), "to-bottom", mine, facts)
        card = yield from ask_secretly(ask)
        remove_from_hand(s, side, card.peek())
        s.update_squad(side, bottom=(*s.squad(side).bottom, card))


def enforce_hand_limit(s: State) -> Step[None]:
    """Have both managers discard down to the limit before a pitch or a bunt (CL-076 to CL-078, AM-20)."""
    for side in (s.defense, s.offense):
        most = max(0, HAND_LIMIT + card_bonus(s, "hand_limit", side=side))
        while s.hand_size(side) > most:
            yield from discard_by_choice(s, side, "over-limit", s.hand_size(side) - most)


def discard_by_choice(s: State, side: Seat, why: str, count: int, of: str = "", **facts: Any) -> Step[str]:
    """Have a manager discard a card of his choice, of one side if `of` is set, and return its name (CL-219, CL-220)."""
    options = cards_of_side(s, tuple(dict.fromkeys(possible_hand(s, side))), of)
    if not s.dealt:
        options = (*options, ANOTHER_CARD)
    facts = {"team": s.team_name(side), "count": count, "notes": card_texts(s, options), **facts}
    ask = Choose(s.chair(side), why, options, facts)
    if s.dealt:
        name = s.reveal((yield from ask_secretly(ask)))
    else:
        name = yield from choose(ask.seat, why, options, **facts)
    return _discard_from_hand(s, side, name)


def discard_at_random(s: State, side: Seat, of: str = "") -> Step[str]:
    """Have a manager discard a random card, of one side if `of` is set, and return its name."""
    options = cards_of_side(s, possible_hand(s, side), of)
    if s.dealt:
        name = s.reveal((yield from ask_secretly(Draw(s.chair(side), "lose", options, {"team": s.team_name(side)}))))
    else:
        name = yield from choose(s.chair(side), "lost", (*dict.fromkeys(options), ANOTHER_CARD), team=s.team_name(side))
    return _discard_from_hand(s, side, name)


def discard_top_card(s: State, side: Seat) -> Step[str]:
    """Discard the top card of a deck and return its name, "" if none is left. A real one has to be named."""
    if not s.cards_left(side):
        return ""
    if s.dealt:
        card = yield from _draw_top_card(s, side)
        name = s.reveal(card) if card.n >= 0 else card.peek()
    else:
        squad = s.squad(side)
        options = (*dict.fromkeys(_unseen_cards(squad.deck, squad.discard, s.kept, side)), ANOTHER_CARD)
        name = yield from choose(s.chair(side), "milled", options, team=s.team_name(side))
    add_to_discard_pile(s, side, name)
    s.emit("discards", seat=side, team=s.team_name(side), card=name)
    return name


def _discard_from_hand(s: State, side: Seat, name: str) -> str:
    remove_from_hand(s, side, name)
    add_to_discard_pile(s, side, name)
    s.emit("discards", seat=side, team=s.team_name(side), card=name)
    return name


def add_to_discard_pile(s: State, side: Seat, name: str) -> None:
    """Put a card on its owner's discard pile (CL-218)."""
    s.update_squad(side, discard=(*s.squad(side).discard, name))
