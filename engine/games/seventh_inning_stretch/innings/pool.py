"""The pool of dice and tokens, which are gathered, committed to a roll, and used on it (SI-053 to SI-065)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.asks import reroll, roll_dice
from engine.dice import D6
from engine.events import last_name
from engine.games.seventh_inning_stretch.dice.goals import RollAim, RollGoal, dice_after_nudge, option_notes
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.state import Pool, State, Step
from engine.games.seventh_inning_stretch.words import nudge_labels, tokens_left_text
from engine.lazy import LazyFact

VETERAN_OPTION = "veteran"
"""Option that turns the veteran's die down and takes a die (SI-187)."""

ROLL_PURPOSES = {"steal-second": "Steal second", "steal-third": "Steal third", "extra-base-roll": "Extra base"}
"""Purposes of a runner's roll, by `why`."""


def gain_resources(s: State, dice: int = 0, rerolls: int = 0, nudges: int = 0) -> Pool:
    """Move dice and tokens from the supply to the pool, as far as it lasts. Return what was moved (SI-053, A6)."""
    left, pool = s.supply_left, s.pool
    got = Pool(min(dice, left.dice), min(rerolls, left.rerolls), min(nudges, left.nudges))
    s.pool = Pool(pool.dice + got.dice, pool.rerolls + got.rerolls, pool.nudges + got.nudges)
    return got


def may_call_veteran(s: State) -> bool:
    """True if the veteran's die can be turned down now (SI-187)."""
    # On the last use, the veteran's die itself joins the pool (A7).
    return s.veteran > 0 and (s.supply_left.dice > 0 or s.veteran == 1)


def call_veteran(s: State) -> None:
    """Turn the veteran's die down, and add a die to the pool (A7)."""
    s.veteran -= 1
    gain_resources(s, dice=1)
    s.emit("veteran", left=s.veteran)


def dice_count_options(s: State, fewest: int) -> tuple[str, ...]:
    """Return the numbers of dice that may be committed, from `fewest`, with 0 last (SI-063, SI-064, SI-080)."""
    some = tuple(map(str, range(1, s.max_dice_count + 1)))
    return (*some, "0") if fewest == 0 else some


def roll_committed_dice(s: State, why: str, count: int, goal: RollGoal, **facts: Any) -> Step[tuple[int, ...]]:
    """Commit `count` dice to a roll for `goal`, use tokens on it, and return the faces.

    Committed dice leave the pool (SI-076, SI-096, SI-109). After resolving the roll, the caller clears `s.thrown` to
    return them to the supply.
    """
    s.threw, s.dice, s.now = why, (), ""
    if not count:
        return ()
    s.thrown = count - s.coach_dice_count
    s.pool = replace(s.pool, dice=s.pool.dice - s.thrown)
    s.rested = False
    s.dice = yield from roll_dice(s.offense, why, (D6,) * count, count=count, **facts)
    s.now = goal.describe_dice(s.dice, s.guard_facts)
    s.emit("rolled", seat=s.clock.batting_seat, faces=list(s.dice), what=s.now)
    yield from spend_tokens(s, goal)
    return s.dice


def spend_tokens(s: State, goal: RollAim) -> Step[None]:
    """Offer reroll and +/-1 tokens while there are any (SI-055 to SI-057, SI-065, A5)."""
    s.used, s.settled = frozenset(), False
    while options := token_options(s):
        subject = roll_purpose(s)
        notes = LazyFact(
            lambda s, codes: option_notes(goal, s.guard_facts, codes, s.dice, s.usable_tokens.nudges), s, options
        )
        facts: dict[str, Any] = {"dice": list(s.dice), "now": s.now, "labels": nudge_labels(options), "notes": notes}
        facts |= {**subject, "left": LazyFact(tokens_left_text, s)}
        what: str = yield look_ahead.choice_ask(s, s.offense, "tokens", options, facts, look_ahead.moot_token, goal)
        if what == "keep":
            break
        if what == VETERAN_OPTION:
            call_veteran(s)
            continue
        kind = "rerolls" if what == "reroll" else "nudges"
        s.used |= {kind}
        s.count_use(kind)
        s.pool = replace(s.pool, **{kind: getattr(s.pool, kind) - 1})
        if what == "reroll":
            s.dice = yield from reroll(s.offense, "reroll", s.dice, what=subject["what"], short=subject["short"])
        else:
            s.dice = dice_after_nudge(s.dice, what)
        s.now = goal.describe_dice(s.dice, s.guard_facts)
        s.emit(kind, seat=s.clock.batting_seat, faces=list(s.dice), what=s.now)
    s.settled = True


def roll_purpose(s: State) -> dict[str, str]:
    """Return the purpose of the roll, as `what` for sentences and `short` for titles."""
    name = s.batter_card.name
    return {"what": ROLL_PURPOSES.get(s.threw, name), "short": ROLL_PURPOSES.get(s.threw, last_name(name))}


def token_options(s: State) -> tuple[str, ...]:
    """Return the uses of tokens on the current dice, or () if none can be used."""
    usable = s.usable_tokens
    rerolls = ("reroll",) if usable.rerolls else ()
    faces = sorted(set(s.dice)) if usable.nudges else []
    # No die goes below 1 or above 6 (SI-057).
    turned = [f"{face}-up" for face in faces if face < 6] + [f"{face}-down" for face in faces if face > 1]
    late = (VETERAN_OPTION,) if s.house["veteranTiming"] == "anyTime" and may_call_veteran(s) else ()
    return ("keep", *rerolls, *turned, *late) if rerolls or turned or late else ()
