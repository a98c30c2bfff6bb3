"""Effects of cards on dice, results, throws and checks."""

from __future__ import annotations

from dataclasses import replace

from engine.asks import roll
from engine.dice import Die
from engine.games.clutch.cards.baseball_terms import RESULT_NAMES
from engine.games.clutch.cards.effects import Effect, Play
from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.state import Standing, State, Step
from engine.games.clutch.strategy_cards.situation import throw_result
from engine.seats import SEATS, Seat, put

# Dice ----------------------------------------------------------------------------------------------------------------


def roll_again(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Roll a die again, or twice for the better or worse, or count it as another face.

    If the die has not been rolled yet, the effect waits for it.
    """
    rolled = _rolled(s, effect.what)
    if rolled is None:
        s.standing = (*s.standing, Standing(source, side, effect, of.lasts, window, ends=s.half, number=s.number))
        return
    kind, face, chair = rolled
    new = effect.amount
    if effect.verb != "face":
        new = int((yield from roll(chair, f"again-{effect.what}", Die(kind), card=source, which=kind)))
        if effect.verb == "twice":
            new = (max if effect.of == "best" else min)(new, face)
    s.dice = (new,)
    match effect.what:
        case "pitch":
            s.now(pitch_natural=new)
        case "swing":
            s.now(swing_natural=new)
        case "bunt":
            s.now(bunt=new)
        case _ if s.throw:
            s.throw = replace(s.throw, natural=new)
            if s.throw.made is not None:
                throw_numbers.judge(s)
    s.tell("die-again", seat=side or s.defence, card=source, face=new)


def _rolled(s: State, what: str) -> tuple[str, int, Seat] | None:
    """Return a rolled die that is not settled yet: its kind, its face, and whose it is."""
    at, throw = s.at, s.throw
    if throw and throw.natural is not None and what == throw.what:
        return throw.die, throw.natural, s.chair(s.defence)
    if what == "pitch" and at.pitch_natural is not None and not at.advantage:
        return at.pitch_die, at.pitch_natural, s.chair(s.defence)
    if what == "swing" and at.swing_natural is not None and not at.result:
        return at.swing_die, at.swing_natural, s.chair(s.offence)
    if what == "bunt" and at.bunt is not None:
        return "d20", at.bunt, s.chair(s.offence)
    return None


# Results -------------------------------------------------------------------------------------------------------------


def change(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Change the result. Each manager may succeed once (CL-232, AM-40)."""
    yield from ()
    if not turnable(s, side, effect) or s.at.result == effect.to:
        return
    facts = {"from_": RESULT_NAMES[s.at.result], "to": RESULT_NAMES[effect.to]}
    s.tell("changed", seat=side or s.offence, card=source, was=s.at.result, result=effect.to, **facts)
    s.now(result=effect.to, changed=s.at.changed | ({side} if side else set()))


def turnable(s: State, side: Seat | None, effect: Effect) -> bool:
    """True if this effect may change the result (CL-186, CL-188, CL-232).

    Each manager may change it once, and nobody once it is the Outcome.
    """
    return bool(s.at.result) and not s.at.outcome and effect.about(s.at.result) and changeable(s, side)


def changeable(s: State, side: Seat | None) -> bool:
    """True if a manager may still change the result of this at-bat."""
    return side not in s.at.changed and allowed(s, "change")


def turn_throw(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Reverse the throw or check that was just settled (3.10).

    Nothing happens if there is none, or after its success has been acted on.
    """
    yield from ()
    throw = s.throw
    made = effect.to in ("out", "made")
    if throw is None or throw.made in (None, made) or throw.what != effect.verb or window == "after":
        return
    limited = s.house["changeLimitScope"] == "anyResult"
    if limited and not changeable(s, side):
        return
    s.throw = replace(throw, made=made)
    if limited and side:
        s.now(changed=s.at.changed | {side})
    facts = {"result": effect.to, "called": throw_result(s.throw)}
    s.tell("throw-changed", seat=side or s.defence, card=source, **facts)


def score_as(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Record how a play is scored."""
    yield from ()
    if effect.what == "E":
        s.errors = put(s.errors, s.defence, s.errors[SEATS.index(s.defence)] + 1)
        s.now(tags=s.at.tags | {"error"})
    s.tell("scored-as", seat=s.offence, code=effect.what, called=RESULT_NAMES.get(effect.what, effect.what))
