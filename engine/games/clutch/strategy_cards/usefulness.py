"""Whether a card would do anything if it were played now, and whether now is the time to ask about it."""

from __future__ import annotations

from engine.games.clutch.cards.effects import Effect, Play
from engine.games.clutch.numbers.modifiers import OF_MANAGER
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards import card_effects, hands
from engine.seats import Seat, other

AT_BAT = ("at-bat", "roll", "throw")
"""How long an effect lasts that is over with the at-bat."""

OF_PITCH = ("pitch_roll", "pitch", "command", "on_base", "x_zone")
OF_SWING = ("swing_roll", "swing")

OF_CARDS = ("draw", "discard", "look", "recover", "search", "bottom", "shuffle")
"""What cards do with cards: that is the same at any at-bat."""


# Whether it does anything --------------------------------------------------------------------------------------------


def useful(s: State, side: Seat, play: Play, window: str) -> bool:
    """Whether one of its effects can come to something, or what follows on its success or failure."""
    short = play.lasts.unit in AT_BAT and not play.leave
    follows = any(_does(s, side, one, short=False) for one in (*play.success, *play.failure))
    return follows or not play.do or any(_does(s, side, one, short) for one in play.do)


def _does(s: State, side: Seat, effect: Effect, short: bool) -> bool:
    match effect.verb:
        case "draw":
            # Nothing is shuffled in for it (CL-079).
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


# Whether now is the time ---------------------------------------------------------------------------------------------


def timely(s: State, side: Seat, play: Play, window: str) -> bool:
    """Whether a card that would do something is to be asked about now; who is asked about another may play it too.

    Of cards for the start of an at-bat those that have nothing to do with it are asked about once in a half-inning, and
    again where cards were played in the last at-bat; what helps runners, once there are some; what keeps a pitcher
    fresh, once he needs it. One of several half-innings is not asked about at every batter.
    """
    if window != "at-bat":
        return True
    anew = not s.turns or _played(s)
    if play.lasts.unit == "half" and not anew and not fresh(s):
        return False
    effects = (*play.do, *play.success, *play.failure)
    return any(_now(s, side, one, anew) for one in effects) if effects else anew


def _now(s: State, side: Seat, effect: Effect, anew: bool) -> bool:
    if effect.verb in OF_CARDS or effect.what in OF_MANAGER:
        return anew
    if effect.verb == "either":
        return any(_now(s, side, one, anew) for one in (*effect.then, *effect.otherwise))
    if effect.verb == "innings" and effect.amount > 0:
        return anew or pitcher_record.left(s.arm, s.house) <= (0 if s.house["ipCardUntires"] == "true" else 2)
    if effect.verb == "mod" and effect.what in ("br", "st"):
        runs = {"my": s.offence, "their": s.defence}.get(effect.whose, side)
        return runs == side and any(s.bases)
    return True


def _played(s: State) -> bool:
    """Somebody has played a card in the last at-bat of this half-inning: hands are not what they were."""
    cards = (s.box.strategies, s.box.coaches)
    return any((half, at) == (s.half, s.number - 1) and any(one in some for some in cards) for one, half, at in s.uses)


def fresh(s: State) -> bool:
    """Somebody is on base, and before the last batter nobody was: he alone is there."""
    on = [one.name for one in s.bases if one]
    return on == [s.turns[-1].batter]
