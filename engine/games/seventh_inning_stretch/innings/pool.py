"""The pool: dice and tokens gathered, committed to a roll, and spent on it (SI-053 to SI-065)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.asks import reroll, rolls
from engine.dice import D6
from engine.events import last_name
from engine.games.seventh_inning_stretch.dice.goals import Aim, Goal, chances, nudged
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.state import Pool, State, Step
from engine.games.seventh_inning_stretch.words import tokens_left, turns
from engine.lazy import Lazy

VETERAN = "veteran"
"""The option to turn the veteran's die down and take a die (SI-187)."""


PURPOSES = {"steal-second": "Steal second", "steal-third": "Steal third", "extra-base-roll": "Extra base"}
"""What a runner's roll is for."""


def gain(s: State, dice: int = 0, rerolls: int = 0, nudges: int = 0) -> Pool:
    """Take dice and tokens from the supply, as far as it goes; return what was taken (SI-053, A6)."""
    left, pool = s.supply, s.pool
    got = Pool(min(dice, left.dice), min(rerolls, left.rerolls), min(nudges, left.nudges))
    s.pool = Pool(pool.dice + got.dice, pool.rerolls + got.rerolls, pool.nudges + got.nudges)
    return got


def may_call(s: State) -> bool:
    """True if the veteran's die can be turned down now (SI-187)."""
    # The last time, the veteran's die itself joins the pool (A7).
    return s.veteran > 0 and (s.supply.dice > 0 or s.veteran == 1)


def call(s: State) -> None:
    """Turn the veteran's die down, and add a die to the pool (A7)."""
    s.veteran -= 1
    gain(s, dice=1)
    s.tell("veteran", left=s.veteran)


def counts(s: State, fewest: int) -> tuple[str, ...]:
    """Return the numbers of dice that may be committed, `fewest` or more; 0 comes last (SI-063, SI-064, SI-080)."""
    some = tuple(map(str, range(1, s.ready + 1)))
    return (*some, "0") if fewest == 0 else some


def throw(s: State, why: str, count: int, goal: Goal, **facts: Any) -> Step[tuple[int, ...]]:
    """Commit `count` dice to a roll for `goal`, spend tokens on it, and return the faces; () without dice.

    Committed dice are used up (SI-076, SI-096, SI-109). Once the roll is resolved, the caller clears `s.thrown`, which
    returns them to the supply.
    """
    s.threw, s.dice, s.now = why, (), ""
    if not count:
        return ()
    s.thrown = count - s.coached
    s.pool = replace(s.pool, dice=s.pool.dice - s.thrown)
    s.rested = False
    s.dice = yield from rolls(s.offence, why, (D6,) * count, count=count, **facts)
    s.now = goal.reads(s.dice, s.at)
    s.tell("rolled", seat=s.clock.batting, faces=list(s.dice), what=s.now)
    yield from alter(s, goal)
    return s.dice


def alter(s: State, goal: Aim) -> Step[None]:
    """Ask for reroll and +/-1 tokens, as long as there are any (SI-055 to SI-057, SI-065, A5)."""
    s.used, s.settled = frozenset(), False
    while options := tokens(s):
        subject = purpose(s)
        notes = Lazy(lambda s, codes: chances(goal, s.at, codes, s.dice, s.usable.nudges), s, options)
        facts: dict[str, Any] = {"dice": list(s.dice), "now": s.now, "labels": turns(options), "notes": notes}
        facts |= {**subject, "left": Lazy(tokens_left, s)}
        what: str = yield look_ahead.choice(s, s.offence, "tokens", options, facts, look_ahead.tokens, goal)
        if what == "keep":
            break
        if what == VETERAN:
            call(s)
            continue
        kind = "rerolls" if what == "reroll" else "nudges"
        s.used |= {kind}
        s.spend(kind)
        s.pool = replace(s.pool, **{kind: getattr(s.pool, kind) - 1})
        if what == "reroll":
            s.dice = yield from reroll(s.offence, "reroll", s.dice, what=subject["what"], short=subject["short"])
        else:
            s.dice = nudged(s.dice, what)
        s.now = goal.reads(s.dice, s.at)
        s.tell(kind, seat=s.clock.batting, faces=list(s.dice), what=s.now)
    s.settled = True


def purpose(s: State) -> dict[str, str]:
    """Return what the roll is for, as a fact `what` for sentences and `short` for titles."""
    name = s.hitter.name
    return {"what": PURPOSES.get(s.threw, name), "short": PURPOSES.get(s.threw, last_name(name))}


def tokens(s: State) -> tuple[str, ...]:
    """Return what tokens could do to the dice now; () if there are none to spend."""
    usable = s.usable
    rerolls = ("reroll",) if usable.rerolls else ()
    faces = sorted(set(s.dice)) if usable.nudges else []
    # No die goes below 1 or above 6 (SI-057).
    turned = [f"{face}-up" for face in faces if face < 6] + [f"{face}-down" for face in faces if face > 1]
    late = (VETERAN,) if s.house["veteranTiming"] == "anyTime" and may_call(s) else ()
    return ("keep", *rerolls, *turned, *late) if rerolls or turned or late else ()
