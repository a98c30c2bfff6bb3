"""Which cards a manager may play in a window, which of them would do something, and which are a reason to ask him."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.clutch.cards import blank_cards
from engine.games.clutch.cards.card_types import Coach, Strategy
from engine.games.clutch.cards.effects import GROUPS, Effect, Play, Trigger
from engine.games.clutch.numbers.conditions import Sight, holds
from engine.games.clutch.numbers.modifiers import OF_MANAGER, allowed
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards import card_effects, hands, play_effects
from engine.seats import Seat, other


def card_of(s: State, side: Seat, name: str) -> Strategy | Coach:
    """Return the strategy card that a manager holds, or his coach, by its name."""
    return s.box.coaches[name] if name in s.squad(side).coaches else s.box.strategies[name]


def playable(s: State, side: Seat, name: str, tags: frozenset[str]) -> tuple[str, ...]:
    """Return the cards a manager may play in a window: color, trigger, conditions, costs and limits are met."""
    seen = tags_for(s, side, name, tags)
    found: list[Strategy | Coach] = [s.box.strategies[one] for one in dict.fromkeys(hands.names(s, side))]
    found += [s.box.coaches[one] for one in s.squad(side).coaches]
    return tuple(card.name for card in found if fits(s, side, card, name, seen))


def fits(s: State, side: Seat, card: Strategy | Coach, name: str, tags: frozenset[str]) -> bool:
    """True if a card may be played in a window; `tags` are the window's as the card's manager sees them."""
    play, blank_card = card.play, isinstance(card, Strategy) and card.blank
    if not triggered(play.when, name, tags) and not (blank_card and not play.when):
        return False
    if any(one.name == card.name and one.side == side for one in s.at.played) or (play.clutch and not s.clutch):
        return False
    turns = {"offense": s.offence, "defense": s.defence, "hitting": s.offence, "pitching": s.defence}
    if turns.get(card.side if isinstance(card, Strategy) else card.kind, side) != side:
        return False
    if isinstance(card, Strategy) and not allowed(s, "cards", side, card.side):
        return False
    if not payable(s, side, card) or not useful(s, side, play, name):
        return False
    if blank_card:
        return bool(blank_cards.phrases(name, tags, s.offence == side))
    sight = Sight(s, side, tags, source=card.name)
    return (not play.conditions or holds(play.conditions, sight)) and all(possible(s, side, one) for one in play.do)


def triggered(when: tuple[Trigger, ...], name: str, tags: frozenset[str]) -> bool:
    """True if one of the triggers names this window (CL-026)."""
    return any(one.fits(name, tags) for one in when)


def payable(s: State, side: Seat, card: Strategy | Coach) -> bool:
    """True if the manager can pay the card's costs with his other cards (CL-217)."""
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


def result_tags(code: str) -> frozenset[str]:
    """Return a result and the groups it belongs to."""
    return frozenset({code, *(name for name, codes in GROUPS.items() if code in codes)})


def current_tags(s: State, name: str, tags: Iterable[str]) -> frozenset[str]:
    """Return the tags of a window as things stand now: cards may have changed a result in it."""
    throw = s.throw
    if name == "result":
        return result_tags(s.at.result)
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


AT_BAT = ("at-bat", "roll", "throw")  # Units of effects that end with the at-bat.

OF_PITCH = ("pitch_roll", "pitch", "command", "on_base", "x_zone")
OF_SWING = ("swing_roll", "swing")

OF_CARDS = ("draw", "discard", "look", "recover", "search", "bottom", "shuffle")
"""Effects on cards, which are the same at any at-bat."""


def useful(s: State, side: Seat, play: Play, window: str) -> bool:
    """True if one of the card's effects can change something, or what follows its success or failure can."""
    short = play.lasts.unit in AT_BAT and not play.leave
    follows = any(_does(s, side, one, short=False) for one in (*play.success, *play.failure))
    return follows or not play.do or any(_does(s, side, one, short) for one in play.do)


def _does(s: State, side: Seat, effect: Effect, short: bool) -> bool:
    match effect.verb:
        case "draw":
            # The discard pile is not shuffled in (CL-079).
            return any(s.left(whose) for whose in card_effects.sides(s, side, effect.whose))
        case "recover":
            return bool(hands.of_side(s, s.squad(side).discard, effect.what))
        case "search":
            return bool(hands.of_side(s, s.squad(side).deck, effect.what) if s.dealt else s.left(side))
        case "look" if effect.what == "hand":
            return bool(s.holds(other(side)))
        case "look":
            return any(s.left(whose) for whose in card_effects.sides(s, side, effect.whose))
        case "either" | "if":
            return any(_does(s, side, one, short) for one in (*effect.then, *effect.otherwise))
        case "mod" | "set" if short and not s.throw:
            if effect.what in ("br", "st"):
                return any(s.bases)
            settled = s.at.result if effect.what in OF_SWING else s.at.swing_natural is not None
            return effect.what not in (*OF_PITCH, *OF_SWING) or not settled
    return True


def timely(s: State, side: Seat, play: Play, window: str) -> bool:
    """True if a useful card is a reason to ask its manager now; if he is asked for another reason, he may play it too.

    Cards for the start of an at-bat that have nothing to do with it are a reason once in a half-inning, and after an
    at-bat in which cards were played. Cards that help runners need runners, and cards that keep a pitcher fresh need a
    tiring one. A card that lasts several half-innings is not a reason at every batter.
    """
    if window != "at-bat":
        return True
    hands_changed = not s.turns or _played(s)
    if play.lasts.unit == "half" and not hands_changed and not fresh(s):
        return False
    effects = (*play.do, *play.success, *play.failure)
    return any(_now(s, side, one, hands_changed) for one in effects) if effects else hands_changed


def _now(s: State, side: Seat, effect: Effect, hands_changed: bool) -> bool:
    if effect.verb in OF_CARDS or effect.what in OF_MANAGER:
        return hands_changed
    if effect.verb == "either":
        return any(_now(s, side, one, hands_changed) for one in (*effect.then, *effect.otherwise))
    if effect.verb == "innings" and effect.amount > 0:
        return hands_changed or pitcher_record.left(s.arm, s.house) <= (0 if s.house["ipCardUntires"] == "true" else 2)
    if effect.verb == "mod" and effect.what in ("br", "st"):
        runs = {"my": s.offence, "their": s.defence}.get(effect.whose, side)
        return runs == side and any(s.bases)
    return True


def _played(s: State) -> bool:
    """True if a card was played in the last at-bat of this half-inning, so that hands have changed."""
    cards = (s.box.strategies, s.box.coaches)
    return any((half, at) == (s.half, s.number - 1) and any(one in some for some in cards) for one, half, at in s.uses)


def fresh(s: State) -> bool:
    """True if the last batter is the only runner on base."""
    on = [one.name for one in s.bases if one]
    return on == [s.turns[-1].batter]
