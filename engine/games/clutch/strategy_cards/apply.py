"""Cards at work: what each verb of their vocabulary does (effects.VERBS)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Prompt, choose, roll
from engine.diamond import place
from engine.dice import Die
from engine.games.clutch.cards.effects import Condition, Effect, Lasts, Play, Trial
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records import score_book
from engine.games.clutch.records.runner_sentences import BASES as STOPS
from engine.games.clutch.records.runner_sentences import CALLED
from engine.games.clutch.running import throws
from engine.games.clutch.state import Player, Runner, Standing, State, Throw
from engine.games.clutch.strategy_cards import card_moves, explain
from engine.games.clutch.strategy_cards.conditions import holds
from engine.games.clutch.strategy_cards.context import Sight
from engine.games.clutch.strategy_cards.modifiers import allowed
from engine.games.clutch.substitutions import substitutions
from engine.seats import SEATS, Seat, other, put

T = TypeVar("T")
Step = Generator[Prompt, Any, T]

STANDS = ("mod", "set", "ignore", "die", "advantage", "mistake", "switch", "alter", "forbid", "allow", "hold")
"""Verbs that are in force from now on; whoever needs them looks them up."""

OF_THROW = ("throw_roll", "throw", "check_roll", "check", "check_target", "unit", "defense")
"""Numbers of a throw or a check: changed while one is under way, they are of that one alone."""

THIS_THROW = Lasts("this throw", "throw")

BASES = {"first": 1, "second": 2, "third": 3}


def apply(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Do one effect of a card of `side` (None: the stadium's or the weather's) that was played in `window`."""
    if effect.verb in STANDS:
        yield from stand(s, side, source, effect, of, window)
    elif effect.verb == "if":
        met = holds(effect.when, Sight(s, side or s.offence, s.at.tags))
        for one in effect.then if met else effect.otherwise:
            yield from apply(s, side, source, one, of, window)
    elif not effect.when or holds(effect.when, Sight(s, side or s.offence, s.at.tags)):
        yield from DO[effect.verb](s, side, source, effect, of, window)


# What is in force from now on ----------------------------------------------------------------------------------------


def stand(
    s: State,
    side: Seat | None,
    source: str,
    effect: Effect,
    of: Play,
    window: str,
    who: tuple[Condition, ...] = (),
) -> Step[None]:
    """Note an effect for whoever needs it, or for such players alone: its amount is settled now, and so is the runner
    it is for."""
    if effect.verb == "mod" and effect.of:
        effect = replace(effect, amount=(yield from _amount(s, side, source, effect)), of="")
    lasts, on = of.lasts, None
    if of.leave:
        lasts = Lasts("while it is in play", "play")
        on = next((one.on for one in reversed(s.kept) if one.name == source and one.side == side), None)
    elif lasts.unit == "player":
        on = acting(s, "batter" if side == s.offence else "pitcher")
    elif s.throw and (effect.what in OF_THROW or effect.what in ("br", "st", "throw", "check")):
        lasts = THIS_THROW if lasts.unit in ("at-bat", "roll") else lasts
    elif effect.what in ("br", "st") and not effect.to and not who:
        on = yield from _whom(s, side, source)
    whom = effect.what if effect.verb == "hold" else effect.to if effect.what in ("br", "st") else ""
    if whom not in ("", "every"):
        name = runner(s, whom)
        if not name:
            return
        on = (s.offence, name)
    if on and not of.leave and not any((one.source, one.side, one.on) == (source, side, on) for one in s.standing):
        s.tell("is-for", seat=side or s.offence, card=source, player=on[1])
    s.standing = (*s.standing, Standing(source, side, effect, lasts, window, on, ends(s, source, lasts), who, s.number))


def ends(s: State, source: str, lasts: Lasts) -> int:
    """The half-inning with which something lapses: this one is the first, or of a coach none yet (CL-031, AM-41)."""
    if lasts.unit == "inning":
        return s.clock.inning * 2 - 1
    if lasts.unit != "half":
        return s.half
    more = source in s.box.coaches and s.house["benchCoachHalves"] == "twoFull"
    return s.half + lasts.count - 1 + more


def _amount(s: State, side: Seat | None, source: str, effect: Effect) -> Step[int]:
    """A number that the card takes from a Clutch rating (CL-161 to CL-164) or from a die."""
    sign = -1 if effect.amount < 0 else 1
    match effect.of:
        case "batter's clutch":
            return sign * s.batter.clutch
        case "pitcher's clutch":
            return sign * s.pitcher.clutch
    face = yield from roll(s.chair(side or s.defence), "card-die", Die(effect.of), card=source, which=effect.of)
    return sign * int(face)


def acting(s: State, who: str) -> Player | None:
    """The "batter", the "pitcher", or the "runner" nearest home; None where there is none, or for anything else."""
    if who == "pitcher":
        return s.defence, s.squad(s.defence).pitcher
    name = {"batter": s.squad(s.offence).batter, "runner": runner(s, "lead")}.get(who, "")
    return (s.offence, name) if name else None


def _whom(s: State, side: Seat | None, source: str) -> Step[Player | None]:
    """Which runner a speed is for, where several could be meant."""
    names = tuple(one.name for one in s.bases if one is not None)
    if len(names) < 2:
        return (s.offence, names[0]) if names else None
    return s.offence, (yield from choose(s.chair(side or s.offence), "which-runner", names, card=source))


def runner(s: State, which: str) -> str:
    """The runner on a base, or the one nearest home (CL-375); "" none."""
    if which == "batter":
        return s.squad(s.offence).batter
    if which == "lead":
        return next((one.name for one in reversed(s.bases) if one is not None), "")
    one = s.bases[BASES[which] - 1] if which in BASES else None
    return one.name if one else ""


# Dice ----------------------------------------------------------------------------------------------------------------


def again(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A die that lies there is thrown again, twice for the better or worse, or counts as another face."""
    lying = _lying(s, effect.what)
    if lying is None:
        s.standing = (*s.standing, Standing(source, side, effect, of.lasts, window, ends=s.half, number=s.number))
        return
    kind, face, chair = lying
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
                throws.judge(s)
    s.tell("die-again", seat=side or s.defence, card=source, face=new)


def _lying(s: State, what: str) -> tuple[str, int, Seat] | None:
    """The kind of a die that was rolled and is not settled yet, its face, and whose it is."""
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
    """A result becomes another; only that is a success, and each manager has but one (CL-232, AM-40)."""
    yield from ()
    if not turnable(s, side, effect) or s.at.result == effect.to:
        return
    facts = {"from_": CALLED[s.at.result], "to": CALLED[effect.to]}
    s.tell("changed", seat=side or s.offence, card=source, was=s.at.result, result=effect.to, **facts)
    s.now(result=effect.to, changed=s.at.changed | ({side} if side else set()))


def turnable(s: State, side: Seat | None, effect: Effect) -> bool:
    """Whether there is a result that this effect changes, and it may be changed: once by each manager, and not once it
    is the Outcome (CL-186, CL-188, CL-232)."""
    return bool(s.at.result) and not s.at.outcome and effect.about(s.at.result) and changeable(s, side)


def changeable(s: State, side: Seat | None) -> bool:
    """Whether a manager may still change the result of this at-bat."""
    return side not in s.at.changed and allowed(s, "change")


def attempt(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A result may become another: a check, a throw or a die decides (CL-230, CL-233)."""
    if not turnable(s, side, effect):
        return
    made = yield from trial(s, side, source, effect.trial)
    if made is None:
        return
    if made == (effect.of != "failed"):
        yield from change(s, side, source, effect, of, window)
    else:
        s.tell("unchanged", seat=side or s.offence, card=source, called=CALLED.get(s.at.result, "as it was"))


def trial(s: State, side: Seat | None, source: str, of: Trial | None) -> Step[bool | None]:
    """A check that is made, a runner that is out, or a die that is high enough; None where there is nobody to throw
    at."""
    if of is None:
        return None
    match of.call:
        case "check":
            return (yield from throws.check(s, of.unit, of.target))
        case "throw":
            name = runner(s, of.runner)
            if not name:
                return None
            base = next((i for i, one in enumerate(s.bases, 2) if one and one.name == name), 1)
            return (yield from throws.throw(s, Throw("card", of.unit, name, base, of.speed)))
    face = yield from roll(s.chair(side or s.defence), "card-die", Die(of.die), card=source, which=of.die)
    return int(face) >= of.target


def turn_throw(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """The throw or the check that was just settled turns out otherwise (3.10); where there is none, nothing does, nor
    once it is known whether it succeeded."""
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
    facts = {"result": effect.to, "called": explain.called(s.throw)}
    s.tell("throw-changed", seat=side or s.defence, card=source, **facts)


def call(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A check or a throw with what follows either way."""
    made = yield from trial(s, side, source, effect.trial)
    if made is None:
        return
    for one in effect.then if made else effect.otherwise:
        yield from apply(s, side, source, one, of, window)


# Runners -------------------------------------------------------------------------------------------------------------


def advance(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Runners move on so many bases, as far as the base is free; the batter reaches by an error (CL-290, CL-401)."""
    yield from ()
    if effect.what == "batter" and not s.at.outcome:
        error = replace(effect, what="", to="E")
        if turnable(s, side, error):
            s.now(error_bases=effect.amount)
        yield from change(s, side, source, error, of, window)
        return
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
    """The runner who is meant, if he is on a base."""
    name = runner(s, which)
    return next((one for one in s.bases if one and one.name == name), None)


def _move(s: State, runner: Runner, moved: Runner, to: int, how: str) -> bool:
    """A runner goes as far as a base, or home, but passes nobody: he stops behind him. True if he went at all."""
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
    s.tell("moves-on", seat=s.offence, runner=runner.name, base=to, on=STOPS[to - 1])
    return True


def put_out(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A runner is out; the batter too, as on a line drive."""
    if effect.what == "batter":
        yield from change(s, side, source, replace(effect, what="", to="LD"), of, window)
        return
    found = _on(s, effect.what)
    if found is not None and s.outs < 3:
        s.bases = place(s.bases, None, s.bases.index(found) + 1)
        score_book.put_out(s, found.name)
        s.tell("out-by-card", seat=s.defence, runner=found.name, card=source, outs=s.outs)


def remove(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A runner leaves his base, and nobody is out."""
    yield from ()
    for at, one in enumerate(s.bases, 1):
        if one and (effect.what == "every" or one is _on(s, effect.what)):
            s.bases = place(s.bases, None, at)
            s.tell("leaves-bases", seat=s.offence, runner=one.name, card=source)


def eject(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """The batter or the pitcher leaves the game: somebody comes in for him, or it is forfeited (CL-132)."""
    if effect.what == "pitcher":
        yield from substitutions.remove(s, s.defence, s.pitcher.name)
    else:
        yield from substitutions.remove(s, s.offence, s.batter.name)


def put_on(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A runner stands on this base, if it is free and nobody is between."""
    yield from ()
    found, to = _on(s, effect.of), BASES[effect.what]
    if found is None:
        return
    at = s.bases.index(found) + 1
    if not any(s.bases[base - 1] for base in range(min(at + 1, to), max(at - 1, to) + 1)):
        s.bases = place(place(s.bases, None, at), found, to)
        s.tell("moves-on", seat=s.offence, runner=found.name, base=to, on=STOPS[to - 1])


def score_as(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """How a play is written down."""
    yield from ()
    if effect.what == "E":
        s.errors = put(s.errors, s.defence, s.errors[SEATS.index(s.defence)] + 1)
        s.now(tags=s.at.tags | {"error"})
    s.tell("scored-as", seat=s.offence, code=effect.what, called=CALLED.get(effect.what, effect.what))


# Cards, pitchers, choices ---------------------------------------------------------------------------------------------


def negate(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """The card of the other that is being played takes no effect (CL-222)."""
    yield from ()
    if s.playing not in (None, side):
        s.negated = True


def innings(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """The limit of one's own pitcher is raised, as far as the rules let it (CL-106, CL-107); or the other's lowered."""
    yield from ()
    whose = side or s.defence
    if side and effect.amount < 0:
        whose = other(side)
    arm = s.arms[SEATS.index(whose)][s.squad(whose).pitcher]
    s.pitched(
        whose, pitcher_record.add_innings(arm, effect.amount, s.house, tuple(s.arms[SEATS.index(whose)].values()))
    )


def less_rest(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """A pitcher of one's own owes so many games of rest less, or more."""
    me = side or s.defence
    chair = s.chair(me)
    owing = s.rests[SEATS.index(chair)]
    names = tuple(name for name, entry in owing.items() if entry.tired)
    if not names:
        return
    name = names[0] if len(names) == 1 else (yield from choose(chair, "rested", names, card=source))
    s.rests = put(s.rests, chair, {**owing, name: replace(owing[name], owes=max(0, owing[name].owes + effect.amount))})
    s.tell("rested" if effect.amount < 0 else "rests-longer", seat=me, pitcher=name, card=source)


def either(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """One of two, as its owner likes."""
    ways = {"first": effect.then, "second": effect.otherwise}
    labels = {code: ", ".join(one.text for one in way) for code, way in ways.items()}
    answer = yield from choose(s.chair(side or s.offence), "either", tuple(ways), card=source, labels=labels)
    for one in ways[answer]:
        yield from apply(s, side, source, one, of, window)


def nothing(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """What the card says is done elsewhere: it goes back to the hand, or could not be negated."""
    yield from ()


DO: Mapping[str, Callable[..., Step[None]]] = {
    "reroll": again,
    "twice": again,
    "face": again,
    "change": change,
    "try": attempt,
    "throw": turn_throw,
    "check": turn_throw,
    "call": call,
    "advance": advance,
    "immune": nothing,
    "remove": remove,
    "eject": eject,
    "place": put_on,
    "out": put_out,
    "score": score_as,
    "draw": card_moves.draw,
    "discard": card_moves.discard,
    "look": card_moves.look,
    "recover": card_moves.recover,
    "search": card_moves.search,
    "bottom": card_moves.to_bottom,
    "shuffle": card_moves.shuffle,
    "return": nothing,
    "negate": negate,
    "innings": innings,
    "rest": less_rest,
    "either": either,
}
"""Every verb that is done at once."""
