"""What a roll has to meet, with its odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.events import spoken_list
from engine.games.seventh_inning_stretch.dice.conditions import (
    CardLine,
    DiceRule,
    GuardFacts,
    best_chances,
    met_outcomes,
    outcome_chances,
    parse_ways,
    reroll_chances,
)
from engine.games.seventh_inning_stretch.dice.odds import DIE_FACES

SAFE_OUTCOME = "safe"
"""The outcome of a runner who succeeds."""

OUTCOME_NAMES = {
    "single": "single",
    "double": "double",
    "triple": "triple",
    "home-run": "home run",
    "walk": "walk",
    "sacrifice": "sacrifice",
    SAFE_OUTCOME: SAFE_OUTCOME,
}
"""The names of outcomes."""


@dataclass(frozen=True, slots=True)
class RollGoal:
    """The conditions of a roll: those of a batter's card, or what a runner needs.

    `blank` is True if people read the real card, whose lines are not known here.
    """

    lines: tuple[CardLine, ...]
    blank: bool = False

    def met_outcomes(self, faces: tuple[int, ...], at: GuardFacts) -> tuple[str, ...]:
        """Return the outcomes that these dice meet."""
        return met_outcomes(self.lines, faces, at)

    def describe_dice(self, faces: tuple[int, ...], at: GuardFacts) -> str:
        """Return what these dice are, in a word or two."""
        if self.blank:
            return "as the card says"
        found = spoken_list([OUTCOME_NAMES[one] for one in self.met_outcomes(faces, at)], "or")
        return found or ("not safe" if any(one.outcome == SAFE_OUTCOME for one in self.lines) else "no result yet")

    def describe_odds(self, count: int, at: GuardFacts) -> str:
        """Return the odds of `count` dice, in words."""
        return _chances_text(outcome_chances(self.lines, count, at))

    def best_chances(
        self, faces: tuple[int, ...], rerolls: int, nudges: int, at: GuardFacts
    ) -> Mapping[str, Fraction | None]:
        """Return for each outcome the chance to get it from these dice with these tokens; None if merely possible."""
        return best_chances(self.lines, faces, rerolls, nudges, at)

    def describe_reroll(self, faces: tuple[int, ...], nudges: int, at: GuardFacts) -> str:
        """Return the odds of these dice if some are rolled again, with `nudges` after it, in words."""
        return _chances_text(reroll_chances(self.lines, faces, nudges, at))


def runner_goal(face: int) -> RollGoal:
    """Return the goal of a runner: a die that shows `face` or more (SI-068, SI-072, SI-102, SI-104)."""
    return RollGoal((CardLine(f"highest {face}+: {SAFE_OUTCOME}", SAFE_OUTCOME, parse_ways(f"highest {face}+")),))


@dataclass(frozen=True, slots=True)
class DiceRuleGoal:
    """The aim of a die that says how many dice a batter brings: the more, the better."""

    dice: DiceRule
    blank: bool = False

    def describe_dice(self, faces: tuple[int, ...], at: GuardFacts) -> str:
        """Return how many dice this die brings, in words."""
        return dice_in_words(self.dice.dice_count(at, faces[0]))

    def describe_odds(self, count: int, at: GuardFacts) -> str:
        """Return nothing: the number of dice thrown is fixed."""
        return ""

    def describe_reroll(self, faces: tuple[int, ...], nudges: int, at: GuardFacts) -> str:
        """Return what it brings on average if it is rolled again, and turned by all `nudges` at best, in words."""
        near = [[face + by for by in range(-nudges, nudges + 1) if face + by in DIE_FACES] for face in DIE_FACES]
        mean = Fraction(sum(max(self.dice.dice_count(at, one) for one in some) for some in near), len(DIE_FACES))
        return f"{float(mean):.1f} dice on average"


RollAim = RollGoal | DiceRuleGoal
"""What a roll is for."""


def dice_in_words(count: int) -> str:
    """Return a number of dice in words."""
    return "1 die" if count == 1 else f"{count} dice"


def option_notes(
    goal: RollAim, at: GuardFacts, codes: tuple[str, ...], faces: tuple[int, ...] = (), nudges: int = 0
) -> dict[str, str]:
    """Return a note for each of `codes`.

    For a number of dice it has their odds; with `faces` on the table, what each way to spend a token makes of them.
    """

    def option_note(code: str) -> str:
        if goal.blank or code == "0":
            return ""
        if code.isdigit():
            return goal.describe_odds(int(code), at)
        if code == "keep":
            return goal.describe_dice(faces, at)
        if code == "reroll":
            return goal.describe_reroll(faces, nudges, at)
        return goal.describe_dice(dice_after_nudge(faces, code), at) if code.endswith(("-up", "-down")) else ""

    return {code: option_note(code) for code in codes}


def dice_after_nudge(dice: tuple[int, ...], code: str) -> tuple[int, ...]:
    """Return the dice with one turned by "4-up" or "4-down": the first one with that face (SI-056)."""
    face, way = code.split("-")
    place = dice.index(int(face))
    return (*dice[:place], int(face) + (1 if way == "up" else -1), *dice[place + 1 :])


def _chances_text(chances: Mapping[str, Fraction | None]) -> str:
    """Return the chances of outcomes in words, without impossible ones."""
    some = [f"{OUTCOME_NAMES[one]} {_percent_text(chance)}" for one, chance in chances.items() if chance != 0]
    return ", ".join(some) or "nothing"


def _percent_text(chance: Fraction | None) -> str:
    if chance is None:
        return "possible"
    if chance == 1:
        return "sure"
    return f"{min(99, max(1, round(100 * chance)))} %"
