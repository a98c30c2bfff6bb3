"""Which cards a manager may play in a window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.games.clutch.cards import blank_cards
from engine.games.clutch.cards.card_types import Box, Coach, Strategy
from engine.games.clutch.cards.effects import GROUPS, WINDOWS, Effect, Trigger
from engine.games.clutch.numbers.conditions import Sight, holds
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards import card_effects, hands, play_effects
from engine.identity_cache import latest
from engine.seats import Seat
from engine.secrets import Sealed

TURNS = {"offense": (True,), "defense": (False,), "hitting": (True,), "pitching": (False,)}
"""Whether strategy cards of a side, and coaches of a kind, may be played at bat; the others always may."""


def card_of(s: State, side: Seat, name: str) -> Strategy | Coach:
    """Return the strategy card that a manager holds, or his coach, by its name."""
    return s.box.coaches[name] if name in s.squad(side).coaches else s.box.strategies[name]


def playable(s: State, side: Seat, name: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the cards a manager may play in a window: color, trigger, conditions, costs and limits are met."""
    squad = s.squads[side == "home"]
    hand = squad.hand if s.dealt else hands.names(s, side)
    found = _by_window(hand, squad.coaches, s.box).get((name, s.offence == side))
    if not found:
        return ()
    seen = tags_for(s, side, name, current_tags(s, name, tags))
    return tuple([card.name for card in found if fits(s, side, card, name, seen)])


@latest
def _by_window(
    hand: tuple[Sealed[str] | str, ...], coaches: tuple[str, ...], box: Box
) -> Mapping[tuple[str, bool], list[Strategy | Coach]]:
    """Return for each window, at bat (True) or in the field, the cards that may ever be played in it: of a hand, each
    once, and the coaches.
    """
    names = dict.fromkeys([one.peek() if isinstance(one, Sealed) else one for one in hand])
    cards: list[Strategy | Coach] = [box.strategies[one] for one in names]
    cards += [box.coaches[one] for one in coaches]
    found: dict[tuple[str, bool], list[Strategy | Coach]] = {}
    for card in cards:
        windows = card.play.windows or (WINDOWS if isinstance(card, Strategy) and card.blank else ())
        for bats in TURNS.get(card.side if isinstance(card, Strategy) else card.kind, (True, False)):
            for window in windows:
                found.setdefault((window, bats), []).append(card)
    return found


def fits(s: State, side: Seat, card: Strategy | Coach, name: str, tags: frozenset[str]) -> bool:
    """True if a card of `_by_window` may be played now; `tags` are the window's as the card's manager sees them."""
    play, blank_card = card.play, isinstance(card, Strategy) and card.blank
    if not triggered(play.when, name, tags) and not (blank_card and not play.when):
        return False
    if (card.name, side) in [(one.name, one.side) for one in s.at.played] or (play.clutch and not s.clutch):
        return False
    if isinstance(card, Strategy) and not allowed(s, "cards", side, card.side):
        return False
    if not payable(s, side, card):
        return False
    if blank_card:
        return bool(blank_cards.phrases(name, tags, s.offence == side))
    sight = Sight(s, side, tags, source=card.name)
    return (not play.conditions or holds(play.conditions, sight)) and all(possible(s, side, one) for one in play.do)


def triggered(when: tuple[Trigger, ...], name: str, tags: frozenset[str]) -> bool:
    """True if one of the triggers names this window (CL-026)."""
    return any(one.fits(name, tags) for one in when if one.window == name)


def payable(s: State, side: Seat, card: Strategy | Coach) -> bool:
    """True if the manager can pay the card's costs with his other cards (CL-217)."""
    if not card.play.cost:
        return True
    held = hands.names(s, side)
    free = s.holds(side)
    if isinstance(card, Strategy):
        held, free = hands.without(held, card.name), free - 1
    for cost in card_effects.ordered(card.play):
        if cost.verb == "discard":
            free -= cost.count
            will_do = hands.of_side(s, held, cost.side)[: cost.count]
            if free < 0 or (s.dealt and len(will_do) < cost.count):
                return False
            for name in will_do:
                held = hands.without(held, name)
        if cost.verb == "mill" and s.left(side) < cost.count:
            return False
    return True


def possible(s: State, side: Seat, effect: Effect) -> bool:
    """True if an effect may be tried now. A manager changes a result once (CL-186, CL-232), only from what the card
    names, and not once it is the Outcome (CL-188). Only the other manager negates a card.
    """
    trial = effect.trial
    if trial and trial.call == "throw" and not play_effects.runner(s, trial.runner):
        return False
    match effect.verb:
        case "change" | "try":
            return play_effects.turnable(s, side, effect)
        case "advance" | "out" if effect.what == "batter" and s.at.result and not s.at.outcome:
            return play_effects.changeable(s, side)
        case "throw" | "check":
            settled = s.throw is not None and s.throw.made is not None and s.throw.what == effect.verb
            return settled and (s.house["changeLimitScope"] == "atBatResult" or play_effects.changeable(s, side))
        case "negate":
            return s.playing not in (None, side) and not s.negated
    return True


def result_tags(s: State, code: str) -> frozenset[str]:
    """Return a result and the groups it belongs to. A hit batter was walked too, unless by a house rule (CL-289)."""
    walked = code == "HBP" and s.house["hbpIsWalk"] == "true"
    return frozenset({code, *(("BB",) if walked else ()), *(name for name, codes in GROUPS.items() if code in codes)})


def current_tags(s: State, name: str, tags: Iterable[str]) -> frozenset[str]:
    """Return the tags of a window as things stand now: cards may have changed a result in it."""
    throw = s.throw
    if name == "result":
        return result_tags(s, s.at.result)
    if throw and name in ("throw-result", "check-result"):
        made, failed = ("out", "safe") if name == "throw-result" else ("made", "failed")
        return frozenset(tags) | {made if throw.made else failed}
    return frozenset(tags)


def tags_for(s: State, side: Seat, name: str, tags: frozenset[str]) -> frozenset[str]:
    """Return the tags as a manager sees them: "mine" if his side acts, else "theirs"."""
    acting = s.defence if name == "enter" and tags & {"pitcher", "fielder"} else s.offence
    if name == "card" and s.playing:
        acting = s.playing
    return tags | {"mine" if acting == side else "theirs"}
