"""Which cards would do something now, and which of them are a reason to ask their manager."""

from __future__ import annotations

from engine.games.clutch.cards.effects import Effect, Play
from engine.games.clutch.numbers.modifiers import OF_MANAGER
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards import card_effects, hands
from engine.seats import Seat, other

AT_BAT = ("at-bat", "roll", "throw")
"""Units of effects that end with the at-bat."""

OF_PITCH = ("pitch_roll", "pitch", "command", "on_base", "x_zone")
OF_SWING = ("swing_roll", "swing")

OF_CARDS = ("draw", "discard", "look", "recover", "search", "bottom", "shuffle")
"""Effects on cards, which are the same at any at-bat."""


# Does it do anything? ------------------------------------------------------------------------------------------------


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


# Is now the time? ----------------------------------------------------------------------------------------------------


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
