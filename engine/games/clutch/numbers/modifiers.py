"""Effects of the cards in force on numbers, dice and permissions (3.9.B, AM-26).

A number is the printed value, handedness and bonuses of the rules. Each manager's cards are then summed and capped, and
the stadium and the weather are added last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.games.clutch.cards.effects import CardEffect
from engine.games.clutch.numbers.conditions import (
    SeenPlayer,
    SideView,
    are_conditions_met,
    current_matchup,
    is_in_effect,
    is_matching_player,
)
from engine.games.clutch.state import EffectInForce, State
from engine.seats import SEATS, Seat

MAX_CARD_CHANGE = 3  # Cap on one manager's cards in one direction (CL-209).

OFFENSE_NUMBERS = frozenset({"on_base", "swing_roll", "swing", "br", "st", "bunt_roll", "bunt_target"})
"""Numbers of the side at bat, for "my" and "their" on a card. Most others are the defense's."""

MANAGER_NUMBERS = frozenset({"hand_limit", "draw"})  # Numbers that each manager has.


def effects_in_force(
    s: State, verb: str, what: str = "", name: str = "", side: Seat | None = None
) -> Sequence[EffectInForce]:
    """Return the applicable effects of this verb, oldest first, on the player `name` and manager `side`, if given."""
    found: tuple[EffectInForce, ...] = ()
    for one in s.standing:
        effect = one.effect
        if effect.verb == verb and what in ("", effect.what) and _is_applicable(s, one, name, side):
            found += (one,)
    return found


def _is_applicable(s: State, one: EffectInForce, name: str, side: Seat | None) -> bool:
    effect = one.effect
    if one.lasts.unit == "next-at-bat":
        return False
    owner = side
    if owner is None:
        owner = s.offense if effect.what in OFFENSE_NUMBERS else s.defense
    if one.side and effect.whose == "my" and one.side != owner:
        return False
    if one.side and effect.whose == "their" and one.side == owner:
        return False
    if one.side and not effect.whose and side is not None and one.side != side:
        return False
    whose = s.defense if effect.what == "defense" else s.offense
    if one.on and one.on not in ([(whose, name)] if name else current_matchup(s)):
        return False
    if is_switched_off(s, one.source):
        return False
    sight = SideView(s, one.side or s.offense, name=name)
    if one.who and not any(is_matching_player(one.who, person) for person in _affected_players(sight, effect.what)):
        return False
    return not effect.when or are_conditions_met(effect.when, sight)


def _affected_players(sight: SideView, what: str) -> tuple[SeenPlayer, ...]:
    """Return the player in question, or else those whose number it is now."""
    if sight.name:
        return (sight.find_player(sight.name, fields=what == "defense"),)
    if what in ("unit", "throw", "throw_roll", "check", "check_roll"):
        return sight.involved_players
    return (sight.batter,) if what in OFFENSE_NUMBERS else (sight.pitcher,)


def is_switched_off(s: State, source: str) -> bool:
    """True if a card cancels the stadium, the weather or the strategy card of this name."""
    names: tuple[str, ...] = ("weather",) if source == s.weather else ("stadium",) if source == s.stadium else ()
    if card := s.box.strategies.get(source):
        names = ("cards", f"{card.side} cards")
    off = [one for one in s.standing if one.effect.verb == "ignore" and one.effect.what in names]
    return any(one.source != source and is_in_effect(s, one) for one in off)


def capped_sum(s: State, amounts: Sequence[tuple[Seat | None, int]]) -> int:
    """Sum the changes of one number, capped per manager. Changes of nobody's card are added last (AM-26, AM-45)."""
    if s.house["cap"] == "none":
        return sum(amount for _, amount in amounts)
    total = 0
    for side in (*SEATS, None):
        mine = [amount for owner, amount in amounts if owner == side]
        if side is None and s.house["capCountsStadium"] == "false":
            total += sum(mine)
            continue
        most, least = _sum_bounds(s, mine)
        if s.house["capMode"] == "net":
            total += max(least, min(most, sum(mine)))
        else:
            total += min(most, sum(amount for amount in mine if amount > 0))
            total += max(least, sum(amount for amount in mine if amount < 0))
    return total


def _sum_bounds(s: State, amounts: Sequence[int]) -> tuple[int, int]:
    """Return the upper and lower bound of the sum. A single card may be exempt."""
    if s.house["capSingleCard"] == "true":
        return MAX_CARD_CHANGE, -MAX_CARD_CHANGE
    return max(MAX_CARD_CHANGE, *amounts, 0), min(-MAX_CARD_CHANGE, *amounts, 0)


def card_bonus(s: State, what: str, to: tuple[str, ...] = (), name: str = "", side: Seat | None = None) -> int:
    """Return the bonus of cards on a number. `to` are the positions or units that an effect may name."""
    if not s.standing:
        return 0
    found = effects_in_force(s, "mod", what, name, side)
    amounts = [(one.side, one.effect.amount) for one in found if not to or one.effect.to in to] if found else []
    return capped_sum(s, amounts) if amounts else 0


def number_with_cards(s: State, what: str, built: int, name: str = "", side: Seat | None = None) -> int:
    """Return a number with all cards in force. `built` is the number without them, which a card may replace."""
    return card_adjuster(s, what, name, side)(built)


def card_adjuster(s: State, what: str, name: str = "", side: Seat | None = None) -> Callable[[int], int]:
    """Return a function that applies all cards in force to a number."""
    if not s.standing:
        return int
    to = None
    for one in effects_in_force(s, "set", what, name, side):
        to = one.effect.amount
    more = card_bonus(s, what, name=name, side=side)
    if to is None and not more:
        return int
    return lambda built: (built if to is None else to) + more


def die_with_cards(s: State, roll: str, usual: str = "d20") -> str:
    """Return the usual die for a roll unless cards change it. The last such card counts."""
    kind = usual
    for one in effects_in_force(s, "die", roll):
        kind = one.effect.of
    return kind


def is_allowed(s: State, what: str, side: Seat | None = None, of: str = "") -> bool:
    """True unless a card in force forbids it. A later card can lift that. `side` is the manager who would do it and
    `of` the kind of card he would play, if that matters.
    """
    may = True
    for one in s.standing:
        effect = one.effect
        if effect.verb not in ("allow", "forbid") or effect.what != what or effect.of not in ("", of):
            continue
        if not is_in_effect(s, one) or is_switched_off(s, one.source):
            continue
        if side and one.side and effect.whose and (effect.whose == "my") != (one.side == side):
            continue
        if not effect.when or are_conditions_met(effect.when, SideView(s, one.side or s.offense)):
            may = effect.verb == "allow"
    return may


def is_held(s: State, name: str) -> bool:
    return bool(effects_in_force(s, "hold", name=name))


def is_ignored(s: State, what: str, of: str = "") -> bool:
    """True if a card in force cancels `what`, such as "handedness". `of` is "batter" or "pitcher" if that matters."""
    return any(one.effect.of in ("", of) for one in effects_in_force(s, "ignore", what))


def last_effect(s: State, verb: str, what: str = "") -> CardEffect | None:
    found = effects_in_force(s, verb, what)
    return found[-1].effect if found else None
