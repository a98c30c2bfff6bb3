"""Goals of a roll, with their odds."""

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
    parse_need_alternatives,
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
"""Names of outcomes."""


@dataclass(frozen=True, slots=True)
class RollGoal:
    """The conditions of a roll, from a batter's card or for a runner. People read the lines of a `blank` card."""

    lines: tuple[CardLine, ...]
    blank: bool = False

    def met_outcomes(self, faces: tuple[int, ...], at: GuardFacts) -> tuple[str, ...]:
        return met_outcomes(self.lines, faces, at)

    def describe_dice(self, faces: tuple[int, ...], at: GuardFacts) -> str:
        if self.blank:
            return "as the card says"
        found = spoken_list([OUTCOME_NAMES[one] for one in self.met_outcomes(faces, at)], "or")
        return found or ("not safe" if any(one.outcome == SAFE_OUTCOME for one in self.lines) else "no result yet")

    def describe_odds(self, count: int, at: GuardFacts) -> str:
        return _chances_text(outcome_chances(self.lines, count, at))

    def best_chances(
        self, faces: tuple[int, ...], rerolls: int, nudges: int, at: GuardFacts
    ) -> Mapping[str, Fraction | None]:
        """Return the chance to get each outcome from these dice with these tokens, or None if merely possible."""
        return best_chances(self.lines, faces, rerolls, nudges, at)

    def describe_reroll(self, faces: tuple[int, ...], nudges: int, at: GuardFacts) -> str:
        """Return the odds of a reroll of some dice, with `nudges` after it, in words."""
        return _chances_text(reroll_chances(self.lines, faces, nudges, at))


def runner_goal(face: int) -> RollGoal:
    """Return the goal of a runner, a die that shows `face` or more (SI-068, SI-072, SI-102, SI-104)."""
    return RollGoal(
        (CardLine(f"highest {face}+: {SAFE_OUTCOME}", SAFE_OUTCOME, parse_need_alternatives(f"highest {face}+")),)
    )


def describe_tries(goal: RollGoal, most: int, at: GuardFacts) -> str:
    """Return the odds of a runner before the dice are chosen, with 1 to `most` of them. "" without dice."""
    if most < 2:
        return goal.describe_odds(1, at) if most else ""
    best = goal.describe_odds(most, at).removeprefix(f"{SAFE_OUTCOME} ")
    return f"{goal.describe_odds(1, at)} with 1 die, {best} with {most}"


@dataclass(frozen=True, slots=True)
class DiceRuleGoal:
    """The goal of a die that decides a batter's number of dice. More are better."""

    dice: DiceRule
    blank: bool = False

    def describe_dice(self, faces: tuple[int, ...], at: GuardFacts) -> str:
        return dice_in_words(self.dice.dice_count(at, faces[0]))

    def describe_odds(self, count: int, at: GuardFacts) -> str:
        """Return "", because the number of dice to roll is fixed."""
        return ""

    def describe_reroll(self, faces: tuple[int, ...], nudges: int, at: GuardFacts) -> str:
        """Return the average number of dice after a reroll and the best use of all `nudges`, in words."""
        near = [[face + by for by in range(-nudges, nudges + 1) if face + by in DIE_FACES] for face in DIE_FACES]
        mean = Fraction(sum(max(self.dice.dice_count(at, one) for one in some) for some in near), len(DIE_FACES))
        return f"{float(mean):.1f} dice on average"


RollAim = RollGoal | DiceRuleGoal


def dice_in_words(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def option_notes(
    goal: RollAim, at: GuardFacts, codes: tuple[str, ...], faces: tuple[int, ...] = (), nudges: int = 0
) -> dict[str, str]:
    """Return the odds for each number of dice in `codes`, and the effect of each use of a token on `faces`."""

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
    """Return the dice after "4-up" or "4-down" moved the first one with that face (SI-056)."""
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
