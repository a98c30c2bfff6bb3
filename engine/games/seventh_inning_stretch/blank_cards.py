"""Cards that were not typed in: the table reads them, and says what they do."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.asks import Prompt, choose
from engine.games.seventh_inning_stretch.dice import abilities
from engine.games.seventh_inning_stretch.dice.abilities import Use, ability
from engine.games.seventh_inning_stretch.dice.conditions import OUTCOMES
from engine.games.seventh_inning_stretch.state import DICE, State

MOST = 4
"""Dice that a batter's card brings at most."""

RUNS = 12
"""Runs that a team scores in a half at most: as many as there are dice, and more than any card has."""

TAKEN = 9
"""Dice or runs that one use of an ability takes at most, as typed cards can say."""

COUNTED = {
    "fewer": ("how many dice fewer", "roll {} dice fewer", 1),
    "less": ("how many runs fewer", "{} runs fewer", 1),
    "at-most": ("at most how many runs", "runs at most {}", 0),
}
"""Uses with a number: how it is asked for, the phrase of a typed card that says it, and the least there is of it."""


def resources(s: State) -> Generator[Prompt, Any, tuple[int, int, int]]:
    """What a blank batter's card brings: dice, rerolls, +/-1 tokens; of what the supply has none of it is not asked."""
    name, left = s.hitter.name, s.supply
    dice = (yield from _number(s, "blank-dice", MOST, batter=name)) if left.dice else 0
    rerolls = (yield from _number(s, "blank-rerolls", 2, batter=name)) if left.rerolls else 0
    nudges = (yield from _number(s, "blank-nudges", 2, batter=name)) if left.nudges else 0
    return dice, rerolls, nudges


def outcome(s: State, faces: tuple[int, ...]) -> Generator[Prompt, Any, str]:
    """Which outcome of a blank batter's card is taken; "" for none."""
    said = yield from choose(s.offence, "blank-outcome", ("no-outcome", *OUTCOMES), batter=s.batter, dice=list(faces))
    return "" if said == "no-outcome" else said


def uses(early: bool, team: bool, dice: tuple[int, ...], least: int) -> tuple[Use, ...]:
    """What a blank pitcher's ability may do: before the roll, or after it; runs are only a team's.

    Those of COUNTED stand for the most that they may do, and `many` asks for the number.
    """
    if early:
        return (Use("fewer", "fewer dice are rolled", fewer=TAKEN),) if team else ()
    places = tuple(range(len(dice)))
    changed = Use("changed", "dice are changed", again=places, most=len(places))
    some = (changed, *abilities.uses(ability("remove one die"), dice, 0, least))
    return (*some, Use("less", "fewer runs", less=TAKEN), Use("at-most", "runs at most", cap=0)) if team else some


def many(s: State, use: Use) -> Generator[Prompt, Any, Use]:
    """The same use with its number, for one token whatever that is (SI-026)."""
    if use.code not in COUNTED:
        return use
    what, phrase, fewest = COUNTED[use.code]
    facts = {"pitcher": s.pitcher.name, "what": what, "seat": s.defence}
    count = yield from _number(s, "blank-many", TAKEN, fewest, **facts)
    (found,) = abilities.uses(ability(phrase.format(count)), () if use.fewer else s.dice, 0, 0)
    return found


def runs(s: State) -> Generator[Prompt, Any, int]:
    """What a blank team scores with these dice."""
    return (yield from _number(s, "blank-runs", RUNS, team=s.team.name, dice=list(s.dice), seat=s.defence))


def _number(s: State, why: str, most: int, fewest: int = 0, **facts: Any) -> Generator[Prompt, Any, int]:
    seat = facts.pop("seat", s.offence)
    return int((yield from choose(seat, why, tuple(str(n) for n in range(fewest, min(most, DICE) + 1)), **facts)))
