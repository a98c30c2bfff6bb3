"""What cards in force make of a number, a die, or what may be done (3.9.B, AM-26).

One number is made in this order: what is printed, what a hand brings, what the rules add; then each manager's cards,
added up and capped; then the stadium and the weather.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.games.clutch.cards.effects import Effect
from engine.games.clutch.numbers.conditions import Person, fits, holds
from engine.games.clutch.numbers.context import Sight
from engine.games.clutch.state import Player, Standing, State
from engine.seats import SEATS, Seat

CAP = 3
"""How far one manager's cards may move a number in one direction (CL-209)."""

OF_OFFENCE = frozenset({"on_base", "swing_roll", "swing", "br", "st", "bunt_roll", "bunt_target"})
"""Numbers of the side at bat; "my" and "their" of a card ask whose they are. Of the others the defence has most."""

OF_MANAGER = frozenset({"hand_limit", "draw"})
"""Numbers that each manager has."""


def in_force(s: State, verb: str, what: str = "", name: str = "", side: Seat | None = None) -> Iterator[Standing]:
    """The effects of this verb that hold now, in the order in which they came. `name` is the player whose number it is,
    where it is one player's; `side` the manager, where it is one's own."""
    for one in s.standing:
        effect = one.effect
        if effect.verb == verb and what in ("", effect.what) and _applies(s, one, name, side):
            yield one


def _applies(s: State, one: Standing, name: str, side: Seat | None) -> bool:
    effect = one.effect
    if one.lasts.unit == "next-at-bat":
        return False
    owner = side
    if owner is None:
        owner = s.offence if effect.what in OF_OFFENCE else s.defence
    if one.side and effect.whose == "my" and one.side != owner:
        return False
    if one.side and effect.whose == "their" and one.side == owner:
        return False
    if one.side and not effect.whose and side is not None and one.side != side:
        return False
    whose = s.defence if effect.what == "defense" else s.offence
    if one.on and one.on not in ([(whose, name)] if name else _facing(s)):
        return False
    if switched_off(s, one.source):
        return False
    sight = Sight(s, one.side or s.offence, name=name)
    if one.who and not any(fits(one.who, person) for person in _concerned(sight, effect.what)):
        return False
    return not effect.when or holds(effect.when, sight)


def _facing(s: State) -> tuple[Player, Player]:
    """The batter and the pitcher."""
    return (s.offence, s.squad(s.offence).batter), (s.defence, s.squad(s.defence).pitcher)


def _concerned(sight: Sight, what: str) -> tuple[Person, ...]:
    """Whose number it is: the player who is asked about, else whoever has it now."""
    if sight.name:
        return (sight.person(sight.name, fields=what == "defense"),)
    if what in ("unit", "throw", "throw_roll", "check", "check_roll"):
        return sight.involved
    return (sight.batter,) if what in OF_OFFENCE else (sight.pitcher,)


def switched_off(s: State, source: str) -> bool:
    """Whether a card has the stadium, the weather or the strategy card of this name count for nothing."""
    names: tuple[str, ...] = ("weather",) if source == s.weather else ("stadium",) if source == s.stadium else ()
    if card := s.box.strategies.get(source):
        names = ("cards", f"{card.side} cards")
    off = [one for one in s.standing if one.effect.verb == "ignore" and one.effect.what in names]
    return any(one.source != source and one.lasts.unit != "next-at-bat" for one in off)


def capped(s: State, amounts: Sequence[tuple[Seat | None, int]]) -> int:
    """What these changes of one number come to: each manager's, capped, then those that are nobody's (AM-26, AM-45)."""
    if not amounts:
        return 0
    if s.house["cap"] == "none":
        return sum(amount for _, amount in amounts)
    total = 0
    for side in (*SEATS, None):
        mine = [amount for owner, amount in amounts if owner == side]
        if side is None and s.house["capCountsStadium"] == "false":
            total += sum(mine)
            continue
        most, least = _bounds(s, mine)
        if s.house["capMode"] == "net":
            total += max(least, min(most, sum(mine)))
        else:
            total += min(most, sum(amount for amount in mine if amount > 0))
            total += max(least, sum(amount for amount in mine if amount < 0))
    return total


def _bounds(s: State, amounts: Sequence[int]) -> tuple[int, int]:
    """The most and the least they may come to; a single card may be exempt."""
    if s.house["capSingleCard"] == "true":
        return CAP, -CAP
    return max(CAP, *amounts, 0), min(-CAP, *amounts, 0)


def added(s: State, what: str, to: tuple[str, ...] = (), name: str = "", side: Seat | None = None) -> int:
    """What cards add to a number; `to` are the places an effect may be meant for, where it names one."""
    if not s.standing:
        return 0
    found = [one for one in in_force(s, "mod", what, name, side) if not to or one.effect.to in to]
    return capped(s, [(one.side, one.effect.amount) for one in found])


def number(s: State, what: str, built: int, name: str = "", side: Seat | None = None) -> int:
    """A number with all cards in force: `built` is what it is without them. A card may say what it is instead."""
    return changed(s, what, name, side)(built)


def changed(s: State, what: str, name: str = "", side: Seat | None = None) -> Callable[[int], int]:
    """What all cards in force make of a number, whatever it is without them."""
    if not s.standing:
        return int
    to = None
    for one in in_force(s, "set", what, name, side):
        to = one.effect.amount
    more = added(s, what, name=name, side=side)
    return lambda built: (built if to is None else to) + more


def die(s: State, roll: str, usual: str = "d20") -> str:
    """The die for a roll: the usual one unless a card says otherwise; the last card counts."""
    kind = usual
    for one in in_force(s, "die", roll):
        kind = one.effect.of
    return kind


def allowed(s: State, what: str, side: Seat | None = None, of: str = "") -> bool:
    """Whether no card in force forbids it; one that allows it, played later, lifts that. `side` is the manager who
    wants to, and `of` the kind of card he wants to play, where that matters."""
    may = True
    for one in s.standing:
        effect = one.effect
        if effect.verb not in ("allow", "forbid") or effect.what != what or effect.of not in ("", of):
            continue
        if one.lasts.unit == "next-at-bat" or switched_off(s, one.source):
            continue
        if side and one.side and effect.whose and (effect.whose == "my") != (one.side == side):
            continue
        if not effect.when or holds(effect.when, Sight(s, one.side or s.offence)):
            may = effect.verb == "allow"
    return may


def held(s: State, name: str) -> bool:
    """Whether a card in force has a runner stay where he is."""
    return any(in_force(s, "hold", name=name))


def ignored(s: State, what: str, of: str = "") -> bool:
    """Whether a card in force has this count for nothing: "handedness", where it matters `of` "batter" or "pitcher"."""
    return any(one.effect.of in ("", of) for one in in_force(s, "ignore", what))


def last(s: State, verb: str, what: str = "") -> Effect | None:
    """The last effect of this verb in force."""
    found = None
    for one in in_force(s, verb, what):
        found = one.effect
    return found
