"""Cards that were not typed in: the table reads them, and says what they do."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.asks import Prompt, choose
from engine.games.seventh_inning_stretch.abilities import Use
from engine.games.seventh_inning_stretch.conditions import OUTCOMES
from engine.games.seventh_inning_stretch.state import DICE, State

MOST = 4
"""Dice that a batter's card brings at most."""

RUNS = 12
"""Runs that a team scores in a half at most: as many as there are dice, and more than any card has."""


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


def uses(early: bool, team: bool, dice: tuple[int, ...] = ()) -> tuple[Use, ...]:
    """What a blank pitcher's ability may do: before the roll, or after it; runs are only a team's."""
    if early:
        return (Use("fewer", "one die fewer is rolled", fewer=1),) if team else ()
    places = tuple(range(len(dice)))
    some = (Use("changed", "dice are changed", again=places, most=len(places)),)
    return (*some, Use("less", "one run fewer", less=1)) if team else some


def runs(s: State) -> Generator[Prompt, Any, int]:
    """What a blank team scores with these dice."""
    return (yield from _number(s, "blank-runs", RUNS, team=s.team.name, dice=list(s.dice), seat=s.defence))


def _number(s: State, why: str, most: int, **facts: Any) -> Generator[Prompt, Any, int]:
    seat = facts.pop("seat", s.offence)
    return int((yield from choose(seat, why, tuple(str(n) for n in range(min(most, DICE) + 1)), **facts)))
