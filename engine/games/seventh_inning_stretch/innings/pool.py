"""The pool: dice and tokens gathered, committed to a roll, and spent on it (SI-053 to SI-065)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from engine.asks import Prompt, choose, reroll, rolls
from engine.dice import D6
from engine.games.seventh_inning_stretch.dice.goals import Chances, Goal, nudged
from engine.games.seventh_inning_stretch.state import Pool, State
from engine.games.seventh_inning_stretch.words import turns

Step = Generator[Prompt, Any, None]

VETERAN = "veteran"
"""To turn the veteran's die down and take a die (SI-187)."""


def gain(s: State, dice: int = 0, rerolls: int = 0, nudges: int = 0) -> Pool:
    """Take from the supply what there is of it (SI-053, A6); gives what was taken."""
    left, pool = s.supply, s.pool
    got = Pool(min(dice, left.dice), min(rerolls, left.rerolls), min(nudges, left.nudges))
    s.pool = Pool(pool.dice + got.dice, pool.rerolls + got.rerolls, pool.nudges + got.nudges)
    return got


def may_call(s: State) -> bool:
    """Whether the veteran's die can be turned down now (SI-187)."""
    # The last time it is the veteran's die itself that joins (A7).
    return s.has("veteran") and s.veteran > 0 and (s.supply.dice > 0 or s.veteran == 1)


def call(s: State) -> None:
    """The veteran's die is turned down, and a die joins the pool (A7)."""
    s.veteran -= 1
    gain(s, dice=1)
    s.tell("veteran", left=s.veteran)


def counts(s: State, fewest: int) -> tuple[str, ...]:
    """How many dice may be committed now, from `fewest` on; none at all comes last (SI-063, SI-064, SI-080)."""
    some = tuple(str(count) for count in range(1, s.ready + 1))
    return (*some, "0") if fewest == 0 else some


def throw(s: State, why: str, count: int, goal: Goal, **facts: Any) -> Generator[Prompt, Any, tuple[int, ...]]:
    """Commit so many dice to a roll for `goal`, and spend tokens on it; gives what the dice show then.

    What is committed is used up whatever comes of it (SI-076, SI-096, SI-109): whoever asks for it gives its dice back
    (`back`) once it is resolved. None is rolled of no dice.
    """
    s.threw, s.dice = why, ()
    if not count:
        return ()
    s.thrown = count - s.coached
    s.pool = replace(s.pool, dice=s.pool.dice - s.thrown)
    s.rested = False
    s.dice = yield from rolls(s.offence, why, (D6,) * count, count=count, **facts)
    s.tell("rolled", seat=s.clock.batting, faces=list(s.dice), what=goal.reads(s.dice, s.at))
    yield from alter(s, goal)
    return s.dice


def back(s: State) -> None:
    """The roll is resolved, and its dice are in the supply again."""
    s.thrown = 0


def alter(s: State, goal: Goal) -> Step:
    """Reroll and +/-1 tokens, as long as there are any and the player likes (SI-055 to SI-057, SI-065, A5)."""
    s.used, s.settled = frozenset(), False
    while options := tokens(s):
        facts = {"now": goal.reads(s.dice, s.at), "notes": Chances(goal, s.at, options, s.dice, s.usable.nudges)}
        what = yield from choose(s.offence, "tokens", options, dice=list(s.dice), labels=turns(options), **facts)
        if what == "keep":
            break
        if what == VETERAN:
            call(s)
            continue
        kind = "rerolls" if what == "reroll" else "nudges"
        s.used |= {kind}
        s.spend(kind)
        s.pool = replace(s.pool, **{kind: getattr(s.pool, kind) - 1})
        s.dice = (yield from reroll(s.offence, "reroll", s.dice)) if what == "reroll" else nudged(s.dice, what)
        s.tell(kind, seat=s.clock.batting, faces=list(s.dice), what=goal.reads(s.dice, s.at))
    s.settled = True


def tokens(s: State) -> tuple[str, ...]:
    """What tokens could do to the dice now; nothing where there is none to spend."""
    again = ("reroll",) if s.usable.rerolls else ()
    faces = sorted(set(s.dice)) if s.usable.nudges else []
    # No die goes below 1 or above 6 (SI-057).
    turned = [f"{face}-up" for face in faces if face < 6] + [f"{face}-down" for face in faces if face > 1]
    late = (VETERAN,) if s.house["veteranTiming"] == "anyTime" and may_call(s) else ()
    return ("keep", *again, *turned, *late) if again or turned or late else ()
