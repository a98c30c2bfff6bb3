"""Effects of cards on dice, results, throws and checks, runners, the batter and the pitcher."""

from __future__ import annotations

from dataclasses import replace

from engine.asks import roll
from engine.diamond import place
from engine.dice import Die
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, RESULT_NAMES
from engine.games.clutch.cards.effects import Effect, Play
from engine.games.clutch.numbers import bunt_numbers, pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.numbers.rolls import COUNTS, again, die_name, short_need
from engine.games.clutch.records import score_book
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import Player, Standing, State, Step
from engine.games.clutch.strategy_cards.situation import throw_result
from engine.seats import SEATS, Seat, put


def roll_again(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Roll a die again, or twice for the better or worse, or count it as another face. If the die has not been rolled
    yet, the effect waits for it.
    """
    rolled = _rolled(s, effect.what)
    if rolled is None:
        s.standing = (*s.standing, Standing(source, side, effect, of.lasts, window, ends=s.half, number=s.number))
        return
    kind, face, chair = rolled
    new = effect.amount
    if effect.verb != "face":
        team = s.team(s.offence if chair == s.chair(s.offence) else s.defence)
        counts = COUNTS[effect.of if effect.verb == "twice" else ""]
        facts = {"team": team, "card": source, "which": die_name(kind), "counts": counts}
        facts["again"] = again(effect.what, _wins(s, effect.what, kind))
        new = int((yield from roll(chair, f"again-{effect.what}", Die(kind), **facts)))
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


def _wins(s: State, what: str, kind: str) -> str:
    """Return the faces that win when a die is rolled again, for a title."""
    match what:
        case "pitch":
            return pitch_numbers.needed(s, kind).wins
        case "swing":
            return swing_numbers.odds(s).wins
        case "bunt":
            return short_need(*bunt_numbers.down(s))
    return throw_numbers.needed(s).wins


def change(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Change the result. Each manager may succeed once (CL-232, AM-40)."""
    if not turnable(s, side, effect) or s.at.result == effect.to:
        return
    facts = {"from_": RESULT_NAMES[s.at.result], "to": RESULT_NAMES[effect.to]}
    s.tell("changed", seat=side or s.offence, card=source, was=s.at.result, result=effect.to, **facts)
    s.now(result=effect.to, changed=s.at.changed | ({side} if side else set()))


def turnable(s: State, side: Seat | None, effect: Effect) -> bool:
    """True if this effect may change the result (CL-186, CL-188, CL-232). Each manager may change it once, and nobody
    once it is the Outcome.
    """
    return bool(s.at.result) and not s.at.outcome and effect.about(s.at.result) and changeable(s, side)


def changeable(s: State, side: Seat | None) -> bool:
    """True if a manager may still change the result of this at-bat."""
    return side not in s.at.changed and allowed(s, "change")


def turn_throw(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Reverse the throw or check that was just settled (3.10). Nothing happens if there is none, or after its success
    has been acted on.
    """
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


def score_as(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Record how a play is scored."""
    if effect.what == "E":
        s.errors = put(s.errors, s.defence, s.errors[SEATS.index(s.defence)] + 1)
        s.now(tags=s.at.tags | {"error"})
    s.tell("scored-as", seat=s.offence, code=effect.what, called=RESULT_NAMES.get(effect.what, effect.what))


BASES = {"first": 1, "second": 2, "third": 3}


def acting(s: State, who: str) -> Player | None:
    """Return the "batter", the "pitcher", or the "runner" nearest home; None if there is none, or for other values."""
    if who == "pitcher":
        return s.defence, s.squad(s.defence).pitcher
    name = {"batter": s.squad(s.offence).batter, "runner": runner(s, "lead")}.get(who, "")
    return (s.offence, name) if name else None


def runner(s: State, which: str) -> str:
    """Return the runner on a base, the "lead" runner (CL-375), or the "batter"; "" if there is none."""
    if which == "batter":
        return s.squad(s.offence).batter
    if which == "lead":
        return next((one.name for one in reversed(s.bases) if one is not None), "")
    one = s.bases[BASES[which] - 1] if which in BASES else None
    return one.name if one else ""


def advance(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Advance runners, as far as the next base is free; the batter reaches by an error (CL-290, CL-401)."""
    if effect.what == "batter" and not s.at.outcome:
        error = replace(effect, what="", to="E")
        if turnable(s, side, error):
            s.now(error_bases=effect.amount)
        change(s, side, source, error, of, window)
        return
    if s.outs >= 3:
        return  # The half-inning is over: nobody moves, and nothing scores (CL-155).
    which = ("third", "second", "first") if effect.what == "every" else (effect.what,)
    moved = False
    for one in which:
        found = _on(s, one)
        if found is None:
            continue
        goes = replace(found, earned=False) if effect.of == "error" else found
        moved = _move(s, found, goes, s.bases.index(found) + 1 + effect.amount, effect.of) or moved
    if moved and effect.of == "error":
        s.errors = put(s.errors, s.defence, s.errors[SEATS.index(s.defence)] + 1)
        s.now(tags=s.at.tags | {"error"})


def _on(s: State, which: str) -> Runner | None:
    """Return the runner that `which` names, if he is on a base."""
    name = runner(s, which)
    return next((one for one in s.bases if one and one.name == name), None)


def _move(s: State, runner: Runner, moved: Runner, to: int, how: str) -> bool:
    """Move a runner to a base or home; he stops behind another runner. Return True if he moved at all."""
    at = s.bases.index(runner) + 1
    to = next((base - 1 for base in range(at + 1, min(to, 3) + 1) if s.bases[base - 1]), to)
    if to == at:
        return False
    s.bases = place(s.bases, None, at)
    if how == "steal":
        score_book.credit(s, "SB", runner.name)
    if to > 3:
        if score_book.score(s, moved, rbi=not how):
            score_book.tell(s, "comes-home", [runner.name], rbi=not how, runner=runner.name)
        return True
    s.bases = place(s.bases, moved, to)
    s.tell("moves-on", seat=s.offence, runner=runner.name, base=to, on=BASE_NAMES[to - 1])
    return True


def put_out(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Put a runner out, or the batter, as on a line drive."""
    if effect.what == "batter":
        change(s, side, source, replace(effect, what="", to="LD"), of, window)
        return
    found = _on(s, effect.what)
    if found is not None and s.outs < 3:
        s.bases = place(s.bases, None, s.bases.index(found) + 1)
        score_book.put_out(s, found.name)
        facts = score_book.retired(s)
        s.tell("out-by-card", seat=s.defence, runner=found.name, card=source, outs=s.outs, **facts)


def remove(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Remove runners from the bases; they are not out."""
    for at, one in enumerate(s.bases, 1):
        if one and (effect.what == "every" or one is _on(s, effect.what)):
            s.bases = place(s.bases, None, at)
            s.tell("leaves-bases", seat=s.offence, runner=one.name, card=source)


def eject(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Take the batter or the pitcher out of the game; without a replacement it is forfeited (CL-132)."""
    if effect.what == "pitcher":
        yield from s.actions.remove(s, s.defence, s.pitcher.name)
    else:
        yield from s.actions.remove(s, s.offence, s.batter.name)


def put_on(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> None:
    """Place a runner on a base, if it is free and nobody is between."""
    found, to = _on(s, effect.of), BASES[effect.what]
    if found is None:
        return
    at = s.bases.index(found) + 1
    if not any(s.bases[base - 1] for base in range(min(at + 1, to), max(at - 1, to) + 1)):
        s.bases = place(place(s.bases, None, at), found, to)
        s.tell("moves-on", seat=s.offence, runner=found.name, base=to, on=BASE_NAMES[to - 1])
