"""A batter's turn: substitution, gather, steal, at-bat, extra bases (SI-043 to SI-119)."""

from __future__ import annotations

from typing import Any

from engine import diamond
from engine.asks import Play, choose, roll
from engine.diamond import place, runners
from engine.games.seventh_inning_stretch import blank_cards
from engine.games.seventh_inning_stretch.dice.conditions import OUTCOMES
from engine.games.seventh_inning_stretch.dice.goals import Brings, Goal, chances, needs
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.innings.defence import defend, relieve
from engine.games.seventh_inning_stretch.innings.one_game import end_half, finish, next_batter, score, walked_off
from engine.games.seventh_inning_stretch.innings.outcomes import BASES, BEST, After, after, effects
from engine.games.seventh_inning_stretch.innings.pool import (
    PURPOSES,
    VETERAN,
    alter,
    call,
    counts,
    gain,
    may_call,
    throw,
)
from engine.games.seventh_inning_stretch.state import State, Step
from engine.games.seventh_inning_stretch.words import commits, gathered, notes, on_card, reads, star, subs
from engine.lazy import Lazy

STEALS = {"steal-second": (1, 5), "steal-third": (2, 6)}
"""The base a runner steals from, and the face that a die must show (SI-067, SI-068, SI-071, SI-072)."""


def turn(s: State) -> Play:
    """Play one batter's turn (SI-044)."""
    s.rested, s.banned = True, False
    yield from come_up(s)
    yield from gather(s)
    count = yield from commit(s)
    if count is None:
        # Caught stealing for the third out, so this batter has not had his turn (SI-077, A1).
        if s.house["stealOutLeadoff"] == "next":
            next_batter(s, s.offence)
        end_half(s)
        return
    yield from at_bat(s, count)
    if walked_off(s):
        finish(s)
        return
    next_batter(s, s.offence)
    if s.outs == 3:
        end_half(s)


# 1. Substitution -----------------------------------------------------------------------------------------------------


def come_up(s: State) -> Step[None]:
    """Bring up the batter, or one from the bench in his place (SI-045 to SI-052).

    In a duel the defense may change its pitcher (SI-202, A34).
    """
    early = s.house["duelPitcherSub"] == "startOfTurn"
    if s.duel and early:
        yield from relieve(s)
    while s.allowed("batters") and (bench := s.bench(s.offence, s.box.batters)):
        name = s.hitter.name
        about = Lazy(lambda s, bench: notes(s, bench) | {"bats": reads(s.hitter)}, s, bench)
        facts = {"batter": name, "labels": subs(bench), "notes": about}
        who = yield from choose(s.offence, "batter", ("bats", *bench), **facts)
        if who == "bats":
            break
        squad = s.squad(s.offence)
        order = tuple(who if one == name else one for one in squad.lineup)
        s.change(s.offence, lineup=order, dugout=(*squad.dugout, name))
        s.spend("batters")
        s.tell("substitute", seat=s.clock.batting, batter=who, out=name)
        if s.duel and early:
            yield from relieve(s)
        if s.house["subsPerTurn"] == "1":
            break
    if s.duel and not early:
        yield from relieve(s)


# 2. Gather -----------------------------------------------------------------------------------------------------------


def gather(s: State) -> Step[None]:
    """Take what the batter's card brings, as far as the supply goes (SI-022, SI-053, SI-054).

    Tokens of earlier batters may change a die that says how many dice he brings (A37).
    """
    card = s.hitter
    if card.blank:
        dice, rerolls, nudges = yield from blank_cards.resources(s)
    else:
        face = None
        if card.dice.rolled:
            face = yield from roll(s.offence, "resources", batter=card.name, rule=star(card))
            s.dice, s.threw, s.now = (face,), "resources", Brings(card.dice).reads((face,), s.at)
            if s.house["starDieTokens"] == "allowed":
                yield from alter(s, Brings(card.dice))
                face = s.dice[0]
        dice, rerolls, nudges = card.dice.count(s.at, face), card.rerolls, card.nudges
    got = gain(s, dice, rerolls, nudges)
    s.tell("gathers", seat=s.clock.batting, batter=card.name, what=gathered(got))


# 3. Steal ------------------------------------------------------------------------------------------------------------


def commit(s: State) -> Step[int | None]:
    """Ask for steals and the dice of the at-bat; return None if a steal made the third out."""
    tried: set[str] = set()
    card = s.hitter
    goal = Goal(card.lines, blank=card.blank)
    facts: dict[str, Any] = {"batter": card.name, "card": Lazy(on_card, s), "out": s.outs + 1}
    while (what := (yield from dice_for(s, "at-bat", goal, tried=tried, **facts))) in STEALS:
        tried.add(what)
        yield from steal(s, what)
        facts["out"] = s.outs + 1
        if s.outs == 3:
            return None
    return int(what)


def may_steal(s: State, what: str, tried: set[str]) -> bool:
    """True if a runner may steal: base open, dice to roll, no attempt yet in this turn (SI-061 to SI-071, A3)."""
    if not s.allowed("steals") or what in tried or (tried and s.house["stealsPerTurn"] == "1"):
        return False
    base, _ = STEALS[what]
    enough = s.ready > 0 or s.house["minStealDice"] == "0"
    return enough and s.bases[base - 1] is not None and s.bases[base] is None


def steal(s: State, what: str) -> Step[None]:
    """Play an attempt to steal second or third, which cannot be called off (SI-061 to SI-076)."""
    base, face = STEALS[what]
    goal = needs(face)
    runner = s.bases[base - 1]
    count = int((yield from dice_for(s, f"{what}-dice", goal, runner=runner)))
    s.spend("steals")
    safe = yield from run(s, what, count, goal, runner=runner)
    if safe:
        if base == 1:
            # Only the runner from first moves (SI-069).
            s.bases = place(place(s.bases, None, 1), runner, 2)
        else:
            # Every runner advances a base (SI-073); third was open, so nobody comes home.
            s.bases, _ = diamond.advance(s.bases, 1)
        s.tell("stolen", seat=s.clock.batting, runner=runner, base=("second", "third")[base - 1])
        return
    yield from lose(s, runners(s.bases) if base == 2 else runners(s.bases)[:1], "caught")


def run(s: State, why: str, count: int, goal: Goal, **facts: Any) -> Step[bool]:
    """Roll for runners; return True if they are safe."""
    faces = yield from throw(s, why, count, goal, **facts)
    s.thrown = 0
    return bool(goal.met(faces, s.at))


def lose(s: State, among: tuple[str, ...], code: str) -> Step[None]:
    """Put out one of these runners, of the manager's choice (SI-070, SI-074, SI-103, A25)."""
    out = among[0]
    if len(among) > 1 and s.outs < 2:
        facts = {"what": PURPOSES[s.threw], "out": s.outs + 1, "labels": where(s)}
        out = yield from choose(s.offence, "runner-out", among, **facts)
    first, second, third = (None if runner == out else runner for runner in s.bases)
    s.bases, s.outs = (first, second, third), s.outs + 1
    s.tell(code, seat=s.clock.batting, runner=out, outs=s.outs, retired=(out,))


def where(s: State) -> dict[str, str]:
    """Return labels for runners with their bases."""
    bases = zip(s.bases, ("first", "second", "third"), strict=True)
    return {runner: f"{runner}, on {base}" for runner, base in bases if runner}


def dice_for(
    s: State, why: str, goal: Goal, hold: tuple[str, ...] = (), tried: set[str] | None = None, **facts: Any
) -> Step[str]:
    """Ask how many dice to roll; the veteran's die may join first. Return the number, or another option.

    Before an at-bat, `tried` are the steals of this turn, and the others are options too.
    """
    while True:
        dice = counts(s, 0 if tried is not None else int(s.house["minStealDice"]))
        steals: tuple[str, ...] = () if tried is None else tuple(what for what in STEALS if may_steal(s, what, tried))
        options = (*hold, *dice, *steals, *((VETERAN,) if may_call(s) else ()))
        if len(options) == 1:
            return str(options[0])
        notes = Lazy(lambda s, dice: chances(goal, s.at, dice), s, dice)
        about = {**facts, "labels": commits(dice), "notes": notes}
        what: str = yield look_ahead.choice(s, s.offence, why, options, about, look_ahead.dice, goal, options)
        if what != VETERAN:
            return what
        call(s)


# 4. At-bat -----------------------------------------------------------------------------------------------------------


def at_bat(s: State, count: int) -> Step[None]:
    """Roll against the card, and play the outcome (SI-079 to SI-096)."""
    card = s.hitter
    s.batter = card.name
    goal = Goal(card.lines, blank=card.blank)
    faces = yield from throw(s, "swing", count, goal, batter=card.name, card=Lazy(on_card, s), out=s.outs + 1)
    if s.duel and faces:
        faces = yield from defend(s, goal)
    outcome = yield from result(s, goal, faces)
    s.batter, s.thrown = "", 0
    if outcome == "":
        s.outs += 1
        s.tell("out", seat=s.clock.batting, batter=card.name, turn="out", outs=s.outs, retired=(card.name,))
    elif outcome == "sacrifice":
        sacrifice(s, card.name)
    elif outcome == "walk":
        s.tell("walk", seat=s.clock.batting, batter=card.name, turn="walk")
        come_home(s, after(s.bases, s.outs, card.name, outcome), card.name)
    else:
        yield from hit(s, card.name, outcome)


def result(s: State, goal: Goal, faces: tuple[int, ...]) -> Step[str]:
    """Return the outcome that counts; "" if no condition is met (SI-081 to SI-083, SI-094, A19)."""
    if not faces:
        return ""
    if goal.blank:
        return (yield from blank_cards.outcome(s, faces))
    found = goal.met(faces, s.at)
    if len(found) < 2:
        return "".join(found)
    if s.house["conditionChoice"] == "best":
        return min(found, key=BEST.index)
    options = tuple(one for one in OUTCOMES if one in found)
    notes = Lazy(lambda s: effects({one: after(s.bases, s.outs, s.batter, one) for one in options}), s)
    facts = {"batter": s.batter, "dice": list(faces), "notes": notes}
    return str((yield look_ahead.choice(s, s.offence, "outcome", options, facts, look_ahead.outcome, options)))


def sacrifice(s: State, batter: str) -> None:
    """Put the batter out, then advance the runners, unless that was the third out (SI-091, SI-092, A29)."""
    then = after(s.bases, s.outs, batter, "sacrifice")
    facts = {"outs": then.outs, "retired": (batter,)}
    s.tell("sacrifice", seat=s.clock.batting, batter=batter, turn="sacrifice", **facts)
    come_home(s, then, batter)


def come_home(s: State, then: After, batter: str) -> None:
    """Move everybody, and score the runs that `batter` drove in."""
    s.outs, s.bases = then.outs, then.bases
    score(s, len(then.home), batter, then.home, batter)


def hit(s: State, batter: str, outcome: str) -> Step[None]:
    """Advance everybody as many bases as the batter; then runners may try for an extra base (SI-085 to SI-089)."""
    base = BASES[outcome]
    s.tell(outcome, seat=s.clock.batting, batter=batter, hit=True)
    come_home(s, after(s.bases, s.outs, batter, outcome), batter)
    if not walked_off(s):
        yield from extra_base(s, batter, base)


# Extra bases ---------------------------------------------------------------------------------------------------------


def extra_base(s: State, batter: str, base: int) -> Step[None]:
    """Ask once after a hit for dice to advance the earlier runners; the batter stays (SI-097 to SI-109)."""
    earlier = tuple(runner for runner in runners(s.bases) if runner != batter)
    dice = s.ready > 0 or may_call(s) or s.house["minStealDice"] == "0"
    if not earlier or not dice or not s.allowed("extra-bases"):
        return
    goal = needs(5 if s.outs == 2 else 6)
    if s.house["duelTokenBan"] == "thatRoll":
        s.banned = False
    last = s.outs == 2
    face, short = ("5 or 6", "5-6") if last else ("6", "6")
    facts: dict[str, Any] = {"runners": list(earlier), "face": face, "short": short}
    facts["fails"] = "that is the third out" if last else "a runner is out"
    what = yield from dice_for(s, "extra-base", goal, ("hold",), **facts, batter=batter)
    if what == "hold":
        return
    s.spend("extra-bases")
    safe = yield from run(s, "extra-base-roll", int(what), goal, **facts)
    if safe:
        s.bases, home = diamond.advance(place(s.bases, None, base), 1)
        s.bases = place(s.bases, batter, base)
        s.tell("goes-on", seat=s.clock.batting, on=list(earlier))
        score(s, len(home), batter, home, batter)
    else:
        among = runners(s.bases) if s.house["extraBaseOut"] == "anyRunner" else earlier
        yield from lose(s, among, "thrown-out")
