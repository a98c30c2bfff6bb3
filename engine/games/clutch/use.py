"""Whether a card would do anything if it were played now: nobody is asked about one that would not."""

from __future__ import annotations

from engine.games.clutch.effects import Effect, Play
from engine.games.clutch.state import State
from engine.seats import Seat, other

AT_BAT = ("at-bat", "roll", "throw")
"""How long an effect lasts that is over with the at-bat."""

OF_PITCH = ("pitch_roll", "pitch", "command", "on_base", "x_zone")
OF_SWING = ("swing_roll", "swing")


def useful(s: State, side: Seat, play: Play, window: str) -> bool:
    """Whether one of its effects can come to something; what follows on success or failure may always.

    A card of several half-innings that is played as an at-bat begins is offered once in each, and when runners come on.
    """
    if window == "at-bat" and play.lasts.unit == "half" and s.turns and not fresh(s):
        return False
    short = play.lasts.unit in AT_BAT and not play.leave
    return bool(play.success or play.failure) or not play.do or any(_does(s, side, one, short) for one in play.do)


def fresh(s: State) -> bool:
    """Somebody is on base, and before the last batter nobody was: he alone is there."""
    on = [one.name for one in s.bases if one]
    return on == [s.turns[-1].batter]


def _does(s: State, side: Seat, effect: Effect, short: bool) -> bool:
    match effect.verb:
        case "recover":
            return bool(s.squad(side).discard)
        case "search":
            return bool(s.left(side))
        case "look" if effect.what == "hand":
            return bool(s.holds(other(side)))
        case "mod" | "set" if short and not s.throw:
            if effect.what in ("br", "st"):
                return any(s.bases)
            settled = s.at.result if effect.what in OF_SWING else s.at.swing_natural is not None
            return effect.what not in (*OF_PITCH, *OF_SWING) or not settled
    return True
