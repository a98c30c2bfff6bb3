"""Blank cards: their texts are not in the deck, so people read the real cards and enter what they do."""

from __future__ import annotations

from typing import Any

from engine.asks import choose
from engine.games.seventh_inning_stretch.dice import abilities
from engine.games.seventh_inning_stretch.dice.abilities import Use, ability
from engine.games.seventh_inning_stretch.dice.conditions import OUTCOMES
from engine.games.seventh_inning_stretch.state import DICE, State, Step

MOST = 4
"""The most dice that a batter's card brings."""

RUNS = 12
"""The most runs of a team in a half: as many as there are dice, and more than any card has."""

TAKEN = 9
"""The most dice or runs that one use of an ability takes, as on typed cards."""

COUNTED = {
    "fewer": ("how many dice fewer", "roll {} dice fewer", 1),
    "less": ("how many runs fewer", "{} runs fewer", 1),
    "at-most": ("at most how many runs", "runs at most {}", 0),
}
"""Uses with a number: the words of the ask, the phrase of a typed card, and the least number."""


def resources(s: State) -> Step[tuple[int, int, int]]:
    """Ask what a blank batter's card brings: dice, reroll and +/-1 tokens; not what the supply has run out of."""
    name, left = s.hitter.name, s.supply
    dice = (yield from _number(s, "blank-dice", MOST, batter=name)) if left.dice else 0
    rerolls = (yield from _number(s, "blank-rerolls", 2, batter=name)) if left.rerolls else 0
    nudges = (yield from _number(s, "blank-nudges", 2, batter=name)) if left.nudges else 0
    return dice, rerolls, nudges


def outcome(s: State, faces: tuple[int, ...]) -> Step[str]:
    """Ask which outcome of a blank batter's card is taken; return "" for none."""
    name = yield from choose(s.offence, "blank-outcome", ("no-outcome", *OUTCOMES), batter=s.batter, dice=list(faces))
    return "" if name == "no-outcome" else name


def uses(early: bool, team: bool, dice: tuple[int, ...], least: int, count: int) -> tuple[Use, ...]:
    """Return what a blank pitcher's ability may do before (`early`) or after the roll; only a `team` has runs.

    Uses in COUNTED have the highest number here; `many` asks for the real one. Before the roll a team is to roll
    `count` dice, and never rolls fewer than `least` (SI-028).
    """
    if early:
        fewer = min(TAKEN, count - least)
        return (Use("fewer", "roll fewer dice", fewer=fewer),) if team and fewer > 0 else ()
    places = tuple(range(len(dice)))
    changed = Use("changed", "dice are changed", again=places, most=len(places))
    some = (changed, *abilities.uses(ability("remove one die"), dice, 0, least))
    return (*some, Use("less", "fewer runs", less=TAKEN), Use("at-most", "runs at most", cap=0)) if team else some


def many(s: State, use: Use) -> Step[Use]:
    """Ask for the number of a use, and return the use with it; it costs one token in any case (SI-026)."""
    if use.code not in COUNTED:
        return use
    what, phrase, fewest = COUNTED[use.code]
    facts = {"pitcher": s.pitcher.name, "what": what, "seat": s.defence}
    count = yield from _number(s, "blank-many", use.fewer or TAKEN, fewest, **facts)
    (found,) = abilities.uses(ability(phrase.format(count)), () if use.fewer else s.dice, 0, 0, count)
    return found


def runs(s: State) -> Step[int]:
    """Ask what a blank team scores with these dice."""
    return (yield from _number(s, "blank-runs", RUNS, team=s.team.name, dice=list(s.dice), seat=s.defence))


def _number(s: State, why: str, most: int, fewest: int = 0, **facts: Any) -> Step[int]:
    seat, numbers = facts.pop("seat", s.offence), tuple(str(n) for n in range(fewest, min(most, DICE) + 1))
    return int(numbers[0] if len(numbers) == 1 else (yield from choose(seat, why, numbers, **facts)))
