"""Blank cards, which have no text in the deck, so people read the real cards and enter their effects."""

from __future__ import annotations

from typing import Any

from engine.asks import choose
from engine.games.seventh_inning_stretch.dice import abilities
from engine.games.seventh_inning_stretch.dice.abilities import AbilityUse, parse_ability
from engine.games.seventh_inning_stretch.dice.conditions import LINE_OUTCOMES
from engine.games.seventh_inning_stretch.state import DICE_COUNT, State, Step

MAX_BATTER_DICE = 4
"""The most dice of a batter's card."""

MAX_HALF_RUNS = 12
"""The most runs of a team in a half, one for each die, which is more than any card has."""

MAX_USE_AMOUNT = 9
"""The most dice or runs by which one use of an ability lowers a roll, as on typed cards."""

NUMBERED_USES = {
    "fewer": ("how many dice fewer", "roll {} dice fewer", 1),
    "less": ("how many runs fewer", "{} runs fewer", 1),
    "at-most": ("at most how many runs", "runs at most {}", 0),
}
"""Uses with a number: the words of the ask, the phrase of a typed card, and the minimum."""


def ask_resources(s: State) -> Step[tuple[int, int, int]]:
    """Ask for the dice, reroll and +/-1 tokens of a blank batter, skipping those that the supply has run out of."""
    name, left = s.batter_card.name, s.supply_left
    dice = (yield from _ask_number(s, "blank-dice", MAX_BATTER_DICE, batter=name)) if left.dice else 0
    rerolls = (yield from _ask_number(s, "blank-rerolls", 2, batter=name)) if left.rerolls else 0
    nudges = (yield from _ask_number(s, "blank-nudges", 2, batter=name)) if left.nudges else 0
    return dice, rerolls, nudges


def ask_outcome(s: State, faces: tuple[int, ...]) -> Step[str]:
    """Ask for the outcome of a blank batter's card. Return "" for none."""
    name = yield from choose(
        s.offense, "blank-outcome", ("no-outcome", *LINE_OUTCOMES), batter=s.batter, dice=list(faces)
    )
    return "" if name == "no-outcome" else name


def possible_uses(early: bool, team: bool, dice: tuple[int, ...], least: int, count: int) -> tuple[AbilityUse, ...]:
    """Return the possible uses of a blank ability before (`early`) or after the roll. Only a `team` scores runs.

    Uses in `NUMBERED_USES` have their maximum here; `ask_use_amount` asks for the real number. Before the roll, a team
    has `count` dice, and never rolls fewer than `least` (SI-028).
    """
    if early:
        fewer = min(MAX_USE_AMOUNT, count - least)
        return (AbilityUse("fewer", "roll fewer dice", fewer=fewer),) if team and fewer > 0 else ()
    places = tuple(range(len(dice)))
    changed = AbilityUse("changed", "dice are changed", again=places, most=len(places))
    some = (changed, *abilities.ability_uses(parse_ability("remove one die"), dice, 0, least))
    return (
        (*some, AbilityUse("less", "fewer runs", less=MAX_USE_AMOUNT), AbilityUse("at-most", "runs at most", cap=0))
        if team
        else some
    )


def ask_use_amount(s: State, use: AbilityUse) -> Step[AbilityUse]:
    """Ask for the number of a use, and return the use with it. The cost is always one token (SI-026)."""
    if use.code not in NUMBERED_USES:
        return use
    what, phrase, fewest = NUMBERED_USES[use.code]
    facts = {"pitcher": s.pitcher_card.name, "what": what, "seat": s.defense}
    count = yield from _ask_number(s, "blank-many", use.fewer or MAX_USE_AMOUNT, fewest, **facts)
    (found,) = abilities.ability_uses(parse_ability(phrase.format(count)), () if use.fewer else s.dice, 0, 0, count)
    return found


def ask_runs(s: State) -> Step[int]:
    """Ask for the runs of a blank team with these dice."""
    return (
        yield from _ask_number(
            s, "blank-runs", MAX_HALF_RUNS, team=s.opponent_team.name, dice=list(s.dice), seat=s.defense
        )
    )


def _ask_number(s: State, why: str, most: int, fewest: int = 0, **facts: Any) -> Step[int]:
    seat, numbers = facts.pop("seat", s.offense), tuple(str(n) for n in range(fewest, min(most, DICE_COUNT) + 1))
    return int(numbers[0] if len(numbers) == 1 else (yield from choose(seat, why, numbers, **facts)))
